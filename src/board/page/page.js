// The page: board, players and cards, drawn anew when something has changed.

import { Analyse, lines as linesOf } from "./analysing.js";
import { Analysis } from "./liveanalysis.js";
import { App } from "./app.js";
import { drawPiece } from "./pieces.js";
import { BoardView, travelTime } from "./boardview.js";
import { Editor } from "./editor.js";
import { GameList } from "./games.js";
import { IN_SHARE, endOf, linkOf, linked, readPosition } from "./files.js";
import { Finale } from "./finale.js";
import { readLetter } from "./letterformat.js";
import { bar, graph } from "./graph.js";
import { Learn } from "./learn.js";
import { receive } from "./letters.js";
import { look } from "./look.js";
import { SHAPES, moved, otherSide, seatOf, winnerOf } from "./notation.js";
import { Matches, arrowOf } from "./match.js";
import * as panels from "./panels.js";
import { Play, Watch } from "./playing.js";
import { Pointing, holding } from "./pointing.js";
import { Review } from "./review.js";
import { Rules } from "./rules.js";
import { Sound } from "./sound.js";
import { Refused, number, playerName, pointsOf, t } from "./strings.js";
import { html, render, svg } from "./svg.js";
import { percent } from "./values.js";

const ICON = new URL("icon.svg", import.meta.url).href;

/** How long after the first press a second one resigns, in milliseconds. */
const SURE = 5000;

/** @param {string} id @returns {HTMLElement} */
function home(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Whether nothing has the focus, or nothing that can be pressed. */
function isLost() {
  return !document.activeElement || document.activeElement.matches("body, :disabled");
}

/** Returns a function that puts the pressed button back in its place, whatever has grown above it. @param {Element} pressed */
function held(pressed) {
  const place = [document.documentElement, home("panel")].find(({ scrollTop }) => scrollTop > 0);
  const { top } = pressed.getBoundingClientRect();
  return () => { if (place && pressed.isConnected) place.scrollTop += pressed.getBoundingClientRect().top - top; };
}

export class Page {
  /** @param {Hub} hub */
  constructor(hub) {
    this.app = new App(hub, {
      mode: () => this.mode, onMove: () => { this.fresh = true; },
      onFile: () => this.list.forget(), onLeave: () => this.matches.leave(),
    });
    this.matches = new Matches(this.app);
    this.analysis = new Analysis(this.app);
    this.review = new Review(this);
    this.list = new GameList(this);
    /** @type {Record<ModeName, Mode>} */
    this.modes = {
      play: new Play(this), learn: new Learn(this), analyse: new Analyse(this), setup: new Editor(this), review: this.review,
      watch: new Watch(this), rules: new Rules(this),
    };
    /** A move that was typed before it was the player's turn, and its game. @type {string | null} */
    this.ahead = null;
    /** @type {Game | null} */
    this.aheadOf = null;
    this.sound = new Sound();
    this.pointing = new Pointing(this);
    /** Whether the move that led here has just been made. */
    this.fresh = false;
    /** The last position that was drawn with its facts. @type {GameNode | null} */
    this.arrived = null;
    /** @type {Scene["travel"]} */
    this.travel = undefined;
    /** @type {GameNode | null} */
    this.drawn = null;
    /** The match in which a second press resigns. @type {Match | null} */
    this.resigning = null;
    this.sure = 0;
    /** @type {{ size: number, path: string } | null} */
    this.qr = null;
    /** What stands in the box for games and positions. */
    this.pasted = "";
    this.copied = "";
    this.copiedTimer = 0;
    /** The text that the browser refused to copy. */
    this.uncopied = "";
    /** Games of the file that was opened last. @type {ReadGame[]} */
    this.games = [];
    /** @type {{ moves: string[], facts: Facts } | null} a line that the board shows without going there */
    this.preview = null;
    this.pointed = "";
    /** Where the mouse was last: new lines may come under it while it rests. */
    this.pointer = { x: NaN, y: NaN };
    /** @type {Element | null} */
    this.revealed = null;
    const resized = new ResizeObserver(() => this.reveal());
    /** @param {Element | null} list of moves, which is there or is gone */
    this.watchList = (list) => list ? resized.observe(list) : resized.disconnect();
    this.view = new BoardView(home("board"), {
      press: (square, how) => this.mode.press(square, how),
      lift: (square) => this.mode.lift(square),
      drop: (from, to) => this.mode.drop(from, to),
      sweep: (square, other) => this.mode.sweep(square, other),
      grips: (square) => this.mode.grips(square),
      hover: (square, byFinger) => this.pointing.hover(square, byFinger),
    });
    this.finale = new Finale(this, home("finale"));
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    /** Whether the page is following an address, which it must not change meanwhile. */
    this.isFollowing = true;
    /** What the page shows since an address led nowhere: the address stays until the player goes elsewhere. */
    this.lost = "";
    this.listen();
  }

  listen() {
    this.app.watchers.push(() => void this.catchUp());
    this.app.listeners.push((change) => this.draw(change));
    setInterval(() => void this.readJournal(), 3000);
    holding(home("steps"), { back: () => this.step(-1), forward: () => this.step(1) });
    this.dark.addEventListener("change", () => this.draw("all"));
    for (const gesture of ["click", "keydown"]) addEventListener(gesture, () => { if (this.app.settings.sound) this.sound.wake(); });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("pagehide", () => this.app.saveNow());
    addEventListener("popstate", () => void this.follow());
  }

  async open() {
    this.draw("all");
    this.app.open();
    this.mode.enter();
    await this.follow();
  }

  async follow() {
    this.isFollowing = true;
    const { hash } = location;
    const [mode, ...words] = hash.slice(2).split("/");
    this.app.dismiss("link");
    /** @type {Why} */
    let why = null;
    if (hash.startsWith("#/") && Object.hasOwn(this.modes, mode)) this.go(/** @type {ModeName} */ (mode), words);
    else if (hash.length > 1) {
      if (!this.app.connected) await new Promise((resolve) => this.app.onceConnected.push(resolve));
      const [letter, link] = [readLetter(hash), linked(hash)];
      why = letter ? await receive(this, letter) : link ? await this.app.take(link.fen, link.moves) : () => "";
      const say = why;
      if (say) this.app.notify("link", letter ? say : () => `${t("brokenLink")}\n${say()}`.trim());
    }
    this.lost = why ? this.address : "";
    this.isFollowing = false;
    this.remember();
  }

  /** @param {ModeName} mode @param {string[]} words behind it */
  go(mode, words) {
    const { app } = this;
    const named = words.find((word) => Object.hasOwn(SHAPES, word)) ?? history.state?.game ?? app.game.name;
    this.modes[mode].go(words.filter((word) => word !== named));
    if (mode !== app.mode) this.turnTo(mode, false, named);
    else if (named !== app.game.name) this.change(named);
    else this.mode.enter();
  }

  /** Keeps the address in step with what is shown, so that Back leads to what was shown before. */
  remember() {
    const [{ state }, { address, app: { game: { name } } }] = [history, this];
    if (this.isFollowing || this.lost === address || state?.address === address && state.game === name) return;
    // An address that only becomes more exact replaces the one before.
    const isNew = this.lost || state?.address && !`${address}/`.startsWith(`${state.address}/`) || state?.game && state.game !== name;
    this.lost = "";
    history[isNew ? "pushState" : "replaceState"]({ address, game: name }, "", address);
  }

  get address() {
    return `#/${[this.app.mode, ...this.mode.address].join("/")}`;
  }

  get mode() {
    return this.modes[this.app.mode];
  }

  get look() {
    const { settings, game } = this.app;
    return look(game.name, this.isDark, settings.clear);
  }

  get isDark() {
    const { theme } = this.app.settings;
    return theme === "auto" ? this.dark.matches : theme === "dark";
  }

  /** @returns {Scene} */
  get scene() {
    const { app, mode, preview } = this;
    const { game, facts, hand } = app;
    const base = { game: game.name, look: this.look, flipped: app.flipped };
    if (mode.board) return { ...base, ...mode.board };
    const node = game.at;
    const previewRoute = game.name === "hokito" ? preview?.facts.last_route : [];
    if (preview) return { ...base, fen: preview.facts.fen, last: preview.moves.at(-1), lastRoute: previewRoute };
    const before = node.parent?.facts;
    const travel = { lastFrom: this.routeOf(node)[0], travel: this.travel };
    if (!facts && before && node.move) return { ...base, fen: moved(game.name, before.fen, node.move), last: node.move, ...travel };
    if (!facts) return { ...base, fen: game.fen };
    const led = hand.chosen ? [] : hand.led.slice(0, 1).map((move) => arrowOf(game.name, move, facts));
    const arrows = hand.first ? led : [...app.hints, ...mode.arrows];
    return {
      ...base, fen: hand.preview(facts), last: hand.first ? undefined : node.move ?? undefined,
      lastFrom: facts.last_route[0], ...this.pointing.scene(facts),
      lastRoute: game.name === "yoxii" || hand.first || arrows.length > 0 || facts.decision ? [] : facts.last_route,
      counted: facts.counted.flat(), stacks: facts.stacks, lit: this.finale.lit, travel: this.travel,
      targets: hand.first || game.name === "yoxii" ? hand.targets : [], chosen: hand.first ?? undefined, arrows, ...mode.scene,
    };
  }

  /** @param {Change} change */
  draw(change) {
    const { app } = this;
    // What the player pointed at belongs to the position before.
    if (this.drawn !== app.game.at) {
      [this.drawn, this.preview, this.qr, this.uncopied] = [app.game.at, null, null, ""];
      this.pointing.clear();
    }
    this.arrive();
    document.documentElement.dataset.mode = app.mode;
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    const motion = app.settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (change === "clock") return this.players();
    // By the next action, the player has read the refusal.
    if (change === "all") this.pointing.refused = null;
    if (change === "move") return this.board(motion);
    this.finale.update(motion);
    const focused = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
    const hold = change === "all" ? held(focused) : () => {};
    if (change === "all") render(this.mode.cards(), home("panel"));
    this.board(motion);
    home("board").dataset.preview = this.preview ? t("previewed", { n: this.preview.moves.length }) : "";
    this.bar();
    if (change !== "board") this.live();
    hold();
    if (change === "lines") return;
    this.players();
    this.status();
    render(this.mode.buttons(this.mode.walks ? panels.steps(this) : []), home("steps"));
    if (change !== "all") return;
    this.top();
    this.notices();
    const current = document.querySelector('#moves [aria-current="true"]');
    if (current !== this.revealed) this.reveal();
    this.revealed = current;
    this.remember();
    if (focused !== document.body && isLost()) this.focus(focused);
  }

  /** @param {boolean} motion */
  board(motion) {
    const { app } = this;
    this.view.show(this.scene, motion && !this.preview, [app.side("p1"), app.side("p2")]);
    this.travel = undefined;
  }

  /** Keeps the focus of a player who uses keys, though the button may be gone. @param {HTMLElement} before what had the focus */
  focus(before) {
    document.getElementById(before.id)?.focus({ preventScroll: true });
    if (!isLost()) return;
    const result = /** @type {HTMLElement | null} */ (document.querySelector("#finale:not([hidden]) .main:not(:disabled)"));
    if (result) result.focus({ preventScroll: true });
    else this.view.keepFocus(before.classList.contains("step"));
  }

  reveal() {
    const list = document.getElementById("moves");
    const move = /** @type {HTMLElement | null | undefined} */ (list?.querySelector('[aria-current="true"]'));
    if (list && !move) list.scrollTop = 0;
    if (!list || !move) return;
    const [top, { offsetHeight: height }] = [move.offsetTop - list.scrollTop, move];
    if (top < 0 || top + height > list.clientHeight) list.scrollTop = move.offsetTop - (list.clientHeight - height) / 2;
  }

  /** The squares that the move to a position passed. @param {GameNode} node */
  routeOf({ facts, move, parent }) {
    return facts?.last_route ?? parent?.facts?.routes[parent.facts.moves.indexOf(move ?? "")] ?? [];
  }

  arrive() {
    const { at } = this.app.game;
    const before = this.arrived;
    if (!at.facts && !at.parent?.facts || at === before) return;
    this.arrived = at;
    const route = this.routeOf(at);
    if (before && at.parent === before) this.travel = { route, back: false };
    else if (before && before.parent === at) this.travel = { route: this.routeOf(before), back: true };
    const steps = route.length - 1;
    if (this.fresh && this.app.settings.sound && steps > 0) this.sound.move(steps, travelTime(steps));
    this.fresh = false;
  }

  top() {
    const { app } = this;
    document.title = `${t(app.game.name)} – Totemic`;
    const games = /** @type {const} */ (["yoxii", "hokito"]);
    render([
      html("h1", {}, html("img", { src: ICON, alt: "" }), html("span", {}, "Totemic")),
      html("div", { class: "row switch", role: "group", "aria-label": t("game") },
        ...games.map((game) => html("button", {
          id: `game-${game}`, "aria-pressed": String(app.game.name === game), onclick: () => this.change(game),
        }, t(game)))),
      html("nav", { "aria-label": t("modes") }, .../** @type {ModeName[]} */ (Object.keys(this.modes)).map((mode) => html("button", {
        id: `mode-${mode}`, "aria-current": app.mode === mode ? "page" : undefined, onclick: () => this.turnTo(mode),
        class: app.waits(mode) ? "waits" : undefined, title: app.waits(mode) ? t("waitsHere") : undefined,
      }, t(mode)))),
    ], home("top"));
  }

  /** @param {ModeName} mode @param {boolean} [isMeant] whether the game that is shown is to be studied @param {"yoxii" | "hokito"} [game] */
  turnTo(mode, isMeant = false, game) {
    this.app.toTop();
    this.mode.exit();
    this.app.turnTo(mode, isMeant, game);
    this.mode.enter();
  }

  /** @param {"yoxii" | "hokito"} game */
  change(game) {
    if (game === this.app.game.name) return;
    this.mode.exit();
    this.app.change(game);
    this.mode.enter();
  }

  notices() {
    const place = home("notices");
    const before = place.childElementCount;
    render(this.app.notices.filter(({ key }) => !IN_SHARE.has(key)).map(({ key, say, act }) => html("div", { class: "notice", key },
      html("span", {}, ...panels.told(say())),
      html("span", { class: "row" },
        act ? html("button", { id: `act-${key}`, onclick: () => { this.app.dismiss(key); act.run(); } }, t(act.label)) : null,
        panels.button(`close-${key}`, "×", () => this.app.dismiss(key), { class: "drop", "aria-label": t("close"), title: t("close") })))),
    place);
    if (place.childElementCount > before) requestAnimationFrame(() => place.scrollIntoView({ block: "nearest" }));
  }

  /** The card that stays in view beside the board. @param {Child[]} parts */
  desk(...parts) {
    return html("section", { class: "card", id: "desk" }, ...parts);
  }

  live() {
    const [lines, graphs] = [document.getElementById("lines-live"), document.getElementById("graph-live")];
    // A move must not change under the player's finger.
    if (lines && !lines.querySelector(":active")) render(linesOf(this), lines);
    if (graphs && this.app.settings.points) void this.app.survey();
    const isEmpty = !this.app.settings.points && !this.app.game.line().some(({ judgement }) => judgement);
    if (graphs) render(isEmpty ? null : graph(this.app, this.look, t("graph")), graphs);
  }

  bar() {
    const { app, mode: { odds } } = this;
    const place = home("bar");
    place.classList.toggle("off", odds === null);
    if (odds === null) {
      place.setAttribute("aria-label", "");
      place.setAttribute("aria-hidden", "true");
      return;
    }
    place.removeAttribute("aria-hidden");
    const first = odds === 0 || odds === 1 ? 100 * odds : percent(odds);
    place.setAttribute("aria-label", t("odds", { first: app.side("p1"), a: first, second: app.side("p2"), b: 100 - first }));
    render(bar(this.look, odds, app.flipped), place);
  }

  players() {
    const sides = /** @type {[Side, Side]} */ (this.app.flipped ? ["p1", "p2"] : ["p2", "p1"]);
    render(this.player(sides[0]), home("upper"));
    render(this.player(sides[1]), home("lower"));
  }

  /** @param {Side} side */
  player(side) {
    const { app, matches, mode } = this;
    const { game } = app;
    const facts = mode.shownFacts;
    const seat = seatOf(side);
    const match = matches.shownMatch;
    const who = mode.who(seat);
    const turn = facts?.side === side && facts.moves.length > 0 && !match?.ended;
    const clock = match?.time === "clock" ? match.clocks[seat] : null;
    return [
      html("b", { class: turn ? "turn" : "" }, app.side(side)),
      who ? html("span", { class: "who soft", title: who }, who) : "",
      game.name === "yoxii" ? this.tray(side) : "",
      html("span", { class: "points" }, facts ? pointsOf(this.finale.points(seat, facts.score[seat])) : "–"),
      clock !== null ? html("span", { class: "clock" }, clockText(clock)) : "",
    ];
  }

  /** @param {Side} side */
  tray(side) {
    const { app: { facts, hand }, mode } = this;
    const left = mode.shownFacts?.reserves?.[seatOf(side)] ?? Array(4).fill("–");
    const active = hand.facts?.side === side;
    const held = active && facts ? hand.held(facts, this.pointing.at) : 0;
    return html("span", { class: "tray", role: "group", "aria-label": t("reserve", { side: this.app.side(side) }) },
      ...left.map((count, i) => html("button", {
        id: `tray-${side}-${i + 1}`, disabled: !active || count === 0, "aria-pressed": active ? String(held === i + 1) : undefined,
        "aria-label": t("pieceOf", { value: i + 1, n: count }), title: t("pieceOf", { value: i + 1, n: count }), onclick: () => this.choose(i + 1),
        onpointerdown: (/** @type {PointerEvent} */ event) => this.pointing.carry(event, { side, value: i + 1, height: 1 }),
      }, svg("svg", { viewBox: "-46 -46 92 92", "aria-hidden": "true" }, drawPiece("yoxii", { side, value: i + 1, height: 1 }, this.look)),
      html("span", {}, String(count)))));
  }

  /** @param {number} value */
  choose(value) {
    if (!this.app.hand.take(value)) return;
    this.pointing.refused = null;
    this.draw("board");
  }

  status() {
    const { app, mode } = this;
    const { come } = app.hub;
    const waits = come !== null && (!app.facts || [...app.players, app.analyst].some(({ link }) => link));
    const text = app.away ? t(app.away) : waits ? t("comes", { percent: come }) : mode.prompt();
    const place = home("status");
    if (place.textContent !== text) place.textContent = text;
    place.dataset.verdict = mode.brief();
    place.classList.toggle("long", text.length > 60);
    place.classList.toggle("previewed", this.preview !== null);
    // Screen readers say it; the eye finds it in the result.
    place.classList.toggle("told", this.finale.isOpen && this.matches.isAtEnd);
  }

  /** What sentences call a side: the name where two people play, else the side. @param {Side} side */
  called(side) {
    const { app, matches } = this;
    const isPair = matches.match?.engines.every((engine) => engine === null);
    const name = isPair && playerName(app.game.players[seatOf(side)]);
    return name ? { who: name, named: true } : { who: app.side(side) };
  }

  /** Who wins, with "you" where only one person plays here. @param {Side} winner */
  winText(winner) {
    const { app, matches } = this;
    const person = app.mode === "play" ? matches.person : null;
    return person ? t(person === winner ? "youWin" : "youLose") : t("wins", this.called(winner));
  }

  /** @param {Ending} ended */
  endedText(ended) {
    const { side } = ended;
    return `${this.toldEnd(ended)} ${t("over", { result: side ? this.winText(otherSide(side)) : t("draw") })}`.trim();
  }

  /** @param {Ending | null} ended @param {(side: Side) => { who: string }} [called] how a side is called */
  toldEnd(ended, called = (side) => this.called(side)) {
    return !ended || ended.why === "untold" ? "" : t(`end.${ended.why}`, ended.side ? called(ended.side) : {});
  }

  /** Who has won the game that ends in the shown position, whether by the rules or before. */
  resultText() {
    const { facts, match } = this.app;
    if (match?.ended) return this.winText(otherSide(match.ended.side));
    return facts?.result === "draw" ? t("draw") : this.winText(winnerOf(facts?.result));
  }

  /** @param {Facts} facts */
  endText(facts) {
    return `${t("over", { result: this.resultText() })} ${this.howEnded(facts)}`;
  }

  /** @param {Facts} facts of the last position */
  howEnded(facts) {
    return `${t("end.cannot", this.called(facts.side))} ${this.app.counted(facts, this.called("p1").who, this.called("p2").who)}`;
  }

  hint() {
    if (this.app.isYourTurn && !this.app.isSealed) void this.matches.hint();
  }

  get asksToResign() {
    return this.resigning !== null && this.resigning === this.matches.match;
  }

  resign() {
    clearTimeout(this.sure);
    if (this.asksToResign) {
      this.resigning = null;
      this.matches.resign();
      return;
    }
    this.resigning = this.matches.match;
    this.sure = setTimeout(() => { this.resigning = null; this.draw("all"); }, SURE);
    this.draw("all");
  }

  /** @param {number} by back when below 0 */
  step(by) {
    // The player wants to see the list of moves, which is on top.
    home("panel").scrollTop = 0;
    this.app.step(by);
  }

  flip() {
    this.app.flipped = !this.app.flipped;
    this.app.save();
    this.draw("all");
  }

  /**
   * Shows a line that the mouse moves to, but none that comes under a resting mouse.
   * @param {PointerEvent} event @param {string[]} moves
   */
  point(event, moves) {
    const { clientX, clientY } = event;
    const rests = clientX === this.pointer.x && clientY === this.pointer.y;
    this.pointer = { x: clientX, y: clientY };
    if (!rests && this.pointed !== moves.join(" ")) this.show(moves);
  }

  /** @param {string[] | null} moves */
  show(moves) {
    const { app } = this;
    this.preview = null;
    this.pointed = moves?.join(" ") ?? "";
    if (!moves) return this.draw("board");
    const node = app.game.at;
    void app.factsOf(app.game.name, app.game.fen, [...node.moves(), ...moves]).then((facts) => {
      if (app.game.at !== node || this.pointed !== moves.join(" ") || !document.querySelector(".pv button:hover")) return;
      this.preview = { moves, facts };
      this.draw("board");
    }, () => {});
  }

  /** @param {string[]} moves */
  walk(moves) {
    this.preview = null;
    this.pointed = "";
    const { app } = this;
    app.visit(moves.reduce((node, move) => node.child(move), app.game.at));
  }

  /** Plays what was typed, or keeps it until it is the player's turn. @param {string} text @returns {Promise<boolean>} whether it was taken */
  async typed(text) {
    const { app, matches } = this;
    this.ahead = null;
    if (!app.facts || !app.isYourTurn) {
      const waits = matches.thinking && matches.isRunning;
      if (waits) [this.ahead, this.aheadOf] = [text, app.game];
      app.dismiss("typed");
      if (waits) this.draw("all");
      else app.notify("typed", () => t("notYourTurn"));
      return waits;
    }
    let wanted;
    try {
      const { moves, fen } = app.facts;
      wanted = moves.includes(text) ? text : await app.hub.call({ ask: "typed", game: app.game.name, fen, text });
    } catch (why) {
      app.complain("typed", why);
      return false;
    }
    app.settle();
    if (app.isYourTurn) this.mode.move(wanted);
    return true;
  }

  async catchUp() {
    const { ahead: text, app } = this;
    if (text === null || this.aheadOf !== app.game) this.ahead = null;
    else if (app.isYourTurn && !await this.typed(text)) panels.retype(text);
  }

  /** @param {string} text */
  brieflySay(text) {
    home("status").textContent = text;
  }

  /** @param {string} text @param {string} [file] where it comes from */
  async load(text, file) {
    this.app.dismiss("load");
    await this.read(text, file);
    document.getElementById("share-said")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} text @param {string} [file] */
  async read(text, file = "") {
    if (/[\0\ufffd]/.test(text)) return this.app.notify("load", () => `${t("notText")}\n${file}`.trim());
    if (!text.trim()) return this.app.notify("load", () => t("noGameIn"));
    const letter = readLetter(text);
    const why = letter && await receive(this, letter);
    if (letter) return why ? this.app.notify("load", why) : undefined;
    const position = linked(text) ?? readPosition(text);
    if (position) return this.take(position);
    try {
      /** @type {(ReadGame | UnreadGame)[]} */
      const games = await this.app.hub.call({ ask: "read", game: this.app.game.name, text });
      this.games = games.flatMap((game) => "why" in game ? [] : [game]);
      if (this.games.length > 0) await this.take(this.games[0]);
      if (this.games.length > 1) this.app.notify("games", () => t("severalGames", { n: this.games.length }));
      if (games.length === 0) this.app.notify("load", () => t("noGameIn"));
      const wrong = games.filter((game) => "why" in game);
      const head = () => this.games.length > 0 ? t("someNotRead", { n: wrong.length }) : t("notRead");
      if (wrong.length > 0) this.app.complain("load", new Refused(wrong[0].why, wrong[0].reason), (why) => `${head()}\n${why}`);
    } catch (why) {
      this.app.complain("load", why);
    }
  }

  async showQr() {
    const { app } = this;
    const { at } = app.game;
    try {
      const qr = this.qr ? null : await app.hub.call({ ask: "qr", text: linkOf(app) });
      if (app.game.at === at) this.qr = qr;
    } catch (why) {
      app.complain("qr", why);
    }
    app.changed("all");
    document.querySelector(".qr")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Partial<ReadGame> & Pick<ReadGame, "fen" | "moves">} read a game, or only a position and its moves */
  async take({ fen, moves, tree, players, result = "none", termination = "untold" }) {
    const why = await this.app.take(fen, moves, tree, players, endOf({ result, termination, moves }));
    if (why) this.app.notify("load", () => `${t("notRead")}\n${why()}`);
  }

  /**
   * Begins a game, and asks first if that would break off another one.
   * @param {"play" | "watch"} kind @param {string} [from] the start, unless the settings tell it
   */
  begin(kind, from) {
    const { app, matches } = this;
    const { name } = app.game;
    const { play, watch } = app.settings;
    const begin = () => void (kind === "play" ? matches.beginPlay(name, play, from) : matches.beginWatch(name, watch, from));
    const board = app.room === kind ? app.board : app.aside.get(`${kind} ${name}`);
    if (kind === "watch" || !board || !app.isRunning(board) || board.game.root.children.length === 0) return begin();
    this.confirm(t("beginSure"), t("newGame"), begin);
  }

  /** @param {string} question @param {string} label of what is done @param {() => void} act */
  confirm(question, label, act) {
    const place = document.body.appendChild(document.createElement("div"));
    const close = () => { dialog.close(); place.remove(); };
    render(html("dialog", { id: "question", "aria-labelledby": "question-text", oncancel: () => place.remove() },
      html("p", { id: "question-text" }, question),
      html("div", { class: "row" },
        panels.button("question-yes", label, () => { close(); act(); }, { class: "main" }),
        panels.button("question-no", t("cancel"), close, { autofocus: true }))), place);
    const dialog = /** @type {HTMLDialogElement} */ (place.firstElementChild);
    dialog.showModal();
  }

  async readJournal() {
    if (!this.app.connected || !this.app.server.journal || document.hidden) return;
    await this.app.hub.journal?.read().then((isNew) => { if (isNew) this.app.changed("all"); }, (why) => this.app.complain("journal", why));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isTyped = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, dialog *");
    if (event.altKey || event.defaultPrevented || isTyped) return;
    const { keys, chords } = this.mode;
    const isChord = event.ctrlKey || event.metaKey;
    const act = isChord ? chords[(event.shiftKey ? "shift " : "") + event.key.toLowerCase()] : keys[event.key];
    const digit = isChord ? 0 : Number(event.key);
    if (digit >= 1 && digit <= 4) this.choose(digit);
    else if (act) {
      event.preventDefault();
      act();
    }
  }
}

/** @param {number} ms */
function clockText(ms) {
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 20) return number(seconds, 1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

