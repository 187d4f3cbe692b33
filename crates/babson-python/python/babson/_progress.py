"""The progress of a scan as a bar of tqdm."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._errors import Progress


class TqdmBar:
    """A bar that is told the progress of one scan."""

    def __init__(self) -> None:
        # A missing package is told before the scan starts.
        self._tqdm: Any = import_module("tqdm.auto").tqdm
        self._bar: Any = None

    def __call__(self, progress: Progress) -> None:
        if self._bar is None:
            total = progress.total or None
            self._bar = self._tqdm(total=total, unit="B", unit_scale=True)
        self._bar.update(progress.bytes - self._bar.n)
        self._bar.set_postfix(games=progress.games, matches=progress.matches)
        if progress.total and progress.bytes >= progress.total:
            self._bar.close()
