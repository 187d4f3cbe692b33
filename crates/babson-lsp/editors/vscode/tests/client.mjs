// Speaks with the server as VS Code does: node tests/client.mjs BABSON
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const {
  CompletionRequest, DidChangeTextDocumentNotification, DidOpenTextDocumentNotification, DocumentFormattingRequest,
  ExecuteCommandRequest, ExitNotification, HoverRequest, InitializeRequest, InitializedNotification,
  PublishDiagnosticsNotification, ShutdownRequest, StreamMessageReader, StreamMessageWriter, createProtocolConnection,
} = protocol;

/** Milliseconds after which the test gives up: the server is a debug build on a busy machine. */
const PATIENCE = 60_000;
const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const [program] = process.argv.slice(2);
const server = spawn(program, ["lsp"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
const ended = once(server, "exit");
let isEnding = false;
void ended.then(([code]) => {
  if (isEnding) return;
  console.error(`the server has ended with ${code}: is it a babson with \`babson lsp\`?`);
  process.exit(1);
});
server.stdin.on("error", () => {});
const giveUp = setTimeout(() => {
  console.error(`the server has not answered in ${PATIENCE / 1000} s`);
  server.kill();
  process.exit(1);
}, PATIENCE);

const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const published = new Map();
let heard = () => {};
connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
  published.set(uri, diagnostics);
  heard();
});
const settings = { database: ["corpus/games/masters-2k.pgn"], dialect: "", limit: 1000 };
connection.onRequest("workspace/configuration", ({ items }) => items.map(() => settings));
for (const method of ["client/registerCapability", "window/workDoneProgress/create", "workspace/codeLens/refresh",
  "workspace/inlayHint/refresh", "workspace/diagnostic/refresh", "workspace/semanticTokens/refresh"]) {
  connection.onRequest(method, () => null);
}
connection.listen();

/** The diagnostics of a document, once they are as they should be. */
async function diagnosticsOf(uri, isRight) {
  for (;;) {
    const found = published.get(uri);
    if (found && isRight(found)) return found;
    await new Promise((done) => (heard = done));
  }
}

const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "babson" }],
  capabilities: {
    workspace: { configuration: true, didChangeConfiguration: {} },
    textDocument: { publishDiagnostics: { relatedInformation: true }, hover: { contentFormat: ["markdown"] },
      completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } } },
  },
  initializationOptions: { ...settings, showsResults: true },
});
await connection.sendNotification(InitializedNotification.type, {});

const uri = "untitled:query.cql";
const textDocument = { uri };
const wrong = "// a knight\n♘ attacks k mat\n";
await connection.sendNotification(DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "cql", version: 1, text: wrong },
});
const [error] = await diagnosticsOf(uri, (all) => all.length > 0);
assert.equal(error.severity, 1);
assert.deepEqual(error.range, { start: { line: 1, character: 12 }, end: { line: 1, character: 15 } },
  "places are code units of UTF-16");

const text = "// a knight\n♘ attacks k  mate and #Q == 1\npow";
await connection.sendNotification(DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: 2 }, contentChanges: [{ text }],
});
const hover = await connection.sendRequest(HoverRequest.type, { textDocument, position: { line: 1, character: 14 } });
assert.match(JSON.stringify(hover.contents), /checkmate|mate/);
assert.deepEqual(hover.range.start, { line: 1, character: 13 });
const completion = await connection.sendRequest(CompletionRequest.type, { textDocument, position: { line: 2, character: 3 } });
const items = Array.isArray(completion) ? completion : completion.items;
assert.ok(items.some(({ label }) => label === "power"), items.map(({ label }) => label).join(" "));

const right = "mate   ♘ attacks k";
await connection.sendNotification(DidChangeTextDocumentNotification.type, {
  textDocument: { uri, version: 3 }, contentChanges: [{ text: right }],
});
await diagnosticsOf(uri, (all) => all.length === 0);
if (capabilities.documentFormattingProvider) {
  const edits = await connection.sendRequest(DocumentFormattingRequest.type, {
    textDocument, options: { tabSize: 4, insertSpaces: true },
  });
  assert.ok(edits?.length, "the query is formatted");
}
const commands = capabilities.executeCommandProvider?.commands ?? [];
const execute = (command, argument) => connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
for (const command of ["babson.run", "babson.explain"]) assert.ok(commands.includes(command), `the server has ${command}`);
const answer = await execute("babson.run", uri);
assert.equal(answer.games, 2000);
assert.ok(answer.matches > 0 && answer.items.length === answer.matches, "each game that matches is an item");
const [first] = answer.items;
assert.ok(first.positions[0].fen && first.database && first.game > 0, JSON.stringify(first));
const explained = await execute("babson.explain", uri);
assert.match(explained.text, /attacks a black king/);
if (commands.includes("babson.game") && commands.includes("babson.why")) {
  const game = await execute("babson.game", { uri, database: first.database, game: first.game });
  assert.equal(game.moves[first.positions[0].id].fen, first.positions[0].fen);
  const why = await execute("babson.why", {
    uri, query: right, database: first.database, game: first.game, ply: first.positions[0].ply,
  });
  assert.ok(why.matched && why.why.trace.entries.length > 0);
}

isEnding = true;
await connection.sendRequest(ShutdownRequest.type);
await connection.sendNotification(ExitNotification.type);
const [code] = await ended;
assert.equal(code, 0, "the server ends with success");
clearTimeout(giveUp);
console.log(`the server answers: diagnostics, hover, completion, ${commands.join(", ")}`);
process.exit(0);
