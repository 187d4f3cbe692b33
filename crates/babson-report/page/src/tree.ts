// A game as a tree of positions. The id of a position is its place in the list, 0 the initial one.
// A main line has its ids in a row, and each variation has its own after it.

import type { Pieces } from "./chess";

/** A position, with the move that leads to it. */
export interface Node {
  san: string;
  /** The id of the position before; -1 at the initial position. */
  parent: number;
  ply: number;
  /** The squares of the move, from 0 to 63; -1 if there is none. */
  from: number;
  to: number;
  comments?: readonly string[];
}

export interface Tree {
  nodes: readonly Node[];
  /** The side and the number of the first move. */
  first: { white: boolean; number: number };
  /** The pieces of a position. */
  pieces(id: number): Pieces;
  /** The FEN of a position, if it is known. */
  fen(id: number): string | null;
}

const CHILDREN = new WeakMap<Tree, number[][]>();

/** The positions after a position, the main one first. */
export function children(tree: Tree, id: number): readonly number[] {
  let all = CHILDREN.get(tree);
  if (!all) {
    all = tree.nodes.map(() => []);
    tree.nodes.forEach((node, at) => all![node.parent]?.push(at));
    CHILDREN.set(tree, all);
  }
  return all[id] ?? [];
}

/** The id of the position after the main continuation, if there is one. */
export const after = (tree: Tree, id: number): number | null => children(tree, id)[0] ?? null;

/** The ids from the initial position to this one. */
export function pathTo(tree: Tree, id: number): number[] {
  const path: number[] = [];
  for (let here = id; here >= 0; here = tree.nodes[here]?.parent ?? -1) path.push(here);
  return path.reverse();
}

/** The ids of the line through a position, from the initial one to the end. */
export function lineThrough(tree: Tree, id: number): number[] {
  const line = pathTo(tree, id);
  for (let next = after(tree, id); next !== null; next = after(tree, next)) line.push(next);
  return line;
}

/** Whether White is to move, and the number of the move. */
export function turn(tree: Tree, id: number): { white: boolean; number: number } {
  const plies = (tree.nodes[id]?.ply ?? 0) + (tree.first.white ? 0 : 1);
  return { white: plies % 2 === 0, number: tree.first.number + Math.floor(plies / 2) };
}

export const side = (tree: Tree, id: number): string =>
  turn(tree, id).white ? "White to move" : "Black to move";

/** The move to a position with its number, `12...Nf6`. */
export function moveName(tree: Tree, id: number): string {
  const node = tree.nodes[id];
  if (!id || !node) return "Start";
  const { white, number } = turn(tree, node.parent);
  return number + (white ? "." : "...") + node.san;
}
