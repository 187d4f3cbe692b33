// The colors of CQL in the editor, token by token. Colors need no tree: the engine has one.

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

import words from "cql:words";

const KEYWORDS = new Set(words);
const PIECES = "(?:\\[[KQRBNPAkqrbnpa_.]+\\]|[KQRBNPAkqrbnpa_.]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲□◭▦]+)";
const SQUARES = "[a-h](?:-[a-h])?[1-8](?:-[1-8])?";
const LIST = `\\[${SQUARES}(?:,${SQUARES})*\\]`;
const DESIGNATOR = new RegExp(`^(?:${PIECES}?(?:${SQUARES}|${LIST})|${PIECES})(?!\\w)`);
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|o-o-o|o-o)(?![\w-])/;

interface State {
  inComment: boolean;
}

function token(stream: StringStream, state: State): string | null {
  if (state.inComment) {
    state.inComment = !stream.skipTo("*/");
    if (state.inComment) stream.skipToEnd();
    else stream.match("*/");
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.inComment = true;
    return "comment";
  }
  if (stream.match(/^"[^"]*("|$)/)) return "string";
  if (stream.match(/^\$\w+/)) return "variableName";
  if (stream.match(RESULT)) return "keyword";
  if (stream.match(DESIGNATOR)) return "atom";
  if (stream.match(/^\d+(?!\w)/)) return "number";
  const word = stream.match(/^[A-Za-z_][\w]*/) as RegExpMatchArray | null;
  if (word) return KEYWORDS.has(word[0]) ? "keyword" : "variableName";
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
