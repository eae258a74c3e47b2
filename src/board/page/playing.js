// Games that are played: against the computer, by two people, or by engines that are watched.

import { finished } from "./finale.js";
import { gameList } from "./games.js";
import { graphOptions } from "./graph.js";
import { post, sending, toSend } from "./letters.js";
import { Mode } from "./mode.js";
import { seatOf } from "./notation.js";
import { button, card, moveList, typing } from "./panels.js";
import * as starting from "./starting.js";
import { FIRST_LEVEL } from "./store.js";
import { t } from "./strings.js";
import { html } from "./svg.js";

/** What modes with a match have in common. */
export class Played extends Mode {
  /** The key of the sentence that says why the player cannot move yet; empty if it is possible. */
  get waits() {
    return "";
  }

  /** @param {Facts} facts */
  situation(facts) {
    const { page, app, page: { matches } } = this;
    const match = matches.shownMatch;
    const ended = match?.ended ?? app.endedHere;
    if (ended) return page.endedText(ended);
    if (facts.moves.length === 0) return page.endText(facts);
    if (match && !matches.isAtEnd) return this.moved(facts) + t(match.kind === "play" ? "earlier" : "earlierWaits");
    if (matches.thinking && match) {
      if (page.ahead !== null) return t("ahead", { move: page.ahead });
      return this.moved(facts) + t("thinks", { name: app.server.engines[match.engines[seatOf(facts.side)] ?? 0] });
    }
    return this.waits && !page.pointing.said ? this.moved(facts) + t(this.waits) : super.situation(facts);
  }
}

export class Play extends Played {
  get mayMove() {
    const { page: { matches }, app: { facts, settings: { play } } } = this;
    return matches.isBeforeGame ? play.two || play.side === facts?.side : matches.isPersonToMove && matches.isAtEnd;
  }

  get waits() {
    return this.page.matches.isBeforeGame && !this.app.isYourTurn ? this.app.settings.play.far ? "friendFirst" : "startFirst" : "";
  }

  get invites() {
    return this.app.game.name === "hokito" && this.page.matches.shownMatch && this.app.isYourTurn ? "yourMove" : super.invites;
  }

  /** @param {Facts} facts */
  situation(facts) {
    const { page } = this;
    return !page.matches.isOver && toSend(page) ? this.moved(facts) + toSend(page) : super.situation(facts);
  }

  /** @param {VNode[]} steps */
  buttons(steps) {
    const send = sending(this.page);
    return send ? [send, ...steps] : steps;
  }

  get keys() {
    return { ...super.keys, u: () => this.page.matches.takeback() };
  }

  cards() {
    const { page } = this;
    const desk = page.desk(post(page), playing(page), finished(page), moveList(page), page.matches.isOver ? null : typing(page));
    // A player who comes by a friend's link wants to play that game.
    const isFirst = !this.app.settings.known && page.matches.match?.mine === undefined;
    return [
      ...(isFirst ? [welcome(page)] : []),
      // Before a game, its settings come first.
      ...(page.matches.isBeforeGame ? [starting.newGame(page, isFirst), desk] : [desk, ...this.end(), starting.newGame(page, true)]), ...this.lastCards(),
    ];
  }
}

export class Watch extends Played {
  get waits() {
    const { matches } = this.page;
    return matches.shownMatch ? "" : matches.match ? "watchStopped" : "watchFirst";
  }

  get odds() {
    const { at } = this.app.game;
    return at.judgement?.odds ?? at.parent?.judgement?.odds ?? null;
  }

  cards() {
    const { page, app } = this;
    return [
      ...(app.server.journal ? [gameList(page, t("journal"), app.hub.journal?.games ?? [], true)] : []),
      ...starting.watching(page), ...this.end(), card(t("graph"), ...graphOptions(page)), ...this.lastCards(),
    ];
  }
}

/** The buttons of a game, without those that cannot be used for long. @param {Page} page */
export function playing(page) {
  const { app, matches } = page;
  const { isRunning } = matches;
  const [hasBack, hasHint] = [matches.canTakeBack, matches.match?.mine === undefined && (isRunning || app.isYourTurn)];
  if (!hasBack && !hasHint && !isRunning) return null;
  return html("div", { class: "row" },
    hasBack ? button("takeback", t(matches.isSent ? "askBack" : "takeback"), () => matches.takeback(), {
      "aria-pressed": matches.isSent ? String(Boolean(matches.match?.asks)) : undefined,
    }) : null,
    hasHint ? button("hint", t("hint"), () => page.hint(), {
      disabled: !app.isYourTurn, "aria-busy": matches.hinting === app.game.at ? "true" : undefined,
    }) : null,
    isRunning ? button("resign", t(page.asksToResign ? "resignSure" : "resign"), () => page.resign()) : null);
}

/** @param {Page} page */
export function welcome(page) {
  const { app, matches } = page;
  const gentle = (/** @type {GameName} */ game) => {
    const start = game === "hokito" ? "rows" : "standard";
    app.set({ known: true, play: { ...app.settings.play, level: FIRST_LEVEL, side: "p1", two: false, far: false, time: "move", seconds: 1, start } });
    void matches.beginPlay(game, app.settings.play);
  };
  return card(t("welcome"), html("p", { class: "soft" }, t("welcomeText")),
    html("div", { class: "row", id: "welcome" },
      button("gentle-yoxii", t("gentle", { game: t("yoxii") }), () => gentle("yoxii"), { class: "main" }),
      button("gentle-hokito", t("gentle", { game: t("hokito") }), () => gentle("hokito"), { class: "main" }),
      button("learn-first", t("learnFirst"), () => { app.set({ known: true }); page.turnTo("learn"); }),
      button("later", t("later"), () => app.set({ known: true }))));
}
