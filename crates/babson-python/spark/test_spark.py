"""Spark runs the search of docs/examples/spark: its result is that of one run, whatever happens to a
task. `cargo xtask check-spark` runs this."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import babson
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[3]
MASTERS = ROOT / "corpus/games/masters-2k.pgn"
sys.path.insert(0, str(ROOT / "docs/examples/spark"))

from games import search  # noqa: E402

QUERY = 'mate comment("the end")'


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
    session = builder.config("spark.speculation", "true").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def rows_of_games() -> list[tuple[int, str]]:
    games = re.split(r"\n\n(?=\[Event )", MASTERS.read_text(encoding="latin-1").strip())
    return list(enumerate(games, start=1))


def expected(rows: list[tuple[int, str]]) -> list[tuple[int, int]]:
    table = babson.scan(MASTERS).query(QUERY).columns("game,ply").to_arrow().to_pydict()
    return sorted(zip(table["game"], table["ply"]))


def found(frame) -> list[tuple[int, int]]:
    return sorted((row.id, row.ply) for row in frame.collect())


def test_the_result_of_one_run(spark: SparkSession) -> None:
    rows = rows_of_games()
    games = spark.createDataFrame(rows, "id int, movetext string").repartition(7)
    frame = search(games, QUERY)
    assert frame.columns == ["id", "ply", "move", "next", "fen", "comment"]
    assert frame.rdd.getNumPartitions() == 7
    assert found(frame) == expected(rows) and len(expected(rows)) > 20
    assert all("the end" in row.comment for row in frame.collect())


def test_a_wrong_query_starts_no_task(spark: SparkSession) -> None:
    games = spark.createDataFrame([(1, "1. e4 *")], "id int, movetext string")
    with pytest.raises(babson.QueryError, match="unknown name"):
        search(games, "maet")


def test_a_worker_that_is_killed(spark: SparkSession, tmp_path: Path) -> None:
    """The process of a task dies in the middle of its batches; another one does the task again."""
    rows = rows_of_games()
    mark = str(tmp_path / "killed")

    def dying(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            if not os.path.exists(mark):
                Path(mark).touch()
                os.kill(os.getpid(), signal.SIGKILL)

    games = spark.createDataFrame(rows, "id int, movetext string").repartition(4)
    assert found(search(games.mapInArrow(dying, games.schema), QUERY)) == expected(rows)
    assert os.path.exists(mark)


def test_a_task_that_fails_once(spark: SparkSession, tmp_path: Path) -> None:
    rows = rows_of_games()
    mark = str(tmp_path / "failed")

    def failing(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if not os.path.exists(mark):
                Path(mark).touch()
                raise OSError("the disk is gone")
            yield batch

    games = spark.createDataFrame(rows, "id int, movetext string").repartition(4)
    assert found(search(games.mapInArrow(failing, games.schema), QUERY)) == expected(rows)
    assert os.path.exists(mark)


def test_hostile_rows(spark: SparkSession) -> None:
    """Garbage, nulls, megabytes and unclosed brackets harm no other row."""
    hostile = [None, "", "\0" * 100, "(" * 100_000, "{", "1. e4 " * 100_000, "[FEN \"x\"]", "🙂" * 1000,
               "[Event \"" + "x" * 1_000_000 + "\"]\n\n1. e4 *"]
    good = "1. f3 e5 2. g4 Qh4#"
    rows = [(i, text) for i, text in enumerate(hostile)] + [(100, good), (101, good)]
    games = spark.createDataFrame(rows, "id int, movetext string").repartition(2)
    assert found(search(games, "mate")) == [(100, 4), (101, 4)]


def test_columns_of_the_games_stay(spark: SparkSession) -> None:
    rows = [("a", 2500, "1. f3 e5 2. g4 Qh4#", 17)]
    games = spark.createDataFrame(rows, "name string, WhiteElo int, movetext string, ply int")
    (row,) = search(games, "mate elo white 2500").collect()
    assert (row.name, row.WhiteElo, row.ply, row.match_ply) == ("a", 2500, 17, 4)


def test_a_game_table_as_parquet(spark: SparkSession, tmp_path: Path) -> None:
    """Spark reads the move codes of a game table as numbers of 32 bits."""
    pytest.importorskip("pyarrow.parquet")
    import pyarrow.parquet as parquet

    babson.pack(MASTERS, tmp_path / "games.arrow")
    with pa.OSFile(str(tmp_path / "games.arrow")) as file:
        table = pa.ipc.open_file(file).read_all().select(["number", "moves", "movetext", "white"])
    parquet.write_table(table, tmp_path / "games.parquet")
    frame = search(spark.read.parquet(str(tmp_path / "games.parquet")), QUERY)
    assert sorted((row.number, row.ply) for row in frame.collect()) == expected(rows_of_games())
