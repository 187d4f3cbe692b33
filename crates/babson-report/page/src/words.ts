// A position in words, for screen readers.

import { piecesInWords } from "./chess";
import { marksInWords, type Mark } from "./marks";
import { after, moveName, side, type Tree } from "./tree";

/** A position of a game: the move before and after it, the pieces, and the marked squares. */
export function inWords(tree: Tree, id: number, marks: readonly Mark[]): string {
  const next = after(tree, id);
  const words = [
    id ? `After ${moveName(tree, id)}` : "Initial position",
    side(tree, id),
    next === null ? "end of the line" : `next ${moveName(tree, next)}`,
    ...piecesInWords(tree.pieces(id)),
    ...marksInWords(marks),
  ];
  return `${words.join(". ")}.`;
}
