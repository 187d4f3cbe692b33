// A sheet of puzzles: numbered boards without marks and arrows, and the solutions at the end.

import { Board } from "../board";
import { piecesInWords } from "../chess";
import { lineThrough, side, turn, type Tree } from "../tree";
import { title, treeOf, type Data, type Game, type Hit } from "./data";

/** Plies of a solution. */
const MAX_PLIES = 12;
/** Puzzles of a sheet. */
const MAX_PUZZLES = 600;

interface Puzzle {
  game: Game;
  hit: Hit;
}

/** The moves of the game from the position on; none at its end. */
function solution(tree: Tree, id: number): string {
  const line = lineThrough(tree, id);
  const from = line.indexOf(id) + 1;
  const moves = line.slice(from, from + MAX_PLIES).map((here, at) => {
    const { white, number } = turn(tree, tree.nodes[here]!.parent);
    return (white ? `${number}. ` : at === 0 ? `${number}... ` : "") + tree.nodes[here]!.san;
  });
  if (line.length > from + MAX_PLIES) moves.push("…");
  return moves.join(" ");
}

/** What a solver has to know if some puzzles are at the ends of their games. */
function withoutAnswers(without: number, all: number): string {
  if (without === 0) return "";
  const those = without === 1 && all === 1 ? "The puzzle has no answer: it is the last position of its game."
    : without === all ? "No puzzle has an answer: all are the last positions of their games."
    : without === 1 ? "1 puzzle has no answer: it is the last position of its game."
    : `${without} puzzles have no answers: they are the last positions of their games.`;
  return `${those} A query that matches one move earlier, such as child : mate in place of mate, gives puzzles with answers.`;
}

/** Who played, and where and when. */
const source = (game: Game): string =>
  [title(game), game.event, game.date?.replace(/[.?]+$/, "")].filter(Boolean).join(", ");

export function Worksheet({ data }: { data: Data }) {
  const all: Puzzle[] = data.games.flatMap((game) => game.hits.map((hit) => ({ game, hit })));
  const puzzles = all.slice(0, MAX_PUZZLES);
  const solutions = puzzles.map(({ game, hit }) => solution(treeOf(game), hit.id));
  const note = withoutAnswers(solutions.filter((moves) => !moves).length, puzzles.length);
  return (
    <>
      {note && <p class="note">{note}</p>}
      <ol class="puzzles">
        {puzzles.map(({ game, hit }, at) => {
          const tree = treeOf(game);
          const pieces = tree.pieces(hit.id);
          // The moves around the position would give the puzzle away.
          const words = [`Puzzle ${at + 1}`, side(tree, hit.id), ...piecesInWords(pieces)];
          return (
            <li class="puzzle" id={`puzzle-${at + 1}`}>
              <div role="img" class="board" aria-label={`${words.join(". ")}.`}>
                <Board pieces={pieces} />
              </div>
              <p><b>{at + 1}</b> <span class={`to-move ${turn(tree, hit.id).white ? "white" : "black"}`} />
                {side(tree, hit.id)}</p>
            </li>
          );
        })}
      </ol>
      {all.length > puzzles.length && <p class="note">
        A sheet has room for {MAX_PUZZLES} puzzles; {all.length - puzzles.length} more positions match.</p>}
      <section class="answers">
        <h2>Answers</h2>
        <ol>
          {puzzles.map(({ game, hit }, at) => (
            <li value={at + 1}>
              <b>{solutions[at] || "No answer: the game ends here."}</b>{" "}
              {hit.notes?.map((note) => <q>{note}</q>)} <span class="soft">{source(game)}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
