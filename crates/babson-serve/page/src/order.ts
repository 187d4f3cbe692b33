// The order of the matches, and which of them are shown.

import type { Row } from "./search";

type Key = string | number;

const text = (value: string | null | undefined) => (value ?? "").toLowerCase();

/** The orders that the list offers. */
export const ORDERS: readonly [id: string, name: string, key: ((row: Row) => Key) | null][] = [
  ["found", "as found", null],
  ["new", "newest first", (row) => -(row.match.year ?? 0)],
  ["old", "oldest first", (row) => row.match.year ?? 9999],
  ["white", "White", (row) => text(row.match.white)],
  ["black", "Black", (row) => text(row.match.black)],
  ["rating", "highest rating", (row) => -Math.max(row.match.white_elo ?? 0, row.match.black_elo ?? 0)],
  ["ply", "earliest in the game", (row) => row.position?.ply ?? 0],
  ["eco", "opening", (row) => text(row.match.eco) || "~"],
  ["sort", "sort key of the query", (row) => sortKey(row)],
];

function sortKey(row: Row): Key {
  const value = row.match.sort?.[0]?.value;
  // The largest first, as the command does, and what has no value last.
  return typeof value === "number" ? -value : value ?? Infinity;
}

/** What a search in the list looks at. */
function wordsOf(row: Row): string {
  const { match, position } = row;
  return (row.words ??= [
    match.white, match.black, match.event, match.site, match.date, match.tags?.Date, match.year, match.eco,
    match.result, match.round, `game ${match.game}`, position?.move, position?.next,
    ...(match.comments ?? []).map((comment) => comment.text),
  ].filter(Boolean).join("\n").toLowerCase());
}

/** The san of a move with its number, `12...Nf6`. */
export const bare = (move: string | undefined): string => (move ?? "").replace(/^\d+\.+/, "");

/** The rows that have all words, and the next move if one is chosen, in an order. */
export function choose(rows: readonly Row[], order: string, search: string, next: string | null): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  let chosen = rows;
  if (next !== null) chosen = chosen.filter((row) => bare(row.position?.next) === next);
  if (words.length) chosen = chosen.filter((row) => words.every((word) => wordsOf(row).includes(word)));
  const key = ORDERS.find(([id]) => id === order)?.[2];
  if (!key) return chosen;
  const keyed = chosen.map((row, at) => ({ row, at, key: key(row) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.at - b.at));
  return keyed.map(({ row }) => row);
}
