// A server with the API of `babson serve` and canned answers: for the scenes that no real server can
// be made to play, and for a machine without the command. Its policy is the policy of the server.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".wasm": "application/wasm" };
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
  + "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HOSTILE = "</script><img src=x onerror=\"document.title='hostile'\"><b>Carl</b>";

/** The answers to texts: an error for a word that is misspelled, a format that changes something. */
const texts = (fixtures) => ({
  check: ({ query }) => {
    const at = Buffer.from(query).indexOf("adn");
    const diagnostics = at < 0 ? [] : [{
      severity: "error", code: "E0201", message: "unknown name `adn`", help: "did you mean `and`?",
      span: [at, at + 3], related: [],
      fixes: [{ title: "replace by `and`", edits: [{ span: [at, at + 3], text: "and" }], certain: false }],
    }];
    return { diagnostics, dialect: "cqli" };
  },
  complete: ({ query, offset }) => {
    const text = Buffer.from(query).subarray(0, offset).toString();
    const word = text.match(/\w*$/)[0];
    const labels = ["check", "child", "chessground", "mate", "move"].filter((label) => label.startsWith(word));
    return { items: labels.map((label) => ({
      label, kind: "filter", insert: label, doc: `The page of \`${label}\`.`,
      span: [offset - Buffer.byteLength(word), offset],
    })) };
  },
  hover: ({ query, offset }) => {
    const at = Buffer.from(query).indexOf("mate");
    return at >= 0 && at <= offset && offset <= at + 4
      ? { span: [at, at + 4], markdown: "`mate`: condition\n\nThe side to move is **checkmated**." } : null;
  },
  format: ({ query }) => ({ text: `${query.trim().replace(/ +/g, " ")}\n` }),
  convert: ({ query }) => ({ text: query.replace(/\(match (.*)\)/, "$1") }),
  explain: () => fixtures.explain,
});

/** Starts the server. `state` counts what it was asked. Files are looked for in several folders, unless
 * `state.files` has another one, or `null` for none. */
export async function startStub({ folders, fixtures, port = 0, token = null }) {
  const state = { cancelled: 0, searches: 0, bytes: 0, files: {} };
  const answers = texts(fixtures);
  const NOT_CQL3 = "it is not a query of CQL 3: only those have a modern form";
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    const json = (body, status = 200) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const fail = (status, code, message) => json({ error: { code, message } }, status);
    if (!url.pathname.startsWith("/api/")) {
      try {
        const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
        if (name.includes("..")) throw new Error("outside");
        let bytes = state.files[name];
        for (const folder of bytes === undefined ? folders : []) bytes ??= await readFile(join(folder, name)).catch(() => null);
        if (!bytes) throw new Error("missing");
        response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
          "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" });
        response.end(bytes);
      } catch {
        response.writeHead(404).end();
      }
      return;
    }
    if (token && request.headers.authorization !== `Bearer ${token}`) return fail(401, "token", "the server wants a token");
    const chunks = [];
    for await (const chunk of request) {
      chunks.push(chunk);
      state.bytes += chunk.length;
    }
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const [, , call, ...rest] = url.pathname.split("/");
    if (call === "convert" && !body.query.startsWith("(match")) return fail(422, "query", NOT_CQL3);
    if (call in answers) return json(answers[call](body));
    if (call === "databases") return json([{ name: "masters-2k", file: "masters-2k.pgn", games: 2000, bytes: 1_200_000, columns: ["game", "white"] }]);
    if (call === "games") {
      const game = fixtures.games[rest[1]];
      return game ? json(game) : fail(404, "game", `the database has no game ${rest[1]}`);
    }
    if (call === "why") {
      const why = fixtures.whys[`${body.game}/${body.ply}`];
      return why ? json(why) : fail(404, "game", "the stub has no trace of this position");
    }
    if (call === "group") return json({ ...(fixtures.groups[body.by[0]] ?? fixtures.groups.year),
      ...(body.query.includes("damaged") && { messages: [`game 7 is damaged: ${HOSTILE}`] }) });
    if (call === "search") return search(body, request, response, fail);
    fail(404, "path", "there is no such call");
  });

  async function search(body, request, response, fail) {
    state.searches++;
    if (body.query.includes("adn")) {
      response.writeHead(400, { "Content-Type": "application/json" });
      return response.end(JSON.stringify({ error: { code: "query", message: "unknown name `adn`",
        diagnostics: answers.check(body).diagnostics } }));
    }
    if (body.query.includes("busy")) return fail(429, "busy", "too many searches run or wait");
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    const line = (object) => response.write(`${JSON.stringify(object)}\n`);
    const match = (game, more = {}) => {
      const found = { type: "match", database: "masters-2k", ...game, ...more };
      if (body.games) found.pgn = fixtures.games[game.game]?.pgn ?? "*";
      return found;
    };
    const end = (games, matches, stopped = null) => {
      line({ type: "summary", games, matches, seconds: 0.021, stopped });
      response.end();
    };
    let isOpen = true;
    response.on("close", () => {
      if (isOpen) state.cancelled++;
      isOpen = false;
    });
    if (body.query.includes("endless")) {
      for (let at = 0; isOpen; at++) {
        line({ type: "progress", games: at * 10, total_games: 2_000_000, matches: Math.floor(at / 5), seconds: at * 0.05 });
        if (at % 5 === 0) line(match(fixtures.matches[at % fixtures.matches.length]));
        await new Promise((done) => setTimeout(done, 50));
      }
      return;
    }
    if (body.query.includes("broken")) {
      line(match(fixtures.matches[0]));
      response.write('{"type":"match","database":"mas');
      isOpen = false;
      return setTimeout(() => response.destroy(), 50);
    }
    if (body.query.includes("nothing")) {
      isOpen = false;
      return end(2000, 0);
    }
    if (body.query.includes("hundred")) {
      for (let at = 0; at < 100_000; at++) {
        line(match(fixtures.matches[at % fixtures.matches.length], { game: at + 1, white: `Player ${at + 1}`, year: 1900 + (at % 120) }));
        if (at % 2000 === 0) await new Promise((done) => setImmediate(done));
      }
      isOpen = false;
      return end(2_000_000, 100_000);
    }
    if (body.query.includes("damaged")) {
      line({ type: "damaged", database: "masters-2k", game: 7, line: 93, reason: "illegal move", text: HOSTILE, more: 0 });
      line({ type: "message", database: "masters-2k", game: 8, text: HOSTILE });
    }
    line({ type: "progress", games: 800, total_games: 2000, matches: 1, seconds: 0.01 });
    const more = body.query.includes("hostile") ? { white: HOSTILE, event: HOSTILE } : {};
    for (const game of fixtures.matches) line(match(game, more));
    isOpen = false;
    end(2000, fixtures.matches.length);
  }

  const listen = (port) => new Promise((done) => server.listen(port, "127.0.0.1", done));
  await listen(port);
  const address = server.address();
  /** Ends the server and its answers; `start` begins again at the same address. */
  const stop = () => new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${address.port}/`, state, stop, start: () => listen(address.port), close: () => server.close() };
}
