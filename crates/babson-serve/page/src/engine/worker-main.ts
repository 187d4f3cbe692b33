// The worker of the playground: it holds the library and the databases, and works in slices of time
// so that a call to cancel gets through.

import { load, type Answered, type Steps, type Wasm } from "./load";
import type { Database, DatabaseAnswer, FileBytes } from "./types";
import type { FromWorker, ToWorker } from "./worker";

type TextCall = (body: string) => string;

/** Milliseconds of a slice of a search. A cancel waits for its end, and in `why` for one whole evaluation of the game. */
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

/** What the library has written to the console last: a panic writes its reason there. */
let lastWords = "";
const { error: writeError } = console;
console.error = (...words: unknown[]) => {
  lastWords = words.join(" ").replace(/\s+/g, " ").trim();
  writeError(...words);
};

const engine: Promise<Wasm> = load(new URL("babson_wasm.js", scope.location.href).href).then(async (wasm) => {
  // Without the bundled database the files of the user can be searched.
  const response = await fetch(BUNDLED.file).catch(() => null);
  if (response?.ok) {
    wasm.open(BUNDLED.name, new Uint8Array(await response.arrayBuffer()));
    files.set(BUNDLED.name, BUNDLED.file);
  }
  return wasm;
});
engine.catch((error: Error) => say({ unloaded: error.message }));

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

/** Does work that a signal cancels, and gives on what each slice has brought. */
const steps = <T>(work: Steps<T>, signal: AbortSignal, each: (part: T) => void) => inSlices((milliseconds) => {
  if (signal.aborted) work.cancel();
  each(work.step(milliseconds));
  return work.done;
});

async function search(wasm: Wasm, id: number, body: string, signal: AbortSignal): Promise<string> {
  const search = new wasm.Search(body);
  await steps(search, signal, (part) => part && say({ id, part }));
  search.free();
  return "";
}

/** Does work that has its answer at the end. */
async function answered(work: Steps<unknown> & Answered, signal: AbortSignal): Promise<string> {
  await steps(work, signal, () => {});
  return work.answer();
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
  if (call === "group") return answered(new wasm.Groups(body), signal);
  if (call === "why") return answered(new wasm.Why(body), signal);
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
  lastWords = "";
  answer(data, control.signal).finally(() => running.delete(data.id)).then(
    (done) => say({ id: data.id, done }),
    (error: unknown) => {
      // A module that has failed so cannot go on: what it was doing is half done.
      const isTrap = typeof WebAssembly !== "undefined" && error instanceof WebAssembly.RuntimeError;
      if (isTrap) say({ crashed: (error as Error).message, words: lastWords });
      else say({ id: data.id, failed: typeof error === "string" ? error : String((error as Error)?.message ?? error) });
    },
  );
};
