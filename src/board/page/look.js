// Shapes and colours of boards and pieces: all of them, and nothing else. Pictures that are saved have to
// stand alone, so these are attributes of the drawing and no style sheet.

/** Side of a square; everything else is in proportion. */
export const CELL = 100;
/** Width of the band with the coordinates. */
export const BAND = 46;
export const PIECE = 39;
export const STACK = { most: 6, step: 5.2, radius: 35 };
export const TARGET = 13;

/** How far the top of a stack lies above the middle of its square. @param {GameName} game @param {number} height */
export function rise(game, height) {
  return game === "hokito" ? ((Math.min(height, STACK.most) - 1) * STACK.step) / 2 : 0;
}

const ARROWS = ["#1d6fd1", "#7a4fc9", "#0d8a8a", "#a8641a", "#6b6b6b"];

/** What a drawing is coloured with. `table` is the ground around the board in a saved picture; pairs are for both sides. */
export const YOXII = {
  light: {
    table: "#f6f1e7", board: "#c99f66", edge: "#8f6a3a", square: "#e6c796", line: "#a97f49",
    label: "#4a3517", piece: ["#fbf5e6", "#c4342d"], rim: ["#b9a888", "#7d1813"],
    mark: ["#2b2826", "#fff3e4"], totem: "#2f7d4c", totemRim: "#17472a", star: "#f7e7a6",
    wood: "#c39a63", woodLine: "#6f4f27", badge: "#2b2826", badgeText: "#ffffff",
    target: "#1d6fd1", chosen: "#f2c230", last: "#fff2a8", refused: "#c4342d", arrows: ARROWS, pattern: false,
  },
  dark: {
    table: "#1c1a18", board: "#6d5231", edge: "#3d2d19", square: "#94724a", line: "#59411f",
    label: "#f1e2c8", piece: ["#f2e8d5", "#c4342d"], rim: ["#a39477", "#65120e"],
    mark: ["#2b2826", "#fff3e4"], totem: "#2f8250", totemRim: "#123a22", star: "#f7e7a6",
    wood: "#d3ab74", woodLine: "#3a2810", badge: "#171513", badgeText: "#ffffff",
    target: "#9fd0ff", chosen: "#ffd24a", last: "#c9a45c", refused: "#ff8a7a", arrows: ["#7db9ff", "#c4a6ff", "#5fd6d6", "#f0b36a", "#cccccc"],
    // A second ring tells player two apart without colour.
    pattern: false,
  },
};

const HOKITO = {
  light: {
    ...YOXII.light,
    board: "#b58a54", edge: "#7a5730", square: "#dcbb88", line: "#98713f",
    piece: ["#2f2b28", "#f8f1e1"], rim: ["#0f0d0c", "#a8977a"], mark: ["#f6ead2", "#2b2826"],
  },
  dark: {
    ...YOXII.dark,
    board: "#66492a", edge: "#362613", square: "#a17c4f",
    piece: ["#24211f", "#f2e8d5"], rim: ["#000000", "#97886b"], mark: ["#f6ead2", "#2b2826"],
  },
};

/** Blue instead of red, and a ring: told apart by any eye, and on paper. No dot is blue beside blue pieces. */
const CLEAR = { piece: ["#fbf5e6", "#1b4f9c"], rim: ["#8c7f66", "#0c2a58"], mark: ["#2b2826", "#ffffff"], target: "#171513" };

/** @param {GameName} game @param {boolean} dark @param {boolean} clear whether colours have to be told apart by any eye @returns {Look} */
export function look(game, dark, clear) {
  const base = (game === "yoxii" ? YOXII : HOKITO)[dark ? "dark" : "light"];
  if (!clear) return base;
  const known = cleared.get(base) ?? { ...base, ...(game === "yoxii" ? CLEAR : {}), pattern: true };
  cleared.set(base, known);
  return known;
}

/** One object for each look, so that looks can be compared. @type {Map<Look, Look>} */
const cleared = new Map();

/** The graph and the bar: the same on light and dark ground. */
export const GRAPH = {
  ground: "#87807a", here: "#d0902a", points: "#3f8f5b", mistake: "#d04a3a", dot: "#ffffff",
  /** Lines of two engines that judge for themselves. @type {[string, string]} */
  players: ["#7a4fc9", "#d07a1a"],
};

export const PLATE = { ground: "#171513", text: "#ffffff" };

/**
 * Strokes of a value's mark, around the middle of the piece, with round caps.
 * @param {GameName} game @param {number} value @returns {string} a path
 */
export function mark(game, value) {
  if (game === "hokito") {
    const xs = [[0], [-8, 8], [-14, 0, 14]][value - 1];
    return xs.map((x) => `M${x} -15V15`).join("");
  }
  return [
    "M0 -16A16 16 0 1 1 0 16A16 16 0 1 1 0 -16Z",
    "M-8 -15V15M8 -15V15",
    "M-14 -16L0 0L14 -16M0 0V17",
    "M-14 -15L14 15M14 -15L-14 15",
  ][value - 1];
}

export const STAR = Array.from({ length: 10 }, (_, i) => {
  const radius = i % 2 === 0 ? 24 : 10;
  const angle = (i * Math.PI) / 5 - Math.PI / 2;
  return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
}).join(" ");

/**
 * Colour of a move by its odds for the mover, from bad to good; readable for
 * colour-blind eyes as from dark orange to blue.
 * @param {number} odds from 0 to 1
 */
export function heat(odds) {
  const stops = [[179, 88, 6], [241, 182, 90], [235, 235, 235], [146, 197, 222], [33, 102, 172]];
  const at = Math.max(0, Math.min(0.9999, odds)) * (stops.length - 1);
  const [low, part] = [Math.floor(at), at % 1];
  const mixed = stops[low].map((c, i) => Math.round(c + (stops[low + 1][i] - c) * part));
  return `rgb(${mixed.join(",")})`;
}
