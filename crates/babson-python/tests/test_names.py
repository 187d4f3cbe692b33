"""The names of the package, its docstrings, and the examples of the book."""

import doctest
import inspect
import os
import re
from pathlib import Path

import babson
import pytest

from conftest import MASTERS, ROOT

CONTRACT = {
    "": "compile scan pack format to_modern convert help __version__ search_batches SquareSet "
    "Error QueryError InputError LimitError",
    "Query": "matches evaluate trace search why explain warnings text dialect",
    "Match": "game tags positions fens moves comments pgn sort",
    "MatchedPosition": "ply fen move san comment",
    "Scan": "query threads timeout progress columns to_arrow to_polars to_pandas write group count "
    "batches",
    "Table": "to_arrow to_polars to_pandas __arrow_c_stream__",
    "Batch": "__arrow_c_array__",
    "Diagnostic": "code severity message span help",
}


@pytest.mark.parametrize("owner", CONTRACT)
def test_the_contract(owner: str) -> None:
    of = getattr(babson, owner) if owner else babson
    names = set(dir(of)) | set(getattr(of, "__dataclass_fields__", ()))
    assert set(CONTRACT[owner].split()) <= names


def test_the_exceptions() -> None:
    assert issubclass(babson.Error, Exception)
    for kind in (babson.QueryError, babson.InputError, babson.LimitError):
        assert issubclass(kind, babson.Error)


def test_everything_has_a_docstring() -> None:
    for name in babson.__all__:
        member = getattr(babson, name)
        if name.startswith("__"):
            continue
        assert inspect.getdoc(member), name
        if inspect.isclass(member) and member.__module__ == "babson":
            for inner, value in vars(member).items():
                if not inner.startswith("_") and callable(value):
                    assert inspect.getdoc(value), f"{name}.{inner}"


def test_docstring_examples() -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = 0
    owners = [babson] + [getattr(babson, name) for name in babson.__all__]
    for owner in owners:
        texts = [(getattr(owner, "__name__", "?"), inspect.getdoc(owner))]
        if inspect.isclass(owner):
            texts += [
                (f"{owner.__name__}.{name}", inspect.getdoc(value))
                for name, value in vars(owner).items()
            ]
        for name, text in texts:
            if not isinstance(text, str) or ">>>" not in text:
                continue
            test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
            examples += len(test.examples)
            runner.run(test)
    assert runner.failures == 0 and examples > 20


@pytest.mark.parametrize("chapter", ["python.md", "engines.md"])
def test_the_book(chapter: str, tmp_path: Path) -> None:
    """The blocks of Python of a chapter run one after another, in a folder with some games."""
    page = (ROOT / "docs/src" / chapter).read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) > 5
    os.symlink(MASTERS, tmp_path / "games.pgn")
    before = os.getcwd()
    os.chdir(tmp_path)
    names: dict[str, object] = {}
    try:
        for block in blocks:
            needed = re.match(r"# needs (.*)\n", block)
            if needed and not all(installed(name) for name in needed[1].split(", ")):
                continue
            exec(compile(block, chapter, "exec"), names)
    finally:
        os.chdir(before)


def installed(name: str) -> bool:
    try:
        __import__({"python-chess": "chess"}.get(name, name))
    except ImportError:
        return False
    return True
