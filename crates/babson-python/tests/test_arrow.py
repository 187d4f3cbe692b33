"""Tables and batches in other libraries, each where it is installed."""

from pathlib import Path
from typing import Any

import babson
import pytest


def rows(games: Path) -> babson.Scan:
    return babson.scan(games).query("btm").columns("game,white,date,ply,next.san")


def test_pyarrow(games: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(rows(games).to_arrow())
    assert table.to_pydict() == rows(games).to_arrow().to_pydict()
    assert str(table.schema.field("date").type) == "date32[day]"
    assert pa.schema(rows(games).to_arrow()).names == table.schema.names
    batches = [pa.record_batch(batch) for batch in rows(games).batches()]
    assert pa.Table.from_batches(batches) == table
    reader = pa.RecordBatchReader.from_stream(rows(games).to_arrow())
    assert reader.read_all() == table
    empty = pa.table(babson.scan(games).query("false").to_arrow())
    assert empty.num_rows == 0 and empty.num_columns > 10
    groups = pa.table(babson.scan(games).query("btm").group("year"))
    assert groups.column("year").to_pylist() == [1901, 1902]


def test_polars(games: Path) -> None:
    polars = pytest.importorskip("polars")
    frame = rows(games).to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame["ply"].to_list() == [1, 3, 1, 3]
    assert frame.schema["date"] == polars.Date
    assert babson.scan(games).query("btm").group("year").to_polars()["games"].to_list() == [1, 1]


def test_pandas(games: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = rows(games).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["ply"]) == [1, 3, 1, 3]
    assert list(babson.scan(games).query("btm").group("year").to_pandas()["year"]) == [1901, 1902]


def test_duckdb(games: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    positions = rows(games).to_arrow()
    assert len(positions) == 4
    found = duckdb.sql("SELECT white, count(*) AS n FROM positions GROUP BY white ORDER BY white")
    assert found.fetchall() == [("Adams", 2), ("Carl", 2)]


MOVES = ["1. f3 e5 2. g4 Qh4# 0-1", None, "no game at all", "1. e4 e5 2. Ke5 *", "f3 e5 g4 Qh4#"]


def batch(pa: Any, moves: Any) -> Any:
    size = len(moves)
    columns = {"id": list(range(size)), "White": ["Ann"] + ["Bob"] * (size - 1), "movetext": moves}
    return pa.RecordBatch.from_pydict(columns)


def test_batches_of_games() -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.warns(babson.DataWarning, match="damaged"):
        (found,) = babson.search_batches("mate", [batch(pa, MOVES)])
    assert isinstance(found, pa.RecordBatch)
    assert found.schema.names == ["id", "White", "ply", "move", "next", "fen", "comment"]
    columns = found.to_pydict()
    assert columns["id"] == [0, 4] and columns["ply"] == [4, 4]
    assert columns["move"] == ["2...Qh4#"] * 2 and columns["next"] == [None] * 2
    # The schema is the same without a match.
    (none,) = babson.search_batches('player "Zoe"', [batch(pa, MOVES[:1])])
    assert none.schema == found.schema and none.num_rows == 0
    (ann,) = babson.search_batches('player "Ann" initial', [batch(pa, MOVES[:1] * 2)])
    assert ann.to_pydict()["id"] == [0]
    with pytest.raises(ValueError, match="no column `movetext` or `moves`"):
        list(babson.search_batches("mate", [pa.RecordBatch.from_pydict({"a": [1]})]))
    with pytest.raises(TypeError, match="a batch is an Arrow record batch"):
        list(babson.search_batches("mate", [3]))
    with pytest.raises(ValueError, match="holds Int64"):
        list(babson.search_batches("mate", [pa.RecordBatch.from_pydict({"moves": [1]})]))

    def failing() -> Any:
        yield batch(pa, MOVES[:1])
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        list(babson.search_batches("mate", failing()))


# 1. f3 e5 2. g4 Qh4# as a game table has it: origin, target, and what moves.
CODES = [1357, 26932, 26510, 18427]


def test_forms_of_moves(tmp_path: Path, games: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    uci = ["f2f3", "e7e5", "g2g4", "d8h4"]
    san = "1. f3 e5 2. g4 Qh4#"
    columns = [
        pa.array([san], pa.large_string()),
        pa.array([san], pa.string_view()),
        pa.array([san]).dictionary_encode(),
        pa.array([" ".join(uci)]),
        pa.array([uci]),
        pa.array([["f3", "e5", "g4", "Qh4#"]], pa.large_list(pa.string())),
        pa.array([f'[White "Ann"]\n\n{san}']),
        pa.array([CODES], pa.list_(pa.uint16())),
        pa.array([CODES], pa.list_(pa.int32())),
        pa.array([CODES], pa.large_list(pa.int64())),
    ]
    for column in columns:
        moves = pa.RecordBatch.from_arrays([column], ["moves"])
        (found,) = babson.search_batches("mate", [moves])
        assert found.num_rows == 1, column.type
    # A game table, as pyarrow reads it.
    babson.pack(games, tmp_path / "games.arrow")
    with pa.ipc.open_file(tmp_path / "games.arrow") as table:
        batches = [table.get_batch(at) for at in range(table.num_record_batches)]
    found = pa.Table.from_batches(babson.search_batches("mate", batches))
    assert found.column("white").to_pylist() == ["Adams"]


def test_batches_without_pyarrow(games: Path) -> None:
    table = babson.scan(games).query('initial sort "moves" "1. f3 e5 2. g4 Qh4#"')
    (found,) = babson.search_batches("mate", [table.columns("white,fen,sort:moves").to_arrow()])
    assert isinstance(found, babson.Batch)
    assert found.column_names == ["white", "fen", "ply", "move", "next", "match_fen", "comment"]
    assert found.num_rows == len(found) == 2


def test_tqdm(games: Path) -> None:
    pytest.importorskip("tqdm")
    assert babson.scan(games).query("mate").progress().count() == 1

