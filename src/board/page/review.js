// A game judged move by move by the library, and a quiz made of it.

import { t } from "./strings.js";
import { percent } from "./values.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */

/** Thought for each position, in milliseconds. */
const MILLIS = 500;
const WRONG = ["mistake", "blunder"];

export class Review {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.running = false;
    this.done = 0;
    this.total = 0;
    /** The mistake that somebody is asked about: the move that was played. @type {Node | null} */
    this.asking = null;
    /** What is said about an answer. */
    this.verdict = "";
    app.watchers.push(() => {
      if (this.asking && app.game.at !== this.asking.parent) this.asking = null;
    });
  }

  async start() {
    const { app } = this;
    const line = app.game.line();
    const moves = line.slice(1).map((node) => node.move);
    this.running = true;
    [this.done, this.total] = [0, line.length];
    app.changed("all");
    const question = { ask: "review", game: app.game.name, fen: app.game.fen, moves, millis: MILLIS };
    try {
      await app.hub.call(question, (/** @type {any} */ news) => {
        [this.done, this.total] = [news.done, news.total];
        if (news.judged) this.take(line, news.judged);
        app.changed("all");
      });
    } catch (why) {
      app.complain("review", why);
    }
    this.running = false;
    app.game.touched = true;
    app.save();
    app.changed("all");
  }

  /** @param {Node[]} line @param {any} judged */
  take(line, judged) {
    const [before, after] = [line[judged.ply], line[judged.ply + 1]];
    after.review = judged;
    const odds = (/** @type {number} */ value) => ({ odds: value, text: "", depth: 0, proved: judged.proved });
    before.judgement = odds(judged.before);
    after.judgement ??= odds(judged.after);
    // What was better stands beside what was played, as a variation.
    if (WRONG.includes(judged.mark) && judged.line[0] !== after.move) {
      judged.line.slice(0, 6).reduce((/** @type {Node} */ node, /** @type {string} */ move) => node.child(move), before);
    }
  }

  stop() {
    this.app.hub.ask({ ask: "enough" });
  }

  /** @returns {Node[]} the moves that lost much */
  get mistakes() {
    return this.app.game.root.end().path().filter((node) => WRONG.includes(node.review?.mark));
  }

  /** @param {1 | -1} by */
  jump(by) {
    const { app, mistakes } = this;
    const next = by > 0 ? mistakes.find((node) => node.ply > app.game.at.ply) : mistakes.findLast((node) => node.ply < app.game.at.ply);
    if (next) {
      app.settle();
      app.visit(next);
    } else app.notify("mistakes", t("noMistake"));
  }

  /** Asks about the next mistake, and after the last one about the first. */
  quiz() {
    const { app, mistakes } = this;
    this.verdict = "";
    if (this.asking) {
      this.asking = null;
      return app.changed("all");
    }
    const next = mistakes.find((node) => node.ply > app.game.at.ply) ?? mistakes[0];
    if (!next?.parent) return app.notify("mistakes", t("noMistake"));
    app.settle();
    app.visit(next.parent);
    this.asking = next;
    app.changed("all");
  }

  /** @param {string} move @returns {boolean} whether it was an answer */
  answer(move) {
    const { asking, app } = this;
    if (!asking) return false;
    if (move === asking.review.line[0]) {
      this.asking = null;
      this.verdict = t("quizRight");
      app.play(move);
    } else {
      this.verdict = t("quizWrong");
      app.hand.clear();
    }
    app.changed("all");
    return true;
  }

  /** What is said where we are. */
  said() {
    const { app, asking } = this;
    if (asking) {
      const side = app.side(app.facts?.side ?? "p1");
      return `${t("quizAsk", side, asking.move ?? "")} ${this.verdict}`;
    }
    const { at } = app.game;
    const judged = at.review;
    if (!judged || !at.facts) return this.verdict;
    const mover = at.facts.side === "p1" ? "p2" : "p1";
    const own = (/** @type {number} */ odds) => {
      const value = mover === "p1" ? odds : 1 - odds;
      return judged.proved ? Math.round(value * 100) : percent(value);
    };
    const better = judged.line[0] !== at.move && WRONG.concat("inaccuracy").includes(judged.mark) ? t("better", judged.line[0]) : "";
    const proved = judged.proved_loss > 0 ? t("provedLossOf", judged.proved_loss) : "";
    return [t("judged", at.move ?? "", t(judged.mark), app.side(mover), own(judged.before), own(judged.after)), proved, better].filter(Boolean).join(" ");
  }
}
