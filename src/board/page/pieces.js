// One piece, or a stack with its height.

import { PIECE, STACK, STAR, mark, rise } from "./look.js";
import { seatOf } from "./notation.js";
import { svg } from "./svg.js";

/** @param {GameName} game @param {Piece} piece @param {Look} look */
export function smallPiece(game, piece, look) {
  return svg("svg", { viewBox: "-46 -52 92 98", "aria-hidden": "true" }, drawPiece(game, piece, look));
}

/** @param {GameName} game @param {Piece} piece @param {Look} look */
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
  const side = seatOf(piece.side);
  const levels = Math.min(piece.height, STACK.most) - 1;
  const radius = game === "hokito" ? STACK.radius : PIECE;
  const top = -rise(game, piece.height);
  for (let level = levels; level >= 1; level--) {
    group.append(svg("circle", { cx: 0, cy: top + level * STACK.step, r: radius, fill: look.wood, stroke: look.woodLine, "stroke-width": 1.6 }));
  }
  group.append(
    svg("circle", { cx: 0, cy: top + 3.5, r: radius, fill: look.rim[side] }),
    svg("circle", { cx: 0, cy: top, r: radius, fill: look.piece[side], stroke: look.rim[side], "stroke-width": 2 }),
    svg("path", {
      d: mark(game, piece.value), transform: `translate(0 ${top})${piece.height > 1 ? " scale(0.9)" : ""}`, fill: "none", stroke: look.mark[side],
      "stroke-width": game === "hokito" ? 7.5 : 7, "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  );
  if (look.pattern && side === 1) {
    group.append(svg("circle", { cx: 0, cy: top, r: radius - 6, fill: "none", stroke: look.mark[side], "stroke-width": 2.5, "stroke-dasharray": "6 5" }));
  }
  if (piece.height > 1) group.append(badge(String(piece.height), look, 32, top - 34));
  return group;
}

/** @param {string} text @param {Look} look @param {number} x @param {number} y */
function badge(text, look, x, y) {
  const width = text.length > 1 ? 34 : 24;
  return svg("g", { transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -12, width, height: 24, rx: 12, fill: look.badge, stroke: look.badgeText, "stroke-width": 2 }),
    svg("text", {
      x: 0, y: 1, fill: look.badgeText, "font-size": 18, "font-weight": 700, "font-family": "system-ui, sans-serif",
      "text-anchor": "middle", "dominant-baseline": "central",
    }, text));
}
