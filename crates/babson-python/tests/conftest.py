"""Games and files that the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MASTERS = ROOT / "corpus/games/masters-2k.pgn"

GAMES = b"""[White "Adams"]
[Black "Bird"]
[Date "1901.05.07"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Carl"]
[Black "Dora"]
[Date "1902.??.??"]
[Result "*"]

1. e4 e5 2. Qh5 Ke7 (2... Nc6 3. Bc4 Nf6 4. Qxf7#) *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_bytes(GAMES)
    return path


@pytest.fixture(scope="session")
def masters() -> Path:
    return MASTERS


@pytest.fixture(scope="session")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games that a slow query never gets through."""
    path = tmp_path_factory.mktemp("endless") / "games.pgn"
    path.write_bytes(b"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *\n\n" * 5000)
    return path
