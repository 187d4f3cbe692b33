// The commands: run a query, explain it, choose the database.

import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";

import type { ExplainAnswer, RunAnswer } from "./answers";
import type { BabsonClient } from "./client";
import type { MatchPanel } from "./panel";

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Runs the query of a document on the database, and shows the matches. */
export async function run(client: BabsonClient, panel: MatchPanel, uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const name = uri.path.split("/").pop() || "query";
  const query = document.getText();
  try {
    const answer = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Searching: ${name}`, cancellable: true },
      (progress, token) => client.execute<RunAnswer | null>("babson.run", [uri.toString()], {
        token, tell: (message) => progress.report({ message }),
      }),
    );
    if (!answer) return;
    panel.show(document, { name, query, answer });
    const text = `${plural(answer.matches, "match", "matches")} in ${plural(answer.games, "game", "games")}`;
    vscode.window.setStatusBarMessage(`CQL: ${text}`, 10_000);
  } catch (error) {
    const text = reasonOf(error);
    // Where there is no database, the server says which setting has it.
    if (!text?.includes("babson.database")) return tell(text);
    const choose = "Choose a Database";
    if (await vscode.window.showWarningMessage(text, choose) !== choose) return;
    if (await chooseDatabase(uri)) await run(client, panel, uri);
  }
}

/** Explains the query of a document in a document of its own. */
export async function explain(client: BabsonClient, uri: vscode.Uri): Promise<void> {
  try {
    const answer = await client.execute<ExplainAnswer | null>("babson.explain", [uri.toString()]);
    if (!answer) return;
    const document = await vscode.workspace.openTextDocument({ content: answer.text, language: "markdown" });
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true,
    });
  } catch (error) {
    tell(reasonOf(error));
  }
}

/** Lets the user choose the files of the database, for the workspace if there is one. Whether some were chosen. */
export async function chooseDatabase(uri: vscode.Uri | undefined): Promise<boolean> {
  const files = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: "The games that queries are run on",
    openLabel: "Use",
    defaultUri: uri && vscode.workspace.getWorkspaceFolder(uri)?.uri,
    filters: {
      "Games": ["pgn", "arrow", "gz", "zst", "bz2", "xz", "zip"],
      "All files": ["*"],
    },
  });
  if (!files?.length) return false;
  // The server takes a relative path as one in the first folder.
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const isInside = (file: vscode.Uri) => first && vscode.workspace.getWorkspaceFolder(file)?.uri.toString() === first.uri.toString();
  const paths = files.map((file) => (isInside(file) ? vscode.workspace.asRelativePath(file, false) : file.fsPath));
  const target = vscode.workspace.workspaceFolders
    ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration("babson", uri).update("database", paths, target);
  return true;
}

/** Why a command failed; nothing if it was cancelled. */
function reasonOf(error: unknown): string | null {
  if (error instanceof vscode.CancellationError) return null;
  if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) return null;
  return error instanceof Error ? error.message : String(error);
}

function tell(reason: string | null): void {
  if (reason !== null) void vscode.window.showErrorMessage(reason);
}
