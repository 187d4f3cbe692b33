// A search in progress: its matches as they come.

import { useEffect, useRef, useState } from "preact/hooks";

import {
  EngineError, type Engine, type Match, type MatchPosition, type Message, type Progress,
  type SearchBody, type Summary,
} from "./engine/types";

/** A line of the list: a matching position, or a game that matches as a whole. */
export interface Row {
  match: Match;
  position: MatchPosition | null;
  /** What a search in the list looks at; made when first asked. */
  words?: string;
}

/** Rows that the page keeps. More matches are counted, and a search with a narrower query has them. */
export const MAX_ROWS = 500_000;
/** Messages of queries and damages that are shown. */
const MAX_MESSAGES = 200;
/** Milliseconds between two drawings of a running search, at least. */
const REDRAW = 100;
/** Rows that are sorted and narrowed in a millisecond, or fewer: a long list is drawn less often, so
 * that the page stays responsive. */
const ROWS_PER_MS = 100;

export interface Search {
  /** The query and options that were searched. */
  body: SearchBody;
  rows: Row[];
  /** Matching games. */
  games: number;
  /** Grows with each change of the rows. */
  version: number;
  progress: Progress | null;
  summary: Summary | null;
  messages: Message[];
  /** Messages and rows for which there is no room. */
  leftOut: { messages: number; rows: number };
  error: EngineError | null;
  isRunning: boolean;
}

const started = (body: SearchBody): Search => ({
  body, rows: [], games: 0, version: 0, progress: null, summary: null, messages: [],
  leftOut: { messages: 0, rows: 0 }, error: null, isRunning: true,
});

function take(search: Search, match: Match): void {
  search.games++;
  const positions: (MatchPosition | null)[] = match.positions?.length ? match.positions : [null];
  for (const position of positions) {
    if (search.rows.length < MAX_ROWS) search.rows.push({ match, position });
    else search.leftOut.rows++;
  }
}

export interface Searcher {
  search: Search | null;
  start(body: SearchBody): void;
  cancel(): void;
}

/** The search of the page. A new one cancels the one before it. */
export function useSearch(engine: Engine): Searcher {
  const [search, setSearch] = useState<Search | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (body: SearchBody) => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    const current = started(body);
    let lastDrawn = 0;
    const draw = () => {
      if (running.current !== control) return;
      lastDrawn = performance.now();
      // The rows are one growing list: a copy of its frame tells that it has changed.
      setSearch({ ...current });
    };
    draw();
    const end = (error: EngineError | null) => {
      current.isRunning = false;
      current.error = error;
      current.version++;
      draw();
    };
    engine.search(body, control.signal, (lines) => {
      for (const line of lines) {
        if (line.type === "match") take(current, line);
        else if (line.type === "progress") current.progress = line;
        else if (line.type === "summary") current.summary = line;
        else if (line.type === "error") continue;
        else if (current.messages.length < MAX_MESSAGES) current.messages.push(line);
        else current.leftOut.messages++;
      }
      current.version++;
      const pause = Math.max(REDRAW, current.rows.length / ROWS_PER_MS);
      if (performance.now() - lastDrawn > pause || current.summary) draw();
    }).then(() => end(null), (error: unknown) => {
      if (control.signal.aborted) {
        current.summary ??= {
          type: "summary", games: current.progress?.games ?? 0, matches: current.games,
          seconds: current.progress?.seconds ?? 0, stopped: "cancelled",
        };
        return end(null);
      }
      end(error instanceof EngineError ? error : new EngineError("page", String(error)));
    });
  };
  return { search, start, cancel: () => running.current?.abort() };
}
