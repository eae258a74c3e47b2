// A game with a friend elsewhere: all of it is in a link, and no server keeps anything.
//
// Each side has a game of its own. A link carries the sender's whole game. It is not signed:
// anybody can change it, so that the player has to agree to some of what it says.
//
// A player may                  when                                 and then
// - move                      it is the player's turn                the next link has the move
// - take back                 the last move is the player's and in   the move is gone
//                             no link yet
// - ask to take back          the last move is the player's and in   the next link asks; the friend
//                             a link                                 agrees, or simply moves
// - resign                    the game goes on                       the next link says so
//
// Compared with the game here, a link (`judge`)                   and then
// - same    says nothing new                                        the game is shown
// - move    has one more move, which is the friend's                it is played
// - back    lacks the move that the player asked to take back       the move is taken back
// - asks    asks to take back the friend's last move                the player may agree
// - ends    says that the friend has resigned                       the player may end the game
// - older   has less of the same                                    it is told
// - other   is anything else: other moves, moves of this side, an   both are shown, and the
//           end of this side, moves after an end                    player may take the link's

import { SHAPES, picture, seatOf, sideOf } from "./notation.js";

/** Links of the second form have a checksum; those of the first stay readable. */
const FORM = "#/game/2?";
/** Letters of a move. */
const LENGTH = { yoxii: 5, hokito: 4 };
const LONGEST_NAME = 40;

/** A number for a new game: 60 bits by chance. @returns {string} */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => (byte % 32).toString(32)).join("");
}

/** @param {Letter} letter */
export function letterOf({ id, name, fen, moves, players: [one, two], ended, asks }) {
  const told = { game: name, one, two, start: fen === SHAPES[name].start ? "" : fen, moves: moves.join(""),
    end: ended ? `${ended.why}-${ended.side}` : "", ask: asks ? "back" : "" };
  const given = new URLSearchParams(Object.entries({ ...told, id }).filter(([, value]) => value));
  return `${FORM}${given}&sum=${sumOf(given)}`;
}

/** A checksum that tells a link that has lost a part: 32 bits, as 7 letters. @param {URLSearchParams} told */
function sumOf(told) {
  let sum = 0x811c9dc5;
  for (const letter of [...told].join()) sum = Math.imul(sum ^ Number(letter.codePointAt(0)), 0x01000193);
  return (sum >>> 0).toString(32).padStart(7, "0");
}

/** Finds a link, whatever mailers have put around and into it. @param {string} text @returns {Letter | "cut" | null} "cut" for a part of one */
export function readLetter(text) {
  const plain = text.includes("#/game/") ? text : text.replace(/%[\da-f]{2}/gi, (code) => /%[2-7]/.test(code) ? decodeURIComponent(code) : code);
  const link = plain.replaceAll("&amp;", "&").replace(/[\s<>"\u00ad\u200b-\u200f\u2060\ufeff]|%(20|0a|0d)/gi, "");
  if (!/#\/game\/[12]\?/.test(link)) return null;
  const [, form, words, sum] = /#\/game\/([12])\?(.*?\bid=[\da-v]{12})(?:&sum=([\da-v]{7}))?/.exec(link) ?? [];
  const told = new URLSearchParams(words);
  if (!words || form === "2" && sum !== sumOf(told)) return "cut";
  const get = (/** @type {string} */ key) => told.get(key) ?? "";
  const [name, id, end] = [/** @type {GameName} */ (get("game")), get("id"), /^resigned-(p[12])$/.exec(get("end"))];
  if (!Object.hasOwn(SHAPES, name)) return null;
  const moves = get("moves").match(new RegExp(`.{1,${LENGTH[name]}}`, "g")) ?? [];
  if (get("moves").length % LENGTH[name]) return "cut";
  const named = (/** @type {string} */ key) => get(key).slice(0, LONGEST_NAME);
  return {
    id, name, fen: get("start") || SHAPES[name].start, moves, players: [named("one"), named("two")],
    ended: end && { why: "resigned", side: /** @type {Side} */ (end[1]) }, asks: get("ask") === "back",
  };
}

/** How many moves two games have in common. @param {string[]} ours @param {string[]} theirs */
export function shared(ours, theirs) {
  const end = ours.findIndex((move, i) => move !== theirs[i]);
  return end < 0 ? ours.length : end;
}

/**
 * What a link means for the game here: see above.
 * @param {Pick<Letter, "fen" | "moves" | "ended" | "asks">} ours whether this side asks to take back its last move, too
 * @param {Letter} theirs @param {0 | 1} mine the seat of this side
 * @returns {"same" | "move" | "back" | "asks" | "ends" | "older" | "other"}
 */
export function judge(ours, theirs, mine) {
  const more = theirs.moves.length - ours.moves.length;
  if (ours.fen !== theirs.fen || shared(ours.moves, theirs.moves) < Math.min(ours.moves.length, theirs.moves.length)) return "other";
  const [by, seat] = [ours.ended?.side, (theirs.moves.length + 1 - seatOf(picture(theirs.name, theirs.fen).side)) % 2];
  // The friend can have made the last move only.
  const isFriends = more === 1 && seat !== mine;
  if (more > 0 && (!isFriends || by)) return "other";
  if (theirs.ended && theirs.ended.side !== (by ?? sideOf(1 - mine))) return "other";
  if (theirs.ended) return !by ? "ends" : more ? "older" : "same";
  if (more < 0) return more === -1 && ours.asks ? "back" : "older";
  // The friend may take back a move that the player has not seen.
  return by ? "older" : !theirs.asks ? more ? "move" : "same" : more || seat === mine ? "same" : "asks";
}
