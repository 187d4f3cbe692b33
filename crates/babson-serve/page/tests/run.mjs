// Plays the scenes in a browser: node tests/run.mjs [PICTURES] [SERVER]
//
// SERVER is the address of a `babson serve` with corpus/games/masters-2k.pgn as its database; the scenes
// that a person plays run on it, too. Without it all run on the stub.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { SCREENS, camera, checkAccess, findBrowser, launch, openPage } from "./browser.mjs";
import * as scenes from "./scenes.mjs";
import { startStub } from "./stub.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [pictures = here("../../../../target/check-page"), server] = process.argv.slice(2);
const path = await findBrowser();
if (!path) {
  console.log("skipped: there is no Chromium");
  process.exit(process.env.CI === "true" ? 1 : 0);
}
const fixtures = JSON.parse(await readFile(here("fixtures.json"), "utf8"));
const stub = await startStub({ folders: [here("../dist")], fixtures });
const guarded = await startStub({ folders: [here("../dist")], fixtures, token: "secret" });
// The first folder with a file has it: the document of the playground, and a module with canned answers.
const playground = await startStub({ folders: [here("fake"), here("."), here("../playground"), here("../dist"),
  here("../../../../corpus/games")], fixtures });
const browser = await launch(path);

const { opens, types, matches, groups, takes, databases, keyboard, troubles, crowd, token, brings } = scenes;
const PERSON = { opens, types, matches, groups, takes, databases };
const plays = [
  ["stub", stub.url, { ...PERSON, keyboard, troubles, crowd }],
  ["stub with a token", guarded.url, { token }],
  ["playground with a stub", playground.url, { opens, brings }],
  ...(server ? [["babson serve", server, PERSON]] : []),
];
const only = process.env.SCENE;
let failed = 0;
for (const [place, address, played] of plays) {
  for (const screen of SCREENS) {
    for (const [name, play] of Object.entries(played)) {
      if (only && only !== name) continue;
      const began = performance.now();
      const { page, context, faults } = await openPage(browser, screen, address);
      page.setDefaultTimeout(30_000);
      const folder = place === "babson serve" ? `${pictures}/serve` : pictures;
      try {
        await play(page, { shoot: camera(folder, screen), access: checkAccess, browser, address, screen, stub: place.startsWith("playground") ? playground : stub });
        if (faults.length) throw new Error(faults.join("\n"));
        console.log(`ok      ${place}, ${screen.name}: ${name}, ${Math.round(performance.now() - began)} ms`);
      } catch (error) {
        failed++;
        await camera(folder, screen)(page, `failed-${name}`).catch(() => {});
        console.log(`FAILED  ${place}, ${screen.name}: ${name}\n${error.stack}\n${faults.join("\n")}`);
      }
      await context.close();
    }
  }
}
await browser.close();
stub.close();
guarded.close();
playground.close();
console.log(failed ? `${failed} scenes failed` : "all scenes passed");
process.exit(failed ? 1 : 0);
