// The board as a drawing with squares that can be pressed.

import { arrowLayers, ghost, plate, words } from "./arrows.js";
import { BAND, CELL, TARGET, heat } from "./look.js";
import { SHAPES, parts, picture, place, seatOf } from "./notation.js";
import { drawPiece } from "./pieces.js";
import { svg } from "./svg.js";

/** Hokito's first side has the upper ranks, other than Yoxii's. @param {GameName} game @param {boolean} flipped whether the second side sits below */
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

/** @param {Scene} scene @returns {SVGElement[]} everything but the board itself and the squares that are pressed */
export function layers(scene) {
  const at = (/** @type {string} */ square) => middle(scene.game, square, scene.flipped);
  return [marks(scene, at), pieces(scene, at), dots(scene, at), ...arrowLayers(scene, at), litLayer(scene, at), tipLayer(scene, at)];
}

/** @param {Scene} scene */
export function ground({ game, look, flipped }) {
  const shape = SHAPES[game];
  const whole = size(game);
  const [low, high] = [10, whole - 10];
  const cut = game === "yoxii" ? BAND + 1.55 * CELL : 26;
  const corners = [
    [cut, low], [whole - cut, low], [high, cut], [high, whole - cut],
    [whole - cut, high], [cut, high], [low, whole - cut], [low, cut],
  ];
  const rim = { stroke: look.edge, "stroke-width": 6, "stroke-linejoin": "round" };
  const layer = svg("g", {}, svg("polygon", { points: corners.join(" "), fill: look.board, ...rim }));
  for (const square of shape.squares) {
    const [x, y] = middle(game, square, flipped);
    const paint = { fill: look.square, stroke: look.line, "stroke-width": 2 };
    layer.append(svg("rect", { x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6, rx: 12, ...paint }));
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
    layer.append(svg("rect", { x: x - 47, y: y - 47, width: 94, height: 94, rx: 12, fill, "fill-opacity": opacity }));
  };
  if (last) {
    const { first, second } = parts(last);
    for (const square of new Set([lastFrom ?? first, first, second])) tile(square, look.last, 0.75);
  }
  for (const [square, odds] of heats ?? []) tile(square, heat(odds), 0.9);
  for (const square of [...(chosen ? [chosen] : []), ...(scene.lit ?? []).map((lit) => lit.square)]) {
    const [x, y] = at(square);
    layer.append(svg("rect", { x: x - 45, y: y - 45, width: 90, height: 90, rx: 12, fill: "none", stroke: look.chosen, "stroke-width": 7 }));
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
  // A dot must not show through a ghost.
  const ghosts = new Set([scene.ghost?.square, ...(scene.arrows ?? []).map((arrow) => arrow.piece?.square)]);
  for (const square of scene.targets ?? []) if (!ghosts.has(square)) dot(square, 1);
  for (const square of scene.reach ?? []) dot(square, 0.6);
  if (scene.ghost) layer.append(ghost(scene, scene.ghost.piece, ...at(scene.ghost.square)));
  if (scene.refused) {
    const [x, y] = at(scene.refused);
    layer.append(svg("rect", {
      x: x - 45, y: y - 45, width: 90, height: 90, rx: 12, fill: "none", stroke: scene.look.refused, "stroke-width": 6, class: "refused",
    }));
  }
  return layer;
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function litLayer(scene, at) {
  const layer = svg("g", { class: "lit" });
  for (const { square, points, side } of scene.lit ?? []) {
    const [x, y] = at(square);
    layer.append(plate(`+${points}`, x, y + 34, scene.look.piece[seatOf(side)]));
  }
  return layer;
}

/** @param {Scene} scene @param {(square: string) => [number, number]} at */
function tipLayer(scene, at) {
  const layer = svg("g", { class: "tip" });
  if (!scene.tip) return layer;
  const [x, y] = at(scene.tip.square);
  if (scene.tip.pawns) layer.append(side(scene, scene.tip.pawns, x, y));
  layer.append(plate(scene.tip.text, x, y + 52));
  return layer;
}

/** @param {Scene} scene @param {(Side | null)[]} pawns @param {number} x @param {number} y */
function side(scene, pawns, x, y) {
  const { look } = scene;
  const whole = size(scene.game);
  const thick = Math.min(16, 300 / pawns.length);
  const colour = (/** @type {Side | null} */ of) => of === null ? look.wood : look.piece[seatOf(of)];
  const sides = /** @type {(Side | null)[]} */ (["p1", "p2", null]).filter((of) => pawns.includes(of));
  const [width, height] = [172, Math.max(pawns.length * thick, sides.length * 34) + 24];
  const left = x < whole / 2 ? x + 56 : x - 56 - width;
  const up = Math.max(8, Math.min(whole - 8 - height, y - height / 2));
  const bottom = up + height - 12;
  return svg("g", { class: "tower" },
    svg("rect", { x: left, y: up, width, height, rx: 12, fill: look.square, stroke: look.edge, "stroke-width": 3 }),
    ...pawns.map((of, i) => svg("rect", {
      x: left + 14, y: bottom - (i + 1) * thick + 1, width: 74, height: thick - 2, rx: Math.min(5, thick / 3),
      fill: colour(of), stroke: look.edge, "stroke-width": 1.5,
    })),
    ...sides.flatMap((of, i) => {
      const height = bottom - 16 - i * 34;
      return [
        svg("circle", { cx: left + 112, cy: height, r: 11, fill: colour(of), stroke: look.edge, "stroke-width": 1.5 }),
        ...(of === null ? [words("?", left + 112, height + 1, look.woodLine, 16)] : []),
        words(String(pawns.filter((other) => other === of).length), left + 144, height + 1, look.label, 22),
      ];
    }));
}

/** @param {Scene} scene @returns {SVGElement} a drawing that stands alone */
export function drawing(scene) {
  const whole = size(scene.game);
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${whole} ${whole}`, width: whole, height: whole },
    svg("rect", { width: whole, height: whole, fill: scene.look.table }), ground(scene), ...layers(scene));
}
