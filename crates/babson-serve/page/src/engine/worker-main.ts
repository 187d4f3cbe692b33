// The worker of the playground: it holds the library and the databases, and works in slices of time
// so that a call to cancel gets through.

import type { Database } from "./types";
import type { FromWorker, ToWorker } from "./worker";

/** What the WebAssembly module of `crates/babson-wasm` exports. Bodies and answers are JSON. */
interface Wasm {
  default(): Promise<unknown>;
  open(name: string, bytes: Uint8Array): string;
  databases(): string;
  Search: new (body: string) => { step(milliseconds: number): string; readonly done: boolean; cancel(): void; free(): void };
}
type TextCall = (body: string) => string;

/** Milliseconds of a slice of a search: a tenth of a second is the longest that a cancel waits. */
const SLICE = 100;
const FIRST_SLICE = 10;
/** The database that the page begins with. */
const BUNDLED = { name: "masters-2k", file: "masters-2k.pgn" };
/** Bytes of a file that fit into the memory of WebAssembly, which has 4 GB, with room to search. */
const MAX_FILE = 1_500_000_000;

const scope = self as unknown as DedicatedWorkerGlobalScope;
const say = (message: FromWorker) => scope.postMessage(message);
/** The calls that are being answered. A cancel may come when its call is answered already. */
const running = new Map<number, AbortController>();
/** The names of the files of the databases. */
const files = new Map<string, string>();

const engine: Promise<Wasm> = (async () => {
  // The module stands beside this file; it is built by another task, so it is not bundled.
  const url = new URL("babson_wasm.js", scope.location.href).href;
  const wasm = (await import(url)) as Wasm;
  try {
    await wasm.default();
  } catch (error) {
    throw new Error(`this browser cannot run the engine, which is WebAssembly with SIMD (${String(error)})`);
  }
  const response = await fetch(BUNDLED.file);
  if (response.ok) {
    wasm.open(BUNDLED.name, new Uint8Array(await response.arrayBuffer()));
    files.set(BUNDLED.name, BUNDLED.file);
  }
  return wasm;
})();

/** Lets messages of the page in. */
const rest = () => new Promise<void>((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done();
  port2.postMessage(null);
});

async function search(wasm: Wasm, id: number, body: string, signal: AbortSignal): Promise<string> {
  const search = new wasm.Search(body);
  try {
    // The first matches come soon, and later slices lose less to the page.
    for (let slice = FIRST_SLICE; !search.done; slice = Math.min(2 * slice, SLICE)) {
      const part = search.step(slice);
      if (part) say({ id, part });
      await rest();
      if (signal.aborted && !search.done) search.cancel();
    }
    return "";
  } finally {
    search.free();
  }
}

async function open(wasm: Wasm, id: number, file: File): Promise<string> {
  if (file.size > MAX_FILE) {
    throw `the file has ${(file.size / 1e9).toFixed(1)} GB, and a browser has room for 1.5 GB: search it with the command \`babson\``;
  }
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.set(value, at);
    at += value.length;
    say({ id, bytes: at });
  }
  const name = file.name.replace(/(\.(pgn|txt|arrow|zst|gz|zip|bz2|xz))+$/i, "");
  const opened = JSON.parse(wasm.open(name, bytes)) as Opened;
  files.set(name, file.name);
  return JSON.stringify(withFile(opened));
}

type Opened = Omit<Database, "file">;
/** The database with the name of its file, which the library does not know. */
const withFile = (database: Opened): Database =>
  ({ ...database, file: files.get(database.name) ?? database.name });

async function answer(message: ToWorker, signal: AbortSignal): Promise<string> {
  const wasm = await engine;
  if (message.call === "open") return open(wasm, message.id, (message as { file: File }).file);
  const { id, call, body } = message as { id: number; call: string; body: string };
  if (call === "search") return search(wasm, id, body, signal);
  if (call === "databases") return JSON.stringify((JSON.parse(wasm.databases()) as Opened[]).map(withFile));
  return (wasm as unknown as Record<string, TextCall>)[call]!(body);
}

scope.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.call === "cancel") {
    running.get(data.id)?.abort();
    return;
  }
  const control = new AbortController();
  running.set(data.id, control);
  answer(data, control.signal).finally(() => running.delete(data.id)).then(
    (done) => say({ id: data.id, done }),
    (error: unknown) => say({ id: data.id, failed: typeof error === "string" ? error : String((error as Error)?.message ?? error) }),
  );
};
