// Boards as lists of 64 squares, a1 first. These modules know how a position looks and nothing of
// the rules: the engine says what each move changes.

/** The letter of the piece on each square, or an empty string. */
export type Pieces = readonly string[];

export const USUAL_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The name of a square, from 0 for a1 to 63 for h8. */
export const squareName = (at: number): string => "abcdefgh"[at & 7] + String((at >> 3) + 1);

/** The number of a square from its name; -1 if it is not the name of a square. */
export function squareIndex(name: string): number {
  const file = "abcdefgh".indexOf(name[0] ?? "?");
  const rank = "12345678".indexOf(name[1] ?? "?");
  return name.length === 2 && file >= 0 && rank >= 0 ? rank * 8 + file : -1;
}

/** The pieces of a FEN. What is not a FEN gives a board with the pieces that could be read. */
export function piecesOf(fen: string): string[] {
  const pieces: string[] = Array(64).fill("");
  let rank = 7;
  let file = 0;
  for (const letter of fen.split(/[ []/)[0] ?? "") {
    if (letter === "/") [rank, file] = [rank - 1, 0];
    else if (letter >= "1" && letter <= "8") file += Number(letter);
    else if (/[a-z]/i.test(letter) && rank >= 0 && file < 8) pieces[rank * 8 + file++] = letter;
  }
  return pieces;
}

/** Whether White is to move. */
export const isWhiteToMove = (fen: string): boolean => fen.split(" ")[1] !== "b";

/** The pieces of both sides in words. */
export function piecesInWords(pieces: Pieces): string[] {
  const side = (name: string, isOf: (piece: string) => boolean) => {
    const places = pieces.map((piece, at) =>
      piece && isOf(piece) ? piece.toUpperCase().replace("P", "") + squareName(at) : "");
    return `${name}: ${places.filter(Boolean).join(" ") || "none"}`;
  };
  return [side("White", (piece) => piece < "a"), side("Black", (piece) => piece >= "a")];
}

/** The address of a position on Lichess, where an engine and an opening book look at it. */
export const lichessAddress = (fen: string): string =>
  `https://lichess.org/analysis/standard/${fen.replaceAll(" ", "_")}`;
