"""Files of a server, also in processes that are forked while they are read."""

import multiprocessing
import re
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.queues import Queue
from pathlib import Path

import babson
import pytest

MATES = 'mate comment("the end")'


class Folder(ThreadingHTTPServer):
    """Serves the files of a folder, with ranges."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.folder = folder

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, Folder)
        path = self.server.folder / self.path.lstrip("/")
        if not path.is_file():
            self.send_error(404)
            return
        file = path.read_bytes()
        start, end = 0, len(file)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked:
            start = int(asked[1])
            end = min(end, int(asked[2]) + 1) if asked[2] else end
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(file)}")
        else:
            self.send_response(200)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(end - start))
        self.end_headers()
        self.wfile.write(file[start:end])

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server(tmp_path: Path, masters: Path) -> Iterator[Folder]:
    (tmp_path / "games.pgn").write_bytes(masters.read_bytes())
    babson.pack(masters, tmp_path / "games.arrow")
    folder = Folder(tmp_path)
    thread = threading.Thread(target=folder.serve_forever)
    thread.start()
    yield folder
    folder.shutdown()
    thread.join()
    folder.server_close()


def count(url: str) -> int:
    number = babson.scan(url).query(MATES).count()
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize("name", ["games.pgn", "games.arrow"])
def test_urls_are_inputs(server: Folder, masters: Path, name: str) -> None:
    url = server.url(name)
    local = [found.fens for found in babson.compile(MATES).search(masters)]
    assert [found.fens for found in babson.compile(MATES).search(url)] == local
    assert count(url) == len(local) == babson.scan([url]).query(MATES).count()
    with pytest.raises(babson.InputError, match="404"):
        count(server.url("nosuch.arrow"))
    with pytest.raises(babson.InputError, match="user or a password"):
        count("https://user:secret@127.0.0.1/games.arrow")


def in_process(context: ForkContext | SpawnContext, work: object, *arguments: object) -> object:
    """What a function returns in a process of its own."""
    answers: Queue[object] = context.Queue()
    with warnings.catch_warnings():
        # Python warns of threads, which this is about.
        warnings.simplefilter("ignore")
        process = context.Process(target=answer, args=(answers, work, arguments))
        process.start()
    # A process that hangs is an error of the test.
    try:
        told = answers.get(timeout=60)
        process.join(60)
        assert process.exitcode == 0
    finally:
        process.kill()
    return told


def answer(answers: "Queue[object]", work: object, arguments: tuple[object, ...]) -> None:
    assert callable(work)
    try:
        answers.put(work(*arguments))
    except babson.Error as error:
        answers.put(f"{type(error).__name__}: {error}")


@pytest.mark.parametrize("name", ["games.pgn", "games.arrow"])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_read_urls(server: Folder, name: str, method: str) -> None:
    context = multiprocessing.get_context(method)
    assert isinstance(context, ForkContext | SpawnContext)
    url = server.url(name)
    expected = count(url)
    assert in_process(context, count, url) == expected


@pytest.mark.parametrize("name", ["games.pgn", "games.arrow"])
def test_a_scan_is_used_after_a_fork(server: Folder, name: str) -> None:
    context = multiprocessing.get_context("fork")
    scan = babson.scan(server.url(name)).query(MATES)
    expected = scan.count()
    # It has a connection, and the new process does not have its thread.
    assert in_process(context, scan.count) == expected
    assert in_process(context, lambda: in_process(context, scan.count)) == expected
    assert scan.count() == expected


@pytest.mark.parametrize("name", ["games.pgn", "games.arrow"])
def test_an_iterator_is_of_its_process(server: Folder, masters: Path, name: str) -> None:
    context = multiprocessing.get_context("fork")
    for games in [server.url(name), masters]:
        query = babson.compile("true")
        search, whole = query.search(games), list(query.search(games))
        found = [next(search)]
        told = in_process(context, lambda: len(list(search)))
        assert told == (
            "Error: the search was started before this process was forked, and goes on in the "
            "other process: start it again in this one"
        )
        found += search
        assert [one.game for one in found] == [one.game for one in whole]
        batches = babson.scan(games).query("true").columns("game").batches()
        next(batches)
        assert str(in_process(context, lambda: len(list(batches)))).startswith("Error: the search")
        assert in_process(context, batches.close) is None
        batches.close()
