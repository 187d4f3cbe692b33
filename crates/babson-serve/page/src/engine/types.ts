// What answers the page: a server, or the library in a worker. The bodies and answers are the same.

import type {
  CheckAnswer, CompleteAnswer, ConvertBody, DamagedLine, DatabaseAnswer, Diagnostic, ErrorLine, ExplainAnswer,
  GameAnswer, GroupAnswer, HoverAnswer, MatchLine, MessageLine, ProgressLine, SearchBody as LibrarySearchBody,
  SummaryLine, TextAnswer, WhyBody,
} from "../../../../babson-wasm/src/types";

export type {
  CheckAnswer, CompleteAnswer, DatabaseAnswer, Diagnostic, FileBytes, Fix, GameAnswer, HoverAnswer, MatchPosition,
  MoveAnswer as GameMove, TextAnswer, WhyBody,
} from "../../../../babson-wasm/src/types";
export type Progress = ProgressLine;
export type Summary = SummaryLine;
export type Message = MessageLine | DamagedLine;
export type Explanation = ExplainAnswer;
export type Rows = GroupAnswer;

/** A database that can be searched. */
export interface Database extends DatabaseAnswer {
  /** The name of its file, without folders. */
  file: string;
}

export interface SearchBody extends LibrarySearchBody {
  /** The columns of a match that the server gives, in place of all. The library takes none. */
  columns?: string[];
}

export interface GroupBody extends SearchBody {
  by: string[];
}

/** A matching game: the object of `--format jsonl`, or only its columns for which the body asks. */
export type Match = Pick<MatchLine, "type" | "database" | "game"> & Partial<MatchLine>;

/** A line of the answer to a search. */
export type Line = Match | Progress | Summary | Message | ErrorLine;

/** A value of a filter, as `why --json` has it: one member, named by the type. */
export type TraceValue = Record<string, unknown> | null;

export interface TraceEntry {
  depth: number;
  evaluated: number;
  matched: number;
  names_squares: boolean;
  label: string;
  span: { start: number; end: number };
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
  check(query: string): Promise<CheckAnswer>;
  complete(query: string, offset: number): Promise<CompleteAnswer>;
  hover(query: string, offset: number): Promise<HoverAnswer | null>;
  format(query: string): Promise<TextAnswer>;
  convert(query: string, to: ConvertBody["to"]): Promise<TextAnswer>;
  explain(query: string): Promise<Explanation>;
  why(body: WhyBody, signal: AbortSignal): Promise<Why>;
  game(database: string, number: number): Promise<GameAnswer>;
  /** Opens a file of the user. Only where `opensFiles`. */
  open(file: File, progress: (bytes: number) => void): Promise<Database>;
}

/** What the components of one game ask: a part of an engine. */
export type GameEngine = Pick<Engine, "game" | "why">;
