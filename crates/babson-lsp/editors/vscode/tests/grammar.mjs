// The grammar as VS Code reads it: the scopes of each character of a text.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const FILES = { "source.cql": "cql.tmLanguage.json", "markdown.cql.codeblock": "markdown.json" };

/** Loads a grammar of the extension. */
export async function loadGrammar(scope = "source.cql") {
  const wasm = await readFile(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm);
  const onigLib = Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const registry = new textmate.Registry({
    onigLib,
    async loadGrammar(scope) {
      if (!FILES[scope]) return null;
      const file = fileURLToPath(new URL(`../syntaxes/${FILES[scope]}`, import.meta.url));
      return textmate.parseRawGrammar(await readFile(file, "utf8"), file);
    },
  });
  return registry.loadGrammar(scope);
}

/** The tokens of a text: where each begins and ends, in code units, and its scopes, the innermost last. */
export function tokensOf(grammar, text) {
  const all = [];
  let stack = textmate.INITIAL;
  let start = 0;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      all.push({ start: start + startIndex, end: start + Math.min(endIndex, line.length), scopes: scopes.slice(1) });
    }
    start += line.length + 1;
  }
  return all;
}
