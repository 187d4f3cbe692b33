// The little markdown that the engine writes: paragraphs, code, lists, emphasis and links. It becomes
// elements, never HTML.

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string, out: Element): void {
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    out.append(text.slice(at, found.index));
    const [all, code, strong, label, target] = found;
    const element = document.createElement(code ? "code" : strong ? "strong" : "a");
    element.textContent = code ?? strong ?? label ?? "";
    if (element instanceof HTMLAnchorElement && target) {
      if (!/^https?:/.test(target)) {
        out.append(element.textContent);
        at = found.index + all.length;
        continue;
      }
      element.href = target;
      element.target = "_blank";
      element.rel = "noopener noreferrer";
    }
    out.append(element);
    at = found.index + all.length;
  }
  out.append(text.slice(at));
}

/** An element with the text. */
export function markdown(text: string): HTMLElement {
  const out = document.createElement("div");
  text.split(/^```.*$/m).forEach((part, index) => {
    if (index % 2 === 1) {
      const pre = document.createElement("pre");
      pre.textContent = part.trim();
      out.append(pre);
      return;
    }
    for (const block of part.split(/\n\s*\n/).filter((block) => block.trim())) {
      const items = block.split("\n").filter((line) => line.trim());
      const isList = items.every((line) => /^\s*[-*] /.test(line));
      const parent = isList ? out.appendChild(document.createElement("ul")) : out;
      for (const item of isList ? items : [items.join(" ")]) {
        const element = document.createElement(isList ? "li" : "p");
        inline(item.replace(isList ? /^\s*[-*] / : /^#+ /, ""), element);
        parent.append(element);
      }
    }
  });
  return out;
}
