// The panel with the boards of the matches: a web view beside the query.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

import type { FromView, RunAnswer, ToView } from "./answers";
import { byteAt, indexAt } from "./bytes";
import type { BabsonClient } from "./client";

interface Result {
  name: string;
  /** The text that was run. */
  query: string;
  answer: RunAnswer;
}

export class MatchPanel implements vscode.Disposable {
  client: BabsonClient | undefined;
  private panel: vscode.WebviewPanel | undefined;
  private shown: (Result & { document: vscode.TextDocument }) | undefined;
  private readonly light = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
  });
  private readonly selection = vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.point(textEditor));

  constructor(private readonly extension: vscode.Uri) {}

  dispose(): void {
    this.panel?.dispose();
    this.light.dispose();
    this.selection.dispose();
  }

  show(document: vscode.TextDocument, result: Result): void {
    this.shown = { ...result, document };
    this.lightUp(null);
    if (this.panel) {
      this.panel.title = result.name;
      this.panel.reveal(undefined, true);
      this.tellResult();
      return;
    }
    const dist = vscode.Uri.joinPath(this.extension, "dist");
    const panel = vscode.window.createWebviewPanel("babson.matches", result.name,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [dist] });
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.lightUp(null);
    });
    panel.webview.onDidReceiveMessage((message: FromView) => void this.hear(message));
    panel.webview.html = html(panel.webview, dist);
  }

  private async hear(message: FromView): Promise<void> {
    switch (message.type) {
      case "ready":
        this.tellResult();
        break;
      case "light":
        this.lightUp(message.span);
        break;
      case "ask": {
        const { id } = message;
        try {
          if (!this.shown || !this.client?.has(message.command)) throw new Error("The server has no games to show.");
          // The server finds the databases of the query, and what it imports, by its document, which may have
          // changed since.
          const { query, document } = this.shown;
          const body = { query, ...message.body, uri: document.uri.toString() };
          this.tell({ type: "reply", id, answer: await this.client.execute(message.command, [body]) });
        } catch (error) {
          this.tell({ type: "reply", id, error: error instanceof Error ? error.message : String(error) });
        }
      }
    }
  }

  private tell(message: ToView): void {
    void this.panel?.webview.postMessage(message);
  }

  private tellResult(): void {
    if (!this.shown) return;
    const { name, query, answer } = this.shown;
    const canAsk = Boolean(this.client?.has("babson.game") && this.client.has("babson.why"));
    this.tell({ type: "result", name, query, answer, canAsk });
  }

  /** The editors of the query that was run, if it is still the same text. */
  private editors(): vscode.TextEditor[] {
    const { shown } = this;
    if (!shown || shown.document.getText() !== shown.query) return [];
    return vscode.window.visibleTextEditors.filter(({ document }) => document === shown.document);
  }

  /** Tells the view which filter the cursor is in. */
  private point(editor: vscode.TextEditor): void {
    if (!this.panel || !this.shown || editor.document !== this.shown.document) return;
    const index = editor.document.offsetAt(editor.selection.active);
    this.tell({ type: "cursor", byte: this.editors().length ? byteAt(this.shown.query, index) : null });
  }

  /** Points out bytes of the query. */
  private lightUp(span: [number, number] | null): void {
    for (const editor of this.editors()) {
      const { document } = editor;
      const at = (byte: number) => document.positionAt(indexAt(document.getText(), byte));
      editor.setDecorations(this.light, span ? [new vscode.Range(at(span[0]), at(span[1]))] : []);
    }
  }
}

function html(webview: vscode.Webview, dist: vscode.Uri): string {
  const file = (name: string) => String(webview.asWebviewUri(vscode.Uri.joinPath(dist, name)));
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; img-src data:`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Matches</title>
<link rel="stylesheet" href="${file("matches.css")}">
<div id="app"></div>
<script nonce="${nonce}" src="${file("matches.js")}"></script>
</html>`;
}
