// JSON lines from a stream of bytes.

import { EngineError, type Line } from "./types";

/** Splits text that comes in pieces into the objects of its lines, and gives them on in batches. An
 * error line is thrown as soon as the lines before it are given. */
export class LineReader {
  private rest = "";
  private readonly decoder = new TextDecoder();

  constructor(private readonly each: (lines: Line[]) => void) {}

  /** Gives the lines that are complete after these bytes. */
  push(bytes: Uint8Array): void {
    this.read(this.decoder.decode(bytes, { stream: true }));
  }

  /** Gives the lines that are complete after this text. */
  read(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    const batch: Line[] = [];
    try {
      for (const line of lines) if (line) batch.push(parse(line));
    } finally {
      if (batch.length) this.each(batch);
    }
  }

  /** What stands after the last line end: a stream that breaks off leaves a part of a line. */
  get unfinished(): boolean {
    return this.rest.trim() !== "";
  }
}

function parse(line: string): Line {
  const value = JSON.parse(line) as Line;
  if (value.type === "error") throw errorOf(value);
  return value;
}

/** The error in an answer: of a call in a member `error`, of a stream in the line itself. */
export function errorOf(body: unknown): EngineError {
  interface Members { code?: string; message?: string; diagnostics?: [] }
  const error = (body as { error?: Members } | null)?.error ?? (body as Members | null);
  return new EngineError(error?.code ?? "unknown", error?.message ?? "The engine gave no reason.",
    error?.diagnostics ?? []);
}
