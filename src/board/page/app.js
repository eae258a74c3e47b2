// The state of the page and what can be done with it.

import { Engine } from "./engine.js";
import { Hand } from "./moving.js";
import { LETTERS, SHAPES, gameOf, lostBy, parts } from "./notation.js";
import { ROOMS, isForbidden, keepGame, keptGame, loadGame, loadSettings, saveGame, saveSettings, studied } from "./store.js";
import { errorText, speak, t } from "./strings.js";
import { Tabs } from "./tabs.js";
import { Game } from "./tree.js";
import { learn } from "./values.js";

/** How long the notice of a game that waits is shown, in milliseconds. */
const WAITS = 10_000;
/** How long an engine may take for a hint or a reply, whatever limits its search, in milliseconds. */
const LONGEST = 2_000;

export class App {
  /** @param {Hub} hub @param {Hooks} hooks */
  constructor(hub, hooks) {
    this.hub = hub;
    this.hooks = hooks;
    this.settings = loadSettings();
    const left = loadGame();
    this.game = left.game;
    this.room = left.room;
    /** @type {ModeName} */
    this.mode = ROOMS[left.mode] && ROOMS[left.mode] !== left.room ? left.match?.kind ?? "analyse" : left.mode;
    /** The match of the game that is shown. @type {Match | null} */
    this.match = left.match;
    /** Boards that are open but not shown: each room has one for each game. @type {Map<string, Board>} */
    this.aside = new Map(left.aside.map((board) => [`${board.room} ${board.game.name}`, board]));
    this.hand = new Hand(this);
    /** Whether the second side sits below. */
    this.flipped = left.flipped;
    /** @type {{ engines: string[], journal: boolean }} */
    this.server = { engines: [], journal: false };
    this.connected = false;
    /** What waits for a connection. @type {((value?: any) => void)[]} */
    this.onceConnected = [];
    /** Resolved once the library has told the facts of the shown position, or cannot tell them. */
    this.factsKnown = Promise.resolve();
    /** The key of the sentence that says why the library cannot be asked; empty if it can. */
    this.away = "";
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    /** @type {Notice[]} */
    this.notices = [];
    /** @type {Arrow[]} */
    this.hints = [];
    /** Called when another position is shown. @type {(() => void)[]} */
    this.watchers = [];
    this.players = [this.engine("one"), this.engine("two")];
    this.analyst = this.engine("analyst");
    this.tabs = new Tabs(this);
    this.saving = 0;
    this.waiting = 0;
    this.toldOfStorage = false;
    this.surveying = false;
  }

  /** @param {string} id */
  engine(id) {
    /** @type {Engine} */
    const engine = new Engine(this.hub, id, (why, how) => {
      const name = this.server.engines[engine.index ?? 0] ?? engine.name;
      const key = how === "hang" || how === "deaf" ? "hangs" : how === "flood" ? "floods" : "crashed";
      const say = () => t(key, { name, why });
      void this.miss(`engine-${id}`, say, { label: "restart", run: () => this.moved() });
      this.changed("all");
    });
    return engine;
  }

  open() {
    this.hub.onHello = (hello) => {
      this.server = hello;
      void this.hub.call({ ask: "advantages" }).then(learn, () => {});
      [this.connected, this.away] = [true, ""];
      // The engines ended with the old connection.
      this.hub.channels.clear();
      this.hub.links.clear();
      for (const engine of [...this.players, this.analyst]) engine.close();
      this.factsKnown = this.learnFacts();
      for (const goOn of this.onceConnected.splice(0)) goOn();
    };
    this.hub.onState = (open, why = "lost") => {
      this.connected = open;
      if (!open) void this.hub.isGone().then((isGone) => { if (isGone) this.renew(); });
      if (open || this.away === why) return;
      this.away = why;
      this.changed("all");
    };
    this.hub.onCome = () => this.changed("board");
    this.hub.onRefused = (why) => this.notify("refused", () => why);
    this.hub.open();
  }

  /** @param {Change} change */
  changed(change) {
    for (const listener of this.listeners) listener(change);
  }

  /** @param {string} key @param {() => string} say @param {{ label: string, run: () => void }} [act] with the key of its sentence */
  notify(key, say, act) {
    this.dismiss(key);
    // If both engines fail in the same way, one notice is enough.
    if (this.notices.some((notice) => notice.say() === say())) return;
    this.notices.push({ key, say, act });
    this.changed("all");
  }

  /** @param {() => void} run */
  renew(run = () => location.reload()) {
    this.notify("version", () => t("newVersion"), { label: "reload", run });
  }

  /**
   * A file that does not come may have gone with an older version of the page: then the notice offers the new one.
   * @param {string} key @param {() => string} say @param {{ label: string, run: () => void }} [act]
   */
  async miss(key, say, act) {
    if (await this.hub.isGone()) this.renew();
    else this.notify(key, say, act);
  }

  /**
   * Tells why something failed, unless the connection was lost: that has a notice of its own.
   * @param {string} key @param {unknown} why @param {(why: string) => string} [say] makes a sentence of it
   */
  complain(key, why, say = (why) => why) {
    if (!(why instanceof Error && why.message === "closed")) this.notify(key, () => say(errorText(why)));
  }

  /** @param {string} key */
  dismiss(key) {
    const before = this.notices.length;
    this.notices = this.notices.filter((notice) => notice.key !== key);
    if (this.notices.length !== before) this.changed("all");
  }

  /** Removes the notices of earlier failures once the player has done something that succeeds. */
  settle() {
    const before = this.notices.length;
    this.notices = this.notices.filter(({ key, act }) => act || key === "storage");
    if (this.notices.length !== before) this.changed("all");
  }

  save() {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.saveNow(), 200);
  }

  saveNow() {
    const listed = this.file();
    const isSaved = saveGame(this.board, this.mode, this.aside.values());
    const isLost = !isSaved || isForbidden();
    // Before the first move, the player has nothing to lose.
    if (listed && !isLost || this.toldOfStorage || !this.match && this.game.root.children.length === 0) return;
    this.toldOfStorage = true;
    this.notify("storage", () => t(isLost ? "noStorage" : "listFull"));
  }

  /** @returns {Board} */
  get board() {
    return { room: this.room, game: this.game, match: this.match, flipped: this.flipped };
  }

  /** Puts a game into the list. @returns {boolean} whether there was room for it */
  file({ game, room, flipped, match } = this.board) {
    if (!game.touched || room === "learn") return true;
    const before = keptGame(game.id);
    const end = game.root.end();
    if (!before && end.ply < 2 && match?.mine === undefined) return true;
    const [saved, { ended = null } = {}] = [game.saved(), match ?? {}];
    const told = {
      players: game.players, match, moves: end.ply, flipped, fen: (end.facts ?? game.at.facts)?.fen ?? game.fen,
      result: ended ? lostBy(ended.side) : end.facts?.result ?? before?.result ?? "none",
    };
    const list = { ...before, id: game.id, date: game.date, name: game.name };
    // A study must not change what the list tells of a game that was played.
    const isKept = keepGame(room === "study" ? { ...told, ...list, study: saved } : { ...list, ...told, game: saved });
    game.touched = !isKept;
    this.hooks.onFile();
    if (isKept && room !== "study") this.tabs.tell({ ...list, ...told, game: saved });
    return isKept;
  }

  /** @param {Partial<Settings>} change */
  set(change) {
    Object.assign(this.settings, change);
    saveSettings(this.settings);
    this.changed("all");
  }

  /** @param {string} language */
  async speak(language) {
    try {
      await speak(language);
      this.set({ language });
    } catch {
      void this.miss("language", () => t("notLoaded"));
    }
  }

  get facts() {
    return this.game.at.facts;
  }

  get isYourTurn() {
    return Boolean(this.connected && this.facts?.moves.length && this.hooks.mode().mayMove);
  }

  get suggestions() {
    return this.hooks.mode().suggestions;
  }

  /** No engine may help while a friend elsewhere still plays this game. */
  get isSealed() {
    const { id } = this.game;
    const played = [this.board, ...this.aside.values()].find(({ room, game }) => room === "play" && game.id === id) ?? keptGame(id);
    return played?.match?.mine !== undefined && !played.match.ended && !played.match.over;
  }

  /** A study does not know that its game was resigned or lost on time: the list of games does. */
  get endedHere() {
    const { id, at, root, ending } = this.game;
    if (ending && at === root.end()) return ending;
    const kept = this.room === "study" && at === root.end() ? keptGame(id) : null;
    return kept?.moves === at.ply ? kept.match?.ended : null;
  }

  /** @param {Side} side @param {GameName} [game] */
  side(side, game = this.game.name) {
    const clear = this.settings.clear && game === "yoxii" && side === "p2";
    return t(`${game}.${side}${clear ? ".clear" : ""}`);
  }

  /** What decided a game. @param {Facts} facts of its end @param {string} [first] names of the sides @param {string} [second] */
  counted({ score: [n, m], pieces, decision }, first = this.side("p1"), second = this.side("p2")) {
    const [{ name }, points] = [this.game, t(`end.${this.game.name}`, { first, second, n, m })];
    return name === "hokito" || decision === "points" ? points : `${points} ${t(`end.${decision}`, { first, second, n: pieces[0], m: pieces[1] })}`;
  }

  /** @param {string} move */
  spell(move, inWords = this.settings.words) {
    if (!inWords) return move;
    const { first, second, value } = parts(move);
    return t(`words.${this.game.name}`, { from: first, to: second, totem: first, square: second, piece: LETTERS[value - 1] });
  }

  /** @param {GameName} game @param {string} fen @param {string[]} moves @returns {Promise<Facts>} rejected if there is no such position */
  factsOf(game, fen, moves) {
    return this.hub.call({ ask: "position", game, fen, moves });
  }

  /** Learns the facts of the shown position, and takes back a move that the library refuses. @returns {Promise<void>} */
  async learnFacts() {
    const [game, node] = [this.game, this.game.at];
    if (!node.facts) {
      try {
        node.facts = await this.factsOf(game.name, game.fen, node.moves());
      } catch (why) {
        if (this.game !== game || !(why instanceof Error)) return;
        // The next connection asks again.
        if (why.message === "closed") return;
        this.complain("position", why);
        if (node.parent) {
          node.remove();
          game.at = node.parent;
          return this.learnFacts();
        }
      }
    }
    if (this.game === game && game.at === node) this.moved();
  }

  /** Learns the facts of all positions of the line, for the graph of points. */
  async survey() {
    const { game } = this;
    const unknown = game.line().filter((node) => !node.facts);
    if (this.surveying || !this.connected || unknown.length === 0) return;
    this.surveying = true;
    try {
      for (const node of unknown) node.facts ??= await this.factsOf(game.name, game.fen, node.moves());
    } catch {
      // `learnFacts` tells the player why on reaching that position.
      return;
    } finally {
      this.surveying = false;
    }
    this.changed("lines");
  }

  /** Called once the facts of the shown position are known. */
  moved() {
    const { match, facts, game } = this;
    if (match && facts && game.at.children.length === 0) {
      const over = facts.moves.length === 0;
      // The list of games has to learn it, also where the friend made the last move.
      game.touched ||= over && !match.over;
      match.over = over;
    }
    this.save();
    this.changed("all");
    for (const watcher of this.watchers) watcher();
  }

  /** @param {GameNode} node */
  visit(node) {
    this.hand.clear();
    this.hints = [];
    this.game.at = node;
    // The board shows the move before the library has told the new position.
    if (!node.facts && node.parent?.facts) this.changed("move");
    this.factsKnown = this.learnFacts();
  }

  /** @param {string} move */
  play(move) {
    this.tabs.claim();
    const node = this.game.at.child(move);
    this.game.touched = true;
    this.settle();
    this.hooks.onMove();
    this.visit(node);
  }

  /** Shows the board of a room and a game as it was left, or one with the usual start. @param {Room} room @param {GameName} name */
  enter(room, name) {
    if (room === this.room && name === this.game.name) return;
    this.saveNow();
    this.aside.set(`${this.room} ${this.game.name}`, this.board);
    const key = `${room} ${name}`;
    const left = this.aside.get(key);
    this.aside.delete(key);
    this.room = room;
    this.game = left?.game ?? new Game(name, SHAPES[name].start);
    [this.match, this.flipped] = [left?.match ?? null, left?.flipped ?? false];
  }

  /** Shows a game; the list keeps the one before. @param {Game} game @param {Match | null} [match] */
  put(game, match = null) {
    this.file();
    [this.game, this.match] = [game, match];
  }

  /** @param {GameName} name */
  change(name) {
    const { board, mode } = this;
    this.hooks.onLeave();
    this.settle();
    this.enter(this.room, name);
    this.tellWhatWaits(board, mode);
    this.visit(this.game.at);
    this.changed("all");
  }

  /** @param {Board} board */
  isRunning({ match }) {
    return Boolean(match?.on && !match.ended && !match.over);
  }

  /** @param {ModeName} mode */
  waits(mode) {
    return mode !== this.mode && [this.board, ...this.aside.values()].some((board) => board.match?.kind === mode && this.isRunning(board));
  }

  /** @param {Board} board @param {ModeName} mode */
  tellWhatWaits(board, mode) {
    this.dismiss("waits");
    const { match, game: { name, root } } = board;
    if (match?.kind !== mode || !this.isRunning(board) || root.children.length === 0) return;
    if (this.mode === mode && this.game === board.game) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.dismiss("waits"), WAITS);
    this.notify("waits", () => t(match.time === "clock" ? "waitsClock" : "waits", { game: t(name), mode: t(mode) }), {
      label: "goBack",
      run: () => {
        this.turnTo(mode);
        if (this.game.name !== name) this.change(name);
      },
    });
  }

  /** Studies a game, with the variations that the player added to it before. @param {Game} played */
  study(played) {
    const isOpen = this.game.id === played.id;
    const study = isOpen ? this.game : studied(played);
    if (!isOpen || study.follow(played)) study.at = played.at.moves().reduce((node, move) => node.child(move), study.root);
    if (!isOpen) this.put(study);
  }

  /**
   * @param {string} fen @param {string[]} moves @param {Twig[]} tree the moves once more, with variations
   * @param {[Player, Player]} players @param {Ending | null} ended
   * @returns {Promise<Why>} why not; null when it is taken
   */
  async take(fen, moves = [], tree = [], players = ["", ""], ended = null) {
    const name = gameOf(fen) ?? this.game.name;
    try {
      await this.factsOf(name, fen, moves);
    } catch (why) {
      return () => !fen.includes("/") ? t("notPosition", { example: SHAPES[name].start }) : errorText(why);
    }
    if (this.mode !== "review" && this.mode !== "watch") this.turnTo("analyse");
    this.settle();
    this.enter(this.room, name);
    this.put(new Game(name, fen.trim()));
    [this.game.players, this.game.ended] = [players, ended];
    this.toTop();
    for (const move of moves) this.game.at = this.game.at.child(move);
    this.game.root.grow(tree);
    this.visit(this.game.at);
    return null;
  }

  /** Scrolls to the board: on a phone, the cards are far below it. */
  toTop() {
    for (const place of [document.documentElement, document.getElementById("panel")]) place?.scrollTo(0, 0);
  }

  /** @param {number} steps back when below 0 */
  step(steps) {
    const line = this.game.line();
    const at = Math.max(0, Math.min(line.length - 1, line.indexOf(this.game.at) + steps));
    if (line[at] !== this.game.at) this.visit(line[at]);
  }

  /**
   * Asks the analyst for a move, with a small table, as another engine may be playing.
   * @param {GameName} game @param {string} words after `position` @param {string} limit after `go`
   * @param {(info: Info) => void} [onInfo] @returns {Promise<string>}
   */
  advise(game, words, limit, onInfo = () => {}) {
    this.analyst.ensure(this.settings.analyst, game);
    return this.analyst.think(words, limit, { Hash: 16, Skill: 20, MultiPV: 1, ShowWDL: true }, onInfo, LONGEST);
  }

  /** Ends the engines that the mode does not use where memory is short. */
  letGo() {
    if (!this.hub.isFrugal) return;
    for (const engine of ROOMS[this.mode] === "study" ? this.players : [this.analyst]) engine.close();
  }

  /** @param {ModeName} mode @param {boolean} [isMeant] whether to study the game that is shown, whatever was studied before @param {GameName} [game] */
  turnTo(mode, isMeant = false, game = this.game.name) {
    const { board } = this;
    const before = this.mode;
    this.hooks.onLeave();
    this.mode = mode;
    this.letGo();
    this.settle();
    this.enter(ROOMS[mode] ?? this.room, game);
    // The shown game takes the place of a study that is empty, of the same game, or of another game that the list keeps.
    const { id, name, fen, root } = this.game;
    const isFree = isMeant || id === board.game.id || root.children.length === 0 && fen === SHAPES[name].start || Boolean(keptGame(id)?.game);
    if (this.room === "study" && board.room !== "study" && isFree && game === board.game.name && board.game.root.children.length > 0) {
      this.study(board.game);
      this.flipped = board.flipped && !board.match?.turns;
    }
    this.tellWhatWaits(board, before);
    this.visit(this.game.at);
    this.changed("all");
  }
}
