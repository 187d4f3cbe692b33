// What the commands of the server answer. Rows, games and traces have the types that the page has.

import type { GameAnswer, Match, Why, WhyBody } from "@page/engine/types";

export type { GameAnswer, Match, Why, WhyBody };

/** The answer of `babson.run`. */
export interface RunAnswer {
  /** Matching games, and games that were searched. */
  matches: number;
  games: number;
  seconds: number;
  /** What ended the search before the last game. */
  stopped?: string | null;
  items: Match[];
}

/** The answer of `babson.explain`. */
export interface ExplainAnswer {
  text: string;
}

/** What the extension tells the view. */
export type ToView =
  | { type: "result"; name: string; query: string; answer: RunAnswer; canAsk: boolean }
  /** The byte of the query at which the cursor stands; `null` if the query has changed since. */
  | { type: "cursor"; byte: number | null }
  | { type: "reply"; id: number; answer?: unknown; error?: string };

/** What the view tells the extension. */
export type FromView =
  | { type: "ready" }
  /** The bytes of the query to be pointed out. */
  | { type: "light"; span: [number, number] | null }
  | { type: "ask"; id: number; command: "babson.game"; body: { database: string; game: number } }
  | { type: "ask"; id: number; command: "babson.why"; body: WhyBody };
