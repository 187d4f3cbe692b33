// Places in a text: Babson counts bytes of UTF-8, VS Code code units of UTF-16.

/** The bytes before an index of the text. */
export const byteAt = (text: string, index: number): number => Buffer.byteLength(text.slice(0, index));

/** The index of the character that begins at a byte or has it inside. */
export function indexAt(text: string, byte: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes + size > byte) return at;
    bytes += size;
    at += code > 0xffff ? 2 : 1;
  }
  return text.length;
}
