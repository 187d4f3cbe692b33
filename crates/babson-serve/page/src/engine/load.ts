// The engine of the playground, as the worker loads it: the WebAssembly module of `crates/babson-wasm`.

import type { FileBytes } from "./types";

/** What the module exports. Bodies and answers are JSON. */
export interface Wasm {
  default(): Promise<unknown>;
  open(name: string, bytes: Uint8Array): string;
  databases(): string;
  Opening: new (name: string, file: FileBytes) => Opening;
  Search: new (body: string) => Steps<string>;
  Groups: new (body: string) => Steps<string> & Answered;
  Why: new (body: string) => Steps<void> & Answered;
}
// What an error leaves is freed when its object is collected; `answer` and `finish` take it with them.
export interface Steps<T> { step(milliseconds: number): T; readonly done: boolean; cancel(): void; free(): void }
export interface Answered { answer(): string }
export interface Opening { step(milliseconds: number): boolean; readonly bytes: number; finish(): string; free(): void }

/** A module with one instruction of SIMD. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0,
  253, 15, 253, 98, 11]);

/** Loads the module, which stands beside the worker.
 * @throws An error that says why the engine cannot run, and what helps. */
export async function load(address: string): Promise<Wasm> {
  try {
    if (typeof WebAssembly === "undefined" || !WebAssembly.validate(SIMD)) throw new Error("no WebAssembly with SIMD");
    // It is built by another task, so it is not bundled.
    const wasm = (await import(address)) as Wasm;
    await wasm.default();
    return wasm;
  } catch (error) {
    throw new Error(`The engine cannot be loaded. ${reason(error)}`);
  }
}

/** Why it cannot be loaded, and what helps. */
function reason(error: unknown): string {
  if (typeof WebAssembly === "undefined") {
    return "This browser has no WebAssembly, or it is turned off: turn it on, or use another browser.";
  }
  if (!WebAssembly.validate(SIMD)) return "The WebAssembly of this browser has no SIMD: use a browser of 2023 or later.";
  const told = error instanceof Error ? error.message : String(error);
  if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error instanceof SyntaxError) {
    return `Its files are damaged, or do not belong to this page: reload the page. (${told})`;
  }
  if (error instanceof RangeError) return `The browser has no memory for it: close other pages, then search again. (${told})`;
  return `Its files do not arrive: check the connection, then search again. (${told})`;
}
