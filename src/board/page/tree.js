// A game with its variations: a tree of positions.

import { SHAPES, picture, seatOf } from "./notation.js";

export class Node {
  /** @param {Node | null} parent @param {string | null} move */
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    /** @type {Node[]} */
    this.children = [];
    /** @type {Facts | null} */
    this.facts = null;
    /** @type {Judgement | null} */
    this.judgement = null;
    /** What a review says about the move that led here. @type {any} */
    this.review = null;
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** @returns {Twig[]} all that comes after it: the inverse of `grow` */
  twigs() {
    const [main, ...others] = this.children;
    if (!main) return [];
    const move = (/** @type {Node} */ node) => /** @type {string} */ (node.move);
    return [move(main), ...others.map((other) => [move(other), ...other.twigs()]), ...main.twigs()];
  }

  /** @returns {Node[]} from the start to here */
  path() {
    return this.parent ? [...this.parent.path(), this] : [this];
  }

  /** @returns {string[]} */
  moves() {
    return this.path().slice(1).map((node) => /** @type {string} */ (node.move));
  }

  /** @param {string} move @returns {Node} the position behind a move, new or known */
  child(move) {
    const known = this.children.find((child) => child.move === move);
    if (known) return known;
    const child = new Node(this, move);
    this.children.push(child);
    return child;
  }

  /** @param {Twig[]} twigs */
  grow(twigs) {
    let node = /** @type {Node} */ (this);
    for (const twig of twigs) {
      if (typeof twig === "string") node = node.child(twig);
      else node.parent?.grow(twig);
    }
  }

  promote() {
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) {
      const { children } = node.parent;
      children.splice(children.indexOf(node), 1);
      children.unshift(node);
    }
  }

  /** Takes this position, and all behind it, out of the game. */
  remove() {
    if (this.parent) this.parent.children.splice(this.parent.children.indexOf(this), 1);
  }

  /** @returns {Node} the end of the main line from here */
  end() {
    let node = /** @type {Node} */ (this);
    while (node.children.length > 0) node = node.children[0];
    return node;
  }
}

/** The number of a move, as it stands before it: in each pair the side that begins comes first. @param {{ ply: number }} node */
export function numberOf({ ply }) {
  return `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
}

export class Game {
  /** @param {GameName} name @param {string} fen */
  constructor(name, fen) {
    /** By which the list of games knows it. */
    this.id = [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join("");
    this.date = Date.now();
    /** Whether it has changed since the list of games took it. */
    this.touched = false;
    this.name = name;
    this.fen = fen;
    this.root = new Node(null, null);
    this.at = this.root;
    /** Who plays, where that is known. @type {[Player, Player]} */
    this.players = ["", ""];
    /** The player's seat, if only one person plays here. @type {0 | 1 | null} */
    this.you = null;
    /** @type {GameReport | null} */
    this.report = null;
    /** How it ended otherwise than by the rules, as a file says. @type {Ending | null} */
    this.ended = null;
  }

  /** How it ended, unless the game has gone on since. */
  get ending() {
    return this.ended?.ply === this.root.end().ply ? this.ended : null;
  }

  /** @param {Node} node @returns {string} the words behind `position` */
  words(node) {
    const moves = node.moves();
    return `fen ${this.fen}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
  }

  /** @returns {Node[]} the main line through the shown position */
  line() {
    return this.at.end().path();
  }

  /** @param {number} ply */
  seatAt(ply) {
    return /** @type {0 | 1} */ ((ply + seatOf(picture(this.name, this.fen).side)) % 2);
  }

  /** Makes the main line of another game that of this one. @param {Game} other @returns {boolean} whether some of its moves are new here */
  follow(other) {
    let node = this.root;
    let isNew = false;
    for (const { move, facts, judgement } of other.root.end().path().slice(1)) {
      isNew ||= !node.children.some((child) => child.move === move);
      node = node.child(/** @type {string} */ (move));
      node.facts ??= facts;
      node.judgement ??= judgement;
    }
    node.promote();
    return isNew;
  }

  /** @returns {object} what a reload needs */
  saved() {
    /** @param {Node} node @returns {any} */
    const branch = (node) => [node.move, node.judgement, node.review, ...node.children.map(branch)];
    const { id, date, name, fen, players, you, report, ended } = this;
    return { id, date, name, fen, players, you, report, ended, tree: branch(this.root), at: this.at.moves() };
  }

  /** @param {any} saved @returns {Game} */
  static restored(saved) {
    if (!SHAPES[/** @type {GameName} */ (saved.name)]) throw new Error(`no game: ${saved.name}`);
    const game = new Game(saved.name, saved.fen);
    [game.id, game.date] = [saved.id ?? game.id, saved.date ?? game.date];
    [game.players, game.you] = [saved.players ?? game.players, saved.you ?? null];
    [game.report, game.ended] = [saved.report ?? null, saved.ended ?? null];
    const grow = (/** @type {Node} */ node, /** @type {any[]} */ branch) => {
      [, node.judgement, node.review] = branch;
      for (const twig of branch.slice(3)) grow(node.child(twig[0]), twig);
    };
    grow(game.root, saved.tree);
    game.at = saved.at.reduce((/** @type {Node} */ node, /** @type {string} */ move) => node.child(move), game.root);
    return game;
  }
}
