// How often: the matches in groups, as a chart and as a table.

import { plural } from "@report/text";
import { useEffect, useState } from "preact/hooks";

import type { Engine, Rows, SearchBody } from "../engine/types";
import { bare } from "../order";
import { sentences } from "../sentences";

/** The groups that are offered. */
export const KEYS: readonly [by: string, name: string][] = [
  ["next", "next move"],
  ["year", "year"],
  ["decade", "decade"],
  ["eco", "opening (ECO)"],
  ["eco:1", "part of ECO (A to E)"],
  ["player", "player"],
  ["white_elo/100", "rating of White"],
  ["result", "result"],
  ["event", "event"],
  ["movenumber/10", "move number"],
];

/** Bars of the chart; the table has all rows. */
const MAX_BARS = 24;
/** Rows of the table until somebody asks for all. */
const MAX_TABLE = 100;

export interface GroupsProps {
  engine: Engine;
  body: SearchBody;
  by: string;
  setBy(by: string): void;
  /** Shows only the matches with this next move. */
  narrow(next: string): void;
}

/** A row of groups in the columns that the chart needs. */
interface Bar {
  name: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  performance: number | null;
}

function barsOf({ columns, rows }: Rows): Bar[] {
  const at = (name: string) => columns.indexOf(name);
  const number = (row: (string | number | null)[], name: string) => Number(row[at(name)] ?? 0) || 0;
  const maybe = (row: (string | number | null)[], name: string) => {
    const cell = row[at(name)];
    return typeof cell === "number" ? cell : null;
  };
  return rows.map((row) => ({
    name: row[0] === null || row[0] === undefined || row[0] === "" ? "(none)" : String(row[0]),
    games: number(row, "games"),
    won: number(row, "won"),
    drawn: number(row, "drawn"),
    lost: number(row, "lost"),
    performance: maybe(row, "performance"),
  }));
}

/** Bars of games, each in its parts: won, drawn and lost for White. The table below has the numbers. */
function Chart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const [row, gap, names, width] = [22, 6, 150, 640];
  const numbers = bars.some((bar) => bar.performance !== null) ? 120 : 60;
  const most = Math.max(1, ...bars.map((bar) => bar.games));
  const scale = (games: number) => (games / most) * (width - names - numbers);
  const height = bars.length * (row + gap);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {bars.map((bar, at) => {
        const y = at * (row + gap);
        const other = Math.max(0, bar.games - bar.won - bar.drawn - bar.lost);
        let x = names;
        const parts: [string, number][] = [["won", bar.won], ["drawn", bar.drawn], ["lost", bar.lost], ["other", other]];
        const name = bar.name.length > 20 ? `${bar.name.slice(0, 19)}…` : bar.name;
        return (
          <g>
            <text class="name" x={names - 8} y={y + row * 0.72}>{name}</text>
            {parts.filter(([, games]) => games > 0).map(([part, games]) => {
              const w = scale(games);
              const rect = <rect class={part} x={x} y={y} width={w} height={row}>
                <title>{`${bar.name}: ${games} ${part}`}</title></rect>;
              x += w;
              return rect;
            })}
            <text class="count" x={x + 6} y={y + row * 0.72}>{bar.games.toLocaleString("en")}
              {bar.performance !== null && <tspan class="performance">{` · ${bar.performance}`}</tspan>}</text>
          </g>
        );
      })}
    </svg>
  );
}

export function Groups({ engine, body, by, setBy, narrow }: GroupsProps) {
  const [rows, setRows] = useState<Rows | null>(null);
  const [failure, setFailure] = useState("");
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    setRows(null);
    setFailure("");
    setWhole(false);
    const { query, databases, variations } = body;
    engine.group({ query, databases, ...(variations && { variations }), by: [by] }, control.signal).then(
      (rows) => !control.signal.aborted && setRows(rows),
      (error: Error) => !control.signal.aborted && setFailure(sentences(error.message)),
    );
    return () => control.abort();
  }, [body, by]);
  const bars = rows ? barsOf(rows) : [];
  const messages = rows?.messages ?? [];
  const isMove = by === "next" || by === "next.san";
  const name = KEYS.find(([id]) => id === by)?.[1] ?? by;
  const label = `Games by ${name}: ${bars.slice(0, 5).map((bar) => `${bar.name} ${bar.games}`).join(", ")}${
    bars.length > 5 ? ", and more in the table" : ""}`;
  return (
    <section class="groups" aria-label="How often">
      <div class="tools">
        <label>By <select id="by" value={by} onChange={(event) => setBy(event.currentTarget.value)}>
          {KEYS.map(([id, name]) => <option value={id}>{name}</option>)}
          {!KEYS.some(([id]) => id === by) && <option value={by}>{by}</option>}
        </select></label>
        <span class="soft" role="status">{rows ? plural(bars.length, "group", "groups") : failure ? "" : "Counting…"}</span>
      </div>
      {failure && <p class="note" role="alert">{failure}</p>}
      {messages.length > 0 && <div class="note messages" role="status">
        <p>{messages.length === 1 ? "A game is not counted:" : "Games are not counted:"}</p>
        <ul>{messages.map((text) => <li>{sentences(text)}</li>)}</ul>
      </div>}
      {rows && bars.length === 0 && <p class="soft">No game matches, so there is nothing to count.</p>}
      {bars.length > 0 && <>
        <Chart bars={bars.slice(0, MAX_BARS)} label={label} />
        <p class="soft key"><i class="won" /> won <i class="drawn" /> drawn <i class="lost" /> lost{
          by === "player" ? ", for the player" : ", for White"}{
          bars.some((bar) => bar.performance !== null) && "; the numbers are games · rating performance"}</p>
        <div class="table-box" tabIndex={0} role="region" aria-label={`Table by ${name}`}>
          <table>
            <caption class="offscreen-text">{`Games by ${name}`}</caption>
            <thead><tr>{rows!.columns.map((column, at) =>
              <th scope="col" class={at ? "number" : undefined}>{column}</th>)}</tr></thead>
            <tbody>
              {rows!.rows.slice(0, isWhole ? undefined : MAX_TABLE).map((row, at) => (
                <tr>{row.map((cell, column) => column === 0
                  ? <th scope="row">{isMove && cell
                    ? <button type="button" class="link" title="Show only the matches with this next move"
                        onClick={() => narrow(bare(String(cell)))}>{cell}</button>
                    : bars[at]!.name}</th>
                  : <td class="number">{typeof cell !== "number" ? cell ?? ""
                    : rows!.columns[column] === "performance" ? cell : cell.toLocaleString("en")}</td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
        {!isWhole && rows!.rows.length > MAX_TABLE && <button type="button" onClick={() => setWhole(true)}>
          Show all {rows!.rows.length.toLocaleString("en")} groups</button>}
      </>}
    </section>
  );
}
