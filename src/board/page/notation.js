// Texts of positions and moves, as `protocol.md` describes them. What is legal is for the library to say.

/**
 * @typedef {object} Shape
 * @property {number} files
 * @property {number} ranks
 * @property {string[]} squares from the upper left to the lower right
 * @property {string} start
 * @property {[string, string]} sides their letters in a position's text
 * @property {number[]} values of single pieces
 * @property {boolean} [firstAbove] whether the last ranks are the first side's own
 */

const MARKS = "oiyx";
const YOXII_WIDTHS = [3, 5, 7, 7, 7, 5, 3];

/** @param {number[]} widths of the ranks, from the top */
function squaresOf(widths) {
  const files = Math.max(...widths);
  return widths.flatMap((width, row) =>
    Array.from({ length: width }, (_, i) =>
      String.fromCharCode(97 + (files - width) / 2 + i) + (widths.length - row)));
}

/** @type {Record<GameName, Shape>} */
export const SHAPES = {
  yoxii: {
    files: 7, ranks: 7, squares: squaresOf(YOXII_WIDTHS), start: "3/5/7/3*3/7/5/3 w",
    sides: ["w", "r"], values: [1, 2, 3, 4],
  },
  hokito: {
    files: 6, ranks: 6, squares: squaresOf([6, 6, 6, 6, 6, 6]),
    start: "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b",
    sides: ["b", "w"], values: [1, 2, 3], firstAbove: true,
  },
};

/** The place of a side in pairs. @type {(side: Side | null | undefined) => 0 | 1} */
export const seatOf = (side) => side === "p1" ? 0 : 1;
/** @type {(seat: number) => Side} */
export const sideOf = (seat) => seat ? "p2" : "p1";
/** @type {(side: Side | null | undefined) => Side} */
export const otherSide = (side) => side === "p1" ? "p2" : "p1";
/** The result of a game that a side has lost. @type {(side: Side) => "p1win" | "p2win"} */
export const lostBy = (side) => side === "p1" ? "p2win" : "p1win";
/** The side that has won, unless it was a draw. @type {(result?: string) => Side} */
export const winnerOf = (result) => result === "p1win" ? "p1" : "p2";

/** @param {GameName} game @returns {string[][]} the squares of each rank, from the top */
function ranksOf(game) {
  const { ranks, squares } = SHAPES[game];
  return Array.from({ length: ranks }, (_, i) => squares.filter((square) => square[1] === String(ranks - i)));
}

/** @param {string} square @returns {[number, number]} column from the left, row from the bottom */
export function place(square) {
  return [square.charCodeAt(0) - 97, Number(square[1]) - 1];
}

/** Reads a position's text far enough to draw it. @param {GameName} game @param {string} fen @returns {Picture} */
export function picture(game, fen) {
  const [board, turn] = fen.trim().split(/\s+/);
  const shape = SHAPES[game];
  const cells = game === "yoxii" ? yoxiiCells(board) : hokitoCells(board);
  const pieces = new Map(shape.squares.flatMap((square, i) => cells[i] ? [[square, cells[i]]] : []));
  return { pieces, side: turn === shape.sides[1] ? "p2" : "p1" };
}

/** @param {string} board @returns {(Piece | null)[]} */
function yoxiiCells(board) {
  /** @type {(Piece | null)[]} */
  const cells = [];
  for (const c of board.replaceAll("/", "")) {
    const value = MARKS.indexOf(c.toLowerCase()) + 1;
    if (c >= "1" && c <= "7") cells.push(...Array(Number(c)).fill(null));
    else if (c === "*") cells.push({ side: null, value: 0, height: 1 });
    else cells.push({ side: c < "a" ? "p1" : "p2", value, height: 1 });
  }
  return cells;
}

/** @param {string} board @returns {(Piece | null)[]} */
function hokitoCells(board) {
  return board.split(/[/,]/).flatMap((cell) => {
    if (cell[0] === "x") return Array(Number(cell.slice(1) || 1)).fill(null);
    const [top, height] = cell.slice(1).split(":");
    return [{ side: cell[0] === "b" ? "p1" : "p2", value: Number(top), height: Number(height ?? 1) }];
  });
}

/** @param {GameName} game @param {Picture} position */
export function fenOf(game, position) {
  const ranks = ranksOf(game).map((rank) => rankText(game, rank.map((square) => position.pieces.get(square))));
  return `${ranks.join("/")} ${SHAPES[game].sides[seatOf(position.side)]}`;
}

/** @param {GameName} game @param {(Piece | undefined)[]} row */
function rankText(game, row) {
  /** @type {string[]} */
  const words = [];
  let free = 0;
  const flush = () => {
    if (free > 0) words.push(game === "yoxii" ? String(free) : free > 1 ? `x${free}` : "x");
    free = 0;
  };
  for (const piece of row) {
    if (!piece) { free++; continue; }
    flush();
    words.push(game === "yoxii" ? yoxiiLetter(piece) : hokitoWord(piece));
  }
  flush();
  return words.join(game === "yoxii" ? "" : ",");
}

/** @param {Picture["pieces"]} pieces @param {string} square where the totem goes */
export function moveTotem(pieces, square) {
  for (const [other, piece] of pieces) if (!piece.side) pieces.delete(other);
  pieces.set(square, { side: null, value: 0, height: 1 });
}

/** The position after a legal move, good enough to draw until the library tells it. @param {GameName} game @param {string} fen @param {string} move */
export function moved(game, fen, move) {
  const { pieces, side } = picture(game, fen);
  const { first, second, value } = parts(move);
  const [piece, below] = [pieces.get(first), pieces.get(second)];
  if (game === "yoxii") {
    moveTotem(pieces, first);
    pieces.set(second, { side, value, height: 1 });
  } else if (piece && below) {
    pieces.delete(first);
    pieces.set(second, { ...piece, height: piece.height + below.height });
  }
  return fenOf(game, { pieces, side: otherSide(side) });
}

/** @param {Piece} piece */
function yoxiiLetter(piece) {
  if (!piece.side) return "*";
  const letter = MARKS[piece.value - 1];
  return piece.side === "p1" ? letter.toUpperCase() : letter;
}

/** @param {Piece} piece */
function hokitoWord(piece) {
  return `${piece.side === "p1" ? "b" : "w"}${piece.value}${piece.height > 1 ? `:${piece.height}` : ""}`;
}

/**
 * The parts of a move: where something goes from (Hokito) or the totem's new
 * square (Yoxii), the square of the second part, and the value of a piece.
 * @param {string} move
 */
export function parts(move) {
  return { first: move.slice(0, 2), second: move.slice(2, 4), value: MARKS.indexOf(move[4] ?? "?") + 1 };
}

/** What is marked on Yoxii's pieces, by value - 1. */
export const LETTERS = ["O", "II", "Y", "X"];

/** @param {string} first @param {string} second @param {number} value */
export function yoxiiMove(first, second, value) {
  return first + second + MARKS[value - 1];
}

/** @param {string} text @returns {GameName | null} the game a position is written for */
export function gameOf(text) {
  if (text.includes(",")) return "hokito";
  return /^[0-9oiyx*/\s]+[wr]?$/i.test(text.trim()) && text.includes("/") ? "yoxii" : null;
}

/** An empty square in rows like `b1 w23 –`: as the page writes it, and as players may type it. */
export const EMPTY = "–";
const EMPTIES = /^[-–—.·_]$/;

/** @param {Piece | undefined} piece @param {[string, string]} letters of the sides */
function wordOf(piece, letters) {
  return piece ? `${letters[seatOf(piece.side)]}${piece.value}${piece.height > 1 ? piece.height : ""}` : EMPTY;
}

/** The rows as a board is seen. @param {GameName} game @param {boolean} turned whether by the second side's player */
function rowsSeen(game, turned) {
  return turned ? ranksOf(game).reverse().map((rank) => rank.reverse()) : ranksOf(game);
}

/** @param {GameName} game @param {Picture} position @param {[string, string]} letters @param {boolean} turned */
export function rowsOf(game, { pieces }, letters, turned) {
  return rowsSeen(game, turned).map((rank) => rank.map((square) => wordOf(pieces.get(square), letters)).join(" ")).join("\n");
}

/**
 * The player may not have typed all rows yet: the rest is empty. Blanks do not count.
 * @param {GameName} game @param {string} text @param {[string, string]} letters @param {boolean} turned
 * @returns {Map<string, Piece> | number} the number of the first row that cannot be read, if there is one
 */
export function readRows(game, text, letters, turned) {
  const plain = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  const [ranks, known] = [rowsSeen(game, turned), letters.map(plain)];
  for (const [i, row] of plain(text).trimEnd().split("\n").entries()) {
    const words = row.match(/\p{L}\s*\d(?::?\d+)?|[^\s,]/gu) ?? [];
    if (words.length > (ranks[i]?.length ?? 0)) return i + 1;
    for (const [column, word] of words.entries()) {
      const [, letter, value, height] = /^(\p{L})\s*(\d):?(\d*)$/u.exec(word) ?? [];
      const seat = known.indexOf(letter);
      const piece = /** @type {Piece} */ ({ side: sideOf(seat), value: Number(value), height: Number(height || 1) });
      if (seat >= 0 && SHAPES[game].values.includes(piece.value) && height !== "0") pieces.set(ranks[i][column], piece);
      else if (!EMPTIES.test(word)) return i + 1;
    }
  }
  return pieces;
}
