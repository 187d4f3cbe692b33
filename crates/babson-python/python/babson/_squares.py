"""Sets of squares."""

from __future__ import annotations

from collections.abc import Iterator

_NAMES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")


class SquareSet:
    """A set of squares, which are numbers from 0 (a1), 1 (b1) to 63 (h8), as in python-chess.

    It equals a `chess.SquareSet` and an int with the same bits, and `chess.SquareSet(squares)`
    converts it.

    >>> from babson import SquareSet
    >>> squares = SquareSet("a1", "h8")
    >>> "a1" in squares, 63 in squares, list(squares), int(SquareSet("b1"))
    (True, True, [0, 63], 2)
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, *squares: int | str) -> None:
        """Takes squares by name, or one int whose bits are the squares."""
        mask = 0
        if len(squares) == 1 and isinstance(squares[0], int):
            mask = squares[0] & 0xFFFF_FFFF_FFFF_FFFF
        else:
            for square in squares:
                mask |= 1 << _index(square)
        object.__setattr__(self, "mask", mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a SquareSet does not change")

    def names(self) -> list[str]:
        """The names of the squares, from a1 to h8."""
        return [_NAMES[square] for square in self]

    def __iter__(self) -> Iterator[int]:
        mask = self.mask
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, (int, str)):
            return False
        return bool(self.mask >> _index(square) & 1)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __int__(self) -> int:
        return self.mask

    def __index__(self) -> int:
        return self.mask

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SquareSet):
            return self.mask == other.mask
        mask = other if isinstance(other, int) else getattr(other, "mask", None)
        return self.mask == mask if isinstance(mask, int) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.mask)

    def __and__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask & other.mask)

    def __or__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask | other.mask)

    def __sub__(self, other: SquareSet) -> SquareSet:
        return SquareSet(self.mask & ~other.mask)

    def __reduce__(self) -> tuple[type[SquareSet], tuple[int]]:
        return (SquareSet, (self.mask,))

    def __repr__(self) -> str:
        return f"SquareSet({', '.join(map(repr, self.names()))})"


def _index(square: int | str) -> int:
    if isinstance(square, str):
        if square not in _NAMES:
            raise ValueError(f"{square!r} is not the name of a square")
        return _NAMES.index(square)
    if not 0 <= square < 64:
        raise ValueError(f"{square} is not a square: squares are numbers from 0 to 63")
    return square

