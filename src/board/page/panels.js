// What stands beside the board, one function a card.

import { endOf, linkOf, pgnOf, png, save, savePgn, svgText } from "./files.js";
import { smallPiece } from "./pieces.js";
import { GRAPH } from "./look.js";
import { picture } from "./notation.js";
import { FIRST_LEVEL } from "./store.js";
import { LANGUAGES, language, reason, t, thousands } from "./strings.js";
import { html, svg } from "./svg.js";
import { brief, forFirst, inWords, isProved, odds, percent, verdict } from "./values.js";
import { numberOf } from "./tree.js";

/** The most games that are listed. */
const SHEETS = 200;

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

/** What can be done in a game; what cannot be done for long is left out. @param {Page} page */
export function playing(page) {
  const { app, matches } = page;
  const { going } = matches;
  const [hasBack, hasHint] = [matches.canTakeBack, matches.match?.mine === undefined && (going || app.yours)];
  if (!hasBack && !hasHint && !going) return null;
  return html("div", { class: "row" },
    hasBack ? button("takeback", t(matches.isSent ? "askBack" : "takeback"), () => matches.takeback(), {
      "aria-pressed": matches.isSent ? String(Boolean(matches.match?.asks)) : undefined,
    }) : null,
    hasHint ? button("hint", t("hint"), () => page.hint(), {
      disabled: !app.yours, "aria-busy": matches.hinting === app.game.at ? "true" : undefined,
    }) : null,
    going ? button("resign", t(page.asksToResign ? "resignSure" : "resign"), () => page.resign()) : null);
}

/** @param {Page} page @param {string} [place] tells the buttons of two places apart */
export function finished(page, place = "") {
  const { app, matches, review } = page;
  // What the result offers is not offered twice.
  if (!matches.over || !place && page.finale.isOpen) return null;
  const look = () => {
    page.turnTo("review", true);
    if (!review.running) void review.start();
  };
  const [isPlay, isFar] = [matches.match?.kind === "play", matches.match?.mine !== undefined];
  const offered = matches.offered();
  return html("div", { class: "row" },
    button(`${place}to-review`, t("startReview"), look, { disabled: app.game.line().length < 2, class: place ? "main" : "" }),
    isPlay && offered !== null ? button(`${place}offer`, t("offerLevel", { level: offered }), () => matches.again(false, offered)) : null,
    isPlay && !isFar ? button(`${place}again`, t("again"), () => matches.again(), { class: place ? "" : "main" }) : null,
    isPlay && !isFar ? button(`${place}swap`, t("swapSides"), () => matches.again(true)) : null);
}

/** Lets a move that was typed wrong be mended; the field may be another one by now. @param {string} text */
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
  return html("form", { class: app.yours ? "typed yours" : "typed", onsubmit: submit },
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
        svg("path", { d: "M6 17V4M2.5 7.5L6 4L9.5 7.5M14 3V16M10.5 12.5L14 16L17.5 12.5", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }))),
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
  // Whoever is asked for a better move must not read it here, now or later.
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

/** @param {Page} page */
export function engine(page) {
  const { analysis, app: { isSealed } } = page;
  return html("div", { class: "engine" },
    isSealed ? html("p", { class: "soft" }, t("letterSealed")) : button("analysis", t(analysis.on ? "engineOn" : "engineOff"), () => analysis.toggle(), { class: analysis.on ? "main" : "" }),
    html("div", { id: "lines-live" }));
}

/** @param {Page} page @param {VNode | null} [more] */
export function analysing(page, more = null) {
  const { app, analysis } = page;
  const { settings: set, game: { at } } = app;
  const offMain = at.path().some((node) => node.parent && node.parent.children[0] !== node);
  return card(t("analyse"),
    ...graphOptions(page,
      toggle("arrows", t("arrows"), set.arrows, () => app.set({ arrows: !set.arrows })),
      toggle("colours", t("colours"), set.colours, () => { app.set({ colours: !set.colours }); analysis.look(); })),
    set.colours ? html("p", { class: "soft" }, t("coloursHow")) : null,
    html("div", { class: "fields" },
      ...select("lines", t("lines"), [1, 2, 3, 5, 8].map((n) => [n, String(n)]), set.lines, (v) => { app.set({ lines: Number(v) }); analysis.look(); }),
      ...(app.server.engines.length > 1 ? select("analyst", t("engine"), engines(page), set.analyst, (v) => { app.set({ analyst: Number(v) }); analysis.look(); }) : [])),
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
  const [own, other] = [app.side(mover), app.side(mover === "p1" ? "p2" : "p1")];
  if (info.mate !== null) return t(info.bound ? "provedWins" : "proved", { side: info.mate > 0 ? own : other, n: Math.abs(info.mate) });
  if (isProved(info)) return t("drawn");
  return verdict(forFirst(odds(app.game.name, info), mover), app.side("p1"), app.side("p2"));
}

/** The side that the verdict speaks of, and whether it is to move. @param {Page} page @param {Info} info */
function better({ app }, info) {
  const [side, isMover] = [app.facts?.side ?? "p1", odds(app.game.name, info) >= 0.5];
  return { side: app.side(isMover ? side : side === "p1" ? "p2" : "p1"), isMover };
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

/** The moves, and beside them the graph of the odds through the game. @param {Page} page @param {boolean} [hasPlayers] whether two engines judge for themselves */
export function course(page, hasPlayers = false) {
  const moves = moveList(page);
  return moves && html("div", { class: "course" }, moves, html("div", {}, html("div", { id: "graph-live" }), hasPlayers ? legend(page) : null));
}

/** @param {Page} page */
function legend(page) {
  const { app } = page;
  return html("div", { class: "row soft" }, ...GRAPH.players.map((fill, seat) => html("span", {},
    svg("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 5, fill })),
    ` ${app.side(seat ? "p2" : "p1")} ${page.matches.name(/** @type {0 | 1} */ (seat))}`)));
}

/** @param {Page} page @param {(VNode | null)[]} others beside it */
export function graphOptions({ app }, ...others) {
  const { points } = app.settings;
  return [html("div", { class: "row" }, ...others, toggle("points", t("pointsToo"), points, () => app.set({ points: !points }))),
    points ? html("p", { class: "soft" }, t("pointsHow", { side: app.side("p1") })) : null];
}

/** @param {Page} page @param {string} title @param {any[]} games @param {boolean} [isLastFirst] */
export function gameList(page, title, games, isLastFirst = false) {
  const { app } = page;
  const results = /** @type {Record<string, string>} */ ({ p1win: "1–0", p2win: "0–1", draw: "½–½", none: "*" });
  const first = isLastFirst ? Math.max(0, games.length - SHEETS) : 0;
  const entry = (/** @type {any} */ game, /** @type {number} */ at) => {
    const [id, number] = [`sheet-${first + at}`, `${first + at + 1}.`];
    if (game.why) return button(id, `${number} ${reason(game.reason)}`, () => {}, { disabled: true });
    const [one, two] = /** @type {const} */ (["p1", "p2"]).map((side, seat) => game.players[seat] ? { who: game.players[seat], named: true } : { who: app.side(side, game.game) });
    const ended = page.toldEnd(endOf(game), (side) => side === "p1" ? one : two);
    return button(id, `${number} ${one.who} – ${two.who} ${results[game.result]}${ended && ` · ${ended}`}`, () => void page.take(game));
  };
  const list = games.slice(first, first + SHEETS).map(entry);
  return card(title, list.length > 0 ? html("div", { class: "moves sheets" }, ...isLastFirst ? list.reverse() : list) : html("p", { class: "soft" }, t("journalNone")));
}

/** @param {string} text */
export function told(text) {
  const [head, ...details] = text.split("\n");
  return [head, ...details.map((line) => html("small", {}, line))];
}

/** What is told where games are shared, and not above everything else. */
export const IN_SHARE = new Set(["load", "copy", "save", "qr"]);

/** Whether other devices can open the address of this page. */
export const isReachable = !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** @param {{ size: number, path: string }} code */
function qrCode({ size, path }) {
  const whole = size + 8;
  return svg("svg", { viewBox: `-4 -4 ${whole} ${whole}`, role: "img", "aria-label": t("qr"), "shape-rendering": "crispEdges" },
    svg("rect", { x: -4, y: -4, width: whole, height: whole, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}

/** @param {string} text */
function copySelected(text) {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("nothing is copied");
}

/** @param {Page} page @param {string} id of the button @param {string | Promise<string>} text */
async function copy(page, id, text) {
  const { app } = page;
  try {
    // A promise is handed over, as some browsers let nobody copy after a wait.
    const blob = Promise.resolve(text).then((text) => new Blob([text], { type: "text/plain" }));
    // Without https there is no clipboard; the old way wants a selection.
    if (navigator.clipboard) await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    else copySelected(await text);
    app.dismiss("copy");
    [page.copied, page.uncopied] = [id, ""];
    setTimeout(() => { page.copied = ""; app.changed("all"); }, 2000);
    app.changed("all");
  } catch {
    // Whoever still has the text can copy it.
    page.uncopied = await text;
    app.notify("copy", () => t("cannotCopy"));
    const field = document.getElementById("by-hand");
    if (field instanceof HTMLTextAreaElement) field.select();
  }
}

/** @param {Page} page @param {string} id @param {string} label @param {() => string | Promise<string>} text @param {Record<string, any>} [more] */
export function copier(page, id, label, text, more) {
  return button(id, page.copied === id ? t("copied") : label, () => void copy(page, id, text()).catch((why) => page.app.complain("copy", why)), more);
}

/** @param {Page} page @param {string} id */
export function qrButton(page, id) {
  return isReachable ? button(id, t("qr"), () => void page.showQr(), { "aria-pressed": String(page.qr !== null) }) : null;
}

/** @param {Page} page @param {"qrHow" | "qrFriend"} how who scans it */
export function qrFigure({ qr }, how) {
  return qr ? html("figure", { class: "qr" }, qrCode(qr), html("figcaption", {}, t(how))) : null;
}

/** @param {Page} page */
export function sharing(page) {
  const { app, matches } = page;
  const name = () => `${app.game.name}-${new Date().toISOString().slice(0, 10)}`;
  const file = html("input", { id: "file", type: "file", accept: ".pgn,.txt,.jsonl", class: "hidden", "aria-label": t("openFile"), onchange: (/** @type {any} */ event) => {
    const [file] = event.target.files;
    void file?.text().then((/** @type {string} */ text) => page.load(text, file.name), (/** @type {unknown} */ why) => app.complain("load", why));
  } });
  const said = app.notices.filter(({ key }) => IN_SHARE.has(key)).map(({ say }) => say());
  return html("details", { class: "card", id: "share" }, html("summary", {}, t("share")),
    html("div", { class: "row" },
      copier(page, "copy-fen", t("copyFen"), () => app.facts?.fen ?? app.game.fen),
      copier(page, "copy-game", t("copyGame"), () => pgnOf(app.hub, app.game, app.kept)),
      copier(page, "copy-link", t("copyLink"), () => linkOf(app)),
      qrButton(page, "qr")),
    isReachable ? null : html("p", { class: "soft" }, t("noQr")),
    page.uncopied ? html("textarea", { id: "by-hand", readonly: true, "aria-label": t("cannotCopy"), value: page.uncopied }) : null,
    matches.match?.mine === undefined ? qrFigure(page, "qrHow") : null,
    html("textarea", { id: "paste", "aria-label": t("paste"), placeholder: t("paste"), spellcheck: false, value: page.pasted, oninput: (/** @type {any} */ event) => { page.pasted = event.target.value; } }),
    ...said.map((text) => html("p", { id: "share-said", role: "alert", class: "wrong" }, ...told(text))),
    html("div", { class: "row" },
      button("load", t("load"), () => void page.load(page.pasted)),
      button("open-file", t("openFile"), () => document.getElementById("file")?.click()), file,
      button("save-file", t("saveFile"), () => void pgnOf(app.hub, app.game, app.kept).then((text) => savePgn(name(), text), (why) => app.complain("save", why))),
      button("save-svg", t("saveSvg"), () => save(`${name()}.svg`, new Blob([svgText(page.scene)], { type: "image/svg+xml" }))),
      button("save-png", t("savePng"), () => void png(page.scene).then((blob) => save(`${name()}.png`, blob), (why) => app.complain("save", why)))));
}

/** @param {Page} page */
export function settings(page) {
  const { app } = page;
  const set = app.settings;
  return html("details", { class: "card", id: "settings" }, html("summary", {}, t("settings")),
    html("div", { class: "fields" },
      ...select("language", t("language"), Object.entries(LANGUAGES), language, (v) => void app.speak(v)),
      ...select("theme", t("theme"), [["auto", t("auto")], ["light", t("light")], ["dark", t("dark")]], set.theme, (v) => app.set({ theme: /** @type {any} */ (v) }))),
    html("div", { class: "row" },
      toggle("clear", t("clear"), set.clear, () => app.set({ clear: !set.clear })),
      toggle("motion", t("motion"), set.motion, () => app.set({ motion: !set.motion })),
      toggle("words", t("words"), set.words, () => app.set({ words: !set.words })),
      toggle("sound", t("sound"), set.sound, () => app.set({ sound: !set.sound }))),
    html("p", { class: "soft" }, html("b", {}, `${t("keys")} `), t("keysText")));
}

/** @param {Page} page */
export function welcome(page) {
  const { app, matches } = page;
  const gentle = (/** @type {GameName} */ game) => {
    app.set({ known: true, play: { ...app.settings.play, level: FIRST_LEVEL, side: "p1", two: false, far: false, time: "move", seconds: 1, start: game === "hokito" ? "rows" : "standard" } });
    void matches.play(game, app.settings.play);
  };
  return card(t("welcome"), html("p", { class: "soft" }, t("welcomeText")),
    html("div", { class: "row", id: "welcome" },
      button("gentle-yoxii", t("gentle", { game: t("yoxii") }), () => gentle("yoxii"), { class: "main" }),
      button("gentle-hokito", t("gentle", { game: t("hokito") }), () => gentle("hokito"), { class: "main" }),
      button("learn-first", t("learnFirst"), () => { app.set({ known: true }); page.turnTo("learn"); }),
      button("later", t("later"), () => app.set({ known: true }))));
}

