// Games and positions as text, files, links and pictures.

import { drawing } from "./board.js";
import { letterOf } from "./friend.js";
import { gameOf } from "./notation.js";
import { playerName, t } from "./strings.js";

/**
 * @param {Hub} hub @param {Game} game @param {Match | null} kept
 * @returns {Promise<string>}
 */
export async function pgnOf(hub, game, kept) {
  const day = new Date(game.date);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
  const ended = kept?.ended ?? game.ending;
  const players = game.players.map((player, seat) => playerName(player) || (game.you === seat ? t("player") : ""));
  return hub.call({
    ask: "write", game: game.name, fen: game.fen, tree: game.root.twigs(), players, date,
    ended: ended && [!ended.side ? "draw" : ended.side === "p1" ? "p2win" : "p1win", { flag: "time", resigned: "resignation" }[ended.why] ?? ended.why],
  });
}

/**
 * @param {string} text
 * @returns {{ fen: string, moves: string[] } | null}
 */
export function readPosition(text) {
  const [fen, moves] = text.trim().split(/\s+moves\s+/);
  if (!gameOf(fen) || fen.includes("[")) return null;
  return { fen, moves: moves ? moves.split(/\s+/) : [] };
}

/** A game with a friend goes as a letter: the whole of it, wherever we look. What it says counts as sent. @param {App} app */
export function linkOf(app) {
  const { game: { id, name, fen, root, players }, kept, room } = app;
  if (kept?.mine !== undefined && room === "play") {
    const moves = root.end().moves();
    const letter = letterOf({ id, name, fen, moves, players: /** @type {[string, string]} */ (players), ended: /** @type {any} */ (kept.ended), asks: Boolean(kept.asks) });
    [kept.sent, app.game.touched] = [moves.length, true];
    app.save();
    return `${location.origin}${location.pathname}${letter}`;
  }
  const parameters = new URLSearchParams({ game: app.game.name, fen: app.game.fen });
  if (app.game.at.ply > 0) parameters.set("moves", app.game.at.moves().join(" "));
  return `${location.origin}${location.pathname}#${parameters}`;
}

/** How a game that was read ended, unless the rules ended it. @param {any} read @returns {Ending | null} */
export function endOf({ result, termination, moves }) {
  const side = /** @type {Record<string, Side>} */ ({ p1win: "p2", p2win: "p1" })[result] ?? null;
  const why = termination === "time" ? "flag" : termination === "resignation" ? "resigned" : termination;
  return result === "none" || termination === "rules" ? null : { why, side, ply: moves.length };
}

/** @param {string} link or a text around it @returns {{ fen: string, moves: string[] } | null} */
export function linked(link) {
  const [, found = ""] = /#((?:game|fen)=[^\s<>"]*)/.exec(link.replaceAll("&amp;", "&")) ?? [];
  // What a text has put behind it is no part of it.
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
