"""Ctrl-C and timeouts end every call that may take long."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import babson
import pytest

ENDLESS = "while (true) {true}"

CALLS: dict[str, str] = {
    "search": "list(query.search(games))",
    "count": "babson.scan(games).query(query).count()",
    "to_arrow": "babson.scan(games).query(query).to_arrow()",
    "batches": "list(babson.scan(games).query(query).batches())",
    "group": "babson.scan(games).query(query).group('year')",
    "write": "babson.scan(games).query(query).write(out)",
    "why": "query.why(games, game=1)",
    "pack": "babson.pack([games] * 500, out + '.arrow')",
    "file object": "babson.scan(Slow()).query('mate').count()",
    "evaluate": "query.evaluate('8/8/8/8/8/8/8/K1k5 w - - 0 1')",
    "search_batches": "list(babson.search_batches(query, [batch]))",
}

PROGRAM = """
import sys, time, os, threading, signal
import babson

class Slow:
    def read(self, size):
        time.sleep(0.01)
        return b"1. e4 *\\n\\n"

# A shell starts programs in the background so that they ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
games, out = sys.argv[1:]
# A column that is named `moves`, without another package.
batch = babson.scan(games).query("initial sort \\"moves\\" \\"1. e4\\"").columns("sort:moves").to_arrow()
query = babson.compile({query!r})
sent = []
def interrupt():
    time.sleep(0.5)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    while True:
        try:
            {call}
        except (babson.LimitError, babson.DataWarning):
            pass
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - sent[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c(name: str, endless: Path, tmp_path: Path) -> None:
    program = PROGRAM.format(query=ENDLESS, call=CALLS[name])
    words = [sys.executable, "-W", "ignore", "-c", program, str(endless), str(tmp_path / "x.pgn")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("interrupted"), done.stderr
    # No output is left, whole or in part.
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "call",
    [
        lambda games: list(babson.compile(ENDLESS).search(games, timeout=0.2)),
        lambda games: babson.scan(games).query(ENDLESS).timeout(0.2).count(),
        lambda games: babson.scan(games).query(ENDLESS).timeout(0.2).to_arrow(),
    ],
)
def test_timeouts(call: Callable[[Path], object], endless: Path) -> None:
    with pytest.raises(babson.LimitError, match="timeout"):
        call(endless)


def test_other_threads_run_meanwhile(endless: Path) -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(babson.LimitError):
        babson.scan(endless).query(ENDLESS).timeout(0.5).count()
    done.set()
    thread.join()
    assert ticks > 20
