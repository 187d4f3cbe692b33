// The client of the server: `babson lsp`, which is started for all queries of a window.

import * as vscode from "vscode";
import {
  ExecuteCommandRequest, LanguageClient, RevealOutputChannelOn, State, WorkDoneProgress, type LanguageClientOptions,
} from "vscode-languageclient/node";

import { probe } from "./program";

/** The extension, whose page tells how one gets the program. */
const EXTENSION = "babson.babson";

/** What answers the commands of code lenses: by their names, with the query that they stand above. */
export type LensCommands = Record<string, (uri: vscode.Uri) => unknown>;

/** Looks on while a command is executed. */
export interface Watch {
  token: vscode.CancellationToken;
  /** Called with what the server says of its progress. */
  tell(message: string): void;
}

export class BabsonClient {
  private client: LanguageClient | undefined;
  /** Commands that were watched. */
  private runs = 0;
  /** The start or stop that is going on: they come one after the other. */
  private change: Promise<void> = Promise.resolve();

  constructor(private readonly output: vscode.LogOutputChannel, private readonly lenses: LensCommands) {}

  start(): Promise<void> {
    return this.next(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.next(() => this.stopNow());
  }

  restart(): Promise<void> {
    return this.next(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Whether the server has a command. */
  has(command: string): boolean {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) ?? false;
  }

  /** Asks the server to execute a command. Rejects with what it says if it cannot. */
  async execute<T>(command: string, args: unknown[], watch?: Watch): Promise<T> {
    if (this.client?.state !== State.Running) await this.start();
    const { client } = this;
    if (!client) throw new Error("The server of Babson does not run.");
    const workDoneToken = watch && `${command} ${++this.runs}`;
    const listener = workDoneToken && client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message) watch.tell(value.message);
    });
    try {
      const params = { command, arguments: args, workDoneToken };
      return (await client.sendRequest(ExecuteCommandRequest.type, params, watch?.token)) as T;
    } finally {
      if (listener) listener.dispose();
    }
  }

  private next(action: () => Promise<void>): Promise<void> {
    this.change = this.change.then(action, action);
    return this.change;
  }

  private async stopNow(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.output.warn(String(error)));
  }

  private async startNow(): Promise<void> {
    if (this.client?.state === State.Running || !vscode.workspace.isTrusted) return;
    await this.stopNow();
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
    const path = resolved(vscode.workspace.getConfiguration("babson").get("path", "babson"), folder);
    const found = await probe(path, folder);
    if (found.kind !== "usable") {
      // The message stays until it is answered: nothing waits for it.
      void this.complain(path, found.kind === "missing" ? null : found.reason);
      return;
    }
    this.output.info(`${found.version}, ${path}`);
    const client = new LanguageClient("babson", "Babson", { command: path, args: ["lsp"], options: { cwd: folder } },
      this.options());
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.output.error(String(error));
      void this.complain(path, error instanceof Error ? error.message : String(error));
    }
  }

  private options(): LanguageClientOptions {
    const settings = () => JSON.parse(JSON.stringify(vscode.workspace.getConfiguration("babson"))) as object;
    return {
      documentSelector: [{ scheme: "file", language: "cql" }, { scheme: "untitled", language: "cql" }],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // This client shows the answers of commands itself.
      initializationOptions: () => ({ ...settings(), showsResults: true }),
      synchronize: {
        configurationSection: "babson",
        fileEvents: [
          vscode.workspace.createFileSystemWatcher("**/*.cql"),
          vscode.workspace.createFileSystemWatcher("**/babson.toml"),
        ],
      },
      middleware: {
        // VS Code shows the same snippets itself: they are a part of the extension.
        provideCompletionItem: async (document, position, context, token, next) => {
          const answer = await next(document, position, context, token);
          const isOther = ({ kind }: vscode.CompletionItem) => kind !== vscode.CompletionItemKind.Snippet;
          if (Array.isArray(answer)) return answer.filter(isOther);
          if (answer) answer.items = answer.items.filter(isOther);
          return answer;
        },
        executeCommand: (command, args, next) => {
          const action = this.lenses[command];
          const uri: unknown = args[0];
          return action && typeof uri === "string" ? action(vscode.Uri.parse(uri)) : next(command, args);
        },
      },
    };
  }

  /** Says why the server does not run, and what helps. */
  private async complain(path: string, reason: string | null): Promise<void> {
    const install = "How to Install";
    const settings = "Open Settings";
    const again = "Try Again";
    const text = reason === null
      ? `The command "${path}" is not found, so queries are only highlighted. Install Babson, or say in babson.path where it is.`
      : `"${path}" cannot be used. ${reason}`;
    switch (await vscode.window.showErrorMessage(text, install, settings, again)) {
      case install:
        await vscode.commands.executeCommand("extension.open", EXTENSION);
        break;
      case settings:
        await vscode.commands.executeCommand("workbench.action.openSettings", "babson.path");
        break;
      case again:
        await this.restart();
        break;
      case undefined:
    }
  }
}

/** The path of a setting: `~` is the folder of the user, and the folder of the workspace has a name. */
function resolved(path: string, folder: string | undefined): string {
  const home = process.env.HOME ?? process.env.USERPROFILE ?? "~";
  const whole = path.trim().replace(/^~(?=[\\/])/, home).replaceAll("${workspaceFolder}", folder ?? ".");
  return whole || "babson";
}
