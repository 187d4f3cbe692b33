// The card of a game: who played, and a board for each matching position.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { Board } from "../board";
import { inWords } from "../words";
import { after, moveName, side } from "../tree";
import { Trace } from "../trace";
import { marksAt, title, treeOf, verdictsOf, type Data, type Game, type Hit } from "./data";

/** Pixels from the view at which a board is drawn. */
const NEAR = 600;

const SHOW = new WeakMap<Element, () => void>();
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) SHOW.get(target)?.();
}, { rootMargin: `${NEAR}px 0px` });

/** Draws what is not near the view, too: for print. */
export function drawAll(limit: number): void {
  for (const item of [...document.querySelectorAll(".hit")].slice(0, limit)) SHOW.get(item)?.();
}

interface HitProps {
  data: Data;
  at: number;
  hit: Hit;
  index: number;
  open(game: Game, id: number): void;
}

function HitItem({ data, at, hit, index, open }: HitProps) {
  const game = data.games[at]!;
  const item = useRef<HTMLLIElement>(null);
  const [drawn, setDrawn] = useState(false);
  useLayoutEffect(() => {
    const element = item.current!;
    SHOW.set(element, () => {
      near.unobserve(element);
      setDrawn(true);
    });
    near.observe(element);
    return () => near.unobserve(element);
  }, []);
  const tree = treeOf(game);
  const next = after(tree, hit.id);
  const marks = drawn ? marksAt(data.filters, hit) : [];
  return (
    <li class="hit" ref={item} data-game={at} data-hit={index}>
      <figure>
        <button type="button" class="board" onClick={() => open(game, hit.id)}
          title="Step through the game" aria-label={drawn ? undefined : moveName(tree, hit.id)}>
          {drawn && <span role="img" aria-label={inWords(tree, hit.id, marks)}>
            <Board pieces={tree.pieces(hit.id)} marks={marks} last={hit.id ? tree.nodes[hit.id] : null}
              next={next === null ? null : tree.nodes[next]} />
          </span>}
        </button>
        <figcaption>
          {drawn && <>
            <b>{moveName(tree, hit.id)}</b>
            <span class="soft">{side(tree, hit.id)}{next === null ? "" : `, next ${moveName(tree, next)}`}</span>
            {hit.notes?.map((note) => <q>{note}</q>)}
            <code>{hit.fen}</code>
            {hit.filters && <details>
              <summary>Why</summary>
              <Trace filters={data.filters} verdicts={verdictsOf(data.filters, hit)} />
            </details>}
          </>}
        </figcaption>
      </figure>
    </li>
  );
}

export function Card({ data, at, open }: { data: Data; at: number; open(game: Game, id: number): void }) {
  const game = data.games[at]!;
  const about = [`Game ${game.game}`, game.event, game.site, game.date, game.round && `round ${game.round}`];
  if (game.input && game.number !== game.game) about.push(`${game.input}, ${game.number}`);
  return (
    <article id={`game-${game.game}`} class={game.hits.length > 1 ? "wide" : undefined}>
      <h2>{title(game)} <span class="result">{game.result}</span></h2>
      <p class="about">{about.filter(Boolean).join(" · ")}</p>
      {data.keys.length > 0 && <ul class="keys">
        {data.keys.map((name, key) => <li>{name}: <b>{game.sort?.[key] ?? "none"}</b></li>)}
      </ul>}
      {game.hits.length > 0
        ? <ol class="boards">{game.hits.map((hit, index) =>
            <HitItem key={hit.id} {...{ data, at, hit, index, open }} />)}</ol>
        : <p class="about">The game matches as a whole, at no position.</p>}
    </article>
  );
}

