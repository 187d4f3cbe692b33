// The engine in the browser: WebAssembly in a worker, so that the page stays responsive.

import { LineReader, errorOf } from "./lines";
import {
  EngineError, type CheckAnswer, type CompleteAnswer, type Database, type Engine, type Explanation,
  type GameAnswer, type GroupBody, type HoverAnswer, type Line, type Rows, type SearchBody, type TextAnswer,
  type Why, type WhyBody,
} from "./types";

/** A call to the worker, and its answers. A search and an opening answer several times. */
export type ToWorker =
  | { id: number; call: string; body: string }
  | { id: number; call: "open"; file: File }
  | { id: number; call: "cancel" };
export type FromWorker =
  | { id: number; part: string }
  | { id: number; bytes: number }
  | { id: number; done: string }
  | { id: number; failed: string }
  /** The engine has failed within a call: why, and what it has written before. */
  | { crashed: string; words: string }
  /** The engine cannot be loaded. */
  | { unloaded: string };

type Message = { call: string; body: string } | { call: "open"; file: File };

interface Pending {
  part?(text: string): void;
  bytes?(count: number): void;
  /** The file that is opened. */
  file?: File;
  resolve(text: string): void;
  reject(error: Error): void;
}

export class WorkerEngine implements Engine {
  readonly opensFiles = true;
  // It answers at once, and nobody else waits for it.
  readonly checkDelay = 0;
  /** `null` while the engine cannot be loaded: the next search tries it with another worker. */
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  /** The files of the user that are open. */
  private readonly files = new Map<string, File>();
  /** Ends when they are open in a worker that has taken the place of another one. */
  private reopening: Promise<unknown> | null = null;
  /** Why there is no worker. */
  private lost = "";
  private last = 0;

  constructor() {
    this.start();
  }

  /** Starts a worker, and opens the files in it. */
  private start(): void {
    let worker: Worker;
    try {
      worker = new Worker("worker.js", { type: "module" });
    } catch (error) {
      // A page from a disk, for instance, has no workers.
      return this.end(`The engine cannot be loaded. ${String(error)}`);
    }
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      // What another worker has sent before its end.
      if (this.worker !== worker) return;
      if ("crashed" in data) return this.restart(data.crashed, data.words);
      if ("unloaded" in data) return this.end(data.unloaded);
      const call = this.pending.get(data.id);
      if (!call) return;
      if ("part" in data) return call.part?.(data.part);
      if ("bytes" in data) return call.bytes?.(data.bytes);
      this.pending.delete(data.id);
      if ("done" in data) call.resolve(data.done);
      else call.reject(failure(data.failed));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.worker !== worker) return;
      this.end(`The engine cannot be loaded. Its files do not arrive: check the connection, then search again. (${event.message || "worker.js"})`);
    };
    if (this.files.size === 0) return;
    const opening = Array.from(this.files.values(), (file) => this.post({ call: "open", file }, { file }));
    const all: Promise<unknown> = Promise.allSettled(opening).finally(() => {
      if (this.reopening === all) this.reopening = null;
    });
    this.reopening = all;
  }

  /** Ends the worker and all calls, with this error. */
  private end(message: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.lost = message;
    const error = new EngineError("engine", message);
    for (const call of this.pending.values()) call.reject(error);
    this.pending.clear();
  }

  /** Puts another worker in the place of one whose engine has failed. */
  private restart(reason: string, words: string): void {
    // A file whose opening ends the engine would end the next one, too.
    const opening = new Set(Array.from(this.pending.values(), ({ file }) => file));
    for (const [name, file] of this.files) if (opening.has(file)) this.files.delete(name);
    // A panic says why. The end of the memory has no words.
    this.end(words
      ? `The engine has failed, and was started again. This is a bug: please report it with the query. (${words})`
      : `The engine has failed, and was started again. Perhaps the browser has no memory left for it: close other pages, then search again. (${reason})`);
    this.start();
  }

  /** Calls the worker. A call about games starts another one if the last one could not load the engine. */
  private async send(message: Message, hooks: Partial<Pending> = {}, signal?: AbortSignal): Promise<string> {
    if (!this.worker) this.start();
    if (this.reopening) await this.reopening;
    return this.post(message, hooks, signal);
  }

  private post(message: Message, hooks: Partial<Pending> = {}, signal?: AbortSignal): Promise<string> {
    const { worker } = this;
    if (!worker) return Promise.reject(new EngineError("engine", this.lost));
    const id = ++this.last;
    const cancel = () => worker.postMessage({ id, call: "cancel" });
    const answer = new Promise<string>((resolve, reject) => {
      this.pending.set(id, { ...hooks, resolve, reject });
      worker.postMessage({ ...message, id });
    });
    if (!signal) return answer;
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    return answer.finally(() => signal.removeEventListener("abort", cancel));
  }

  /** Asks about games. */
  private async ask<T>(call: string, body: object, signal?: AbortSignal): Promise<T> {
    return JSON.parse(await this.send({ call, body: JSON.stringify(body) }, {}, signal)) as T;
  }

  /** Asks about a text. While the engine cannot be loaded, no keystroke tries it again. */
  private async askText<T>(call: string, body: object): Promise<T> {
    return JSON.parse(await this.post({ call, body: JSON.stringify(body) })) as T;
  }

  databases = () => this.ask<Database[]>("databases", {});

  async search(body: SearchBody, signal: AbortSignal, each: (lines: Line[]) => void): Promise<void> {
    const lines = new LineReader(each);
    let failed: unknown = null;
    const part = (text: string) => {
      try {
        lines.read(text);
      } catch (error) {
        failed ??= error;
      }
    };
    part(await this.send({ call: "search", body: JSON.stringify(body) }, { part }, signal));
    if (failed) throw failed;
  }

  group = (body: GroupBody, signal: AbortSignal) => this.ask<Rows>("group", body, signal);
  check = (query: string) => this.askText<CheckAnswer>("check", { query });
  complete = (query: string, offset: number) => this.askText<CompleteAnswer>("complete", { query, offset });
  hover = (query: string, offset: number) => this.askText<HoverAnswer | null>("hover", { query, offset });
  format = (query: string) => this.askText<TextAnswer>("format", { query });
  convert = (query: string, to: string) => this.askText<TextAnswer>("convert", { query, to });
  explain = (query: string) => this.askText<Explanation>("explain", { query });
  why = (body: WhyBody, signal: AbortSignal) => this.ask<Why>("why", body, signal);
  game = (database: string, game: number) => this.ask<GameAnswer>("game", { database, game });

  async open(file: File, progress: (bytes: number) => void): Promise<Database> {
    const opened = JSON.parse(await this.send({ call: "open", file }, { file, bytes: progress })) as Database;
    this.files.set(opened.name, file);
    return opened;
  }
}

/** The error that a worker names: an answer of the API, or a text. */
function failure(text: string): EngineError {
  try {
    return errorOf(JSON.parse(text));
  } catch {
    return new EngineError("engine", text);
  }
}
