// In which order the games stand, and which of them a search finds.

import { title, treeOf, type Data, type Game } from "./data";

type Value = string | number;
type Order = [name: string, value: (game: Game, at: number) => Value];

/** The orders that a page offers. */
export function ordersOf(keys: readonly string[]): Order[] {
  const byText = (value: (game: Game) => string) => (game: Game) => value(game).toLowerCase();
  const firstPly = (game: Game) =>
    game.hits[0] ? treeOf(game).nodes[game.hits[0].id]!.ply : -1;
  return [
    ["as written", (_, at) => at],
    ["game number", (game) => game.game],
    ["White", byText((game) => game.white)],
    ["Black", byText((game) => game.black)],
    ["date", (game) => game.date ?? ""],
    ["ply of the first match", firstPly],
    ...keys.map((key, at): Order => [key, (game) => game.sort?.[at] ?? ""]),
  ];
}

const WORDS = new WeakMap<Game, string>();

/** What is searched in a game. */
function wordsOf(game: Game): string {
  let words = WORDS.get(game);
  if (words === undefined) {
    words = [
      title(game), game.event, game.site, game.date, game.round, game.result, game.input,
      `game ${game.game}`, ...(game.sort ?? []), ...game.hits.flatMap((hit) => hit.notes ?? []),
    ].join("\n").toLowerCase();
    WORDS.set(game, words);
  }
  return words;
}

/** The games that have all words of a search, in an order. */
export function choose(data: Data, search: string, [, value]: Order, isDown: boolean): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const sign = isDown ? -1 : 1;
  return data.games
    .map((game, at) => ({ game, at }))
    .filter(({ game }) => words.every((word) => wordsOf(game).includes(word)))
    .map(({ game, at }) => ({ at, value: value(game, at) }))
    .sort((a, b) => sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) || a.at - b.at)
    .map(({ at }) => at);
}
