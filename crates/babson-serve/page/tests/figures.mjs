// Measures the playground in Chromium: node tests/figures.mjs PLAYGROUND [FILE…]
//
// PLAYGROUND is a folder that `cargo xtask site` or `cargo xtask check-page` has written. Each FILE, PGN or a
// game table, is dropped on the page and searched. The figures go to standard output, a line for each.
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { SCREENS, findBrowser, launch } from "./browser.mjs";
import { startStub } from "./stub.mjs";

const [folder, ...files] = process.argv.slice(2);
const path = await findBrowser();
if (!folder || !path) {
  console.error("usage: node tests/figures.mjs PLAYGROUND [FILE…], with Chromium");
  process.exit(2);
}
const tell = (what, value) => console.log(`${what}: ${value}`);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const milliseconds = (time) => `${Math.round(time)} ms`;

/** The middle of some numbers. */
const median = (numbers) => numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)];

// The page with its engine, without the database.
let [plain, gzip, brotli] = [0, 0, 0];
for (const name of await readdir(folder)) {
  if (!/\.(html|js|css|svg|wasm)$/.test(name)) continue;
  const bytes = await readFile(join(folder, name));
  plain += bytes.length;
  gzip += gzipSync(bytes, { level: 9 }).length;
  brotli += brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
}
tell("page and engine", `${megabytes(plain)}, gzip ${megabytes(gzip)}, brotli ${megabytes(brotli)}`);

const server = await startStub({ folders: [folder], fixtures: {} });
const browser = await launch(path);
const system = await browser.newBrowserCDPSession();
tell("browser", `Chromium ${browser.version()}`);

/** Opens the page with a fresh profile. */
async function openPage(hash = "") {
  const { viewport } = SCREENS[0];
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.addInitScript(() => {
    // What keeps the main thread from drawing, and when something is there for the first time.
    globalThis.longest = 0;
    globalThis.seen = {};
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: "longtask", buffered: true });
    const look = () => {
      for (const [name, at] of Object.entries({ page: ".query", match: ".card svg" })) {
        if (!globalThis.seen[name] && document.querySelector(at)) globalThis.seen[name] = performance.now();
      }
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  await page.goto(server.url + hash);
  return { page, context };
}

/** Bytes in memory of the process of the page, now and at most. */
async function memory() {
  const { processInfo } = await system.send("SystemInfo.getProcessInfo");
  const sizes = await Promise.all(processInfo.filter(({ type }) => type === "renderer").map(async ({ id }) => {
    const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
    const of = (name) => 1024 * Number(status.match(new RegExp(`${name}:\\s+(\\d+)`))?.[1] ?? 0);
    return [of("VmRSS"), of("VmHWM")];
  }));
  return sizes.reduce((most, size) => (size[1] > most[1] ? size : most), [0, 0]);
}

/** The first matches, with an empty cache. */
const loads = [];
for (let round = 0; round < 5; round++) {
  const { page, context } = await openPage();
  await page.locator(".card svg").first().waitFor();
  loads.push(await page.evaluate(() => globalThis.seen));
  await context.close();
}
tell("the page is there after", milliseconds(median(loads.map((load) => load.page))));
tell("the first match after it", milliseconds(median(loads.map((load) => load.match - load.page))));

/** From a keystroke to the diagnostics, in a query of 200 lines. */
{
  const lines = Array.from({ length: 200 }, (_, at) => `// line ${at}\nflipcolor { N attacks k ${"check ".repeat(at % 5)}}`);
  const query = lines.join("\n").split("\n").slice(0, 199).join("\n");
  const { page, context } = await openPage(`#q=${encodeURIComponent(`${query}\nmate`)}`);
  await page.locator("#summary", { hasText: "match" }).waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  const times = [];
  for (let round = 0; round < 7; round++) {
    await page.evaluate(() => {
      const { shadowRoot } = document.querySelector(".editor");
      globalThis.typed = new Promise((done) => {
        let began = 0;
        const find = () => shadowRoot.querySelector(".cm-lintRange-error");
        shadowRoot.addEventListener("keydown", () => (began = performance.now()), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (!began || !find()) return;
          observer.disconnect();
          done(performance.now() - began);
        });
        observer.observe(shadowRoot, { childList: true, subtree: true, attributes: true });
      });
    });
    await page.keyboard.type("x");
    times.push(await page.evaluate(() => globalThis.typed));
    await page.keyboard.press("Backspace");
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  }
  tell("from a key to the diagnostics of 200 lines", milliseconds(median(times)));
  await context.close();
}

/** A file: opened and searched. */
for (const file of files) {
  const name = basename(file);
  const { page, context } = await openPage("#q=mate");
  await page.locator("#summary", { hasText: "match" }).waitFor();
  const [before] = await memory();
  await page.evaluate(() => (globalThis.longest = 0));
  const began = performance.now();
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator(".databases [role=status]", { hasText: `${name}: ` }).filter({ hasText: "games" }).waitFor();
  const opened = performance.now();
  await page.locator(`.card`).first().waitFor();
  await page.waitForFunction(() => /\d game(s?) match/.test(document.querySelector("#summary")?.textContent ?? "") && !document.querySelector("#cancel"));
  const ended = performance.now();
  const [now, most] = await memory();
  const longest = await page.evaluate(() => globalThis.longest);
  const { size } = await stat(file);
  tell(`${name}, ${megabytes(size)}`, await page.locator("#summary").innerText());
  tell(`${name}: opened after`, milliseconds(opened - began));
  tell(`${name}: searched after`, milliseconds(ended - began));
  tell(`${name}: memory of the page`, `${megabytes(before)} before, ${megabytes(now)} after, ${megabytes(most)} at most`);
  tell(`${name}: the longest block of the main thread`, milliseconds(longest));
  await context.close();
}
await browser.close();
server.close();
