// One game: the board with the marks of the filters, the moves, and why the query matches here or
// does not.

import { Board } from "@report/board";
import { lichessAddress } from "@report/chess";
import { MoveList, showCurrent } from "@report/moves";
import { copyText } from "@report/text";
import { Trace } from "@report/trace";
import { after, lineThrough, moveName, side } from "@report/tree";
import { inWords } from "@report/words";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { GameAnswer, GameEngine, SearchBody } from "../engine/types";
import { filterAt, tracedOf, treeOf, type Traced } from "../game";
import { sentences } from "../sentences";
import { OpenGame } from "./open-game";

/** A position of a game that is to be shown. */
export interface Place {
  database: string;
  game: number;
  /** The id of the position. */
  id: number;
  /** The game, if the page has it already. */
  answer?: GameAnswer;
}

export interface DetailProps {
  engine: GameEngine;
  place: Place;
  /** The ids of the matching positions of the game. */
  matches: readonly number[];
  /** What was searched. */
  body: SearchBody;
  /** The byte of the query at which the cursor stands, and whether the query is as it was searched. */
  cursor: number | null;
  light(span: [number, number] | null): void;
  /** Goes to the match before or after this game. */
  nextMatch(direction: number): void;
  /** The names of the databases that were searched. */
  databases: readonly string[];
  /** Opens a game; rejects if there is none of this number. */
  openGame(database: string, game: number): Promise<void>;
}

export function Detail(props: DetailProps) {
  const { engine, place, body, cursor, light } = props;
  const [answer, setAnswer] = useState<GameAnswer | null>(null);
  /** The game of the answer. */
  const shown = useRef("");
  const [failure, setFailure] = useState("");
  const [tries, setTries] = useState(0);
  const key = `${place.database}/${place.game}`;
  useEffect(() => {
    let isCurrent = true;
    const show = (game: GameAnswer | null, why: string) => {
      if (!isCurrent) return;
      shown.current = game ? key : "";
      setAnswer(game);
      setFailure(why);
    };
    if (place.answer) show(place.answer, "");
    else if (shown.current !== key) {
      setFailure("");
      engine.game(place.database, place.game).then((game) => show(game, ""), (error: Error) => show(null, error.message));
    }
    return () => void (isCurrent = false);
  }, [place, tries]);
  if (failure) return <>
    <div class="note error" role="alert">
      <p>{sentences(`game ${place.game}: ${failure}`)}</p>
      <button type="button" onClick={() => setTries(tries + 1)}>Try again</button>
    </div>
    <OpenGame databases={props.databases} current={place} open={props.openGame} />
  </>;
  if (!answer) return <div class="stage-empty" aria-busy="true" />;
  return <Game {...props} answer={answer} body={body} cursor={cursor} light={light} />;
}

/** Whether the page has one column, where the query should not stand far below the board. */
const isNarrow = () => matchMedia("(max-width: 60rem)").matches;

/** The position of a game; the one before, while the next game is on its way. */
function Game({ engine, place, matches, body, cursor, light, nextMatch, databases, openGame, answer }: DetailProps & { answer: GameAnswer }) {
  const tree = useMemo(() => treeOf(answer), [answer]);
  const [id, setId] = useState(place.id);
  const [line, setLine] = useState<number[]>([]);
  const [isFlipped, setFlipped] = useState(false);
  const [traced, setTraced] = useState<Traced | null>(null);
  const [whyFailure, setWhyFailure] = useState("");
  const [lit, setLit] = useState<number | null>(null);
  const [said, say] = useState("");
  const host = useRef<HTMLElement>(null);
  /** The question that is not answered yet. */
  const asking = useRef<AbortController | null>(null);
  const show = (to: number, along = line) => {
    say("");
    if (!along.includes(to)) setLine(lineThrough(tree, to));
    setId(to);
  };
  useEffect(() => {
    const start = Math.min(place.id, tree.nodes.length - 1);
    setLine(lineThrough(tree, start));
    setId(start);
    say("");
  }, [tree, place]);
  const isMatch = matches.includes(id);
  const ask = (at: number) => {
    asking.current?.abort();
    const node = tree.nodes[at];
    if (!node) return;
    const main = lineThrough(tree, 0);
    if (!main.includes(at)) {
      setTraced(null);
      setWhyFailure("The filters of a position in a variation are not shown.");
      return;
    }
    setWhyFailure("");
    const { query, variations } = body;
    const control = new AbortController();
    asking.current = control;
    const { signal } = control;
    engine.why({ query, database: place.database, game: place.game, ply: node.ply, ...(variations && { variations }) }, signal).then(
      (why) => !signal.aborted && setTraced({ ...tracedOf(why), position: at }),
      (error: Error) => !signal.aborted && setWhyFailure(sentences(error.message)),
    );
  };
  useEffect(() => {
    setTraced(null);
    setWhyFailure("");
    if (isMatch) ask(id);
    return () => asking.current?.abort();
  }, [id, tree, isMatch, body.query]);
  useEffect(() => showCurrent(host.current?.querySelector(".moves") ?? null), [id, tree]);
  const here = traced && traced.position === id ? traced : null;
  // The filter under the cursor of the editor, unless one of the list is pointed at.
  const chosen = lit ?? (here && cursor !== null ? filterAt(here, cursor) : null);
  useEffect(() => {
    light(lit !== null && here ? here.spans[lit] ?? null : null);
  }, [lit, here]);
  const all = here?.marks ?? [];
  const only = all.filter((mark) => mark.filter === chosen);
  const marks = only.length ? only : all;
  const next = after(tree, id);
  const at = Math.max(0, line.indexOf(id));
  const step = (to: number) => {
    const position = line[Math.max(0, Math.min(line.length - 1, to))];
    if (position !== undefined) show(position);
  };
  const toMatch = (direction: number) => {
    let to = at + direction;
    while (line[to] !== undefined && !matches.includes(line[to]!)) to += direction;
    if (line[to] !== undefined) step(to);
    else nextMatch(direction);
  };
  const flipBoard = () => setFlipped(!isFlipped);
  const buttons: [string, string, () => void][] = [
    ["⇤", "First position (Home)", () => step(0)],
    ["◀", "One move back (left arrow)", () => step(at - 1)],
    ["▶", "One move on (right arrow)", () => step(at + 1)],
    ["⇥", "Last position (End)", () => step(line.length - 1)],
    ["⚑ Next", "Next match (down arrow)", () => toMatch(1)],
    ["⇅ Flip", "Flip the board (f)", flipBoard],
  ];
  const keys: Record<string, () => void> = {
    ArrowLeft: () => step(at - 1), ArrowRight: () => step(at + 1), Home: () => step(0),
    End: () => step(line.length - 1), ArrowDown: () => toMatch(1), ArrowUp: () => toMatch(-1), f: flipBoard,
  };
  const press = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.tagName === "INPUT" || target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const copy = async (what: string, text: string) =>
    say(await copyText(text) ? `${what} copied` : `This browser does not let the page copy the ${what}.`);
  const fen = tree.fen(id) ?? "";
  const { tags } = answer;
  const about = [`${place.database}, game ${place.game}`, tags.Event, tags.Site, tags.Date, tags.ECO];
  return (
    <section class="game" aria-labelledby="game-title" ref={host} onKeyDown={press}>
      <h2 id="game-title">{`${tags.White || "?"} – ${tags.Black || "?"} `}
        <span class="result">{tags.Result ?? "*"}</span></h2>
      <p class="soft game-about">{about.filter((part) => part && !/^[?.]+$/.test(part)).join(" · ")}</p>
      <div class="game-grid">
        <div class="game-board">
          <div class="board" id="stage" role="img" aria-label={inWords(tree, id, marks)} tabIndex={0}>
            <Board pieces={tree.pieces(id)} marks={marks} flipped={isFlipped}
              last={id ? tree.nodes[id] : null} next={next === null ? null : tree.nodes[next]} />
          </div>
          <p id="here" aria-live="polite">{said || [
            moveName(tree, id), side(tree, id), isMatch ? "match" : "",
          ].filter(Boolean).join(" · ")}</p>
          <div class="controls" role="group" aria-label="Step through the game">
            {buttons.map(([sign, label, act]) =>
              <button type="button" title={label} aria-label={label} onClick={act}>{sign}</button>)}
          </div>
          <div class="controls">
            {!isMatch && <button type="button" id="why-not" onClick={() => ask(id)}>Why not here?</button>}
            <button type="button" onClick={() => copy("FEN", fen)}>Copy FEN</button>
            <button type="button" onClick={() => copy("PGN", answer.pgn)}>Copy PGN</button>
            <a href={lichessAddress(fen)} target="_blank" rel="noopener noreferrer">Open in Lichess</a>
          </div>
        </div>
        <div class="game-words">
          <MoveList tree={tree} at={id} isMatch={(move) => matches.includes(move)} go={show} />
          <OpenGame databases={databases} current={place} open={openGame} />
        </div>
      </div>
      {whyFailure && <p class="note" role="alert">{whyFailure}</p>}
      {here && <details class="trace" open={!here.isMatch || !isNarrow()}>
        <summary><h3>{here.isMatch ? "Why it matches" : "Why it does not match"}</h3></summary>
        <Trace filters={here.filters} verdicts={here.verdicts} failed={here.failed} light={setLit} />
      </details>}
    </section>
  );
}
