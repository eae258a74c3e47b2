// What the page remembers, and who is told when it changes.

import { preferred } from "./strings.js";
import { SHAPES } from "./notation.js";
import { Game } from "./tree.js";

/** @typedef {import("./notation.js").GameName} GameName */
/** @typedef {"play" | "analyse" | "setup" | "review" | "watch" | "rules"} Mode */

/**
 * @typedef {object} Settings
 * @property {string} language
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} clear
 * @property {boolean} motion
 * @property {boolean} words whether moves are shown in words
 * @property {boolean} sound
 * @property {number} lines
 * @property {boolean} arrows
 * @property {boolean} colours
 * @property {boolean} points
 * @property {number} analyst
 * @property {Opponent & Timing} play
 * @property {{ engines: [number, number] } & Timing} watch
 * @property {boolean} known whether this is not the first visit
 */

/**
 * @typedef {object} Opponent
 * @property {number} engine
 * @property {number} level from 0 to 20
 * @property {"p1" | "p2" | "both"} side
 * @property {"standard" | "rows" | "scattered" | "shown"} start
 */

/**
 * @typedef {object} Timing
 * @property {"move" | "clock"} time
 * @property {number} seconds for each move
 * @property {number} minutes
 * @property {number} increment in seconds
 */

const SETTINGS = "totemic-settings";
const STATE = "totemic-game";

/** @returns {Settings} */
function defaults() {
  return {
    language: preferred(), theme: "auto", clear: false, motion: true, words: false, sound: false, lines: 3, arrows: true,
    colours: false, points: false, analyst: 0, known: false,
    play: { engine: 0, level: 5, side: "p1", time: "move", seconds: 1, minutes: 5, increment: 3, start: "standard" },
    watch: { engines: [0, 0], time: "move", seconds: 1, minutes: 1, increment: 1 },
  };
}

/** @param {"localStorage" | "sessionStorage"} storage @param {string} key @returns {any} */
export function stored(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Browsers may forbid storage, as in private windows, and it may be full.
 * @param {"localStorage" | "sessionStorage"} storage @param {string} key @param {unknown} value
 * @returns {boolean} whether it is kept
 */
export function store(storage, key, value) {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @returns {Settings} */
export function loadSettings() {
  const [base, kept] = [defaults(), stored("localStorage", SETTINGS) ?? {}];
  return { ...base, ...kept, play: { ...base.play, ...kept.play }, watch: { ...base.watch, ...kept.watch } };
}

/** @param {Settings} settings */
export function saveSettings(settings) {
  store("localStorage", SETTINGS, settings);
}

/**
 * A game and how it is played.
 * @typedef {{ game: Game, match: import("./match.js").Match | null, flipped: boolean }} Board
 */

/**
 * Games belong to the tab: two tabs do not disturb each other. A new tab goes on with the
 * last game of all, as a phone closes apps by itself.
 * @param {Board} shown @param {Mode} mode @param {Iterable<Board>} aside
 * @returns {boolean} whether they are kept
 */
export function saveGame(shown, mode, aside) {
  const saved = (/** @type {Board} */ board) => ({ ...board, game: board.game.saved() });
  const state = { ...saved(shown), mode, aside: [...aside].map(saved) };
  store("localStorage", STATE, state);
  return store("sessionStorage", STATE, state);
}

/** @returns {Board & { mode: Mode, aside: Board[] }} */
export function loadGame() {
  const kept = stored("sessionStorage", STATE) ?? stored("localStorage", STATE);
  try {
    if (kept) {
      const aside = (kept.aside ?? []).map((/** @type {any} */ board) => ({ ...board, game: Game.restored(board.game) }));
      return { game: Game.restored(kept.game), mode: kept.mode, match: kept.match, flipped: Boolean(kept.flipped), aside };
    }
  } catch {
    // What cannot be read is forgotten.
  }
  return { game: new Game("yoxii", SHAPES.yoxii.start), mode: "play", match: null, flipped: false, aside: [] };
}
