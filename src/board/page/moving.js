// How the player takes up, carries and puts down a piece, by mouse, finger, keys or typed moves.
// It chooses among the legal moves that it is given, and knows no rules.

import { fenOf, moveTotem, parts, picture, seatOf, yoxiiMove } from "./notation.js";

/** What the hand is told by `App`. @typedef {{ game: { name: GameName }, facts: Facts | null, isYourTurn: boolean, suggestions?: string[] }} Table */

export class Hand {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {string | null} where the totem goes, or the piece that moves */
    this.first = null;
    /** Value of the piece to be placed in Yoxii. */
    this.value = 1;
    /** Whether the player has chosen it for this very move. */
    this.chosen = false;
    /** Suggested moves that begin where the totem went: the hand holds the piece that they place. @type {string[]} */
    this.led = [];
    /** The square whose way a finger's first touch has shown: the next touch goes there. @type {string | null} */
    this.touched = null;
  }

  clear() {
    this.putBack();
    this.chosen = false;
  }

  /** Takes back the first part of a move. */
  putBack() {
    this.first = this.touched = null;
    this.led = [];
  }

  /** The facts of the position; null while the player may not move. */
  get facts() {
    return this.table.isYourTurn ? this.table.facts : null;
  }

  get isYoxii() {
    return this.table.game.name === "yoxii";
  }

  /** @returns {string[]} */
  get targets() {
    const moves = (this.facts?.moves ?? []).map(parts);
    const open = this.first ? moves.filter((m) => m.first === this.first).map((m) => m.second) : moves.map((m) => m.first);
    return [...new Set(open)];
  }

  /** The move that a press on a square completes; empty if none. @param {string | null} square */
  completes(square) {
    const { facts, first } = this;
    if (!facts || !first || !square) return "";
    const move = this.isYoxii ? yoxiiMove(first, square, this.held(facts, square)) : first + square;
    return facts.moves.includes(move) ? move : "";
  }

  /** @param {string} square @param {How} how @returns {Deed} */
  press(square, how) {
    const { facts, first } = this;
    if (!facts) return {};
    const move = this.completes(square);
    // A finger cannot hover: its first touch shows the way.
    if (move && how === "touch" && !this.isYoxii && this.touched !== square) {
      this.touched = square;
      return {};
    }
    const begins = first !== square && facts.moves.some((move) => parts(move).first === square);
    if (!move && !begins && first !== square) return { refused: first ? [first, square] : [square] };
    this.putBack();
    if (begins && !move) {
      this.first = square;
      this.led = (this.table.suggestions ?? []).filter((led) => led.startsWith(square));
    }
    return move ? { move } : {};
  }

  /** @param {string} square @returns {Piece | null} */
  lift(square) {
    const { facts, first, table } = this;
    const piece = facts && picture(table.game.name, this.preview(facts)).pieces.get(square);
    // The totem can be carried at once, another piece once it is chosen.
    return piece && (first === square || !first && !piece.side) ? piece : null;
  }

  /** Whether something moves when it is dragged from there. @param {string} square */
  grips(square) {
    return this.lift(square) !== null || !this.isYoxii && (this.facts?.moves ?? []).some((move) => move.startsWith(square));
  }

  /** @param {string} from @param {string} to @returns {Deed} */
  drop(from, to) {
    const { facts, first, table } = this;
    const isTotem = facts && !first && picture(table.game.name, facts.fen).pieces.get(from)?.side === null;
    return isTotem || first === from ? this.press(to, "drag") : {};
  }

  /** @param {number} value @returns {boolean} whether one is left */
  take(value) {
    const { facts } = this;
    if (!facts?.reserves?.[seatOf(facts.side)][value - 1]) return false;
    [this.value, this.chosen] = [value, true];
    return true;
  }

  /** Puts a piece of the reserve down, once the totem has gone. @param {string} square @returns {Deed} */
  place(square) {
    return this.first ? this.press(square, "drag") : {};
  }

  /** The piece to place: as suggested, as chosen last, or the lowest left. @param {Facts} facts @param {string | null} [square] where it would go */
  held(facts, square = null) {
    const left = facts.reserves?.[seatOf(facts.side)] ?? [];
    const led = this.led.find((move) => parts(move).second === square) ?? this.led[0];
    const value = led && !this.chosen ? parts(led).value : this.value;
    if (left[value - 1] > 0) return value;
    return left.findIndex((count) => count > 0) + 1;
  }

  /** The position's text with the totem where it is going. @param {Facts} facts */
  preview(facts) {
    const { name } = this.table.game;
    if (!this.isYoxii || !this.first) return facts.fen;
    const { pieces, side } = picture(name, facts.fen);
    moveTotem(pieces, this.first);
    return fenOf(name, { pieces, side });
  }
}
