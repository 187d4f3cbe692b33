// What somebody does with a report, by pointer and by keyboard. The text of the element `driven` is
// what came of it.
(async () => {
  const rest = () => new Promise((done) => setTimeout(done, 50));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const text = (selector) => one(selector).textContent.replace(/\s+/g, " ").trim();
  const titles = () => all("article h2").map((h2) => h2.textContent.trim().split(/\s+/)[0]);
  const press = (key, target = document.activeElement) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const point = (target, at = {}) =>
    target.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, ...at }));
  const lit = () => all("#query pre .lit").map((filter) => filter.textContent);
  const visible = (filter) => all(`.mark[data-filter="${filter}"]`)
    .filter((mark) => getComputedStyle(mark).display !== "none").length;
  const lines = [];
  const tell = (name, value) => lines.push(`${name}: ${JSON.stringify(value)}`);
  try {
    // A board is drawn when it comes into view.
    for (let tries = 0; tries < 100 && all(".board svg").length === 0; tries += 1) await rest();
    tell("cards", titles());
    tell("boards", all(".board svg").length);
    tell("label", one(".board [role=img]").getAttribute("aria-label"));
    tell("caption", text("figcaption b"));
    tell("notes", all("figcaption q").map((note) => note.textContent));
    tell("about", text("#about").replace(/ · written.*/, ""));
    tell("legend", all("#legend button").map((button) => button.textContent));
    tell("why", all("figure:first-of-type .why")[0].textContent.replace(/\s+/g, " ").trim());
    // From the query to the boards.
    tell("marks", [visible(0), visible(1), visible(2)]);
    one("#query pre [data-filter='1']").focus();
    tell("focused", [visible(0), visible(1), lit()]);
    point(one("#query pre [data-filter='2']"));
    tell("pointed", [visible(0), visible(2), lit()]);
    point(one("h1"));
    tell("left", [visible(0), lit()]);
    one("#legend button").click();
    tell("hidden", [visible(0), one("#legend button").getAttribute("aria-pressed")]);
    one("#legend button").click();
    // From a square of a board to the query.
    const svg = one(".board svg");
    const box = svg.getBoundingClientRect();
    const king = svg.querySelector(".mark[data-filter='2']").getBoundingClientRect();
    point(svg, { clientX: king.left + 2, clientY: king.top + 2 });
    tell("square", lit());
    point(svg, { clientX: box.left + 2, clientY: box.bottom - box.width / 2 });
    tell("empty square", lit());
    one(".board").focus();
    tell("board in focus", lit());
    // The player.
    one(".board").click();
    const here = () => text("#here");
    tell("opened", [one("#player").open, here(), document.activeElement.id]);
    press("ArrowLeft");
    tell("back", [here(), one("#line [aria-current]").textContent]);
    press("Home");
    press("ArrowRight");
    tell("first move", [here(), one("#stage").getAttribute("aria-label").slice(0, 40)]);
    press("ArrowDown");
    tell("next match", here());
    press("End");
    tell("end", here());
    press("f");
    tell("turned", one("#stage .edge").textContent);
    one("#back").click();
    tell("button", here());
    // Off the match, the FEN follows from the moves.
    tell("lichess", one("#lichess").getAttribute("href"));
    press("Home");
    press("ArrowRight");
    tell("lichess after a move", one("#lichess").getAttribute("href"));
    tell("copies", all("#copy, #copy-pgn").map((button) => button.disabled));
    one("#close").click();
    tell("closed", one("#player").open);
    // Search and sort.
    const input = (id, value, event) => {
      one(id).value = value;
      one(id).dispatchEvent(new Event(event));
    };
    input("#sort", "3", "change");
    tell("sorted by Black", titles());
    one("#down").click();
    tell("descending", titles());
    input("#search", "bird 1851", "input");
    tell("found", [titles(), text("#found")]);
    input("#search", "nobody", "input");
    tell("nobody", [titles(), text("#found")]);
    input("#search", "", "input");
    one("#theme").click();
    tell("theme", [document.documentElement.dataset.theme, one("#theme").getAttribute("aria-label")]);
    tell("ran", [typeof window.hostile, all("main script, main img, main b b").length]);
  } catch (error) {
    lines.push(`${error} ${error.stack}`);
  }
  const out = document.createElement("pre");
  out.id = "driven";
  out.textContent = lines.join("\n");
  document.body.append(out);
})();
