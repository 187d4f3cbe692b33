// What answers the page: a server, or the library in a worker. The bodies and answers are the same.

/** A database that can be searched. */
export interface Database {
  name: string;
  /** The name of its file, without folders. */
  file: string;
  games: number;
  bytes: number;
  columns: string[];
}

export interface SearchBody {
  query: string;
  dialect?: "cqli" | "cql6";
  databases?: string[];
  limit?: number;
  variations?: boolean;
  columns?: string[];
  games?: boolean;
  timeout?: number;
}

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

/** A matching game: the object of `--format jsonl`. */
export interface Match {
  type: "match";
  database: string;
  game: number;
  number?: number;
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
  positions?: MatchPosition[];
  sort?: { name: string; value: string | number | null }[];
  comments?: { id: number; text: string }[];
  tags?: Record<string, string>;
  pgn?: string;
}

export interface Progress {
  type: "progress";
  games: number;
  total_games: number;
  matches: number;
  seconds: number;
}

export interface Summary {
  type: "summary";
  games: number;
  matches: number;
  seconds: number;
  stopped: null | "limit" | "timeout" | "steps" | "cancelled";
  /** Whose limit of matches or of time it was. */
  stopped_by?: "request" | "server";
}

export interface Message {
  type: "message" | "damaged";
  game?: number;
  text?: string;
  reason?: string;
  line?: number;
}

/** A line of the answer to a search. */
export type Line = Match | Progress | Summary | Message | ErrorLine;

/** What ended a stream before its end. */
export interface ErrorLine {
  type: "error";
  code: string;
  message: string;
  diagnostics?: Diagnostic[];
}

/** Half-open, in bytes of UTF-8. Some answers have it as a pair. */
export type Span = [number, number] | { start: number; end: number };

export interface Fix {
  title: string;
  edits: { span: Span; text: string; file?: string }[];
  certain: boolean;
}

export interface Diagnostic {
  severity: "error" | "warning";
  code: string;
  message: string;
  help?: string | null;
  span: Span;
  fixes: Fix[];
}

export interface Completion {
  label: string;
  kind: string;
  insert: string;
  doc?: string | null;
  span: Span;
}

export interface Hover {
  span: Span;
  markdown: string;
}

export interface Explanation {
  sentences: string[];
  conditions: string[];
  code: string[];
}

export interface GroupBody extends SearchBody {
  by: string[];
}

export interface Rows {
  columns: string[];
  rows: (string | number | null)[][];
  /** Which games are not counted, and why. */
  messages?: string[];
}

export interface WhyBody {
  query: string;
  database: string;
  game: number;
  ply?: number;
  variations?: boolean;
}

/** A value of a filter, as `why --json` has it: one member, named by the type. */
export type TraceValue = Record<string, unknown> | null;

export interface TraceEntry {
  depth: number;
  evaluated: number;
  matched: number;
  names_squares: boolean;
  label: string;
  span: Span;
  value?: TraceValue;
  /** The position at which it had the value, if it is another one. */
  elsewhere?: number;
}

export interface Why {
  matched: boolean;
  plies: number;
  filters: string[];
  why: {
    matches: number[];
    positions: number;
    failed: number | null;
    failures: { entry: number; positions: number; first: number }[];
    trace: { position: number; matched: boolean; entries: TraceEntry[] };
  };
}

/** A position of a game with the move that leads to it; the first is the initial position. */
export interface GameMove {
  id: number;
  parent?: number | null;
  ply: number;
  san?: string | null;
  from?: string | null;
  to?: string | null;
  fen: string;
  comments?: string[];
}

export interface GameAnswer {
  game: number;
  tags: Record<string, string>;
  moves: GameMove[];
  pgn: string;
}

/** An error that the engine has answered, or that kept it from answering. */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly diagnostics: Diagnostic[] = [],
  ) {
    super(message);
  }
}

export interface Engine {
  /** Whether a file can be brought along: in the browser it can, and it stays there. */
  readonly opensFiles: boolean;
  /** Milliseconds without a keystroke until a query is checked. */
  readonly checkDelay: number;
  databases(): Promise<Database[]>;
  /** Searches until the end, or until the signal cancels it. Lines come in batches. */
  search(body: SearchBody, signal: AbortSignal, each: (lines: Line[]) => void): Promise<void>;
  group(body: GroupBody, signal: AbortSignal): Promise<Rows>;
  check(query: string): Promise<{ diagnostics: Diagnostic[]; dialect: string | null }>;
  complete(query: string, offset: number): Promise<{ items: Completion[] }>;
  hover(query: string, offset: number): Promise<Hover | null>;
  format(query: string): Promise<{ text: string }>;
  convert(query: string, to: "modern" | "ascii" | "unicode"): Promise<{ text: string }>;
  explain(query: string): Promise<Explanation>;
  why(body: WhyBody): Promise<Why>;
  game(database: string, number: number): Promise<GameAnswer>;
  /** Opens a file of the user. Only where `opensFiles`. */
  open(file: File, progress: (bytes: number) => void): Promise<Database>;
}

/** What the components of one game ask: a part of an engine. */
export type GameEngine = Pick<Engine, "game" | "why">;

/** The two ends of a span. */
export const ends = (span: Span): [number, number] =>
  Array.isArray(span) ? span : [span.start, span.end];
