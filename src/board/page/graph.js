// Odds through the game as a graph, and as a bar beside the board.

import { GRAPH } from "./look.js";
import { svg } from "./svg.js";

/** @typedef {import("./app.js").App} App */

const WIDTH = 400;
const HEIGHT = 110;

/**
 * @param {App} app
 * @param {import("./look.js").Look} look
 * @param {string} label
 * @returns {SVGElement}
 */
export function graph(app, look, label) {
  const line = app.game.line();
  const steps = Math.max(line.length - 1, 8);
  const x = (/** @type {number} */ ply) => 6 + (ply * (WIDTH - 12)) / steps;
  const y = (/** @type {number} */ odds) => 6 + (1 - odds) * (HEIGHT - 12);
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": label },
    svg("rect", { width: WIDTH, height: HEIGHT, rx: 8, fill: GRAPH.ground, "fill-opacity": 0.18 }),
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, stroke: GRAPH.ground, "stroke-dasharray": "4 4" }));
  // Two players who judge their own positions each have a line.
  for (const by of /** @type {const} */ ([undefined, 0, 1])) {
    const known = line.filter((node) => node.judgement && node.judgement.by === by);
    const points = known.map((node) => `${x(node.ply)},${y(/** @type {any} */ (node.judgement).odds)}`);
    const colour = by === undefined ? look.target : GRAPH.players[by];
    if (points.length > 1) root.append(svg("polyline", { points: points.join(" "), fill: "none", stroke: colour, "stroke-width": 2.5, "stroke-linejoin": "round" }));
    if (points.length === 1) root.append(svg("circle", { cx: points[0].split(",")[0], cy: points[0].split(",")[1], r: 3, fill: colour }));
  }
  if (app.settings.points) pointsLine(root, line, x);
  for (const node of line) {
    if (!["mistake", "blunder"].includes(node.review?.mark)) continue;
    root.append(svg("circle", { cx: x(node.ply), cy: y(node.judgement?.odds ?? 0.5), r: 5, fill: GRAPH.mistake, stroke: GRAPH.dot }));
  }
  const here = x(app.game.at.ply);
  root.append(svg("line", { x1: here, x2: here, y1: 0, y2: HEIGHT, stroke: GRAPH.here, "stroke-width": 2 }));
  root.addEventListener("click", (/** @type {any} */ event) => {
    const box = root.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.left) / box.width) * WIDTH - 6) / ((WIDTH - 12) / steps));
    const node = line[Math.max(0, Math.min(line.length - 1, ply))];
    app.visit(node);
  });
  return root;
}

/** Lead of player one in points, with a scale of its own. @param {SVGElement} root @param {import("./tree.js").Node[]} line @param {(ply: number) => number} x */
function pointsLine(root, line, x) {
  const leads = line.flatMap((node) => node.facts ? [[node.ply, node.facts.score[0] - node.facts.score[1]]] : []);
  const most = Math.max(8, ...leads.map(([, lead]) => Math.abs(lead)));
  const points = leads.map(([ply, lead]) => `${x(ply)},${HEIGHT / 2 - (lead / most) * (HEIGHT / 2 - 6)}`);
  root.append(svg("polyline", { points: points.join(" "), fill: "none", stroke: GRAPH.points, "stroke-width": 2, "stroke-dasharray": "5 4" }));
}

/**
 * @param {import("./look.js").Look} look
 * @param {number} odds of player one
 * @param {boolean} flipped
 */
export function bar(look, odds, flipped) {
  const part = Math.round((flipped ? odds : 1 - odds) * 1000) / 10;
  const [upper, lower] = flipped ? [look.piece[0], look.piece[1]] : [look.piece[1], look.piece[0]];
  return svg("svg", { viewBox: "0 0 10 100", preserveAspectRatio: "none" },
    svg("rect", { width: 10, height: 100, fill: lower }),
    svg("rect", { width: 10, height: part, fill: upper }),
    svg("line", { x1: 0, x2: 10, y1: 50, y2: 50, stroke: GRAPH.here, "stroke-width": 0.7 }));
}
