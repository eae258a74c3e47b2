// Setting a position up by hand, checked by the library.

import { drawPiece } from "./board.js";
import { SHAPES, fenOf, gameOf, picture } from "./notation.js";
import { reason, t } from "./strings.js";
import { html, svg } from "./svg.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./notation.js").Piece} Piece */

export class Editor {
  /** @param {App} app @param {(fen: string) => void} play begins a game */
  constructor(app, play) {
    this.app = app;
    this.play = play;
    this.fen = "";
    /** What was typed and is no position. */
    this.typed = "";
    /** What the next press puts on a square; null empties it. @type {Piece | null} */
    this.brush = null;
    this.height = 1;
    /** Why this is no position; empty where it is one. */
    this.problem = "";
    /** What holds in a legal position. @type {import("./engine.js").Facts | null} */
    this.facts = null;
    this.asked = 0;
    /** What was left half done for the other game's board. @type {Map<import("./notation.js").GameName, string>} */
    this.drafts = new Map();
  }

  leave() {
    if (this.app.mode === "setup") this.drafts.set(this.app.game.name, this.fen);
  }

  begin() {
    const { game, facts } = this.app;
    this.fen = this.drafts.get(game.name) ?? facts?.fen ?? game.fen;
    this.brush = null;
    void this.check();
  }

  get picture() {
    return picture(this.app.game.name, this.fen);
  }

  /** @param {(position: import("./notation.js").Picture) => void} change */
  edit(change) {
    const position = this.picture;
    change(position);
    this.fen = fenOf(this.app.game.name, position);
    void this.check();
  }

  /** @param {string} square */
  press(square) {
    this.edit(({ pieces }) => {
      const old = pieces.get(square);
      const brush = this.brush && { ...this.brush, height: this.app.game.name === "hokito" && this.brush.side ? this.height : 1 };
      const same = old && brush && old.side === brush.side && old.value === brush.value && old.height === brush.height;
      if (brush && !brush.side) for (const [other, piece] of pieces) if (!piece.side) pieces.delete(other);
      if (!brush || same) pieces.delete(square);
      else pieces.set(square, brush);
    });
  }

  /** @param {string} from @param {string} to */
  drop(from, to) {
    this.edit(({ pieces }) => {
      const piece = pieces.get(from);
      if (!piece) return;
      pieces.delete(from);
      pieces.set(to, piece);
    });
  }

  /** Asks the library whether this is a position. */
  async check() {
    const asked = ++this.asked;
    const { app } = this;
    /** @type {string} */
    let problem = "";
    let facts = null;
    try {
      facts = await app.ask(app.game.name, this.fen, []);
    } catch (why) {
      problem = why instanceof Error ? why.message : String(why);
    }
    if (asked !== this.asked) return;
    this.typed = "";
    this.facts = facts;
    this.problem = reason(problem);
    app.changed("all");
  }

  /** Takes a position as text, of either game; what is none stays in the field to be mended. @param {string} text */
  async type(text) {
    const { app } = this;
    const name = gameOf(text) ?? app.game.name;
    const asked = ++this.asked;
    try {
      const { fen } = await app.ask(name, text.trim(), []);
      if (asked !== this.asked) return;
      if (name !== app.game.name) app.change(name);
      this.fen = fen;
      void this.check();
    } catch (why) {
      if (asked !== this.asked) return;
      this.problem = reason(why instanceof Error ? why.message : String(why));
      this.typed = text;
      app.changed("all");
    }
  }

  /** @param {import("./look.js").Look} look @returns {HTMLElement[]} */
  panel(look) {
    const { app } = this;
    const name = app.game.name;
    const values = name === "yoxii" ? [1, 2, 3, 4] : [1, 2, 3];
    /** @type {(Piece | null)[]} */
    const brushes = /** @type {const} */ (["p1", "p2"]).flatMap((side) => values.map((value) => ({ side, value, height: 1 })));
    if (name === "yoxii") brushes.push({ side: null, value: 0, height: 1 });
    brushes.push(null);
    const tray = brushes.map((brush, i) => {
      const label = !brush ? t("free") : brush.side ? t("single", app.side(brush.side), brush.value) : t("totem");
      const picture = svg("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, brush ? drawPiece(name, brush, look)
        : svg("path", { d: "M-22 -22L22 22M22 -22L-22 22", stroke: "currentColor", "stroke-width": 8, "stroke-linecap": "round" }));
      const pressed = JSON.stringify(brush) === JSON.stringify(this.brush);
      return html("button", {
        id: `brush-${i}`, "aria-pressed": String(pressed), "aria-label": label, title: label,
        onclick: () => { this.brush = brush; app.changed("all"); },
      }, picture);
    });
    const position = this.picture;
    return [
      html("p", { class: "soft" }, t("editBoard")),
      html("div", { class: "tray row" }, ...tray),
      name === "hokito" ? html("div", { class: "fields" },
        html("label", { for: "height" }, t("heightUp")),
        html("input", { id: "height", type: "number", min: 1, max: 36, value: this.height, onchange: (/** @type {any} */ event) => { this.height = Math.max(1, Math.min(36, Number(event.target.value) || 1)); } })) : null,
      html("div", { class: "fields" },
        html("label", { for: "side" }, t("side")),
        html("select", { id: "side", onchange: (/** @type {any} */ event) => this.edit((p) => { p.side = event.target.value; }) },
          ...["p1", "p2"].map((side) => html("option", { value: side, selected: position.side === side }, app.side(/** @type {"p1"} */ (side))))),
        html("label", { for: "fen" }, t("fen")),
        html("input", { id: "fen", type: "text", value: this.typed || this.fen, spellcheck: "false", onchange: (/** @type {any} */ event) => void this.type(event.target.value) })),
      html("p", { id: "verdict", role: "status" }, this.problem ? t("refused", this.problem) : t("accepted")),
      html("div", { class: "row" },
        html("button", { id: "use-play", class: "main", disabled: Boolean(this.problem), onclick: () => void this.use("play") }, t("usePlay")),
        html("button", { id: "use-analyse", disabled: Boolean(this.problem), onclick: () => void this.use("analyse") }, t("useAnalyse")),
        html("button", { id: "empty", onclick: () => this.edit((p) => { p.pieces.clear(); }) }, t("empty")),
        html("button", { id: "usual", onclick: () => { this.fen = SHAPES[name].start; void this.check(); } }, t("usual"))),
    ].filter((node) => node !== null);
  }

  /** @param {"play" | "analyse"} mode */
  async use(mode) {
    const why = await this.app.take(this.fen);
    if (why) this.problem = why;
    else if (mode === "play") this.play(this.fen);
    else this.app.turnTo(mode);
    this.app.changed("all");
  }
}
