// Arrows on the board: the legs of a route, values beside them, ghosts of pieces to come.

import { PLATE, rise } from "./look.js";
import { picture } from "./notation.js";
import { drawPiece } from "./pieces.js";
import { svg } from "./svg.js";

/** @typedef {[number, number]} Point */

/** How far from the middle of a piece an arrow ends, so that its mark stays free. */
const CLEAR = 28;
/** Routes that share a leg run beside each other there, so far apart. */
const LANES = [0, 13, -13, 24, -24];
/** How far above and below the middle the values of the best two lines that end on a square stand. */
const PLATES = [-35, 35];
/** Where the number of a step stands, its radius, and how far plates keep clear of it. */
const STEP = { x: -38, y: 37, r: 11, clear: -24 };

/** @param {Scene} scene @param {(square: string) => Point} at @returns {SVGElement[]} routes, arrows, and the values over them */
export function arrowLayers(scene, at) {
  const { look } = scene;
  const draw = new Drawer(scene, at);
  const routes = /** @type {[string[] | undefined, string, number, boolean][]} */ ([
    [scene.lastRoute, look.chosen, 8, false], [scene.route, look.target, 10, true]]).flatMap(([route, colour, width, numbered]) =>
    route && route.length > 1 ? [draw.route(route, colour, width, 0, numbered)] : []);
  // The best one lies on top.
  const drawn = (scene.arrows ?? []).map((arrow) => draw.arrow(arrow)).reverse();
  return [
    svg("g", { class: "arrows" }, ...drawn.map(([group]) => group)),
    svg("g", { class: "values" }, ...drawn.map(([, over]) => over)),
    svg("g", { class: "routes" }, ...routes),
  ];
}

class Drawer {
  /** @param {Scene} scene @param {(square: string) => Point} at */
  constructor(scene, at) {
    this.scene = scene;
    this.at = at;
    this.pieces = picture(scene.game, scene.fen).pieces;
    /** @type {Map<string, number[]>} */
    this.plates = new Map();
    /** Lanes that are taken, for each leg. @type {Map<string, number[]>} */
    this.lanes = new Map();
    /** Where numbers of steps stand. @type {Point[]} */
    this.numbers = [];
  }

  /** Where a leg begins or ends: on a stack, above the middle of the square. @param {string} square @returns {Point} */
  top(square) {
    const [x, y] = this.at(square);
    const piece = this.pieces.get(square);
    return [x, y - (piece ? rise(this.scene.game, piece.height) : 0)];
  }

  /** @param {string[]} route @param {string} colour @param {number} width @param {number} lane @param {boolean} numbered */
  route(route, colour, width, lane, numbered) {
    const group = svg("g", { class: "route" });
    // Legs in opposite directions lie beside each other as well.
    const legs = route.slice(1).map((to, i) => this.leg(route[i], to, width, route[i] < to ? lane : -lane));
    // A dark edge makes every colour stand out from wood, black and white.
    for (const [stroke, more] of /** @type {[string, number][]} */ ([[PLATE.ground, 4], [colour, 0]])) {
      for (const { from, to, head } of legs) {
        group.append(
          svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], stroke, "stroke-width": width + more, "stroke-linecap": "butt" }),
          svg("polygon", { points: head.join(" "), fill: stroke, stroke, "stroke-width": more + 1, "stroke-linejoin": "round" }));
      }
    }
    if (!numbered || legs.length < 2) return group;
    route.slice(1).forEach((square, i) => {
      const [x, y] = this.at(square);
      this.numbers.push([x, y]);
      group.append(svg("g", { transform: `translate(${x + STEP.x} ${y + STEP.y})`, class: "step-number" },
        svg("circle", { r: STEP.r, fill: colour, stroke: PLATE.ground, "stroke-width": 2 }),
        words(String(i + 1), 0, 1, PLATE.ground, 16)));
    });
    return group;
  }

  /** The first lane that is free all the way. @param {string[]} route */
  lane(route) {
    const legs = route.slice(1).map((to, i) => [route[i], to].sort().join(" "));
    const lane = LANES.find((lane) => !legs.some((leg) => this.lanes.get(leg)?.includes(lane))) ?? 0;
    for (const leg of legs) this.lanes.set(leg, [...this.lanes.get(leg) ?? [], lane]);
    return lane;
  }

  /** @param {string} from @param {string} to @param {number} width @param {number} lane */
  leg(from, to, width, lane) {
    const [[x1, y1], [x2, y2]] = [this.top(from), this.top(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [sx, sy] = [-uy * lane, ux * lane];
    const free = (/** @type {string} */ square) => this.pieces.has(square) ? CLEAR : 6;
    const [begin, end] = [free(from), length - free(to)];
    const size = Math.min(width * 2, (end - begin) * 0.7);
    const along = (/** @type {number} */ way, side = 0) => /** @type {Point} */ ([
      Math.round((x1 + ux * way + sx - uy * side) * 10) / 10, Math.round((y1 + uy * way + sy + ux * side) * 10) / 10]);
    return { from: along(begin), to: along(end - size), head: [along(end), along(end - size, size * 0.75), along(end - size, -size * 0.75)] };
  }

  /** @param {Arrow} arrow @returns {[SVGElement, SVGElement]} the arrow, and what lies over all arrows */
  arrow(arrow) {
    const { scene } = this;
    const rank = arrow.rank ?? 0;
    const colour = arrow.isWrong ? scene.look.refused : scene.look.arrows[Math.min(rank, scene.look.arrows.length - 1)];
    const end = arrow.piece?.square ?? arrow.to;
    const taken = this.plates.get(end) ?? [];
    const route = arrow.route ?? [arrow.from, arrow.to];
    const group = svg("g", { opacity: rank ? 0.85 : 1 }, this.route(route, colour, rank ? 6 : 9, this.lane(route), rank === 0));
    const over = svg("g", {});
    const [x, y] = this.at(end);
    if (arrow.piece && taken.length === 0) group.append(ghost(scene, { ...arrow.piece, height: 1 }, x, y, colour));
    if (arrow.text && taken.length < PLATES.length) {
      // The plate must not cover the head of an arrow from above.
      const last = arrow.route?.at(-2) ?? arrow.from;
      const first = !arrow.piece && this.at(last)[1] <= y ? 1 : 0;
      const slot = taken.length > 0 ? 1 - taken[0] : first;
      this.plates.set(end, [...taken, slot]);
      const height = y + PLATES[slot];
      // The number of a step stands in the lower left corner of its square, or of that above.
      const isBeside = this.numbers.some(([nx, ny]) => nx === x && Math.abs(ny + STEP.y - height) < 30);
      const small = arrow.piece ? drawPiece(scene.game, { ...arrow.piece, height: 1 }, scene.look) : null;
      over.append(plate(arrow.text, x + (isBeside ? Math.max(0, STEP.clear + widthOf(arrow.text, small) / 2 + 2) : 0), height, colour, small));
    }
    return [group, over];
  }
}

/** @param {Scene} scene @param {Piece} piece @param {number} x @param {number} y @param {string} [colour] of a ring */
export function ghost(scene, piece, x, y, colour) {
  const drawn = drawPiece(scene.game, piece, scene.look);
  drawn.setAttribute("opacity", "0.6");
  return svg("g", { transform: `translate(${x} ${y})`, class: "ghost" }, drawn,
    ...(colour ? [svg("circle", { r: 43, fill: "none", stroke: colour, "stroke-width": 5, "stroke-dasharray": "9 6" })] : []));
}

/** @param {string} text @param {number} x @param {number} y @param {string} fill @param {number} size */
export function words(text, x, y, fill, size) {
  return svg("text", {
    x, y, fill, "font-size": size, "font-weight": 700, "font-family": "system-ui, sans-serif",
    "text-anchor": "middle", "dominant-baseline": "central",
  }, text);
}

/** @param {string} text @param {SVGElement | null} [piece] */
function widthOf(text, piece) {
  return 14 + text.length * 11 + (piece ? 22 : 0);
}

/**
 * @param {string} text @param {number} x its middle @param {number} y @param {string} [edge] colour of an edge
 * @param {SVGElement | null} [piece] drawn before it
 */
export function plate(text, x, y, edge, piece) {
  const width = widthOf(text, piece);
  if (piece) piece.setAttribute("transform", `translate(${-width / 2 + 15} 0) scale(0.26)`);
  const rim = edge ? { stroke: edge, "stroke-width": 3 } : {};
  return svg("g", { transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -13, width, height: 26, rx: 8, fill: PLATE.ground, "fill-opacity": 0.92, ...rim }),
    ...(piece ? [piece] : []), words(text, piece ? 11 : 0, 1, PLATE.text, 19));
}
