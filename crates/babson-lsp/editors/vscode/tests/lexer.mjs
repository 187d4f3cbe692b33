// Compares the grammar with the lexer of Babson: node tests/lexer.mjs TOKENS
//
// TOKENS are texts with the tokens of the lexer, which `cargo xtask check-editor` writes. Each
// character of a token has to have a scope that fits the class of the token.
import { readFile } from "node:fs/promises";

import { loadGrammar, tokensOf } from "./grammar.mjs";

/** The classes that a scope fits, by its beginning. The first that fits counts. */
const CLASSES = [
  ["comment.", ["comment"]],
  ["constant.character.escape", ["string"]],
  ["string.", ["string"]],
  ["constant.numeric.", ["number"]],
  ["constant.language.result", ["number"]],
  ["constant.other.group", ["number"]],
  ["constant.language.castling", ["symbol"]],
  ["constant.language.", ["keyword", "name"]],
  ["support.type.designator", ["piece"]],
  ["support.type.piece", ["piece"]],
  ["constant.other.square", ["piece"]],
  ["variable.other.piece", ["piece"]],
  // The words after `hhdb`.
  ["support.constant.hhdb", ["keyword", "name"]],
  // `input games.pgn` of the header is one token, and `dialect` only there a word of the language.
  ["storage.modifier", ["keyword", "string", "name"]],
  ["keyword.operator.word", ["keyword"]],
  ["keyword.operator.quantifier", ["number", "symbol"]],
  ["keyword.operator.", ["symbol"]],
  ["punctuation.", ["symbol"]],
  ["keyword.", ["keyword"]],
  ["storage.type.value", ["keyword", "name"]],
  ["storage.", ["keyword"]],
  ["support.function.", ["keyword"]],
  ["support.constant.direction", ["keyword"]],
  ["entity.", ["name"]],
  ["variable.", ["name"]],
];

const texts = JSON.parse(await readFile(process.argv[2], "utf8"));
const grammar = await loadGrammar();
let compared = 0;
const faults = [];
for (const { name, text, tokens } of texts) {
  const scopes = Array(text.length).fill(null);
  for (const token of tokensOf(grammar, text)) scopes.fill(token.scopes.at(-1) ?? null, token.start, token.end);
  for (const [start, end, expected] of tokens) {
    compared++;
    for (let at = start; at < end; at++) {
      const scope = scopes[at];
      const isSpace = /\s/.test(text[at]);
      if (isSpace) continue;
      const found = scope && CLASSES.find(([prefix]) => scope.startsWith(prefix))?.[1];
      if (found?.includes(expected)) continue;
      faults.push(`${name}: ${JSON.stringify(text.slice(start, end))} is a ${expected}, and the grammar has ${scope}`);
      break;
    }
  }
}
for (const fault of faults.slice(0, 40)) console.error(fault);
if (faults.length) {
  console.error(`${faults.length} of ${compared} tokens differ`);
  process.exit(1);
}
console.log(`the grammar agrees with the lexer on ${compared} tokens of ${texts.length} texts`);
