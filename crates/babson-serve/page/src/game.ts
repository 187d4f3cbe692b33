// A game of the engine as the tree that the components show, and what filters did in it.

import { isWhiteToMove, piecesOf, squareIndex } from "@report/chess";
import { marksOf, type Filter, type Mark, type Verdict } from "@report/marks";
import type { Tree } from "@report/tree";

import type { GameAnswer, TraceEntry, Why } from "./engine/types";

export function treeOf({ moves }: GameAnswer): Tree {
  const start = moves[0]?.fen ?? "";
  return {
    nodes: moves.map(({ san, parent, ply, from, to, comments }, id) => ({
      san: san ?? "",
      parent: id === 0 ? -1 : parent ?? id - 1,
      ply,
      from: squareIndex(from ?? ""),
      to: squareIndex(to ?? ""),
      comments,
    })),
    first: { white: isWhiteToMove(start), number: Number(start.split(" ")[5] ?? 1) || 1 },
    pieces: (id) => piecesOf(moves[id]?.fen ?? ""),
    fen: (id) => moves[id]?.fen ?? null,
  };
}

/** What the filters of a query did at a position. */
export interface Traced {
  position: number;
  isMatch: boolean;
  filters: Filter[];
  verdicts: (Verdict | null)[];
  marks: Mark[];
  /** The range of each filter in the query, in bytes. */
  spans: [number, number][];
  /** The filter that failed first. */
  failed: number | null;
}

/** The squares of a value: of a set, or of a piece. */
function squaresOf(entry: TraceEntry): number[] | undefined {
  const { value, elsewhere } = entry;
  if (!value || (elsewhere !== undefined && elsewhere !== null)) return undefined;
  const set = value.set ?? value.piece; // A piece is `Ke1`.
  if (Array.isArray(set)) return set.map((name) => squareIndex(String(name))).filter((at) => at >= 0);
  if (typeof set === "string") return [squareIndex(set.slice(-2))].filter((at) => at >= 0);
  const square = (set as { square?: string } | undefined)?.square;
  return square ? [squareIndex(square)] : undefined;
}

function valueText(entry: TraceEntry): string | undefined {
  const value = entry.value;
  if (!value) return undefined;
  const [kind, content] = Object.entries(value)[0] ?? [];
  if (kind === undefined || kind === "bool") return undefined;
  if (kind === "set" && Array.isArray(content)) return content.join(" ") || "no square";
  if (kind === "position") {
    const { move_number, side } = content as { move_number?: number; side?: string };
    return `position at move ${move_number}, ${side} to move`;
  }
  return typeof content === "object" ? JSON.stringify(content) : String(content);
}

export function tracedOf(why: Why): Traced {
  const { entries, position, matched } = why.why.trace;
  let colors = 0;
  const filters = entries.map((entry, at): Filter => ({
    text: why.filters[at] ?? entry.label,
    depth: entry.depth,
    color: entry.names_squares ? colors++ : undefined,
  }));
  const verdicts = entries.map((entry): Verdict | null => entry.evaluated === 0 ? null : {
    matched: entry.matched > 0,
    times: entry.evaluated > 1 ? `${entry.matched}/${entry.evaluated}` : undefined,
    squares: entry.names_squares ? squaresOf(entry) : undefined,
    value: valueText(entry),
  });
  return {
    position, isMatch: matched, filters, verdicts, marks: marksOf(filters, verdicts),
    spans: entries.map((entry) => [entry.span.start, entry.span.end]), failed: matched ? null : why.why.failed,
  };
}

/** The innermost filter at a byte of the query that names squares. */
export function filterAt({ spans, filters }: Traced, byte: number): number | null {
  let found: number | null = null;
  spans.forEach(([start, end], at) => {
    if (start > byte || byte > end || filters[at]?.color === undefined) return;
    const best = found === null ? null : spans[found]!;
    if (!best || end - start < best[1] - best[0]) found = at;
  });
  return found;
}
