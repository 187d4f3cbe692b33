// What the filters of a query did at a position, and the squares that they name.

import { squareName } from "./chess";

/** A filter of a query. */
export interface Filter {
  /** Its text on one line. */
  text: string;
  /** The number of filters that it is an operand of. */
  depth: number;
  /** Its number among the filters that name squares, which decides its color. */
  color?: number;
}

/** What a filter did; `null` instead if it was not evaluated. */
export interface Verdict {
  matched: boolean;
  /** `1/3` after several evaluations: it matched in 1 of 3. */
  times?: string;
  squares?: readonly number[];
  value?: string;
}

/** The squares of a filter on a board. */
export interface Mark {
  filter: number;
  color: number;
  text: string;
  squares: readonly number[];
}

/** A set of more squares says little on a board, so it is marked only while its filter is lit. */
export const MANY_SQUARES = 16;
/** The colors of the style, `c0` to `c7`. */
export const COLORS = 8;

export const colorClass = (color: number | undefined): string =>
  color === undefined ? "" : `c${color % COLORS}`;

/** The filters that name squares at a position, with these squares. */
export function marksOf(filters: readonly Filter[], verdicts: readonly (Verdict | null)[]): Mark[] {
  const marks: Mark[] = [];
  filters.forEach(({ text, color }, filter) => {
    const squares = verdicts[filter]?.squares;
    if (color !== undefined && squares) marks.push({ filter, color, text, squares });
  });
  return marks;
}

/** The squares of marks in words. */
export const marksInWords = (marks: readonly Mark[]): string[] =>
  marks.filter(({ squares }) => squares.length <= MANY_SQUARES).map(({ text, squares }) =>
    `${text}: ${squares.map(squareName).join(" ") || "no square"}`);
