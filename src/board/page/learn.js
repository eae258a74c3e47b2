// Lessons and puzzles: positions in which one move is to be found. They are data.

import { Mode } from "./mode.js";
import { parts, picture, winnerOf } from "./notation.js";
import { button, card, select, typing } from "./panels.js";
import { pointsOf, t, todayText } from "./strings.js";
import { store, stored } from "./store.js";
import { html } from "./svg.js";
import { Game } from "./tree.js";
import { isProved } from "./values.js";

/**
 * What is to be found. A move solves it that fits one of `solved`, in which a dot is any letter.
 * @typedef {object} Task
 * @property {string} fen
 * @property {string[]} solved
 */

/** @typedef {Task & { id: string }} Lesson whose texts have names with its own */

/** @typedef {Task & { value: "win" | "draw", grade: Grade, line: string[] }} Puzzle with a line to the end */
/** @typedef {typeof GRADES[number]} Grade */

/**
 * What the browser keeps.
 * @typedef {object} Progress
 * @property {"lessons" | "puzzles"} part that is shown
 * @property {Grade} grade
 * @property {string[]} done positions of the lessons and puzzles that were solved
 * @property {number} run puzzles solved in a row at the first try
 * @property {number} best the longest such run
 * @property {number} day the last one whose puzzle was solved, counted from 1970
 * @property {number} days in a row
 */

const KEY = "totemic-learn";
const GRADES = /** @type {const} */ (["easy", "medium", "hard"]);
/** Nodes to find a reply to a wrong answer: the same on every machine. */
const REPLY = 300_000;
const DAY = 24 * 60 * 60 * 1000;

/** @param {Info | null} info */
function replied(info) {
  return !info || !isProved(info) ? "reply" : info.mate === null ? "draws" : info.mate > 0 ? "loses" : "reply";
}

/** @param {string} name @returns {Promise<string>} */
async function fetched(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.text();
}

/** Reads what `totemic problems --single` writes. @param {string} text @returns {Record<GameName, Puzzle[]>} */
function read(text) {
  /** @type {Record<GameName, Puzzle[]>} */
  const puzzles = { yoxii: [], hokito: [] };
  for (const line of text.split("\n")) {
    const [game, fen, value, best, note] = /** @type {any[]} */ (line.split("\t"));
    const [, grade, moves] = /^# (\w+): (.*)$/.exec(note ?? "") ?? [];
    if (moves) puzzles[/** @type {GameName} */ (game)].push({ fen, value, solved: [best], grade: /** @type {any} */ (grade), line: moves.split(" ") });
  }
  return puzzles;
}

/** The player's date, in days since 1970. */
function today() {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY;
}

/** @param {string} move @param {string} pattern */
function fits(move, pattern) {
  return move.length === pattern.length && [...pattern].every((letter, i) => letter === "." || letter === move[i]);
}

/**
 * Says how a wrong move ends the game, or how the other side answers it; empty if no engine can tell.
 * @param {App} app @param {GameName} game @param {string} fen @param {string} move @returns {Promise<string>}
 */
export async function refutation(app, game, fen, move) {
  try {
    const facts = await app.factsOf(game, fen, [move]);
    const result = facts.result === "draw" ? t("draw") : t("wins", { who: app.side(winnerOf(facts.result), game) });
    if (facts.moves.length === 0) return `${t("answer.ends", { result })} ${app.counted(facts)}`;
    /** @type {Info | null} */
    let last = null;
    const reply = await app.advise(game, `fen ${fen} moves ${move}`, `nodes ${REPLY}`, (info) => { last = info; });
    return t(`answer.${replied(last)}`, { side: app.side(facts.side, game), move: app.spell(reply) });
  } catch {
    // A notice tells of an engine that fails; the page has said already that the answer is wrong.
    return "";
  }
}

export class Learn extends Mode {
  /** @param {Page} page */
  constructor(page) {
    super(page);
    /** @type {Record<GameName, Lesson[]>} */
    this.lessons = { yoxii: [], hokito: [] };
    /** @type {Record<GameName, Puzzle[]>} */
    this.puzzles = { yoxii: [], hokito: [] };
    /** @type {Progress} */
    this.progress = { part: "lessons", grade: "easy", done: [], run: 0, best: 0, day: 0, days: 0, ...stored("localStorage", KEY) };
    /** @type {"asked" | "wrong" | "piece" | "solved" | "shown"} */
    this.state = "asked";
    /** The number of the task that an address asks for, from 1. */
    this.wanted = 0;
    this.refuted = "";
  }

  get game() {
    return this.app.game.name;
  }

  get mayMove() {
    return this.app.game.at.ply === 0 && this.page.matches.isAtEnd;
  }

  get keys() {
    const { h, ...keys } = super.keys;
    return keys;
  }

  get address() {
    const [at, isPuzzle] = [this.tasks.findIndex((task) => task === this.task) + 1, this.progress.part === "puzzles"];
    return [this.game, ...isPuzzle ? ["puzzle"] : [], ...at ? [String(at)] : []];
  }

  /** @param {string[]} words */
  go(words) {
    this.wanted = Number(words.at(-1)) || 0;
    if (this.wanted) this.keep({ part: words.includes("puzzle") ? "puzzles" : "lessons" });
  }

  cards() {
    return [this.card(), ...super.cards()];
  }

  enter() {
    void this.open();
  }

  /** @returns {Lesson | Puzzle | undefined} */
  get task() {
    return this.tasks.find(({ fen }) => fen === this.app.game.fen);
  }

  /** @returns {(Lesson | Puzzle)[]} */
  get tasks() {
    return this[this.progress.part][this.game];
  }

  get daily() {
    // Easy ones are solved by looking one ply ahead.
    const puzzles = this.puzzles[this.game].filter(({ grade }) => grade !== "easy");
    // A prime number goes through all of them before one comes again.
    return puzzles[(today() * 7919) % puzzles.length];
  }

  async open() {
    const { part } = this.progress;
    try {
      if (this[part].yoxii.length === 0) {
        if (part === "lessons") this.lessons = JSON.parse(await fetched("lessons.json"));
        else this.puzzles = read(await fetched("puzzles.tsv"));
      }
      this.app.dismiss("learn");
    } catch (why) {
      console.error(why);
      return void this.app.miss("learn", () => t("notLoaded"));
    }
    if (this.page.mode !== this || part !== this.progress.part) return;
    const wanted = this.tasks[this.wanted - 1];
    this.wanted = 0;
    if (wanted && wanted !== this.task) return this.begin(wanted);
    if (!this.task) return this.next();
    const isOver = this.app.game.root.children.length > 0;
    if (isOver !== this.solved) this.state = !isOver ? "asked" : this.progress.done.includes(this.app.game.fen) ? "solved" : "shown";
    this.app.changed("all");
  }

  /** @param {"lessons" | "puzzles"} part */
  turn(part) {
    this.keep({ part });
    void this.open();
  }

  /** @param {Partial<Progress>} change */
  keep(change) {
    Object.assign(this.progress, change);
    store("localStorage", KEY, this.progress);
  }

  /** @param {Task} task */
  begin(task) {
    this.state = "asked";
    this.app.put(new Game(this.game, task.fen));
    this.app.flipped = picture(this.game, task.fen).side === "p2";
    this.app.toTop();
    this.app.visit(this.app.game.root);
  }

  next() {
    const { tasks, progress, task } = this;
    const wanted = progress.part === "lessons" ? tasks : this.puzzles[this.game].filter(({ grade }) => grade === progress.grade);
    const behind = task ? tasks.indexOf(task) + 1 : 0;
    const ordered = [...tasks.slice(behind), ...tasks.slice(0, behind)].filter((other) => wanted.includes(/** @type {any} */ (other)));
    const open = ordered.find(({ fen }) => !progress.done.includes(fen)) ?? ordered[0];
    if (open) this.begin(open);
  }

  /** @param {string} move */
  move(move) {
    const { task } = this;
    if (!task || this.solved) return;
    if (task.solved.some((pattern) => fits(move, pattern))) return this.solve(move, "solved");
    const isRight = (/** @type {number} */ from, /** @type {number} */ to) =>
      task.solved.some((pattern) => fits(move.slice(from, to), pattern.slice(from, to)));
    this.state = this.game === "yoxii" && isRight(0, 4) ? "piece" : "wrong";
    if (this.progress.part === "puzzles") this.keep({ run: 0 });
    this.refuted = "";
    if ("line" in task && this.state === "wrong") void this.refute(task, move);
    if (!("line" in task)) {
      if (this.state === "wrong") this.refuted = t(`slip.${this.game}.${isRight(0, 2) ? "second" : "first"}`);
      void this.count(task, move, isRight(2, 4));
    }
    this.app.hand.clear();
    this.app.changed("all");
  }

  /** @param {Puzzle} task @param {string} move */
  async refute(task, move) {
    const said = await refutation(this.app, this.game, task.fen, move);
    if (this.task !== task || this.state !== "wrong") return;
    this.refuted = said;
    this.app.changed("all");
  }

  /** Says what the wrong move of a lesson scores. @param {Lesson} task @param {string} move @param {boolean} isThere whether it ends on the right square */
  async count({ fen }, move, isThere) {
    const { app, game, state } = this;
    const facts = await app.factsOf(game, fen, [move]).catch(() => null);
    if (!facts || app.game.fen !== fen || this.state !== state) return;
    const at = facts.counted.flat().find(({ square }) => square === parts(move).second);
    const more = facts.moves.length === 0 ? app.counted(facts) : game === "hokito" && isThere && at ? `${at.square}: ${pointsOf(at.points)}.` : "";
    if (!more) return;
    this.refuted = `${this.refuted || t(`answer.${state}`)} ${more}`;
    app.changed("all");
  }

  get solved() {
    return this.state === "solved" || this.state === "shown";
  }

  /** @param {string} move @param {"solved" | "shown"} state */
  solve(move, state) {
    const { progress, app, task } = this;
    if (!task) return;
    const first = this.state === "asked" && state === "solved" && !progress.done.includes(task.fen);
    if (state === "solved" && !progress.done.includes(task.fen)) this.keep({ done: [...progress.done, task.fen] });
    if ("line" in task) {
      if (first) this.keep({ run: progress.run + 1, best: Math.max(progress.best, progress.run + 1) });
      else if (state === "shown") this.keep({ run: 0 });
      const day = today();
      const isNext = progress.day === day - 1;
      if (state === "solved" && task === this.daily && progress.day !== day) this.keep({ day, days: isNext ? progress.days + 1 : 1 });
      app.game.root.grow(task.line);
    }
    this.state = state;
    app.play(move);
  }

  show() {
    const { task } = this;
    const move = this.app.facts?.moves.find((move) => task?.solved.some((pattern) => fits(move, pattern)));
    if (move) this.solve(move, "shown");
  }

  prompt() {
    const { task, state, app } = this;
    if (!task) return "";
    const slip = this.page.pointing.said || (state === "asked" ? "" : this.refuted || t(`answer.${state}`));
    if ("line" in task) {
      const side = picture(this.game, task.fen).side;
      const asked = t(`puzzle.${task.value}`, { side: app.side(side) });
      if (!this.solved) return `${slip} ${asked}`.trim();
      return `${t(`answer.${state}`, { move: app.spell(task.solved[0]) })} ${t(`only.${task.value}`)}`;
    }
    const [text, end] = [`lesson.${this.game}.${task.id}`, this.isLast ? ` ${t("lessonsEnd")}` : ""];
    if (this.solved) return `${t(state === "solved" ? "lessonSolved" : "lessonShown")} ${t(`${text}.done`)}${end}`;
    return `${slip} ${t(`${text}.task`)}`.trim();
  }

  get isLast() {
    const { part, done } = this.progress;
    return part === "lessons" && (this.task === this.tasks.at(-1) || this.tasks.every(({ fen }) => done.includes(fen)));
  }

  /** @param {VNode[]} steps */
  buttons(steps) {
    if (!this.task) return [];
    return this.solved ? [
      button("task-again", t("once"), () => this.begin(/** @type {Task} */ (this.task))),
      ..."line" in this.task ? steps.filter(({ key }) => key === "back" || key === "forward") : [],
      ...this.isLast ? [button("to-play", t("play"), () => this.page.turnTo("play")),
        button("to-puzzles", t("toPuzzles"), () => this.turn("puzzles"), { class: "main" })]
        : [button("task-next", t("next"), () => this.next(), { class: "main" })],
    ] : [
      button("task-show", t("show"), () => this.show()),
      button("task-next", t(this.progress.part === "lessons" ? "skip" : "next"), () => this.next()),
    ];
  }

  /** @returns {VNode} */
  card() {
    const { part } = this.progress;
    const tabs = /** @type {const} */ (["lessons", "puzzles"]).map((other) =>
      button(`learn-${other}`, t(other), () => this.turn(other), { "aria-pressed": String(part === other) }));
    return card(t("learn"), html("div", { class: "row" }, ...tabs), ...(part === "lessons" ? this.contents() : this.choice()), typing(this.page));
  }

  contents() {
    const { progress, task, lessons } = this;
    const entry = (/** @type {Lesson} */ lesson, /** @type {number} */ i) => html("li", {},
      button(`lesson-${i}`, t(`lesson.${this.game}.${lesson.id}`), () => this.begin(lesson), {
        "aria-current": String(lesson === task), class: progress.done.includes(lesson.fen) ? "done" : "",
      }));
    return [html("ol", { class: "lessons" }, ...lessons[this.game].map(entry))];
  }

  choice() {
    const { progress, app, task } = this;
    const puzzles = this.puzzles[this.game];
    if (puzzles.length === 0) return [];
    const count = (/** @type {Grade} */ wanted) => {
      const all = puzzles.filter(({ grade }) => grade === wanted);
      return t(`grade.${wanted}`, { n: all.filter(({ fen }) => progress.done.includes(fen)).length, total: all.length });
    };
    const far = this.solved && app.facts ? html("div", { class: "row" },
      button("puzzle-play", t("usePlay"), () => this.page.begin("play", app.facts?.fen), { disabled: app.facts.moves.length === 0 }),
      button("puzzle-analyse", t("useAnalyse"), () => void app.take(app.game.fen, app.game.at.moves()))) : null;
    return [
      html("div", { class: "row" }, button("daily", t("daily", { date: todayText() }), () => this.begin(this.daily), {
        "aria-pressed": String(task === this.daily), class: progress.day === today() ? "done" : "",
      })),
      html("div", { class: "fields" }, ...select("grade", t("grade"), GRADES.map((grade) => [grade, count(grade)]), progress.grade,
        (grade) => { this.keep({ grade: /** @type {Grade} */ (grade) }); this.next(); })),
      html("p", { id: "streak", class: "soft" }, [
        t("streak", { run: progress.run, best: progress.best }), progress.days > 0 && progress.day >= today() - 1 ? t("dayStreak", { n: progress.days }) : "",
      ].filter(Boolean).join(" ")),
      ...(far ? [far] : []),
    ];
  }
}
