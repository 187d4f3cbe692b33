// What the modules of the pages promise, without a browser. `units.mjs` bundles and runs it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { StringStream } from "@codemirror/language";
import { piecesOf, squareIndex, squareName } from "@report/chess";
import { treeOf as reportTreeOf, type Game } from "@report/report/data";
import { fenAt } from "@report/report/fen";
import { pgnOf } from "@report/report/pgn";
import { lineThrough, moveName } from "@report/tree";

import { token } from "../src/editor/language";
import { Newest } from "../src/editor/newest";
import { Offsets } from "../src/editor/utf8";
import { LineReader } from "../src/engine/lines";
import { ServerEngine } from "../src/engine/server";
import { EngineError, type GameAnswer, type Line, type Match } from "../src/engine/types";
import { WorkerEngine } from "../src/engine/worker";
import { treeOf } from "../src/game";
import { readLink, unknownDatabases, writeLink } from "../src/link";
import { choose } from "../src/order";
import { gameOf } from "../src/report-file";
import type { Row } from "../src/search";
import { sentences } from "../src/sentences";
import { command, csv, jsonLines } from "../src/take";
import { fixesOf } from "../src/views/diagnostics";

interface Fixtures {
  matches: Match[];
  games: Record<string, GameAnswer>;
}
/** A text with the begin, the end and the class of each token of the lexer. */
interface Tokenized {
  name: string;
  text: string;
  tokens: [number, number, string][];
}
const fixtures = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Fixtures;
const tests: Record<string, () => void | Promise<void>> = {
  "squares have names"() {
    for (let at = 0; at < 64; at++) assert.equal(squareIndex(squareName(at)), at);
    for (const wrong of ["", "a", "i1", "a9", "a10", "--"]) assert.equal(squareIndex(wrong), -1);
  },
  "what is not a FEN gives a board"() {
    for (const text of ["", "x", "8/8", "99999999999/////////////", "♔♔♔"]) assert.equal(piecesOf(text).length, 64);
  },
  "offsets of UTF-8 and UTF-16"() {
    for (const text of ["", "mate", "é", "♔a1", "a😀b", "x♞\n😀é"]) {
      const offsets = new Offsets(text);
      for (let unit = 0; unit <= text.length; unit++) {
        const isInside = /[\udc00-\udfff]/.test(text[unit] ?? "");
        if (isInside) continue;
        const bytes = Buffer.byteLength(text.slice(0, unit));
        assert.equal(offsets.toBytes(unit), bytes, text);
        assert.equal(offsets.toUnits(bytes), unit, text);
      }
      assert.equal(offsets.toUnits(10_000), text.length);
    }
  },
  "a link is read as it was written"() {
    for (const query of ["mate", "a & b = #x + 1 % \"é♔\"\n// two lines", "</script>", " "]) {
      const link = { query, databases: ["m", "a&b"], variations: true, by: "next" };
      assert.deepEqual(readLink(writeLink(link)), link);
    }
    assert.deepEqual(readLink("#elsewhere"), {});
  },
  "lines come in pieces"() {
    const text = '{"type":"match","white":"é"}\n{"type":"summary"}\n';
    const bytes = new TextEncoder().encode(text);
    for (let size = 1; size < bytes.length; size++) {
      const lines: Line[] = [];
      const reader = new LineReader((batch) => lines.push(...batch));
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      assert.deepEqual(lines, [{ type: "match", white: "é" }, { type: "summary" }]);
      assert.ok(!reader.unfinished);
    }
  },
  "the matches before an error are given"() {
    const given: Line[] = [];
    const reader = new LineReader((batch) => given.push(...batch));
    const text = '{"type":"match","game":1}\n{"type":"match","game":2}\n{"type":"error","code":"changed","message":"gone"}\n';
    assert.throws(() => reader.read(text),
      (error) => error instanceof EngineError && error.code === "changed" && error.message === "gone");
    assert.deepEqual(given, [{ type: "match", game: 1 }, { type: "match", game: 2 }]);
  },
  async "a call that is answered is not cancelled"() {
    const sent: { id: number; call: string }[] = [];
    class FakeWorker {
      onmessage: (event: { data: object }) => void = () => {};
      postMessage(message: { id: number; call: string }) {
        sent.push(message);
        if (message.call !== "search") return;
        const { query } = JSON.parse((message as unknown as { body: string }).body) as { query: string };
        const answer = query === "wrong" ? { failed: "no" } : query === "mate" ? { done: "" } : null;
        if (answer) queueMicrotask(() => this.onmessage({ data: { id: message.id, ...answer } }));
      }
    }
    Object.assign(globalThis, { Worker: FakeWorker });
    const engine = new WorkerEngine();
    const calls = () => sent.map(({ call }) => call).join(" ");
    for (const query of ["mate", "wrong"]) {
      const control = new AbortController();
      await engine.search({ query }, control.signal, () => {}).catch(() => {});
      control.abort();
    }
    assert.equal(calls(), "search search");
    // One that runs is cancelled, also by a signal that came before it.
    const control = new AbortController();
    void engine.search({ query: "endless" }, control.signal, () => {});
    control.abort();
    void engine.search({ query: "endless" }, control.signal, () => {});
    assert.equal(calls(), "search search search cancel search cancel");
  },
  async "of texts that come fast the newest is sent"() {
    const sent: string[] = [];
    const answers: ((text: string) => void)[] = [];
    const newest = new Newest((text) => {
      sent.push(text);
      return new Promise<string>((resolve, reject) => answers.push((answer) => answer ? resolve(answer) : reject(new Error())));
    });
    const all = ["a", "ab", "abc"].map((text) => newest.ask(text));
    assert.deepEqual(sent, ["a"]);
    answers[0]!("A");
    assert.deepEqual([await all[0], await all[1]], ["A", null]);
    assert.deepEqual(sent, ["a", "abc"]);
    // An error holds nothing up.
    answers[1]!("");
    await assert.rejects(all[2]!);
    const next = newest.ask("abcd");
    answers[2]!("ABCD");
    assert.equal(await next, "ABCD");
  },
  async "an engine that fails has a successor"() {
    const workers: FakeWorker[] = [];
    class FakeWorker {
      readonly sent: { id: number; call: string }[] = [];
      isEnded = false;
      onmessage: (event: { data: object }) => void = () => {};
      onerror: (event: object) => void = () => {};
      constructor() {
        workers.push(this);
      }
      postMessage(message: { id: number; call: string }) {
        this.sent.push(message);
      }
      terminate() {
        this.isEnded = true;
      }
      calls = () => this.sent.map(({ call }) => call).join(" ");
      answer(data: object, at = -1) {
        this.onmessage({ data: { id: this.sent.at(at)!.id, ...data } });
      }
    }
    Object.assign(globalThis, { Worker: FakeWorker });
    const engine = new WorkerEngine();
    const { signal } = new AbortController();
    const opened = (name: string) => JSON.stringify({ name, games: 1, bytes: 1, columns: [], file: `${name}.pgn` });
    const open = (name: string) => engine.open(new File([], `${name}.pgn`), () => {});
    const isOf = (pattern: RegExp) => (error: unknown) => error instanceof EngineError && pattern.test(error.message);
    const mine = open("mine");
    workers[0]!.answer({ done: opened("mine") });
    await mine;
    // It fails while it opens a file: only the other one is opened again, before the next search.
    const crash = open("crash");
    workers[0]!.onmessage({ data: { crashed: "unreachable", words: "" } });
    await assert.rejects(crash, isOf(/no memory left for it: .* \(unreachable\)/));
    assert.ok(workers[0]!.isEnded);
    const search = engine.search({ query: "mate" }, signal, () => {});
    const check = engine.check("mate");
    assert.equal(workers[1]!.calls(), "open check");
    workers[1]!.answer({ done: opened("mine") }, 0);
    await new Promise((done) => setTimeout(done));
    assert.equal(workers[1]!.calls(), "open check search");
    // What the worker before it has sent does not matter.
    workers[0]!.onmessage({ data: { crashed: "late", words: "" } });
    workers[1]!.onmessage({ data: { crashed: "unreachable", words: "panicked" } });
    await assert.rejects(search, isOf(/This is a bug: .* \(panicked\)/));
    await assert.rejects(check);
    // One that cannot be loaded is tried again by a search, and not by each keystroke.
    workers[2]!.onmessage({ data: { unloaded: "no WebAssembly" } });
    await assert.rejects(engine.check("mate"), isOf(/no WebAssembly/));
    assert.equal(workers.length, 3);
    const again = engine.search({ query: "mate" }, signal, () => {});
    assert.equal(workers[3]!.calls(), "open");
    workers[3]!.onerror({ preventDefault() {}, message: "404" });
    await assert.rejects(again, isOf(/do not arrive: .* \(404\)/));
    assert.equal(workers.length, 4);
  },
  async "a token that nobody gives is forgotten"() {
    const stored = new Map([["babson-token", "old"]]);
    Object.assign(globalThis, {
      sessionStorage: {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
      },
      fetch: () => Promise.resolve(new Response('{"error":{"code":"token","message":"no"}}', { status: 401 })),
    });
    const engine = new ServerEngine(() => Promise.resolve(null));
    await assert.rejects(engine.databases(), (error) => error instanceof EngineError && error.code === "token");
    assert.equal(stored.size, 0);
  },
  "a link may name a database that is not there"() {
    assert.equal(unknownDatabases([], ["a"], "the server"), "");
    assert.equal(unknownDatabases(["a"], ["a", "b"], "the server"), "");
    assert.equal(unknownDatabases(["a", "x"], ["a", "b"], "the server"), "There is no database `x`; the server has `a`, `b`.");
    assert.equal(unknownDatabases(["x", "y"], [], "the page"), "There are no databases `x`, `y`; the page has none.");
  },
  "texts become sentences"() {
    assert.equal(sentences("unknown name `adn`", "did you mean `and`?"), "Unknown name `adn`. Did you mean `and`?");
    assert.equal(sentences("`x` is no square", null, ""), "`x` is no square.");
    assert.equal(sentences("it failed: reload (soon)"), "It failed: reload (soon).");
    assert.equal(sentences("it failed. (why: x())"), "It failed. (why: x())");
    assert.equal(sentences(undefined), "");
  },
  "an editor makes only fixes of its own text"() {
    const fix = (file?: string) => ({ title: "mend", certain: true, edits: [{ span: [0, 1] as [number, number], text: "x", file }] });
    assert.deepEqual(fixesOf([fix(), fix("other.cql")]), [fix()]);
    assert.deepEqual(fixesOf(undefined), []);
  },
  "cells are quoted"() {
    const match = { type: "match", database: "m", game: 1, white: 'A "B", C' } as Match;
    const [head, row] = csv([{ match, position: { id: 0, ply: 0, fen: "8/8 w" } }]);
    assert.equal(head!.split(",").length, 17);
    assert.ok(row!.startsWith('m,1,"A ""B"", C",'), row);
    assert.ok(row!.endsWith(",0,,,8/8 w\r\n"), row);
    // A game with several positions is one line of JSON.
    assert.equal(jsonLines([{ match, position: null }, { match, position: null }]).length, 1);
  },
  "a command keeps the query"() {
    const query = "player \"O'Kelly\" // $HOME `id`";
    const database = (name: string, file: string) => ({ name, file, games: 1, bytes: 1, columns: [] });
    const words = command({ query, limit: 100 }, [database("m", "m.pgn.zst"), database("b", "my games.arrow")], "m.pgn");
    assert.equal(words, "babson -i m.pgn.zst -i 'my games.arrow' --limit 100 -o m.pgn --cql 'player \"O'\\''Kelly\" // $HOME `id`'");
    // A file is not taken for an option.
    assert.match(command({ query }, [database("x", "-x.pgn")], "m.pgn"), /^babson -i \.\/-x\.pgn -o /);
  },
  "rows are narrowed and sorted"() {
    const row = (white: string, year: number, next: string): Row =>
      ({ match: { type: "match", database: "m", game: year, white, year } as Match, position: { id: 1, ply: 1, fen: "", next } });
    const rows = [row("Carl", 1930, "5.Nf3"), row("Ann", 1920, "7...Nf3"), row("Bob", 1940, "5.e4")];
    const names = (found: readonly Row[]) => found.map(({ match }) => match.white).join(" ");
    assert.equal(names(choose(rows, "found", "", null)), "Carl Ann Bob");
    assert.equal(names(choose(rows, "new", "", null)), "Bob Carl Ann");
    assert.equal(names(choose(rows, "white", "", null)), "Ann Bob Carl");
    assert.equal(names(choose(rows, "found", "", "Nf3")), "Carl Ann");
    assert.equal(names(choose(rows, "found", "bob 1940", null)), "Bob");
  },
  "a report has the positions of the engine"() {
    let positions = 0;
    for (const match of fixtures.matches) {
      const answer = fixtures.games[match.game]!;
      // Without matches, every FEN follows from the moves.
      const game: Game = { ...gameOf(match, answer, []), hits: [] };
      const [tree, known] = [reportTreeOf(game), treeOf(answer)];
      assert.equal(tree.nodes.length, known.nodes.length);
      answer.moves.forEach(({ fen }, id) => {
        positions++;
        assert.equal(fenAt(tree, id), fen, `game ${match.game}, position ${id}`);
        assert.equal(moveName(tree, id), moveName(known, id));
      });
      assert.deepEqual(lineThrough(tree, 0), lineThrough(known, 0));
    }
    assert.ok(positions > 100);
  },
  "the editor colors the tokens of the lexer"() {
    if (!process.argv[3]) return;
    // A color of the editor, and the classes of tokens that have it.
    const classes: Record<string, string[]> = {
      comment: ["comment"], string: ["string"], number: ["number"], keyword: ["keyword", "number", "symbol"],
      variableName: ["name", "piece"], atom: ["piece"], none: ["symbol", "piece"],
    };
    const texts = JSON.parse(readFileSync(process.argv[3], "utf8")) as Tokenized[];
    assert.ok(texts.length > 500);
    for (const { name, text, tokens } of texts) {
      const colors: string[] = [];
      const state = { inComment: false };
      for (const line of text.split("\n")) {
        const stream = new StringStream(line, 4, 2);
        while (!stream.eol()) {
          stream.start = stream.pos;
          const color = token(stream, state) ?? "none";
          for (let at = stream.start; at < stream.pos; at++) colors.push(color);
        }
        colors.push("none");
      }
      for (const [start, end, expected] of tokens) {
        const found = text.slice(start, end);
        // The editor does not know that a word of the header is a file.
        if (expected === "string" && /^(in|out)put/.test(found)) continue;
        const isRight = [...found].every((letter, at) => /\s/.test(letter) || classes[colors[start + at]!]!.includes(expected));
        assert.ok(isRight, `${name}: ${found} is a ${expected}, and the editor has ${colors.slice(start, end)}`);
      }
    }
  },
  "a PGN of a report has its variations"() {
    const match = fixtures.matches[0]!;
    const text = pgnOf({ ...gameOf(match, fixtures.games[match.game]!, []), white: 'A "B"', hits: [] });
    assert.match(text, /^\[Event "Odessa sim"\]\n.*\[White "A \\"B\\""\]\n/s);
    assert.match(text, /\n\n1\. e4 e6 \(1\.\.\. c5\) 2\. d4 d5 /);
    assert.ok(text.endsWith("18. Nh4# 1-0\n"), text);
    assert.ok(text.split("\n").every((line) => line.length < 80), text);
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(`ok      ${name}`);
}
