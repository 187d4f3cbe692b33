// The player: a dialog with one game, from position to position.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { Board } from "../board";
import { lichessAddress } from "../chess";
import { MoveList, showCurrent } from "../moves";
import { copyText } from "../text";
import { after, lineThrough, moveName, side, type Tree } from "../tree";
import { inWords } from "../words";
import { fenAt } from "./fen";
import { hitAt, marksAt, title, treeOf, type Data, type Game, type Hit } from "./data";
import { pgnOf } from "./pgn";

export interface PlayerProps {
  data: Data;
  game: Game;
  /** The position that is shown first. */
  start: number;
  close(): void;
  /** Called with the match that is shown, or `undefined`. */
  explain(hit: Hit | undefined): void;
}

export function Player({ data, game, start, close, explain }: PlayerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const tree: Tree = treeOf(game);
  const [id, setId] = useState(start);
  const [line, setLine] = useState(() => lineThrough(tree, start));
  const [isFlipped, setFlipped] = useState(false);
  const [said, say] = useState("");
  const hit = hitAt(game, id);
  const at = line.indexOf(id);
  const go = (to: number) => {
    say("");
    if (!line.includes(to)) setLine(lineThrough(tree, to));
    setId(to);
  };
  const step = (to: number) => go(line[Math.max(0, Math.min(line.length - 1, to))]!);
  const toMatch = (direction: number) => {
    let to = at + direction;
    while (line[to] !== undefined && !hitAt(game, line[to]!)) to += direction;
    if (line[to] !== undefined) step(to);
  };
  const turnBoard = () => setFlipped(!isFlipped);
  const buttons: [string, string, string, () => void][] = [
    ["first", "⇤", "First position (Home)", () => step(0)],
    ["back", "◀", "One move back (left arrow)", () => step(at - 1)],
    ["on", "▶", "One move on (right arrow)", () => step(at + 1)],
    ["end", "⇥", "Last position (End)", () => step(line.length - 1)],
    ["match", "⚑", "Next match (down arrow)", () => toMatch(1)],
    ["flip", "⇅", "Turn the board (f)", turnBoard],
  ];
  const keys: Record<string, () => void> = {
    ArrowLeft: () => step(at - 1), ArrowRight: () => step(at + 1), Home: () => step(0),
    End: () => step(line.length - 1), ArrowDown: () => toMatch(1), ArrowUp: () => toMatch(-1), f: turnBoard,
  };
  const press = (event: KeyboardEvent) => {
    const act = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  useLayoutEffect(() => {
    dialog.current!.showModal();
    document.getElementById("on")?.focus();
  }, []);
  useLayoutEffect(() => {
    explain(hit);
    showCurrent(document.getElementById("line"));
  }, [id]);
  const marks = marksAt(data.filters, hit);
  const next = after(tree, id);
  const notes = hit ? hit.notes ?? [] : (game.notes ?? []).filter((n) => n[0] === id).map((n) => n[1]);
  const words = [moveName(tree, id), side(tree, id), hit ? "match" : "", ...notes];
  const copy = async (what: string, text: string) => {
    say(await copyText(text) ? `${what} copied` : `This browser does not let the page copy the ${what}.`);
  };
  const fen = fenAt(tree, id);
  return (
    <dialog id="player" ref={dialog} aria-labelledby="player-title" onClose={close} onKeyDown={press}>
      <div class="bar">
        <h2 id="player-title">{`${title(game)} ${game.result}`}</h2>
        <button type="button" id="close" aria-label="Close (Escape)" onClick={() => dialog.current!.close()}>✕</button>
      </div>
      <div class="stage">
        <div>
          <div id="stage" role="img" aria-label={inWords(tree, id, marks)}>
            <Board pieces={tree.pieces(id)} last={id ? tree.nodes[id] : null} flipped={isFlipped}
              next={next === null ? null : tree.nodes[next]} marks={marks} />
          </div>
          <p id="here" aria-live="polite">{said || words.filter(Boolean).join(" · ")}</p>
          <div class="controls">
            {buttons.map(([name, sign, label, act]) =>
              <button type="button" id={name} title={label} aria-label={label} onClick={act}>{sign}</button>)}
          </div>
          <div class="controls">
            <button type="button" id="copy" onClick={() => copy("FEN", fen)}>Copy FEN</button>
            <button type="button" id="copy-pgn" onClick={() => copy("PGN", pgnOf(game))}>Copy PGN</button>
            <a id="lichess" href={lichessAddress(fen)} target="_blank" rel="noopener noreferrer">Open in Lichess</a>
          </div>
        </div>
        <MoveList id="line" tree={tree} at={id} isMatch={(move) => Boolean(hitAt(game, move))} go={go} />
      </div>
    </dialog>
  );
}
