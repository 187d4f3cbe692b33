// What a person does on the page, scene by scene. Each gets a page that has just been opened.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const text = (page, selector) => page.locator(selector).innerText();
const summary = (page, pattern) => page.locator("#summary", { hasText: pattern }).waitFor();

/** Replaces the query. */
export async function write(page, query) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type(query);
  await page.keyboard.press("Escape");
}

async function searchFor(page, query) {
  await write(page, query);
  await page.keyboard.press("ControlOrMeta+Enter");
}

/** 1. The page opens: query, matches and a board are there. */
export async function opens(page, { shoot, access }) {
  await summary(page, /games? match/);
  await page.locator("#stage svg .mark").first().waitFor();
  assert.match(await text(page, ".cm-content"), /\w/);
  assert.ok(await page.locator(".card svg").count() >= 3, "boards of the matches");
  assert.match(await page.locator("#stage").getAttribute("aria-label"), /to move\..*White: .*Black: /);
  assert.match(await text(page, ".trace h3"), /Why it matches/);
  // On a phone the board stands first.
  const [board, query] = await Promise.all(["#stage", ".query"].map((at) => page.locator(at).boundingBox()));
  if (page.viewportSize().width < 500) assert.ok(board.y < query.y, "the board is above the query");
  else assert.ok(query.x < board.x && Math.abs(query.y - board.y) < 200, "query and board side by side");
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, `the page is ${width} px too wide`);
  await shoot(page, "1-opens");
  await shoot(page, "1-opens-whole", true);
  await access(page, "opened");
}

/** Waits for the one error of a query with `adn`. While it is written, half of a word is an error, too. */
async function misspelled(page) {
  await page.locator(".cm-lintRange-error", { hasText: "adn" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.querySelectorAll(".cm-lintRange-error").length === 1);
}

/** 2. Typing: colors, diagnostics with a fix, completion, the page of a word, search, format. */
export async function types(page, { shoot, access }) {
  await summary(page, /games? match/);
  await write(page, "mate adn check");
  await misspelled(page);
  assert.match(await text(page, "#diagnosed"), /1 error/);
  assert.match(await text(page, ".diagnostics"), /Unknown name `adn`\. Did you mean `and`\?/);
  assert.ok(await page.locator(".cm-line span").count() > 0, "words have colors");
  await shoot(page, "2-error");
  await access(page, "an error in the query");
  // What does not compile is answered, too.
  await page.keyboard.press("ControlOrMeta+Enter");
  await summary(page, /The query has errors\./);
  assert.equal(await page.getByText("Unknown name `adn`").count(), 1, "an error is said once");
  // The fix, by the button of the list, and again without it.
  await page.locator(".diagnostics button").first().click();
  await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.querySelector(".cm-content").innerText.includes("mate and check"));
  await page.locator(".diagnostics").waitFor({ state: "detached" });
  await write(page, "mate adn check");
  await misspelled(page);
  // The fix, by the keyboard: to the next diagnostic, then its button.
  await page.locator(".cm-content").click();
  await page.keyboard.press("F8");
  await page.locator(".cm-diagnosticAction").first().click();
  await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.querySelector(".cm-content").innerText.includes("mate and check"));
  await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  // Completion.
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" ch", { delay: 60 });
  await page.locator(".cm-tooltip-autocomplete li").first().waitFor();
  await shoot(page, "2-completion");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await text(page, ".cm-content"), /mate and check check|mate and check ch\w+/);
  // The page of a word.
  if (!page.context().browser() || page.viewportSize().width > 500) {
    await write(page, "mate  and   check");
    const word = await page.locator(".cm-line").first().boundingBox();
    await page.mouse.move(word.x + 20, word.y + word.height / 2);
    await page.locator(".cm-hover").waitFor();
    assert.match(await text(page, ".cm-hover"), /mate/);
    await shoot(page, "2-hover");
    await page.mouse.move(5, 5);
  }
  // A query that is modern already: a note, which goes away with the next action.
  await write(page, "mate");
  await page.locator("#modern").click();
  await page.locator("#note", { hasText: "not a query of CQL 3" }).waitFor();
  assert.equal(await page.locator(".query .error").count(), 0);
  await write(page, "mate  and   check");
  assert.equal(await page.locator("#note").count(), 0);
  await page.keyboard.press("Shift+Alt+KeyF");
  await page.waitForFunction(() => document.querySelector(".editor").shadowRoot.querySelector(".cm-content").innerText.startsWith("mate and check"));
}

/** 3. Matches as they come, one game, and why. */
export async function matches(page, { shoot, access }) {
  await summary(page, /games? match/);
  await page.locator("#stage svg .mark").first().waitFor();
  const here = () => text(page, "#here");
  const first = await here();
  assert.match(first, /match/);
  await page.locator("#stage").focus();
  await page.keyboard.press("ArrowLeft");
  assert.doesNotMatch(await here(), /match/);
  await page.locator("#why-not").click();
  await page.locator(".trace h3", { hasText: "Why it does not match" }).waitFor();
  await page.locator(".trace .failed").waitFor();
  await shoot(page, "3-why-not");
  await access(page, "why not here");
  await page.locator("#stage").focus();
  await page.keyboard.press("Home");
  assert.match(await here(), /^Start/);
  await page.keyboard.press("ArrowRight");
  assert.match(await here(), /^1\./);
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((first) => document.querySelector("#here").innerText === first, first);
  await page.keyboard.press("f");
  assert.equal(await page.locator("#stage .edge").first().textContent(), "h");
  // A move of the list.
  await page.locator(".moves button").nth(2).click();
  assert.doesNotMatch(await here(), /^Start/);
  // A filter of the query: its squares alone.
  await page.locator(".card").first().click();
  await page.locator("#stage svg .mark").first().waitFor();
  const all = await page.locator("#stage .mark").count();
  await page.locator(".trace").evaluate((details) => (details.open = true));
  await page.locator(".trace code[class^=c]").last().hover();
  await page.waitForFunction((all) => document.querySelectorAll("#stage .mark").length < all, all);
  // The same by the cursor in the query.
  await page.mouse.move(2, 2);
  await page.waitForFunction((all) => document.querySelectorAll("#stage .mark").length === all, all);
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Home");
  for (let step = 0; step < "flipcolor { N".length; step++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction((all) => document.querySelectorAll("#stage .mark").length < all, all);
  // The boards of the list are marked, too.
  await page.locator(".card .mark.c2").first().waitFor();
  // Narrow and sort.
  const count = await page.locator(".card").count();
  await page.locator("#narrow").fill("odessa");
  await page.locator("#shown", { hasText: / of / }).waitFor();
  assert.ok(await page.locator(".card").count() <= count);
  await page.locator("#narrow").fill("");
  await page.locator("#sort").selectOption("new");
  await page.waitForTimeout(100);
  const years = await page.locator(".card-words .soft").allInnerTexts();
  const sorted = years.map((line) => Number(line.slice(0, 4)));
  assert.deepEqual(sorted, sorted.toSorted((a, b) => b - a), "newest first");
  // Keys step through the list.
  await page.locator(".card").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement?.dataset.at === "1");
  // Another game.
  await page.locator(".open-game input").fill("999999");
  await page.locator(".open-game button").click();
  await page.locator(".open-game .failure").waitFor();
  assert.equal(await page.locator("#stage svg").count(), 1, "the board stays");
  assert.equal(await page.locator(".open-game input").inputValue(), "999999");
}

/** 4. How often: groups as a chart and as a table. */
export async function groups(page, { shoot, access }) {
  await summary(page, /games? match/);
  await page.locator("#view-groups").click();
  await page.locator("#by").selectOption("year");
  await page.locator(".chart rect").first().waitFor();
  await page.locator("tbody tr").nth(1).waitFor();
  assert.match(await page.locator(".chart").getAttribute("aria-label"), /Games by year: /);
  assert.match(page.url(), /by=year/);
  await shoot(page, "4-how-often", true);
  await access(page, "groups");
  // The opening explorer of the matches: by their numbers of games, each with its performance.
  await page.locator("#by").selectOption("next");
  await page.locator(".chart[aria-label^='Games by next move: ']").waitFor();
  const heads = await page.locator("thead th").allInnerTexts();
  assert.deepEqual([heads[0], heads.includes("performance")], ["next", true]);
  const games = (await page.locator("tbody tr td:nth-child(2)").allInnerTexts()).map((cell) => Number(cell.replace(",", "")));
  assert.deepEqual(games, games.toSorted((a, b) => b - a), "the most games first");
  await shoot(page, "4-next-move", true);
  await page.locator("#view-explain").click();
  await page.locator(".explain p").first().waitFor();
  await shoot(page, "4-in-words");
  await access(page, "in words");
}

/** 5. Taking along: files, the link, the command. */
export async function takes(page, { shoot, access, browser, address, screen }) {
  await summary(page, /games? match/);
  await page.locator("#view-take").click();
  await shoot(page, "5-take-along");
  await access(page, "take along");
  const download = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".take").getByRole("button", { name, exact: true }).click()]);
    const read = await readFile(await file.path(), "utf8");
    await page.locator(".take [role=status]", { hasText: "written" }).waitFor();
    return read;
  };
  assert.match(await download("PGN"), /\[White "/);
  const csv = await download("CSV");
  assert.match(csv, /^database,game,white,black,white_elo,.*,fen\r\n/);
  const lines = (await download("JSON lines")).trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(lines.every((line) => line.positions.length > 0 && line.type === undefined));
  const report = await download("HTML report");
  assert.match(report, /<!doctype html>/);
  // The report is the report of the command: its script draws boards.
  const { viewport, colorScheme } = screen;
  const reader = await (await browser.newContext({ viewport, colorScheme })).newPage();
  await reader.setContent(report);
  await reader.locator(".hit svg .mark").first().waitFor();
  const isFolded = await reader.locator("#query").evaluate((details) => !details.open);
  assert.equal(isFolded, viewport.width < 500, "on a phone the query is folded");
  assert.ok(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the report fits");
  await shoot(reader, "5-report");
  await access(reader, "the report");
  await reader.locator(".hit .board").first().click();
  await reader.locator("#player #stage .mark").first().waitFor();
  await shoot(reader, "5-report-game");
  await access(reader, "a game of the report");
  await reader.context().close();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.locator(".take [role=status]", { hasText: "Link copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#q=.+/);
  assert.ok(link.startsWith(address));
  assert.match(await page.locator("#command").inputValue(), /^babson -i \S+ .*-o matches\.pgn --cql '/);
  // The link searches at once.
  const other = await page.context().newPage();
  await other.goto(`${address}#q=${encodeURIComponent("mate // from a link")}`);
  await summary(other, /games? match/);
  assert.match(await text(other, ".cm-content"), /mate \/\/ from a link/);
  await other.close();
}

/** 6. A server searches its own databases: a file cannot be brought to it. */
export async function databases(page) {
  await summary(page, /games? match/);
  assert.equal(await page.locator("#choose-file").count(), 0);
  assert.match(await page.locator("#database option").first().innerText(), /masters-2k \(2,000\)/);
}

/** By keyboard alone: to the editor and out of it, search, a match, the board, each with a visible focus. */
export async function keyboard(page, { shoot }) {
  await summary(page, /games? match/);
  const seen = [];
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const frame = element.getRootNode().host?.closest(".query");
      const isSeen = style.outlineStyle !== "none" && style.outlineWidth !== "0px";
      return { name: element.id || element.className, isSeen: isSeen || Boolean(frame), isOn: box.width > 0 };
    });
    if (!found) break;
    seen.push(found);
  }
  const names = seen.map(({ name }) => name);
  for (const wanted of ["stage", "search", "narrow", "sort"]) assert.ok(names.includes(wanted), `Tab reaches ${wanted}: ${names}`);
  assert.ok(names.some((name) => name.includes("cm-content")), "Tab reaches the editor");
  assert.ok(names.some((name) => name === "card"), "Tab reaches a match");
  const dim = seen.filter(({ isSeen }) => !isSeen);
  assert.deepEqual(dim, [], "every focus is visible");
  await shoot(page, "7-focus");
}

/** Searches that end badly, or do not end. */
export async function troubles(page, { shoot, access, stub }) {
  await summary(page, /games? match/);
  await searchFor(page, "endless");
  await page.locator("#cancel").waitFor();
  await page.locator(".card svg").first().waitFor();
  await page.locator("#summary", { hasText: /so far, [\d,]+ of 2,000,000 searched/ }).waitFor();
  await shoot(page, "8-running");
  await access(page, "a running search");
  const before = stub.state.cancelled;
  await page.locator("#cancel").click();
  await summary(page, /It was cancelled/);
  await page.waitForTimeout(200);
  assert.equal(stub.state.cancelled, before + 1, "the connection is closed");
  await searchFor(page, "broken");
  await page.locator(".status .error", { hasText: "broke off" }).waitFor();
  await searchFor(page, "busy");
  await page.locator(".status .error", { hasText: "Too many searches" }).waitFor();
  // A link to a database that is not there searches nothing; a game can be opened when none matches.
  const searches = stub.state.searches;
  const other = await page.context().newPage();
  await other.goto(`${stub.url}#q=mate&db=mastrs`);
  await other.locator("[role=alert]", { hasText: "There is no database `mastrs`; the server has `masters-2k`." }).waitFor();
  assert.equal(stub.state.searches, searches);
  await other.goto("about:blank");
  await other.goto(`${stub.url}#q=nothing`);
  await other.locator(".show .open-game input").fill("1234567");
  await other.locator(".open-game button").click();
  await other.locator(".open-game .failure").waitFor();
  await shoot(other, "8-nothing-at-first");
  await other.close();
  await searchFor(page, "nothing");
  await page.locator(".empty").waitFor();
  await page.locator(".open-game input").waitFor();
  await shoot(page, "8-nothing");
  await access(page, "nothing found");
  await searchFor(page, "damaged");
  await page.locator(".messages summary").click();
  assert.match(await text(page, ".messages"), /Game 7: damaged at line 93: illegal move <\/script><img/);
  await page.locator("#view-groups").click();
  await page.locator(".groups .messages li", { hasText: "game 7 is damaged: </script>" }).waitFor();
  await shoot(page, "8-not-counted");
  await page.locator("#view-matches").click();
  await searchFor(page, "hostile");
  await page.locator(".card .names", { hasText: "<b>Carl</b>" }).first().waitFor();
  assert.equal(await page.title(), "Babson");
  assert.equal(await page.locator("#app img, #app script, .card b b").count(), 0, "markup in tags is text");
}

/** The server goes away within a search, and comes back. */
export async function away(page, { shoot, access, stub }) {
  await summary(page, /games? match/);
  await searchFor(page, "endless");
  await page.locator(".card svg").nth(1).waitFor();
  try {
    await stub.stop();
    await page.locator(".status .error", { hasText: "The matches below are not all. Search again." }).waitFor();
    assert.ok(await page.locator(".card svg").count() > 1, "the matches stay");
    // A game that does not come can be asked for again.
    await page.locator(".card").nth(1).click();
    await page.locator(".show [role=alert]", { hasText: "The server does not answer" }).waitFor();
    await shoot(page, "8-away");
    await access(page, "a server that is away");
    await stub.start();
    await page.locator(".show button", { hasText: "Try again" }).click();
    await page.locator("#stage svg").waitFor();
    await stub.stop();
    await searchFor(page, "mate");
    await page.locator(".status .error", { hasText: "The server does not answer. Is it still running? Try again when it is." }).waitFor();
    await page.locator("#view-groups").click();
    await page.locator(".groups [role=alert]", { hasText: "The server does not answer" }).waitFor();
  } finally {
    await stub.start();
  }
  // A search finds the server again, and so do the groups.
  await page.locator("#search").click();
  await summary(page, /[1-9]\d* games? match/);
  await page.locator(".chart rect").first().waitFor();
  await page.locator("#view-matches").click();
  await page.locator(".card svg").first().waitFor();
}

/** A hundred thousand matches scroll as ten do. */
export async function crowd(page, { shoot }) {
  await summary(page, /games? match/);
  await searchFor(page, "hundred");
  await summary(page, /100,000 games match/);
  const cards = await page.locator(".card").count();
  assert.ok(cards > 3 && cards < 120, `${cards} boards are in the document`);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.locator(".card", { hasText: "Player 100000 " }).waitFor();
  assert.ok(await page.locator(".card").count() < 120);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await page.locator(".card", { hasText: /Player [45]\d{4} / }).first().waitFor();
  await shoot(page, "9-crowd");
  await page.locator("#narrow").fill("player 77777");
  await page.locator("#shown", { hasText: /^1 of 100,000 positions/ }).waitFor();
}

/** A server that wants a token. */
export async function token(page, { shoot, access }) {
  await page.locator("dialog.token input").waitFor();
  await shoot(page, "token");
  await access(page, "token");
  await page.locator("dialog.token input").fill("wrong");
  await page.keyboard.press("Enter");
  await page.locator("dialog.token h2", { hasText: "does not know" }).waitFor();
  await page.locator("dialog.token input").fill("secret");
  await page.keyboard.press("Enter");
  await summary(page, /games? match/);
}

/** 6, in the playground: a file of one's own is opened, dropped, and never uploaded. */
export async function brings(page, { shoot, access, stub, isFake }) {
  await summary(page, /games? match/);
  const before = stub.state.bytes;
  const pgn = '[White "Ann"]\n\n1. e4 *\n\n'.repeat(3);
  const file = (name, text) => ({ name, mimeType: "application/x-chess-pgn", buffer: Buffer.from(text) });
  await page.locator("input[type=file]").setInputFiles(file("mine.pgn", pgn));
  await page.locator(".databases [role=status]", { hasText: "mine.pgn: 3 games. It stays in this browser." }).waitFor();
  await page.waitForFunction(() => document.querySelector("#database").value === "mine");
  await summary(page, /games? match/);
  await shoot(page, "6-file");
  await access(page, "a file");
  // Dropped.
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.pgn"));
    const event = (name) => document.body.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));
    event("dragover");
    globalThis.drop = () => event("drop");
  }, pgn);
  await page.locator(".drop-hint").waitFor();
  await shoot(page, "6-drop");
  await page.evaluate(() => globalThis.drop());
  await page.locator(".databases [role=status]", { hasText: "dropped.pgn: 3 games" }).waitFor();
  // Something else.
  await page.locator("input[type=file]").setInputFiles(file("noise.pgn", "nothing"));
  await page.locator(".databases [role=status]", { hasText: /noise\.pgn: (?!\d+ games?\.)/ }).waitFor();
  assert.equal(stub.state.bytes, before, "nothing is uploaded");
  if (!isFake) {
    // Compressed, and damaged.
    const packed = (name, buffer) => page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/gzip", buffer });
    const games = await readFile(new URL("../../../../corpus/games/masters-2k.pgn", import.meta.url));
    await packed("packed.pgn.gz", gzipSync(games));
    await page.locator(".databases [role=status]", { hasText: "packed.pgn.gz: 2,000 games" }).waitFor();
    await packed("torn.pgn.gz", gzipSync(games).subarray(0, 1000));
    await page.locator(".databases [role=status]", { hasText: /torn\.pgn\.gz: .*ends too early\.$/ }).waitFor();
    // What cannot be opened, by its first bytes: what helps, and what can be opened.
    const inFrame = (text) => Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length, text.length << 3 | 1, 0, 0]), Buffer.from(text)]);
    for (const [name, bytes, expected] of [
      ["games.arrow.zst", inFrame("ARROW1\0\0"), /compressed as a whole: decompress it/],
      ["games.pgn.xz", Buffer.from("\xfd7zXZ\0\0\0", "latin1"), /compressed with xz.*: unpack it \(PGN, also as \.gz, \.zst or in a \.zip, and game tables can be opened\)\.$/],
      ["games.pgn.bz2", Buffer.from("BZh91AY&SY"), /compressed with bzip2.*\(PGN, .* can be opened/],
      ["games.7z", Buffer.from("7z\xbc\xaf\x27\x1c\0\x04", "latin1"), /a 7-Zip archive.*7z x FILE \(PGN, .* can be opened/],
      ["games.rar", Buffer.from("Rar!\x1a\x07\x01\0", "latin1"), /a RAR archive.*unrar x FILE \(PGN, .* can be opened/],
    ]) {
      await packed(name, bytes);
      await page.locator(".databases [role=status]", { hasText: new RegExp(`^${name}: The file cannot be read: .*${expected.source}`) }).waitFor();
      if (name === "games.7z") await shoot(page, "6-refused");
    }
    await access(page, "a file that cannot be opened");
    // How often, in the file; the groups take as long as the search.
    await page.locator("#view-groups").click();
    await page.locator("#by").selectOption("year");
    await page.locator(".chart rect").first().waitFor();
    await page.locator("#view-matches").click();
  }
  // A search that does not end leaves the page alive, and can be cancelled.
  if (isFake) {
    await searchFor(page, "endless");
    await page.locator("#summary", { hasText: "of 2,000,000 searched" }).waitFor();
    await page.locator("#cancel").click();
    await summary(page, /It was cancelled/);
  }
  // Without a network the page opens again.
  await page.locator("#database").selectOption("masters-2k");
  await searchFor(page, "mate");
  await summary(page, /[1-9]\d* games match/);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  // What stands for the engine reads one more file, which the service worker keeps when it has seen it.
  if (isFake) await page.evaluate(async () => (await fetch("fixtures.json")).text());
  await page.context().setOffline(true);
  await page.reload();
  await summary(page, /games? match/);
  await page.context().setOffline(false);
}

/** The engine of the playground cannot be loaded, or fails within a call. */
export async function fails(page, { shoot, access, stub, isFake, expect }) {
  await summary(page, /games? match/);
  const alert = page.locator(".query [role=alert]");
  const { files } = stub.state;
  const worker = await (await fetch(`${stub.url}worker.js`)).text();
  const damaged = Buffer.from("<!doctype html>");
  try {
    for (const [broken, expected] of [
      [{ "babson_wasm_bg.wasm": null }, /cannot be loaded\. Its files do not arrive: check the connection, then search again\. \(.+\)$/],
      [{ "babson_wasm.js": null }, /Its files do not arrive/],
      [{ "worker.js": null }, /Its files do not arrive/],
      [{ "babson_wasm_bg.wasm": damaged }, /Its files are damaged, or do not belong to this page: reload the page\. \(.+\)$/],
      [{ "babson_wasm.js": damaged }, /Its files are damaged/],
      [{ "worker.js": Buffer.from(`delete globalThis.WebAssembly;\n${worker}`) }, /This browser has no WebAssembly/],
      [{ "worker.js": Buffer.from(`WebAssembly.validate = () => false;\n${worker}`) }, /has no SIMD/],
    ]) {
      Object.assign(files, broken);
      await page.reload();
      await alert.filter({ hasText: expected }).waitFor();
      // The editor works on, and a search tries it again.
      await write(page, "mate // still there");
      await page.locator("#search").click();
      await alert.filter({ hasText: expected }).waitFor();
      for (const name of Object.keys(broken)) delete files[name];
      await page.locator("#search").click();
      await summary(page, /[1-9]\d* games? match/);
      assert.equal(await alert.count(), 0);
      assert.match(await text(page, ".cm-content"), /still there/);
      assert.equal(await page.locator("#database").inputValue(), "masters-2k");
    }
    files["babson_wasm_bg.wasm"] = damaged;
    await page.reload();
    await alert.waitFor();
    await shoot(page, "8-not-loaded");
    await access(page, "an engine that cannot be loaded");
  } finally {
    for (const name of Object.keys(files)) delete files[name];
  }
  await page.locator("#search").click();
  await summary(page, /[1-9]\d* games? match/);
  if (!isFake) return;
  // Another engine has the files of the user, too.
  const file = (name) => ({ name, mimeType: "application/x-chess-pgn", buffer: Buffer.from('[White "Ann"]\n\n1. e4 *\n') });
  const opening = page.locator(".databases [role=status]");
  await page.locator("input[type=file]").setInputFiles(file("mine.pgn"));
  await opening.filter({ hasText: "mine.pgn: 1 game." }).waitFor();
  const error = page.locator(".status .error");
  expect(/panicked at/);
  await searchFor(page, "panic");
  await error.filter({ hasText: /was started again\. This is a bug: please report it with the query\. \(panicked at .*index out of bounds\)/ }).waitFor();
  await shoot(page, "8-failed");
  await access(page, "an engine that has failed");
  await searchFor(page, "trap");
  await error.filter({ hasText: /Perhaps the browser has no memory left for it: close other pages, then search again\. \(unreachable\)/ }).waitFor();
  await searchFor(page, "mate");
  await summary(page, /[1-9]\d* games? match/);
  assert.equal(await page.locator("#database").inputValue(), "mine");
  // A file that ends the engine is not opened again.
  await page.locator("input[type=file]").setInputFiles(file("crash.pgn"));
  await opening.filter({ hasText: /crash\.pgn: The engine has failed/ }).waitFor();
  await page.locator("#search").click();
  await summary(page, /[1-9]\d* games? match/);
}

/** A query that takes too many steps, in a search and where one asks why. */
export async function steps(page, { shoot }) {
  await summary(page, /games? match/);
  await searchFor(page, "while (true) true");
  await summary(page, /too many steps/);
  await page.locator(".show .open-game input").fill("7");
  await page.locator(".open-game button").click();
  await page.locator("#why-not").click();
  await page.locator(".show [role=alert]", { hasText: "steps" }).waitFor();
  await shoot(page, "8-steps");
  await searchFor(page, "mate");
  await summary(page, /[1-9]\d* games? match/);
}
