"use strict";
// The script of a report. It reads the games from the data of the page, makes a card for each, and
// draws the boards when they come into view.

const byId = (id) => document.getElementById(id);
const read = (id) => JSON.parse(byId(id).textContent);
const filters = read("filters");
const keys = read("keys");
const games = byId("data").textContent.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const query = byId("query");
const main = byId("games");

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
// A set of more squares says little on a board, so it is marked only while its filter is pointed at.
const MANY_SQUARES = 16;
const MAX_PRINTED = 200;
const MAX_NEW_CARDS = 60;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const esc = (text) => String(text).replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const index = (letter) => LETTERS.indexOf(letter);
const square = (at) => "abcdefgh"[at & 7] + ((at >> 3) + 1);

// --- Games: positions by their id, as the data have them ---

/** The squares of a FEN, a1 first: the letter of the piece or an empty string. */
function boardOf(fen) {
  const board = Array(64).fill("");
  let rank = 7;
  let file = 0;
  for (const letter of fen.split(/[ []/)[0]) {
    if (letter === "/") [rank, file] = [rank - 1, 0];
    else if (letter >= "1" && letter <= "8") file += Number(letter);
    else if (/[a-z]/i.test(letter)) board[rank * 8 + file++] = letter;
  }
  return board;
}

/** The moves of a game by the id of the position after them, and the tree; made when first asked. */
function movesOf(game) {
  if (game.moves) return game.moves;
  const parents = new Map(game.tree || []);
  const sans = game.san ? game.san.split(" ") : [];
  const moves = [{ ply: 0, parent: -1 }];
  let at = 0;
  const next = () => game.steps[at++];
  for (const san of sans) {
    const id = moves.length;
    const parent = parents.has(id) ? parents.get(id) : id - 1;
    const move = { san, parent, ply: moves[parent].ply + 1, changes: null };
    let letter = next();
    const special = letter === "!";
    if (special) letter = next();
    [move.from, move.to] = [index(letter), index(next())];
    if (special) {
      const count = index(next());
      move.changes = Array.from({ length: count }, () => [index(next()), next().replace(".", "")]);
    }
    moves.push(move);
  }
  game.moves = moves;
  return moves;
}

/** The ids from the initial position to this one. */
function pathTo(game, id) {
  const path = [];
  for (let here = id; here >= 0; here = movesOf(game)[here].parent) path.unshift(here);
  return path;
}

/** The id of the position after the main continuation, if there is one. */
function after(game, id) {
  const next = movesOf(game)[id + 1];
  return next && next.parent === id ? id + 1 : null;
}

function boardAt(game, id) {
  const board = boardOf(game.start || USUAL);
  for (const here of pathTo(game, id).slice(1)) {
    const { from, to, changes } = movesOf(game)[here];
    if (changes) for (const [at, piece] of changes) board[at] = piece;
    else [board[to], board[from]] = [board[from], ""];
  }
  return board;
}

/** Whether White is to move, and the number of the move. */
function turn(game, id) {
  const [, side, , , , number] = (game.start || USUAL).split(" ");
  const plies = movesOf(game)[id].ply + (side === "b" ? 1 : 0);
  return { white: plies % 2 === 0, number: Number(number || 1) + Math.floor(plies / 2) };
}

/** The move to a position with its number, `12...Nf6`. */
function moveName(game, id) {
  const move = movesOf(game)[id];
  if (!id || !move) return "Start";
  const { white, number } = turn(game, move.parent);
  return number + (white ? "." : "...") + move.san;
}

const title = (game) => `${game.white || "?"} – ${game.black || "?"}`;
const hitAt = (game, id) => game.hits.find((hit) => hit.id === id);

// --- Filters: what they did at a match ---

/** What a filter did: `null` if it was not evaluated. */
function verdict(hit, filter) {
  const text = hit && hit.filters && hit.filters[filter];
  if (!text) return null;
  const [, sign, times, squares, value] = text.match(/^([01])(?:\((.*?)\))?(?:=(.*)|:(.*))?$/s);
  return { matched: sign === "1", times, squares: squares === undefined ? null : [...squares].map(index), value };
}

/** The filters that name squares at a match, with these squares. */
function marksOf(hit) {
  const marks = filters.map((filter, at) => ({ ...filter, at, ...verdict(hit, at) }));
  return marks.filter((mark) => mark.color !== undefined && mark.squares);
}

const colorClass = (filter) => (filter.color === undefined ? "" : `c${filter.color % 8}`);

// --- Boards ---

/** The drawing of a board: pieces, marks of filters, arrows of the last and of the next move. */
function drawing(board, { last, next, marks = [], flipped = false }) {
  const x = (at) => (flipped ? 7 - (at & 7) : at & 7);
  const y = (at) => (flipped ? at >> 3 : 7 - (at >> 3));
  let out = '<svg viewBox="0 0 8 8" aria-hidden="true"><use href="#squares"/>';
  for (let at = 0; at < 8; at++) {
    const [file, rank] = flipped ? ["hgfedcba"[at], at + 1] : ["abcdefgh"[at], 8 - at];
    out += `<text class="edge" x="${at + 0.82}" y="7.95">${file}</text>`;
    out += `<text class="edge" x=".04" y="${at + 0.22}">${rank}</text>`;
  }
  const drawn = Array(64).fill(0);
  for (const mark of marks) {
    const wide = mark.squares.length > MANY_SQUARES || mark.color >= 8;
    for (const at of mark.squares) {
      const inset = 0.05 + 0.1 * (wide ? 0 : Math.min(drawn[at]++, 3));
      const size = 1 - 2 * inset;
      out += `<rect class="mark ${colorClass(mark)}${wide ? " wide" : ""}" data-filter="${mark.at}"
        x="${x(at) + inset}" y="${y(at) + inset}" width="${size}" height="${size}" rx=".1"/>`;
    }
  }
  board.forEach((piece, at) => {
    if (!piece) return;
    const side = piece < "a" ? "w" : "b";
    const glyph = GLYPHS[piece.toLowerCase()];
    out += `<text class="man ${side}" x="${x(at) + 0.5}" y="${y(at) + 0.8}">${glyph}\ufe0e</text>`;
  });
  const arrow = (move, name) => {
    if (!move || move.from === move.to) return "";
    const [x1, y1, x2, y2] = [x(move.from), y(move.from), x(move.to), y(move.to)].map((v) => v + 0.5);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const cut = (length - 0.35) / length;
    return `<line class="arrow ${name}" marker-end="url(#head-${name})" x1="${x1}" y1="${y1}"
      x2="${x1 + (x2 - x1) * cut}" y2="${y1 + (y2 - y1) * cut}"/>`;
  };
  return out + arrow(last, "last") + arrow(next, "next") + "</svg>";
}

/** A position of a game with its marks. */
function position(game, id, flipped) {
  const moves = movesOf(game);
  const following = after(game, id);
  const hit = hitAt(game, id);
  return drawing(hit ? boardOf(hit.fen) : boardAt(game, id), {
    last: id ? moves[id] : null,
    next: following ? moves[following] : null,
    marks: marksOf(hit),
    flipped,
  });
}

/** A position in words. */
function inWords(game, id) {
  const hit = hitAt(game, id);
  const board = hit ? boardOf(hit.fen) : boardAt(game, id);
  const side = (name, isOf) => {
    const pieces = board.map((piece, at) => (isOf(piece) ? piece.toUpperCase() + square(at) : ""));
    return `${name}: ${pieces.filter(Boolean).join(" ").replace(/P/g, "") || "none"}`;
  };
  const following = after(game, id);
  const words = [
    id ? `After ${moveName(game, id)}` : "Initial position",
    turn(game, id).white ? "White to move" : "Black to move",
    following ? `next ${moveName(game, following)}` : "end of the line",
    side("White", (piece) => piece && piece < "a"),
    side("Black", (piece) => piece >= "a"),
  ];
  for (const mark of marksOf(hit)) {
    if (mark.squares.length > MANY_SQUARES) continue;
    words.push(`${mark.text}: ${mark.squares.map(square).join(" ") || "no square"}`);
  }
  return words.join(". ") + ".";
}

/** What is drawn once and used by all boards. */
function shapes() {
  let dark = "";
  for (let at = 0; at < 64; at++) {
    if (((at & 7) + (at >> 3)) % 2 === 0) dark += `M${at & 7} ${7 - (at >> 3)}h1v1h-1z`;
  }
  const head = (name) => `<marker id="head-${name}" class="${name}" viewBox="0 0 4 4" refX="2" refY="2"
    markerWidth="3.6" markerHeight="3.6" orient="auto"><path d="M0 0L4 2L0 4z"/></marker>`;
  const holder = document.createElement("div");
  holder.innerHTML = `<svg width="0" height="0" aria-hidden="true" style="position:absolute">
    <symbol id="squares" viewBox="0 0 8 8"><path class="light" d="M0 0h8v8H0z"/>
    <path class="dark" d="${dark}"/></symbol><defs>${head("last")}${head("next")}</defs></svg>`;
  document.body.prepend(holder.firstChild);
}

// --- Cards ---

/** The card of a game, without the drawings of its boards. */
function card(at) {
  const game = games[at];
  const about = [`Game ${game.game}`, game.event, game.site, game.date];
  about.push(game.round && `round ${game.round}`);
  if (game.input && game.number !== game.game) about.push(`${game.input}, ${game.number}`);
  const value = (key) => ((game.sort || [])[key] ?? "none");
  const items = keys.map((name, key) => `<li>${esc(name)}: <b>${esc(value(key))}</b></li>`);
  const hit = (_, hit) => `<li class="hit" data-game="${at}" data-hit="${hit}">
    <figure><button type="button" class="board"></button><figcaption></figcaption></figure></li>`;
  return `<article id="game-${game.game}"${game.hits.length > 1 ? ' class="wide"' : ""}>
    <h2>${esc(title(game))} <span class="result">${esc(game.result)}</span></h2>
    <p class="about">${about.filter(Boolean).map(esc).join(" · ")}</p>
    ${items.length ? `<ul class="keys">${items.join("")}</ul>` : ""}
    ${game.hits.length ? `<ol class="boards">${game.hits.map(hit).join("")}</ol>`
      : '<p class="about">The game matches as a whole, at no position.</p>'}</article>`;
}

// The games that are shown, in their order, and how many of them have a card. The next cards are
// made when the last ones come near the view.
let order = games.map((_, at) => at);
let made = 0;

function more() {
  const next = order.slice(made, made + MAX_NEW_CARDS);
  made += next.length;
  main.insertAdjacentHTML("beforeend", next.map(card).join(""));
  const last = [...main.children].slice(main.children.length - next.length);
  for (const item of last.flatMap((one) => [...one.querySelectorAll(".hit")])) boards.observe(item);
  const button = byId("more");
  button.hidden = made >= order.length;
  // The button may still be near: only a new observation tells.
  end.unobserve(button);
  if (!button.hidden) end.observe(button);
}

/** Makes the cards anew. */
function list() {
  main.textContent = "";
  made = 0;
  more();
}

/** Draws the board of a match. */
function draw(item) {
  const game = games[item.dataset.game];
  const hit = game.hits[item.dataset.hit];
  const board = item.querySelector(".board");
  board.innerHTML = position(game, hit.id);
  board.setAttribute("aria-label", `${inWords(game, hit.id)} Step through the game.`);
  const following = after(game, hit.id);
  const notes = (hit.notes || []).map((note) => `<q>${esc(note)}</q>`).join("");
  item.querySelector("figcaption").innerHTML = `<b>${esc(moveName(game, hit.id))}</b>
    <span class="soft">${turn(game, hit.id).white ? "White" : "Black"} to move${
      following ? `, next ${esc(moveName(game, following))}` : ""
    }</span>${notes}<code>${esc(hit.fen)}</code>${hit.filters ? reasons(hit) : ""}`;
}

/** What each filter did, as a list. */
function reasons(hit) {
  const line = (filter, at) => {
    const found = verdict(hit, at);
    const [name, sign] = !found ? ["skip", "–"] : found.matched ? ["yes", "✓"] : ["no", "✗"];
    const words = { skip: "not evaluated", yes: "matched", no: "did not match" }[name];
    let value = (found && found.value) || "";
    if (found && found.squares) value = found.squares.map(square).join(" ") || "no square";
    if (found && found.times) value += ` (${found.times.replace("/", " of ")} times)`;
    return `<li class="${name}" style="--depth:${filter.depth}"><span title="${words}"
      aria-label="${words}:">${sign}</span> <code class="${colorClass(filter)}">${esc(filter.text)}</code>
      ${value ? `<span class="soft">${esc(value)}</span>` : ""}</li>`;
  };
  return `<details><summary>Why</summary><ul class="why">${filters.map(line).join("")}</ul></details>`;
}

/** Calls `show` with each observed element when it comes within a distance of the view. */
const whenNear = (distance, show) => new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) show(entry.target);
}, { rootMargin: `${distance}px 0px` });
const boards = whenNear(600, (item) => {
  boards.unobserve(item);
  draw(item);
});
const end = whenNear(1500, more);

// --- Pointing: from the query to the boards and back ---

const rules = document.createElement("style");
const hidden = new Set();

/** Marks the squares of one filter on all boards, or those of all filters. */
function light(filter) {
  const off = [...hidden].map((at) => `.mark[data-filter="${at}"]{display:none}`).join("");
  const one = `.mark[data-filter="${filter}"]{display:inline;stroke-width:.1;fill-opacity:.6}`;
  const style = filter === null ? off : `.mark{display:none}${one}`;
  // An equal style would be applied again.
  if (rules.textContent !== style) rules.textContent = style;
  litFilters(filter === null ? [] : [filter]);
}

/** Shows filters as lit in the query and in the legend. */
function litFilters(lit) {
  if (!query) return;
  for (const element of query.querySelectorAll("[data-filter]")) {
    element.classList.toggle("lit", lit.includes(Number(element.dataset.filter)));
  }
}

/** Shows in the query what its filters did at a match. */
function explain(hit) {
  if (!query) return;
  for (const element of query.querySelectorAll("pre [data-filter]")) {
    const found = hit && verdict(hit, Number(element.dataset.filter));
    element.classList.toggle("no", Boolean(found && !found.matched));
    element.classList.toggle("skip", Boolean(hit && hit.filters && !found));
  }
}

const filterOf = (target) => {
  const element = target.closest && target.closest("#query [data-filter]");
  const named = element && filters[element.dataset.filter].color !== undefined;
  return named ? Number(element.dataset.filter) : null;
};

/** The match and the square that an event points at; the square is `null` for the keyboard. */
function pointed(event) {
  const item = event.target.closest && event.target.closest(".hit");
  if (!item) return null;
  const hit = games[item.dataset.game].hits[item.dataset.hit];
  const svg = event.target.closest("svg");
  if (!svg || event.clientX === undefined) return { hit, at: null };
  const box = svg.getBoundingClientRect();
  const [file, rank] = [event.clientX - box.left, box.bottom - event.clientY];
  const step = box.width / 8;
  return { hit, at: Math.floor(rank / step) * 8 + Math.floor(file / step) };
}

function point(event) {
  const filter = filterOf(event.target);
  if (filter !== null) return light(filter);
  const found = pointed(event);
  explain(found && found.hit);
  if (!found) return light(null);
  const names = (mark) => found.at === null || mark.squares.includes(found.at);
  litFilters(marksOf(found.hit).filter(names).map((mark) => mark.at));
}

function legend() {
  if (!query || !games.length) return;
  const named = filters.map((filter, at) => ({ ...filter, at }));
  const buttons = named.filter((filter) => filter.color !== undefined).map((filter) =>
    `<button type="button" class="${colorClass(filter)}" data-filter="${filter.at}" aria-pressed="true"
      title="Show or hide these squares"><i></i>${esc(filter.text)}</button>`);
  const squares = buttons.length ? `<span class="soft">Squares of</span> ${buttons.join(" ")}` : "";
  byId("legend").innerHTML = `${squares}<span class="soft"><i class="last"></i>last move <i class="next"></i>next move</span>`;
  byId("legend").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const filter = Number(button.dataset.filter);
    const shows = !hidden.delete(filter);
    if (shows) hidden.add(filter);
    button.setAttribute("aria-pressed", String(!shows));
    light(null);
  });
}

// --- The player ---

const player = document.createElement("dialog");
const state = { game: null, line: [], at: 0, flipped: false };

const BUTTONS = [
  ["first", "⇤", "First position (Home)", () => go(0)],
  ["back", "◀", "One move back (left arrow)", () => go(state.at - 1)],
  ["on", "▶", "One move on (right arrow)", () => go(state.at + 1)],
  ["end", "⇥", "Last position (End)", () => go(state.line.length - 1)],
  ["match", "⚑", "Next match (down arrow)", () => toMatch(1)],
  ["flip", "⇅", "Turn the board (f)", () => { state.flipped = !state.flipped; show(); }],
];

function makePlayer() {
  player.id = "player";
  player.setAttribute("aria-labelledby", "player-title");
  player.innerHTML = `<div class="bar"><h2 id="player-title"></h2>
    <button type="button" id="close" aria-label="Close (Escape)">✕</button></div>
    <div class="stage"><div><div id="stage" role="img"></div>
    <p id="here" aria-live="polite"></p><div class="controls">${BUTTONS.map(([name, sign, label]) =>
      `<button type="button" id="${name}" title="${label}" aria-label="${label}">${sign}</button>`,
    ).join("")}<button type="button" id="copy">Copy FEN</button></div></div>
    <ol id="line" aria-label="Moves"></ol></div>`;
  document.body.append(player);
  for (const [name, , , act] of BUTTONS) byId(name).addEventListener("click", act);
  byId("close").addEventListener("click", () => player.close());
  byId("copy").addEventListener("click", copy);
  byId("line").addEventListener("click", (event) => {
    const move = event.target.closest("button");
    if (move) go(Number(move.dataset.at));
  });
  player.addEventListener("keydown", (event) => {
    const acts = {
      ArrowLeft: BUTTONS[1][3], ArrowRight: BUTTONS[2][3], Home: BUTTONS[0][3], End: BUTTONS[3][3],
      ArrowDown: BUTTONS[4][3], ArrowUp: () => toMatch(-1), f: BUTTONS[5][3],
    };
    const act = !event.ctrlKey && !event.metaKey && !event.altKey && acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function open(game, id) {
  const line = pathTo(game, id);
  const at = line.length - 1;
  for (let next = after(game, id); next !== null; next = after(game, next)) line.push(next);
  Object.assign(state, { game, line, at, opened: id });
  byId("player-title").textContent = `${title(game)} ${game.result}`;
  byId("line").innerHTML = line.slice(1).map((here, before) => {
    const { white, number } = turn(game, movesOf(game)[here].parent);
    const shown = white || before === 0 ? `${number}${white ? "." : "..."}` : "";
    const match = hitAt(game, here) ? " class=\"match\"" : "";
    return `<li>${shown}<button type="button"${match} data-at="${before + 1}">${
      esc(movesOf(game)[here].san)}</button></li>`;
  }).join("");
  show();
  player.showModal();
  byId("on").focus();
}

function go(at) {
  state.at = Math.max(0, Math.min(state.line.length - 1, at));
  show();
}

/** Goes to the next match of the line in a direction, if there is one. */
function toMatch(direction) {
  let at = state.at + direction;
  while (state.line[at] !== undefined && !hitAt(state.game, state.line[at])) at += direction;
  if (state.line[at] !== undefined) go(at);
}

function show() {
  const { game, line, at, flipped } = state;
  const id = line[at];
  const hit = hitAt(game, id);
  byId("stage").innerHTML = position(game, id, flipped);
  byId("stage").setAttribute("aria-label", inWords(game, id));
  const notes = hit ? hit.notes || [] : (game.notes || []).filter((n) => n[0] === id).map((n) => n[1]);
  byId("here").textContent = [
    moveName(game, id), turn(game, id).white ? "White to move" : "Black to move",
    hit ? "match" : "", ...notes,
  ].filter(Boolean).join(" · ");
  byId("copy").disabled = !hit;
  explain(hit);
  for (const move of byId("line").querySelectorAll("button")) {
    const here = Number(move.dataset.at) === at;
    move.toggleAttribute("aria-current", here);
    const list = byId("line");
    if (here) list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

function copy() {
  const hit = hitAt(state.game, state.line[state.at]);
  if (!hit || !navigator.clipboard) return;
  navigator.clipboard.writeText(hit.fen).then(() => { byId("here").textContent = "FEN copied"; });
}

// --- Search, sort, theme ---

const byText = (value) => (game) => value(game).toLowerCase();
const ORDERS = [
  ["as written", (_, at) => at],
  ["game number", (game) => game.game],
  ["White", byText((game) => game.white)],
  ["Black", byText((game) => game.black)],
  ["date", (game) => game.date || ""],
  ["ply of the first match", (game) => (game.hits.length ? movesOf(game)[game.hits[0].id].ply : -1)],
  ...keys.map((key, at) => [key, (game) => (game.sort || [])[at] ?? ""]),
];

function tools() {
  if (!games.length) return;
  const options = ORDERS.map(([name], at) => `<option value="${at}">${esc(name)}</option>`).join("");
  byId("tools").innerHTML = `<label>Search <input id="search" type="search"
    placeholder="player, event, date, comment"></label>
    <label>Sort <select id="sort">${options}</select></label>
    <button type="button" id="down" aria-pressed="false">Descending</button>
    <span id="found" class="soft" role="status"></span>`;
  byId("search").addEventListener("input", choose);
  byId("sort").addEventListener("change", choose);
  byId("down").addEventListener("click", (event) => {
    const pressed = event.target.getAttribute("aria-pressed") !== "true";
    event.target.setAttribute("aria-pressed", String(pressed));
    choose();
  });
}

/** What is searched in a game. */
const searched = (game) => (game.words ??= [
  game.white, game.black, game.event, game.site, game.date, game.round, game.result, game.input,
  `game ${game.game}`, ...(game.sort || []), ...game.hits.flatMap((hit) => hit.notes || []),
].join("\n").toLowerCase());

/** Shows the games that have all words of the search, in the chosen order. */
function choose() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const value = ORDERS[byId("sort").value][1];
  const sign = byId("down").getAttribute("aria-pressed") === "true" ? -1 : 1;
  const chosen = games.map((game, at) => ({ game, at }))
    .filter(({ game }) => words.every((word) => searched(game).includes(word)))
    .map(({ game, at }) => ({ at, value: value(game, at) }));
  chosen.sort((a, b) => sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) || a.at - b.at);
  order = chosen.map(({ at }) => at);
  byId("found").textContent = words.length ? `${plural(order.length, "game", "games")} found` : "";
  list();
}

function theme() {
  const themes = { auto: "◐ auto", light: "○ light", dark: "● dark" };
  const button = document.createElement("button");
  button.type = "button";
  button.id = "theme";
  const names = Object.keys(themes);
  const stored = () => { try { return localStorage.getItem("babson-theme"); } catch { return null; } };
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = themes[name];
    button.setAttribute("aria-label", `Colors: ${name}`);
    try { localStorage.setItem("babson-theme", name); } catch { /* A file may have no storage. */ }
  };
  button.addEventListener("click", () => {
    set(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]);
  });
  set(names.includes(stored()) ? stored() : "auto");
  document.querySelector("header").prepend(button);
}

function about() {
  const files = [...new Set(games.map((game) => game.input).filter(Boolean))];
  const hits = games.reduce((sum, game) => sum + game.hits.length, 0);
  const parts = [plural(games.length, "game", "games"), plural(hits, "position", "positions")];
  if (files.length) {
    const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
    parts.push(`from ${files.slice(0, 3).join(", ")}${more}`);
  }
  // Only a file has a date of its own.
  if (location.protocol === "file:") parts.push(`written ${document.lastModified}`);
  byId("about").textContent = games.length ? parts.join(" · ") : "";
}

// --- Start ---

shapes();
theme();
about();
tools();
legend();
makePlayer();
document.head.append(rules);
main.insertAdjacentHTML("afterend", '<button type="button" id="more">Show more games</button>');
byId("more").addEventListener("click", more);
list();
for (const name of ["pointerover", "pointermove", "focusin"]) document.addEventListener(name, point);
main.addEventListener("click", (event) => {
  const item = event.target.closest(".board") && event.target.closest(".hit");
  if (item) open(games[item.dataset.game], games[item.dataset.game].hits[item.dataset.hit].id);
});
player.addEventListener("close", () => explain(null));
window.addEventListener("beforeprint", () => {
  while (made < Math.min(order.length, MAX_PRINTED)) more();
  for (const item of [...main.querySelectorAll(".hit")].slice(0, MAX_PRINTED)) {
    if (!item.querySelector("svg")) draw(item);
  }
});
const asked = games.findIndex((game) => location.hash === `#game-${game.game}`);
if (asked >= 0) {
  while (made <= asked) more();
  byId(location.hash.slice(1)).scrollIntoView();
}
