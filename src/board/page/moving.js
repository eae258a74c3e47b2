// From presses to a move: which squares may be pressed next, and what they
// amount to. It chooses among the legal moves it is given and knows no rules.

import { fenOf, parts, picture, yoxiiMove } from "./notation.js";

/** @typedef {import("./engine.js").Facts} Facts */
/** @typedef {import("./notation.js").GameName} GameName */

export class Hand {
  constructor() {
    /** @type {string | null} where the totem goes, or the piece that moves */
    this.first = null;
    /** Value of the piece to be placed in Yoxii. */
    this.value = 1;
  }

  clear() {
    this.first = null;
  }

  /** @param {Facts} facts @returns {string[]} */
  targets(facts) {
    const moves = facts.moves.map(parts);
    const open = this.first ? moves.filter((m) => m.first === this.first).map((m) => m.second) : moves.map((m) => m.first);
    return [...new Set(open)];
  }

  /** Whether a press on a square does something. @param {Facts} facts @param {string} square */
  accepts(facts, square) {
    return this.first === square || this.targets(facts).includes(square) || facts.moves.some((move) => parts(move).first === square);
  }

  /**
   * Presses a square; the move that is complete by it, if any.
   * @param {GameName} game @param {Facts} facts @param {string} square
   * @returns {string | null}
   */
  press(game, facts, square) {
    const targets = this.targets(facts);
    if (this.first && targets.includes(square)) {
      const move = game === "yoxii" ? yoxiiMove(this.first, square, this.held(facts)) : this.first + square;
      this.first = null;
      return facts.moves.includes(move) ? move : null;
    }
    const again = this.first === square;
    this.first = null;
    if (!again && this.targets(facts).includes(square)) this.first = square;
    return null;
  }

  /** The value that was chosen last, or the lowest that is left. @param {Facts} facts */
  held(facts) {
    const left = facts.reserves?.[facts.side === "p1" ? 0 : 1] ?? [];
    if (left[this.value - 1] > 0) return this.value;
    return left.findIndex((count) => count > 0) + 1;
  }

  /**
   * The position's text with the totem where it is going.
   * @param {GameName} game @param {Facts} facts
   */
  preview(game, facts) {
    if (game !== "yoxii" || !this.first) return facts.fen;
    const { pieces, side } = picture(game, facts.fen);
    for (const [square, piece] of pieces) if (!piece.side) pieces.delete(square);
    pieces.set(this.first, { side: null, value: 0, height: 1 });
    return fenOf(game, { pieces, side });
  }
}
