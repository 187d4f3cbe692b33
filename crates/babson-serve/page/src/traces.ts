// The marks of the boards in the list: the page asks what the filters did at a match when its board
// has been in view for a moment, a few at a time.

import type { Mark } from "@report/marks";
import { useEffect, useState } from "preact/hooks";

import type { GameEngine, SearchBody } from "./engine/types";
import { tracedOf } from "./game";
import type { Row } from "./search";

/** Milliseconds that a board stays in view before the page asks for its marks: it asks for none while one scrolls. */
const REST = 200;
/** Requests at once. */
const MAX_REQUESTS = 2;

interface Wish {
  row: Row;
  done(marks: readonly Mark[]): void;
  control: AbortController;
}

/** Asks for marks, the ones that were wanted last first. */
export class Marker {
  private readonly known = new WeakMap<Row, readonly Mark[]>();
  private readonly waiting: Wish[] = [];
  private running = 0;

  constructor(private readonly engine: GameEngine, private readonly body: SearchBody) {}

  get(row: Row): readonly Mark[] | undefined {
    return this.known.get(row);
  }

  /** Calls `done` with the marks of a row, unless the returned function is called before. */
  ask(row: Row, done: (marks: readonly Mark[]) => void): () => void {
    const wish = { row, done, control: new AbortController() };
    this.waiting.push(wish);
    this.work();
    return () => {
      wish.control.abort();
      const at = this.waiting.indexOf(wish);
      if (at >= 0) this.waiting.splice(at, 1);
    };
  }

  private work(): void {
    while (this.running < MAX_REQUESTS) {
      const wish = this.waiting.pop();
      if (!wish) return;
      this.running++;
      const { row, done, control: { signal } } = wish;
      void this.marks(row, signal).then((marks) => {
        this.running--;
        if (!signal.aborted) {
          this.known.set(row, marks);
          done(marks);
        }
        this.work();
      });
    }
  }

  /** The marks of a row; none if the engine cannot tell, for instance in a variation. */
  private async marks({ match, position }: Row, signal: AbortSignal): Promise<readonly Mark[]> {
    if (!position) return [];
    const { query, variations } = this.body;
    const { database, game } = match;
    const body = { query, database, game, ply: position.ply, ...(variations && { variations }) };
    try {
      const traced = tracedOf(await this.engine.why(body, signal));
      return traced.isMatch && traced.position === position.id ? traced.marks : [];
    } catch {
      return [];
    }
  }
}

/** The marks of a row; `null` until they are known. */
export function useMarks(marker: Marker, row: Row): readonly Mark[] | null {
  const [, redraw] = useState(0);
  const known = marker.get(row) ?? null;
  useEffect(() => {
    if (known) return;
    let cancel = () => {};
    const timer = setTimeout(() => {
      cancel = marker.ask(row, () => redraw((count) => count + 1));
    }, REST);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [marker, row]);
  return known;
}
