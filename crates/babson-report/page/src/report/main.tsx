// The script of a report: a card for each game, the boards drawn when they come near the view.

import { options as preact, render } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { Shapes } from "../board";
import { plural } from "../text";
import { Theme } from "../theme";
import { Card, drawAll } from "./card";
import { readData, type Data, type Game } from "./data";
import { choose, ordersOf } from "./order";
import { Player } from "./player";
import { Legend, explain, followPointer } from "./pointing";
import { Worksheet } from "./worksheet";

const MAX_PRINTED = 200;
const MAX_NEW_CARDS = 60;
/** Pixels from the view at which the next cards are made. */
const NEAR_END = 1500;

// A report changes only where somebody acts, so nothing is gained by waiting.
preact.debounceRendering = (act) => act();

const byId = (id: string): HTMLElement => document.getElementById(id)!;

/** The cards of the games, the next ones when the last ones come near the view. */
function Cards({ data, order }: { data: Data; order: number[] }) {
  const [made, setMade] = useState(MAX_NEW_CARDS);
  const [opened, setOpened] = useState<{ game: Game; id: number } | null>(null);
  const more = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => setMade(MAX_NEW_CARDS), [order]);
  useLayoutEffect(() => {
    // The button may still be near: only a new observation tells.
    const end = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setMade((count) => count + MAX_NEW_CARDS);
    }, { rootMargin: `${NEAR_END}px 0px` });
    if (more.current) end.observe(more.current);
    return () => end.disconnect();
  }, [made, order]);
  useLayoutEffect(() => {
    const print = () => {
      setMade((count) => Math.max(count, MAX_PRINTED));
      drawAll(MAX_PRINTED);
    };
    window.addEventListener("beforeprint", print);
    // A link to a game makes all cards up to it.
    const asked = order.findIndex((at) => location.hash === `#game-${data.games[at]!.game}`);
    if (asked >= 0) {
      setMade((count) => Math.max(count, asked + 1));
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
    return () => window.removeEventListener("beforeprint", print);
  }, []);
  const close = () => {
    explain(data, undefined);
    setOpened(null);
  };
  return (
    <>
      {order.slice(0, made).map((at) =>
        <Card key={at} data={data} at={at} open={(game, id) => setOpened({ game, id })} />)}
      {made < order.length && <button type="button" id="more" ref={more}
        onClick={() => setMade(made + MAX_NEW_CARDS)}>Show more games</button>}
      {opened && <Player data={data} game={opened.game} start={opened.id} close={close}
        explain={(hit) => explain(data, hit)} />}
    </>
  );
}

/** Search, order, and the cards. */
function Report({ data }: { data: Data }) {
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState(0);
  const [isDown, setDown] = useState(false);
  const orders = useMemo(() => ordersOf(data.keys), [data]);
  const chosen = useMemo(() => choose(data, search, orders[order]!, isDown), [search, order, isDown]);
  return (
    <>
      <div id="tools">
        <label>Search <input id="search" type="search" placeholder="player, event, date, comment"
          value={search} onInput={(event) => setSearch(event.currentTarget.value)} /></label>
        <label>Sort <select id="sort" value={order} onChange={(event) => setOrder(Number(event.currentTarget.value))}>
          {orders.map(([name], at) => <option value={at}>{name}</option>)}
        </select></label>
        <button type="button" id="down" aria-pressed={isDown ? "true" : "false"} onClick={() => setDown(!isDown)}>
          Descending</button>
        <span id="found" class="soft" role="status">
          {search.trim() ? `${plural(chosen.length, "game", "games")} found` : ""}</span>
      </div>
      <div id="cards"><Cards data={data} order={chosen} /></div>
    </>
  );
}

/** What is on the page, in a line. */
function about(games: readonly Game[]): string {
  if (!games.length) return "";
  const files = [...new Set(games.map((game) => game.input).filter(Boolean))];
  const hits = games.reduce((sum, game) => sum + game.hits.length, 0);
  const parts = [plural(games.length, "game", "games"), plural(hits, "position", "positions")];
  if (files.length) {
    const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
    parts.push(`from ${files.slice(0, 3).join(", ")}${more}`);
  }
  // Only a file has a date of its own.
  if (location.protocol === "file:") parts.push(`written ${document.lastModified}`);
  return parts.join(" · ");
}

function start(): void {
  const data = readData();
  const place = (parent: Element, isFirst: boolean) => {
    const root = document.createElement("div");
    if (isFirst) parent.prepend(root);
    else parent.append(root);
    return root;
  };
  render(<Shapes />, place(document.body, true));
  render(<Theme />, place(document.querySelector("header")!, true));
  byId("about").textContent = about(data.games);
  if (data.options.worksheet) {
    render(<Worksheet data={data} />, byId("games"));
    return;
  }
  const query = document.getElementById("query");
  if (query instanceof HTMLDetailsElement) {
    // On a phone the boards come first.
    query.open = !matchMedia("(max-width: 44rem)").matches;
    if (data.games.length) render(<Legend filters={data.filters} />, byId("legend"));
  }
  followPointer(data);
  if (data.games.length) render(<Report data={data} />, byId("games"));
}

start();
