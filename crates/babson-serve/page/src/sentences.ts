// The texts of the engine as sentences.

/** Texts as sentences one after another: each begins with a capital letter and ends with a point. What
 * begins with a quoted word stays as it is, and so does what ends with a sentence and parentheses. */
export function sentences(...texts: readonly (string | null | undefined)[]): string {
  return texts.map((text) => text?.trim()).filter((text) => text !== undefined && text !== "").map((text) => {
    const begun = text!.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    return /[.!?:]( \(.*\))?$/s.test(begun) ? begun : `${begun}.`;
  }).join(" ");
}
