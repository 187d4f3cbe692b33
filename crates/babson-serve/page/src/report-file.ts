// The matches as a report: the same page that `babson -o found.html` writes, made in the browser.

import { piecesOf, squareIndex, type Pieces } from "@report/chess";
import type { Filter } from "@report/marks";
import type { Game as ReportGame, Hit } from "@report/report/data";

import type { Engine, GameAnswer, Match, SearchBody } from "./engine/types";
import { tracedOf, type Traced } from "./game";
import type { Row } from "./search";

/** Games of such a report. The page asks for each of them, so the command has room for more. */
const MAX_GAMES = 300;
/** Requests at once. */
const MAX_REQUESTS = 4;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** What a move changes, in the letters of the report's data. */
function step(before: Pieces, after: Pieces, from: number, to: number): string {
  if (from < 0 || to < 0) return "!AAA";
  const changed = before.map((_, at) => at).filter((at) => before[at] !== after[at]);
  const ends = LETTERS[from]! + LETTERS[to]!;
  const isPlain = changed.length === 2 && changed.includes(from) && changed.includes(to)
    && !after[from] && after[to] === before[from];
  if (isPlain) return ends;
  return `!${ends}${LETTERS[changed.length]}${changed.map((at) => LETTERS[at]! + (after[at] || ".")).join("")}`;
}

/** What the filters did, in the letters of the report's data. */
const verdicts = ({ verdicts }: Traced): (string | null)[] => verdicts.map((found) => {
  if (!found) return null;
  const value = found.squares ? `=${found.squares.map((at) => LETTERS[at]).join("")}`
    : found.value ? `:${found.value}` : "";
  return `${found.matched ? 1 : 0}${found.times ? `(${found.times})` : ""}${value}`;
});

/** A game with its matches, as the data of a report have it. */
export function gameOf(match: Match, answer: GameAnswer, traces: (Traced | null)[]): ReportGame {
  const moves = answer.moves;
  const boards = moves.map(({ fen }) => piecesOf(fen));
  const sans: string[] = [];
  const tree: [number, number][] = [];
  let steps = "";
  moves.forEach(({ san, from, to, parent }, id) => {
    if (id === 0) return;
    const before = parent ?? id - 1;
    sans.push(san ?? "--");
    steps += step(boards[before]!, boards[id]!, squareIndex(from ?? ""), squareIndex(to ?? ""));
    if (before + 1 !== id) tree.push([id, before]);
  });
  const tag = (name: string) => {
    const value = answer.tags[name] ?? "";
    return /^[?.]*$/.test(value) ? "" : value;
  };
  const comments = match.comments ?? [];
  const notes = (id: number) => comments.filter((note) => note.id === id && note.text !== "CQL").map((note) => note.text);
  const hits: Hit[] = (match.positions ?? []).map(({ id, fen }, at) => {
    const trace = traces[at];
    return { id, fen, notes: notes(id), ...(trace && { filters: verdicts(trace) }) };
  });
  return {
    game: match.game, white: tag("White"), black: tag("Black"), result: answer.tags.Result ?? "*",
    event: tag("Event"), site: tag("Site"), date: tag("Date"), round: tag("Round"),
    input: match.database, number: match.number ?? match.game,
    sort: match.sort?.map(({ value }) => value), start: moves[0]?.fen ?? "",
    san: sans.join(" "), steps, tree, hits,
  };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
/** JSON that ends no script element. */
const json = (data: unknown) => JSON.stringify(data).replaceAll("<", "\\u003c");

/** Calls a function for each item, a few at a time; the results have the order of the items. */
async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = Array(items.length);
  let at = 0;
  const work = async () => {
    for (let mine = at++; mine < items.length; mine = at++) results[mine] = await act(items[mine]!);
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
  return results;
}

/** The parts of the page. */
export async function reportOf(engine: Engine, body: SearchBody, rows: readonly Row[]): Promise<string[]> {
  const all = [...new Set(rows.map((row) => row.match))];
  const matches = all.slice(0, MAX_GAMES);
  const file = async (name: string) => (await fetch(name)).text();
  const [script, style] = await Promise.all([file("report.js"), file("report.css")]);
  let filters: Filter[] = [];
  const { signal } = new AbortController();
  const games = await each(matches, async (match) => {
    const answer = await engine.game(match.database, match.game);
    const traces = await each(match.positions ?? [], async ({ ply }) => {
      const why = await engine.why({ query: body.query, database: match.database, game: match.game, ply }, signal).catch(() => null);
      const traced = why && tracedOf(why);
      if (traced?.isMatch) filters = traced.filters;
      return traced?.isMatch ? traced : null;
    });
    return gameOf(match, answer, traces);
  });
  const title = escaped(body.query.replace(/\s+/g, " ").trim().slice(0, 60));
  const data = (id: string, text: string) => `<script type="application/json" id="${id}">${text}</script>\n`;
  const keys = matches[0]?.sort?.map(({ name }) => name) ?? [];
  const leftOut = all.length - matches.length;
  return [
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
    `<title>${title}</title>\n<style>\n${style}</style>\n</head>\n<body>\n<header>\n<h1>${title}</h1>\n<p id="about"></p>\n</header>\n`,
    `<details id="query" open>\n<summary>The query</summary>\n<pre aria-label="Query"><code>${escaped(body.query)}</code></pre>\n<div id="legend"></div>\n</details>\n`,
    "<main id=\"games\"></main>\n",
    data("options", json({ worksheet: false })), data("filters", json(filters)), data("keys", json(keys)),
    data("data", `\n${games.map((game) => `${json(game)}\n`).join("")}`),
    leftOut > 0 ? `<p class="note">This page shows the first ${matches.length} of ${all.length} games. A report of the command has room for more.</p>\n` : "",
    `<script>\n${script}</script>\n</body>\n</html>\n`,
  ];
}
