// Plays the scenes in a browser: node tests/run.mjs [PICTURES] [SERVER] [PLAYGROUND]
//
// SERVER is the address of a `babson serve` with corpus/games/masters-2k.pgn as its database, and PLAYGROUND
// the folder of a playground with its engine: the scenes that a person plays run on them, too.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { SCREENS, camera, checkAccess, findBrowser, launch, openPage } from "./browser.mjs";
import * as scenes from "./scenes.mjs";
import { startStub } from "./stub.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [pictures = here("../../../../target/check-page"), server, folder] = process.argv.slice(2);
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
const whole = folder ? await startStub({ folders: [folder], fixtures }) : null;
const browser = await launch(path);

const { opens, types, matches, groups, takes, databases, keyboard, troubles, away, crowd, token, brings, fails, steps } = scenes;
const PERSON = { opens, types, matches, groups, takes, databases };
const plays = [
  ["stub", stub.url, { ...PERSON, keyboard, troubles, away, crowd }],
  ["stub with a token", guarded.url, { token }],
  ["playground with a stub", playground.url, { opens, brings, fails }],
  ...(server ? [["babson serve", server, { ...PERSON, steps }]] : []),
  ...(whole ? [["playground", whole.url, { opens, types, matches, groups, takes, steps, brings, fails }]] : []),
];
const SERVERS = { "playground with a stub": playground, playground: whole };
/** With SCENE and SCREEN, only the scene and the screen of this name. */
const { SCENE: onlyScene, SCREEN: onlyScreen } = process.env;
let failed = 0;

/** Plays a scene in a window of its own; returns what went wrong, if anything did. */
async function played(place, address, screen, name, play) {
  const began = performance.now();
  const { page, context, faults } = await openPage(browser, screen, address);
  page.setDefaultTimeout(30_000);
  /** What a scene makes the page write to the console. */
  const expected = [];
  const album = `${pictures}/${place.replaceAll(" ", "-")}`;
  try {
    await play(page, { shoot: camera(album, screen), access: checkAccess, browser, address, screen, isFake: place.includes("stub"), stub: SERVERS[place] ?? stub,
      expect: (pattern) => expected.push(pattern) });
    const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    if (unexpected.length) throw new Error(unexpected.join("\n"));
    console.log(`ok      ${place}, ${screen.name}: ${name}, ${Math.round(performance.now() - began)} ms`);
    return null;
  } catch (error) {
    await camera(album, screen)(page, `failed-${name}`).catch(() => {});
    return `${place}, ${screen.name}: ${name}\n${error.stack}\n${faults.join("\n")}`;
  } finally {
    await context.close();
  }
}

for (const [place, address, scenesOfPlace] of plays) {
  for (const screen of SCREENS) {
    for (const [name, play] of Object.entries(scenesOfPlace)) {
      if (onlyScene && onlyScene !== name || onlyScreen && onlyScreen !== screen.name) continue;
      // A machine that is busy can starve a browser beyond every patience, so a scene has two tries.
      // The first failure is printed, too: it may be a race of the page.
      const first = await played(place, address, screen, name, play);
      if (!first) continue;
      console.log(`AGAIN   ${first}`);
      const second = await played(place, address, screen, name, play);
      if (!second) continue;
      failed++;
      console.log(`FAILED  ${second}`);
    }
  }
}
await browser.close();
stub.close();
guarded.close();
playground.close();
whole?.close();
console.log(failed ? `${failed} scenes failed` : "all scenes passed");
process.exit(failed ? 1 : 0);
