// What a search has done so far, and how it ended.

import { plural } from "@report/text";

import type { Summary } from "../engine/types";
import type { Search } from "../search";
import { sentences } from "../sentences";

/** Why a search ended before the last game. */
function ending({ stopped, stopped_by }: Summary): string {
  const whose = stopped_by === "server" ? "server's limit" : "limit";
  switch (stopped) {
    case "limit": return `It stopped at the ${whose} of matches.`;
    case "timeout": return `It stopped at the ${whose} of time.`;
    case "steps": return "It stopped because the query took too many steps in a game.";
    case "cancelled": return "It was cancelled.";
    case null: return "";
  }
}

const seconds = (value: number) => `${value < 10 ? value.toPrecision(2) : Math.round(value)} s`;

export function Status({ search, cancel }: { search: Search; cancel(): void }) {
  const { progress, summary, isRunning, error, messages, leftOut } = search;
  const done = progress && progress.total_games ? progress.games / progress.total_games : 0;
  const games = plural(search.games, "game", "games");
  return (
    <div class="status">
      {isRunning && <div class="running">
        <progress max={1} value={done} aria-label="Games searched" />
        <button type="button" id="cancel" onClick={cancel}>Cancel</button>
      </div>}
      <p role="status" id="summary">
        {isRunning
          ? `${games} so far${progress ? `, ${progress.games.toLocaleString("en")} of ${progress.total_games.toLocaleString("en")} searched in ${seconds(progress.seconds)}` : ""}`
          : summary
            ? `${search.games === 1 ? "1 game matches" : `${search.games.toLocaleString("en")} games match`}, ${
              plural(summary.games, "game", "games")} searched in ${seconds(summary.seconds)}.`
            : error ? (error.diagnostics.length ? "The query has errors." : "") : games}
        {summary?.stopped ? ` ${ending(summary)}` : ""}
        {leftOut.rows > 0 && ` The list has no room for ${plural(leftOut.rows, "position", "positions")} more.`}
      </p>
      {error && error.diagnostics.length === 0 &&
        <div class="note error" role="alert"><p>{sentences(error.message)}</p></div>}
      {messages.length > 0 && <details class="messages">
        <summary>{plural(messages.length + leftOut.messages, "message", "messages")} of the search</summary>
        <ul>{messages.map((message) => (
          <li>{message.game ? `Game ${message.game}: ` : ""}{message.type === "damaged"
            ? `damaged at line ${message.line}: ${message.reason} ${message.text}` : message.text}</li>
        ))}</ul>
      </details>}
    </div>
  );
}
