// A game with a friend elsewhere: all of it is in a link, and no server keeps anything.

import { SHAPES } from "./notation.js";

/** Links of this form stay readable; a form that says more gets another number. */
const FORM = "#/game/1?";
/** Letters of a move. */
const LENGTH = { yoxii: 5, hokito: 4 };
const LONGEST_NAME = 40;

/** A number for a new game: 60 bits by chance. @returns {string} */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 32).toString(32)).join("");
}

/** @param {Letter} letter */
export function letterOf({ id, name, fen, moves, players: [one, two], ended }) {
  const told = { game: name, one, two, start: fen === SHAPES[name].start ? "" : fen, moves: moves.join(""), end: ended ? `${ended.why}-${ended.side}` : "" };
  // What ends a link must be no mark that a mail takes for its own.
  const given = Object.entries({ ...told, id }).filter(([, value]) => value);
  return FORM + new URLSearchParams(given);
}

/** @param {string} text @returns {Letter | null} null if it holds no game */
export function readLetter(text) {
  const at = text.indexOf(FORM);
  if (at < 0) return null;
  const told = new URLSearchParams(text.slice(at + FORM.length).trim());
  const get = (/** @type {string} */ key) => told.get(key) ?? "";
  const [name, id, end] = [/** @type {GameName} */ (get("game")), get("id"), /^resigned-(p[12])$/.exec(get("end"))];
  if (!Object.hasOwn(SHAPES, name) || !/^[\da-v]{12}$/.test(id)) return null;
  const moves = get("moves").match(new RegExp(`.{1,${LENGTH[name]}}`, "g")) ?? [];
  const named = (/** @type {string} */ key) => get(key).slice(0, LONGEST_NAME);
  return {
    id, name, fen: get("start") || SHAPES[name].start, moves, players: [named("one"), named("two")],
    ended: end && { why: "resigned", side: /** @type {Side} */ (end[1]) },
  };
}

/**
 * @param {string[]} ours @param {string[]} theirs @returns {"same" | "newer" | "older" | "other"}
 */
export function compare(ours, theirs) {
  const shared = Math.min(ours.length, theirs.length);
  if (ours.slice(0, shared).join() !== theirs.slice(0, shared).join()) return "other";
  return ours.length === theirs.length ? "same" : ours.length < theirs.length ? "newer" : "older";
}
