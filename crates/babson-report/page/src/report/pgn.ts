// A game of a report as PGN, for another program.

import { USUAL_FEN } from "../chess";
import { children, turn, type Tree } from "../tree";
import { treeOf, type Game } from "./data";

const quoted = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;

/** The moves from one position on, with the variations after the move that they replace. */
function moves(tree: Tree, start: number, notes: Map<number, string[]>): string[] {
  const words: string[] = [];
  let needsNumber = true;
  const write = (id: number) => {
    const { white, number } = turn(tree, tree.nodes[id]!.parent);
    if (white || needsNumber) words.push(`${number}${white ? "." : "..."}`);
    words.push(tree.nodes[id]!.san);
    needsNumber = false;
    // A brace would end the comment.
    for (const note of notes.get(id) ?? []) {
      words.push(`{${note.replaceAll("}", ")")}}`);
      needsNumber = true;
    }
  };
  for (let here: number | undefined = start; here !== undefined; here = children(tree, here)[0]) {
    write(here);
    const siblings = children(tree, tree.nodes[here]!.parent);
    for (const other of here === siblings[0] ? siblings.slice(1) : []) {
      words.push("(", ...moves(tree, other, notes), ")");
      needsNumber = true;
    }
  }
  return words;
}

/** A game with its tags, the comments of the query, and its variations. */
export function pgnOf(game: Game): string {
  const tags: [string, string | undefined][] = [
    ["Event", game.event], ["Site", game.site], ["Date", game.date || "????.??.??"],
    ["Round", game.round], ["White", game.white], ["Black", game.black], ["Result", game.result],
  ];
  if (game.start && game.start !== USUAL_FEN) tags.push(["SetUp", "1"], ["FEN", game.start]);
  const tree = treeOf(game);
  const notes = new Map<number, string[]>(game.hits.map((hit) => [hit.id, hit.notes ?? []]));
  for (const [id, note] of game.notes ?? []) notes.set(id, [...(notes.get(id) ?? []), note]);
  const first = children(tree, 0)[0];
  const words = (notes.get(0) ?? []).map((note) => `{${note.replaceAll("}", ")")}}`);
  if (first !== undefined) words.push(...moves(tree, first, notes));
  words.push(game.result);
  const text = words.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
  const lines = text.match(/\S.{0,78}(?=\s|$)|\S+/gs) ?? [];
  return `${tags.map(([name, value]) => `[${name} ${quoted(value || "?")}]\n`).join("")}\n${lines.join("\n")}\n`;
}
