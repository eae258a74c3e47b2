// A game between a person and an engine, or between two engines.

import { newId } from "./letterformat.js";
import { keptGames } from "./store.js";
import { Game } from "./tree.js";
import { SHAPES, lostBy, otherSide, parts, seatOf, sideOf } from "./notation.js";
import { forFirst, inWords, isProved, odds } from "./values.js";
import { playerName, t } from "./strings.js";

/** Games won or lost in a row after which the page offers another level, how far it lies from the last, and the highest. */
const [ROW, STEP, FULL] = [3, 2, 20];
/** Time for a hint, in milliseconds. */
const HINT = 1200;
/** What a player has on the clock when a loss on time is taken back, in milliseconds. */
const SPARE = 60_000;

export class Matches {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.thinking = false;
    /** The level that the page offered last, and after which end. @type {{ of: unknown[], level: number | null }} */
    this.offer = { of: [], level: null };
    /** The number of the last question to an engine: answers to earlier ones come too late. */
    this.asked = 0;
    /** @type {GameNode | null} */
    this.askedAt = null;
    this.since = 0;
    /** @type {GameNode | null} */
    this.hinting = null;
    app.watchers.push(() => this.letEngineMove());
    setInterval(() => this.tick(), 100);
  }

  get match() {
    return this.app.match;
  }

  /** Whether the board waits for a game to begin. */
  get isBeforeGame() {
    return this.app.mode === "play" && this.app.room === "play" && !this.match;
  }

  /** @param {GameName} game @param {Settings["play"]} asked @param {string} [from] the start, unless the settings tell it */
  async beginPlay(game, asked, from) {
    const { isBeforeGame, app } = this;
    // `prepare` may have put the start on the board already.
    const isShown = isBeforeGame && app.game.name === game && this.shows(asked.start);
    const fen = from ?? (isShown ? app.game.fen : await this.startFen(game, asked.start));
    if (fen) this.playFrom(fen, game, asked, from);
  }

  /**
   * Begins a game at once.
   * @param {string} fen @param {GameName} game @param {Settings["play"]} asked
   * @param {string} [from] the start of games like it that come after, unless the settings tell it
   */
  playFrom(fen, game, asked, from) {
    const { two, level, engine, names } = asked;
    const side = asked.side === "lot" ? sideOf(crypto.getRandomValues(new Uint8Array(1))[0] % 2) : asked.side;
    const seat = seatOf(side);
    if (asked.far) return this.playByLink(fen, game, asked, seat);
    this.begin(game, fen, {
      kind: "play", engines: two ? [null, null] : seat ? [engine, null] : [null, engine], levels: [level, level],
      turns: two && asked.turns, ...timing(asked), ended: null, on: true, again: { asked: { ...asked, names: [...names] }, from },
    });
    if (two) this.app.game.players = [...names];
    this.app.flipped = !two && side === "p2";
  }

  /** @param {string} fen @param {GameName} game @param {Settings["play"]} asked @param {0 | 1} mine the player's seat */
  playByLink(fen, game, { self = "", friend = "" }, mine) {
    const { app } = this;
    this.begin(game, fen, this.linkMatch(mine));
    app.game.id = newId();
    app.game.you = mine;
    app.game.players = mine ? [friend, self] : [self, friend];
    app.game.touched = true;
    app.flipped = mine === 1;
    app.moved();
  }

  /** A match with a friend elsewhere. @param {0 | 1} mine the player's seat @returns {Match} */
  linkMatch(mine) {
    return { kind: "play", engines: [null, null], levels: [FULL, FULL], mine, sent: 0,
      time: "move", seconds: 0, clocks: [0, 0], increment: 0, ended: null, on: true };
  }

  /** @param {boolean} swap whether the player takes the other side @param {number} [level] */
  again(swap = false, level) {
    const { again } = this.match ?? {};
    // An older version of the page stored fewer settings with a game.
    const asked = { ...this.app.settings.play, ...again?.asked, ...level === undefined ? {} : { level } };
    if (level !== undefined) this.app.set({ play: { ...this.app.settings.play, level } });
    const { name, fen } = this.app.game;
    if (!swap) return void this.beginPlay(name, asked, again?.from);
    const [one, two] = asked.names;
    // A player who swaps sides gets the same start, also if it was random.
    this.playFrom(fen, name, { ...asked, names: [two, one], side: otherSide(this.person) }, again?.from);
  }

  /** Keeps the offer: reading the list of games at each drawing would be slow. */
  offered() {
    const of = [this.match, this.match?.ended, this.app.facts];
    if (of.some((it, i) => it !== this.offer.of[i])) this.offer = { of, level: this.levelToOffer() };
    return this.offer.level;
  }

  /** A player who wins or loses again and again plays at the wrong level. @returns {number | null} */
  levelToOffer() {
    const { match, person, app: { game } } = this;
    const { facts } = game.root.end();
    if (!match || !person || match.mine !== undefined) return null;
    const won = (/** @type {string} */ result, /** @type {Side} */ side) => result === `${side}win`;
    const last = match.ended ? lostBy(match.ended.side) : facts?.result ?? "none";
    const [level, isWon] = [match.levels[1 - seatOf(person)], won(last, person)];
    if (last === "draw") return null;
    const earlier = keptGames().filter((it) => it.id !== game.id && it.name === game.name && it.match?.kind === "play" && it.result !== "none"
      && it.match.engines.filter((engine) => engine === null).length === 1).slice(0, ROW - 1);
    const isRow = earlier.length === ROW - 1 && earlier.every((it) => {
      const seat = /** @type {Match} */ (it.match).engines.indexOf(null);
      return it.match?.levels[1 - seat] === level && it.result !== "draw" && won(it.result, sideOf(seat)) === isWon;
    });
    const next = Math.min(FULL, Math.max(0, level + (isWon ? STEP : -STEP)));
    return isRow && next !== level ? next : null;
  }

  /** @param {GameName} game @param {Settings["watch"]} asked @param {string} [from] the start, unless the settings tell it */
  async beginWatch(game, asked, from) {
    const fen = from ?? await this.startFen(game, asked.start);
    if (!fen) return;
    const { engines, levels } = asked;
    this.begin(game, fen, { kind: "watch", engines, levels, ...timing(asked), ended: null, on: true });
    this.app.flipped = false;
  }

  /** @param {GameName} game @param {string} fen @param {Match} match */
  begin(game, fen, match) {
    const { app } = this;
    this.show(new Game(game, fen), match);
    const { engines: [one, two], levels } = match;
    app.game.players = [this.engineAt(one, levels[0]), this.engineAt(two, levels[1])];
    app.game.you = one === null && two !== null ? 0 : two === null && one !== null ? 1 : null;
    if (!app.settings.known) app.set({ known: true });
    app.visit(app.game.root);
  }

  /** @param {Game} game @param {Match} match */
  show(game, match) {
    const { app } = this;
    this.leave();
    app.settle();
    app.dismiss("waits");
    app.toTop();
    app.mode = match.kind;
    app.letGo();
    app.enter(match.kind, game.name);
    app.put(game, match);
  }

  /** @param {Kept} kept */
  resume({ game, match, flipped }) {
    if (!match) return;
    const { app } = this;
    match.on = true;
    this.show(Game.restored(game), match);
    app.flipped = flipped;
    app.visit(app.game.root.end());
  }

  /** @param {Opponent["start"]} start */
  shows(start) {
    const { name, fen } = this.app.game;
    return (fen === SHAPES[name].start) === (name === "yoxii" || start === "standard");
  }

  /** Shows the start that the settings ask for before the game begins. @param {boolean} [anew] whether to draw another random one */
  async prepare(anew = false) {
    const { app } = this;
    if (!this.isBeforeGame) return;
    const { game, settings: { play } } = app;
    const flipped = !play.two && play.side === "p2";
    if (app.flipped !== flipped) {
      app.flipped = flipped;
      app.changed("all");
    }
    if (!anew && this.shows(play.start)) return;
    const { start } = play;
    const fen = await this.startFen(game.name, start);
    if (!fen || !this.isBeforeGame || app.game !== game || app.settings.play.start !== start) return;
    app.put(new Game(game.name, fen));
    app.visit(app.game.root);
  }

  /** @param {GameName} game @param {Opponent["start"]} start @returns {Promise<string>} empty if that failed, which a notice tells */
  async startFen(game, start) {
    if (game === "yoxii" || start === "standard") return SHAPES[game].start;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    try {
      return (await this.app.hub.call({ ask: "random", game, scattered: start === "scattered", seed })).fen;
    } catch (why) {
      this.app.complain("start", why);
      return "";
    }
  }

  stopThinking() {
    this.thinking = false;
    this.asked++;
    for (const player of this.app.players) player.halt();
  }

  /** Stops the clock and the engine until the player returns. */
  leave() {
    this.charge();
    this.stopThinking();
  }

  stop() {
    if (!this.match) return;
    this.stopThinking();
    this.match.on = false;
    this.app.moved();
  }

  /** The player's side, if only one person plays here. @returns {Side | null} */
  get person() {
    const { match } = this;
    if (match?.on && match.mine !== undefined) return sideOf(match.mine);
    if (!match?.on || match.engines.every((engine) => engine === null)) return null;
    return match.engines[0] === null ? "p1" : match.engines[1] === null ? "p2" : null;
  }

  /** Whether the game has ended, whatever position of it is shown. */
  get isOver() {
    return Boolean(this.match?.on && (this.match.ended || this.match.over));
  }

  get isRunning() {
    return Boolean(this.match?.on && !this.isOver && this.app.facts);
  }

  get isPersonToMove() {
    const { app: { facts }, match } = this;
    const seat = seatOf(facts?.side);
    return Boolean(match?.on && !match.ended && match.engines[seat] === null && (match.mine ?? seat) === seat);
  }

  /** @param {0 | 1} seat */
  name(seat) {
    const { app, match } = this;
    const { two, side, names, engine, level, far, friend = "" } = app.settings.play;
    if (!this.isBeforeGame) return app.game.you === seat ? t("you") : playerName(app.game.players[seat]);
    if (two) return names[seat];
    return side === "lot" ? "" : side === sideOf(seat) ? t("you") : far ? friend : playerName(this.engineAt(engine, level));
  }

  /** The match, if it belongs to the mode that is shown. */
  get shownMatch() {
    return this.match?.on && this.app.mode === this.match.kind ? this.match : null;
  }

  /** @param {number | null} engine @param {number} level @returns {Player} */
  engineAt(engine, level) {
    const name = this.app.server.engines[engine ?? -1];
    return name ? { name, level } : "";
  }

  /** Whether the shown position is the last one of the game. */
  get isAtEnd() {
    return this.app.game.at.children.length === 0;
  }

  /** Asks an engine for a move if it is its turn in the shown position. @param {boolean} [isNew] whether the facts are not known yet */
  letEngineMove(isNew = false) {
    const { app, match } = this;
    this.since = performance.now();
    void this.prepare();
    if (match?.turns && app.mode === "play" && this.isAtEnd && app.facts && app.flipped !== (app.facts.side === "p2")) {
      app.flipped = !app.flipped;
      app.changed("board");
    }
    const wanted = match?.on && !match.ended && app.mode === match.kind && this.isAtEnd && (app.facts ? app.facts.moves.length > 0 : isNew);
    const seat = app.game.seatAt(app.game.at.ply);
    if (!wanted || match.engines[seat] === null) {
      if (!this.thinking) return;
      this.stopThinking();
      // An engine that was asked for a move after the end may do anything.
      if (app.facts?.moves.length === 0) app.players[seat].close();
      return;
    }
    if (app.tabs.isElsewhere) return app.tabs.explain();
    if (this.thinking && this.askedAt === app.game.at && app.players[seat].link) return;
    void this.askEngine(match, match.engines[seat], seat);
  }

  /** @param {Match} match @param {number} index of the engine @param {0 | 1} seat */
  async askEngine(match, index, seat) {
    const { app } = this;
    const [game, node] = [app.game, app.game.at];
    const engine = app.players[seat];
    const asked = ++this.asked;
    [this.thinking, this.askedAt] = [true, node];
    if (node.facts) app.changed("board");
    engine.ensure(index, game.name);
    const limit = match.time === "move" ? `movetime ${Math.round(match.seconds * 1000)}`
      : `p1time ${Math.round(match.clocks[0])} p2time ${Math.round(match.clocks[1])} p1inc ${match.increment} p2inc ${match.increment}`;
    const options = { Hash: Math.min(64, app.hub.largestHash), Skill: match.levels[seat], MultiPV: 1, ShowWDL: true };
    /** @type {Info | null} */
    let last = null;
    let [move, facts] = ["", node.facts];
    try {
      move = await engine.think(game.words(node), limit, options, (info) => { if (info.multipv === 1) last = info; },
        match.time === "move" ? match.seconds * 1000 : match.clocks[seat]);
      // An engine may be quicker than the library.
      facts = node.facts ??= await app.factsOf(game.name, game.fen, node.moves());
    } catch {
      if (asked === this.asked) this.thinking = false;
      app.changed("board");
      return;
    }
    if (asked !== this.asked || app.game !== game || game.at !== node || this.match !== match || !match.on || facts.moves.length === 0) return;
    this.thinking = false;
    app.dismiss(`engine-${engine.id}`);
    if (!facts.moves.includes(move)) {
      const again = () => { engine.close(); app.moved(); };
      return app.notify("nonsense", () => t("nonsense", { name: app.server.engines[index], move }), { label: "restart", run: again });
    }
    app.dismiss("nonsense");
    if (last && match.kind === "watch") node.judgement = judge(game.name, last, facts.side, seat);
    this.move(move);
  }

  /** @param {string} move */
  move(move) {
    const { app } = this;
    if (this.isBeforeGame) {
      // The first move begins the game with the settings that are shown.
      const { facts } = app;
      this.playFrom(app.game.fen, app.game.name, app.settings.play);
      app.game.root.facts = facts;
    }
    const { match } = this;
    this.charge();
    if (match?.on && match.time === "clock") match.clocks[app.game.seatAt(app.game.at.ply)] += match.increment;
    app.play(move);
    // The engine need not wait until the library has told the facts.
    this.letEngineMove(true);
  }

  charge() {
    const { app, match } = this;
    const now = performance.now();
    const passed = now - this.since;
    this.since = now;
    if (!app.connected || !match?.on || match.time !== "clock" || match.ended) return;
    if (!this.isAtEnd || app.mode !== match.kind || app.tabs.isElsewhere) return;
    if (!app.facts || app.facts.moves.length === 0 || app.game.root === app.game.at) return;
    const seat = seatOf(app.facts.side);
    match.clocks[seat] = Math.max(0, match.clocks[seat] - passed);
    if (match.clocks[seat] === 0) this.finish({ why: "flag", side: app.facts.side });
  }

  tick() {
    if (!this.match?.on || this.match.time !== "clock") return;
    this.charge();
    this.app.changed("clock");
  }

  /** @param {Match["ended"]} ended */
  finish(ended) {
    if (!this.match) return;
    this.match.ended = ended;
    this.app.game.touched = true;
    this.stopThinking();
    this.app.hand.clear();
    this.app.hints = [];
    this.app.save();
    this.app.changed("all");
    this.app.toTop();
  }

  resign() {
    const { match, app } = this;
    if (!match?.on || match.ended || !app.facts) return;
    const isPair = match.mine === undefined && match.engines.every((engine) => engine === null);
    this.finish({ why: "resigned", side: isPair ? app.facts.side : sideOf(match.mine ?? match.engines.indexOf(null)) });
  }

  /** Whether the friend may have a link with the last move: then the player has to ask to take it back. */
  get isSent() {
    const { match, app } = this;
    return match?.mine !== undefined && app.game.at.ply <= (match.sent ?? Infinity);
  }

  /** What came after an earlier position is not lost by this. In a game by link, the player can take back only the own last move. */
  get canTakeBack() {
    const { match, app: { game: { at } } } = this;
    if (match?.mine !== undefined) return this.isAtEnd && this.isRunning && !this.isPersonToMove && at.ply > 0;
    return this.isAtEnd && (at.ply > 0 || Boolean(match?.ended));
  }

  takeback() {
    const { app, match } = this;
    if (!this.canTakeBack) return;
    if (match && this.isSent) {
      match.asks = !match.asks;
      app.game.touched = true;
      app.save();
      return app.changed("all");
    }
    this.stopThinking();
    app.settle();
    app.game.touched = true;
    if (match?.ended) {
      if (match.ended.why === "flag") match.clocks[seatOf(match.ended.side)] = SPARE;
      match.ended = null;
      app.moved();
      return;
    }
    const person = (/** @type {GameNode} */ { ply }) => {
      const seat = app.game.seatAt(ply);
      return !match?.on || match.engines[seat] === null && (match.mine ?? seat) === seat;
    };
    let node = app.game.at.parent;
    while (node?.parent && !person(node)) node = node.parent;
    if (!node || !person(node)) return;
    node.children = [];
    app.visit(node);
  }

  async hint() {
    const { app } = this;
    const [game, node] = [app.game, app.game.at];
    if (this.hinting === node) return;
    this.hinting = node;
    // A hint must not mix with a move that the player has begun.
    app.hand.clear();
    app.hints = [];
    app.settle();
    app.changed("all");
    try {
      const move = await app.advise(game.name, game.words(node), `movetime ${HINT}`);
      if (app.game !== game || game.at !== node || !node.facts?.moves.includes(move)) return;
      app.hints = [arrowOf(game.name, move, node.facts)];
    } catch {
      // The engine's notice tells why.
    } finally {
      if (this.hinting === node) this.hinting = null;
      app.changed("all");
    }
  }
}

/** @param {Timing} asked */
function timing({ time, seconds, minutes, increment }) {
  return { time, seconds, clocks: /** @type {[number, number]} */ ([minutes * 60_000, minutes * 60_000]), increment: increment * 1000 };
}

/** @param {GameName} game @param {Info} info @param {Side} side @param {number} [by] @returns {Judgement} */
export function judge(game, info, side, by) {
  return { odds: forFirst(odds(game, info), side), text: inWords(game, info), depth: info.depth, proved: isProved(info), by };
}

/**
 * What a move looks like as an arrow: in Yoxii that of the totem, and the piece where it is to be placed.
 * @param {GameName} game @param {string} move @param {Facts | null} facts @returns {Arrow}
 */
export function arrowOf(game, move, facts) {
  const { first, second, value } = parts(move);
  const route = facts?.routes[facts.moves.indexOf(move)];
  if (game === "hokito" || !facts) return { move, from: first, to: second, route };
  const [totem] = route ?? [first];
  return { move, from: totem, to: first, piece: { square: second, value, side: facts.side } };
}
