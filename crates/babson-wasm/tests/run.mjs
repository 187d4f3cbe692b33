// Tests the package in node: node run.mjs FOLDER COMMAND. Its answers must be equal to the answers of the command.
// With BENCH=1 it also times searches, beside the command with one thread (NATIVE, if it is set).

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, crc32, deflateRawSync, gzipSync } from "node:zlib";

const [folder, command] = process.argv.slice(2).map((path) => resolve(path));
const babson = await import(pathToFileURL(join(folder, "node.js")));
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
  // A text on the command line has no header.
  const file = join(scratch, "query.cql");
  writeFileSync(file, query);
  const words = [file, "-i", games, ...options, "-o", "-"];
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(status === 0 || (status === 1 && !stderr.includes("error")), `${query}: status ${status}, ${stderr}`);
  return stdout;
};

/** The rows of the command. */
const rows = (query) =>
  written(query, "--format", "jsonl").trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** A file that is read where it is. It counts the reads and their bytes. */
const fileBytes = (path, mode = "r") => {
  const file = openSync(path, mode);
  return {
    size: fstatSync(file).size,
    taken: 0,
    reads: 0,
    read(offset, length) {
      this.taken += length;
      this.reads += 1;
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    },
    truncate: (length) => ftruncateSync(file, length),
    close: () => closeSync(file),
  };
};

/** Opens a file as a database, and returns what is known of it and how many steps it took. */
const openFile = (name, file, slice = 1000) => {
  const opening = new babson.Opening(name, file);
  let steps = 1;
  while (!opening.step(slice)) steps += 1;
  return { ...JSON.parse(opening.finish()), steps };
};

/** A zip archive with these members. */
const zip = (members) => {
  const [parts, list] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const data = deflateRawSync(text);
    const fields = (local) => {
      const header = Buffer.alloc(local ? 30 : 46);
      const at = local ? 4 : 6;
      header.writeUInt32LE(local ? 0x04034b50 : 0x02014b50, 0);
      header.writeUInt16LE(20, at);
      header.writeUInt16LE(8, at + 4);
      header.writeUInt32LE(crc32(text), at + 10);
      header.writeUInt32LE(data.length, at + 14);
      header.writeUInt32LE(text.length, at + 18);
      header.writeUInt16LE(name.length, at + 22);
      if (!local) header.writeUInt32LE(offset, 42);
      return Buffer.concat([header, Buffer.from(name)]);
    };
    list.push(fields(false));
    const local = Buffer.concat([fields(true), data]);
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
};

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
      "import \"motifs\" smotheredmate()", "cql(matchcount 2 9) check", "comment(\"x\") castle mate",
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
    const [packed, zst] = [join(scratch, "games.arrow"), join(scratch, "games.pgn.zst")];
    execFileSync(command, ["pack", games, "-o", packed], { stdio: "ignore" });
    execFileSync(command, ["-i", games, "-o", zst, "--cql", "initial"], { stdio: "ignore" });
    const text = readFileSync(games);
    const half = text.indexOf("[Event ", text.length / 2);
    const members = { "b.pgn": text.subarray(half), "a.pgn": text.subarray(0, half), "readme.txt": Buffer.from("Games") };
    const expected = rows("mate");
    const place = (match) => [match.game, match.positions, match.number, match.input.split("/").at(-1)];
    for (const [name, bytes] of Object.entries({
      gzip: gzipSync(text), zst: readFileSync(zst), zip: zip(members), table: readFileSync(packed),
    })) {
      assert.equal(JSON.parse(babson.open(name, bytes)).games, 2000, name);
      const found = search({ query: "mate", databases: [name] }).matches;
      assert.deepEqual(found.map((match) => match.game), expected.map((row) => row.game), name);
      if (name === "table") assert.deepEqual(found.map(place), expected.map(place));
      babson.close(name);
    }
    const error = (name, bytes) => failure(() => babson.open(name, bytes));
    for (const bytes of [readFileSync(packed).subarray(0, 5000), readFileSync(zst).subarray(0, 5000), gzipSync(text).subarray(0, 5000)]) {
      assert.equal(error("broken", bytes).code, "unreadable");
    }
    assert.match(error("zst", readFileSync(zst).subarray(0, 5000)).message, /ends too early/);
    assert.match(error("a.zip", zip({ "readme.txt": Buffer.from("x") })).message, /a\.zip: the archive holds no PGN file/);
    assert.match(error("xz", Buffer.from("\xfd7zXZ\0\0\0", "latin1")).message, /compressed with xz, which is not built into .*game tables can be opened\)$/);
    assert.match(error("rar", Buffer.from("Rar!\x1a\x07\x00", "latin1")).message, /RAR/i);
    assert.equal(babson.close("broken"), false);
  },

  "a file is read where it is"() {
    const text = fileBytes(games);
    const opened = openFile("file", text, 0);
    assert.deepEqual([opened.name, opened.games, opened.bytes], ["file", 2000, text.size]);
    assert.ok(opened.steps > 3 && text.taken < 1.1 * text.size, `${opened.steps} steps, ${text.taken} bytes`);
    const query = "check #Q > 1";
    const [here, there] = ["file", "masters"].map((name) => search({ query, databases: [name] }).matches);
    const place = (match) => [match.game, match.positions, match.offset];
    assert.deepEqual(here.map(place), there.map(place));
    // One game: only what is around it is read.
    text.taken = 0;
    const game = ask("game", { database: "file", game: 1777 });
    assert.deepEqual(game, ask("game", { database: "masters", game: 1777 }));
    const why = (database) => ask("why", { query, database, game: 1777 });
    const origin = ({ game: { input, ...rest }, ...others }) => ({ ...others, game: rest });
    assert.deepEqual(origin(why("file")), origin(why("masters")));
    assert.ok(text.taken < 3e6, `${text.taken} bytes for one game`);
    // A table opens by its end, and a search reads what its guard asks and the games that may match.
    const many = join(scratch, "many.arrow");
    execFileSync(command, ["pack", ...Array(12).fill(games), "-o", many], { stdio: "ignore" });
    const packed = fileBytes(many);
    const table = openFile("table", packed);
    assert.deepEqual([table.games, table.steps], [24_000, 1]);
    assert.ok(packed.taken < 4e6 && packed.size > 12e6, `${packed.taken} of ${packed.size} bytes to open a table`);
    packed.taken = packed.reads = 0;
    const { matches, summary } = search({ query: "mate", databases: ["table"] });
    const mates = rows("mate").map((row) => row.game);
    assert.deepEqual(matches.map((match) => match.game), Array.from({ length: 12 }, (_, copy) => mates.map((game) => game + 2000 * copy)).flat());
    assert.equal(summary.games, 24_000);
    assert.ok(packed.reads < 60, `${packed.reads} reads to search a table`);
    packed.taken = 0;
    assert.equal(search({ query: "player \"Nobody\" mate", databases: ["table"] }).summary.matches, 0);
    assert.ok(packed.taken < packed.size / 2, `${packed.taken} of ${packed.size} bytes where nothing can match`);
    const found = ask("game", { database: "table", game: matches[0].game });
    assert.equal(found.moves.at(-1).fen, matches[0].positions.at(-1).fen);
    assert.equal(ask("why", { query: "mate", database: "table", game: matches[0].game }).matched, true);
    const image = join(scratch, "image.pgn");
    writeFileSync(image, "GIF89a");
    assert.equal(failure(() => openFile("image", fileBytes(image))).code, "unreadable");
    ["file", "table"].forEach(babson.close);
    [text, packed].forEach((file) => file.close());
    // A file that changes ends the search with an error.
    const changing = join(scratch, "changing.pgn");
    writeFileSync(changing, readFileSync(games));
    const file = fileBytes(changing, "r+");
    openFile("changing", file);
    file.truncate(file.size >> 1);
    assert.match(search({ query: "mate", databases: ["changing"] }).summary.message, /shorter than when it was opened/);
    babson.close("changing");
    file.close();
  },

  "groups are counted in slices"() {
    const body = { query: "check", by: ["year", "player"], databases: ["masters"] };
    const whole = ask("group", body);
    const groups = new babson.Groups(JSON.stringify(body));
    const lines = [];
    while (!groups.done) lines.push(groups.step(0));
    assert.ok(lines.length > 3 && JSON.parse(lines[1]).type === "progress", `${lines.length} steps`);
    assert.deepEqual(JSON.parse(groups.answer()), whole);
    const cancelled = new babson.Groups(JSON.stringify(body));
    cancelled.step(0);
    cancelled.cancel();
    assert.equal(cancelled.done, true);
    assert.match(failure(() => cancelled.answer()).message, /cancelled/);
    const csv = written("check", "--group", "year,player", "--format", "csv").trim().split("\n");
    assert.equal(csv.length - 1, whole.rows.length);
    // What is not counted is said; a damaged game counts up to its damage.
    const text = '[White "Ann"]\n\n1. d4 d5 2. Ke5 *\n\n[White "Bob"]\n\n1. e4 *\n';
    babson.open("damaged", new TextEncoder().encode(text));
    const fails = { query: "if (gamenumber == 1) {x = \"a\" while (ply < 9999) x += x} else true", by: ["white"], databases: ["damaged"] };
    const { rows: left, messages } = ask("group", fails);
    assert.deepEqual(left.map(([white]) => white), ["Bob"]);
    assert.match(messages[0], /^damaged, game 1: /);
    assert.equal(ask("group", { ...fails, query: "true" }).rows.length, 2);
    assert.match(failure(() => ask("group", { ...fails, query: "while (true) true" })).message, /steps/);
    babson.close("damaged");
  },

  "why is answered in slices"() {
    const body = { query: "check mate", database: "masters", game: rows("mate")[0].game };
    const why = new babson.Why(JSON.stringify(body));
    let slices = 0;
    for (; !why.done; slices++) why.step(0);
    assert.equal(slices, 2);
    assert.deepEqual(JSON.parse(why.answer()), ask("why", body));
    const cancelled = new babson.Why(JSON.stringify(body));
    cancelled.step(0);
    cancelled.cancel();
    assert.equal(cancelled.done, true);
    assert.match(failure(() => cancelled.answer()).message, /cancelled/);
    assert.match(failure(() => ask("why", { ...body, query: "while (true) true" })).message, /limit of 5000000 steps/);
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
  const best = (work) => Math.min(...Array.from({ length: 15 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  }));
  for (const name of ["W01-mate", "W04-attacks"]) {
    const file = `benches/workloads/${name}.cql`;
    const query = readFileSync(file, "utf8");
    // The same games many times, so that the start of the process does not count.
    const COPIES = 40;
    const count = (copies) => {
      const inputs = Array.from({ length: copies }, () => ["-i", games]).flat();
      spawnSync(native, [file, ...inputs, "--count", "--threads", "1"], { stdio: "ignore" });
    };
    const here = best(() => search({ query, databases: ["masters"] }, 1e9));
    const there = (best(() => count(COPIES + 1)) - best(() => count(1))) / COPIES;
    console.log(`${name}: ${here.toFixed(1)} ms, native ${there.toFixed(1)} ms, ${(here / there).toFixed(2)} times`);
  }
}
