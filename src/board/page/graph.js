// Odds through the game as a graph beside its moves, and as a bar beside the board.

import { GRAPH } from "./look.js";
import { sideOf } from "./notation.js";
import { moveList, toggle } from "./panels.js";
import { t } from "./strings.js";
import { drawn, html, svg } from "./svg.js";
import { percent } from "./values.js";

const WIDTH = 400;
const HEIGHT = 130;
/** Room for the scale. */
const EDGE = { left: 46, right: 8, top: 8, bottom: 20 };
/** How far apart the marks of the scale of moves stand at least. */
const APART = 34;

/** @param {App} app @param {Look} look @param {string} label */
export function graph(app, look, label) {
  const line = app.game.line();
  const steps = Math.max(line.length - 1, 8);
  const inner = { width: WIDTH - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const x = (/** @type {number} */ ply) => EDGE.left + (ply * inner.width) / steps;
  const y = (/** @type {number} */ odds) => EDGE.top + (1 - odds) * inner.height;
  const text = (/** @type {number} */ at, /** @type {number} */ height, /** @type {string} */ words, anchor = "end") => svg("text", {
    x: at, y: height, class: "scale", "text-anchor": anchor, "dominant-baseline": "central",
  }, words);
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": label },
    svg("rect", { x: EDGE.left, y: EDGE.top, width: inner.width, height: inner.height, rx: 4, fill: GRAPH.ground, "fill-opacity": 0.18 }),
    ...[0.25, 0.5, 0.75].map((odds) => svg("line", {
      x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(odds), y2: y(odds), stroke: GRAPH.ground, "stroke-dasharray": odds === 0.5 ? "4 4" : "1 5",
    })),
    text(EDGE.left - 6, EDGE.top + 6, app.side("p1")), text(EDGE.left - 6, y(0.5), t("percent", { n: 50 })),
    text(EDGE.left - 6, HEIGHT - EDGE.bottom - 6, app.side("p2")));
  // One number stands for a move of each side.
  const every = [1, 2, 5, 10].find((moves) => x(2 * moves) - x(0) >= APART) ?? 10;
  for (let move = every; x(2 * move - 1) <= WIDTH - EDGE.right; move += every) root.append(text(x(2 * move - 1), HEIGHT - 8, String(move), "middle"));
  // Two players who judge their own positions each have a line.
  for (const by of /** @type {const} */ ([undefined, 0, 1])) {
    const known = line.filter((node) => node.judgement && node.judgement.by === by);
    const points = known.map((node) => `${x(node.ply)},${y(/** @type {any} */ (node.judgement).odds)}`);
    const colour = by === undefined ? look.arrows[0] : GRAPH.players[by];
    const stroke = { fill: "none", stroke: colour, "stroke-width": 2.5, "stroke-linejoin": "round" };
    if (points.length > 1) root.append(svg("polyline", { points: points.join(" "), ...stroke }));
    if (points.length === 1) root.append(svg("circle", { cx: points[0].split(",")[0], cy: points[0].split(",")[1], r: 3, fill: colour }));
  }
  if (app.settings.points) pointsLine(root, line, x, text);
  for (const node of line) {
    if (!["mistake", "blunder"].includes(node.review?.mark)) continue;
    root.append(svg("circle", { cx: x(node.ply), cy: y(node.judgement?.odds ?? 0.5), r: 5, fill: GRAPH.mistake, stroke: GRAPH.dot }));
  }
  const here = x(app.game.at.ply);
  root.append(svg("line", { x1: here, x2: here, y1: EDGE.top, y2: HEIGHT - EDGE.bottom, stroke: GRAPH.here, "stroke-width": 2 }));
  return drawn(root, { onclick: ({ clientX, clientY, currentTarget }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(currentTarget.getScreenCTM().inverse());
    const ply = Math.round((at.x - EDGE.left) / (inner.width / steps));
    app.visit(line[Math.max(0, Math.min(line.length - 1, ply))]);
  } });
}

/**
 * The lead in points, which has a scale of its own.
 * @param {SVGElement} root @param {GameNode[]} line @param {(ply: number) => number} x
 * @param {(x: number, y: number, words: string) => SVGElement} text
 */
function pointsLine(root, line, x, text) {
  const leads = line.flatMap((node) => node.facts ? [[node.ply, node.facts.score[0] - node.facts.score[1]]] : []);
  const most = Math.max(8, ...leads.map(([, lead]) => Math.abs(lead)));
  const half = (HEIGHT - EDGE.top - EDGE.bottom) / 2;
  // Where a position between is not known yet, there is a gap.
  const path = leads.map(([ply, lead], i) => `${leads[i - 1]?.[0] === ply - 1 ? "L" : "M"}${x(ply)} ${EDGE.top + half * (1 - lead / most)}`);
  root.append(
    svg("path", { d: path.join(""), class: "lead", fill: "none", stroke: GRAPH.points, "stroke-width": 2, "stroke-dasharray": "5 4" }),
    text(WIDTH - EDGE.right - 4, EDGE.top + 8, `+${most}`), text(WIDTH - EDGE.right - 4, HEIGHT - EDGE.bottom - 8, `−${most}`));
}

/**
 * A bar of the colours of both sides with a mark at one half, and the odds of the side below.
 * @param {Look} look @param {number} odds of player one @param {boolean} flipped whether the second side sits below
 */
export function bar(look, odds, flipped) {
  const part = Math.round((flipped ? odds : 1 - odds) * 1000) / 10;
  const [upper, lower] = flipped ? [0, 1] : [1, 0];
  const own = flipped ? 1 - odds : odds;
  return [
    drawn(svg("svg", { viewBox: "0 0 10 100", preserveAspectRatio: "none" },
      svg("rect", { width: 10, height: 100, fill: look.piece[lower] }),
      svg("rect", { width: 10, height: part, fill: look.piece[upper] }),
      svg("rect", { x: 0, y: 49.2, width: 10, height: 1.6, fill: GRAPH.here }),
      ...[25, 75].map((y) => svg("rect", { x: 0, y: y - 0.25, width: 4, height: 0.5, fill: GRAPH.ground })))),
    html("b", {}, String(own === 0 || own === 1 ? 100 * own : percent(own))),
  ];
}

/** The moves, and beside them the graph of the odds. @param {Page} page @param {boolean} [hasPlayers] whether two engines judge for themselves */
export function course(page, hasPlayers = false) {
  const moves = moveList(page);
  return moves && html("div", { class: "course" }, moves, html("div", {}, html("div", { id: "graph-live" }), hasPlayers ? legend(page) : null));
}

/** @param {Page} page */
function legend(page) {
  const { app } = page;
  return html("div", { class: "row soft" }, ...GRAPH.players.map((fill, seat) => html("span", {},
    svg("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("circle", { cx: 5, cy: 5, r: 5, fill })),
    ` ${app.side(sideOf(seat))} ${page.matches.name(/** @type {0 | 1} */ (seat))}`)));
}

/** @param {Page} page @param {(VNode | null)[]} others beside it */
export function graphOptions({ app }, ...others) {
  const { points } = app.settings;
  return [html("div", { class: "row" }, ...others, toggle("points", t("pointsToo"), points, () => app.set({ points: !points }))),
    points ? html("p", { class: "soft" }, t("pointsHow", { side: app.side("p1") })) : null];
}
