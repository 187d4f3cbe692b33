// The data of a report: a line of JSON for each game, as `crates/babson-report/src/data.rs` writes
// it.

import { USUAL_FEN, isWhiteToMove, piecesOf } from "../chess";
import { marksOf, type Filter, type Mark, type Verdict } from "../marks";
import { pathTo, type Node, type Tree } from "../tree";

/** A matching position. */
export interface Hit {
  id: number;
  fen: string;
  notes?: string[];
  /** What the filters did, in the letters of `Verdict`. */
  filters?: (string | null)[];
}

/** A game as the page has it. */
export interface Game {
  game: number;
  white: string;
  black: string;
  result: string;
  event?: string;
  site?: string;
  date?: string;
  round?: string;
  input: string;
  number: number;
  sort?: (string | number | null)[];
  start?: string;
  san: string;
  steps: string;
  tree?: [number, number][];
  notes?: [number, string][];
  hits: Hit[];
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const number = (letter: string | undefined) => (letter ? LETTERS.indexOf(letter) : -1);

/** What a move changes: squares with their new pieces, or `null` if it only moves its piece. */
type Changes = [number, string][] | null;

const TREES = new WeakMap<Game, Tree>();

/** The moves of a game; made when first asked. */
export function treeOf(game: Game): Tree {
  const known = TREES.get(game);
  if (known) return known;
  const parents = new Map(game.tree ?? []);
  const sans = game.san ? game.san.split(" ") : [];
  const nodes: Node[] = [{ san: "", ply: 0, parent: -1, from: -1, to: -1 }];
  const changes: Changes[] = [null];
  let at = 0;
  const next = () => game.steps[at++];
  for (const san of sans) {
    const id = nodes.length;
    const parent = parents.get(id) ?? id - 1;
    let letter = next();
    const isSpecial = letter === "!";
    if (isSpecial) letter = next();
    const node = { san, parent, ply: nodes[parent]!.ply + 1, from: number(letter), to: number(next()) };
    nodes.push(node);
    if (isSpecial) {
      const count = number(next());
      changes.push(Array.from({ length: count }, () =>
        [number(next()), (next() ?? "").replace(".", "")] as [number, string]));
    } else {
      changes.push(null);
    }
  }
  const start = game.start || USUAL_FEN;
  const tree: Tree = {
    nodes,
    first: { white: isWhiteToMove(start), number: Number(start.split(" ")[5] ?? 1) || 1 },
    pieces(id) {
      const hit = hitAt(game, id);
      if (hit) return piecesOf(hit.fen);
      const pieces = piecesOf(start);
      for (const here of pathTo(tree, id).slice(1)) {
        const { from, to } = nodes[here]!;
        const changed = changes[here];
        if (changed) for (const [square, piece] of changed) pieces[square] = piece;
        else [pieces[to], pieces[from]] = [pieces[from]!, ""];
      }
      return pieces;
    },
    fen: (id) => hitAt(game, id)?.fen ?? (id === 0 ? start : null),
  };
  TREES.set(game, tree);
  return tree;
}

export const hitAt = (game: Game, id: number): Hit | undefined =>
  game.hits.find((hit) => hit.id === id);

export const title = (game: Game): string => `${game.white || "?"} – ${game.black || "?"}`;

/** What a filter did at a match, from its letters. */
function verdict(text: string | null | undefined): Verdict | null {
  const found = text?.match(/^([01])(?:\((.*?)\))?(?:=(.*)|:(.*))?$/s);
  if (!found) return null;
  const [, sign, times, squares, value] = found;
  return {
    matched: sign === "1",
    times,
    squares: squares === undefined ? undefined : [...squares].map(number),
    value,
  };
}

/** What the filters did at a match; `null` for each that was not evaluated. */
export const verdictsOf = (filters: readonly Filter[], hit: Hit | undefined): (Verdict | null)[] =>
  filters.map((_, at) => verdict(hit?.filters?.[at]));

/** The marks of a position. */
export const marksAt = (filters: readonly Filter[], hit: Hit | undefined): Mark[] =>
  hit ? marksOf(filters, verdictsOf(filters, hit)) : [];

/** What a page was made with. */
export interface PageOptions {
  /** A sheet of puzzles: the solutions stand at the end. */
  worksheet: boolean;
}

/** Everything that the page was given. */
export interface Data {
  filters: Filter[];
  /** The names of the sort keys. */
  keys: string[];
  games: Game[];
  options: PageOptions;
}

/** Reads the data of the page. */
export function readData(): Data {
  const text = (id: string) => document.getElementById(id)?.textContent ?? "";
  return {
    filters: JSON.parse(text("filters")),
    keys: JSON.parse(text("keys")),
    games: text("data").split("\n").filter(Boolean).map((line) => JSON.parse(line)),
    options: JSON.parse(text("options")),
  };
}
