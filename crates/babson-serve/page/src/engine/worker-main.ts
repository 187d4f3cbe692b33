// The worker of the playground: it holds the library and the databases, and works in slices of time
// so that a call to cancel gets through.

import type { Database, DatabaseAnswer, FileBytes } from "./types";
import type { FromWorker, ToWorker } from "./worker";

/** What the WebAssembly module of `crates/babson-wasm` exports. Bodies and answers are JSON. */
interface Wasm {
  default(): Promise<unknown>;
  open(name: string, bytes: Uint8Array): string;
  databases(): string;
  Opening: new (name: string, file: FileBytes) => Opening;
  Search: new (body: string) => Steps & { step(milliseconds: number): string };
  Groups: new (body: string) => Steps & { step(milliseconds: number): string; answer(): string };
}
// What an error leaves is freed when its object is collected; `answer` and `finish` take it with them.
interface Steps { readonly done: boolean; cancel(): void; free(): void }
interface Opening { step(milliseconds: number): boolean; readonly bytes: number; finish(): string; free(): void }
type TextCall = (body: string) => string;

/** Milliseconds of a slice of a search: a tenth of a second is the longest that a cancel waits. */
const SLICE = 100;
const FIRST_SLICE = 10;
/** The database that the page begins with. */
const BUNDLED = { name: "masters-2k", file: "masters-2k.pgn" };
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

/** Does work in slices, between which messages come in. The first ones are short, so that the first
 * matches come soon; later ones lose less to the page. */
async function inSlices(goOn: (milliseconds: number) => boolean): Promise<void> {
  for (let slice = FIRST_SLICE; !goOn(slice); slice = Math.min(2 * slice, SLICE)) await rest();
}

async function search(wasm: Wasm, id: number, body: string, signal: AbortSignal): Promise<string> {
  const search = new wasm.Search(body);
  await inSlices((milliseconds) => {
    if (signal.aborted) search.cancel();
    const part = search.step(milliseconds);
    if (part) say({ id, part });
    return search.done;
  });
  search.free();
  return "";
}

async function group(wasm: Wasm, body: string, signal: AbortSignal): Promise<string> {
  const groups = new wasm.Groups(body);
  await inSlices((milliseconds) => {
    if (signal.aborted) groups.cancel();
    groups.step(milliseconds);
    return groups.done;
  });
  return groups.answer();
}

/** The bytes of a file, which are read when they are needed and not kept. */
function bytesOf(file: File): FileBytes {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (offset, length) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length))),
  };
}

async function open(wasm: Wasm, id: number, file: File): Promise<string> {
  const name = file.name.replace(/(\.(pgn|txt|arrow|zst|gz|zip|bz2|xz))+$/i, "");
  const opening = new wasm.Opening(name, bytesOf(file));
  await inSlices((milliseconds) => {
    const isDone = opening.step(milliseconds);
    say({ id, bytes: opening.bytes });
    return isDone;
  });
  const opened = JSON.parse(opening.finish()) as DatabaseAnswer;
  files.set(name, file.name);
  return JSON.stringify(withFile(opened));
}

/** The database with the name of its file, which the library does not know. */
const withFile = (database: DatabaseAnswer): Database =>
  ({ ...database, file: files.get(database.name) ?? database.name });

async function answer(message: ToWorker, signal: AbortSignal): Promise<string> {
  const wasm = await engine;
  if (message.call === "open") return open(wasm, message.id, (message as { file: File }).file);
  const { id, call, body } = message as { id: number; call: string; body: string };
  if (call === "search") return search(wasm, id, body, signal);
  if (call === "group") return group(wasm, body, signal);
  if (call === "databases") return JSON.stringify((JSON.parse(wasm.databases()) as DatabaseAnswer[]).map(withFile));
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
    (error: unknown) => {
      // A module that has failed so cannot go on: what it was doing is half done.
      if (error instanceof WebAssembly.RuntimeError) say({ crashed: error.message });
      else say({ id: data.id, failed: typeof error === "string" ? error : String((error as Error)?.message ?? error) });
    },
  );
};
