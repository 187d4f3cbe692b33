#!/usr/bin/env python3
"""Searches a DataFrame of games with Babson on Spark: games in, matching positions out.

usage: games.py GAMES MATCHES QUERY

GAMES is a Parquet file or folder with a column `movetext` or `moves`, MATCHES the folder for the
matches, QUERY the text of a query or the name of its file.
"""

import pathlib
import sys

import babson
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import IntegerType, StringType, StructField, StructType

MOVES = ("movetext", "moves")
MATCH = {"ply": IntegerType(), "move": StringType(), "next": StringType(), "fen": StringType(),
         "comment": StringType()}


def search(games: DataFrame, query: str) -> DataFrame:
    """The matching positions of the games: their columns but the moves, and the columns of the match.

    The partitions stay as they are. A task gives the same rows each time, so that Spark can start it
    again, also beside itself.
    """
    # A wrong query is an error here, before a task begins.
    compiled = babson.compile(query)
    fields = [field for field in games.schema.fields if field.name not in MOVES]
    names = {field.name for field in fields}
    fields += [StructField(f"match_{name}" if name in names else name, kind)
               for name, kind in MATCH.items()]

    def search_partition(batches):
        return babson.search_batches(compiled, batches)

    return games.mapInArrow(search_partition, StructType(fields))


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    games, matches, query = sys.argv[1:]
    if query.endswith(".cql"):
        query = pathlib.Path(query).read_text()
    spark = SparkSession.builder.appName("babson").getOrCreate()
    try:
        search(spark.read.parquet(games), query).write.parquet(matches)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
