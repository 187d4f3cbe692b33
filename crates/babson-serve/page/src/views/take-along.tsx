// The menu of everything that can be taken along.

import { copyText } from "@report/text";
import { useState } from "preact/hooks";

import type { Database, Engine } from "../engine/types";
import type { Row, Search } from "../search";
import { command, csv, jsonLines, pgn, save } from "../take";
import { reportOf } from "../report-file";

export interface TakeAlongProps {
  engine: Engine;
  search: Search;
  /** The rows as they are narrowed and ordered. */
  rows: readonly Row[];
  link: string;
  /** The databases that were searched. */
  databases: readonly Database[];
}

export function TakeAlong({ engine, search, rows, link, databases }: TakeAlongProps) {
  // A server may have stopped at a limit of its own.
  const limit = search.summary?.stopped === "limit" ? search.games : search.body.limit;
  const words = command({ ...search.body, limit }, databases, "matches.pgn");
  const [said, say] = useState("");
  const [isBusy, setBusy] = useState(false);
  const copy = async (what: string, text: string) =>
    say(await copyText(text) ? `${what} copied` : `This browser does not let the page copy the ${what}.`);
  /** Makes a file, which may take a while. */
  const make = async (name: string, type: string, parts: () => Promise<string[]> | string[]) => {
    setBusy(true);
    say(`Writing ${name}…`);
    try {
      save(name, await parts(), type);
      say(`${name} written`);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  const none = rows.length === 0 || isBusy;
  return (
    <section class="take" aria-label="Take along">
      <div class="tools">
        <button type="button" disabled={none} onClick={() =>
          make("matches.pgn", "application/x-chess-pgn", () => pgn(engine, search.body, new AbortController().signal))}>PGN</button>
        <button type="button" disabled={none} onClick={() => make("matches.csv", "text/csv", () => csv(rows))}>CSV</button>
        <button type="button" disabled={none} onClick={() =>
          make("matches.jsonl", "application/x-ndjson", () => jsonLines(rows))}>JSON lines</button>
        <button type="button" disabled={none} onClick={() =>
          make("matches.html", "text/html", () => reportOf(engine, search.body, rows))}>HTML report</button>
        <button type="button" onClick={() => copy("Link", link)}>Copy link</button>
      </div>
      <p><label for="command">The same with the command; with <code>-o matches.arrow</code> it writes an Arrow table</label></p>
      <div class="tools command-line">
        <input id="command" readOnly value={words} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" onClick={() => copy("Command", words)}>Copy command</button>
      </div>
      <p class="soft" role="status">{said}</p>
    </section>
  );
}
