// Builds the extension and its view into dist: `cargo xtask check-editor` calls it after `npm ci`.
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../../..");
const common = {
  bundle: true, minify: true, charset: "utf8", legalComments: "none", logLevel: "warning", absWorkingDir: here,
  metafile: true,
};

/** The view has the components of the page and of the report: their sources, with our own preact. */
export const VIEW = {
  alias: {
    "@page": join(root, "crates/babson-serve/page/src"),
    "@report": join(root, "crates/babson-report/page/src"),
    preact: join(here, "node_modules/preact"),
  },
  jsx: "automatic",
  jsxImportSource: "preact",
};

await mkdir(join(here, "dist"), { recursive: true });
const extension = await build({
  ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", platform: "node", format: "cjs",
  target: "node18", external: ["vscode"],
});
const view = await build({
  ...common, ...VIEW, entryPoints: { matches: "view/main.tsx" }, outdir: "dist", platform: "browser", format: "iife",
  target: "es2022",
});
await build({ ...common, ...VIEW, entryPoints: { matches: "view/style.css" }, outdir: "dist" });
await writeFile(join(here, "dist/LICENSES-THIRD-PARTY.txt"), await licenses([extension, view]));
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) await copyFile(join(root, name), join(here, "dist", name));

/** The licenses of the packages that are in the bundles. */
async function licenses(results) {
  const files = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set(files.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const texts = [];
  for (const folder of [...packages].sort()) {
    const { name, version } = JSON.parse(await readFile(join(here, folder, "package.json"), "utf8"));
    const license = (await readdir(join(here, folder))).find((file) => /^licen[cs]e/i.test(file));
    if (!license) throw new Error(`${name} has no license`);
    texts.push(`${name} ${version}\n\n${(await readFile(join(here, folder, license), "utf8")).trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
