// Stands for the library in the scenes of the playground: the functions of `crates/babson-wasm` with
// canned answers.
let fixtures;
const opened = new Map();

export default async function init() {
  // An empty module in place of the library: it has to be there, and to be WebAssembly.
  await WebAssembly.compileStreaming(fetch("babson_wasm_bg.wasm"));
  fixtures = await (await fetch("fixtures.json")).json();
}

const fail = (code, message) => {
  throw JSON.stringify({ error: { code, message } });
};

export function open(name, bytes) {
  const text = new TextDecoder().decode(bytes);
  const games = text.split("[White ").length - 1;
  if (games === 0) fail("unreadable", "the file has no games");
  opened.set(name, { name, games, bytes: bytes.length, columns: ["game"] });
  return JSON.stringify(opened.get(name));
}

/** Ends as WebAssembly does that has failed. */
const trap = (reason) => {
  throw new WebAssembly.RuntimeError(reason);
};

/** Opens a file in two slices. */
export class Opening {
  #steps = 0;

  constructor(name, file) {
    this.name = name;
    this.file = file;
  }

  get bytes() {
    return this.#steps * 10;
  }

  step() {
    if (this.name === "crash") trap("memory access out of bounds");
    return ++this.#steps > 1;
  }

  finish() {
    return open(this.name, this.file.read(0, this.file.size));
  }

  free() {}
}

export const databases = () => JSON.stringify([...opened.values()]);
export const check = () => JSON.stringify({ diagnostics: [], dialect: "cqli" });
export const complete = () => JSON.stringify({ items: [] });
export const hover = () => "null";
export const format = (body) => JSON.stringify({ text: JSON.parse(body).query });
export const convert = format;
export const explain = () => JSON.stringify(fixtures.explain);

export class Groups {
  done = false;

  constructor(body) {
    this.by = JSON.parse(body).by[0];
  }

  step() {
    this.done = true;
    return "";
  }

  cancel() {}

  answer() {
    return JSON.stringify(fixtures.groups[this.by] ?? fixtures.groups.year);
  }
}

export class Why {
  done = false;

  constructor(body) {
    const { game, ply } = JSON.parse(body);
    this.why = fixtures.whys[`${game}/${ply}`];
  }

  step() {
    this.done = true;
  }

  cancel() {}

  answer() {
    return JSON.stringify(this.why ?? fail("game", "there is no such ply"));
  }
}

export const game = (body) => JSON.stringify(fixtures.games[JSON.parse(body).game] ?? fail("game", "there is no such game"));

export class Search {
  #body;
  #at = 0;
  done = false;

  constructor(body) {
    this.#body = JSON.parse(body);
    const missing = (this.#body.databases ?? []).find((name) => !opened.has(name));
    if (missing) fail("database", `there is no database \`${missing}\``);
  }

  step(milliseconds) {
    if (this.#body.query.includes("panic")) {
      console.error("panicked at crates/babson-vm/src/machine/mod.rs:1:1:\nindex out of bounds");
      trap("unreachable");
    }
    if (this.#body.query.includes("trap")) trap("unreachable");
    const end = performance.now() + milliseconds;
    const total_games = 2_000_000;
    if (this.#body.query.includes("endless")) {
      while (performance.now() < end);
      this.#at++;
      return `${JSON.stringify({ type: "progress", games: this.#at * 10, total_games, matches: 0, seconds: this.#at / 10 })}\n`;
    }
    return this.#end(fixtures.matches.map((match) =>
      ({ type: "match", database: this.#body.databases?.[0] ?? "masters-2k", ...match })), null);
  }

  cancel() {
    // The next step says that it was cancelled.
    this.step = () => this.#end([], "cancelled");
  }

  #end(lines, stopped) {
    this.done = true;
    const summary = { type: "summary", games: 2000, matches: lines.length, seconds: 0.02, stopped };
    return [...lines, summary].map((line) => `${JSON.stringify(line)}\n`).join("");
  }

  free() {}
}
