// The engine behind `babson serve`.

import { LineReader, errorOf } from "./lines";
import {
  EngineError, type CheckAnswer, type CompleteAnswer, type Database, type Engine, type Explanation,
  type GameAnswer, type GroupBody, type HoverAnswer, type Line, type Rows, type SearchBody, type TextAnswer,
  type Why, type WhyBody,
} from "./types";

/** Asks for the token of a server that wants one; `null` if there is none to be had. */
export type AskToken = (again: boolean) => Promise<string | null>;

const TOKEN = "babson-token";

export class ServerEngine implements Engine {
  readonly opensFiles = false;
  readonly checkDelay = 120;
  private token: string | null = sessionStorage.getItem(TOKEN);

  constructor(private readonly askToken: AskToken) {}

  private async send(path: string, init: RequestInit): Promise<Response> {
    for (let again = false; ; again = true) {
      const headers: Record<string, string> = {};
      if (init.body) headers["Content-Type"] = "application/json";
      if (this.token) headers.Authorization = `Bearer ${this.token}`;
      let response: Response;
      try {
        response = await fetch(`api/${path}`, { ...init, headers });
      } catch (error) {
        if (init.signal?.aborted) throw error;
        throw new EngineError("offline", "The server does not answer. Is it still running? Try again when it is.");
      }
      if (response.ok) return response;
      if (response.status === 401) {
        this.token = await this.askToken(again || this.token !== null);
        if (this.token !== null) {
          sessionStorage.setItem(TOKEN, this.token);
          continue;
        }
        sessionStorage.removeItem(TOKEN);
      }
      const body: unknown = await response.json().catch(() => null);
      if (body) throw errorOf(body);
      const retry = response.headers.get("Retry-After");
      throw new EngineError(String(response.status), `The server answers with status ${response.status}${
        retry ? `; try again in ${retry} s` : ""}.`);
    }
  }

  private async ask<T>(path: string, init: RequestInit): Promise<T> {
    const response = await this.send(path, init);
    try {
      return (await response.json()) as T;
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new EngineError("broken", "The answer of the server broke off. Try again.");
    }
  }

  private post = <T>(path: string, body: object, signal?: AbortSignal) =>
    this.ask<T>(path, { method: "POST", body: JSON.stringify(body), signal });

  async databases(): Promise<Database[]> {
    const answer = await this.ask<Database[] | { databases: Database[] }>("databases", {});
    return Array.isArray(answer) ? answer : answer.databases;
  }

  async search(body: SearchBody, signal: AbortSignal, each: (lines: Line[]) => void): Promise<void> {
    const response = await this.send("search", { method: "POST", body: JSON.stringify(body), signal });
    const reader = response.body!.getReader();
    let isWhole = false;
    const lines = new LineReader((batch) => {
      isWhole ||= batch.some((line) => line.type === "summary");
      each(batch);
    });
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (signal.aborted) throw error;
        return { done: true as const, value: undefined };
      });
      if (done) break;
      lines.push(value);
    }
    if (!isWhole || lines.unfinished) {
      throw new EngineError("broken", "The answer broke off: the matches below are not all. Search again.");
    }
  }

  group = (body: GroupBody, signal: AbortSignal) => this.post<Rows>("group", body, signal);
  check = (query: string) => this.post<CheckAnswer>("check", { query });
  complete = (query: string, offset: number) => this.post<CompleteAnswer>("complete", { query, offset });
  hover = (query: string, offset: number) => this.post<HoverAnswer | null>("hover", { query, offset });
  format = (query: string) => this.post<TextAnswer>("format", { query });
  convert = (query: string, to: string) => this.post<TextAnswer>("convert", { query, to });
  explain = (query: string) => this.post<Explanation>("explain", { query });
  why = (body: WhyBody, signal: AbortSignal) => this.post<Why>("why", body, signal);
  game = (database: string, number: number) =>
    this.ask<GameAnswer>(`games/${encodeURIComponent(database)}/${number}`, {});

  open(): Promise<Database> {
    return Promise.reject(new EngineError("refused", "A server searches only its own databases."));
  }
}
