// The board on the page: drawn, pressed, dragged over and walked by keys.

import { ground, isTurned, layers, middle, size } from "./drawing.js";
import { CELL } from "./look.js";
import { SHAPES, picture, place, seatOf } from "./notation.js";
import { drawPiece } from "./pieces.js";
import { pointsOf, t } from "./strings.js";
import { redraw, svg } from "./svg.js";

/** How far a finger may slip and still press, in pixels. */
export const SLIP = 8;
/** How long a piece takes to land, in milliseconds. */
const DROP = 180;

/** How long the way over so many legs takes, in milliseconds. @param {number} legs */
export function travelTime(legs) {
  return Math.min(600, 150 + 150 * legs);
}

export class BoardView {
  /**
   * @param {HTMLElement} home
   * @param {{ press: (square: string, how: How) => void, drop: (from: string, to: string) => void,
   *   lift: (square: string) => Piece | null, grips: (square: string) => boolean, sweep: (from: string, square: string) => void,
   *   hover: (square: string | null, byFinger?: boolean) => void }} act
   */
  constructor(home, act) {
    this.home = home;
    this.act = act;
    this.root = svg("svg", { class: "board", role: "group" });
    this.ground = svg("g", {});
    this.paint = svg("g", {});
    /** Moving pieces: they lie over the board, which may be drawn anew meanwhile. */
    this.flight = svg("g", { class: "flight" });
    /** Squares that look empty until the moving pieces have landed. @type {string[]} */
    this.awaited = [];
    this.dragged = svg("g", { opacity: 0.85 });
    this.squares = svg("g", {});
    // The ring of the focus has to lie below the pieces; the style sheet lets presses through to the squares.
    this.root.append(this.ground, this.squares, this.paint, this.flight, this.dragged);
    home.prepend(this.root);
    /** @type {Map<string, SVGElement>} */
    this.buttons = new Map();
    this.shape = "";
    this.focus = "d4";
    /** @type {Scene | null} */
    this.scene = null;
    /** The press, and the square it has come to. @type {{ square: string, at: string, x: number, y: number, waits: boolean } | null} */
    this.pressed = null;
    /** Whether the focus is here only because of a press: then the arrow keys step through the moves. */
    this.byPointer = false;
    this.listen();
  }

  listen() {
    const root = /** @type {any} */ (this.root);
    root.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const square = this.squareAt(event);
      if (!square || event.button !== 0) return;
      event.preventDefault();
      const waits = event.pointerType === "touch";
      this.pressed = { square, at: square, x: event.clientX, y: event.clientY, waits };
      this.walk(square);
      this.byPointer = true;
      this.act.hover(square, waits);
      if (!waits) this.act.press(square, "drag");
    });
    root.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
      this.touch();
      const from = this.pressed;
      this.letGo();
      if (!from) return;
      const square = this.squareAt(event);
      const moved = Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIP;
      if (square && moved && square !== from.square) this.act.drop(from.square, square);
    });
    root.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const { pressed } = this;
      if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLIP) {
        // A finger that moves where nothing can be moved scrolls, and presses nothing.
        if (pressed.waits && !this.act.grips(pressed.square)) this.pressed = null;
        else this.touch();
      }
      this.act.hover(this.squareAt(event), event.pointerType === "touch");
      this.drag(event);
    });
    root.addEventListener("pointercancel", () => this.letGo());
    // `touch-action` would keep fingers from scrolling on the whole board.
    root.addEventListener("touchstart", (/** @type {TouchEvent} */ event) => {
      const square = event.touches.length === 1 && this.squareAt(event.touches[0]);
      if (square && this.act.grips(square)) event.preventDefault();
    }, { passive: false });
    root.addEventListener("pointerleave", () => this.act.hover(null));
    root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /** A finger's press counts once it is lifted or moves: before that it may only rest to look. */
  touch() {
    if (!this.pressed?.waits) return;
    this.pressed.waits = false;
    this.act.press(this.pressed.square, "touch");
  }

  letGo() {
    this.pressed = null;
    this.dragged.replaceChildren();
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { pressed } = this;
    if (!pressed) return;
    const square = this.squareAt(event);
    if (square && square !== pressed.at && !pressed.waits) this.act.sweep(pressed.square, pressed.at = square);
    const isUnderWay = this.dragged.childElementCount > 0 || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > SLIP;
    const piece = isUnderWay && this.act.lift(pressed.square);
    if (piece) this.carry(event, piece);
  }

  /** @param {PointerEvent} event @param {Piece} piece */
  carry(event, piece) {
    const [at, scene] = [this.pointAt(event), this.scene];
    if (!at || !scene) return;
    this.dragged.replaceChildren(drawPiece(scene.game, piece, scene.look));
    this.dragged.setAttribute("transform", `translate(${at.join(" ")})`);
  }

  /** @param {PointerEvent | Touch} event @returns {[number, number] | null} where that is in the drawing */
  pointAt(event) {
    const box = this.root.getBoundingClientRect();
    if (!this.scene || box.width === 0) return null;
    const scale = size(this.scene.game) / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** @param {PointerEvent | Touch} event @returns {string | null} */
  squareAt(event) {
    const [at, scene] = [this.pointAt(event), this.scene];
    if (!at || !scene) return null;
    const isNear = (/** @type {string} */ square) => middle(scene.game, square, scene.flipped).every((part, i) => Math.abs(part - at[i]) <= CELL / 2);
    return SHAPES[scene.game].squares.find(isNear) ?? null;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.act.press(this.focus, "key");
    } else if (steps[event.key] && this.scene && !this.byPointer) {
      event.preventDefault();
      const turn = isTurned(this.scene.game, this.scene.flipped) ? -1 : 1;
      const [column, row] = place(this.focus);
      const [dx, dy] = steps[event.key].map((step) => step * turn);
      const next = String.fromCharCode(97 + column + dx) + (row + dy + 1);
      if (this.buttons.has(next)) this.walk(next);
    }
  }

  /** Focuses the board, so that a player who uses keys need not begin at the top of the page. */
  keepFocus(isStepping = false) {
    this.walk(this.focus);
    this.byPointer = isStepping;
  }

  /** @param {string} square */
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
    const isBoard = shape === this.shape && before?.look === scene.look;
    if (!isBoard) this.ground.replaceChildren(ground(scene));
    if (shape !== this.shape || before?.fen !== scene.fen) this.land();
    this.shape = shape;
    this.root.setAttribute("aria-label", t("boardOf", { game: t(scene.game) }));
    layers(scene).forEach((layer, i) => {
      const old = this.paint.children[i];
      if (old) redraw(old, layer);
      else this.paint.append(layer);
    });
    this.label(scene, sides);
    if (animate && scene.travel && before?.game === scene.game && before.fen !== scene.fen) this.animate(before, scene, scene.travel);
    this.await();
  }

  /** Hides the moving pieces where they will land. */
  await() {
    for (const square of this.awaited) this.paint.querySelector(`[data-piece="${square}"]`)?.setAttribute("visibility", "hidden");
  }

  land() {
    for (const square of this.awaited) this.paint.querySelector(`[data-piece="${square}"]`)?.removeAttribute("visibility");
    this.awaited = [];
    this.flight.replaceChildren();
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
        // A player who uses keys sees what a mouse shows.
        if (button.matches(":focus-visible")) this.act.hover(square);
      });
      button.addEventListener("blur", () => { this.byPointer = false; this.act.hover(null); });
      this.buttons.set(square, button);
      this.squares.append(button);
    }
  }

  /** Says for screen readers what is on each square. @param {Scene} scene @param {[string, string]} sides */
  label(scene, sides) {
    const { pieces } = picture(scene.game, scene.fen);
    const targets = new Set(scene.targets);
    for (const [square, button] of this.buttons) {
      const piece = pieces.get(square);
      const side = piece?.side && sides[seatOf(piece.side)];
      const what = !piece ? t("free") : !side ? t("totem")
        : t(piece.height > 1 ? "stack" : "single", { side, value: piece.value, height: piece.height });
      const points = piece && piece.height > 1 ? scene.counted?.find((counted) => counted.square === square)?.points : undefined;
      const pawns = scene.stacks?.find((stack) => stack.square === square)?.pawns;
      const [a, b] = ["p1", "p2"].map((side) => pawns?.slice(0, -1).filter((of) => of === side).length);
      const below = pawns && !pawns.includes(null) ? t("below", { first: sides[0], a, second: sides[1], b }) : "";
      const more = [below, points === undefined ? "" : pointsOf(points), targets.has(square) ? t("canGo") : "", scene.chosen === square ? t("isChosen") : ""];
      const label = [square, what, ...more.filter(Boolean)].join(", ");
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
      button.classList.toggle("target", targets.has(square));
    }
  }

  /**
   * A step back is the same animation, run backwards.
   * @param {Scene} before @param {Scene} scene @param {{ route: string[], back: boolean }} travel
   */
  animate(before, scene, { route, back }) {
    const [old, now] = [picture(before.game, before.fen).pieces, picture(scene.game, scene.fen).pieces];
    const [from, to] = [route[0], route[route.length - 1]];
    if (!from) return;
    const draw = (/** @type {string} */ square, /** @type {Piece | undefined} */ piece) => {
      if (!piece) return null;
      const [x, y] = middle(scene.game, square, scene.flipped);
      const moving = svg("g", {}, drawPiece(scene.game, piece, scene.look));
      this.flight.append(svg("g", { transform: `translate(${x} ${y})` }, moving));
      return moving;
    };
    // The piece on the last square stays until the other lands on it.
    if (!back) draw(to, old.get(to)?.side ? old.get(to) : undefined);
    const moved = back ? now.get(from) : old.get(from);
    const isJump = scene.game === "yoxii";
    const stops = isJump ? [from, to] : route;
    const duration = travelTime(route.length - 1);
    /** @type {Promise<unknown>[]} */
    const done = [];
    let landed = 0;
    if (moved && !(back ? old : now).get(from)) {
      const [x, y] = middle(scene.game, from, scene.flipped);
      const frames = stops.map((square) => {
        const [sx, sy] = middle(scene.game, square, scene.flipped);
        return { transform: `translate(${sx - x}px, ${sy - y}px)`, easing: "ease-in-out" };
      });
      const element = draw(from, moved);
      if (element) done.push(element.animate(back ? frames.reverse() : frames, { duration, fill: "forwards" }).finished);
      this.awaited.push(back ? from : to);
      landed = duration;
    }
    const [here, there] = back ? [old, now] : [now, old];
    const placed = [...here].filter(([square, piece]) => isJump && piece.side && !there.has(square));
    for (const [square, piece] of placed) {
      const frames = [{ opacity: 0, transform: "scale(1.4)" }, { opacity: 1, transform: "none" }];
      const element = draw(square, piece);
      const timing = /** @type {const} */ ({ duration: DROP, delay: back ? 0 : landed, fill: "both", easing: "ease-out" });
      if (element) done.push(element.animate(back ? frames.reverse() : frames, timing).finished);
      if (!back) this.awaited.push(square);
    }
    const token = this.flight.firstElementChild;
    // Another animation may have replaced this one.
    void Promise.allSettled(done).then(() => { if (this.flight.firstElementChild === token) this.land(); });
  }
}
