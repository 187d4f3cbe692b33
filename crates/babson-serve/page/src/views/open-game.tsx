// The field that opens any game of a database by its number.

import { useState } from "preact/hooks";

import { sentences } from "../sentences";

export interface OpenGameProps {
  /** The names of the databases that games can be opened of. */
  databases: readonly string[];
  /** The place that is shown, if there is one. */
  current: { database: string; game: number } | null;
  /** Opens a game; rejects if there is none of this number. */
  open(database: string, game: number): Promise<void>;
}

export function OpenGame({ databases, current, open }: OpenGameProps) {
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const first = current?.database ?? databases[0] ?? "";
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const game = Number(fields.get("number"));
    if (game < 1 || isBusy) return;
    setFailure("");
    setBusy(true);
    try {
      await open(String(fields.get("database") ?? first), game);
    } catch (error) {
      setFailure(sentences(error instanceof Error ? error.message : String(error)));
    }
    setBusy(false);
  };
  return (
    <form class="open-game" onSubmit={(event) => {
      event.preventDefault();
      void submit(event.currentTarget);
    }}>
      <label>Another game <input name="number" type="number" min={1} inputMode="numeric"
        placeholder={current ? String(current.game) : "1"} required onInput={() => setFailure("")} /></label>
      {databases.length > 1 && <label>of <select key={first} name="database">
        {databases.map((name) => <option value={name} selected={name === first}>{name}</option>)}
      </select></label>}
      <button type="submit" disabled={isBusy}>Open</button>
      {failure && <span class="failure" role="alert">{failure}</span>}
    </form>
  );
}
