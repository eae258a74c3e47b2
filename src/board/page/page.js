// The page: board, players and cards, drawn anew when something has changed.

import { Analysis } from "./analysis.js";
import { App } from "./app.js";
import { drawPiece } from "./pieces.js";
import { BoardView, travelTime } from "./boardview.js";
import { Editor } from "./editor.js";
import { GameList } from "./games.js";
import { linkOf, linked, readPosition } from "./files.js";
import { Finale } from "./finale.js";
import { bar, graph } from "./graph.js";
import { look } from "./look.js";
import { Matches } from "./match.js";
import { Review } from "./review.js";
import { LETTERS, picture } from "./notation.js";
import * as panels from "./panels.js";
import { Pointing } from "./pointing.js";
import { Sound } from "./sound.js";
import * as starting from "./starting.js";
import { asked, reviewing, story } from "./story.js";
import { number, playerName, pointsOf, t } from "./strings.js";
import { html, svg } from "./svg.js";
import { percent } from "./values.js";

/** @typedef {import("./notation.js").Side} Side */
/** @typedef {import("./store.js").Mode} Mode */

/** @type {Mode[]} */
const MODES = ["play", "learn", "analyse", "setup", "review", "watch", "rules"];

const ICON = new URL("icon.svg", import.meta.url).href;

/** How long a second press resigns, in milliseconds. */
const SURE = 5000;

/** @param {string} id @returns {HTMLElement} */
function home(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Puts new contents in place without losing the focus; what is there already stays. @param {HTMLElement} place @param {(Node | string)[]} contents */
function fill(place, ...contents) {
  const focused = document.activeElement;
  const id = focused && place.contains(focused) ? focused.id : "";
  const typed = focused instanceof HTMLInputElement ? { value: focused.value, at: focused.selectionStart } : null;
  const open = new Set([...place.querySelectorAll("details[open]")].map((details) => details.id));
  const typedText = () => /** @type {HTMLTextAreaElement | null} */ (place.querySelector("#paste"));
  const paste = typedText()?.value;
  // Nor is a press lost because its button was drawn anew in the middle of it.
  const olds = [...place.children].filter((old) => old.matches(".lasting"));
  contents = contents.map((it) => olds.find((old) => typeof it !== "string" && old.isEqualNode(it)) ?? it);
  for (const child of [...place.childNodes]) if (!contents.includes(child)) child.remove();
  contents.forEach((it, i) => {
    if (place.childNodes[i] !== it) place.insertBefore(typeof it === "string" ? document.createTextNode(it) : it, place.childNodes[i] ?? null);
  });
  for (const details of place.querySelectorAll("details")) details.open = open.has(details.id);
  const area = typedText();
  if (area && paste) area.value = paste;
  const again = id ? document.getElementById(id) : null;
  if (again === focused) return;
  again?.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && again.type === "text" && typed) {
    again.value = typed.value;
    again.setSelectionRange(typed.at, typed.at);
  }
}

/** Returns what keeps the pressed button where it is: while its cards change, the panel is too short to stay scrolled. */
function held() {
  const place = [document.documentElement, home("panel")].find(({ scrollTop }) => scrollTop > 0);
  if (!place) return () => {};
  const pressed = /** @type {HTMLElement} */ (document.activeElement);
  const [{ scrollTop }, { top }] = [place, pressed.getBoundingClientRect()];
  return () => {
    place.scrollTop = scrollTop;
    const again = pressed.id && document.getElementById(pressed.id);
    if (again) place.scrollTop += again.getBoundingClientRect().top - top;
  };
}

export class Page {
  /** @param {import("./transport.js").Hub} hub */
  constructor(hub) {
    this.app = new App(hub);
    this.matches = new Matches(this.app);
    this.analysis = new Analysis(this.app);
    this.editor = new Editor(this.app, (fen) => this.begin("play", fen));
    this.review = new Review(this.app);
    this.list = new GameList(this);
    /** Lessons and puzzles, once somebody has asked for them. @type {import("./learn.js").Learn | null} */
    this.learn = null;
    this.sound = new Sound();
    this.pointing = new Pointing(this);
    /** Whether the move that led here has just been made. */
    this.fresh = false;
    /** The position that was drawn last and about which all was known. @type {import("./tree.js").Node | null} */
    this.arrived = null;
    /** The way to here from there. @type {import("./board.js").Scene["travel"]} */
    this.travel = undefined;
    /** The position that was drawn last. @type {import("./tree.js").Node | null} */
    this.drawn = null;
    /** The match in which a second press resigns. @type {import("./match.js").Match | null} */
    this.resigning = null;
    this.sure = 0;
    /** The code of the game's link, while it is shown. @type {{ size: number, path: string } | null} */
    this.qr = null;
    /** The button that has copied something just now. */
    this.copied = "";
    /** What the browser did not copy. */
    this.uncopied = "";
    /** Games of the file that was opened last. @type {any[]} */
    this.games = [];
    /** Games of the match that is followed. @type {any[]} */
    this.journal = [];
    setInterval(() => void this.readJournal(), 3000);
    /** @type {{ moves: string[], facts: import("./engine.js").Facts } | null} a line that is shown without going there */
    this.preview = null;
    /** The line that the mouse is on. */
    this.pointed = "";
    /** Where the mouse was last seen on a line. */
    this.pointer = { x: NaN, y: NaN };
    /** What stays in view beside the board. */
    this.desk = html("section", { class: "card", id: "desk" });
    /** Parts that stay as they are until what they show has changed. @type {Map<string, { key: unknown[], part: any }>} */
    this.built = new Map();
    /** The move that was last brought into view. @type {Element | null} */
    this.revealed = null;
    this.resized = new ResizeObserver(() => this.reveal());
    this.view = new BoardView(home("board"), {
      press: (square, how) => this.press(square, how),
      drop: (from, to) => this.drop(from, to),
      hover: (square, byFinger) => this.pointing.hover(square, byFinger),
    });
    this.finale = new Finale(this, home("board"));
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.draw("all"));
    this.app.listeners.push((change) => this.draw(change));
    this.app.onMove = () => { this.fresh = true; };
    for (const gesture of ["click", "keydown"]) addEventListener(gesture, () => { if (this.app.settings.sound) this.sound.wake(); });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("pagehide", () => this.app.saveNow());
    addEventListener("hashchange", () => void this.follow());
  }

  async open() {
    this.draw("all");
    this.app.open();
    if (this.app.mode === "learn") void this.teach();
    if (location.hash) await this.follow();
  }

  /** Goes to the position of the link in the address. */
  async follow() {
    const link = linked();
    if (!location.hash) return;
    history.replaceState(null, "", location.pathname);
    while (!this.app.connected) await new Promise((resolve) => setTimeout(resolve, 50));
    const why = link && await this.app.take(link.fen, link.moves);
    if (why !== "") this.app.notify("link", `${t("brokenLink")}\n${why ?? ""}`.trim());
  }

  get look() {
    const { settings, game } = this.app;
    return look(game.name, this.isDark, settings.clear);
  }

  get isDark() {
    const { theme } = this.app.settings;
    return theme === "auto" ? this.dark.matches : theme === "dark";
  }

  /** @returns {import("./board.js").Scene} */
  get scene() {
    const { app, matches, analysis, editor } = this;
    const { game, facts, hand } = app;
    const base = { game: game.name, look: this.look, flipped: app.flipped };
    if (app.mode === "setup") return { ...base, fen: editor.fen || game.fen, counted: editor.facts?.counted.flat(), chosen: editor.picked ?? undefined, loose: editor.brush === "move" };
    const node = game.at;
    if (this.preview) return { ...base, fen: this.preview.facts.fen, last: this.preview.moves.at(-1), lastRoute: game.name === "hokito" ? this.preview.facts.last_route : [] };
    if (!facts) return { ...base, fen: node.parent?.facts?.fen ?? game.fen };
    const yours = matches.yours;
    const last = node.move ?? undefined;
    const shown = (app.mode === "analyse" || app.mode === "review") && !this.review.asking;
    const told = app.mode === "review" && this.review.shown;
    const arrows = hand.first ? [] : shown ? [...app.hints, ...(told ? this.review.arrows : analysis.arrows)] : app.hints;
    const pointed = this.pointing.scene(facts, yours);
    return {
      ...base, fen: hand.preview(game.name, facts), last: hand.first ? undefined : last, lastFrom: facts.last_route[0], ...pointed,
      lastRoute: game.name === "yoxii" || hand.first || arrows.length > 0 || facts.decision ? [] : facts.last_route,
      counted: facts.counted.flat(), stacks: facts.stacks, lit: this.finale.lit, travel: this.travel,
      targets: yours && !told ? (hand.first || game.name === "yoxii" ? hand.targets(facts) : []) : [],
      chosen: hand.first ?? undefined,
      heats: shown ? analysis.heats(hand.first) : undefined,
      arrows,
    };
  }

  /** @param {import("./app.js").Change} change */
  draw(change) {
    const { app } = this;
    // What is pointed at is told of the position that it was pointed at in.
    if (this.drawn !== app.game.at) {
      [this.drawn, this.preview, this.qr, this.uncopied] = [app.game.at, null, null, ""];
      this.pointing.clear();
    }
    this.arrive();
    document.documentElement.dataset.mode = app.mode;
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    const motion = app.settings.motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (change === "clock") return this.players();
    // Whatever is done next, a refusal has been read.
    if (change === "all") this.pointing.refused = null;
    this.finale.look(motion);
    const hold = change === "all" ? held() : () => {};
    if (change === "all") fill(home("panel"), ...this.cards());
    this.view.show(this.scene, motion && !this.preview, [app.side("p1"), app.side("p2")]);
    this.travel = undefined;
    home("board").dataset.preview = this.preview ? t("previewed", { n: this.preview.moves.length }) : "";
    this.bar();
    if (change !== "board") this.live();
    hold();
    if (change === "lines") return;
    this.players();
    this.status();
    this.steps();
    if (change !== "all") return;
    this.top();
    this.notices();
    const current = document.querySelector('#moves [aria-current="true"]');
    if (current !== this.revealed) this.reveal();
    this.revealed = current;
  }

  /**
   * A part as it was built before, unless something that it shows has changed.
   * @template T @param {string} id @param {unknown[]} key all that it shows @param {() => T} build @returns {T}
   */
  keep(id, key, build) {
    const known = this.built.get(id);
    if (known?.key.every((it, i) => it === key[i])) return known.part;
    const part = build();
    this.built.set(id, { key, part });
    return part;
  }

  /** Brings the move that is shown into view in its list. */
  reveal() {
    const list = document.getElementById("moves");
    const move = /** @type {HTMLElement | null | undefined} */ (list?.querySelector('[aria-current="true"]'));
    if (!list || !move) return;
    const [top, { offsetHeight: height }] = [move.offsetTop - list.scrollTop, move];
    if (top < 0 || top + height > list.clientHeight) list.scrollTop = move.offsetTop - (list.clientHeight - height) / 2;
  }

  /** Sees whether another position is shown now, and which way leads there from the one before. */
  arrive() {
    const { at } = this.app.game;
    const before = this.arrived;
    if (!at.facts || at === before) return;
    this.arrived = at;
    if (before && at.parent === before) this.travel = { route: at.facts.last_route, back: false };
    else if (before?.facts && before.parent === at) this.travel = { route: before.facts.last_route, back: true };
    const steps = at.facts.last_route.length - 1;
    if (this.fresh && this.app.settings.sound && steps > 0) this.sound.move(steps, travelTime(steps));
    this.fresh = false;
  }

  top() {
    const { app } = this;
    document.title = `${t(app.game.name)} – Totemic`;
    const games = /** @type {const} */ (["yoxii", "hokito"]);
    fill(home("top"),
      html("h1", {}, html("img", { src: ICON, alt: "" }), html("span", {}, "Totemic")),
      html("div", { class: "row", role: "group", "aria-label": t("game") },
        ...games.map((game) => html("button", {
          id: `game-${game}`, "aria-pressed": String(app.game.name === game), onclick: () => this.change(game),
        }, t(game)))),
      html("nav", { "aria-label": t("modes") }, ...MODES.map((mode) => html("button", {
        id: `mode-${mode}`, "aria-current": app.mode === mode ? "page" : undefined, onclick: () => this.turnTo(mode),
        class: app.waits(mode) ? "waits" : undefined, title: app.waits(mode) ? t("waitsHere") : undefined,
      }, t(mode)))));
  }

  /** @param {Mode} mode @param {boolean} [isMeant] whether the game that is shown is to be studied */
  turnTo(mode, isMeant = false) {
    this.app.toTop();
    this.editor.leave();
    this.app.turnTo(mode, isMeant);
    if (mode === "learn") void this.teach();
  }

  /** Shows a lesson or a puzzle. They are loaded when they are first asked for. */
  async teach() {
    try {
      const { Learn } = await import("./learn.js");
      this.learn ??= new Learn(this);
      await this.learn.open();
      this.app.dismiss("learn");
    } catch (why) {
      console.error(why);
      this.app.notify("learn", t("notLoaded"));
    }
  }

  /** @param {"yoxii" | "hokito"} game */
  change(game) {
    if (game === this.app.game.name) return;
    this.editor.leave();
    this.app.change(game);
    if (this.app.mode === "learn") void this.teach();
  }

  notices() {
    fill(home("notices"), ...this.app.notices.filter(({ key }) => !panels.IN_SHARE.has(key)).map(({ key, text, act }) => html("div", { class: "notice" },
      html("span", {}, ...panels.told(text)),
      html("span", { class: "row" },
        act ? html("button", { id: `act-${key}`, onclick: () => { this.app.dismiss(key); act.run(); } }, act.label) : null,
        html("button", { id: `close-${key}`, class: "drop", onclick: () => this.app.dismiss(key), "aria-label": t("close"), title: t("close") }, "×")))));
  }

  /** @returns {HTMLElement[]} */
  cards() {
    const { app } = this;
    const rest = [this.list.card(), panels.sharing(this), panels.settings(this)];
    const desk = (/** @type {(HTMLElement | null)[]} */ ...parts) => {
      fill(this.desk, ...parts.filter((part) => part !== null));
      return this.desk;
    };
    const end = app.facts?.decision ? [panels.ending(this, app.facts)] : [];
    switch (app.mode) {
      case "play": return [
        ...(app.settings.known ? [] : [panels.welcome(this)]),
        desk(panels.playing(this), panels.finished(this), panels.moveList(this), panels.typing(this)), ...end, starting.newGame(this), ...rest];
      case "setup": return [panels.card(t("setup"), ...this.editor.panel(this.look)), ...rest];
      case "watch": return [
        ...(app.server.journal ? [panels.gameList(this, t("journal"), this.journal, true)] : []),
        ...starting.watching(this, desk), ...end, panels.graphCard(this), ...rest];
      case "review": return [
        desk(reviewing(this), panels.engine(this), panels.moveList(this)), ...story(this), ...end, panels.graphCard(this), panels.analysing(this), ...rest];
      case "learn": return [...(this.learn ? [this.learn.card()] : []), panels.settings(this)];
      case "rules": return [panels.ruleBook(this), panels.settings(this)];
      default: return [desk(panels.engine(this), panels.moveList(this)), ...end,
        ...(this.games.length > 1 ? [panels.gameList(this, t("gamesInFile"), this.games)] : []),
        panels.graphCard(this), panels.analysing(this), html("section", { class: "card" }, panels.typing(this)), ...rest];
    }
  }

  live() {
    const [lines, graphs] = [document.getElementById("lines-live"), document.getElementById("graph-live")];
    if (lines) fill(lines, panels.lines(this));
    if (graphs && this.app.settings.points) void this.app.survey();
    if (graphs) fill(graphs, graph(this.app, this.look, t("graph")));
  }

  bar() {
    const { app, analysis } = this;
    const place = home("bar");
    const shown = ["analyse", "review", "watch"].includes(app.mode);
    const odds = shown ? app.mode === "watch" ? app.game.at.judgement?.odds ?? app.game.at.parent?.judgement?.odds ?? null : analysis.bar : null;
    place.classList.toggle("off", odds === null);
    if (odds === null) {
      place.setAttribute("aria-label", "");
      place.setAttribute("aria-hidden", "true");
      return;
    }
    place.removeAttribute("aria-hidden");
    const first = odds === 0 || odds === 1 ? 100 * odds : percent(odds);
    place.setAttribute("aria-label", t("odds", { first: app.side("p1"), a: first, second: app.side("p2"), b: 100 - first }));
    place.replaceChildren(...bar(this.look, odds, app.flipped));
  }

  players() {
    const sides = /** @type {[Side, Side]} */ (this.app.flipped ? ["p1", "p2"] : ["p2", "p1"]);
    fill(home("upper"), ...this.player(sides[0]));
    fill(home("lower"), ...this.player(sides[1]));
  }

  /** @param {Side} side */
  player(side) {
    const { app, matches } = this;
    const { game } = app;
    const facts = app.mode === "setup" ? this.editor.facts : this.preview?.facts ?? app.facts ?? game.at.parent?.facts ?? null;
    const seat = side === "p1" ? 0 : 1;
    const match = matches.shown;
    const who = app.mode === "setup" ? "" : matches.name(seat);
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
    const { app, matches } = this;
    const { facts, hand } = app;
    const shown = app.mode === "setup" ? this.editor.facts : this.preview?.facts ?? facts;
    const left = shown?.reserves?.[side === "p1" ? 0 : 1] ?? Array(4).fill("–");
    const active = Boolean(facts && facts.side === side && matches.yours);
    const held = active && facts ? hand.held(facts) : 0;
    return html("span", { class: "tray lasting", role: "group", "aria-label": t("reserve", { side: app.side(side) }) },
      ...left.map((count, i) => html("button", {
        id: `tray-${side}-${i + 1}`, disabled: !active || count === 0, "aria-pressed": active ? String(held === i + 1) : undefined,
        "aria-label": t("pieceOf", { value: i + 1, n: count }), title: t("pieceOf", { value: i + 1, n: count }), onclick: () => { hand.value = i + 1; this.pointing.refused = null; this.draw("board"); },
        onpointerdown: (/** @type {PointerEvent} */ event) => this.pointing.carry(event, { side, value: i + 1, height: 1 }),
      }, svg("svg", { viewBox: "-46 -46 92 92", "aria-hidden": "true" }, drawPiece("yoxii", { side, value: i + 1, height: 1 }, this.look)),
      html("span", {}, String(count)))));
  }

  steps() {
    const { mode } = this.app;
    const steps = mode === "setup" || mode === "rules" ? [] : panels.steps(this);
    const named = (/** @type {string[]} */ ...ids) => steps.filter(({ id }) => ids.includes(id));
    if (mode === "learn") fill(home("steps"), ...(this.learn?.buttons(named("back", "forward")) ?? []));
    else if (mode === "review" && this.review.questions.length > 0) fill(home("steps"), ...asked(this), ...named("flip"));
    else fill(home("steps"), ...steps);
  }

  status() {
    const text = this.statusText();
    if (home("status").textContent !== text) home("status").textContent = text;
    home("status").dataset.verdict = this.app.mode === "review" ? this.review.brief() : "";
    home("status").classList.toggle("long", text.length > 100);
    home("status").classList.toggle("previewed", this.preview !== null);
  }

  statusText() {
    const { app, matches } = this;
    const { facts, game } = app;
    if (app.away) return t(app.away);
    if (app.mode === "learn") return this.learn?.prompt() ?? "";
    if (!facts || app.mode === "setup") return "";
    if (app.mode === "review" && this.review.questions.length > 0) return this.review.said();
    if (app.mode === "review" && this.review.shown && !app.hand.first && !this.pointing.said) return this.review.toldOf();
    const moved = game.at.move ? `${t("moved", { ...this.called(facts.side === "p1" ? "p2" : "p1"), move: app.spell(game.at.move) })} ` : "";
    const match = matches.shown;
    if (match?.ended) return this.endedText(match.ended);
    if (facts.moves.length === 0) return this.endText(facts);
    if (match && !matches.live) return moved + t(match.kind === "play" ? "earlier" : "earlierWaits");
    if (matches.thinking && match) {
      const engine = match.engines[facts.side === "p1" ? 0 : 1];
      return moved + t("thinks", { name: app.server.engines[engine ?? 0] });
    }
    if (this.pointing.said) return this.pointing.said;
    if (matches.idle && !matches.yours) return t("startFirst");
    if (app.mode === "watch" && !match) return moved + t(matches.match ? "watchStopped" : "watchFirst");
    if (matches.hinting === game.at) return t("hintLooks");
    const [hint] = app.hand.first ? [] : app.hints;
    if (hint?.move) return t("hintMove", { move: app.spell(hint.move, true) });
    if (app.hand.first) return t(`next.${game.name}`, { ...this.called(facts.side), piece: LETTERS[app.hand.held(facts) - 1] });
    if (app.endedHere) return moved + this.endedText(app.endedHere);
    if (game.name === "yoxii" && matches.yours) return moved + t("totemFirst", this.called(facts.side));
    return moved + t(match && matches.yours ? "yourMove" : "toMove", this.called(facts.side));
  }

  /** Who plays a side, as people say it: the names of two people, else the side. @param {Side} side */
  called(side) {
    const { app, matches } = this;
    const isPair = matches.match?.engines.every((engine) => engine === null);
    const name = isPair && playerName(app.game.players[side === "p1" ? 0 : 1]);
    return name ? { who: name, named: true } : { who: app.side(side) };
  }

  /** Who wins, as told to the one person at the board if there is one. @param {Side} winner */
  winText(winner) {
    const { app, matches } = this;
    const person = app.mode === "play" ? matches.person : null;
    return person ? t(person === winner ? "youWin" : "youLose") : t("wins", this.called(winner));
  }

  /** How a game ended that did not end by the rules. @param {NonNullable<import("./match.js").Match["ended"]>} ended */
  endedText({ why, side }) {
    return `${t(`end.${why}`, this.called(side))} ${t("over", { result: this.winText(side === "p1" ? "p2" : "p1") })}`;
  }

  /** Who has won the game that has ended where we are, whether by the rules or before. */
  resultText() {
    const { facts, kept } = this.app;
    if (kept?.ended) return this.winText(kept.ended.side === "p1" ? "p2" : "p1");
    return facts?.result === "draw" ? t("draw") : this.winText(facts?.result === "p1win" ? "p1" : "p2");
  }

  /** @param {import("./engine.js").Facts} facts */
  endText(facts) {
    const { app } = this;
    const sides = { first: this.called("p1").who, second: this.called("p2").who };
    const points = t(`end.${app.game.name}`, { ...sides, n: facts.score[0], m: facts.score[1] });
    const tie = app.game.name === "yoxii" && facts.decision !== "points"
      ? ` ${t(`end.${facts.decision}`, { ...sides, n: facts.pieces[0], m: facts.pieces[1] })}` : "";
    return `${t("over", { result: this.resultText() })} ${t("end.cannot", this.called(facts.side))} ${points}${tie}`;
  }

  /** @param {string} square @param {"touch" | "drag" | "key"} how */
  press(square, how) {
    const { app, matches, pointing } = this;
    if (app.mode === "setup") {
      this.editor.press(square);
      return;
    }
    if (how === "touch" && pointing.side === square) return;
    if (!matches.yours || !app.facts || (how === "touch" && pointing.touch(square))) return;
    if (!app.hand.accepts(app.facts, square)) return void pointing.refuse(square);
    pointing.clear();
    pointing.at = square;
    const move = app.hand.press(app.game.name, app.facts, square);
    if (move) this.play(move);
    else this.draw("board");
  }

  /** @param {string} from @param {string} to */
  drop(from, to) {
    const { app, matches } = this;
    if (app.mode === "setup") {
      this.editor.drop(from, to);
      return;
    }
    if (!matches.yours || !app.facts) return;
    const totem = picture(app.game.name, app.facts.fen).pieces.get(from);
    // The totem itself may be dragged; the gesture goes on with the piece.
    if (app.game.name === "yoxii" && totem && !totem.side && !app.hand.first) return this.press(to, "drag");
    if (app.hand.first === from) this.press(to, "drag");
  }

  /** @param {string} move */
  play(move) {
    if (this.app.mode === "review" && this.review.answer(move)) return;
    if (this.app.mode === "learn") return this.learn?.answer(move);
    this.matches.move(move);
  }

  get asksToResign() {
    return this.resigning !== null && this.resigning === this.matches.match;
  }

  /** Resigns at the second press; the first one asks. */
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
    // The list of moves is in view again, whatever was looked at below it.
    home("panel").scrollTop = 0;
    this.app.step(by);
  }

  flip() {
    this.app.flipped = !this.app.flipped;
    this.app.save();
    this.draw("all");
  }

  /**
   * Looks at a line that a mouse goes over. A mouse at rest, which new lines
   * come under, looks at nothing.
   * @param {PointerEvent} event @param {string[]} moves
   */
  point(event, moves) {
    const { clientX, clientY } = event;
    const rests = clientX === this.pointer.x && clientY === this.pointer.y;
    this.pointer = { x: clientX, y: clientY };
    if (!rests && this.pointed !== moves.join(" ")) this.show(moves);
  }

  /** Shows where a line leads, without going there. @param {string[] | null} moves */
  show(moves) {
    const { app } = this;
    this.preview = null;
    this.pointed = moves?.join(" ") ?? "";
    if (!moves) return this.draw("board");
    const node = app.game.at;
    void app.ask(app.game.name, app.game.fen, [...node.moves(), ...moves]).then((facts) => {
      if (app.game.at !== node || this.pointed !== moves.join(" ") || !document.querySelector(".pv button:hover")) return;
      this.preview = { moves, facts };
      this.draw("board");
    }, () => {});
  }

  /** Goes along a line. @param {string[]} moves */
  walk(moves) {
    this.preview = null;
    this.pointed = "";
    const { app } = this;
    app.visit(moves.reduce((node, move) => node.child(move), app.game.at));
  }

  /** Plays what was typed. @param {string} text @returns {Promise<boolean>} */
  async typed(text) {
    const { app, matches } = this;
    if (!app.facts) return false;
    let wanted;
    try {
      wanted = await app.hub.call({ ask: "typed", game: app.game.name, fen: app.facts.fen, text });
    } catch (why) {
      app.complain("typed", why);
      return false;
    }
    app.settle();
    if (matches.yours) this.play(wanted);
    return true;
  }

  /** @param {string} text */
  brieflySay(text) {
    home("status").textContent = text;
  }

  /** Takes a position or a game. @param {string} text @param {string} [file] where it comes from */
  async load(text, file) {
    this.app.dismiss("load");
    await this.read(text, file);
    document.getElementById("share-said")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} text @param {string} [file] */
  async read(text, file = "") {
    if (/[\0\ufffd]/.test(text)) return this.app.notify("load", `${t("notText")}\n${file}`.trim());
    if (!text.trim()) return this.app.notify("load", t("noGameIn"));
    const position = linked(text.trim()) ?? readPosition(text);
    if (position) return this.take(position.fen, position.moves);
    try {
      const games = await this.app.hub.call({ ask: "read", game: this.app.game.name, text });
      this.games = games.filter((/** @type {any} */ game) => !game.why);
      if (this.games.length > 0) await this.take(this.games[0].fen, this.games[0].moves, this.games[0].tree, this.games[0].players);
      if (this.games.length > 1) this.app.notify("games", t("severalGames", { n: this.games.length }));
      if (games.length === 0) this.app.notify("load", t("noGameIn"));
      const wrong = games.filter((/** @type {any} */ game) => game.why);
      const head = this.games.length > 0 ? t("someNotRead", { n: wrong.length }) : t("notRead");
      if (wrong.length > 0) this.app.complain("load", wrong[0].why, (why) => `${head}\n${why}`);
    } catch (why) {
      this.app.complain("load", why);
    }
  }

  /** Shows the link of this position as a code for a phone, or hides it. */
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

  /** Shows a game. @param {string} fen @param {string[]} moves @param {import("./tree.js").Twig[]} [tree] with variations @param {[string, string]} [players] */
  async take(fen, moves, tree, players) {
    const why = await this.app.take(fen, moves, tree, players);
    if (why) this.app.notify("load", `${t("notRead")}\n${why}`);
  }

  /**
   * Begins a game with the settings, after a question where one would be left in the middle.
   * @param {"play" | "watch"} kind @param {string} [from] the start, unless the settings tell it
   */
  begin(kind, from) {
    const { app, matches } = this;
    const { name } = app.game;
    const begin = () => void (kind === "play" ? matches.play(name, app.settings.play, from) : matches.watch(name, app.settings.watch, from));
    const board = app.room === kind ? app.board : app.aside.get(`${kind} ${name}`);
    if (kind === "watch" || !board || !app.isRunning(board) || board.game.root.children.length === 0) return begin();
    this.ask(t("beginSure"), t("newGame"), begin);
  }

  /** Asks before something is done. @param {string} question @param {string} label of what is done @param {() => void} act */
  ask(question, label, act) {
    const close = () => { dialog.close(); dialog.remove(); };
    const dialog = document.body.appendChild(html("dialog", { id: "question", "aria-labelledby": "question-text", oncancel: () => dialog.remove() },
      html("p", { id: "question-text" }, question),
      html("div", { class: "row" },
        panels.button("question-yes", label, () => { close(); act(); }, { class: "main" }),
        panels.button("question-no", t("cancel"), close, { autofocus: true }))));
    dialog.showModal();
  }

  /** Looks for new games of the match. */
  async readJournal() {
    if (!this.app.connected || !this.app.server.journal || document.hidden) return;
    try {
      const games = await this.app.hub.call({ ask: "journal", from: this.journal.length });
      if (games.length === 0) return;
      this.journal.push(...games.filter((/** @type {any} */ game) => !game.why));
      this.app.changed("all");
    } catch (why) {
      this.app.complain("journal", why);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { app, matches } = this;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || event.target instanceof HTMLElement && event.target.matches("input, textarea, select, dialog *")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ",": () => this.step(-1), ".": () => this.step(1), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => this.step(-999), End: () => this.step(999), f: () => this.flip(),
      h: () => void matches.hint(), u: () => { if (app.mode === "play") matches.takeback(); },
      a: () => { if (app.mode !== "analyse") this.turnTo("analyse"); this.analysis.toggle(); },
      Escape: () => { app.hand.clear(); this.pointing.clear(); this.finale.close(); this.draw("board"); },
      m: () => document.getElementById("typed")?.focus(),
    };
    if (app.mode === "setup" || app.mode === "rules") for (const key of ["ArrowLeft", "ArrowRight", "Home", "End"]) delete keys[key];
    const digit = Number(event.key);
    if (digit >= 1 && digit <= 4 && app.game.name === "yoxii") {
      app.hand.value = digit;
      this.pointing.refused = null;
      this.draw("board");
    } else if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  }
}

/** @param {number} ms */
function clockText(ms) {
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 20) return number(seconds, 1);
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

