"""The exceptions of the package, and the plain data that they and others carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning about a place in a query.

    The span has the indexes of the first character and of the one after the last.
    """

    code: str
    severity: Literal["error", "warning"]
    message: str
    span: tuple[int, int]
    help: str | None = None

    def __str__(self) -> str:
        return f"{self.severity}[{self.code}]: {self.message}"


class Error(Exception):
    """The base of all exceptions of the package."""


class QueryError(Error):
    """A query is wrong. Each mistake is one of its diagnostics."""

    diagnostics: Sequence[Diagnostic]

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(Error):
    """An input cannot be read, or it has no such game."""


class LimitError(Error):
    """A timeout was reached, or a query took more steps or memory than it may."""


class DataWarning(UserWarning):
    """Games could not be searched whole: they are damaged, or the query failed on them."""


class Progress(NamedTuple):
    """How far a scan is."""

    games: int
    """The games that were read."""
    matches: int
    """The games that matched, over all queries."""
    bytes: int
    """The bytes of the inputs that were read."""
    total: int
    """The bytes of all inputs; 0 if they are not known."""
