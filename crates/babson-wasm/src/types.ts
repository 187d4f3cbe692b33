/** The bodies and answers, which the functions take and give as JSON. Spans are half-open, in bytes of UTF-8. */
export type Span = [number, number];
export interface Edit { span: Span; text: string; file?: string }
export interface Fix { title: string; edits: Edit[]; certain: boolean }
export interface Diagnostic {
  severity: "error" | "warning";
  code: string;
  message: string;
  help: string | null;
  span: Span;
  file?: string;
  related: { span: Span; file?: string; message: string }[];
  fixes: Fix[];
}
export interface QueryBody { query: string; dialect?: "cqli" | "cql6" }
export interface PlaceBody extends QueryBody { offset: number }
export interface ConvertBody extends QueryBody { to: "modern" | "ascii" | "unicode" }
export interface CheckAnswer { diagnostics: Diagnostic[]; dialect: string | null }
export interface CompleteItem { label: string; kind: string; insert: string; doc: string | null; span: Span }
export interface CompleteAnswer { items: CompleteItem[] }
export interface HoverAnswer { span: Span; markdown: string }
export interface TextAnswer { text: string; changes?: Diagnostic[] }
export interface ExplainAnswer { sentences: string[]; conditions: string[]; code: string[] }
/** A file that is read where it is: `read` gives the bytes at once. */
export interface FileBytes { readonly size: number; read(offset: number, length: number): Uint8Array }
export interface DatabaseAnswer { name: string; games: number; bytes: number; columns: string[] }
export interface SearchBody extends QueryBody {
  databases?: string[];
  limit?: number;
  variations?: boolean;
  games?: boolean;
  timeout?: number;
}
export interface GroupBody extends SearchBody { by: string[] }
export interface GroupAnswer {
  columns: string[];
  rows: (string | number | null)[][];
  /** Which games are not counted, and why. */
  messages?: string[];
}
export interface WhyBody extends QueryBody { database: string; game: number; ply?: number; variations?: boolean }
export interface GameBody { database: string; game: number }
/** A position of a game with the move that leads to it; the first is the initial position. */
export interface MoveAnswer {
  id: number;
  parent?: number;
  ply: number;
  san?: string;
  from?: string;
  to?: string;
  fen: string;
  comments?: string[];
  nags?: number[];
}
export interface GameAnswer { game: number; tags: Record<string, string>; moves: MoveAnswer[]; pgn: string }
/** How far a search is. */
export interface ProgressLine { type: "progress"; games: number; total_games: number; matches: number; seconds: number }
/** A matching position. */
export interface MatchPosition {
  id: number;
  ply: number;
  /** The move that leads to it, with its number; not at the initial position. */
  move?: string;
  /** The move that was played in it. */
  next?: string;
  fen: string;
}
/** A game that matches: the object of `--format jsonl`. */
export interface MatchLine {
  type: "match";
  database: string;
  game: number;
  input: string;
  number: number;
  offset: number;
  white?: string | null;
  black?: string | null;
  white_elo?: number | null;
  black_elo?: number | null;
  result?: string | null;
  event?: string | null;
  site?: string | null;
  round?: string | null;
  date?: string | null;
  year?: number | null;
  eco?: string | null;
  positions: MatchPosition[];
  comments: { id: number; text: string }[];
  sort: { name: string; value: string | number | null }[];
  tags: Record<string, string>;
  pgn?: string;
}
/** What the query says, or what the user should know. */
export interface MessageLine { type: "message"; database?: string; game?: number; text: string }
/** A game with a damage, which was searched up to it. */
export interface DamagedLine {
  type: "damaged";
  database: string;
  game: number;
  line: number;
  reason: string;
  text: string;
  more: number;
}
/** An error that ended a search. */
export interface ErrorLine { type: "error"; code: string; message: string; diagnostics?: Diagnostic[] }
/** A line of a search; the last one is a summary or an error. */
export type SearchLine = ProgressLine | MatchLine | MessageLine | DamagedLine | SummaryLine | ErrorLine;
export interface SummaryLine {
  type: "summary";
  games: number;
  matches: number;
  seconds: number;
  stopped: null | "limit" | "timeout" | "steps" | "cancelled";
  /** Whose limit of matches or of time it was. */
  stopped_by?: "request" | "server";
}
export interface ErrorAnswer { error: { code: string; message: string; diagnostics?: Diagnostic[] } }
