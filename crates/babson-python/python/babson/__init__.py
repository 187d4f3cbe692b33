"""Search games of chess with CQL, the Chess Query Language.

>>> import babson, io
>>> query = babson.compile("mate")
>>> query.matches("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
True
>>> games = io.BytesIO(b'1. f3 e5 2. g4 Qh4# 0-1')
>>> [found.moves for found in query.search(games)]
[['2...Qh4#']]
"""

from ._babson import (
    Batch,
    Batches,
    BatchSearch,
    Match,
    MatchedPosition,
    Matches,
    Query,
    Scan,
    Table,
    Trace,
    TraceEntry,
    Why,
    __version__,
    compile,
    convert,
    format,
    help,
    pack,
    scan,
    search_batches,
    to_modern,
)
from ._errors import (
    DataWarning,
    Diagnostic,
    Error,
    InputError,
    LimitError,
    Progress,
    QueryError,
)
from ._squares import SquareSet

# The classes and exceptions belong to the package, whatever file they are in.
for _class in (DataWarning, Diagnostic, Error, InputError, LimitError, Progress, QueryError):
    _class.__module__ = "babson"
SquareSet.__module__ = "babson"
del _class

__all__ = [
    "Batch",
    "BatchSearch",
    "Batches",
    "DataWarning",
    "Diagnostic",
    "Error",
    "InputError",
    "LimitError",
    "Match",
    "MatchedPosition",
    "Matches",
    "Progress",
    "Query",
    "QueryError",
    "Scan",
    "SquareSet",
    "Table",
    "Trace",
    "TraceEntry",
    "Why",
    "__version__",
    "compile",
    "convert",
    "format",
    "help",
    "pack",
    "scan",
    "search_batches",
    "to_modern",
]
