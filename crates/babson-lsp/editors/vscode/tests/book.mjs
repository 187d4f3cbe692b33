// Compares the highlighter of the book, docs/theme/cql.js, with the lexer: node tests/book.mjs TOKENS
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
// The version that mdBook has.
import hljs from "highlight.js";

/** The classes of tokens that a class of highlight.js stands for. */
const CLASSES = {
  comment: ["comment"], string: ["string"], number: ["number"], literal: ["number", "symbol"], keyword: ["keyword"],
  variable: ["name", "piece"], type: ["piece"], none: ["symbol", "name", "piece"],
};

const script = await readFile(fileURLToPath(new URL("../../../../../docs/theme/cql.js", import.meta.url)), "utf8");
runInNewContext(script, { hljs, document: { querySelectorAll: () => [] } });
assert.ok(hljs.getLanguage("cql"), "the script registers the language");

/** The class of each character. */
function classesOf(text) {
  const { value } = hljs.highlight("cql", text);
  const all = [];
  const open = [];
  for (const [part] of value.matchAll(/<span class="hljs-(\w+)">|<\/span>|&\w+;|&#x?\w+;|[^]/gu)) {
    const span = part.match(/^<span class="hljs-(\w+)">$/);
    if (span) open.push(span[1]);
    else if (part === "</span>") open.pop();
    // An entity stands for one code unit.
    else for (let at = 0; at < (part[0] === "&" ? 1 : part.length); at++) all.push(open.at(-1) ?? "none");
  }
  assert.equal(all.length, text.length, "the text stays as it is");
  return all;
}

const texts = JSON.parse(await readFile(process.argv[2], "utf8"));
const faults = [];
let compared = 0;
for (const { name, text, tokens } of texts) {
  const classes = classesOf(text);
  for (const [start, end, expected] of tokens) {
    const token = text.slice(start, end);
    // The highlighter does not know that a word of the header is a file.
    if (expected === "string" && /^(in|out)put/.test(token)) continue;
    compared++;
    const wrong = [...token].findIndex((letter, at) => !/\s/.test(letter) && !CLASSES[classes[start + at]]?.includes(expected));
    if (wrong >= 0) faults.push(`${name}: ${JSON.stringify(token)} is a ${expected}, and the book has ${classes[start + wrong]}`);
  }
}
for (const fault of faults.slice(0, 40)) console.error(fault);
if (faults.length) process.exit(1);
console.log(`the highlighter of the book agrees with the lexer on ${compared} tokens of ${texts.length} texts`);
