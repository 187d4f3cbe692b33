// The extension: commands, and the server that answers for each query.

import * as vscode from "vscode";

import { BabsonClient } from "./client";
import { chooseDatabase, explain, run } from "./commands";
import { MatchPanel } from "./panel";

let client: BabsonClient | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Babson", { log: true });
  const panel = new MatchPanel(context.extensionUri);
  const babson: BabsonClient = new BabsonClient(output, {
    "babson.run": (uri) => run(babson, panel, uri),
    "babson.explain": (uri) => explain(babson, uri),
  });
  client = babson;
  panel.client = babson;
  const command = (name: string, action: () => unknown) => vscode.commands.registerCommand(name, action);
  const ofEditor = (action: (uri: vscode.Uri) => unknown) => () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === "cql") return action(document.uri);
    void vscode.window.showInformationMessage("Open a query, a file *.cql, first.");
  };
  context.subscriptions.push(
    output,
    panel,
    command("babson.runQuery", ofEditor((uri) => run(babson, panel, uri))),
    command("babson.explainQuery", ofEditor((uri) => explain(babson, uri))),
    command("babson.chooseDatabase", () => chooseDatabase(vscode.window.activeTextEditor?.document.uri)),
    command("babson.restart", () => babson.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("babson.path")) void babson.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void babson.start()),
  );
  if (vscode.workspace.isTrusted) void babson.start();
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}
