// CQL in a fenced block of Markdown has the scopes of the grammar.
import assert from "node:assert/strict";

import { loadGrammar, tokensOf } from "./grammar.mjs";

const grammar = await loadGrammar("markdown.cql.codeblock");
const text = "```cql,values\nmate // yes\n```\nmate\n";
const scopes = (word, from = 0) => {
  const at = text.indexOf(word, from);
  return tokensOf(grammar, text).find(({ start, end }) => start <= at && at < end)?.scopes ?? [];
};
assert.deepEqual(scopes("mate").slice(-2), ["meta.embedded.block.cql", "support.function.cql"]);
assert.equal(scopes("// yes").at(-1), "comment.line.double-slash.cql");
assert.deepEqual(scopes("mate", text.lastIndexOf("mate")), [], "after the block there is no CQL");
console.log("a block of Markdown has the scopes of the grammar");
