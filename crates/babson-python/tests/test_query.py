"""Queries on single boards, and their errors."""

import pickle
import threading

import babson
import pytest

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"


def test_values_have_the_types_of_python() -> None:
    def value(text: str, board: str = ROOKS) -> object:
        return babson.compile(text).evaluate(board)

    assert value("wtm") is True
    assert value("btm") is False
    assert value("#R + 1") == 3
    assert value('"é" + "a"') == "éa"
    assert value("R") == babson.SquareSet("a1", "h1")
    assert value("Q") is False


def test_a_query_matches_or_does_not() -> None:
    query = babson.compile("mate")
    assert query.matches(MATE) is True
    assert query.matches(START) is False
    promotion = babson.compile("move legal promote N check", dialect="cqli")
    assert promotion.matches("8/P7/8/8/8/8/8/k1K5 w - - 0 1") is False


def test_what_a_query_is() -> None:
    query = babson.compile("x > 1 mate", variables={"x": 2, "y": "a"}, name="two")
    assert (query.text, query.dialect, query.name) == ("x > 1 mate", "cqli", "two")
    assert repr(query) == '<babson.Query "two">'
    assert babson.compile("mate", dialect="cql6").dialect == "cql6"
    assert "checkmated" in babson.compile("mate").explain()
    (warning,) = babson.compile("wtm and btm").warnings
    assert (warning.severity, warning.code[0]) == ("warning", "W")
    assert babson.compile("mate") == babson.compile("mate") != babson.compile("check")


@pytest.mark.parametrize("before", ["", "// é ♖ 𝄞\n", '"ßßß" == "ß"\n'])
def test_spans_are_indexes_of_the_str(before: str) -> None:
    text = before + "check chekc"
    with pytest.raises(babson.QueryError) as caught:
        babson.compile(text)
    (diagnostic,) = caught.value.diagnostics
    start, end = diagnostic.span
    assert text[start:end] == "chekc"
    assert diagnostic.severity == "error" and diagnostic.code.startswith("E")
    assert "check" in (diagnostic.help or "") or "check" in diagnostic.message
    notes = getattr(caught.value, "__notes__", None)
    if notes is not None:
        assert "check chekc" in notes[0] and "^^^^^" in notes[0]
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics and str(again) == str(caught.value)


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError):
        babson.compile(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a dialect"):
        babson.compile("mate", dialect="cql9")
    with pytest.raises(TypeError, match="the variable x is an int or a str"):
        babson.compile("x", variables={"x": 1.5})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="not bool"):
        babson.compile("x", variables={"x": True})
    with pytest.raises(ValueError, match="32 bits"):
        babson.compile("x", variables={"x": 2**40})
    with pytest.raises(babson.QueryError, match="not the name of a variable"):
        babson.compile("mate", variables={"a b": 1})
    query = babson.compile("mate")
    with pytest.raises(TypeError, match="a board is a FEN"):
        query.matches(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a FEN"):
        query.matches("no board")
    # The files of the machine are out of the reach of a query.
    with pytest.raises(babson.Error):
        babson.compile('readfile "/etc/passwd.cqo"').evaluate(START)


def test_errors_of_a_run() -> None:
    with pytest.raises(babson.LimitError):
        babson.compile("while (true) {true}").evaluate(START)
    with pytest.raises(babson.Error):
        babson.compile("assert false").evaluate(START)


def test_a_trace() -> None:
    trace = babson.compile("R attacks k // é\nmate").trace(START)
    assert trace.matched is False
    first = trace.entries[0]
    assert (first.text, first.verdict, first.depth) == ("R attacks k", "no", 0)
    assert trace.entries[-1].verdict == "not evaluated"
    assert str(trace).splitlines()[0].startswith("Attacks: no")
    start, end = trace.entries[-1].span
    assert "R attacks k // é\nmate"[start:end] == "mate"
    pieces = babson.compile("R").trace(START).entries[0]
    assert pieces.value == babson.SquareSet("a1", "h1") and pieces.matched == pieces.evaluated == 1


def test_a_query_is_pickled_by_its_text_and_options() -> None:
    query = babson.compile("#P + extra", variables={"extra": 3, "s": "ü"}, name="pawns")
    again = pickle.loads(pickle.dumps(query))
    assert again == query and again.name == "pawns" and again.evaluate(START) == 11
    cql6 = pickle.loads(pickle.dumps(babson.compile("mate", dialect="cql6")))
    assert cql6.dialect == "cql6"


def test_eight_threads_share_a_query() -> None:
    query = babson.compile("#P")
    found: list[object] = []

    def work() -> None:
        for _ in range(50):
            found.append(query.evaluate(START))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [8] * 400


def test_the_text_of_queries() -> None:
    assert babson.format("if check   then {mate  btm}") == "if check then { mate btm }"
    assert babson.convert("R attacks k", "unicode") == "♖ attacks ♚"
    assert babson.convert("♖ attacks ♚", "ascii") == "R attacks k"
    with pytest.raises(ValueError, match="is not a spelling"):
        babson.convert("R", "klingon")
    modern = babson.to_modern("(match (position :mate))")
    assert "mate" in modern and babson.compile(modern).matches(MATE)
    with pytest.raises(babson.QueryError) as caught:
        babson.to_modern("(match (position :mat))")
    assert caught.value.diagnostics
    with pytest.raises(babson.QueryError):
        babson.format('"open')
    assert "has no legal move" in babson.help("mate")
    assert "smotheredmate" in babson.help("smotheredmate")
    assert babson.help("E0201").startswith("E0201: ")
    with pytest.raises(babson.Error, match="nosuchword"):
        babson.help("nosuchword")
    assert babson.__version__.count(".") == 2


def test_sets_of_squares() -> None:
    squares = babson.SquareSet("a1", "b1", "h8")
    assert list(squares) == [0, 1, 63] and squares.names() == ["a1", "b1", "h8"]
    assert int(squares) == squares == 0x8000_0000_0000_0003
    assert "h8" in squares and 63 in squares and "c1" not in squares and 3.5 not in squares
    assert len(squares) == 3 and bool(babson.SquareSet()) is False
    assert squares & babson.SquareSet("a1") == babson.SquareSet("a1") == 1
    assert (squares | babson.SquareSet("c1")).names() == ["a1", "b1", "c1", "h8"]
    assert (squares - babson.SquareSet("a1")).names() == ["b1", "h8"]
    assert pickle.loads(pickle.dumps(squares)) == squares and hash(squares) == hash(int(squares))
    with pytest.raises(ValueError, match="not the name"):
        babson.SquareSet("i9")
    with pytest.raises(AttributeError):
        squares.mask = 1


def test_boards_of_python_chess() -> None:
    chess = pytest.importorskip("chess")
    board = chess.Board(ROOKS)
    rooks = babson.compile("R").evaluate(board)
    assert rooks == chess.SquareSet(chess.BB_A1 | chess.BB_H1)
    assert chess.SquareSet(rooks) == board.pieces(chess.ROOK, chess.WHITE)
    assert babson.compile("#P").evaluate(chess.Board()) == 8
    odd = chess.Board.from_chess960_pos(5)
    assert babson.compile("#P").evaluate(odd) == 8


def test_views_of_notebooks() -> None:
    query = babson.compile("R attacks k // <b>")
    html = query._repr_html_()
    assert '<span class="keyword">attacks</span>' in html and "&lt;b&gt;" in html
    frame = query.trace(ROOKS)._repr_html_()
    assert frame is not None and frame.startswith("<iframe") and "R3K2R" in frame
