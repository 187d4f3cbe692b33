// What stands on a sheet of puzzles.
(async () => {
  await new Promise((done) => setTimeout(done, 50));
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const lines = [];
  const tell = (name, value) => lines.push(`${name}: ${JSON.stringify(value)}`);
  try {
    tell("puzzles", all(".puzzle p").map(text));
    tell("label", all(".puzzle .board")[0].getAttribute("aria-label"));
    tell("given away", all(".puzzle .arrow, .puzzle .mark, #query, #tools").length);
    tell("answers", all(".answers li").map(text));
    tell("notes", all("#games > .note").map(text));
  } catch (error) {
    lines.push(`${error} ${error.stack}`);
  }
  const out = document.createElement("pre");
  out.id = "driven";
  out.textContent = lines.join("\n");
  document.body.append(out);
})();
