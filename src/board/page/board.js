// The board as a drawing with squares that can be pressed.

import { BAND, CELL, PIECE, PLATE, STACK, STAR, TARGET, heat, mark } from "./look.js";
import { SHAPES, parts, picture, place } from "./notation.js";
import { svg } from "./svg.js";

/** @typedef {import("./notation.js").GameName} GameName */
/** @typedef {import("./notation.js").Piece} Piece */
/** @typedef {import("./look.js").Look} Look */

/**
 * @typedef {object} Arrow
 * @property {string} from
 * @property {string} to
 * @property {string} [text]
 * @property {number} [rank] 0 is the best
 * @property {{ square: string, value: number, side: import("./notation.js").Side }} [piece] to be placed
 */

/**
 * @typedef {object} Scene
 * @property {GameName} game
 * @property {string} fen
 * @property {Look} look
 * @property {boolean} flipped whether the second side sits below
 * @property {string} [last] the move that led here
 * @property {string} [lastFrom] where the totem stood before
 * @property {string[]} [route] squares of a route to be drawn
 * @property {string[]} [lastRoute] squares that the last move passed
 * @property {string[]} [targets] squares that may be pressed next
 * @property {string[]} [reach] squares where what is pointed at could go
 * @property {{ square: string, text: string }} [tip] what is said of the square that is pointed at
 * @property {import("./engine.js").Counted[]} [counted] squares that give points
 * @property {string} [chosen]
 * @property {Map<string, number>} [heats] odds of the best move to a square
 * @property {Arrow[]} [arrows]
 */

/** Whether the last rank is drawn below. @param {GameName} game @param {boolean} flipped whether the second side sits below */
export function isTurned(game, flipped) {
  return flipped !== Boolean(SHAPES[game].firstAbove);
}

/** @param {GameName} game @param {string} square @param {boolean} flipped @returns {[number, number]} its middle */
export function middle(game, square, flipped) {
  const shape = SHAPES[game];
  const [column, row] = place(square);
  const turned = isTurned(game, flipped);
  const x = turned ? shape.files - 1 - column : column;
  const y = turned ? row : shape.ranks - 1 - row;
  return [BAND + (x + 0.5) * CELL, BAND + (y + 0.5) * CELL];
}

/** @param {GameName} game */
export function size(game) {
  return 2 * BAND + SHAPES[game].files * CELL;
}

/** @param {Scene} scene @returns {SVGElement[]} everything but the squares that are pressed */
export function layers(scene) {
  const { game, look, flipped } = scene;
  const at = (/** @type {string} */ square) => middle(game, square, flipped);
  return [
    ground(game, look, flipped),
    marks(scene, at),
    pieces(scene, at),
    dots(scene, at),
    arrowLayer(scene, at),
    tipLayer(scene, at),
  ];
}

/** @param {GameName} game @param {Look} look @param {boolean} flipped */
function ground(game, look, flipped) {
  const shape = SHAPES[game];
  const whole = size(game);
  const [low, high] = [10, whole - 10];
  const cut = game === "yoxii" ? BAND + 1.55 * CELL : 26;
  const corners = [
    [cut, low], [whole - cut, low], [high, cut], [high, whole - cut],
    [whole - cut, high], [cut, high], [low, whole - cut], [low, cut],
  ];
  const layer = svg("g", {}, svg("polygon", {
    points: corners.join(" "), fill: look.board, stroke: look.edge, "stroke-width": 6, "stroke-linejoin": "round",
  }));
  for (const square of shape.squares) {
    const [x, y] = middle(game, square, flipped);
    layer.append(svg("rect", {
      x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6, rx: 12,
      fill: look.square, stroke: look.line, "stroke-width": 2,
    }));
  }
  layer.append(...labels(game, look, flipped));
  return layer;
}

/** @param {GameName} game @param {Look} look @param {boolean} flipped */
function labels(game, look, flipped) {
  const shape = SHAPES[game];
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ letter) => svg("text", {
    x, y, fill: look.label, "font-size": 22, "font-family": "system-ui, sans-serif", "font-weight": 600,
    "text-anchor": "middle", "dominant-baseline": "central",
  }, letter);
  const own = shape.squares;
  const files = new Set(own.map((s) => s[0]));
  const ranks = new Set(own.map((s) => s[1]));
  const edgeOf = (/** @type {string[]} */ squares, /** @type {0 | 1} */ axis, /** @type {1 | -1} */ sign) =>
    sign * Math.max(...squares.map((s) => sign * middle(game, s, flipped)[axis]));
  return [
    ...[...files].map((file) => {
      const column = own.filter((s) => s[0] === file);
      return text(middle(game, column[0], flipped)[0], edgeOf(column, 1, 1) + CELL / 2 + 15, file);
    }),
    ...[...ranks].map((rank) => {
      const row = own.filter((s) => s[1] === rank);
      return text(edgeOf(row, 0, -1) - CELL / 2 - 15, middle(game, row[0], flipped)[1], rank);
    }),
  ];
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function marks(scene, at) {
  const { look, last, lastFrom, chosen, heats } = scene;
  const layer = svg("g", {});
  const tile = (/** @type {string} */ square, /** @type {string} */ fill, /** @type {number} */ opacity) => {
    const [x, y] = at(square);
    layer.append(svg("rect", {
      x: x - 47, y: y - 47, width: 94, height: 94, rx: 12, fill, "fill-opacity": opacity,
    }));
  };
  if (last) {
    const { first, second } = parts(last);
    for (const square of new Set([lastFrom ?? first, first, second])) tile(square, look.last, 0.75);
  }
  for (const [square, odds] of heats ?? []) tile(square, heat(odds), 0.9);
  if (chosen) {
    const [x, y] = at(chosen);
    layer.append(svg("rect", {
      x: x - 45, y: y - 45, width: 90, height: 90, rx: 12, fill: "none", stroke: look.chosen, "stroke-width": 7,
    }));
  }
  return layer;
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function pieces(scene, at) {
  const layer = svg("g", { class: "pieces" });
  for (const [square, piece] of picture(scene.game, scene.fen).pieces) {
    const [x, y] = at(square);
    layer.append(svg("g", { transform: `translate(${x} ${y})`, "data-piece": square }, drawPiece(scene.game, piece, scene.look)));
  }
  return layer;
}

/**
 * One piece around the origin.
 * @param {GameName} game
 * @param {Piece} piece
 * @param {Look} look
 */
export function drawPiece(game, piece, look) {
  const group = svg("g", {});
  if (!piece.side) {
    group.append(
      svg("circle", { cx: 0, cy: 3, r: PIECE + 2, fill: look.totemRim }),
      svg("circle", { cx: 0, cy: -1, r: PIECE + 1, fill: look.totem, stroke: look.totemRim, "stroke-width": 2 }),
      svg("polygon", { points: STAR, fill: look.star, stroke: look.star, "stroke-width": 3, "stroke-linejoin": "round" }),
    );
    return group;
  }
  const side = piece.side === "p1" ? 0 : 1;
  const levels = Math.min(piece.height, STACK.most) - 1;
  const radius = game === "hokito" ? STACK.radius : PIECE;
  const top = game === "hokito" ? (levels * STACK.step) / -2 : 0;
  for (let level = levels; level >= 1; level--) {
    group.append(svg("circle", {
      cx: 0, cy: top + level * STACK.step, r: radius, fill: look.wood, stroke: look.woodLine, "stroke-width": 1.6,
    }));
  }
  group.append(
    svg("circle", { cx: 0, cy: top + 3.5, r: radius, fill: look.rim[side] }),
    svg("circle", { cx: 0, cy: top, r: radius, fill: look.piece[side], stroke: look.rim[side], "stroke-width": 2 }),
    svg("path", {
      d: mark(game, piece.value), transform: `translate(0 ${top})`, fill: "none", stroke: look.mark[side],
      "stroke-width": game === "hokito" ? 7.5 : 7, "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  );
  if (look.pattern && side === 1) {
    group.append(svg("circle", {
      cx: 0, cy: top, r: radius - 6, fill: "none", stroke: look.mark[side], "stroke-width": 2.5, "stroke-dasharray": "6 5",
    }));
  }
  if (piece.height > 1) group.append(badge(String(piece.height), look, 27, top - 25));
  return group;
}

/** @param {string} text @param {Look} look @param {number} x @param {number} y */
function badge(text, look, x, y) {
  const width = text.length > 1 ? 34 : 26;
  return svg("g", { transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -13, width, height: 26, rx: 13, fill: look.badge, stroke: look.badgeText, "stroke-width": 2 }),
    svg("text", {
      x: 0, y: 1, fill: look.badgeText, "font-size": 19, "font-weight": 700, "font-family": "system-ui, sans-serif",
      "text-anchor": "middle", "dominant-baseline": "central",
    }, text));
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function dots(scene, at) {
  const layer = svg("g", {});
  const { pieces } = picture(scene.game, scene.fen);
  const dot = (/** @type {string} */ square, /** @type {number} */ opacity) => {
    const [x, y] = at(square);
    layer.append(pieces.has(square)
      ? svg("rect", {
        x: x - 45, y: y - 45, width: 90, height: 90, rx: 12, fill: "none", stroke: scene.look.target,
        "stroke-width": 5, "stroke-dasharray": "18 10", "stroke-linecap": "round", "stroke-opacity": opacity,
      })
      : svg("circle", { cx: x, cy: y, r: TARGET, fill: scene.look.target, "fill-opacity": 0.75 * opacity }));
  };
  for (const square of scene.targets ?? []) dot(square, 1);
  for (const square of scene.reach ?? []) dot(square, 0.6);
  return layer;
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function arrowLayer(scene, at) {
  const layer = svg("g", { class: "arrows" });
  const { look } = scene;
  for (const [route, colour] of /** @type {const} */ ([[scene.lastRoute, look.chosen], [scene.route, look.target]])) {
    if (!route || route.length < 2) continue;
    layer.append(svg("polyline", {
      points: route.map((square) => at(square).join(",")).join(" "), fill: "none", stroke: colour, "stroke-width": 8,
      "stroke-opacity": 0.8, "stroke-linejoin": "round", "stroke-linecap": "round", "stroke-dasharray": "1 15",
    }));
  }
  /** Pieces that are to be placed on a square already. @type {Map<string, number>} */
  const placed = new Map();
  const drawn = (scene.arrows ?? []).map((arrow) => {
    const before = arrow.piece ? placed.get(arrow.piece.square) ?? 0 : 0;
    if (arrow.piece) placed.set(arrow.piece.square, before + 1);
    return drawArrow(arrow, before, scene, at);
  });
  // The best one lies on top.
  layer.append(...drawn.reverse());
  return layer;
}

/** Where pieces to be placed on the same square stand, in shares of it. @type {[number, number][]} */
const CORNERS = [[1, 1], [-1, 1], [-1, -1], [1, -1]];

/**
 * @param {Arrow} arrow @param {number} before pieces to be placed on the same square, drawn already
 * @param {Scene} scene @param {(square: string) => [number, number]} at
 */
function drawArrow(arrow, before, scene, at) {
  const colour = scene.look.arrows[Math.min(arrow.rank ?? 0, scene.look.arrows.length - 1)];
  const [[x1, y1], [x2, y2]] = [at(arrow.from), at(arrow.to)];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const wide = arrow.rank ? 8 : 12;
  const [bx, by] = [x2 - ux * 26, y2 - uy * 26];
  const head = [[x2, y2], [bx - uy * wide * 1.7, by + ux * wide * 1.7], [bx + uy * wide * 1.7, by - ux * wide * 1.7]];
  const group = svg("g", { opacity: arrow.rank ? 0.8 : 0.9 },
    svg("line", { x1, y1, x2: bx, y2: by, stroke: colour, "stroke-width": wide, "stroke-linecap": "round" }),
    svg("polygon", { points: head.join(" "), fill: colour }));
  // Where lines share the way of the totem, the piece is what tells them apart.
  if (arrow.piece) {
    const [x, y] = at(arrow.piece.square);
    const [dx, dy] = CORNERS[before % CORNERS.length];
    const piece = drawPiece(scene.game, { ...arrow.piece, height: 1 }, scene.look);
    const ring = svg("circle", { r: PIECE + 6, fill: "none", stroke: colour, "stroke-width": 7 });
    group.append(svg("g", { transform: `translate(${x + dx * 24} ${y + dy * 20}) scale(0.5)` }, piece, ring));
    if (arrow.text) group.append(plate(arrow.text, x + dx * 24, y + dy * 20 + (dy < 0 ? -25 : 25)));
  } else if (arrow.text) {
    // Arrows often cross in the middle.
    const way = [0.7, 0.5, 0.3][(arrow.rank ?? 0) % 3];
    group.append(plate(arrow.text, x1 + (x2 - x1) * way, y1 + (y2 - y1) * way));
  }
  return group;
}

/** Text on a dark ground. @param {string} text @param {number} x its middle @param {number} y */
function plate(text, x, y) {
  const width = 14 + text.length * 11;
  return svg("g", {},
    svg("rect", { x: x - width / 2, y: y - 13, width, height: 26, rx: 8, fill: PLATE.ground, "fill-opacity": 0.9 }),
    svg("text", {
      x, y: y + 1, fill: PLATE.text, "font-size": 19, "font-weight": 700, "font-family": "system-ui, sans-serif",
      "text-anchor": "middle", "dominant-baseline": "central",
    }, text));
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function tipLayer(scene, at) {
  const layer = svg("g", { class: "tip" });
  if (scene.tip) {
    const [x, y] = at(scene.tip.square);
    layer.append(plate(scene.tip.text, x, y < CELL + BAND ? y + 52 : y - 52));
  }
  return layer;
}

/** @param {Scene} scene @returns {SVGElement} a drawing that stands alone */
export function drawing(scene) {
  const whole = size(scene.game);
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${whole} ${whole}`, width: whole, height: whole },
    svg("rect", { width: whole, height: whole, fill: scene.look.table }), ...layers(scene));
}
