// The moves of a game with its variations.

import type { JSX } from "preact";

import { children, turn, type Tree } from "./tree";

/** Variations inside each other that are shown; deeper ones are counted. */
const MAX_DEPTH = 24;

export interface MoveListProps {
  tree: Tree;
  /** The position that is shown. */
  at: number;
  isMatch(id: number): boolean;
  go(id: number): void;
  /** The id of the element, if it needs one. */
  id?: string;
}

/** The moves as buttons, variations as lists of their own. */
export function MoveList({ tree, at, isMatch, go, id }: MoveListProps) {
  // Tab stops at one move; the keys of the board go from move to move.
  const stop = at || children(tree, 0)[0];
  const move = (here: number, isFirst: boolean) => {
    const node = tree.nodes[here]!;
    const { white, number } = turn(tree, node.parent);
    const shown = white || isFirst ? `${number}${white ? "." : "..."}` : "";
    return (
      <li key={here}>
        {shown}
        <button type="button" data-at={here} class={isMatch(here) ? "match" : undefined}
          tabIndex={here === stop ? 0 : -1} aria-current={here === at ? "true" : undefined} onClick={() => go(here)}>
          {node.san}
        </button>
        {node.comments?.map((comment) => <q class="comment-text">{comment}</q>)}
      </li>
    );
  };
  /** The items of a line that begins with a move. */
  const line = (start: number, depth: number): JSX.Element[] => {
    const items: JSX.Element[] = [];
    let isFirst = true;
    for (let here: number | undefined = start; here !== undefined;) {
      items.push(move(here, isFirst));
      isFirst = false;
      // The alternatives to a move of the line stand after it.
      const siblings = children(tree, tree.nodes[here]!.parent);
      if (here !== start || depth === 0) {
        for (const other of here === siblings[0] ? siblings.slice(1) : []) {
          isFirst = true;
          items.push(
            <li class="variation" key={`v${other}`}>
              {depth < MAX_DEPTH ? <ol>{line(other, depth + 1)}</ol> : "…"}
            </li>,
          );
        }
      }
      here = children(tree, here)[0];
    }
    return items;
  };
  const first = children(tree, 0)[0];
  return (
    <ol id={id} class="moves" aria-label="Moves">
      {first === undefined ? <li class="soft">No moves</li> : line(first, 0)}
    </ol>
  );
}

/** Scrolls a list of moves, and nothing else, so that its current move is seen. */
export function showCurrent(list: Element | null): void {
  const move = list?.querySelector<HTMLElement>("[aria-current]");
  if (!(list instanceof HTMLElement) || !move) return;
  list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
}
