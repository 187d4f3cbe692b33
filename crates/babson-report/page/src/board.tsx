// A board as inline SVG.

import type { Pieces } from "./chess";
import { COLORS, MANY_SQUARES, colorClass, type Mark } from "./marks";

const GLYPHS: Record<string, string> = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
/** Asks for a text glyph: some systems would draw a pawn as a picture. */
const AS_TEXT = "\ufe0e";

/** The squares of a move. */
export interface Move {
  from: number;
  to: number;
}

export interface BoardProps {
  pieces: Pieces;
  last?: Move | null;
  next?: Move | null;
  marks?: readonly Mark[];
  flipped?: boolean;
}

/** A drawing of a board: pieces, marks of filters, arrows of the last and of the next move. It has
 * no words: the element around it has them. `Shapes` must be in the document. */
export function Board({ pieces, last, next, marks = [], flipped = false }: BoardProps) {
  const x = (at: number) => (flipped ? 7 - (at & 7) : at & 7);
  const y = (at: number) => (flipped ? at >> 3 : 7 - (at >> 3));
  const drawn: number[] = Array(64).fill(0);
  const arrow = (move: Move | null | undefined, name: string) => {
    if (!move || move.from < 0 || move.from === move.to) return null;
    const [x1, y1] = [x(move.from) + 0.5, y(move.from) + 0.5];
    const [dx, dy] = [x(move.to) + 0.5 - x1, y(move.to) + 0.5 - y1];
    const length = Math.hypot(dx, dy);
    const part = (length - 0.35) / length;
    return <line class={`arrow ${name}`} marker-end={`url(#head-${name})`} x1={x1} y1={y1}
      x2={x1 + dx * part} y2={y1 + dy * part} />;
  };
  return (
    <svg viewBox="0 0 8 8" aria-hidden="true">
      <use href="#squares" />
      {[..."abcdefgh"].map((_, at) => {
        const [file, rank] = flipped ? ["hgfedcba"[at], at + 1] : ["abcdefgh"[at], 8 - at];
        return [
          <text class="edge" x={at + 0.82} y={7.95}>{file}</text>,
          <text class="edge" x={0.04} y={at + 0.22}>{rank}</text>,
        ];
      })}
      {marks.flatMap((mark) => {
        const wide = mark.squares.length > MANY_SQUARES || mark.color >= COLORS;
        return mark.squares.map((at) => {
          // Marks of several filters on one square stand inside each other.
          const inset = 0.05 + 0.1 * (wide ? 0 : Math.min(drawn[at]!++, 3));
          const size = 1 - 2 * inset;
          return <rect class={`mark ${colorClass(mark.color)}${wide ? " wide" : ""}`}
            data-filter={mark.filter} x={x(at) + inset} y={y(at) + inset} width={size}
            height={size} rx={0.1} />;
        });
      })}
      {pieces.map((piece, at) => piece && (
        <text class={`man ${piece < "a" ? "w" : "b"}`} x={x(at) + 0.5} y={y(at) + 0.8}>
          {(GLYPHS[piece.toLowerCase()] ?? piece) + AS_TEXT}
        </text>
      ))}
      {arrow(last, "last")}
      {arrow(next, "next")}
    </svg>
  );
}

/** What is drawn once and used by all boards. */
export function Shapes() {
  let dark = "";
  for (let at = 0; at < 64; at++) {
    if (((at & 7) + (at >> 3)) % 2 === 0) dark += `M${at & 7} ${7 - (at >> 3)}h1v1h-1z`;
  }
  const head = (name: string) => (
    <marker id={`head-${name}`} class={name} viewBox="0 0 4 4" refX={2} refY={2}
      markerWidth={3.6} markerHeight={3.6} orient="auto"><path d="M0 0L4 2L0 4z" /></marker>
  );
  return (
    <svg class="shapes" width={0} height={0} aria-hidden="true">
      <symbol id="squares" viewBox="0 0 8 8">
        <path class="light" d="M0 0h8v8H0z" />
        <path class="dark" d={dark} />
      </symbol>
      <defs>{head("last")}{head("next")}</defs>
    </svg>
  );
}
