"""What a type checker knows of the package. mypy and pyright read this file; nothing runs it."""

from pathlib import Path

import babson


def use(path: Path) -> int:
    query: babson.Query = babson.compile("mate", dialect="cqli", variables={"x": 1})
    plies: list[int] = []
    for found in query.search([path, "games.pgn"], limit=3):
        plies.extend(position.ply for position in found.positions)
        tags: dict[str, str] = found.tags
        plies.append(len(tags))
    value = query.evaluate("8/8/8/8/8/8/8/K1k5 w - - 0 1")
    if isinstance(value, babson.SquareSet):
        plies.append(len(value.names()))
    table = babson.scan(path).query(query).columns("game").to_arrow()
    try:
        babson.compile("chekc")
    except babson.QueryError as error:
        for diagnostic in error.diagnostics:
            start, end = diagnostic.span
            plies.append(end - start)
    with query.search(path) as search:
        plies.append(next(search).game)
    return sum(plies) + len(table)
