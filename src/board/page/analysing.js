// A game that is studied: moves for both sides, and what the engine says of them.

import { gameList } from "./games.js";
import { course, graphOptions } from "./graph.js";
import { Mode } from "./mode.js";
import { otherSide } from "./notation.js";
import { button, card, engines, select, toggle, typing } from "./panels.js";
import { t, thousands } from "./strings.js";
import { html } from "./svg.js";
import { forFirst, inWords, isProved, odds, percent, verdict } from "./values.js";

/** What analysis and review have in common. */
export class Study extends Mode {
  get mayMove() {
    return true;
  }

  get odds() {
    return this.app.isSealed ? null : this.page.analysis.bar;
  }

  get arrows() {
    return this.page.analysis.arrows;
  }

  get suggestions() {
    return [...super.suggestions, ...this.page.analysis.best.slice(0, this.app.settings.lines).map(({ pv }) => pv[0])];
  }

  /** @returns {Partial<Scene>} */
  get scene() {
    return { heats: this.page.analysis.heats(this.app.hand.first) };
  }
}

export class Analyse extends Study {
  cards() {
    const { page, app, app: { game: { at } } } = this;
    const cut = () => {
      at.remove();
      app.game.touched = true;
      app.visit(/** @type {GameNode} */ (at.parent));
    };
    return [
      page.desk(engine(page), course(page)), ...this.end(),
      ...(page.games.length > 1 ? [gameList(page, t("gamesInFile"), page.games)] : []),
      analysing(page, at.parent && button("cut", t("cut"), cut)), html("section", { class: "card" }, typing(page)), ...this.lastCards(),
    ];
  }
}

/** @param {Page} page */
export function engine(page) {
  const { analysis, app: { isSealed } } = page;
  return html("div", { class: "engine" },
    isSealed ? html("p", { class: "soft" }, t("letterSealed"))
      : button("analysis", t(analysis.on ? "engineOn" : "engineOff"), () => analysis.toggle(), { class: analysis.on ? "main" : "" }),
    html("div", { id: "lines-live" }));
}

/** @param {Page} page @param {VNode | null} [more] */
export function analysing(page, more = null) {
  const { app, analysis } = page;
  const { settings: set, game: { at } } = app;
  const change = (/** @type {Partial<Settings>} */ settings) => { app.set(settings); analysis.follow(); };
  const offMain = at.path().some((node) => node.parent && node.parent.children[0] !== node);
  return card(t("analyse"),
    ...graphOptions(page,
      toggle("arrows", t("arrows"), set.arrows, () => app.set({ arrows: !set.arrows })),
      toggle("colours", t("colours"), set.colours, () => change({ colours: !set.colours }))),
    set.colours ? html("p", { class: "soft" }, t("coloursHow")) : null,
    html("div", { class: "fields" },
      ...select("lines", t("lines"), [1, 2, 3, 5, 8].map((n) => [n, String(n)]), set.lines, (v) => change({ lines: Number(v) })),
      ...(app.server.engines.length > 1 ? select("analyst", t("engine"), engines(page), set.analyst, (v) => change({ analyst: Number(v) })) : [])),
    html("div", { class: "row" },
      button("play-here", t("usePlay"), () => page.begin("play", app.facts?.fen), { disabled: !app.facts?.moves.length }),
      button("watch-here", t("watchHere"), () => page.begin("watch", app.facts?.fen), { disabled: !app.facts?.moves.length }),
      offMain ? button("main-line", t("mainLine"), () => { at.promote(); app.game.touched = true; app.moved(); }) : null,
      more));
}

/** @param {Page} page @param {Info} info */
function said(page, info) {
  const { app } = page;
  const mover = app.facts?.side ?? "p1";
  const [own, other] = [app.side(mover), app.side(otherSide(mover))];
  if (info.mate !== null) return t(info.bound ? "provedWins" : "proved", { side: info.mate > 0 ? own : other, n: Math.abs(info.mate) });
  if (isProved(info)) return t("drawn");
  return verdict(forFirst(odds(app.game.name, info), mover), app.side("p1"), app.side("p2"));
}

/** The side that the verdict speaks of, and whether it is to move. @param {Page} page @param {Info} info */
function better({ app }, info) {
  const [side, isMover] = [app.facts?.side ?? "p1", odds(app.game.name, info) >= 0.5];
  return { side: app.side(isMover ? side : otherSide(side)), isMover };
}

/** @param {Page} page @param {Info} info */
function depth(page, info) {
  const [{ side, isMover }, value] = [better(page, info), percent(odds(page.app.game.name, info))];
  return t(isProved(info) ? "depth" : "chancesDepth", { side, percent: isMover ? value : 100 - value, depth: info.depth, speed: thousands(info.nps) });
}

/** @param {Page} page @param {Info} info */
function results(page, info) {
  if (!info.wdl || isProved(info)) return undefined;
  const { side, isMover } = better(page, info);
  const [win, loss] = (isMover ? [0, 2] : [2, 0]).map((i) => percent(/** @type {number[]} */ (info.wdl)[i] / 1000));
  return t("ofHundred", { side, win, draw: Math.max(0, 100 - win - loss), loss });
}

/** @param {Page} page */
export function lines(page) {
  const { app, analysis } = page;
  const best = analysis.best.slice(0, app.settings.lines);
  if (best.length === 0) return html("p", { class: "soft" }, analysis.on && app.facts?.moves.length !== 0 ? "…" : "");
  const [first] = best;
  return html("div", { class: "lines" },
    html("div", { id: "verdict-live" }, html("b", {}, said(page, first)), " ",
      html("span", { class: "soft", title: results(page, first) }, depth(page, first))),
    ...best.map((info, rank) => html("div", { class: "line" },
      html("span", { class: "value" }, inWords(app.game.name, info)),
      html("span", { class: "pv" }, ...info.pv.map((move, i) => html("button", {
        id: `pv-${rank}-${i}`,
        onclick: () => page.walk(info.pv.slice(0, i + 1)),
        onpointermove: (/** @type {PointerEvent} */ event) => page.point(event, info.pv.slice(0, i + 1)),
        onpointerleave: () => page.show(null), title: app.spell(move, true),
      }, app.spell(move)))))));
}
