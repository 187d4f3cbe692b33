// The program `babson`: whether it is there, and whether it has a server for editors.

import { execFile } from "node:child_process";

/** What the program is, or why it cannot be used. */
export type Found =
  | { kind: "usable"; version: string }
  | { kind: "missing" }
  | { kind: "unusable"; reason: string };

/** Milliseconds that the program may take to say its version. */
const PATIENCE = 20_000;

/** Asks the program for its version, and whether it has `babson lsp`. */
export async function probe(path: string, cwd?: string): Promise<Found> {
  const version = await output(path, ["--version"], cwd);
  if (version.code === "ENOENT") return { kind: "missing" };
  if (version.code !== 0) return { kind: "unusable", reason: reasonOf(version) };
  const text = version.stdout.trim();
  if (!/^babson\b/.test(text)) return { kind: "unusable", reason: `It says that it is "${text.split("\n")[0]}".` };
  const help = await output(path, ["lsp", "--help"], cwd);
  if (help.code !== 0) {
    return { kind: "unusable", reason: `${text} has no server for editors: a newer version is needed.` };
  }
  return { kind: "usable", version: text };
}

interface Output {
  code: number | string;
  stdout: string;
  stderr: string;
}

function output(path: string, args: string[], cwd?: string): Promise<Output> {
  return new Promise((done) => {
    execFile(path, args, { cwd, timeout: PATIENCE, windowsHide: true }, (error, stdout, stderr) => {
      done({ code: error ? error.code ?? error.signal ?? 1 : 0, stdout, stderr });
    });
  });
}

function reasonOf({ code, stderr }: Output): string {
  const line = stderr.trim().split("\n")[0];
  if (code === "EACCES") return "It may not be executed.";
  return line || (typeof code === "number" ? `It ends with code ${code}.` : `It ends with ${code}.`);
}
