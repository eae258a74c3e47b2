// Live analysis: lines as they deepen, for arrows, bar and graph.

import { arrowOf, judge } from "./match.js";
import { t } from "./strings.js";
import { brief, forFirst, odds, rankOf } from "./values.js";

const MOST = 500;
/** Time between two drawings of lines that deepen, and after which no more lines of a depth are expected, in milliseconds. */
const [BETWEEN, SILENCE] = [80, 400];

export class Analysis {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.on = false;
    /** Lines of one depth, or of the last two while one is unfinished; the best first. @type {Info[]} */
    this.lines = [];
    /** Those of the depth that is being searched, by their rank. @type {Map<number, Info>} */
    this.coming = new Map();
    this.dirty = false;
    /** @type {GameNode | null} */
    this.node = null;
    this.running = "";
    this.pause = 0;
    this.silence = 0;
    app.watchers.push(() => this.follow());
  }

  toggle() {
    this.on = !this.on;
    this.follow();
    this.app.changed("all");
  }

  /** Starts or stops the engine as position and settings want it; it begins no search twice. */
  follow() {
    const { app, app: { mode, game, facts } } = this;
    const isStudied = mode === "analyse" || mode === "review" && game.root.children.length > 0;
    const wanted = this.on && !app.isSealed && isStudied && facts && facts.moves.length > 0;
    const lines = app.settings.colours ? MOST : app.settings.lines;
    const key = wanted ? `${app.game.name} ${app.game.words(app.game.at)} ${lines} ${app.settings.analyst}` : "";
    if (key === this.running && app.analyst.link) return;
    this.running = key;
    clearTimeout(this.pause);
    if (this.node !== app.game.at) [this.lines, this.coming] = [[], new Map()];
    this.node = app.game.at;
    if (app.analyst.thinking) app.analyst.halt();
    // A player who steps fast through a game must not start a search at every position.
    if (wanted) this.pause = setTimeout(() => void this.search(key, lines), 60);
  }

  /** @param {string} key @param {number} lines */
  async search(key, lines) {
    const { app } = this;
    const [game, node, facts] = [app.game, app.game.at, app.facts];
    if (key !== this.running || !facts) return;
    app.analyst.ensure(app.settings.analyst, game.name);
    const options = { Hash: Math.min(256, app.hub.largestHash), Skill: 20, MultiPV: Math.min(lines, facts.moves.length), ShowWDL: true };
    try {
      const move = await app.analyst.think(game.words(node), "infinite", options, (info) => {
        // The page draws only legal moves, whatever an engine says.
        if (key !== this.running || !facts.moves.includes(info.pv[0]) || info.multipv > MOST) return;
        this.take(info, app.analyst.options.has("multipv") ? options.MultiPV : 1);
      });
      if (key === this.running && !facts.moves.includes(move)) this.distrust(move);
    } catch {
      // The engine's notice tells why, and offers to begin again.
    }
    if (key === this.running) this.running = "";
  }

  /** Lines shown one by one would jump: they wait until all of a depth are there, or no more come. @param {Info} info @param {number} wanted */
  take(info, wanted) {
    const [known] = this.coming.values();
    if (known && known.depth !== info.depth) {
      this.flush();
      this.coming = new Map();
    }
    // A move that has got another rank is not there twice.
    for (const [rank, { pv }] of this.coming) if (pv[0] === info.pv[0]) this.coming.delete(rank);
    this.coming.set(info.multipv, info);
    clearTimeout(this.silence);
    if (this.coming.size >= wanted) this.publish();
    else this.silence = setTimeout(() => this.flush(), SILENCE);
  }

  /** The lines of the depth before stay below until their moves come again: the list does not shrink meanwhile. */
  flush() {
    const coming = [...this.coming.values()];
    if (!coming[0] || coming[0].depth <= (this.lines[0]?.depth ?? 0)) return;
    this.publish(this.lines.filter(({ pv }) => !coming.some((info) => info.pv[0] === pv[0])));
  }

  /** @param {Info[]} [older] */
  publish(older = []) {
    this.lines = [...this.coming.values(), ...older].sort((a, b) => rankOf(b) - rankOf(a) || a.multipv - b.multipv);
    const { name, at } = this.app.game;
    this.app.dismiss("engine-analyst");
    const [best] = this.lines;
    if (this.node === at && at.facts && !best.bound) at.judgement = judge(name, best, at.facts.side);
    this.tell();
  }

  /** @param {string} move */
  distrust(move) {
    const { app } = this;
    const again = () => { app.analyst.close(); this.follow(); };
    app.notify("nonsense", () => t("nonsense", { name: app.server.engines[app.settings.analyst], move }), { label: "restart", run: again });
  }

  /** An engine may send hundreds of lines a second, and a hidden tab shows none. */
  tell() {
    if (this.dirty) return;
    this.dirty = true;
    setTimeout(() => requestAnimationFrame(() => {
      this.dirty = false;
      this.app.changed("lines");
    }), BETWEEN);
  }

  /** @returns {Info[]} the best first */
  get best() {
    if (!this.on || this.node !== this.app.game.at) return [];
    return this.lines;
  }

  /** @returns {Arrow[]} */
  get arrows() {
    const { app } = this;
    if (!app.settings.arrows) return [];
    return this.best.slice(0, Math.min(app.settings.lines, 5)).map((info, rank) => ({
      ...arrowOf(app.game.name, info.pv[0], app.facts), rank, text: brief(app.game.name, info),
    }));
  }

  /**
   * Odds of the best move to each square that may be pressed next.
   * @param {string | null} first the part of the move that is made already
   */
  heats(first) {
    /** @type {Map<string, number>} */
    const heats = new Map();
    if (!this.app.settings.colours) return heats;
    for (const info of this.best) {
      const [from, to] = [info.pv[0].slice(0, 2), info.pv[0].slice(2, 4)];
      if (first && from !== first) continue;
      const square = first ? to : from;
      heats.set(square, Math.max(heats.get(square) ?? 0, odds(this.app.game.name, info)));
    }
    return heats;
  }

  /** The odds of player one in the shown position, if an engine or a review has judged it. */
  get bar() {
    const [best] = this.best;
    if (best && this.app.facts) return forFirst(odds(this.app.game.name, best), this.app.facts.side);
    return this.app.game.at.judgement?.odds ?? null;
  }
}
