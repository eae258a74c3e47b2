// The board on the page: drawn, pressed, dragged over and walked by keys.

import { isTurned, layers, middle, size } from "./board.js";
import { CELL } from "./look.js";
import { SHAPES, picture, place } from "./notation.js";
import { pointsOf, t } from "./strings.js";
import { svg } from "./svg.js";

/** @typedef {import("./board.js").Scene} Scene */

/** How far a finger may slip and still press, in pixels. */
const SLIP = 8;
const ANIMATION = 160;

export class BoardView {
  /**
   * @param {HTMLElement} home
   * @param {{ press: (square: string, drag: boolean) => void, drop: (from: string, to: string) => void,
   *   hover: (square: string | null) => void, escape: () => void }} act
   */
  constructor(home, act) {
    this.home = home;
    this.act = act;
    this.root = svg("svg", { class: "board", role: "group" });
    this.paint = svg("g", {});
    this.squares = svg("g", {});
    this.root.append(this.paint, this.squares);
    home.append(this.root);
    /** @type {Map<string, SVGElement>} */
    this.buttons = new Map();
    this.shape = "";
    this.focus = "d4";
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{ square: string, x: number, y: number } | null} */
    this.pressed = null;
    this.listen();
  }

  listen() {
    const root = /** @type {any} */ (this.root);
    root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const square = this.squareAt(event);
      if (!square || event.button !== 0) return;
      event.preventDefault();
      this.pressed = { square, x: event.clientX, y: event.clientY };
      this.walk(square);
      this.act.hover(square);
      this.act.press(square, true);
    });
    root.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
      const from = this.pressed;
      this.pressed = null;
      if (!from) return;
      const square = this.squareAt(event);
      const moved = Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIP;
      if (square && moved && square !== from.square) this.act.drop(from.square, square);
    });
    root.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.act.hover(this.squareAt(event)));
    root.addEventListener("pointerleave", () => this.act.hover(null));
    root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /** @param {PointerEvent} event @returns {string | null} */
  squareAt(event) {
    const box = this.root.getBoundingClientRect();
    if (!this.scene || box.width === 0) return null;
    const scale = size(this.scene.game) / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const near = SHAPES[this.scene.game].squares.find((square) => {
      const [mx, my] = middle(/** @type {Scene} */ (this.scene).game, square, /** @type {Scene} */ (this.scene).flipped);
      return Math.abs(mx - x) <= CELL / 2 && Math.abs(my - y) <= CELL / 2;
    });
    return near ?? null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
    });
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.act.press(this.focus, false);
    } else if (event.key === "Escape") this.act.escape();
    else if (steps[event.key] && this.scene) {
      event.preventDefault();
      const turn = isTurned(this.scene.game, this.scene.flipped) ? -1 : 1;
      const [column, row] = place(this.focus);
      const [dx, dy] = steps[event.key].map((step) => step * turn);
      const next = String.fromCharCode(97 + column + dx) + (row + dy + 1);
      if (this.buttons.has(next)) this.walk(next);
    }
  }

  /** Moves the focus to a square. @param {string} square */
  walk(square) {
    this.buttons.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    const button = this.buttons.get(square);
    button?.setAttribute("tabindex", "0");
    button?.focus({ preventScroll: true });
  }

  /** @param {Scene} scene @param {boolean} animate @param {[string, string]} sides their names */
  show(scene, animate, sides) {
    const before = this.scene;
    this.scene = scene;
    const shape = `${scene.game} ${scene.flipped}`;
    if (shape !== this.shape) this.build(scene);
    this.shape = shape;
    this.root.setAttribute("aria-label", `${t("board")}: ${t(scene.game)}`);
    this.paint.replaceChildren(...layers(scene));
    this.label(scene, sides);
    if (animate && before && before.game === scene.game && before.fen !== scene.fen) this.animate(before, scene);
  }

  /** @param {Scene} scene */
  build(scene) {
    const whole = size(scene.game);
    this.root.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    this.buttons.clear();
    this.squares.replaceChildren();
    if (!SHAPES[scene.game].squares.includes(this.focus)) this.focus = SHAPES[scene.game].squares[0];
    for (const square of SHAPES[scene.game].squares) {
      const [x, y] = middle(scene.game, square, scene.flipped);
      const button = svg("rect", {
        x: x - CELL / 2 + 2, y: y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 13,
        class: "square", role: "button", "data-square": square, tabindex: square === this.focus ? 0 : -1,
      });
      button.addEventListener("focus", () => {
        this.focus = square;
        // Whoever walks over the board by keys sees what a mouse shows.
        if (button.matches(":focus-visible")) this.act.hover(square);
      });
      button.addEventListener("blur", () => this.act.hover(null));
      this.buttons.set(square, button);
      this.squares.append(button);
    }
  }

  /** Says on each square what stands there. @param {Scene} scene @param {[string, string]} sides */
  label(scene, sides) {
    const { pieces } = picture(scene.game, scene.fen);
    const targets = new Set(scene.targets);
    for (const [square, button] of this.buttons) {
      const piece = pieces.get(square);
      const side = piece?.side && sides[piece.side === "p1" ? 0 : 1];
      const what = !piece ? t("free") : !side ? t("totem")
        : t(piece.height > 1 ? "stack" : "single", side, piece.value, piece.height);
      const points = piece && piece.height > 1 ? scene.counted?.find((counted) => counted.square === square)?.points : undefined;
      const more = [points === undefined ? "" : pointsOf(points), targets.has(square) ? t("canGo") : "", scene.chosen === square ? t("isChosen") : ""];
      button.setAttribute("aria-label", [square, what, ...more.filter(Boolean)].join(", "));
      button.classList.toggle("target", targets.has(square));
    }
  }

  /** Lets what is new on a square come from where it was. @param {Scene} before @param {Scene} scene */
  animate(before, scene) {
    const [old, now] = [picture(before.game, before.fen).pieces, picture(scene.game, scene.fen).pieces];
    const same = (/** @type {any} */ a, /** @type {any} */ b) => a && b && a.side === b.side && a.value === b.value;
    const gone = [...old].filter(([square, piece]) => !same(piece, now.get(square)));
    for (const [square, piece] of now) {
      const known = old.get(square);
      if (same(known, piece) && known?.height === piece.height) continue;
      const from = gone.find(([other, was]) => other !== square && same(was, piece) && !now.has(other) || (was.side === null && piece.side === null));
      const element = this.paint.querySelector(`[data-piece="${square}"] > g`);
      const [x, y] = middle(scene.game, square, scene.flipped);
      const [ox, oy] = from ? middle(scene.game, from[0], scene.flipped) : [x, y];
      element?.animate(
        from ? [{ transform: `translate(${ox - x}px, ${oy - y}px)` }, { transform: "none" }]
          : [{ opacity: 0, transform: "scale(1.4)" }, { opacity: 1, transform: "none" }],
        { duration: ANIMATION, easing: "ease-out" });
    }
  }
}

