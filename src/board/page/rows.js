// A board as it is typed row by row, in letters and figures that are told beside the field: `b1 w23 –`.

import { SHAPES, ranksOf } from "./notation.js";

/** What an empty square is typed as, by us and by others. */
export const EMPTY = "–";
const EMPTIES = /^[-–—.·_]$/;

/** @param {Piece | undefined} piece @param {[string, string]} letters of the sides */
function wordOf(piece, letters) {
  return piece ? `${letters[piece.side === "p1" ? 0 : 1]}${piece.value}${piece.height > 1 ? piece.height : ""}` : EMPTY;
}

/** @param {GameName} game @param {Picture} position @param {[string, string]} letters */
export function rowsOf(game, { pieces }, letters) {
  return ranksOf(game).map((rank) => rank.map((square) => wordOf(pieces.get(square), letters)).join(" ")).join("\n");
}

/**
 * What is not typed yet is empty; blanks are for the eye alone.
 * @param {GameName} game @param {string} text @param {[string, string]} letters @returns {Map<string, Piece> | null} null where something cannot be read
 */
export function readRows(game, text, letters) {
  const plain = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  const [ranks, known] = [ranksOf(game), letters.map(plain)];
  for (const [i, row] of plain(text).trimEnd().split("\n").entries()) {
    const words = row.match(/\p{L}\s*\d(?::?\d+)?|[^\s,]/gu) ?? [];
    if (words.length > (ranks[i]?.length ?? 0)) return null;
    for (const [column, word] of words.entries()) {
      const [, letter, value, height] = /^(\p{L})\s*(\d):?(\d*)$/u.exec(word) ?? [];
      const seat = known.indexOf(letter);
      if (seat >= 0 && SHAPES[game].values.includes(Number(value)) && height !== "0") pieces.set(ranks[i][column], { side: seat ? "p2" : "p1", value: Number(value), height: Number(height || 1) });
      else if (!EMPTIES.test(word)) return null;
    }
  }
  return pieces;
}
