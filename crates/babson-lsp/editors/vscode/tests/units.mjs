// Bundles units.ts and runs it.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "babson-units-"));
const outfile = join(folder, "units.mjs");
await build({ entryPoints: [here("units.ts")], outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
await rm(folder, { recursive: true });
process.exit(status ?? 1);
