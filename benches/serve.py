#!/usr/bin/env python3
"""Measures `babson serve` and prints the figures: see benches/README.md, "The server".

    benches/serve.py TABLE.arrow [--babson PROGRAM] [--rounds N]

Needs Python 3.10 on Linux, and nothing else. The exit code is 1 if a figure is outside its bound.
"""

import argparse
import http.client
import json
import os
import platform
import re
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

# Searches that run at once, and requests between the two readings of the memory.
AT_ONCE = 64
REQUESTS = 10_000
# Requests before the memory is read the first time: pools and caches have their size after them.
WARM_UP = 1_000
# Threads of the client that sends the requests.
SENDERS = 8
# The seconds of a search by the server, divided by the seconds of the command, at most.
MAX_RATIO = 1.05
# Mebibytes that the memory may grow: the allocator keeps memory of the threads of the last requests.
MAX_GROWTH = 8
# Queries of the comparison with the command: most games are skipped, all are played.
COMPARED = ("mate", "[Qq] == 2 and check")
# A search that takes minutes.
SLOW = "x = 0 while (x < 3000) x += 1 false"
# All matches are sent.
MATCHES = 10_000_000

faults: list[str] = []


def check(holds: bool, what: str) -> None:
    if not holds:
        faults.append(what)


class Server:
    """A `babson serve` that ends with the block."""

    def __init__(self, program: str, table: Path, port: int = 0) -> None:
        words = [program, "serve", f"games={table}", "--listen", str(port)]
        words += ["--max-matches", str(MATCHES)]
        began = time.perf_counter()
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        for line in self.process.stderr:
            found = re.search(r"serving at http://[^/]*:(\d+)/", line)
            if found:
                self.port = int(found[1])
                break
        else:
            raise SystemExit("the server does not start")
        self.seconds_to_start = time.perf_counter() - began

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)

    def memory(self) -> float:
        """Mebibytes of the process that are not pages of files."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        return int(found[1]) / 1024


def post(client: http.client.HTTPConnection, call: str, body: dict) -> http.client.HTTPResponse:
    client.request("POST", f"/api/{call}", json.dumps(body), {"Content-Type": "application/json"})
    return client.getresponse()


def search(client: http.client.HTTPConnection, query: str, **more: object) -> dict:
    """The last line of a search."""
    answer = post(client, "search", {"query": query, **more})
    last = answer.read().rstrip().rsplit(b"\n", 1)[-1]
    return json.loads(last)


def at_once(server: Server, expected: int, rounds: int) -> None:
    """Many searches of `mate` at the same time, each over its own connection."""
    times: list[float] = []
    rates: list[float] = []
    answered = 0
    for _ in range(rounds):
        gate = threading.Barrier(AT_ONCE + 1)
        lines: list[dict] = []

        def ask() -> None:
            client = server.connect()
            gate.wait()
            began = time.perf_counter()
            line = search(client, "mate")
            times.append(time.perf_counter() - began)
            lines.append(line)

        threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        gate.wait()
        began = time.perf_counter()
        for thread in threads:
            thread.join()
        rates.append(AT_ONCE / (time.perf_counter() - began))
        whole = [line for line in lines if (line["matches"], line["stopped"]) == (expected, None)]
        check(len(whole) == AT_ONCE, f"{len(whole)} of {AT_ONCE} searches were answered in full")
        answered += len(whole)
    times.sort()
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    print(f"{AT_ONCE} searches of `mate` at once, {rounds} rounds: "
          f"{answered} of {AT_ONCE * rounds} answered in full, "
          f"{statistics.median(rates):.1f} requests a second, "
          f"median {statistics.median(times):.2f} s, 99th percentile {p99:.2f} s")


def memory(server: Server) -> None:
    """Requests of all kinds, and the memory before and after them."""
    bodies = [
        ("search", {"query": "mate", "limit": 10, "games": True}),
        ("search", {"query": "mate", "limit": 10, "columns": ["white", "fen"]}),
        ("group", {"query": "mate", "by": ["next"], "limit": 50}),
        ("check", {"query": "mate adn check"}),
        ("complete", {"query": "ma", "offset": 2}),
        ("explain", {"query": "flip { Ra1 attacks k }"}),
        ("why", {"query": "mate", "database": "games", "game": 7}),
    ]

    def send(count: int) -> None:
        numbers = iter(range(count))
        lock = threading.Lock()

        def run() -> None:
            client = server.connect()
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                call, body = bodies[number % len(bodies)]
                answer = post(client, call, body)
                answer.read()
                check(answer.status == 200, f"{call} answers {answer.status}")

        threads = [threading.Thread(target=run) for _ in range(SENDERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    send(WARM_UP)
    before = server.memory()
    began = time.perf_counter()
    send(REQUESTS)
    seconds = time.perf_counter() - began
    after = server.memory()
    check(after - before <= MAX_GROWTH, f"the memory grew by {after - before:.1f} MiB")
    print(f"{REQUESTS:,} requests of all calls: {REQUESTS / seconds:.0f} a second, memory "
          f"{before:.1f} MiB before and {after:.1f} MiB after them")


def against_command(program: str, table: Path, server: Server, rounds: int) -> None:
    """The seconds that the server and the command say for a search, by turns."""
    for query in COMPARED:
        pairs: list[tuple[float, float]] = []
        for number in range(rounds + 1):
            words = [program, "-i", str(table), "--format", "jsonl", "--cql", query]
            with open(os.devnull, "wb") as nowhere:
                run = subprocess.run(words, stdout=nowhere, stderr=subprocess.PIPE, text=True)
            found = re.search(r"(\d+) match(?:es)? of .* in ([\d.]+) seconds", run.stderr)
            assert found, run.stderr
            line = search(server.connect(), query)
            check(line["matches"] == int(found[1]), f"{query}: {line} and {found[0]}")
            if number > 0:  # The first round warms the page cache.
                pairs.append((line["seconds"], float(found[2])))
        ratio = statistics.median(served / command for served, command in pairs)
        served, command = (statistics.median(side) for side in zip(*pairs))
        check(ratio <= MAX_RATIO, f"`{query}` takes the server {ratio:.2f} times as long")
        print(f"one search of `{query}`, {rounds} pairs: server {served:.3f} s, "
              f"command {command:.3f} s, median ratio {ratio:.2f}")


def kill(program: str, table: Path) -> None:
    """A server that is killed in the middle of a search, and its successor."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        killed = Server(program, table)
        answer = post(killed.connect(), "search", {"query": SLOW})
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        try:
            lines = answer.read()
        except (http.client.HTTPException, OSError):
            lines = b""
        check(b'"summary"' not in lines, "the client of a killed server gets a summary")
        with Server(program, table, killed.port) as again:
            line = search(again.connect(), "mate", limit=1)
            check(line["matches"] == 1, "a server does not start again after a kill")
            check(not os.listdir(folder), "a killed server leaves files behind")
            print(f"killed in a search: the next server starts at the same address in "
                  f"{again.seconds_to_start * 1000:.0f} ms")


def machine() -> str:
    text = Path("/proc/cpuinfo").read_text()
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    name = found[1] if found else platform.machine()
    load = "/".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{name}, {os.cpu_count()} cores, load {load}"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("table", type=Path)
    words.add_argument("--babson", default="target/release/babson")
    words.add_argument("--rounds", type=int, default=5)
    words = words.parse_args()
    version = subprocess.run([words.babson, "--version"], capture_output=True, text=True).stdout
    print(f"{version.splitlines()[0]} on {machine()}")
    with Server(words.babson, words.table) as server:
        line = search(server.connect(), "mate")
        print(f"{words.table.name}: {line['games']:,} games, {line['matches']:,} with mate")
        at_once(server, line["matches"], words.rounds)
        memory(server)
        against_command(words.babson, words.table, server, 2 * words.rounds)
    kill(words.babson, words.table)
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    for fault in dict.fromkeys(faults):
        print(f"OUTSIDE: {fault}")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
