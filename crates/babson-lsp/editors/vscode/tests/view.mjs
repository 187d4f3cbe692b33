// Plays the view of the matches in Chromium, in place of VS Code: node tests/view.mjs PICTURES
//
// A panel beside a query is mostly narrow.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [pictures] = process.argv.slice(2);
// Matches, games and traces as `babson serve` answers them.
const fixtures = JSON.parse(await readFile(here("../../../../babson-serve/page/tests/fixtures.json"), "utf8"));

const POLICY = "default-src 'none'; script-src 'nonce-x'; style-src http://view.test; img-src data:";
// Colors of VS Code's own themes.
const THEMES = {
  light: { foreground: "#3b3b3b", descriptionForeground: "#3b3b3b", "editor-background": "#ffffff", "panel-border": "#e5e5e5",
    "textLink-foreground": "#005fb8", "input-background": "#ffffff", "input-foreground": "#3b3b3b" },
  dark: { foreground: "#cccccc", descriptionForeground: "#9d9d9d", "editor-background": "#1f1f1f", "panel-border": "#2b2b2b",
    "textLink-foreground": "#4daafc", "input-background": "#313131", "input-foreground": "#cccccc" },
};

/** What VS Code and the extension do for the view. It runs in the browser. */
const HOST = `
  const asked = [];
  const reply = (message) => window.postMessage(message, "*");
  window.acquireVsCodeApi = () => ({ postMessage(message) {
    asked.push(message);
    if (message.type !== "ask") return;
    window.answer(message).then((answer) => reply({ type: "reply", id: message.id, answer }),
      (error) => reply({ type: "reply", id: message.id, error: String(error) }));
  } });
  window.asked = asked;
`;

const document = (theme) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Matches</title>
<link rel="stylesheet" href="http://view.test/theme.css"><link rel="stylesheet" href="http://view.test/matches.css"></head>
<body class="vscode-${theme}"><div id="app"></div>
<script nonce="x" src="http://view.test/host.js"></script><script nonce="x" src="http://view.test/matches.js"></script></body></html>`;

async function open(browser, theme, width) {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.exposeFunction("answer", ({ command, body }) => {
    const found = command === "babson.game" ? fixtures.games[body.game] : fixtures.whys[`${body.game}/${body.ply}`];
    if (!found) throw new Error("there is no such game");
    return found;
  });
  const variables = Object.entries(THEMES[theme]).map(([name, color]) => `--vscode-${name}:${color};`).join("");
  const files = {
    "/": ["text/html", document(theme)],
    "/host.js": ["text/javascript", HOST],
    "/theme.css": ["text/css", `html{${variables}--vscode-font-size:13px}body{background:var(--vscode-editor-background)}`],
    "/matches.js": ["text/javascript", await readFile(here("../dist/matches.js"))],
    "/matches.css": ["text/css", await readFile(here("../dist/matches.css"))],
  };
  await page.route("**/*", (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file ? route.fulfill({ contentType: `${file[0]}; charset=utf-8`, body: file[1] }) : route.abort();
  });
  await page.goto("http://view.test/");
  await page.waitForFunction(() => window.asked.some(({ type }) => type === "ready"));
  return { page, faults };
}

const send = (page, message) => page.evaluate((message) => window.postMessage(message, "*"), message);
const items = fixtures.matches.map((match) => ({ ...match, type: "match", database: "masters-2k" }));
const answer = { matches: items.length, games: 2000, seconds: 0.123, stopped: null, items };
const result = { type: "result", name: "knight.cql", query: fixtures.query, answer, canAsk: true };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const [theme, width] of [["light", 1000], ["dark", 1000], ["dark", 520]]) {
    const { page, faults } = await open(browser, theme, width);
    await send(page, result);
    await page.waitForSelector("#stage .man");
    assert.match(await page.textContent("#summary"), new RegExp(`${items.length} games of 2,000`));
    assert.equal(await page.evaluate(() => window.document.documentElement.dataset.theme), theme);
    // The trace of the first match, and its marks.
    await page.waitForSelector(".trace summary");
    if (!await page.isVisible(".why li")) await page.click(".trace summary");
    assert.ok(await page.locator("#stage .mark").count() > 0, "the squares of the filters are marked");
    // A filter of the trace is pointed out in the query.
    await page.hover(".why li:nth-child(3)");
    await page.waitForFunction(() => window.asked.some(({ type, span }) => type === "light" && span));
    // From board to board, and from move to move.
    await page.click(".card[data-at='1']");
    await page.waitForFunction((white) => window.document.querySelector("#game-title")?.textContent.includes(white), items[1].white);
    await page.focus("#stage");
    const here = () => page.textContent("#here");
    const before = await here();
    await page.keyboard.press("ArrowLeft");
    assert.notEqual(await here(), before);
    await page.fill("#narrow", items[2].black);
    await page.waitForFunction(() => window.document.querySelectorAll(".card").length < 5);
    await page.fill("#narrow", "");
    await mkdir(pictures, { recursive: true });
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(pictures, `view-${theme}-${width}.png`) });
    // Nothing found, and a server that only runs queries.
    await send(page, { ...result, answer: { ...answer, matches: 0, items: [] } });
    await page.waitForSelector(".empty");
    await send(page, { ...result, canAsk: false });
    await page.waitForSelector(".list-only .card .man");
    assert.equal(await page.locator("#stage").count(), 0);
    assert.deepEqual(faults, []);
    await page.close();
  }
} finally {
  await browser.close();
}
console.log("the view shows matches, in light and dark, wide and narrow");
