// The FEN of any position of a game of a report, from its moves.

import type { Pieces } from "../chess";
import { squareName } from "../chess";
import { pathTo, turn, type Tree } from "../tree";

function placement(pieces: Pieces): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    const row = pieces.slice(rank * 8, rank * 8 + 8).map((piece) => piece || "1").join("");
    ranks.push(row.replace(/1+/g, (empty) => String(empty.length)));
  }
  return ranks.join("/");
}

/** The square behind a pawn that has moved two steps. */
function enPassant(pieces: Pieces, from: number, to: number): string {
  const isPawn = pieces[to]?.toLowerCase() === "p";
  return isPawn && Math.abs(to - from) === 16 ? squareName((from + to) / 2) : "-";
}

/** The castling rights that are left after the squares of a move have changed. A right is lost when
 * its king or its rook is no longer where it was. */
function rightsLeft(rights: string, before: Pieces, after: Pieces): string {
  const left = [...rights].filter((right) => {
    const [home, king, rook] = right < "a" ? [0, "K", "R"] : [56, "k", "r"];
    const row = before.slice(home, home + 8);
    const kingAt = row.indexOf(king!);
    const letter = right.toLowerCase();
    const rookAt = letter === "k" ? row.lastIndexOf(rook!)
      : letter === "q" ? row.indexOf(rook!) : "abcdefgh".indexOf(letter);
    return kingAt >= 0 && rookAt >= 0 && after[home + kingAt] === king && after[home + rookAt] === rook;
  });
  return left.join("") || "-";
}

/** The FEN of a position. The matches have theirs in the data; other positions follow from the
 * moves after the last one that is known. */
export function fenAt(tree: Tree, id: number): string {
  const path = pathTo(tree, id);
  const known = path.findLastIndex((here) => tree.fen(here) !== null);
  const base = tree.fen(path[known]!)!;
  if (known === path.length - 1) return base;
  const fields = base.split(" ");
  let rights = fields[2] ?? "-";
  let clock = Number(fields[4] ?? 0) || 0;
  let passant = "-";
  let before = tree.pieces(path[known]!);
  for (const here of path.slice(known + 1)) {
    const { from, to } = tree.nodes[here]!;
    const after = tree.pieces(here);
    const count = (pieces: Pieces) => pieces.filter(Boolean).length;
    const isPawn = before[from]?.toLowerCase() === "p";
    clock = isPawn || count(before) !== count(after) ? 0 : clock + 1;
    rights = rightsLeft(rights, before, after);
    passant = from === to ? "-" : enPassant(after, from, to);
    before = after;
  }
  const { white, number } = turn(tree, id);
  return `${placement(before)} ${white ? "w" : "b"} ${rights} ${passant} ${clock} ${number}`;
}
