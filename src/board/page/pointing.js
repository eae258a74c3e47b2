// What the player points at: where it leads, what it holds, and why the library refuses it.

import { SLIP } from "./boardview.js";
import { pointsOf, t } from "./strings.js";

/** How long a pointer rests on a stack until it is shown from the side, in milliseconds. */
const REST = 450;

export class Pointing {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {string | null} */
    this.at = null;
    /** @type {string | null} */
    this.side = null;
    /** @type {{ square: string, text: string } | null} */
    this.refused = null;
    this.byFinger = false;
    this.timer = 0;
    this.asked = 0;
  }

  clear() {
    clearTimeout(this.timer);
    this.asked++;
    this.at = this.side = this.refused = null;
  }

  /** @param {string | null} square @param {boolean} [byFinger] */
  hover(square, byFinger = false) {
    if (square === this.at) return;
    [this.at, this.byFinger] = [square, byFinger];
    clearTimeout(this.timer);
    this.side = null;
    const { app } = this.page;
    if (app.facts?.stacks.some((stack) => stack.square === square)) {
      this.timer = setTimeout(() => { this.side = square; this.page.draw("board"); }, REST);
    }
    this.page.draw("board");
  }

  /** @param {PointerEvent} event @param {Piece} piece */
  carry(event, piece) {
    const { app: { hand }, view, mode } = this.page;
    if (!hand.facts || event.button !== 0) return;
    const [x, y] = [event.clientX, event.clientY];
    const ended = new AbortController();
    let carried = false;
    document.addEventListener("pointermove", (move) => {
      if (!carried && (Math.hypot(move.clientX - x, move.clientY - y) <= SLIP || !hand.take(piece.value))) return;
      carried = true;
      view.carry(move, piece);
      this.hover(view.squareAt(move));
    }, { signal: ended.signal });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      document.addEventListener(end, (up) => {
        ended.abort();
        view.letGo();
        const square = carried && end === "pointerup" ? view.squareAt(up) : null;
        if (square) mode.act(hand.place(square), square);
      }, { signal: ended.signal });
    }
  }

  /** @param {string[]} squares */
  async refuse(squares) {
    const { page } = this;
    const { app } = page;
    const asked = ++this.asked;
    const [{ name }, { facts }, square] = [app.game, app, squares[squares.length - 1]];
    if (!facts) return;
    /** @type {{ why: string, steps?: number } | null} */
    const refusal = await app.hub.call({ ask: "refusal", game: name, fen: facts.fen, squares }).catch(() => null);
    if (asked !== this.asked || !refusal) return;
    this.refused = { square, text: t(`no.${refusal.why}`, { square, n: refusal.steps }) };
    page.draw("board");
  }

  /** @param {Facts} facts @returns {Partial<Scene>} */
  scene(facts) {
    const { hand } = this.page.app;
    const [{ isYoxii, first }, { at }] = [hand, this];
    const move = isYoxii ? "" : hand.completes(this.at) || hand.completes(hand.touched);
    const isTarget = this.at !== null && hand.targets.includes(this.at);
    const piece = first ? { side: facts.side, value: hand.held(facts, this.at), height: 1 } : { side: null, value: 0, height: 1 };
    return {
      route: move ? facts.routes[facts.moves.indexOf(move)] : [],
      ghost: isYoxii && isTarget && this.at ? { square: this.at, piece } : undefined,
      reach: hand.facts && !isYoxii && !first && at ? facts.moves.filter((move) => move.startsWith(at)).map((move) => move.slice(2)) : [],
      tip: isYoxii ? undefined : this.tip(facts),
      refused: this.refused?.square,
    };
  }

  /** @param {Facts} facts */
  tip(facts) {
    const { first } = this.page.app.hand;
    // A mouse may only rest where the piece is to go.
    if (first && first !== this.at && !(this.byFinger && this.side)) return undefined;
    const counted = facts.counted.flat().find(({ square }) => square === this.at);
    if (!counted) return undefined;
    const stack = this.side === this.at ? facts.stacks.find(({ square }) => square === this.at) : undefined;
    return { square: counted.square, text: pointsOf(counted.points), pawns: stack?.pawns };
  }

  get said() {
    return this.refused?.text ?? (this.page.app.hand.touched ? t("touchAgain") : "");
  }
}

/** How long a button is held until it repeats, and the time between two repeats, in milliseconds. */
const [PAUSE, BETWEEN] = [400, 110];

/** Makes buttons repeat while they are held, as keys do. @param {HTMLElement} place of the buttons @param {Record<string, () => void>} acts by their ids */
export function holding(place, acts) {
  let [timer, hasRepeated] = [0, false];
  const idOf = (/** @type {Event} */ { target }) => target instanceof Element ? target.closest("button")?.id ?? "" : "";
  place.addEventListener("pointerdown", (event) => {
    const id = idOf(event);
    clearTimeout(timer);
    hasRepeated = false;
    const repeat = () => {
      hasRepeated = true;
      acts[id]();
      timer = setTimeout(repeat, BETWEEN);
    };
    if (id in acts && event.button === 0 && event.isPrimary) timer = setTimeout(repeat, PAUSE);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => {
    clearTimeout(timer);
    // If a click follows, it follows at once.
    setTimeout(() => { hasRepeated = false; });
  });
  // The click that ends the repeats must not act once more.
  place.addEventListener("click", (event) => { if (hasRepeated && idOf(event) in acts) event.stopPropagation(); hasRepeated = false; }, true);
  // A finger that holds a button must not open the browser's menu.
  place.addEventListener("contextmenu", (event) => { if (hasRepeated || idOf(event) in acts) event.preventDefault(); });
}
