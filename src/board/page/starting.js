// How a game begins: against whom, at what strength, with what time.

import { isReachable } from "./files.js";
import { finished } from "./finale.js";
import { course } from "./graph.js";
import { sideOf } from "./notation.js";
import { button, card, engines, select, toggle } from "./panels.js";
import { saveSettings } from "./store.js";
import { t } from "./strings.js";
import { html } from "./svg.js";

const SECONDS = [0.1, 0.3, 1, 3, 10];
const CLOCKS = [[1, 1], [5, 3], [15, 10]];
/** What each level is called: the first name whose number it reaches. @type {[number, string][]} */
const STRENGTHS = [[20, "full"], [16, "expert"], [11, "strong"], [6, "medium"], [3, "easy"], [0, "beginner"]];

/** @param {number} level */
function levelText(level) {
  const [, word] = /** @type {[number, string]} */ (STRENGTHS.find(([least]) => level >= least));
  return t(`level.${word}`, { level });
}

/** @param {string} id @param {number} value @param {(level: number) => void} act @param {string} [whose] */
function levels(id, value, act, whose = "") {
  return [html("label", { for: id }, levelText(value)), html("input", {
    id, type: "range", min: 0, max: 20, value, "aria-label": whose ? `${whose}, ${levelText(value)}` : undefined,
    oninput: (/** @type {any} */ { target }) => { target.labels[0].firstChild.data = levelText(Number(target.value)); },
    onchange: (/** @type {any} */ event) => act(Number(event.target.value)),
  })];
}

/** @param {string} id @param {string} label @param {number} value @param {Record<string, number>} range @param {(value: number) => void} act */
function number(id, label, value, range, act) {
  let last = value;
  // Each key counts, as the page may draw the field anew before the player leaves it.
  const take = (/** @type {any} */ { type, target }) => {
    const { valueAsNumber, validity } = target;
    if (validity.valid && Number.isFinite(valueAsNumber)) act(last = valueAsNumber);
    else if (type === "change") target.value = last;
  };
  return [html("label", { for: id }, label), html("input", { id, type: "number", value, ...range, oninput: take, onchange: take })];
}

/** @param {Page} page @param {string} id @param {Timing} value @param {boolean} hasEngine @param {(change: Partial<Timing>) => void} act */
function timing({ app }, id, value, hasEngine, act) {
  // The page must not draw the field anew while the player types.
  const type = (/** @type {Partial<Timing>} */ change) => {
    Object.assign(value, change);
    saveSettings(app.settings);
  };
  const { time, seconds, minutes, increment } = value;
  const isOwn = time === "clock" && (value.own || !CLOCKS.some(([m, s]) => m === minutes && s === increment));
  const chosen = time === "move" ? "none" : isOwn ? "own" : `${minutes}+${increment}`;
  const clocks = CLOCKS.map(([m, s]) => [`${m}+${s}`, t("clock", { minutes: m, seconds: s })]);
  const choices = /** @type {[string, string][]} */ ([["none", t("noClock")], ...clocks, ["own", t("ownClock")]]);
  return [
    ...select(id, t("clocks"), choices, chosen, (choice) => {
      if (choice === "none") return act({ time: "move" });
      const [m, s] = choice === "own" ? [minutes, increment] : choice.split("+").map(Number);
      act({ time: "clock", minutes: m, increment: s, own: choice === "own" });
    }),
    ...(isOwn ? [
      ...number(`${id}-minutes`, t("minutes"), minutes, { min: 0.5, max: 180, step: 0.5 }, (minutes) => type({ minutes })),
      ...number(`${id}-increment`, t("increment"), increment, { min: 0, max: 60, step: 1 }, (increment) => type({ increment })),
    ] : []),
    ...(hasEngine && time === "move"
      ? select(`${id}-thinks`, t("enginesThink"), SECONDS.map((s) => [s, t("perMove", { seconds: s })]), seconds, (s) => act({ seconds: Number(s) })) : []),
  ];
}

/** @param {Page} page @param {string} id @param {Opponent["start"]} value @param {(start: any) => void} act */
function starts(page, id, value, act) {
  if (page.app.game.name === "yoxii") return [];
  return select(id, t("position"), [["standard", t("standard")], ["rows", t("rows")], ["scattered", t("scattered")]], value, act);
}

/** @param {Page} page @param {boolean} isFolded */
export function newGame(page, isFolded) {
  const { app, matches } = page;
  const { play } = app.settings;
  const set = (/** @type {Partial<typeof play>} */ change) => {
    app.set({ play: { ...play, ...change } });
    void matches.prepare("start" in change);
  };
  const { time, seconds, minutes, increment, own } = play;
  // Games of two people have a clock of their own, which games against the computer do not change.
  const kind = (/** @type {string} */ id, /** @type {boolean} */ two, far = false) => {
    const change = play.two === two ? {} : { two, time: "move", ...play.other, other: { time, seconds, minutes, increment, own } };
    return toggle(id, t(id), play.two === two && Boolean(play.far) === far, () => set({ far, ...change }));
  };
  const begins = (/** @type {0 | 1} */ seat) => seat ? app.side("p2") : t("begins", { side: app.side("p1") });
  const named = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ value, /** @type {(name: string) => void} */ act) => [
    html("label", { for: id }, label),
    html("input", {
      id, type: "text", maxlength: 40, value, placeholder: t("name"), autocomplete: "off",
      oninput: (/** @type {any} */ event) => { act(event.target.value.trim()); app.set({}); },
    })];
  const person = (/** @type {0 | 1} */ seat) => named(`name-${seat}`, begins(seat), play.names[seat], (name) => { play.names[seat] = name; });
  const side = select("your-side", t("youPlay"), [["p1", begins(0)], ["p2", begins(1)], ["lot", t("byLot")]], play.side,
    (v) => set({ side: /** @type {any} */ (v) }));
  const swapped = () => set({ names: [play.names[1], play.names[0]] });
  const drawLots = () => {
    if (Math.random() < 0.5) swapped();
    page.brieflySay(t("lot", { name: app.settings.play.names[0], side: app.side("p1") }));
  };
  const opponent = play.two ? [...person(0), ...person(1)] : play.far ? [
    ...named("own-name", t("yourName"), play.self ?? "", (name) => { play.self = name; }),
    ...named("friend-name", t("friendName"), play.friend ?? "", (name) => { play.friend = name; }), ...side,
  ] : [
    ...(app.server.engines.length > 1 ? select("opponent", t("engine"), engines(page), play.engine, (v) => set({ engine: Number(v) })) : []),
    ...levels("level", play.level, (level) => set({ level })),
    ...side,
  ];
  const form = [
    html("div", { class: "row choice", role: "group", "aria-label": t("opponent") },
      kind("computer", false), kind("twoPeople", true), kind("byLink", false, true)),
    html("div", { class: "fields" }, ...opponent,
      ...(play.far ? [] : timing(page, "time", play, !play.two, set)),
      ...starts(page, "start-from", play.start, (start) => set({ start }))),
    play.far ? html("p", { class: "soft" },
      `${t("byLinkHow")}${isReachable ? "" : ` ${t("letterLocal", { share: t("share"), box: t("paste") })}`}`) : null,
    play.two ? html("div", { class: "row" },
      button("swap-names", t("swapSides"), swapped),
      button("draw-lots", t("drawLots"), drawLots, play.names.every(Boolean) ? {} : { disabled: true, title: t("namesFirst") }),
      toggle("turns", t("turns"), play.turns, () => set({ turns: !play.turns }))) : null,
  ];
  const start = button("start", t("start"), () => page.begin("play"), { class: "main" });
  // The button has to be in view however long the form is.
  if (!isFolded) return html("section", { class: "card" }, html("div", { class: "row head" }, html("h2", {}, t("newGame")), start), ...form);
  return html("details", { class: "card", id: "new-game" }, html("summary", {}, t("newGame")), ...form, html("div", { class: "row" }, start));
}

/** @param {Page} page @returns {VNode[]} */
export function watching(page) {
  const { app, matches } = page;
  const { watch } = app.settings;
  const set = (/** @type {Partial<typeof watch>} */ change) => app.set({ watch: { ...watch, ...change } });
  const changed = (/** @type {[number, number]} */ pair, /** @type {number} */ seat, /** @type {number} */ value) =>
    /** @type {[number, number]} */ (pair.map((old, i) => i === seat ? value : old));
  const [isRunning, isEmpty] = [app.room === "watch" && app.isRunning(app.board), app.game.root.children.length === 0];
  const isStopped = app.room === "watch" && matches.match && !matches.match.on && !matches.match.over && !matches.match.ended;
  const waits = isStopped || isRunning && !matches.isAtEnd;
  const goOn = () => { if (matches.match) matches.match.on = true; app.visit(app.game.at.end()); };
  const controls = html("div", { class: "row" },
    waits ? button("watch-on", t("watchOn"), goOn, { class: "main" }) : null,
    isRunning ? button("watch-stop", t("watchStop"), () => matches.stop()) : null,
    isRunning ? null : button("watch-start", t(isEmpty ? "watchStart" : "newGame"), () => page.begin("watch"), isStopped ? {} : { class: "main" }));
  const form = [
    html("div", { class: "fields" },
      ...["watch-one", "watch-two"].flatMap((id, seat) => [
        ...(app.server.engines.length > 1
          ? select(id, app.side(sideOf(seat)), engines(page), watch.engines[seat], (v) => set({ engines: changed(watch.engines, seat, Number(v)) }))
          : [html("b", { class: "wide" }, app.side(sideOf(seat)))]),
        ...levels(`${id}-level`, watch.levels[seat], (level) => set({ levels: changed(watch.levels, seat, level) }), app.side(sideOf(seat))),
      ]),
      ...timing(page, "watch-time", watch, true, set),
      ...starts(page, "watch-from", watch.start, (start) => set({ start })))];
  const head = html("div", { class: "row head" }, html("h2", {}, t("watch")), controls);
  if (!isRunning && isEmpty) return [html("section", { class: "card" }, head, ...form)];
  return [page.desk(controls, finished(page), course(page, true)),
    html("details", { class: "card", id: "watch-form" }, html("summary", {}, t("newGame")), ...form)];
}
