// A query in words, its conditions, and its code.

import type { Explanation } from "../engine/types";

export function Explain({ explanation }: { explanation: Explanation | Error | null }) {
  if (!explanation) return <p class="soft" aria-busy="true">…</p>;
  if (explanation instanceof Error) return <p class="note" role="alert">{explanation.message}</p>;
  const { sentences, conditions, code } = explanation;
  return (
    <section class="explain" aria-label="In words">
      {sentences.map((line) => {
        const depth = Math.min(4, Math.floor((line.match(/^ */)?.[0].length ?? 0) / 2));
        const isItem = /^\s*-/.test(line);
        return <p class={isItem ? `item in${depth}` : undefined}>{line.replace(/^\s*(- )?/, "")}</p>;
      })}
      {conditions.length > 0 && <details><summary>How it searches</summary>
        <pre tabIndex={0}>{conditions.join("\n")}</pre></details>}
      {code.length > 0 && <details><summary>The code</summary><pre tabIndex={0}>{code.join("\n")}</pre></details>}
    </section>
  );
}
