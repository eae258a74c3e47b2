// Setting a position up by hand, checked by the library.

import { isTurned } from "./drawing.js";
import { drawPiece } from "./pieces.js";
import { Mode } from "./mode.js";
import { EMPTY, SHAPES, fenOf, gameOf, otherSide, picture, readRows, rowsOf } from "./notation.js";
import { card } from "./panels.js";
import { store, stored } from "./store.js";
import { errorText, t } from "./strings.js";
import { html, svg } from "./svg.js";

const DRAFTS = "totemic-setup";

export class Editor extends Mode {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    this.fen = "";
    /** A text that is no position stays in its field, for the player to mend. */
    this.typed = "";
    /** What the next press does: moves what stands there, empties the square, or puts a piece on it. @type {"move" | "erase" | Piece} */
    this.brush = "move";
    /** @type {string | null} */
    this.picked = null;
    this.height = 1;
    /** A height that is out of range stays in its field. */
    this.wrongHeight = "";
    /** Whether the pieces leave only one side to move. */
    this.forced = false;
    /** Why this is no position; empty where it is one. */
    this.problem = "";
    /** @type {Facts | null} */
    this.facts = null;
    this.asked = 0;
    /** What was set up last for each game; a reload keeps it. @type {Partial<Record<GameName, string>>} */
    this.drafts = stored("sessionStorage", DRAFTS) ?? {};
    /** The positions to undo and to redo, the last one last. @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
    /** How much there was to undo before the stroke. */
    this.stroke = 0;
    /** The number of the row that cannot be read; 0 if there is none. */
    this.wrongRow = 0;
    /** Whether rows that were typed were the last change. */
    this.isTyped = false;
    this.app.watchers.push(() => { if (this.app.mode === "setup" && !this.fen) this.begin(); });
  }

  get walks() {
    return false;
  }

  get shownFacts() {
    return this.facts;
  }

  get board() {
    return { fen: this.fen || this.app.game.fen, counted: this.facts?.counted.flat(), chosen: this.picked ?? undefined };
  }

  who() {
    return "";
  }

  prompt() {
    return "";
  }

  cards() {
    const parts = this.panel(this.page.look);
    return [
      card(t("setup"), ...parts.slice(0, -1)), ...this.app.game.name === "hokito" ? [this.rows()] : [],
      html("section", { class: "card" }, ...parts.slice(-1)), ...this.lastCards(),
    ];
  }

  exit() {
    [this.fen, this.facts] = ["", null];
    this.asked++;
  }

  begin() {
    const { game, facts } = this.app;
    const draft = this.drafts[game.name];
    // A draft that the player is playing or analysing by now is no draft any more.
    this.fen = draft && draft !== game.fen ? draft : facts?.fen ?? game.fen;
    [this.brush, this.picked, this.wrongHeight] = ["move", null, ""];
    [this.past, this.future, this.isTyped] = [[], [], false];
    void this.check();
  }

  get chords() {
    const [undo, redo] = [() => this.undo(this.past, this.future), () => this.undo(this.future, this.past)];
    return { z: undo, "shift z": redo, y: redo };
  }

  /** @param {string[]} from @param {string[]} to */
  undo(from, to) {
    const fen = from.pop();
    if (!fen) return;
    to.push(this.fen);
    this.picked = null;
    this.show(fen);
  }

  get picture() {
    return picture(this.app.game.name, this.fen || this.app.game.fen);
  }

  /** @param {string} fen @param {boolean} [isTyped] in rows, which is undone as one */
  put(fen, isTyped = false) {
    if (fen !== this.fen) {
      if (!isTyped || !this.isTyped) this.past.push(this.fen);
      this.future = [];
    }
    this.show(fen, isTyped);
  }

  /** @param {string} fen @param {boolean} [isTyped] */
  show(fen, isTyped = false) {
    [this.isTyped, this.wrongRow] = [isTyped, 0];
    this.fen = this.drafts[this.app.game.name] = fen;
    store("sessionStorage", DRAFTS, this.drafts);
    void this.check();
  }

  /** @param {(position: Picture) => void} change */
  edit(change) {
    const position = this.picture;
    change(position);
    this.put(fenOf(this.app.game.name, position));
  }

  /** @param {string} square */
  press(square) {
    const { brush, picked } = this;
    const stands = this.picture.pieces.has(square);
    if (brush === "move") {
      if (picked && !stands) return this.drop(picked, square);
      this.picked = stands && picked !== square ? square : null;
      return this.app.changed("board");
    }
    if (brush !== "erase" && this.wrongHeight) return;
    this.stroke = this.past.length;
    this.paint(square, brush === "erase" ? null : this.sized(brush), true);
  }

  /** @param {string} square @param {Piece | null} piece @param {boolean} [again] whether the same piece is taken away again */
  paint(square, piece, again = false) {
    this.edit(({ pieces }) => {
      const old = pieces.get(square);
      const same = old && piece && old.side === piece.side && old.value === piece.value && old.height === piece.height;
      if (piece && !piece.side) for (const [other, it] of pieces) if (!it.side) pieces.delete(other);
      if (!piece || same && again) pieces.delete(square);
      else pieces.set(square, piece);
    });
  }

  /** A stroke puts on each square what it has put on the first, and is undone as one. @param {string} from @param {string} square */
  sweep(from, square) {
    const { brush } = this;
    if (brush === "move" || brush !== "erase" && (this.wrongHeight || !brush.side)) return;
    this.paint(square, this.picture.pieces.get(from) ?? null);
    this.past.length = Math.min(this.stroke + 1, this.past.length);
  }

  /** @param {string} square */
  grips(square) {
    return this.brush !== "move" || this.picture.pieces.has(square);
  }

  /** The field for rows: the fastest way to copy a board of wood. */
  rows() {
    const { app, app: { game: { name } } } = this;
    const turned = isTurned(name, app.flipped);
    const sides = [app.side("p1"), app.side("p2")];
    const letters = /** @type {[string, string]} */ (sides.map((side) => side[0].toLowerCase()));
    const told = [`${letters[0]}1 = ${t("single", { side: sides[0], value: 1 })}`, `${letters[1]}23 = ${t("stack", { side: sides[1], value: 2, height: 3 })}`,
      `${EMPTY} = ${t("free")}`];
    const type = (/** @type {{ target: HTMLTextAreaElement }} */ { target }) => {
      const pieces = readRows(name, target.value, letters, turned);
      if (typeof pieces !== "number") return this.put(fenOf(name, { pieces, side: this.picture.side }), true);
      this.wrongRow = pieces;
      app.changed("all");
    };
    return html("section", { class: "card" },
      html("label", { for: "rows" }, html("b", {}, t("byRows")), html("small", { class: "soft" }, ` ${told.join("; ")}`)),
      html("textarea", { id: "rows", "aria-invalid": String(this.wrongRow > 0), value: rowsOf(name, this.picture, letters, turned), rows: 6,
        spellcheck: false, autocapitalize: "off", autocomplete: "off", oninput: type }));
  }

  /** @param {Piece} piece @returns {Piece} */
  sized(piece) {
    return { ...piece, height: this.app.game.name === "hokito" && piece.side ? this.height : 1 };
  }

  /** @param {string} square */
  lift(square) {
    return this.brush === "move" ? this.picture.pieces.get(square) ?? null : null;
  }

  /** @param {string} from @param {string} to */
  drop(from, to) {
    if (this.brush !== "move") return;
    this.picked = null;
    this.edit(({ pieces }) => {
      const piece = pieces.get(from);
      if (!piece) return;
      pieces.delete(from);
      pieces.set(to, piece);
    });
  }

  /** Asks the library about the position. Where the pieces leave only the other side to move, that is set. */
  async check() {
    const asked = ++this.asked;
    const { app } = this;
    const { name } = app.game;
    const position = this.picture;
    const sides = /** @type {const} */ ([position.side, otherSide(position.side)]);
    const texts = sides.map((side) => fenOf(name, { ...position, side }));
    const [own, other] = await Promise.allSettled(texts.map((text) => app.factsOf(name, text, [])));
    if (asked !== this.asked) return;
    const isOther = own.status === "rejected" && other.status === "fulfilled";
    const found = isOther ? other : own;
    if (isOther) this.fen = texts[1];
    this.forced = own.status !== other.status;
    this.typed = "";
    this.facts = found.status === "fulfilled" ? found.value : null;
    const why = found.status === "rejected" ? found.reason : "";
    this.problem = position.pieces.size === 0 ? t("emptyBoard") : why ? t("refused", { why: errorText(why) }) : "";
    app.changed("all");
  }

  /** Sets up a position of either game. @param {string} text */
  async type(text) {
    const { app } = this;
    const name = gameOf(text) ?? app.game.name;
    const asked = ++this.asked;
    try {
      const { fen } = await app.factsOf(name, text.trim(), []);
      if (asked !== this.asked) return;
      if (name !== app.game.name) app.change(name);
      this.put(fen);
    } catch (why) {
      if (asked !== this.asked) return;
      this.problem = !text.includes("/") ? t("notPosition", { example: SHAPES[name].start }) : t("refused", { why: errorText(why) });
      this.typed = text;
      app.changed("all");
    }
  }

  /** @param {Look} look @returns {(VNode | null)[]} */
  panel(look) {
    const { app } = this;
    const name = app.game.name;
    /** @type {Piece[]} */
    const pieces = /** @type {const} */ (["p1", "p2"]).flatMap((side) => SHAPES[name].values.map((value) => ({ side, value, height: 1 })));
    if (name === "yoxii") pieces.push({ side: null, value: 0, height: 1 });
    /** @param {string} id @param {Editor["brush"]} what @param {string} label @param {SVGElement} picture */
    const brush = (id, what, label, picture) => html("button", {
      id, "aria-pressed": String(JSON.stringify(what) === JSON.stringify(this.brush)), "aria-label": label, title: label,
      onclick: () => { this.brush = what; this.picked = null; app.changed("all"); },
    }, svg("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, picture));
    const stroke = { fill: "none", stroke: "currentColor", "stroke-width": 7, "stroke-linecap": "round", "stroke-linejoin": "round" };
    const tray = [
      brush("tool-move", "move", t("toolMove"),
        svg("path", { ...stroke, d: "M0 -38V38M-38 0H38M-10 -28L0 -38L10 -28M-10 28L0 38L10 28M-28 -10L-38 0L-28 10M28 -10L38 0L28 10" })),
      brush("tool-erase", "erase", t("toolErase"), svg("g", {},
        svg("rect", { x: -34, y: -17, width: 60, height: 32, rx: 6, transform: "rotate(-40)", ...stroke }),
        svg("path", { d: "M-12 -19L13 6M-36 40H38", ...stroke }))),
      ...pieces.map((piece, i) => brush(`brush-${i}`, piece, piece.side ? t("single", { side: app.side(piece.side), value: piece.value }) : t("totem"),
        drawPiece(name, this.sized(piece), look))),
    ];
    const range = { min: 1, max: (this.facts ?? app.facts)?.tallest ?? 1 };
    const problem = this.wrongRow ? t("wrongRow", { n: this.wrongRow }) : this.problem;
    const [isOver, isWrong] = [this.facts?.moves.length === 0, Boolean(problem) || !this.facts];
    const type = (/** @type {any} */ event) => void this.type(event.target.value);
    const position = this.picture;
    return [
      html("div", { class: "tray palette" }, ...tray),
      html("div", { class: "row" },
        html("p", { id: "verdict", role: "status" }, problem || (this.facts && !this.wrongHeight ? t(isOver ? "alreadyOver" : "accepted") : "")),
        html("button", { id: "use-play", class: "main", disabled: isWrong || isOver, onclick: () => void this.use("play") }, t("usePlay")),
        html("button", { id: "use-analyse", disabled: isWrong, onclick: () => void this.use("analyse") }, t("useAnalyse")),
        html("button", { id: "empty", onclick: () => this.edit((p) => { p.pieces.clear(); }) }, t("empty")),
        html("button", { id: "usual", onclick: () => this.put(SHAPES[name].start) }, t("usual")),
        this.past.length > 0 ? html("button", { id: "undo", onclick: this.chords.z }, t("takeback")) : null),
      html("p", { class: "soft" }, t("editBoard")),
      name === "hokito" ? html("div", { class: "fields" },
        html("label", { for: "height" }, t("heightUp")),
        html("input", {
          id: "height", type: "number", ...range, value: this.wrongHeight || this.height, "aria-invalid": String(this.wrongHeight !== ""),
          onchange: (/** @type {any} */ event) => {
            const { value, validity } = event.target;
            this.wrongHeight = validity.valid && value ? "" : value || "–";
            if (!this.wrongHeight) this.height = Number(value);
            app.changed("all");
          },
        })) : null,
      this.wrongHeight && name === "hokito" ? html("p", { id: "wrong-height", role: "alert" },
        t(this.wrongHeight === "–" ? "heightWanted" : "heightRange", { height: this.wrongHeight, ...range })) : null,
      html("div", { class: "fields" },
        html("label", { for: "side" }, t("side")),
        html("select", {
          id: "side", value: position.side, disabled: this.forced, title: this.forced ? t("sideFollows") : undefined,
          onchange: (/** @type {any} */ event) => this.edit((p) => { p.side = event.target.value; }),
        }, ...["p1", "p2"].map((side) => html("option", { value: side }, app.side(/** @type {"p1"} */ (side))))),
        html("label", { for: "fen" }, t("fen")),
        html("input", { id: "fen", type: "text", value: this.typed || this.fen, spellcheck: false, oninput: type, onchange: type })),
    ];
  }

  /** @param {"play" | "analyse"} mode */
  async use(mode) {
    if (mode === "play") return this.page.begin("play", this.fen);
    const why = await this.app.take(this.fen);
    if (why) this.problem = t("refused", { why: why() });
    this.app.changed("all");
  }
}
