// The tests of the grammar: assertions in syntax/*.cql, and snapshots of queries of the corpus.
//
//   node tests/syntax.mjs            compares
//   node tests/syntax.mjs --update   writes the snapshots anew: read the difference
import { spawnSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Queries of corpus/queries whose scopes are kept: each shows other parts of the language. */
const QUERIES = [
  "alekhines-gun", "capture-series", "checks-in-a-row", "cqli-gbr-code", "cqli-retractor",
  "cqli-shannon-evaluation-simple", "cqli-threefold-repetition-dictionary", "discovered-attack", "excelsior",
  "greek-gift", "smothered-mate", "underpromotion",
];

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const updates = process.argv.includes("--update");
const corpus = here("../../../../../corpus/queries");
const snapshots = here("snapshots");
const tool = (name) => resolve(here("../node_modules/vscode-tmgrammar-test/dist"), name);
const run = (...args) => spawnSync(process.execPath, args, { stdio: "inherit", cwd: here("..") }).status === 0;

const names = (await readdir(here("syntax"))).filter((name) => name.endsWith(".cql"));
const files = names.map((name) => join(here("syntax"), name));
let passed = files.length > 0 && run(tool("unit.js"), "--config", here("../package.json"), ...files);

// The tool keeps a snapshot beside its file; the corpus stays as it is.
const folder = await mkdtemp(join(tmpdir(), "babson-syntax-"));
for (const name of QUERIES) {
  await copyFile(join(corpus, `${name}.cql`), join(folder, `${name}.cql`));
  if (!updates) await copyFile(join(snapshots, `${name}.cql.snap`), join(folder, `${name}.cql.snap`));
}
const queries = QUERIES.map((name) => join(folder, `${name}.cql`));
passed = run(tool("snapshot.js"), "--config", here("../package.json"), ...(updates ? ["--updateSnapshot"] : []), ...queries) && passed;
if (updates) {
  for (const name of QUERIES) await copyFile(join(folder, `${name}.cql.snap`), join(snapshots, `${name}.cql.snap`));
}
await rm(folder, { recursive: true });
process.exit(passed ? 0 : 1);
