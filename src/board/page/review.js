// A game judged move by move by the library, and a quiz made of it.

import { Study, analysing, engine } from "./analysing.js";
import { sharing } from "./files.js";
import { course } from "./graph.js";
import { arrowOf } from "./match.js";
import { refutation } from "./learn.js";
import { sideOf } from "./notation.js";
import * as panels from "./panels.js";
import { asked, reviewing, story } from "./story.js";
import { store, stored } from "./store.js";
import { t } from "./strings.js";
import { html } from "./svg.js";
import { forFirst, percent } from "./values.js";

const WRONG = ["mistake", "blunder"];
const RIGHT = ["only-move", "best", "good"];
/** Where the page keeps the questions, and the game that is being judged, for a reload. */
const [KEY, JUDGED] = ["totemic-quiz", "totemic-review"];

export class Review extends Study {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    const { app } = this;
    this.running = false;
    this.done = 0;
    this.total = 0;
    /** The mistakes that the player is asked about, and the index of the current one. @type {GameNode[]} */
    this.questions = [];
    this.question = 0;
    this.right = 0;
    /** The mistake that waits for an answer: the move that was played. @type {GameNode | null} */
    this.asking = null;
    this.verdict = "";
    /** @type {GameNode | null} */
    this.told = null;
    /** @type {GameNode | null} */
    this.last = null;
    this.all = false;
    app.watchers.push(() => {
      if (app.mode === "review" && !this.running && stored("sessionStorage", JUDGED) === app.game.id) return void this.start();
      if (this.asking && app.game.at !== this.asking.parent || this.isOver && app.game.at !== this.last) this.leave();
    });
    this.resume();
  }

  /** Whether there is nothing to review: then nothing is asked on the board. */
  get isEmpty() {
    return this.app.game.root.children.length === 0;
  }

  get mayMove() {
    return !this.isEmpty;
  }

  get odds() {
    return this.isEmpty ? null : super.odds;
  }

  get arrows() {
    const { shown, better, app: { game } } = this;
    if (this.asking || this.isEmpty) return [];
    const facts = shown?.parent?.facts;
    if (!shown) return super.arrows;
    if (!shown.move || !better || !facts) return [];
    return [{ ...arrowOf(game.name, better, facts), rank: 0, text: "✓" }, { ...arrowOf(game.name, shown.move, facts), rank: 1, text: "✗", isWrong: true }];
  }

  get scene() {
    return { ...(this.asking ? {} : super.scene), ...(this.shown ? { targets: [] } : {}) };
  }

  cards() {
    const { page } = this;
    if (this.isEmpty) {
      return [panels.card(t("review"), html("p", { id: "nothing", class: "soft" }, t("reviewWhat")), page.list.choice()), sharing(page), panels.settings(page)];
    }
    return [
      page.desk(reviewing(page), engine(page), course(page)), ...story(page), ...this.end(),
      analysing(page), ...this.lastCards(),
    ];
  }

  /** @param {VNode[]} steps */
  buttons(steps) {
    if (this.isEmpty) return [];
    return this.questions.length > 0 ? [...asked(this.page), ...steps.filter(({ key }) => key === "flip")] : steps;
  }

  prompt() {
    if (!this.app.facts || this.isEmpty) return "";
    if (this.questions.length > 0) return this.said();
    return this.shown && !this.app.hand.first && !this.page.pointing.said ? this.toldOf() : super.prompt();
  }

  /** The mistake that is told, as long as the board shows the position before it. */
  get shown() {
    return this.told && this.told.parent === this.app.game.at ? this.told : null;
  }

  /** @returns {GameNode} */
  get at() {
    return this.shown ?? this.app.game.at;
  }

  /** @param {GameNode} mistake */
  tell(mistake) {
    if (!mistake.parent) return;
    this.leave();
    this.told = mistake;
    this.app.visit(mistake.parent);
  }

  async start() {
    const { app } = this;
    const { board, board: { game } } = app;
    const line = game.line();
    const [from, moves] = [game.at, line.slice(1).map((node) => node.move)];
    this.leave();
    game.report = null;
    this.running = true;
    store("sessionStorage", JUDGED, game.id);
    [this.done, this.total] = [0, line.length];
    app.changed("all");
    const question = { ask: "review", game: game.name, fen: game.fen, moves };
    try {
      const told = await app.hub.call(question, (/** @type {any} */ news) => {
        [this.done, this.total] = [news.done, news.total];
        if (news.judged) this.take(line, news.judged);
        app.changed("all");
      });
      store("sessionStorage", JUDGED, null);
      if (told) game.report = { plies: moves.length, complete: told.complete, accuracy: told.accuracy, decided: told.decided, result: told.result };
      // A player who has gone elsewhere by now stays there.
      const [first] = this.mistakes;
      if (first && app.mode === "review" && app.game === game && game.at === from) this.tell(first);
    } catch (why) {
      // If the connection was lost, the review begins anew with the next one.
      if (!(why instanceof Error && why.message === "closed")) store("sessionStorage", JUDGED, null);
      app.complain("review", why);
    }
    this.running = false;
    game.touched = true;
    app.file(board);
    app.save();
    app.changed("all");
  }

  /** @param {GameNode[]} line @param {any} judged */
  take(line, judged) {
    const [before, after] = [line[judged.ply], line[judged.ply + 1]];
    // What follows the better move stands in the tree.
    after.review = { ...judged, line: judged.line.slice(0, 1) };
    const odds = (/** @type {number} */ value) => ({ odds: value, text: "", depth: 0, proved: judged.proved });
    before.judgement = odds(judged.before);
    after.judgement ??= odds(judged.after);
    // The better line becomes a variation.
    if (WRONG.includes(judged.mark) && judged.line[0] !== after.move) {
      judged.line.slice(0, 6).reduce((/** @type {GameNode} */ node, /** @type {string} */ move) => node.child(move), before);
    }
  }

  stop() {
    this.app.hub.ask({ ask: "enough" });
  }

  /** @returns {GameNode[]} the moves that lost much */
  get mistakes() {
    return this.app.game.root.end().path().filter((node) => WRONG.includes(node.review?.mark));
  }

  /** @param {1 | -1} by */
  beside(by) {
    const { ply } = this.at;
    return by > 0 ? this.mistakes.find((node) => node.ply > ply) : this.mistakes.findLast((node) => node.ply < ply);
  }

  /** @param {1 | -1} by */
  jump(by) {
    const next = this.beside(by);
    if (next) this.tell(next);
  }

  /** @returns {string | null} */
  get better() {
    const { at } = this;
    if (!at.review || at.review.line[0] === at.move || RIGHT.includes(at.review.mark)) return null;
    return at.review.line[0];
  }

  /** The player's side, if only one person played. @returns {Side | null} */
  get person() {
    const { you } = this.app.game;
    return you === null ? null : sideOf(you);
  }

  /** Asks about the mistakes from here on, then about those before; only about the player's own, if there are any. @param {number} [from] */
  quiz(from = this.at.ply) {
    const { mistakes, person } = this;
    const own = mistakes.filter((node) => this.mover(node) === person);
    const asked = own.length > 0 ? own : mistakes;
    const behind = asked.findIndex((node) => node.ply >= from);
    this.questions = behind > 0 ? [...asked.slice(behind), ...asked.slice(0, behind)] : asked;
    [this.question, this.right, this.told] = [-1, 0, null];
    this.nextQuestion();
  }

  get isOver() {
    return this.questions.length > 0 && this.question === this.questions.length;
  }

  nextQuestion() {
    const { app } = this;
    const next = this.questions[++this.question];
    this.verdict = "";
    this.asking = next ?? null;
    this.last = app.game.at;
    this.keep();
    if (next?.parent) app.visit(next.parent);
    app.changed("all");
  }

  /** Keeps the questions for a reload. @param {number} [question] the one to go on with */
  keep(question = this.question) {
    const { app, questions, right } = this;
    store("sessionStorage", KEY, { id: app.game.id, plies: questions.map(({ ply }) => ply), question, right });
  }

  resume() {
    const { app: { game, mode }, mistakes } = this;
    const kept = stored("sessionStorage", KEY);
    if (mode !== "review") return;
    if (kept?.id !== game.id || kept.plies.length === 0) {
      this.told = mistakes.find(({ parent }) => parent === game.at) ?? null;
      return;
    }
    const questions = mistakes.filter(({ ply }) => kept.plies.includes(ply)).sort((a, b) => kept.plies.indexOf(a.ply) - kept.plies.indexOf(b.ply));
    if (kept.question > questions.length) return;
    const next = questions[kept.question];
    [this.questions, this.question, this.right, this.asking] = [questions, kept.question, kept.right, next ?? null];
    this.last = game.at = next?.parent ?? game.at;
  }

  leave() {
    [this.questions, this.asking, this.verdict] = [[], null, ""];
    this.keep();
    this.app.changed("all");
  }

  /** @param {string} move */
  move(move) {
    const { asking, app } = this;
    if (!asking) return super.move(move);
    app.hand.clear();
    if (move === asking.review.line[0]) this.settle(t("quizRight"), move, true);
    else if (move === asking.move) {
      this.verdict = t("quizPlayed");
      app.changed("all");
    } else void this.judge(asking, move);
  }

  /** Judges an answer: a move that is enough better than the one that was played is right. @param {GameNode} asking @param {string} move */
  async judge(asking, move) {
    const { app } = this;
    this.verdict = t("quizLooks");
    app.changed("all");
    const fen = app.facts?.fen ?? "";
    try {
      const told = await app.hub.call({ ask: "review", game: app.game.name, fen, moves: [move] });
      if (this.asking !== asking || !told) return;
      const [best, before] = this.chances(asking);
      const after = Math.max(0, best - Math.max(0, Math.round(100 * (told.moves[0].before - told.moves[0].after))));
      if (after === best) return this.settle(t("quizAsGood"), move, true);
      // Half of what the mistake lost is enough.
      if (2 * (after - before) >= best - before) return this.settle(t("quizBetter", { before, after, best }), move, true);
      this.verdict = after > before ? t("quizNearly", { before, after, best }) : await refutation(app, app.game.name, fen, move) || t("quizWrong");
      if (this.asking !== asking) return;
    } catch (why) {
      this.verdict = "";
      app.complain("review", why);
    }
    app.changed("all");
  }

  show() {
    if (this.asking) this.settle("", this.asking.review.line[0], false);
  }

  /** @param {string} verdict @param {string} move @param {boolean} isRight */
  settle(verdict, move, isRight) {
    this.asking = null;
    this.verdict = verdict;
    this.right += Number(isRight);
    this.keep(this.question + 1);
    this.app.play(move);
  }

  said() {
    const { app, asking, questions, at } = this;
    if (this.isOver) return t("quizDone", { n: this.right, total: questions.length });
    if (asking) {
      const move = app.spell(asking.move ?? "");
      const asked = t(this.mover(asking) === this.person ? "quizAskYou" : "quizAsk", { side: app.side(this.mover(asking)), move });
      return `${this.verdict || asked} ${t("quizCount", { n: this.question + 1, total: questions.length })}`;
    }
    if (questions.length > 0) {
      const best = questions[this.question]?.review.line[0];
      const count = t("quizScore", { n: this.right, total: this.question + 1 });
      return [this.verdict, t("quizBest", { move: app.spell(best ?? "") }), count].filter(Boolean).join(" ");
    }
    const judged = at.review;
    if (!judged) return "";
    const proved = judged.proved_loss > 0 ? t("provedLossOf", { n: judged.proved_loss }) : "";
    const better = this.better ? t("better", { move: app.spell(this.better) }) : "";
    const [before, after] = this.chances(at);
    const key = before !== after ? "chancesGo" : judged.proved ? `keeps.${before}` : "chancesStay";
    const chances = t(key, { side: app.side(this.mover(at)), before, after });
    const depth = WRONG.includes(judged.mark) && judged.depth ? t("searchedTo", { n: judged.depth }) : "";
    return [t(`judged.${judged.mark}`, { move: app.spell(at.move ?? "") }), chances, proved, better, depth].filter(Boolean).join(" ");
  }

  brief() {
    const { at, questions } = this;
    if (!at.review || questions.length > 0) return "";
    const [before, after] = this.chances(at);
    return `${t(`mark.${at.review.mark}`)}\n${t("change", { before, after })}`;
  }

  /** The mover's chances before and after a move, in per cent. @param {GameNode} node */
  chances(node) {
    const { before, after, proved } = node.review;
    return [before, after].map((odds) => forFirst(odds, this.mover(node))).map((odds) => proved ? Math.round(odds * 100) : percent(odds));
  }

  /** @param {GameNode} node @returns {Side} */
  mover({ ply }) {
    return sideOf(this.app.game.seatAt(ply - 1));
  }

  toldOf() {
    const { app, shown, better } = this;
    if (!shown) return "";
    const played = t("playedHere", { side: app.side(this.mover(shown)), move: app.spell(shown.move ?? "") });
    return better ? `${played} ${t("better", { move: app.spell(better) })}` : played;
  }
}
