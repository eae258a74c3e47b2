// What the page asks each mode, with the answers of most modes.

import { sharing } from "./files.js";
import * as panels from "./panels.js";
import { LETTERS, otherSide } from "./notation.js";
import { t } from "./strings.js";

export class Mode {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.app = page.app;
  }

  /** Whether the player may move in the shown position, if it has moves. */
  get mayMove() {
    return false;
  }

  /** Whether the player can step through the moves of a game. */
  get walks() {
    return true;
  }

  /** The words behind its name in the address. @returns {string[]} */
  get address() {
    return [];
  }

  /** Shows what an address asks for. @param {string[]} words behind its name */
  go(words) {
    void words;
  }

  /** Called when the mode is shown, or the other game in it. */
  enter() {}

  /** Called before another mode or game is shown. */
  exit() {}

  /** The facts of the position on the board; until they are known, those of the one before. @returns {Facts | null} */
  get shownFacts() {
    const { app } = this;
    return this.page.preview?.facts ?? app.facts ?? app.game.at.parent?.facts ?? null;
  }

  /** The position that the texts beside the board are about. */
  get at() {
    return this.app.game.at;
  }

  /** @param {0 | 1} seat */
  who(seat) {
    return this.page.matches.name(seat);
  }

  /** The odds of the first side that the bar shows; null for no bar. @returns {number | null} */
  get odds() {
    return null;
  }

  /** Arrows beside those of a hint. @returns {Arrow[]} */
  get arrows() {
    return [];
  }

  /** Moves that the page suggests, the best first: a player who begins one means the whole of it. @returns {string[]} */
  get suggestions() {
    return [...this.app.hints, ...this.arrows].flatMap(({ move }) => move ?? []);
  }

  /** What this mode changes on the board. @returns {Partial<Scene>} */
  get scene() {
    return {};
  }

  /** A board to show instead of the game's. @returns {(Partial<Scene> & { fen: string }) | null} */
  get board() {
    return null;
  }

  /** What stands beside the board. @returns {VNode[]} */
  cards() {
    return [panels.settings(this.page)];
  }

  /** The last cards of a mode with games. @returns {VNode[]} */
  lastCards() {
    const { page } = this;
    return [page.list.card(), sharing(page), panels.settings(page)];
  }

  /** How the game ended, if the shown position is its end. @returns {VNode[]} */
  end() {
    const { facts } = this.app;
    return facts?.decision ? [panels.ending(this.page, facts)] : [];
  }

  /** The buttons below the board. @param {VNode[]} steps those that step through the moves and turn the board @returns {VNode[]} */
  buttons(steps) {
    return steps;
  }

  /** The sentence below the board. */
  prompt() {
    const { facts } = this.app;
    return facts ? this.situation(facts) : "";
  }

  /** The same, short enough to stand beside the prompt in a low window. */
  brief() {
    return "";
  }

  /** The move that led here, as the first of two sentences. @param {Facts} facts */
  moved({ side }) {
    const { app, page } = this;
    const { move } = app.game.at;
    return move ? `${t("moved", { ...page.called(otherSide(side)), move: app.spell(move) })} ` : "";
  }

  /** Says what the player can do in the shown position. @param {Facts} facts */
  situation(facts) {
    const { page, app, app: { game, hand } } = this;
    if (facts.moves.length === 0) return page.endText(facts);
    if (page.pointing.said) return page.pointing.said;
    if (page.matches.hinting === game.at) return t("hintLooks");
    const hint = app.hints.find(({ move }) => !hand.first || hand.led[0] === move && !hand.chosen);
    if (hint?.move) return t("hintMove", { move: app.spell(hint.move, true) });
    if (hand.first) return t(`next.${game.name}`, { ...page.called(facts.side), piece: LETTERS[hand.held(facts, page.pointing.at) - 1] });
    if (app.endedHere) return this.moved(facts) + page.endedText(app.endedHere);
    return this.moved(facts) + t(this.invites, page.called(facts.side));
  }

  /** The sentence that asks for a move. @returns {string} */
  get invites() {
    return this.app.game.name === "yoxii" && this.app.isYourTurn ? "totemFirst" : "toMove";
  }

  /** @returns {Record<string, () => void>} */
  get keys() {
    const { page, app } = this;
    const step = (/** @type {number} */ by) => () => page.step(by);
    return {
      ...this.walks ? { ",": step(-1), ".": step(1), ArrowLeft: step(-1), ArrowRight: step(1), Home: step(-999), End: step(999) } : {},
      f: () => page.flip(), h: () => page.hint(), m: () => document.getElementById("typed")?.focus(),
      a: () => { if (app.mode !== "analyse") page.turnTo("analyse"); page.analysis.toggle(); },
      Escape: () => { page.ahead = null; app.hand.clear(); page.pointing.clear(); page.finale.close(); page.draw("all"); },
    };
  }

  /** What is done by keys pressed with Ctrl or Cmd. @returns {Record<string, () => void>} */
  get chords() {
    return {};
  }

  /** Whether a finger that moves from a square drags something; else it scrolls the page. @param {string} square */
  grips(square) {
    return this.app.hand.grips(square);
  }

  /** Called for each square that a pressed pointer passes. @param {string} from where it was pressed @param {string} square */
  sweep(from, square) {
    void [from, square];
  }

  /** @param {string} square @param {How} how */
  press(square, how) {
    const { app, app: { game: { at } } } = this;
    // The library has not told yet what is legal here: the press counts once it has.
    if (!app.facts) void app.factsKnown.then(() => { if (app.facts && app.game.at === at) this.press(square, how); });
    // A finger that rests on a stack only looks into it.
    else if (how !== "touch" || this.page.pointing.side !== square) this.act(app.hand.press(square, how), square);
  }

  /** The piece that follows a pointer from a square. @param {string} square @returns {Piece | null} */
  lift(square) {
    return this.app.hand.lift(square);
  }

  /** @param {string} from @param {string} to */
  drop(from, to) {
    this.act(this.app.hand.drop(from, to), to);
  }

  /** @param {Deed} deed @param {string} square where it was done */
  act({ move, refused }, square) {
    const { page } = this;
    if (refused) return void page.pointing.refuse(refused);
    page.pointing.clear();
    page.pointing.at = square;
    if (move) this.move(move);
    else page.draw("board");
  }

  /** Plays a whole move of the player. @param {string} move */
  move(move) {
    this.page.matches.move(move);
  }
}
