// The colors of CQL in the editor, token by token. Colors need no tree: the engine has one.

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

import {
  CASTLING, DESIGNATOR, ESCAPE, GROUP, KEYWORD_SYMBOL, LINE_COMMENT, PIECE_VARIABLE, REPEAT, RESULT, WORD_SYMBOL, WORDS,
} from "./vocabulary";

/** What is known at the begin of a line. */
export interface State {
  inComment: boolean;
}

/** Reads the next token of a line, and says its color. */
export function token(stream: StringStream, state: State): string | null {
  if (state.inComment) {
    state.inComment = !stream.skipTo("*/");
    if (state.inComment) stream.skipToEnd();
    else stream.match("*/");
    return "comment";
  }
  if (stream.eatSpace()) return null;
  // `;` begins a comment of CQL 3.
  if (stream.match(LINE_COMMENT) || stream.match(/^;.*/)) return "comment";
  if (stream.match("/*")) {
    state.inComment = true;
    return "comment";
  }
  // A comment of the output, whose text is filters.
  if (stream.match("///")) return "keyword";
  if (stream.match(/^"[^"]*("|$)/) || stream.match(ESCAPE)) return "string";
  if (stream.match(RESULT) || stream.match(CASTLING)) return "keyword";
  if (stream.match(WORD_SYMBOL)) return null;
  if (stream.match(PIECE_VARIABLE)) return "variableName";
  if (stream.match(DESIGNATOR)) return "atom";
  if (stream.match(/^\d+/) || stream.match(GROUP) || stream.match(REPEAT)) return "number";
  if (stream.match(KEYWORD_SYMBOL)) return "keyword";
  const word = stream.match(/^[A-Za-z_$][A-Za-z0-9_$]*/) as RegExpMatchArray | null;
  if (word) return WORDS.has(word[0]) ? "keyword" : "variableName";
  stream.next();
  return null;
}

const language = StreamLanguage.define<State>({
  name: "cql",
  startState: () => ({ inComment: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
  },
});

const colors = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.variableName, color: "var(--name)" },
  { tag: tags.atom, color: "var(--piece)" },
]);

export const cql = new LanguageSupport(language, syntaxHighlighting(colors));
