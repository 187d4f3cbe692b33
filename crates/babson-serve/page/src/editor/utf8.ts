// Offsets: the engine counts bytes of UTF-8, the editor counts units of UTF-16.

/** Translates offsets of one text. */
export class Offsets {
  /** The byte offset of each UTF-16 unit, and of the end; `null` if all is ASCII. */
  private readonly bytes: Uint32Array | null;

  constructor(private readonly text: string) {
    // eslint-disable-next-line no-control-regex
    if (/^[\x00-\x7f]*$/.test(text)) {
      this.bytes = null;
      return;
    }
    this.bytes = new Uint32Array(text.length + 1);
    let at = 0;
    for (let unit = 0; unit < text.length; unit++) {
      this.bytes[unit] = at;
      const code = text.charCodeAt(unit);
      if (code < 0x80) at += 1;
      else if (code < 0x800) at += 2;
      // Each half of a pair stands for two of its four bytes.
      else if (code >= 0xd800 && code < 0xe000) at += 2;
      else at += 3;
    }
    this.bytes[text.length] = at;
  }

  /** The byte offset of a place in the text. */
  toBytes(unit: number): number {
    return this.bytes ? this.bytes[Math.min(unit, this.text.length)]! : unit;
  }

  /** The place of a byte offset; within a character it is the start of it. */
  toUnits(byte: number): number {
    if (!this.bytes) return Math.min(byte, this.text.length);
    let [low, high] = [0, this.text.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.bytes[middle]! <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
