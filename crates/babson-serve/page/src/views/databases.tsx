// Which databases are searched, and a file of one's own.

import { plural } from "@report/text";
import { useEffect, useRef, useState } from "preact/hooks";

import type { Database, Engine } from "../engine/types";
import { sentences } from "../sentences";

export interface DatabasesProps {
  engine: Engine;
  databases: readonly Database[];
  chosen: readonly string[];
  choose(names: string[]): void;
  /** A file of the user is open now. */
  opened(database: Database): void;
}

const size = (bytes: number): string =>
  bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;

export function Databases({ engine, databases, chosen, choose, opened }: DatabasesProps) {
  const [state, setState] = useState("");
  const [isFailure, setFailure] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File) => {
    setState(`Opening ${file.name}…`);
    setFailure(false);
    try {
      const database = await engine.open(file, (bytes) =>
        setState(`Opening ${file.name}: ${size(bytes)}`));
      setState(`${file.name}: ${plural(database.games, "game", "games")}. It stays in this browser.`);
      opened(database);
    } catch (error) {
      setState(`${file.name}: ${sentences(error instanceof Error ? error.message : String(error))}`);
      setFailure(true);
    }
  };
  useEffect(() => {
    if (!engine.opensFiles) return;
    const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files");
    const over = (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (!isFile(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) void open(file);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [engine]);
  const all = chosen.length === 0;
  return (
    <div class="databases">
      <label>Database <select id="database" value={all && databases.length !== 1 ? "" : chosen[0] ?? databases[0]?.name}
        onChange={(event) => choose(event.currentTarget.value ? [event.currentTarget.value] : [])}>
        {databases.length !== 1 && <option value="">{databases.length
          ? `all (${plural(databases.length, "database", "databases")})` : "none"}</option>}
        {databases.map(({ name, games }) =>
          <option value={name}>{`${name} (${games.toLocaleString("en")})`}</option>)}
      </select></label>
      {engine.opensFiles && <>
        <button type="button" id="choose-file" onClick={() => input.current!.click()}>Open a PGN…</button>
        <input ref={input} class="offscreen" type="file" tabIndex={-1} aria-label="A PGN or a game table"
          accept=".pgn,.txt,.gz,.zst,.zip,.arrow" onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = "";
            if (file) void open(file);
          }} />
      </>}
      <span class={isFailure ? "failure" : "soft"} role="status">{state}</span>
      {isOver && <div class="drop-hint">Drop a PGN or a game table: it is searched here and not uploaded.</div>}
    </div>
  );
}
