// The end of a game: the squares that count light up one after the other, then the result.

import { sending } from "./letters.js";
import { sideOf } from "./notation.js";
import { button } from "./panels.js";
import { t } from "./strings.js";
import { html, render } from "./svg.js";

/** Time between two squares, and from the last one to the result, in milliseconds. */
const BETWEEN = { least: 60, most: 280, all: 2600, result: 700 };

export class Finale {
  /** @param {Page} page @param {HTMLElement} place where the result is shown */
  constructor(page, place) {
    this.page = page;
    this.place = place;
    /** The match that the page has seen going on: it tells no other end, and none again after a reload. @type {Match | null} */
    this.going = null;
    /** @type {Match | null} */
    this.told = null;
    /** How many squares are lit; all of them when nothing is under way. */
    this.shown = Infinity;
    this.timer = 0;
  }

  get isOpen() {
    return !this.place.hidden;
  }

  /** The squares that count, if the shown position is an end: the first side's, then the other's. @returns {Lit[]} */
  get all() {
    const { facts } = this.page.app;
    if (!facts?.decision) return [];
    return facts.counted.flatMap((squares, seat) => squares.map((it) => ({ ...it, side: sideOf(seat) })));
  }

  get lit() {
    return this.all.slice(0, this.shown);
  }

  /** The points of a side, which count up while squares light up. @param {0 | 1} seat @param {number} points all of them */
  points(seat, points) {
    if (this.shown >= this.all.length) return points;
    return this.lit.reduce((sum, it) => sum + (it.side === sideOf(seat) ? it.points : 0), 0);
  }

  /** @param {boolean} motion */
  update(motion) {
    const { matches } = this.page;
    const { match } = matches;
    const over = matches.isOver && matches.isAtEnd && this.page.app.mode === match?.kind;
    if (matches.isRunning && matches.isAtEnd) this.going = match;
    if (over && this.going === match) {
      [this.going, this.told] = [null, match];
      this.begin(motion);
    } else if (!over || this.told !== match) this.close();
    else this.write();
  }

  /** @param {boolean} motion */
  begin(motion) {
    const { page } = this;
    clearTimeout(this.timer);
    const { length } = this.all;
    if (!motion || length === 0) return this.open();
    this.shown = 0;
    const wait = Math.max(BETWEEN.least, Math.min(BETWEEN.most, BETWEEN.all / length));
    const next = () => {
      this.shown++;
      const last = this.shown >= length;
      this.timer = setTimeout(last ? () => this.open() : next, last ? BETWEEN.result : wait);
      page.draw("board");
    };
    // The last move has to land first.
    this.timer = setTimeout(next, 2 * BETWEEN.result);
  }

  open() {
    const { page } = this;
    this.shown = Infinity;
    if (page.app.settings.sound) page.sound.end();
    this.place.hidden = false;
    page.draw("all");
  }

  write() {
    const { page } = this;
    const { facts } = page.app;
    const ended = page.matches.match?.ended;
    render([
      html("button", { id: "finale-close", "aria-label": t("close"), title: t("close"), onclick: () => { this.close(); page.draw("all"); } }, "×"),
      html("h2", {}, page.resultText()),
      html("p", {}, ended ? t(`end.${ended.why}`, page.called(ended.side)) : facts ? page.howEnded(facts) : ""),
      // The player has to send the end to the friend before anything else.
      sending(page, "finale-"),
      finished(page, "finale-"),
    ], this.place);
  }

  close() {
    clearTimeout(this.timer);
    this.shown = Infinity;
    const held = this.place.contains(document.activeElement);
    this.place.hidden = true;
    if (held) this.page.view.keepFocus();
  }
}

/** @param {Page} page @param {string} [place] tells the buttons of two places apart */
export function finished(page, place = "") {
  const { app, matches, review } = page;
  // The buttons are in the result already.
  if (!matches.isOver || !place && page.finale.isOpen) return null;
  const toReview = () => { page.turnTo("review", true); if (!review.running) void review.start(); };
  const [isPlay, isFar] = [matches.match?.kind === "play", matches.match?.mine !== undefined];
  const offered = matches.offered();
  return html("div", { class: "row" },
    app.game.line().length < 2 ? null : button(`${place}to-review`, t("startReview"), toReview, { class: isPlay && !isFar ? "" : "main" }),
    isPlay && offered !== null ? button(`${place}offer`, t("offerLevel", { level: offered }), () => matches.again(false, offered)) : null,
    isPlay && !isFar ? button(`${place}again`, t("again"), () => matches.again(), { class: "main" }) : null,
    isPlay && !isFar ? button(`${place}swap`, t("swapSides"), () => matches.again(true)) : null);
}
