"""Searches, scans, packing and why."""

import io
import multiprocessing
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import babson
import pytest

from conftest import GAMES


def test_matches(games: Path) -> None:
    query = babson.compile('cql(quiet) sort quiet "pieces" #[Aa] mate comment("the end")', name="mates")
    search = query.search(games)
    (found,) = search
    assert (found.game, found.number, found.offset, found.input) == (1, 1, 0, str(games))
    assert found.tags == {
        "White": "Adams", "Black": "Bird", "Date": "1901.05.07", "Result": "0-1",
    } | {name: value for name, value in found.tags.items() if name in ("Event", "Site", "Round")}
    assert found.moves == ["2...Qh4#"] and found.fens[0].startswith("rnb1kbnr/pppp1ppp")
    (position,) = found.positions
    assert (position.ply, position.move, position.san) == (4, "2...Qh4#", "Qh4#")
    assert (position.next, position.comment, position.fen) == (None, "the end", found.fens[0])
    assert found.comments == ["the end"] and found.sort == {"pieces": 32}
    assert found.pgn().startswith("[") and "the end" in found.pgn()
    assert search.games == 2
    frame = found._repr_html_()
    assert frame.startswith("<iframe") and "Adams" in frame


def test_every_kind_of_input(games: Path, tmp_path: Path) -> None:
    import bz2
    import gzip
    import lzma
    import zipfile

    query = babson.compile("mate")
    packed = tmp_path / "games.arrow"
    assert babson.pack(games, packed) == 2
    (tmp_path / "games.pgn.gz").write_bytes(gzip.compress(GAMES))
    (tmp_path / "games.pgn.bz2").write_bytes(bz2.compress(GAMES))
    (tmp_path / "games.pgn.xz").write_bytes(lzma.compress(GAMES))
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("games.pgn", GAMES)
    for path in sorted(tmp_path.iterdir()):
        (found,) = query.search(path)
        assert found.moves == ["2...Qh4#"], path
        assert "Qh4#" in found.pgn()
    assert len(list(query.search([games, str(packed)]))) == 2
    assert len(list(query.search(tmp_path))) == 6
    assert len(list(query.search(io.BytesIO(GAMES)))) == 1
    assert len(list(query.search(io.BytesIO(gzip.compress(GAMES))))) == 1
    with open(games, "rb") as file:
        assert [found.input for found in query.search(file)] == [str(games)]


def test_options_of_a_search(games: Path) -> None:
    query = babson.compile("mate")
    assert [len(list(query.search(games, variations=flag))) for flag in (False, True)] == [1, 2]
    anything = babson.compile("btm")
    assert len(list(anything.search(games, limit=1))) == 1
    with anything.search(games) as search:
        assert next(search).game == 1
    assert list(search) == []


def test_wrong_inputs(games: Path, tmp_path: Path) -> None:
    query = babson.compile("mate")
    with pytest.raises(babson.InputError, match="nosuch"):
        query.search(tmp_path / "nosuch.pgn")
    with pytest.raises(TypeError, match="not int"):
        query.search(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not bytes"):
        query.search(GAMES)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not NoneType"):
        query.search([games, None])  # type: ignore[list-item]
    with pytest.raises(babson.InputError):
        query.search(GAMES.decode())
    with open(games, "rb") as file:
        pass
    with pytest.raises(ValueError, match="closed file"):
        query.search(file)
    with open(games) as text, pytest.raises(TypeError, match="binary mode"):
        query.search(text)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout"):
        query.search(games, timeout=-1)


class Failing(io.RawIOBase):
    """A file whose third read fails."""

    def __init__(self) -> None:
        self.reads = 0

    def read(self, size: int = -1) -> bytes:
        self.reads += 1
        if self.reads > 2:
            raise OSError("the line went dead")
        return b"1. e4 *\n\n" * (size // 9)


def test_exceptions_of_python_code_go_through(games: Path) -> None:
    with pytest.raises(OSError, match="the line went dead"):
        list(babson.compile("mate").search(Failing()))
    with pytest.raises(OSError, match="the line went dead"):
        babson.scan(Failing()).query("mate").count()

    def paths() -> Iterator[Path]:
        yield games
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        babson.scan(paths())

    def progress(_: babson.Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        babson.scan(games).query("mate").progress(progress).count()


def test_progress(masters: Path) -> None:
    told: list[babson.Progress] = []
    babson.scan(masters).query("mate").progress(told.append).count()
    assert told and told[-1].total == masters.stat().st_size
    assert 0 < told[-1].bytes <= told[-1].total and told[-1].games > 0
    with pytest.raises(TypeError, match="callable"):
        babson.scan(masters).progress(3)  # type: ignore[arg-type]


def test_counts(games: Path) -> None:
    scan = babson.scan(games).query("mate")
    assert scan.count() == 1
    both = scan.query(babson.compile("btm"), name="black", limit=1)
    assert both.count() == {"mate": 1, "black": 1}
    assert scan.threads(1).count() == 1
    with pytest.raises(ValueError, match="two queries"):
        scan.query("mate")
    with pytest.raises(babson.Error, match="no query"):
        babson.scan(games).count()
    with pytest.raises(babson.QueryError):
        babson.scan(games).query("chekc")
    with pytest.raises(TypeError, match="a query is"):
        babson.scan(games).query(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1"):
        scan.threads(0)


def test_tables(games: Path) -> None:
    import datetime

    scan = babson.scan(games).query('btm sort "n" ply')
    table = scan.columns("game,white,date,ply,next.san,sort:n").to_arrow()
    assert table.column_names == ["game", "white", "date", "ply", "next.san", "n"]
    columns = table.to_pydict()
    assert columns["game"] == [1, 1, 2, 2] or columns["game"] == [2, 2, 1, 1]
    first = columns["game"].index(1)
    assert columns["date"][first] == datetime.date(1901, 5, 7)
    assert columns["date"][columns["game"].index(2)] is None
    assert columns["ply"][:2] == [1, 3] and all(type(n) is int for n in columns["n"])
    assert len(table) == table.num_rows == 4
    assert "rows: 4" in repr(table)
    default = scan.to_arrow().column_names
    assert default[0] == "game" and "fen" in default and default[-1] == "n"
    several = babson.scan(games).query("mate").query("check", name="checks").to_arrow()
    assert several.column_names[0] == "query"
    assert set(several.to_pydict()["query"]) == {"mate", "checks"}
    with pytest.raises(ValueError, match="did you mean white"):
        scan.columns("whit")
    with pytest.raises(ValueError, match="no sort key|sort"):
        babson.scan(games).query("mate").columns("sort:x").to_arrow()
    assert table._repr_html_().startswith("<table>")
    assert scan.to_arrow()._repr_html_().startswith("<iframe")


def test_batches(masters: Path) -> None:
    scan = babson.scan(masters).query("true").columns("game,ply,fen")
    rows = [batch.num_rows for batch in scan.batches()]
    assert sum(rows) == scan.to_arrow().num_rows and len(rows) > 3 and max(rows) == 8192
    batches = scan.batches()
    assert next(batches).column_names == ["game", "ply", "fen"]
    batches.close()
    assert list(batches) == []


def test_groups(games: Path) -> None:
    table = babson.scan(games).query("btm").group("year")
    columns = table.to_pydict()
    assert columns["year"] == [1901, 1902] and columns["games"] == [1, 1]
    assert columns["lost"] == [1, 0] and columns["score"] == [0.0, None]
    assert columns["performance"] == [None, None]
    assert babson.scan(games).query("btm").group("next").column_names[0] == "next"
    assert babson.scan(games).query("btm").group("white").to_pydict()["white"] == ["Adams", "Carl"]
    assert babson.scan(games).query("false").group("year").column_names == table.column_names
    with pytest.raises(ValueError, match="did you mean year"):
        babson.scan(games).query("mate").group("yaer")


def test_files(games: Path, tmp_path: Path) -> None:
    scan = babson.scan(games).query("mate", name="mates")
    for name in ("x.pgn", "x.jsonl", "x.json", "x.csv", "x.tsv", "x.epd", "x.html", "x.arrow"):
        assert scan.write(tmp_path / name) == 1
        assert (tmp_path / name).stat().st_size > 0
    scan.columns("white,ply").write(tmp_path / "y.csv")
    assert (tmp_path / "y.csv").read_text() == "white,ply\nAdams,4\n"
    scan.write(tmp_path / "years.csv", group="year")
    assert (tmp_path / "years.csv").read_text().startswith("year,games")
    scan.write(tmp_path / "x.pgn", append=True)
    assert (tmp_path / "x.pgn").read_text().count("[White ") == 2
    scan.write(tmp_path / "z.arrow", compression="zstd")
    both = scan.query("check", name="checks")
    assert both.write(tmp_path / "both.csv") == {"mates": 1, "checks": 1}
    assert scan.write(tmp_path / "unique.pgn", unique=True) == 1
    with pytest.raises(TypeError, match="no option .foo."):
        scan.write(tmp_path / "x.pgn", foo=1)
    with pytest.raises(ValueError, match="extension"):
        scan.write(tmp_path / "x.xyz")
    with pytest.raises(babson.Error, match="cannot write"):
        scan.write(tmp_path / "nosuch" / "x.pgn")
    with pytest.raises(ValueError, match="exclude"):
        scan.write(tmp_path / "x.pgn", top=1, sample=1)


def test_packing(games: Path, tmp_path: Path) -> None:
    table = tmp_path / "all.arrow"
    with pytest.warns(babson.DataWarning, match="equal games: 2 of 4 .*unique=True"):
        assert babson.pack([games, games], table) == 4
    assert babson.pack([games, games], table, unique=True, compression="zstd") == 2
    with pytest.raises(ValueError, match="not a compression"):
        babson.pack(games, table, compression="rar")
    with pytest.raises(babson.InputError):
        babson.pack(tmp_path / "nosuch.pgn", table)
    table.write_bytes(table.read_bytes()[:-100])
    with pytest.raises(babson.InputError):
        babson.scan(table).query("mate").count()
    with pytest.raises(babson.InputError):
        list(babson.compile("mate").search(table))


def test_appending(games: Path, tmp_path: Path) -> None:
    table, whole = tmp_path / "all.arrow", tmp_path / "whole.arrow"
    babson.pack(games, table, compression="zstd")
    with pytest.warns(babson.DataWarning, match="equal games: 2 of 2"):
        assert babson.pack(games, table, append=True) == 4
    with pytest.warns(babson.DataWarning, match="equal games: 2 of 4"):
        babson.pack([games, games], whole, compression="zstd")
    assert table.read_bytes() == whole.read_bytes()
    assert babson.pack(games, table, append=True, unique=True, compression=None) == 4
    with pytest.raises(babson.InputError):
        babson.pack(games, tmp_path / "nosuch.arrow", append=True)
    with pytest.raises(babson.InputError):
        babson.pack(tmp_path / "nosuch.pgn", table, append=True)
    assert table.read_bytes() == whole.read_bytes()
    # Another compression is for all of the table.
    assert babson.pack(games, table, append=True, unique=True, compression="none") == 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        babson.pack([games, games], whole)
    assert table.read_bytes() == whole.read_bytes()


def test_numbers_out_of_range(games: Path, tmp_path: Path) -> None:
    query = babson.compile("true")
    scan = babson.scan(games)
    for call, allowed in [
        (lambda: query.search(games, limit=-1), "limit is at least 0, not -1"),
        (lambda: scan.query(query, limit=-7), "limit is at least 0, not -7"),
        (lambda: query.search(games, limit=1 << 64), f"limit is at most {(1 << 64) - 1}, not"),
        (lambda: query.why(games, game=0), "game is at least 1, not 0"),
        (lambda: query.why(games, game=1, ply=-1), "ply is at least 0, not -1"),
        (lambda: scan.threads(-1), "the number of threads is at least 1, not -1"),
        (lambda: scan.query(query).write(tmp_path / "x.pgn", top=-1), "top is at least 0"),
        (lambda: scan.query(query).write(tmp_path / "x.pgn", sample=-1), "sample is at least 0"),
        (lambda: scan.query(query).write(tmp_path / "x.pgn", seed=-1), "seed is at least 0"),
        (lambda: scan.query(query).write(tmp_path / "x.pgn", fragments=-1), "fragments is at"),
    ]:
        with pytest.raises(ValueError, match=allowed):
            call()
    for wrong in ["1", 1.5]:
        with pytest.raises(TypeError, match="limit is an int, not"):
            query.search(games, limit=wrong)  # type: ignore[arg-type]
    assert list(query.search(games, limit=0)) == []
    assert len(list(query.search(games, limit=None))) == 2


def test_why(games: Path) -> None:
    query = babson.compile("check mate")
    why = query.why(games, game=1)
    assert why.matched is True and why.matches == [4] and why.failed is None
    why = query.why(games, game=2, ply=3)
    assert why.matched is False and why.plies == 4
    assert why.failed is not None and why.failed.text == "check"
    assert why.failures and why.failures[0][0] == "check"
    assert why.trace.position == 3 and why.fen is not None
    assert "none of" in str(why)
    html = why._repr_html_()
    assert html is not None and html.startswith("<iframe")
    with pytest.raises(babson.InputError, match="fewer games"):
        query.why(games, game=7)
    with pytest.raises(babson.InputError, match="plies"):
        query.why(games, game=1, ply=99)


def test_damage_is_told(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pgn"
    path.write_bytes(b"1. e4 e5 2. Ke5 *\n\n" * 3)
    with pytest.warns(babson.DataWarning, match="damaged games: 3"):
        assert babson.scan(path).query("true").count() == 3
    with pytest.warns(babson.DataWarning, match="skipped after an error: 3"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="damaged")
            babson.scan(path).query("while (true) {true}").count()


def test_a_torn_stream_is_an_error_after_its_games(tmp_path: Path, masters: Path) -> None:
    import gzip

    path = tmp_path / "torn.pgn.gz"
    whole = gzip.compress(masters.read_bytes())
    path.write_bytes(whole[: len(whole) // 2])
    found = 0
    with pytest.raises(babson.InputError, match="torn"):
        for _ in babson.compile("mate").search(path):
            found += 1
    assert found > 10


def test_messages_are_printed(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    babson.scan(games).query("initial message quiet(\"hello\") true").count()
    assert capsys.readouterr().out == "hello\nhello\n"


def count(path: str) -> int:
    number = babson.scan(path).query("mate").count()
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(games: Path, method: str) -> None:
    assert count(str(games)) == 1
    context = multiprocessing.get_context(method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with context.Pool(2) as pool:
            assert pool.map(count, [str(games)] * 4) == [1] * 4
            query = babson.compile("mate")
            assert pool.map(query.matches, ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]) == [True]


def test_the_iterator_may_be_left(masters: Path) -> None:
    threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
    for _ in range(20):
        for _ in babson.compile("true").search(masters):
            break
    if threads:
        import time

        for _ in range(100):
            if len(os.listdir("/proc/self/task")) <= threads:
                break
            time.sleep(0.05)
        assert len(os.listdir("/proc/self/task")) <= threads
