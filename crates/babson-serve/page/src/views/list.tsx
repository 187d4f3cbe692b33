// The matches as a grid of boards. Only the rows near the view are in the document, so that a
// hundred thousand matches scroll as ten do.

import { Board } from "@report/board";
import { isWhiteToMove, piecesInWords, piecesOf, squareIndex } from "@report/chess";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Row } from "../search";
import { useMarks, type Marker } from "../traces";

/** The least width of a board with its words, in pixels; a phone has two in a row. */
const MIN_WIDTH = 158;
const GAP = 12;
/** Pixels of the words below a board. */
const WORDS = 68;
/** Rows of the grid above and below the view that are made. */
const SPARE = 2;
/** A browser cuts elements that are higher, so a longer list scrolls by a larger step. */
const MAX_HEIGHT = 8_000_000;

export interface ListProps {
  rows: readonly Row[];
  marker: Marker;
  selected: Row | null;
  select(row: Row): void;
}

/** Who played, and when. */
export const players = (row: Row): string => `${row.match.white || "?"} – ${row.match.black || "?"}`;

export const dateOf = (row: Row): string =>
  row.match.date ?? (row.match.year ? String(row.match.year) : "");

/** The squares of a move in SAN are not in the row: only its target is certain. */
function target(move: string | undefined): number {
  const found = move?.match(/([a-h][1-8])(?:=\w)?[+#]?$/);
  return found ? squareIndex(found[1]!) : -1;
}

interface ItemProps {
  row: Row;
  marker: Marker;
  isSelected: boolean;
  /** Whether Tab stops at it: at one match of the list, and arrows go on from there. */
  isStop: boolean;
  select(row: Row): void;
  at: number;
  count: number;
}

function Item({ row, marker, isSelected, isStop, select, at, count }: ItemProps) {
  const { position, match } = row;
  const pieces = position ? piecesOf(position.fen) : [];
  const to = target(position?.move);
  const found = useMarks(marker, row);
  // Until the marks of the filters are known, and if there are none, the last move is marked.
  const marks = found?.length || to < 0 ? found ?? [] : [{ filter: -1, color: 3, text: "last move", squares: [to] }];
  const label = position && `${isWhiteToMove(position.fen) ? "White" : "Black"} to move. ${
    piecesInWords(pieces).join(". ")}.`;
  return (
    <li class="item" aria-setsize={count} aria-posinset={at + 1}>
      <button type="button" class="card" aria-current={isSelected ? "true" : undefined}
        data-at={at} tabIndex={isStop ? 0 : -1} onClick={() => select(row)}>
        {position
          ? <span class="board" role="img" aria-label={label ?? ""}><Board pieces={pieces} marks={marks} /></span>
          : <span class="board"><span class="whole">The game matches as a whole, at no position.</span></span>}
        <span class="card-words">
          <b>{position?.move ?? "Start"}</b> <span class="result">{match.result}</span>
          <span class="names">{players(row)}</span>
          <span class="soft">{[dateOf(row), match.event].filter((part) => part && part !== "?").join(" · ")}</span>
        </span>
      </button>
    </li>
  );
}

export function MatchList({ rows, marker, selected, select }: ListProps) {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ width: 0, top: 0, height: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const box = host.current!.getBoundingClientRect();
      setView((old) => {
        const view = { width: box.width, top: Math.max(0, -box.top), height: window.innerHeight };
        return old.width === view.width && old.top === view.top && old.height === view.height ? old : view;
      });
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(host.current!);
    window.addEventListener("scroll", measure, { passive: true });
    window.addEventListener("resize", measure);
    return () => {
      sizes.disconnect();
      window.removeEventListener("scroll", measure);
      window.removeEventListener("resize", measure);
    };
  }, []);
  const columns = Math.max(1, Math.floor((view.width + GAP) / (MIN_WIDTH + GAP)));
  const width = (view.width - GAP * (columns - 1)) / columns;
  const rowHeight = Math.round(width + WORDS + GAP);
  const count = Math.ceil(rows.length / columns);
  const height = Math.min(count * rowHeight, MAX_HEIGHT);
  // How many rows a scrolled row stands for; 1 but for the longest lists.
  const pace = height > 0 ? (count * rowHeight) / height : 1;
  const first = Math.max(0, Math.min(Math.floor((view.top * pace) / rowHeight), count - 1) - SPARE);
  const shown = Math.ceil(view.height / rowHeight) + 2 * SPARE + 1;
  const top = pace === 1 ? first * rowHeight : Math.max(0, view.top - SPARE * rowHeight);
  const visible = rows.slice(first * columns, (first + shown) * columns);
  const stop = selected && visible.includes(selected) ? selected : visible[0];
  const focusOn = useRef<number | null>(null);
  useEffect(() => {
    if (focusOn.current === null) return;
    const card = host.current?.querySelector<HTMLElement>(`[data-at="${focusOn.current}"]`);
    if (card) {
      focusOn.current = null;
      card.focus();
      card.scrollIntoView({ block: "nearest" });
    }
  });
  const press = (event: KeyboardEvent) => {
    const card = (event.target as HTMLElement).closest<HTMLElement>(".card");
    const steps: Record<string, number> = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -Infinity, End: Infinity,
    };
    const step = steps[event.key];
    if (!card || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = Math.max(0, Math.min(rows.length - 1, Number(card.dataset.at) + step));
    focusOn.current = to;
    const row = Math.floor(to / columns);
    if (row < first || row >= first + shown) {
      // The card is not in the document yet.
      const box = host.current!.getBoundingClientRect();
      window.scrollTo({ top: window.scrollY + box.top + (row * rowHeight) / pace });
    }
    select(rows[to]!);
  };
  return (
    <div class="matches" ref={host} style={{ height: `${height}px` }}>
      <ol class="window" aria-label="Matches" onKeyDown={press} style={{
        transform: `translateY(${top}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
      }}>
        {visible.map((row, at) => (
          <Item key={first * columns + at} row={row} marker={marker} at={first * columns + at} count={rows.length}
            isSelected={row === selected} isStop={row === stop} select={select} />
        ))}
      </ol>
    </div>
  );
}
