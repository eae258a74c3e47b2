// Games and positions as text, files, links and pictures.

import { drawing } from "./board.js";
import { gameOf } from "./notation.js";

/** @typedef {import("./app.js").App} App */

/** The whole game as PGN; variations in brackets. @param {App} app */
export function pgnOf(app) {
  const { game } = app;
  const result = { p1win: "1-0", p2win: "0-1", draw: "1/2-1/2" }[game.at.end().facts?.result ?? ""] ?? "*";
  const tags = [
    ["Event", "Totemic board"], ["Site", "?"], ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
    ["Round", "-"], ["White", "?"], ["Black", "?"], ["Result", result], ["Variant", game.name], ["SetUp", "1"], ["FEN", game.fen],
  ];
  const text = `${body(game.root, true)} ${result}`.trim();
  return `${tags.map(([key, value]) => `[${key} "${value}"]`).join("\n")}\n\n${wrap(text)}\n`;
}

/** @param {import("./tree.js").Node} node @param {boolean} number @returns {string} */
function body(node, number) {
  const [main, ...others] = node.children;
  if (!main) return "";
  const count = Math.floor(node.ply / 2) + 1;
  const label = (/** @type {boolean} */ force) => node.ply % 2 === 0 ? `${count}. ` : force ? `${count}... ` : "";
  const variations = others.map((child) => `(${label(true)}${child.move} ${body(child, false)}`.trimEnd() + ")");
  return [label(number) + main.move, ...variations, body(main, variations.length > 0)].filter(Boolean).join(" ");
}

/** @param {string} text */
function wrap(text) {
  return text.replace(/(.{1,78})(?: |$)/g, "$1\n").trimEnd();
}

/**
 * Reads a position, or a position with moves behind it.
 * @param {string} text
 * @returns {{ fen: string, moves: string[] } | null}
 */
export function readPosition(text) {
  const [fen, moves] = text.trim().split(/\s+moves\s+/);
  if (!gameOf(fen) || fen.includes("[")) return null;
  return { fen, moves: moves ? moves.split(/\s+/) : [] };
}

/** The address of this very position, with the moves that led here. @param {App} app */
export function linkOf(app) {
  const parameters = new URLSearchParams({ game: app.game.name, fen: app.game.fen });
  if (app.game.at.ply > 0) parameters.set("moves", app.game.at.moves().join(" "));
  return `${location.origin}${location.pathname}#${parameters}`;
}

/** What a link asks for. @returns {{ fen: string, moves: string[] } | null} */
export function linked() {
  const parameters = new URLSearchParams(location.hash.slice(1));
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

/** @param {import("./board.js").Scene} scene */
export function svgText(scene) {
  return new XMLSerializer().serializeToString(drawing(scene));
}

/** @param {import("./board.js").Scene} scene @param {number} width in pixels @returns {Promise<Blob>} */
export async function png(scene, width = 1200) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svgText(scene)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = width;
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, width);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("no picture")), "image/png"));
}
