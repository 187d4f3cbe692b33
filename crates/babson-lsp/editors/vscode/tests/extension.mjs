// Loads the extension as VS Code does, with a stand-in for its interface: what it registers, and what it
// says where the command is missing.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import Module from "node:module";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const manifest = JSON.parse(await readFile(here("../package.json"), "utf8"));

const commands = new Map();
const errors = [];
const said = [];
let whenSaid = () => {};
const disposable = { dispose() {} };
const settings = { path: here("no-such-program") };
let trusted = true;

/** A class or value of the interface that the test does not look at. */
const anything = new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : name === "prototype" ? {} : class {}) });
const known = {
  version: "1.85.0",
  window: {
    createOutputChannel: () => ({ ...disposable, info() {}, warn() {}, error: (text) => errors.push(text) }),
    createTextEditorDecorationType: () => disposable,
    onDidChangeTextEditorSelection: () => disposable,
    showErrorMessage: async (text, ...buttons) => {
      said.push({ text, buttons });
      whenSaid();
    },
    showInformationMessage: async (text) => void said.push({ text, buttons: [] }),
    activeTextEditor: undefined,
  },
  workspace: {
    get isTrusted() { return trusted; },
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: (name, other) => settings[name] ?? other }),
    onDidChangeConfiguration: () => disposable,
    onDidGrantWorkspaceTrust: () => disposable,
  },
  commands: {
    registerCommand(name, action) {
      assert.ok(!commands.has(name), `${name} is registered twice`);
      commands.set(name, action);
      return disposable;
    },
  },
  ThemeColor: class {},
};
const vscode = new Proxy(known, { get: (target, name) => (name in target ? target[name] : anything) });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = createRequire(import.meta.url)("../dist/extension.js");

const context = { subscriptions: [], extensionUri: {} };
const told = new Promise((done) => (whenSaid = done));
extension.activate(context);
await told;
const [{ text, buttons }] = said;
assert.match(text, /no-such-program" is not found.*babson\.path/);
assert.deepEqual(buttons, ["How to Install", "Open Settings", "Try Again"]);
assert.deepEqual([...commands.keys()].sort(), manifest.contributes.commands.map(({ command }) => command).sort());

// Without a query a command says what it wants.
commands.get("babson.runQuery")();
assert.match(said.at(-1).text, /Open a query/);
await extension.deactivate();

// In a folder that is not trusted nothing is started.
commands.clear();
trusted = false;
const before = said.length;
extension.activate({ subscriptions: [], extensionUri: {} });
await extension.deactivate();
assert.equal(said.length, before);
assert.deepEqual(errors, []);
console.log("the extension registers its commands, and says what is missing");
