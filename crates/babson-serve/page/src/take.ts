// Taking the matches along: files made of what the engine sent, and the command that gives the same.

import type { Database, Engine, Match, SearchBody } from "./engine/types";
import type { Row } from "./search";

/** Offers bytes as a file of this name. */
export function save(name: string, parts: BlobPart[], type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const COLUMNS: readonly [name: string, value: (row: Row) => string | number | null | undefined][] = [
  ["database", ({ match }) => match.database],
  ["game", ({ match }) => match.game],
  ["white", ({ match }) => match.white],
  ["black", ({ match }) => match.black],
  ["white_elo", ({ match }) => match.white_elo],
  ["black_elo", ({ match }) => match.black_elo],
  ["result", ({ match }) => match.result],
  ["event", ({ match }) => match.event],
  ["site", ({ match }) => match.site],
  ["round", ({ match }) => match.round],
  ["date", ({ match }) => match.date],
  ["year", ({ match }) => match.year],
  ["eco", ({ match }) => match.eco],
  ["ply", ({ position }) => position?.ply],
  ["move", ({ position }) => position?.move],
  ["next", ({ position }) => position?.next],
  ["fen", ({ position }) => position?.fen],
];

function cell(value: string | number | null | undefined): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each matching position, the columns named as in the command. */
export function csv(rows: readonly Row[]): string[] {
  const head = `${COLUMNS.map(([name]) => name).join(",")}\r\n`;
  return [head, ...rows.map((row) => `${COLUMNS.map(([, value]) => cell(value(row))).join(",")}\r\n`)];
}

/** A line of JSON for each matching game. */
export function jsonLines(rows: readonly Row[]): string[] {
  const matches = new Set<Match>(rows.map((row) => row.match));
  return [...matches].map((match) => {
    const { type: _, ...object } = match;
    return `${JSON.stringify(object)}\n`;
  });
}

/** The matching games as PGN: the search runs again, since a list of boards does not need the games. */
export async function pgn(engine: Engine, body: SearchBody, signal: AbortSignal): Promise<string[]> {
  const games: string[] = [];
  await engine.search({ ...body, games: true }, signal, (lines) => {
    for (const line of lines) if (line.type === "match" && line.pgn) games.push(`${line.pgn.trim()}\n\n`);
  });
  return games;
}

const quoted = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The command that gives the same matches as a file. */
export function command({ query, variations, limit }: SearchBody, databases: readonly Database[], output: string): string {
  const words = ["babson"];
  for (const { file } of databases) words.push("-i", quoted(file.startsWith("-") ? `./${file}` : file));
  if (variations) words.push("--variations");
  if (limit !== undefined) words.push("--limit", String(limit));
  words.push("-o", output, "--cql", quoted(query));
  return words.join(" ");
}
