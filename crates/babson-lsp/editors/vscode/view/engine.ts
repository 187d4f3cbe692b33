// What answers the components: the extension, which asks the server.

import { EngineError, type GameAnswer, type GameEngine, type Why, type WhyBody } from "@page/engine/types";

import type { FromView, ToView } from "../src/answers";

interface Host {
  postMessage(message: FromView): void;
}

declare const acquireVsCodeApi: () => Host;

type Body<C extends string> = Extract<FromView, { type: "ask"; command: C }>["body"];

export class HostEngine implements GameEngine {
  private readonly host = acquireVsCodeApi();
  private readonly waiting = new Map<number, { done(answer: unknown): void; fail(error: Error): void }>();
  private last = 0;

  constructor(hear: (message: Exclude<ToView, { type: "reply" }>) => void) {
    window.addEventListener("message", ({ data }: MessageEvent<ToView>) => {
      if (data.type !== "reply") return hear(data);
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) asked?.done(data.answer);
      else asked?.fail(new EngineError("server", data.error));
    });
    this.host.postMessage({ type: "ready" });
  }

  game = (database: string, game: number): Promise<GameAnswer> =>
    this.ask("babson.game", { database, game }) as Promise<GameAnswer>;

  why = (body: WhyBody): Promise<Why> => this.ask("babson.why", body) as Promise<Why>;

  light(span: [number, number] | null): void {
    this.host.postMessage({ type: "light", span });
  }

  private ask<C extends "babson.game" | "babson.why">(command: C, body: Body<C>): Promise<unknown> {
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.host.postMessage({ type: "ask", id, command, body } as FromView);
    });
  }
}
