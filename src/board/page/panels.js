// What the cards beside the board are made of, and the cards that several modes have.

import { smallPiece } from "./pieces.js";
import { picture } from "./notation.js";
import { LANGUAGES, language, t } from "./strings.js";
import { html, svg } from "./svg.js";
import { numberOf } from "./tree.js";

/** @param {string} title @param {Child[]} children */
export function card(title, ...children) {
  return html("section", { class: "card", key: title }, html("h2", {}, title), ...children);
}

/** @param {string} id @param {string} label @param {() => void} act @param {Record<string, any>} [more] */
export function button(id, label, act, more = {}) {
  return html("button", { id, onclick: act, ...more }, label);
}

/**
 * @param {string} id @param {string} label @param {[string | number, string][]} choices @param {string | number} value
 * @param {(value: string) => void} act
 */
export function select(id, label, choices, value, act) {
  return [
    html("label", { for: id }, label),
    html("select", { id, value: String(value), onchange: (/** @type {any} */ event) => act(event.target.value) },
      ...choices.map(([key, text]) => html("option", { value: key }, text))),
  ];
}

/** @param {string} id @param {string} label @param {boolean} on @param {() => void} act */
export function toggle(id, label, on, act) {
  return button(id, label, act, { "aria-pressed": String(on) });
}

/** @param {Page} page @returns {[number, string][]} */
export function engines(page) {
  return page.app.server.engines.map((name, i) => [i, name]);
}

/** Puts a wrong move back into its field, which may have been drawn anew, for the player to mend. @param {string} text */
export function retype(text) {
  const field = document.getElementById("typed");
  if (field instanceof HTMLInputElement && !field.value) field.value = text;
}

/** @param {Page} page */
export function typing(page) {
  const { app } = page;
  const example = app.facts?.moves[0];
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const input = event.target.elements.typed;
    const text = input.value;
    input.value = "";
    void page.typed(text).then((done) => { if (!done) retype(text); });
  };
  return html("form", { class: app.isYourTurn ? "typed yours" : "typed", onsubmit: submit },
    html("input", {
      id: "typed", name: "typed", type: "text", autocomplete: "off", spellcheck: false,
      "aria-label": t("typed"), placeholder: example ? t("typedHow", { move: example }) : t("typed"),
    }),
    html("button", { id: "typed-go" }, t("go")));
}

/** @param {Page} page */
export function steps(page) {
  const { app } = page;
  const line = app.game.line();
  const ends = { back: app.game.at === line[0], forward: app.game.at === line[line.length - 1] };
  const icon = (/** @type {string} */ path) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" },
    svg("path", { d: path, fill: "currentColor", stroke: "currentColor", "stroke-width": 2, "stroke-linejoin": "round" }));
  const step = (/** @type {string} */ id, /** @type {string} */ path, /** @type {number} */ by) => html("button", {
    id, "aria-label": t(id), title: t(id), class: "step", disabled: by < 0 ? ends.back : ends.forward, onclick: () => page.step(by),
  }, icon(path));
  return [
    ...line.length < 2 ? [] : [step("first", "M14 4L5 10L14 16ZM4 4V16", -999), step("back", "M14 4L5 10L14 16Z", -1),
    step("forward", "M6 4L15 10L6 16Z", 1), step("last", "M6 4L15 10L6 16ZM16 4V16", 999)],
    html("button", { id: "flip", class: "step", "aria-label": t("flip"), title: t("flip"), onclick: () => page.flip() },
      svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" },
        svg("path", { d: "M6 17V4M2.5 7.5L6 4L9.5 7.5M14 3V16M10.5 12.5L14 16L17.5 12.5",
          fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }))),
  ];
}

/** @param {Page} page @param {Facts} facts of the last position */
export function ending(page, facts) {
  const { app } = page;
  const { name } = app.game;
  const { pieces } = picture(name, facts.fen);
  const counted = (/** @type {{ square: string, points: number }} */ it) => {
    const piece = pieces.get(it.square);
    return html("span", { class: "counted" },
      piece ? smallPiece(name, piece, page.look) : null, `${it.square} ${it.points}`);
  };
  const sides = /** @type {const} */ (["p1", "p2"]).map((side, seat) => html("div", { class: "row" },
    html("b", {}, `${app.side(side)} ${facts.score[seat]}`),
    ...(facts.counted[seat].length > 0 ? facts.counted[seat].map(counted) : [t("nothing")])));
  return card(t("howEnded"), html("p", { class: "soft" }, t(`rule.${name}`)), ...sides);
}

/** @param {Page} page */
export function moveList(page) {
  const { app, review } = page;
  const { root } = app.game;
  if (root.children.length === 0) return null;
  const { at } = page.mode;
  const number = (/** @type {GameNode} */ node) => html("span", { class: "number" }, numberOf(node));
  const move = (/** @type {GameNode} */ node) => {
    const [grade, words] = [node.review?.mark ?? "", app.spell(node.move ?? "", true)];
    return html("button", {
      id: `move-${node.moves().join("-")}`, class: grade, "aria-current": String(node === at), onclick: () => app.visit(node),
      title: grade ? t(`judged.${grade}`, { move: words }) : words,
    }, app.spell(node.move ?? ""));
  };
  const gap = () => html("span", { class: "soft" }, "…");
  /** @param {GameNode} first @returns {VNode} */
  const variation = (first) => {
    const list = [];
    let isNumbered = false;
    for (let node = first; node; node = node.children[0]) {
      const others = node === first ? [] : siblings(node);
      list.push(!isNumbered || node.ply % 2 ? number(node) : null, move(node), ...others.map(variation));
      isNumbered = others.length === 0;
    }
    return html("div", { class: "variation" }, ...list);
  };
  // A player who is asked for a better move must not read it here, now or later.
  const toCome = new Set(review.questions.slice(review.question + 1).map(({ parent }) => parent));
  const siblings = (/** @type {GameNode} */ node) => review.asking || toCome.has(node.parent) ? [] : node.parent?.children.slice(1) ?? [];
  const list = [];
  for (let node = root.children[0]; node; node = node.children[0]) {
    const others = siblings(node);
    if (node.ply % 2) list.push(number(node));
    else if (siblings(node.parent ?? node).length > 0) list.push(number(node.parent ?? node), gap());
    list.push(move(node), others.length > 0 && node.ply % 2 && node.children[0] ? gap() : null, ...others.map(variation));
  }
  return html("div", { class: "moves", id: "moves", role: "group", "aria-label": t("moves"), ref: page.watchList }, ...list);
}

/** @param {string} text */
export function told(text) {
  const [head, ...details] = text.split("\n");
  return [head, ...details.map((line) => html("small", {}, line))];
}

/** @param {Page} page */
export function settings(page) {
  const { app } = page;
  const set = app.settings;
  return html("details", { class: "card", id: "settings" }, html("summary", {}, t("settings")),
    html("div", { class: "fields" },
      ...select("language", t("language"), Object.entries(LANGUAGES), language, (v) => void app.speak(v)),
      ...select("theme", t("theme"), [["auto", t("auto")], ["light", t("light")], ["dark", t("dark")]], set.theme,
        (v) => app.set({ theme: /** @type {any} */ (v) }))),
    html("div", { class: "row" },
      toggle("clear", t("clear"), set.clear, () => app.set({ clear: !set.clear })),
      toggle("motion", t("motion"), set.motion, () => app.set({ motion: !set.motion })),
      toggle("words", t("words"), set.words, () => app.set({ words: !set.words })),
      toggle("sound", t("sound"), set.sound, () => app.set({ sound: !set.sound }))),
    html("p", { class: "soft" }, html("b", {}, `${t("keys")} `), t("keysText")));
}
