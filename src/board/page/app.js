// The state of the page and what can be done with it.

import { Engine } from "./engine.js";
import { Hand } from "./moving.js";
import { LETTERS, SHAPES, gameOf, parts } from "./notation.js";
import { loadGame, loadSettings, saveGame, saveSettings } from "./store.js";
import { reason, speak, t } from "./strings.js";
import { Game } from "./tree.js";
import { learn } from "./values.js";

/** @typedef {import("./notation.js").GameName} GameName */
/** @typedef {import("./notation.js").Side} Side */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./store.js").Mode} Mode */

/** @typedef {import("./tree.js").Twig} Twig */

/** What a part of the page wants to be told: what kind of thing has changed. */
/** @typedef {"all" | "board" | "lines" | "clock"} Change */

export class App {
  /** @param {import("./transport.js").Hub} hub */
  constructor(hub) {
    this.hub = hub;
    this.settings = loadSettings();
    const kept = loadGame();
    this.game = kept.game;
    /** @type {Mode} */
    this.mode = kept.mode;
    /** The match of the game that is shown. @type {import("./match.js").Match | null} */
    this.kept = kept.match;
    /** What else is open: each game keeps its own board. @type {Map<GameName, import("./store.js").Board>} */
    this.aside = new Map(kept.aside.map((board) => [board.game.name, board]));
    this.hand = new Hand();
    /** Whether the second side sits below. */
    this.flipped = kept.flipped;
    /** @type {{ engines: string[], journal: boolean }} */
    this.server = { engines: [], journal: false };
    this.connected = false;
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    /** @type {{ key: string, text: string, act?: { label: string, run: () => void } }[]} */
    this.notices = [];
    /** @type {import("./board.js").Arrow[]} */
    this.hints = [];
    /** Called when another position is looked at. @type {(() => void)[]} */
    this.watchers = [];
    this.players = [this.engine("one"), this.engine("two")];
    this.analyst = this.engine("analyst");
    this.saving = 0;
    this.toldOfStorage = false;
    /** Called when a move is made on the board. */
    this.onMove = () => {};
  }

  /** @param {string} id */
  engine(id) {
    /** @type {Engine} */
    const engine = new Engine(this.hub, id, (why, how) => {
      const name = this.server.engines[engine.index ?? 0] ?? engine.name;
      const text = how === "hang" || how === "deaf" ? t("hangs", name) : how === "flood" ? t("floods", name) : t("crashed", name, reason(why));
      this.notify(`engine-${id}`, text, { label: t("restart"), run: () => this.moved() });
      this.changed("all");
    });
    return engine;
  }

  open() {
    speak(this.settings.language);
    this.hub.onHello = (hello) => {
      this.server = hello;
      void this.hub.call({ ask: "advantages" }).then(learn, () => {});
      this.connected = true;
      this.dismiss("socket");
      // The engines have ended with the old socket.
      this.hub.channels.clear();
      this.hub.links.clear();
      for (const engine of [...this.players, this.analyst]) engine.close();
      void this.look();
    };
    this.hub.onState = (open, why = "lost") => {
      this.connected = open;
      if (!open) this.notify("socket", t(why));
    };
    this.hub.onRefused = (why) => this.notify("refused", why);
    this.hub.open();
  }

  /** @param {Change} change */
  changed(change) {
    for (const listener of this.listeners) listener(change);
  }

  /** @param {string} key @param {string} text @param {{ label: string, run: () => void }} [act] */
  notify(key, text, act) {
    this.dismiss(key);
    this.notices.push({ key, text, act });
    this.changed("all");
  }

  /** Tells why something was refused; a lost socket has a notice of its own. @param {string} key @param {unknown} why */
  complain(key, why) {
    const text = why instanceof Error ? why.message : String(why);
    if (text !== "closed") this.notify(key, reason(text));
  }

  /** @param {string} key */
  dismiss(key) {
    const before = this.notices.length;
    this.notices = this.notices.filter((notice) => notice.key !== key);
    if (this.notices.length !== before) this.changed("all");
  }

  /** Lets go what was told of a deed that failed: another one has succeeded. */
  settle() {
    const before = this.notices.length;
    this.notices = this.notices.filter(({ key, act }) => act || key === "socket" || key === "storage");
    if (this.notices.length !== before) this.changed("all");
  }

  save() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.saveNow(), 200);
  }

  saveNow() {
    const kept = saveGame({ game: this.game, match: this.kept, flipped: this.flipped }, this.mode, this.aside.values());
    if (kept || this.toldOfStorage) return;
    this.toldOfStorage = true;
    this.notify("storage", t("noStorage"));
  }

  /** Changes settings. @param {Partial<import("./store.js").Settings>} change */
  set(change) {
    Object.assign(this.settings, change);
    saveSettings(this.settings);
    speak(this.settings.language);
    this.changed("all");
  }

  get facts() {
    return this.game.at.facts;
  }

  /** Name of a side. @param {Side} side @param {GameName} [game] */
  side(side, game = this.game.name) {
    const clear = this.settings.clear && game === "yoxii" && side === "p2";
    return t(`${game}.${side}${clear ? ".clear" : ""}`);
  }

  /** A move as it is shown: in words where that is wanted. @param {string} move */
  spell(move) {
    if (!this.settings.words) return move;
    const { first, second, value } = parts(move);
    return t(`words.${this.game.name}`, first, second, LETTERS[value - 1] ?? "");
  }

  /**
   * What the library says of the position behind some moves.
   * @param {GameName} game @param {string} fen @param {string[]} moves
   * @returns {Promise<import("./engine.js").Facts>} rejected with the reason if there is no such position
   */
  ask(game, fen, moves) {
    return this.hub.call({ ask: "position", game, fen, moves });
  }

  /** Asks about where we are, then tells everybody. @returns {Promise<void>} */
  async look() {
    const [game, node] = [this.game, this.game.at];
    if (!node.facts) {
      try {
        node.facts = await this.ask(game.name, game.fen, node.moves());
      } catch (why) {
        if (this.game !== game || !(why instanceof Error)) return;
        // A new socket asks by itself.
        if (why.message === "closed") return;
        this.complain("position", why);
        if (node.parent) {
          node.remove();
          game.at = node.parent;
          return this.look();
        }
      }
    }
    if (this.game === game && game.at === node) this.moved();
  }

  /** Another position is looked at, and all is known about it. */
  moved() {
    this.save();
    this.changed("all");
    for (const watcher of this.watchers) watcher();
  }

  /** Goes to a position of the game. @param {Node} node */
  visit(node) {
    this.hand.clear();
    this.hints = [];
    this.game.at = node;
    void this.look();
  }

  /** Plays a move where we are. @param {string} move */
  play(move) {
    const node = this.game.at.child(move);
    this.settle();
    this.onMove();
    this.visit(node);
  }

  /** Lays what is shown aside, if a board of the other game comes in its place. @param {GameName} name */
  layAside(name) {
    if (name === this.game.name) return;
    this.aside.set(this.game.name, { game: this.game, match: this.kept, flipped: this.flipped });
    this.aside.delete(name);
    this.kept = null;
  }

  /** Shows the other game as it was left, or its usual start. @param {GameName} name */
  change(name) {
    const left = this.aside.get(name) ?? { game: new Game(name, SHAPES[name].start), match: null, flipped: false };
    this.settle();
    this.layAside(name);
    [this.game, this.kept, this.flipped] = [left.game, left.match, left.flipped];
    this.visit(this.game.at);
    this.changed("all");
  }

  /**
   * Takes a position, checked by the library first.
   * @param {string} fen
   * @param {string[]} moves
   * @param {Twig[]} tree the moves once more, with variations
   * @param {[string, string]} players
   * @returns {Promise<string>} why not; empty when it is taken
   */
  async take(fen, moves = [], tree = [], players = ["", ""]) {
    const name = gameOf(fen) ?? this.game.name;
    try {
      await this.ask(name, fen, moves);
    } catch (why) {
      return reason(why instanceof Error ? why.message : String(why));
    }
    this.settle();
    this.layAside(name);
    this.game = new Game(name, fen.trim());
    this.game.players = players;
    scrollTo(0, 0);
    for (const move of moves) this.game.at = this.game.at.child(move);
    this.game.root.grow(tree);
    this.visit(this.game.at);
    return "";
  }

  /** @param {number} steps back when below 0 */
  step(steps) {
    const line = this.game.line();
    const at = Math.max(0, Math.min(line.length - 1, line.indexOf(this.game.at) + steps));
    if (line[at] !== this.game.at) this.visit(line[at]);
  }

  /** @param {Mode} mode */
  turnTo(mode) {
    this.mode = mode;
    if (this.hub.isFrugal) {
      const unused = mode === "analyse" || mode === "review" ? this.players : [this.analyst];
      for (const engine of unused) engine.close();
    }
    this.settle();
    this.hand.clear();
    this.hints = [];
    this.save();
    this.changed("all");
    for (const watcher of this.watchers) watcher();
  }
}
