#!/usr/bin/env python3
"""Answers FENs with an engine's evaluation, for commandpipe.

usage: evaluate.py ENGINE [DEPTH]

Reads a FEN a line and writes a number a line: hundredths of a pawn as the side to move sees it,
and for a mate in N moves 10000 - N, or -(10000 - N) for the side that is mated. The answer is
empty where the engine has none (mate, stalemate). ENGINE is any program that speaks UCI.
"""

import subprocess
import sys


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    depth = sys.argv[2] if len(sys.argv) > 2 else "10"
    engine = subprocess.Popen(
        [sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def tell(line):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()

    def until(word):
        for line in engine.stdout:
            words = line.split()
            if words:
                yield words
                if words[0] == word:
                    return
        sys.exit("the engine has gone")

    tell("uci")
    for _ in until("uciok"):
        pass
    # One thread, and an empty table for each position: the same FEN has the same answer always.
    tell("setoption name Threads value 1")
    for fen in sys.stdin:
        tell("ucinewgame")
        tell("isready")
        for _ in until("readyok"):
            pass
        tell("position fen " + fen.strip())
        tell("go depth " + depth)
        answer = ""
        for words in until("bestmove"):
            if words[0] == "info" and "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                if kind == "cp":
                    answer = number
                elif kind == "mate" and number != "0":
                    moves = int(number)
                    answer = str(10000 - moves if moves > 0 else -10000 - moves)
        print(answer, flush=True)
    # Nothing more is asked.
    tell("quit")
    engine.wait()


main()
