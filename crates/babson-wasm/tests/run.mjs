// Tests the package in node: node run.mjs FOLDER COMMAND. Its answers must be equal to the answers of the command.
// With BENCH=1 it also times searches, beside the command with one thread (NATIVE, if it is set).

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [folder, command] = process.argv.slice(2).map((path) => resolve(path));
const babson = createRequire(import.meta.url)(join(folder, "babson_wasm.js"));
const games = "corpus/games/masters-2k.pgn";
const scratch = mkdtempSync(join(tmpdir(), "babson-"));

/** Calls a function of the package. */
const ask = (name, body) => JSON.parse(babson[name](JSON.stringify(body)));

/** The error that a call throws. */
const failure = (call) => {
  try {
    call();
  } catch (thrown) {
    assert.equal(typeof thrown, "string", String(thrown));
    return JSON.parse(thrown).error;
  }
  return assert.fail("no error");
};

/** All lines of a search, and how many steps it took. */
const search = (body, slice = 1000) => {
  const run = new babson.Search(JSON.stringify(body));
  let [text, steps] = ["", 0];
  while (!run.done) {
    text += run.step(slice);
    steps += 1;
  }
  run.free();
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  return { lines, steps, matches: lines.filter((line) => line.type === "match"), summary: lines.at(-1) };
};

/** What the command writes for a query. Its status is 1 if no game matches. */
const written = (query, ...options) => {
  const words = ["-i", games, ...options, "-o", "-", "--cql", query];
  const { status, stdout } = spawnSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(status === 0 || status === 1, `${query}: status ${status}`);
  return stdout;
};

/** The rows of the command. */
const rows = (query) =>
  written(query, "--format", "jsonl").trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));

const tests = {
  "a database is opened"() {
    const opened = JSON.parse(babson.open("masters", readFileSync(games)));
    assert.deepEqual([opened.name, opened.games], ["masters", 2000]);
    assert.ok(opened.columns.includes("white"));
    assert.deepEqual(JSON.parse(babson.databases()), [opened]);
    assert.equal(failure(() => babson.open("image", new TextEncoder().encode("GIF89a"))).code, "unreadable");
  },

  "a search finds what the command finds"() {
    for (const query of [
      "mate", "check #Q > 1", "pin from R through n to k", "line --> check --> check", "sort \"pieces\" #[Aa] mate",
      "import \"motifs\" smotheredmate()", "cql(matchcount 2 9) stalemate or mate", "comment(\"x\") castle mate",
      "flip { Ra8 ka8 }", "path Q[x]P --(check)", "(match (position :mate :piececount Q 1))",
    ]) {
      const { matches, summary } = search({ query });
      const expected = rows(query);
      assert.equal(summary.type, "summary", JSON.stringify(summary));
      assert.equal(summary.matches, expected.length, query);
      const place = (row) => [row.game, row.positions, row.comments, row.sort, row.offset];
      assert.deepEqual(matches.map(place), expected.map(place), query);
    }
  },

  "the text of a match is the one of the command"() {
    const query = "comment(\"here\") mate #q == 1";
    const found = search({ query, games: true }).matches.map((match) => match.pgn.trim());
    assert.ok(found.length > 1);
    const games = written(query, "--format", "pgn").trim().replace(/\n{3,}/g, "\n\n");
    assert.equal(found.join("\n\n"), games);
  },

  "slices give what one run gives, and the first matches early"() {
    const query = "check or btm Q attacks k";
    const whole = search({ query }, 1e9);
    assert.equal(whole.steps, 1);
    const sliced = search({ query }, 0);
    assert.ok(sliced.steps > 3, `${sliced.steps} steps`);
    assert.deepEqual(sliced.matches, whole.matches);
    const run = new babson.Search(JSON.stringify({ query }));
    const first = run.step(0);
    assert.ok(first.includes('"type":"match"') && first.includes('"type":"progress"') && !run.done);
    run.cancel();
    assert.equal(JSON.parse(run.step(0).trim().split("\n").at(-1)).stopped, "cancelled");
    assert.ok(run.done);
    run.free();
  },

  "limits end a search"() {
    assert.equal(search({ query: "mate", limit: 3 }).summary.stopped, "limit");
    assert.equal(search({ query: "mate", limit: 3 }).matches.length, 3);
    assert.equal(search({ query: "while (true) true" }).summary.stopped, "steps");
    assert.equal(search({ query: "check or btm", timeout: 1e-9 }, 0).summary.stopped, "timeout");
    assert.equal(search({ query: "cql(gamenumber 1 20) assert false" }).summary.type, "error");
  },

  "several databases are one search"() {
    babson.open("one", new TextEncoder().encode("[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"));
    const { matches, summary } = search({ query: "mate", databases: ["one", "masters", "one"] });
    assert.equal(summary.games, 2002);
    const numbers = matches.map((match) => [match.database, match.game]);
    assert.deepEqual([numbers[0], numbers.at(-1)], [["one", 1], ["one", 1]]);
    assert.deepEqual(numbers.slice(1, -1), rows("mate").map((row) => ["masters", row.game]));
    assert.equal(babson.close("one"), true);
    assert.equal(failure(() => search({ query: "mate", databases: ["one"] })).code, "database");
  },

  "compressed games and game tables"() {
    const packed = join(scratch, "games.arrow");
    execFileSync(command, ["pack", games, "-o", packed], { stdio: "ignore" });
    const expected = rows("mate").map((row) => row.game);
    for (const [name, bytes] of [["gzip", gzipSync(readFileSync(games))], ["table", readFileSync(packed)]]) {
      assert.equal(JSON.parse(babson.open(name, bytes)).games, 2000, name);
      const found = search({ query: "mate", databases: [name] }).matches;
      assert.deepEqual(found.map((match) => match.game), expected, name);
      babson.close(name);
    }
    const broken = readFileSync(packed).subarray(0, 5000);
    assert.equal(failure(() => babson.open("broken", broken)).code, "unreadable");
  },

  "calls about a text"() {
    const { diagnostics } = ask("check", { query: "mate adn check" });
    assert.deepEqual([diagnostics[0].code, diagnostics[0].span], ["E0201", [5, 8]]);
    assert.equal(ask("complete", { query: "sta", offset: 3 }).items[0].label, "stalemate");
    assert.match(ask("hover", { query: "mate", offset: 1 }).markdown, /has no legal move/);
    assert.equal(ask("format", { query: "flip{K==a1}" }).text, "flip { K == a1 }\n");
    assert.equal(ask("convert", { query: "R->k", to: "unicode" }).text, "♖→♚");
    assert.ok(ask("explain", { query: "check #Q > 1" }).sentences.length > 1);
    assert.equal(failure(() => ask("check", { qery: "mate" })).code, "request");
    assert.equal(failure(() => ask("explain", { query: "mat" })).code, "query");
    assert.equal(failure(() => search({ query: "readfile \"a.cqo\"" })).code, "refused");
    // Characters of more than one byte and of more than one unit.
    assert.deepEqual(ask("hover", { query: "♔ /* 😀 */ mate", offset: 16 })?.span, [15, 19]);
  },

  "calls about games"() {
    const [first] = rows("mate");
    const game = ask("game", { database: "masters", game: first.game });
    assert.equal(game.tags.White, first.white);
    assert.equal(game.moves.at(-1).fen, first.positions.at(-1).fen);
    const why = ask("why", { query: "check mate", database: "masters", game: first.game });
    assert.deepEqual([why.matched, why.filters], [true, ["check", "mate"]]);
    const table = ask("group", { query: "mate", by: ["result"] });
    const sum = table.rows.reduce((all, row) => all + row[table.columns.indexOf("games")], 0);
    assert.equal(sum, rows("mate").length);
    const moves = ask("group", { query: "initial", by: ["next"] });
    assert.deepEqual([moves.columns[0], moves.rows[0][0]], ["next", "e4"]);
    assert.equal(failure(() => ask("game", { database: "masters", game: 2001 })).code, "game");
    assert.equal(failure(() => ask("group", { query: "mate", by: ["nosuch"] })).code, "request");
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok: ${name}`);
}

const module = readFileSync(join(folder, "babson_wasm_bg.wasm"));
const kilobytes = (bytes) => `${Math.round(bytes.length / 1000)} KB`;
const [gzip, brotli] = [gzipSync(module, { level: 9 }), brotliCompressSync(module)];
console.log(`the module: ${kilobytes(module)}, gzip ${kilobytes(gzip)}, brotli ${kilobytes(brotli)}`);

if (process.env.BENCH) {
  const native = process.env.NATIVE ?? command;
  const empty = join(scratch, "empty.pgn");
  writeFileSync(empty, "1. e4 *\n");
  const best = (work) => Math.min(...Array.from({ length: 15 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }));
  for (const name of ["W01-mate", "W04-attacks"]) {
    const file = `benches/workloads/${name}.cql`;
    const query = readFileSync(file, "utf8");
    const count = (input) => spawnSync(native, [file, "-i", input, "--count", "--threads", "1"], { stdio: "ignore" });
    const here = best(() => search({ query }, 1e9));
    const there = best(() => count(games)) - best(() => count(empty));
    console.log(`${name}: ${here.toFixed(1)} ms, native ${there.toFixed(1)} ms, ${(here / there).toFixed(2)} times`);
  }
}
