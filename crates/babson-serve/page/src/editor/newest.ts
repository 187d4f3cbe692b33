// Calls about a text that changes while the engine answers.

/** Sends one call at a time. Of the texts that come while an answer is on its way, only the newest is sent. */
export class Newest<T> {
  private running: Promise<unknown> | null = null;
  private last = 0;

  constructor(private readonly call: (text: string) => Promise<T>) {}

  /** The answer to this text; `null` if a newer one has come before it was sent. */
  async ask(text: string): Promise<T | null> {
    const mine = ++this.last;
    while (this.running) {
      await this.running;
      if (mine !== this.last) return null;
    }
    const answer = this.call(text);
    this.running = answer.then(() => {}, () => {});
    try {
      return await answer;
    } finally {
      this.running = null;
    }
  }
}
