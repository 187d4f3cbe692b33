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
  | { crashed: string };

interface Pending {
  part?(text: string): void;
  bytes?(count: number): void;
  resolve(text: string): void;
  reject(error: Error): void;
}

export class WorkerEngine implements Engine {
  readonly opensFiles = true;
  // It answers at once, and nobody else waits for it.
  readonly checkDelay = 10;
  private worker = this.start();
  private readonly pending = new Map<number, Pending>();
  /** The files of the user that are open. */
  private readonly files = new Map<string, File>();
  private last = 0;

  private start(): Worker {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("crashed" in data) return this.restart(data.crashed);
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
      this.fail(`The engine could not start: ${event.message || "worker.js"}`);
    };
    return worker;
  }

  /** Ends all calls with an error. */
  private fail(message: string): void {
    const error = new EngineError("engine", message);
    for (const call of this.pending.values()) call.reject(error);
    this.pending.clear();
  }

  /** Puts another engine in the place of one that has failed, with the same files. */
  private restart(reason: string): void {
    this.worker.terminate();
    this.fail(`The engine has failed (${reason}), perhaps because the browser has no memory left for it. It was started again.`);
    this.worker = this.start();
    for (const file of this.files.values()) void this.send({ call: "open", file }).catch(() => {});
  }

  private send(message: { call: string; body?: string; file?: File }, hooks: Partial<Pending> = {},
    signal?: AbortSignal): Promise<string> {
    const id = ++this.last;
    const cancel = () => this.worker.postMessage({ id, call: "cancel" });
    const answer = new Promise<string>((resolve, reject) => {
      this.pending.set(id, { ...hooks, resolve, reject });
      this.worker.postMessage({ ...message, id });
    });
    if (!signal) return answer;
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    return answer.finally(() => signal.removeEventListener("abort", cancel));
  }

  private async ask<T>(call: string, body: object, signal?: AbortSignal): Promise<T> {
    return JSON.parse(await this.send({ call, body: JSON.stringify(body) }, {}, signal)) as T;
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
  check = (query: string) => this.ask<CheckAnswer>("check", { query });
  complete = (query: string, offset: number) => this.ask<CompleteAnswer>("complete", { query, offset });
  hover = (query: string, offset: number) => this.ask<HoverAnswer | null>("hover", { query, offset });
  format = (query: string) => this.ask<TextAnswer>("format", { query });
  convert = (query: string, to: string) => this.ask<TextAnswer>("convert", { query, to });
  explain = (query: string) => this.ask<Explanation>("explain", { query });
  why = (body: WhyBody) => this.ask<Why>("why", body);
  game = (database: string, game: number) => this.ask<GameAnswer>("game", { database, game });

  async open(file: File, progress: (bytes: number) => void): Promise<Database> {
    const opened = JSON.parse(await this.send({ call: "open", file }, { bytes: progress })) as Database;
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
