// The editor of a query: colors, diagnostics with fixes, completion, and the page of a word.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet, startCompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, linter, lintKeymap, type Diagnostic as Lint } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, lineNumbers, placeholder, type DecorationSet } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";

import type { Diagnostic, Engine, Fix } from "../engine/types";
import { sentences } from "../sentences";
import { fixesOf } from "../views/diagnostics";
import { cql } from "./language";
import { markdown } from "./markdown";
import { Newest } from "./newest";
import { Offsets } from "./utf8";

/** What the page asks of its editor. */
export interface EditorHandle {
  text(): string;
  /** Replaces the text as one step that can be undone. */
  replace(text: string): void;
  /** Mends the text, which is the one that the fix was made for. */
  apply(fix: Fix): void;
  focus(): void;
  /** Lights a range of bytes, or none. */
  light(span: [number, number] | null): void;
}

export interface EditorProps {
  engine: Engine;
  initial: string;
  /** Gives the handle to the page, once. */
  ready(handle: EditorHandle): void;
  changed(text: string): void;
  /** The diagnostics of a text, each time one has been checked. */
  checked(diagnostics: Diagnostic[], text: string): void;
  /** The cursor is at this byte. */
  cursor(byte: number): void;
  search(): void;
  format(): void;
}

const setLit = StateEffect.define<[number, number] | null>();
const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let now = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLit)) continue;
      const range = effect.value;
      now = range && range[0] < range[1]
        ? Decoration.set([Decoration.mark({ class: "cm-lit" }).range(...range)])
        : Decoration.none;
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  "&": { fontSize: "15px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.6" },
  ".cm-content": { padding: ".5rem 0", caretColor: "var(--ink)", minHeight: "6.5rem" },
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--soft)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-lit": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)",
    borderRadius: ".4rem", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip .cm-hover": { padding: ".4rem .8rem", maxHeight: "18rem", overflow: "auto", fontSize: "14px" },
  ".cm-tooltip p": { margin: ".3rem 0" },
  ".cm-tooltip pre": { margin: ".3rem 0", whiteSpace: "pre-wrap" },
  ".cm-completionInfo": { padding: ".4rem .8rem", fontSize: "13px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", padding: ".3rem .8rem" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--paper)", borderRadius: ".3rem",
    padding: ".1rem .5rem", font: "inherit" },
  ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)" },
});

/** The diagnostics of a text as the editor draws them, with their fixes as buttons. */
function lints(text: string, diagnostics: readonly Diagnostic[]): Lint[] {
  const offsets = new Offsets(text);
  return diagnostics.map(({ severity, message, help, span, code, fixes }) => {
    const [start, end] = span.map((byte) => offsets.toUnits(byte)) as [number, number];
    // An empty range would draw nothing, and the end of the text has no letter to underline.
    const from = Math.min(start, Math.max(text.length - 1, 0));
    return {
      from,
      to: Math.min(Math.max(end, from + 1), text.length),
      severity,
      source: code,
      message: help ? `${sentences(message)}\n${sentences(help)}` : sentences(message),
      actions: fixesOf(fixes).map((fix) => ({
        name: fix.title,
        apply: (view: EditorView) => applyFix(view, offsets, fix),
      })),
    };
  });
}

/** Makes the edits of a fix. The offsets are of the text that it was made for. */
function applyFix(view: EditorView, offsets: Offsets, { edits }: Fix): void {
  view.dispatch({
    changes: edits.map(({ span: [start, end], text: insert }) =>
      ({ from: offsets.toUnits(start), to: offsets.toUnits(end), insert })),
  });
}

async function complete(engine: Engine, context: CompletionContext): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  if (!context.explicit && !/[\w$:"♔-♟]$/u.test(text.slice(Math.max(0, context.pos - 1), context.pos))) return null;
  const offsets = new Offsets(text);
  const { items } = await engine.complete(text, offsets.toBytes(context.pos));
  const first = items[0];
  if (!first || context.aborted) return null;
  const from = offsets.toUnits(first.span[0]);
  return {
    from,
    // The span of a completion is the same for all items of an answer.
    to: Math.max(offsets.toUnits(first.span[1]), context.pos),
    validFor: /^[\w$-]*$/,
    options: items.map(({ label, kind, insert, doc }) => ({
      label,
      detail: kind === "keyword" ? undefined : kind,
      info: doc ? () => markdown(doc) : undefined,
      // Only these have places to fill in: a variable may begin with a dollar, too.
      apply: kind === "snippet" || kind === "function" ? snippet(insert) : insert,
    })),
  };
}

export function Editor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const now = useRef(props);
  now.current = props;
  useEffect(() => {
    const element = host.current!;
    // The style of the editor is made by its script. In a shadow tree it is adopted, which a policy
    // without inline styles allows.
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    const { engine } = now.current;
    const checks = new Newest((text) => engine.check(text));
    const check = linter(async (view) => {
      const text = view.state.doc.toString();
      if (!text.trim()) {
        now.current.checked([], text);
        return [];
      }
      try {
        const answer = await checks.ask(text);
        if (!answer) return [];
        const { diagnostics } = answer;
        if (view.state.doc.toString() === text) now.current.checked(diagnostics, text);
        return lints(text, diagnostics);
      } catch {
        // The search says what is wrong with the engine.
        return [];
      }
    }, { delay: engine.checkDelay });
    const hover = hoverTooltip(async (view, at) => {
      const text = view.state.doc.toString();
      const offsets = new Offsets(text);
      const found = await engine.hover(text, offsets.toBytes(at)).catch(() => null);
      if (!found) return null;
      const [pos, end] = found.span.map((byte) => offsets.toUnits(byte)) as [number, number];
      const create = () => {
        const dom = markdown(found.markdown);
        dom.classList.add("cm-hover");
        return { dom };
      };
      return { pos, end, above: true, create };
    });
    const run = (act: () => void) => () => {
      act();
      return true;
    };
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: now.current.initial,
        extensions: [
          lineNumbers(), history(), bracketMatching(), closeBrackets(), indentUnit.of("  "), cql, lit, theme,
          EditorView.lineWrapping, lintGutter(), check, hover, placeholder("A query, such as: mate"),
          autocompletion({ icons: false, override: [(context) => complete(engine, context).catch(() => null)] }),
          EditorView.contentAttributes.of({ "aria-label": "Query", spellcheck: "false", autocapitalize: "off" }),
          keymap.of([
            { key: "Mod-Enter", run: run(() => now.current.search()), preventDefault: true },
            { key: "Shift-Alt-f", run: run(() => now.current.format()), preventDefault: true },
            // With Alt some keyboards write another letter: the place of the key decides.
            { any: (_, event) => event.shiftKey && event.altKey && event.code === "KeyF"
              ? run(() => now.current.format())() : false },
            { key: "Ctrl-Space", run: startCompletion },
            ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            const text = update.state.doc.toString();
            if (update.docChanged) now.current.changed(text);
            if (update.selectionSet || update.docChanged) {
              now.current.cursor(new Offsets(text).toBytes(update.state.selection.main.head));
            }
          }),
        ],
      }),
    });
    now.current.ready({
      text: () => view.state.doc.toString(),
      replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
      apply: (fix) => applyFix(view, new Offsets(view.state.doc.toString()), fix),
      focus: () => view.focus(),
      light: (span) => {
        const offsets = new Offsets(view.state.doc.toString());
        const range = span && (span.map((byte) => offsets.toUnits(byte)) as [number, number]);
        view.dispatch({ effects: setLit.of(range) });
      },
    });
    return () => view.destroy();
  }, []);
  return <div class="editor" ref={host} />;
}
