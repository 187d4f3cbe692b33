// The view of the matches: the boards of the page of `babson serve`, and one game beside them.

import { choose, ORDERS } from "@page/order";
import type { Row } from "@page/search";
import { Marker } from "@page/traces";
import { Detail, type Place } from "@page/views/detail";
import { MatchList } from "@page/views/list";
import { Shapes } from "@report/board";
import { plural } from "@report/text";
import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";

import type { RunAnswer, ToView } from "../src/answers";
import { HostEngine } from "./engine";

type Result = Extract<ToView, { type: "result" }>;

/** A line of the list for each matching position, or one for a game that matches as a whole. */
function rowsOf({ items }: RunAnswer): Row[] {
  return items.flatMap((match) =>
    (match.positions?.length ? match.positions : [null]).map((position) => ({ match, position })));
}

function Matches({ engine, result, cursor }: { engine: HostEngine; result: Result; cursor: number | null }) {
  const { answer, query } = result;
  const [order, setOrder] = useState("found");
  const [words, setWords] = useState("");
  const [selected, setSelected] = useState<Row | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const all = useMemo(() => rowsOf(answer), [answer]);
  const rows = useMemo(() => choose(all, order, words, null), [all, order, words]);
  const marker = useMemo(() => new Marker(engine, { query }), [engine, answer]);
  const databases = useMemo(() => [...new Set(answer.items.map(({ database }) => database))], [answer]);
  const select = useCallback((row: Row) => {
    setSelected(row);
    setPlace({ database: row.match.database, game: row.match.game, id: row.position?.id ?? 0 });
  }, []);
  const light = useCallback((span: [number, number] | null) => engine.light(span), [engine]);
  useEffect(() => {
    if (all[0] && result.canAsk) select(all[0]);
  }, [all]);
  const matches = useMemo(() => {
    const found = place && answer.items.find(({ database, game }) => database === place.database && game === place.game);
    return (found?.positions ?? []).map(({ id }) => id);
  }, [answer, place]);
  const nextMatch = (direction: number) => {
    const row = rows[(selected ? rows.indexOf(selected) : -1) + direction];
    if (row) select(row);
  };
  const openGame = async (database: string, game: number) => {
    const whole = await engine.game(database, game);
    setPlace({ database, game, id: 0, answer: whole });
  };
  const hasSort = Boolean(all[0]?.match.sort?.length);
  return (
    <>
      <header>
        <p id="summary" role="status">
          <b>{plural(answer.matches, "game", "games")}</b> of {answer.games.toLocaleString("en")}, {
            plural(all.length, "position", "positions")} <span class="soft">in {answer.seconds.toFixed(2)} s{
            answer.stopped ? `: ${answer.stopped}` : ""}</span>
        </p>
        {answer.matches > answer.items.length && <p class="soft">The first {
          plural(answer.items.length, "game is", "games are")} shown.</p>}
      </header>
      <main class={result.canAsk ? undefined : "list-only"}>
        <div class="ask">
          <div class="tools">
            <label>Narrow <input id="narrow" type="search" placeholder="player, year, move" value={words}
              onInput={(event) => setWords(event.currentTarget.value)} /></label>
            <label>Sort <select id="sort" value={order} onChange={(event) => setOrder(event.currentTarget.value)}>
              {ORDERS.filter(([id]) => id !== "sort" || hasSort).map(([id, name]) => <option value={id}>{name}</option>)}
            </select></label>
          </div>
          {all.length === 0 && <p class="empty">No game matches.</p>}
          <MatchList rows={rows} marker={marker} selected={selected} select={select} />
        </div>
        {result.canAsk && <div class="show">
          {place
            ? <Detail engine={engine} place={place} matches={matches} body={{ query }} cursor={cursor} light={light}
                nextMatch={nextMatch} databases={databases} openGame={openGame} />
            : <div class="stage-empty"><p class="soft">The board of a match comes here.</p></div>}
        </div>}
      </main>
    </>
  );
}

function App() {
  const [result, setResult] = useState<Result | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [engine, setEngine] = useState<HostEngine | null>(null);
  useEffect(() => {
    setEngine(new HostEngine((message) => {
      if (message.type === "cursor") return setCursor(message.byte);
      setResult(message);
      setCursor(null);
    }));
  }, []);
  return (
    <>
      <Shapes />
      {engine && result && <Matches engine={engine} result={result} cursor={cursor} />}
    </>
  );
}

/** The components have colors for light and dark; VS Code says which it has by a class of the body. */
function followTheme(): void {
  const isLight = /\bvscode(-high-contrast)?-light\b/.test(document.body.className);
  document.documentElement.dataset.theme = isLight ? "light" : "dark";
}

followTheme();
new MutationObserver(followTheme).observe(document.body, { attributes: true, attributeFilter: ["class"] });
render(<App />, document.getElementById("app")!);
