// Games and positions as text, files, links and pictures, and the card where they are shared.

import { drawing } from "./drawing.js";
import { letterOf } from "./letterformat.js";
import { gameOf, lostBy } from "./notation.js";
import { button, told } from "./panels.js";
import { playerName, t } from "./strings.js";
import { html, svg } from "./svg.js";

/** @param {Hub} hub @param {Game} game @param {Match | null} match @returns {Promise<string>} */
export async function pgnOf(hub, game, match) {
  const day = new Date(game.date);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  const ended = match?.ended ?? game.ending;
  const players = game.players.map((player, seat) => playerName(player) || (game.you === seat ? t("player") : ""));
  return hub.call({
    ask: "write", game: game.name, fen: game.fen, tree: game.root.twigs(), players, date,
    ended: ended && [!ended.side ? "draw" : lostBy(ended.side), { flag: "time", resigned: "resignation" }[ended.why] ?? ended.why],
  });
}

/** @param {string} text @returns {{ fen: string, moves: string[] } | null} */
export function readPosition(text) {
  const [fen, moves] = text.trim().split(/\s+moves\s+/);
  if (!gameOf(fen) || fen.includes("[")) return null;
  return { fen, moves: moves ? moves.split(/\s+/) : [] };
}

/** A game with a friend goes as a letter, the whole of it; its moves count as sent. @param {App} app */
export function linkOf(app) {
  const { game: { id, name, fen, root, players }, match, room } = app;
  if (match?.mine !== undefined && room === "play") {
    const moves = root.end().moves();
    const ended = /** @type {Letter["ended"]} */ (match.ended);
    const letter = letterOf({ id, name, fen, moves, players: /** @type {[string, string]} */ (players), ended, asks: Boolean(match.asks) });
    [match.sent, app.game.touched] = [moves.length, true];
    app.save();
    return `${location.origin}${location.pathname}${letter}`;
  }
  const parameters = new URLSearchParams({ game: app.game.name, fen: app.game.fen });
  if (app.game.at.ply > 0) parameters.set("moves", app.game.at.moves().join(" "));
  return `${location.origin}${location.pathname}#${parameters}`;
}

/**
 * How a game that was read ended, unless the rules ended it.
 * @param {Pick<ReadGame, "result" | "termination" | "moves">} read @returns {Ending | null}
 */
export function endOf({ result, termination, moves }) {
  const side = /** @type {Record<string, Side>} */ ({ p1win: "p2", p2win: "p1" })[result] ?? null;
  const why = termination === "time" ? "flag" : termination === "resignation" ? "resigned" : termination;
  return result === "none" || termination === "rules" ? null : { why, side, ply: moves.length };
}

/** @param {string} link or a text around it @returns {{ fen: string, moves: string[] } | null} */
export function linked(link) {
  const [, found = ""] = /#((?:game|fen)=[^\s<>"]*)/.exec(link.replaceAll("&amp;", "&")) ?? [];
  // A link ends before the punctuation behind it.
  const parameters = new URLSearchParams(found.replace(/(?:%[\da-f]{2}|[^\da-z])+$/i, ""));
  const fen = parameters.get("fen");
  return fen ? { fen, moves: (parameters.get("moves") ?? "").split(/\s+/).filter(Boolean) } : null;
}

/** @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} name @param {string} text */
export function savePgn(name, text) {
  save(`${name}.pgn`, new Blob([text], { type: "application/x-chess-pgn" }));
}

/** @param {Scene} scene */
export function svgText(scene) {
  return new XMLSerializer().serializeToString(drawing(scene));
}

/** @param {Scene} scene @param {number} width in pixels @returns {Promise<Blob>} */
export async function png(scene, width = 1200) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svgText(scene)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = width;
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, width);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new DOMException("no picture")), "image/png"));
}

/** The notices that stand where games are shared, and not above the board. */
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
    // The clipboard gets a promise, as some browsers refuse to copy after a wait.
    const blob = Promise.resolve(text).then((text) => new Blob([text], { type: "text/plain" }));
    // Without https there is no clipboard; the old way wants a selection.
    if (navigator.clipboard) await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    else copySelected(await text);
    app.dismiss("copy");
    [page.copied, page.uncopied] = [id, ""];
    clearTimeout(page.copiedTimer);
    page.copiedTimer = setTimeout(() => { page.copied = ""; app.changed("all"); }, 2000);
    app.changed("all");
  } catch {
    // The player can copy the text by hand.
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
  const open = (/** @type {any} */ event) => {
    const [file] = event.target.files;
    void file?.text().then((/** @type {string} */ text) => page.load(text, file.name), (/** @type {unknown} */ why) => app.complain("load", why));
  };
  const file = html("input", { id: "file", type: "file", accept: ".pgn,.txt,.jsonl", class: "hidden", "aria-label": t("openFile"), onchange: open });
  const pgn = () => pgnOf(app.hub, app.game, app.match);
  const said = app.notices.filter(({ key }) => IN_SHARE.has(key)).map(({ say }) => say());
  return html("details", { class: "card", id: "share" }, html("summary", {}, t("share")),
    html("div", { class: "row" },
      copier(page, "copy-fen", t("copyFen"), () => app.facts?.fen ?? app.game.fen),
      copier(page, "copy-game", t("copyGame"), pgn),
      copier(page, "copy-link", t("copyLink"), () => linkOf(app)),
      qrButton(page, "qr")),
    isReachable ? null : html("p", { class: "soft" }, t("noQr")),
    page.uncopied ? html("textarea", { id: "by-hand", readonly: true, "aria-label": t("cannotCopy"), value: page.uncopied }) : null,
    matches.match?.mine === undefined ? qrFigure(page, "qrHow") : null,
    html("textarea", { id: "paste", "aria-label": t("paste"), placeholder: t("paste"), spellcheck: false, value: page.pasted,
      oninput: (/** @type {any} */ event) => { page.pasted = event.target.value; } }),
    ...said.map((text) => html("p", { id: "share-said", role: "alert", class: "wrong" }, ...told(text))),
    html("div", { class: "row" },
      button("load", t("load"), () => void page.load(page.pasted)),
      button("open-file", t("openFile"), () => document.getElementById("file")?.click()), file,
      button("save-file", t("saveFile"), () => void pgn().then((text) => savePgn(name(), text), (why) => app.complain("save", why))),
      button("save-svg", t("saveSvg"), () => save(`${name()}.svg`, new Blob([svgText(page.scene)], { type: "image/svg+xml" }))),
      button("save-png", t("savePng"), () => void png(page.scene).then((blob) => save(`${name()}.png`, blob), (why) => app.complain("save", why)))));
}
