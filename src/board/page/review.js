// A game judged move by move by the library, and a quiz made of it.

import { arrowOf } from "./match.js";
import { t } from "./strings.js";
import { percent } from "./values.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */

/** Thought for each position, in milliseconds. */
const MILLIS = 500;
const WRONG = ["mistake", "blunder"];
const RIGHT = ["only-move", "best", "good"];

/**
 * What the library says of a game as a whole; pairs are for the first and the second side.
 * @typedef {object} Report
 * @property {number} plies that the game had
 * @property {boolean} complete
 * @property {[Accuracy, Accuracy]} accuracy
 * @property {number | null} decided ply of the move from which on the winner was ahead
 * @property {string | null} result
 */
/** @typedef {{ lost_a_move: number | null, marks: number[], proved_points_a_move: number | null, proved_moves: number }} Accuracy */

export class Review {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.running = false;
    this.done = 0;
    this.total = 0;
    /** The mistakes that somebody is asked about, and which of them it is. @type {Node[]} */
    this.questions = [];
    this.question = 0;
    this.right = 0;
    /** The mistake that waits for an answer: the move that was played. @type {Node | null} */
    this.asking = null;
    /** What is said about an answer. */
    this.verdict = "";
    app.watchers.push(() => {
      if (this.asking && app.game.at !== this.asking.parent) this.leave();
    });
  }

  async start() {
    const { app } = this;
    const { game } = app;
    const line = game.line();
    const [from, moves] = [game.at, line.slice(1).map((node) => node.move)];
    this.leave();
    game.report = null;
    this.running = true;
    [this.done, this.total] = [0, line.length];
    app.changed("all");
    const question = { ask: "review", game: game.name, fen: game.fen, moves, millis: MILLIS };
    try {
      const told = await app.hub.call(question, (/** @type {any} */ news) => {
        [this.done, this.total] = [news.done, news.total];
        if (news.judged) this.take(line, news.judged);
        app.changed("all");
      });
      if (told) game.report = { plies: moves.length, complete: told.complete, accuracy: told.accuracy, decided: told.decided, result: told.result };
      // Whoever looks elsewhere by now is left alone.
      const [first] = this.mistakes;
      if (first && app.mode === "review" && app.game === game && game.at === from) app.visit(first);
    } catch (why) {
      app.complain("review", why);
    }
    this.running = false;
    game.touched = true;
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

  /** The next mistake, or the one before. @param {1 | -1} by */
  beside(by) {
    const { ply } = this.app.game.at;
    return by > 0 ? this.mistakes.find((node) => node.ply > ply) : this.mistakes.findLast((node) => node.ply < ply);
  }

  /** @param {1 | -1} by */
  jump(by) {
    const next = this.beside(by);
    if (next) this.app.visit(next);
  }

  /** The move that would have been better than the one that led here. @returns {string | null} */
  get better() {
    const { at } = this.app.game;
    if (!at.review || at.review.line[0] === at.move || RIGHT.includes(at.review.mark)) return null;
    return at.review.line[0];
  }

  /** @returns {import("./board.js").Arrow[]} the better move */
  get arrows() {
    const { app, better } = this;
    const before = app.game.at.parent;
    if (!better || !before) return [];
    if (before.facts) return [arrowOf(app.game.name, better, before.facts)];
    void app.ask(app.game.name, app.game.fen, before.moves()).then((facts) => {
      before.facts = facts;
      app.changed("board");
    }, () => {});
    return [];
  }

  /** Asks about the mistakes from here on, then about those before. */
  quiz() {
    const { app, mistakes } = this;
    const behind = mistakes.findIndex((node) => node.ply > app.game.at.ply);
    this.questions = behind > 0 ? [...mistakes.slice(behind), ...mistakes.slice(0, behind)] : mistakes;
    [this.question, this.right] = [-1, 0];
    this.ask();
  }

  /** Asks the next question. */
  ask() {
    const { app } = this;
    const next = this.questions[++this.question];
    this.verdict = "";
    this.asking = null;
    if (!next?.parent) return this.leave();
    app.visit(next.parent);
    this.asking = next;
    app.changed("all");
  }

  /** Ends the questions. */
  leave() {
    [this.questions, this.asking, this.verdict] = [[], null, ""];
    this.app.changed("all");
  }

  /** @param {string} move @returns {boolean} whether it was an answer */
  answer(move) {
    const { asking, app } = this;
    if (!asking) return false;
    app.hand.clear();
    if (move === asking.review.line[0]) this.settle(t("quizRight"), move, true);
    else if (move === asking.move) {
      this.verdict = t("quizPlayed");
      app.changed("all");
    } else void this.judge(asking, move);
    return true;
  }

  /** Lets the library judge an answer that is not the best it found. @param {Node} asking @param {string} move */
  async judge(asking, move) {
    const { app } = this;
    this.verdict = t("quizLooks");
    app.changed("all");
    const fen = app.facts?.fen ?? "";
    try {
      const told = await app.hub.call({ ask: "review", game: app.game.name, fen, moves: [move], millis: MILLIS });
      if (this.asking !== asking) return;
      if (RIGHT.includes(told?.moves[0]?.mark)) return this.settle(t("quizAsGood"), move, true);
      this.verdict = t("quizWrong");
    } catch (why) {
      this.verdict = "";
      app.complain("review", why);
    }
    app.changed("all");
  }

  /** Shows the answer. */
  show() {
    if (this.asking) this.settle("", this.asking.review.line[0], false);
  }

  /** @param {string} verdict @param {string} move @param {boolean} isRight */
  settle(verdict, move, isRight) {
    this.asking = null;
    this.verdict = verdict;
    this.right += Number(isRight);
    this.app.play(move);
  }

  /** What is said where we are. */
  said() {
    const { app, asking, questions } = this;
    if (asking) {
      const side = app.side(app.facts?.side ?? "p1");
      return `${this.verdict || t("quizAsk", side, app.spell(asking.move ?? ""))} ${t("quizCount", this.question + 1, questions.length)}`;
    }
    if (questions.length > 0) {
      const best = questions[this.question]?.review.line[0];
      const count = t("quizScore", this.right, this.question + 1);
      return [this.verdict, t("quizBest", app.spell(best ?? "")), count].filter(Boolean).join(" ");
    }
    const { at } = app.game;
    const judged = at.review;
    if (!judged || !at.facts) return "";
    const mover = at.facts.side === "p1" ? "p2" : "p1";
    const own = (/** @type {number} */ odds) => {
      const value = mover === "p1" ? odds : 1 - odds;
      return judged.proved ? Math.round(value * 100) : percent(value);
    };
    const proved = judged.proved_loss > 0 ? t("provedLossOf", judged.proved_loss) : "";
    const better = this.better ? t("better", app.spell(this.better)) : "";
    return [t("judged", app.spell(at.move ?? ""), t(judged.mark), app.side(mover), own(judged.before), own(judged.after)), proved, better].filter(Boolean).join(" ");
  }
}
