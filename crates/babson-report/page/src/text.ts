// Words and numbers, as both pages write them.

/** `1 game`, `2,000 games`. */
export function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Copies a text to the clipboard. Resolves to whether that was possible. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that was opened from a disk may have no clipboard: select and copy as of old.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    // A modal dialog makes everything outside of it inert.
    const place = document.querySelector("dialog[open]") ?? document.body;
    const focused = document.activeElement;
    place.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}
