// The page as a whole: what stands where, and what belongs together.

import { Shapes } from "@report/board";
import { plural } from "@report/text";
import { Theme } from "@report/theme";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { Editor, type EditorHandle } from "./editor/editor";
import { EngineError, type Database, type Diagnostic, type Engine, type Explanation, type SearchBody } from "./engine/types";
import { readLink, unknownDatabases, writeLink } from "./link";
import { ORDERS, choose } from "./order";
import { MAX_ROWS, useSearch, type Row } from "./search";
import { sentences } from "./sentences";
import { Marker } from "./traces";
import { Databases } from "./views/databases";
import { Detail, type Place } from "./views/detail";
import { Diagnostics } from "./views/diagnostics";
import { Explain } from "./views/explain";
import { Groups } from "./views/groups";
import { MatchList } from "./views/list";
import { OpenGame } from "./views/open-game";
import { Status } from "./views/status";
import { TakeAlong } from "./views/take-along";

/** What is searched if the link names nothing: mate by a knight, with what it attacks. */
const FIRST_QUERY = "// A knight gives mate\nflipcolor { N attacks k  mate }";
/** Matching games of a search. A server may have a lower limit. */
const LIMIT = 100_000;

const VIEWS = [
  ["matches", "Matches"],
  ["groups", "How often"],
  ["explain", "In words"],
  ["take", "Take along"],
] as const;
type View = (typeof VIEWS)[number][0];

export function App({ engine }: { engine: Engine }) {
  const linked = useMemo(() => readLink(location.hash), []);
  const [databases, setDatabases] = useState<Database[]>([]);
  const [chosen, setChosen] = useState<string[]>(linked.databases ?? []);
  const [variations, setVariations] = useState(linked.variations ?? false);
  const [query, setQuery] = useState(linked.query ?? FIRST_QUERY);
  const [checked, setChecked] = useState<{ text: string; diagnostics: Diagnostic[] }>({ text: "", diagnostics: [] });
  const [view, setView] = useState<View>(linked.by ? "groups" : "matches");
  const [by, setBy] = useState(linked.by ?? "next");
  const [failure, setFailure] = useState("");
  /** What an action has to say that is no failure. It goes away with the next action. */
  const [note, setNote] = useState("");
  const [order, setOrder] = useState("found");
  const [words, setWords] = useState("");
  const [next, setNext] = useState<string | null>(null);
  const [selected, setSelected] = useState<Row | null>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [explanation, setExplanation] = useState<Explanation | Error | null>(null);
  const editor = useRef<EditorHandle | null>(null);
  const { search, start, cancel } = useSearch(engine);

  const body = (text = query, names = chosen, isDeep = variations): SearchBody => ({
    query: text, limit: LIMIT,
    ...(names.length && { databases: names }),
    ...(isDeep && { variations: true }),
  });
  const link = (text = query) =>
    writeLink({ query: text, databases: chosen, variations, by: view === "groups" ? by : null });
  const run = (request = body()) => {
    if (!request.query.trim()) return;
    setFailure("");
    setNote("");
    setSelected(null);
    setNext(null);
    history.replaceState(null, "", writeLink({
      query: request.query, databases: request.databases ?? [], variations: Boolean(request.variations),
      by: view === "groups" ? by : null,
    }));
    start(request);
  };
  const select = useCallback((row: Row) => {
    setSelected(row);
    setPlace({ database: row.match.database, game: row.match.game, id: row.position?.id ?? 0 });
  }, []);

  /** Whether all databases of a link are there; if not, the page says so. */
  const knows = (wanted: string[], list: readonly Database[]): boolean => {
    const names = list.map(({ name }) => name);
    const text = unknownDatabases(wanted, names, engine.opensFiles ? "the page" : "the server");
    if (!text) return true;
    cancel();
    setFailure(text);
    setChosen(wanted.filter((name) => names.includes(name)));
    return false;
  };

  /** Asks what there is to search, and searches it. */
  const load = () => {
    setFailure("");
    engine.databases().then(
      (list) => {
        setDatabases(list);
        if (!list.length) setFailure(engine.opensFiles ? "Open a PGN to search it." : "The server has no database.");
        else if (knows(chosen, list)) run(body(query, chosen));
      },
      (error: Error) => setFailure(sentences(error.message)),
    );
  };
  /** Searches the query of the editor. An engine that did not answer before is asked again. */
  const go = () => databases.length ? run() : load();
  useEffect(load, []);
  // A link that is followed on the page itself searches, too.
  useEffect(() => {
    const follow = () => {
      const { query: text, databases: names = [], variations: isDeep = false, by: key } = readLink(location.hash);
      if (text === undefined) return;
      editor.current?.replace(text);
      setChosen(names);
      setVariations(isDeep);
      if (key) {
        setBy(key);
        setView("groups");
      }
      if (knows(names, databases)) run(body(text, names, isDeep));
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  });
  // The first match is shown as soon as it is there.
  useEffect(() => {
    if (search && !selected && search.rows[0]) select(search.rows[0]);
  }, [search?.version, search?.rows]);
  useEffect(() => {
    if (view !== "explain" || !search) return;
    setExplanation(null);
    engine.explain(search.body.query).then(setExplanation, setExplanation);
  }, [view, search?.body]);

  const rows = useMemo(() => choose(search?.rows ?? [], order, words, next),
    [search?.rows, search?.version, order, words, next]);
  const matches = useMemo(() => {
    if (!search || !place) return [];
    const { match } = selected ?? {};
    const isSame = match?.database === place.database && match.game === place.game;
    const found = isSame ? match : search.rows.find((row) =>
      row.match.database === place.database && row.match.game === place.game)?.match;
    return (found?.positions ?? []).map(({ id }) => id);
  }, [search?.rows, place, selected]);
  const marker = useMemo(() => search && new Marker(engine, search.body), [search?.body]);
  const nextMatch = (direction: number) => {
    const at = selected ? rows.indexOf(selected) : -1;
    const row = rows[at + direction];
    if (row) select(row);
  };
  const rewrite = async (answer: Promise<{ text: string }>) => {
    setFailure("");
    setNote("");
    try {
      const { text } = await answer;
      editor.current?.replace(text);
    } catch (error) {
      const text = sentences(error instanceof Error ? error.message : String(error));
      const isOfQuery = error instanceof EngineError && error.code === "query";
      if (!isOfQuery) setFailure(text);
      // The list of errors has what is wrong; without one the query has no such form.
      else setNote(error.diagnostics.length ? "The query has errors, so it stays as it is." : text);
    }
    editor.current?.focus();
  };
  const format = () => void rewrite(engine.format(editor.current?.text() ?? query));
  const light = useCallback((span: [number, number] | null) => editor.current?.light(span), []);
  const isAsSearched = search?.body.query === query;
  const isError = ({ severity }: Diagnostic) => severity === "error";
  const live = checked.diagnostics.filter(isError);
  // The search may find errors that the check does not, or that it could not tell.
  const errors = live.length || !isAsSearched ? live : (search?.error?.diagnostics ?? []).filter(isError);
  const isCurrent = live.length === 0 || checked.text === query;
  const searched = useMemo(() => search?.body.databases ?? databases.map(({ name }) => name), [search?.body, databases]);
  const openGame = useCallback(async (database: string, game: number) => {
    const answer = await engine.game(database, game);
    setPlace({ database, game, id: 0, answer });
  }, []);
  // A keystroke in the query changes neither the list nor the game, so they are not made anew. The rows may be
  // one list that grows.
  const list = useMemo(() => marker && <MatchList rows={rows} marker={marker} selected={selected} select={select} />,
    [rows, search?.version, marker, selected]);
  const cursorThere = isAsSearched ? cursor : null;
  const detail = useMemo(() => place && search && <Detail engine={engine} place={place} matches={matches}
    body={search.body} cursor={cursorThere} light={light} nextMatch={nextMatch} databases={searched} openGame={openGame} />,
  [place, matches, search?.body, cursorThere, rows, selected, searched]);
  const hasSort = Boolean(search?.rows[0]?.match.sort?.length);

  return (
    <>
      <Shapes />
      <header class="top">
        <h1>Babson</h1>
        <Databases engine={engine} databases={databases} chosen={chosen}
          choose={(names) => {
            setChosen(names);
            run(body(query, names));
          }}
          opened={(database) => {
            setDatabases((list) => [...list.filter(({ name }) => name !== database.name), database]);
            setChosen([database.name]);
            setFailure("");
            run(body(query, [database.name]));
          }} />
        <Theme />
      </header>
      <main>
        <div class="ask">
          <section aria-label="Query" class="query">
            <Editor engine={engine} initial={query} ready={(handle) => (editor.current = handle)}
              changed={(text) => {
                setQuery(text);
                setNote("");
              }}
              checked={(diagnostics, text) => setChecked({ text, diagnostics })} cursor={setCursor} search={go} format={format} />
            <div class="tools">
              <button type="button" id="search" class="primary" onClick={go}
                title="Search (Ctrl-Enter)">Search</button>
              <button type="button" id="format" onClick={format} title="Format (Shift-Alt-F)">Format</button>
              <button type="button" id="modern" title="Rewrite a query of CQL 3 in modern CQL"
                onClick={() => void rewrite(engine.convert(editor.current?.text() ?? query, "modern"))}>To modern CQL</button>
              <label class="check"><input type="checkbox" id="variations" checked={variations}
                onChange={(event) => setVariations(event.currentTarget.checked)} /> Variations</label>
              <span class="soft" role="status" id="diagnosed">{errors.length
                ? plural(errors.length, "error", "errors")
                : checked.diagnostics.length ? plural(checked.diagnostics.length, "warning", "warnings") : ""}</span>
            </div>
            {errors.length > 0 && <Diagnostics errors={errors} apply={isCurrent ? (fix) => {
              editor.current?.apply(fix);
              editor.current?.focus();
            } : undefined} />}
            {note && <p class="soft" id="note" role="status">{note}</p>}
            {failure && <p class="note error" role="alert">{failure}</p>}
          </section>
          {search && <Status search={search} cancel={cancel} />}
          <nav class="views" aria-label="Views">
            {VIEWS.map(([id, name]) => <button type="button" id={`view-${id}`} aria-pressed={view === id ? "true" : "false"}
              onClick={() => setView(id)}>{name}</button>)}
          </nav>
          {view === "matches" && search && <section aria-label="Matches">
            <div class="tools">
              <label>Narrow <input id="narrow" type="search" placeholder="player, year, move" value={words}
                onInput={(event) => setWords(event.currentTarget.value)} /></label>
              <label>Sort <select id="sort" value={order} onChange={(event) => setOrder(event.currentTarget.value)}>
                {ORDERS.filter(([id]) => id !== "sort" || hasSort).map(([id, name]) => <option value={id}>{name}</option>)}
              </select></label>
              {next !== null && <button type="button" onClick={() => setNext(null)}
                aria-label={`Next move ${next}: show all again`}>next {next} ✕</button>}
              <span class="soft" role="status" id="shown">{rows.length === search.rows.length
                ? plural(rows.length, "position", "positions")
                : `${rows.length.toLocaleString("en")} of ${plural(search.rows.length, "position", "positions")}`}
                {search.rows.length >= MAX_ROWS ? " (the list is full)" : ""}</span>
            </div>
            {!search.isRunning && !search.error && search.rows.length === 0 && <p class="empty">
              No game matches. Open a game by its number, at <b>Another game</b>, and press <b>Why not here?</b> to
              see which filter fails first.</p>}
            {list}
          </section>}
          {view === "groups" && search && <Groups engine={engine} body={search.body} by={by}
            setBy={(key) => {
              setBy(key);
              history.replaceState(null, "", writeLink({ query: search.body.query, databases: chosen, variations, by: key }));
            }}
            narrow={(move) => {
              setNext(move);
              setView("matches");
            }} />}
          {view === "explain" && <Explain explanation={explanation} />}
          {view === "take" && search && <TakeAlong engine={engine} search={search} rows={rows}
            databases={databases.filter(({ name }) => searched.includes(name))}
            link={new URL(link(search.body.query), location.href).href} />}
        </div>
        {(search || !failure) && <div class="show">
          {detail ?? <>
            <div class="stage-empty"><p class="soft">{search && !search.isRunning
              ? "The board of a game comes here." : "The board of the first match comes here."}</p></div>
            {search && <OpenGame databases={searched} current={null} open={openGame} />}
          </>}
        </div>}
      </main>
    </>
  );
}
