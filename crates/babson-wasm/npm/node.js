// The module in node, which has files in place of `fetch`: it is there as soon as it is imported.
import { readFileSync } from "node:fs";
import { initSync } from "./babson_wasm.js";

initSync({ module: readFileSync(new URL("babson_wasm_bg.wasm", import.meta.url)) });

/** As in browsers, so that a program may be the same. There is nothing to wait for. */
export default async function init() {}
export * from "./babson_wasm.js";
