// Bundles units.ts and runs it: node tests/units.mjs [TOKENS]
//
// TOKENS are texts with the tokens of the lexer, which `cargo xtask check-page` writes.
import { mkdtemp, rm } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "babson-units-"));
const outfile = join(folder, "units.mjs");
await build({
  entryPoints: [here("units.ts")], outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning",
  alias: { "@report": here("../../../babson-report/page/src") }, nodePaths: [here("../node_modules")],
  jsx: "automatic", jsxImportSource: "preact",
});
const { status } = spawnSync(process.execPath, [outfile, here("fixtures.json"), ...process.argv.slice(2)], { stdio: "inherit" });
await rm(folder, { recursive: true });
process.exit(status ?? 1);
