// A game with a friend elsewhere: all of it is in a link, and no server keeps anything.
//
// Each side has a game of its own. A link carries the whole game of whoever sends it. It is not
// signed: whoever has it can make it say something else, so that what it says may need consent.
//
// A player may                when                                   and then
// - move                      it is the player's turn                the next link has the move
// - take back                 the last move is the player's and in   the move is gone
//                             no link yet
// - ask to take back          the last move is the player's and in   the next link asks; the friend
//                             a link                                 agrees, or simply moves
// - resign                    the game goes on                       the next link says so
//
// Compared with the game here, a link (`judge`)                     and then
// - same    says nothing new                                        the game is shown
// - move    has one more move, which is the friend's                it is played
// - back    lacks the move that the player asked to take back       the move is taken back
// - asks    asks to take back the friend's last move                the player may agree
// - ends    says that the friend has resigned                       the player may end the game
// - older   has less of the same                                    it is told
// - other   is anything else: other moves, moves of this side, an   both are shown, and the
//           end of this side, moves after an end                    player may take the link's

import { SHAPES, picture } from "./notation.js";

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
export function letterOf({ id, name, fen, moves, players: [one, two], ended, asks }) {
  const told = { game: name, one, two, start: fen === SHAPES[name].start ? "" : fen, moves: moves.join(""), end: ended ? `${ended.why}-${ended.side}` : "", ask: asks ? "back" : "" };
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
  const [by, seat] = [ours.ended?.side, (theirs.moves.length + Number(picture(theirs.name, theirs.fen).side === "p1")) % 2];
  // The friend can have made the last move only.
  const isFriends = more === 1 && seat !== mine;
  if (more > 0 && (!isFriends || by)) return "other";
  if (theirs.ended) return by ? by !== theirs.ended.side ? "other" : more ? "older" : "same" : theirs.ended.side === (mine ? "p1" : "p2") ? "ends" : "other";
  if (more < 0) return more === -1 && ours.asks ? "back" : "older";
  // A move that has not been seen here is taken back without a question.
  return by ? "older" : !theirs.asks ? more ? "move" : "same" : more || seat === mine ? "same" : "asks";
}
