// What the page remembers.

import { SHAPES } from "./notation.js";
import { Game } from "./tree.js";

/** The room of each mode, which keeps its games. Modes without one show the game that was shown before. @type {Partial<Record<ModeName, Room>>} */
export const ROOMS = { play: "play", learn: "learn", watch: "watch", analyse: "study", review: "study" };

const SETTINGS = "totemic-settings";
const STATE = "totemic-game";
/** Each game of the list has a key of its own: no tab overwrites what another one keeps. */
const GAMES = "totemic-games/";

/** The level of a first game, which the terminal proposes as well. */
export const FIRST_LEVEL = 3;

export function defaults() {
  return {
    theme: /** @type {"auto" | "light" | "dark"} */ ("auto"), clear: false, motion: true, words: false, sound: false,
    lines: 3, arrows: true, colours: false, points: false, analyst: 0,
    // Whether this is not the first visit.
    known: false,
    play: /** @type {Opponent & Timing} */ ({
      engine: 0, level: FIRST_LEVEL, side: "p1", two: false, names: ["", ""], turns: false,
      time: "move", seconds: 1, minutes: 5, increment: 3, own: false, start: "standard",
    }),
    watch: /** @type {{ engines: [number, number], start: Opponent["start"] } & Pick<Match, "levels"> & Timing} */ ({
      engines: [0, 0], levels: [20, 20], time: "move", seconds: 1, minutes: 1, increment: 1, own: false, start: "standard",
    }),
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

/** Whether what is stored goes when the page is closed. */
export function isForbidden() {
  try {
    return !window.localStorage;
  } catch {
    return true;
  }
}

/** @returns {Settings} */
export function loadSettings() {
  const [base, kept] = [defaults(), stored("localStorage", SETTINGS) ?? {}];
  // A new player reads moves in words at first.
  const settings = { ...base, words: !kept.known, ...kept, play: { ...base.play, ...kept.play }, watch: { ...base.watch, ...kept.watch } };
  // Older versions of the page stored these.
  if (settings.play.side === "both") Object.assign(settings.play, { side: "p1", two: true });
  if (settings.play.start === "shown") settings.play.start = "standard";
  return settings;
}

/** @param {Settings} settings */
export function saveSettings(settings) {
  store("localStorage", SETTINGS, settings);
}

/**
 * Games belong to the tab: two tabs do not disturb each other. A new tab goes on with the last game of all, as a
 * phone closes apps by itself.
 * @param {Board} shown @param {ModeName} mode @param {Iterable<Board>} aside @returns {boolean} whether they are kept
 */
export function saveGame(shown, mode, aside) {
  const saved = (/** @type {Board} */ board) => ({ ...board, game: board.game.saved() });
  const state = { ...saved(shown), mode, aside: [...aside].map(saved) };
  store("localStorage", STATE, state);
  return store("sessionStorage", STATE, state);
}

/** @returns {Board & { mode: ModeName, aside: Board[] }} */
export function loadGame() {
  const kept = stored("sessionStorage", STATE) ?? stored("localStorage", STATE);
  // Older versions stored no room: there, the match says where its game belongs.
  const restored = (/** @type {any} */ { room, game, match, flipped }) => ({
    room: room ?? match?.kind ?? "study", game: Game.restored(game), flipped: Boolean(flipped),
    match: match && { levels: [match.level, match.level], ...match },
  });
  try {
    if (kept) return { ...restored(kept), mode: kept.mode, aside: (kept.aside ?? []).map(restored) };
  } catch {
    // The page begins anew if it cannot read what is stored.
  }
  return { room: "play", game: new Game("yoxii", SHAPES.yoxii.start), mode: "play", match: null, flipped: false, aside: [] };
}

/** @param {Kept} kept @returns {boolean} whether there was room for it */
export function keepGame(kept) {
  return store("localStorage", GAMES + kept.id, kept);
}

/** @param {string} id @returns {Kept | null} */
export function keptGame(id) {
  return stored("localStorage", GAMES + id);
}

/**
 * A game that was played, as it was studied: what was played is the main line, what was added to it before stands beside it.
 * @param {Game} played @param {any} [study] as it is kept @returns {Game}
 */
export function studied(played, study = keptGame(played.id)?.study) {
  const game = Game.restored(study ?? played.saved());
  game.follow(played);
  return game;
}

/** @returns {Kept[]} the newest first */
export function keptGames() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(GAMES));
    const games = keys.flatMap((key) => keptGame(key.slice(GAMES.length)) ?? []);
    return games.filter(({ name }) => name in SHAPES).sort((a, b) => b.date - a.date);
  } catch {
    return [];
  }
}

/** @param {string} id */
export function dropGame(id) {
  localStorage.removeItem(GAMES + id);
}
