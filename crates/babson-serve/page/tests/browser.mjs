// A browser for the tests: Debian's Chromium, and what each test asks of a page.
import assert from "node:assert/strict";
import { access, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

// Without these it asks for hosts of its maker.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const NAMES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of a browser, or `null`. */
export async function findBrowser() {
  for (const path of process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES) {
    if (await access(path).then(() => true, () => false)) return path;
  }
  return null;
}

export const launch = (executablePath) => chromium.launch({ executablePath, args: FLAGS });

/** What the tests look at: a desk and a phone, light and dark. */
export const SCREENS = [
  { name: "desk-light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "phone-light", viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true, isMobile: true },
  { name: "desk-dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { name: "phone-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true },
];

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails if axe-core finds a fault that it calls serious or critical. */
export async function checkAccess(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const faults = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = faults.map(({ id, help, nodes }) =>
    `${id}: ${help}\n${nodes.slice(0, 3).map(({ html, failureSummary }) => `    ${html}\n    ${failureSummary}`).join("\n")}`);
  assert.equal(faults.length, 0, `${name}: axe-core finds\n${told.join("\n")}`);
}

/** Opens a page that may not fail: an error of a script, a breach of the policy, or a request to another
 * place is a fault. */
export async function openPage(browser, screen, address) {
  const context = await browser.newContext({
    viewport: screen.viewport, colorScheme: screen.colorScheme, hasTouch: screen.hasTouch, isMobile: screen.isMobile,
    acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.stack ?? String(error)));
  page.on("console", (message) => {
    // A refused request is a part of some tests, and the browser writes it down.
    if (message.type() === "error" && !/status of 4\d\d|ERR_INCOMPLETE|ERR_CONNECTION/.test(message.text())) faults.push(message.text());
  });
  const { origin } = new URL(address);
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`a request to ${url}`);
  });
  await page.goto(address);
  return { page, context, faults };
}

/** Takes pictures into a folder, in which somebody looks at them. */
export function camera(folder, screen) {
  return async (page, name, fullPage = false) => {
    await mkdir(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${screen.name}.png`), fullPage });
  };
}
