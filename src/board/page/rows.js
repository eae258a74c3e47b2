// A board as it is typed row by row, in letters and figures that are told beside the field: `b1 w23 –`.

import { SHAPES } from "./notation.js";

/** What an empty square is typed as. */
export const EMPTY = "–";

/** @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {GameName} game @param {string} rank */
function rowOf(game, rank) {
  return SHAPES[game].squares.filter((square) => square[1] === rank);
}

/** @param {GameName} game @returns {string[]} from the top */
function ranksOf(game) {
  return [...new Set(SHAPES[game].squares.map((square) => square[1]))];
}

/** @param {Piece | undefined} piece @param {[string, string]} letters of the sides */
export function wordOf(piece, letters) {
  if (!piece) return EMPTY;
  return `${letters[piece.side === "p1" ? 0 : 1]}${piece.value}${piece.height > 1 ? piece.height : ""}`;
}

/** @param {GameName} game @param {Picture} position @param {[string, string]} letters */
export function rowsOf(game, { pieces }, letters) {
  return ranksOf(game).map((rank) => rowOf(game, rank).map((square) => wordOf(pieces.get(square), letters)).join(" ")).join("\n");
}

/**
 * What is not typed yet is empty; blanks are for the eye alone.
 * @param {GameName} game @param {string} text @param {[string, string]} letters @returns {Map<string, Piece> | null} null where something cannot be read
 */
export function readRows(game, text, letters) {
  const { values } = SHAPES[game];
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  const [rows, ranks, known] = [plain(text).trimEnd().split(/[\n/;]/), ranksOf(game), letters.map(plain)];
  if (rows.length > ranks.length) return null;
  for (const [i, row] of rows.entries()) {
    const [squares, words] = [rowOf(game, ranks[i]), row.match(/\p{L}[\s:]*\d(?::?\d+)?|[-–—.·_]|[^\s,]/gu) ?? []];
    if (words.length > squares.length) return null;
    for (const [column, word] of words.entries()) {
      if (/^[-–—.·_]$/.test(word)) continue;
      const [, letter, value, height] = /^(\p{L})[\s:]*(\d):?(\d*)$/u.exec(word) ?? [];
      const seat = known.indexOf(letter);
      if (seat < 0 || !values.includes(Number(value)) || height === "0") return null;
      pieces.set(squares[column], { side: seat ? "p2" : "p1", value: Number(value), height: Number(height || 1) });
    }
  }
  return pieces;
}
