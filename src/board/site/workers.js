// The library and the engines as workers of the browser: no server is asked.

import { Hub } from "./transport.js";

/** The rules alone are there sooner: they answer all questions but reviews. */
const RULES = new URL("answers.js", import.meta.url);
const ENGINE = new URL("totemic.js", import.meta.url);
/** The longest wait before a program that did not load is tried again, in milliseconds. */
const LONGEST_WAIT = 8000;
/** How long the rules may take for an answer, in milliseconds. */
const LONGEST_SILENCE = 10_000;

export class WorkerHub extends Hub {
  constructor() {
    super();
    // A phone has to have room for the engines and the page.
    this.largestHash = 32;
    this.isFrugal = true;
    /** @type {Map<string, Worker>} */
    this.engines = new Map();
    /** @type {Worker | null} */
    this.rules = null;
    /** Judges games. It begins as soon as the rules are there, so that the engine is on its way. @type {Worker | null} */
    this.reviewer = null;
    /** The call of the last review. */
    this.reviewing = 0;
    this.wait = 500;
    this.silence = 0;
    this.ready = false;
  }

  /** Questions wait in the worker until it is ready. */
  get isOpen() {
    return this.rules !== null;
  }

  open() {
    const rules = worker(RULES, (said) => {
      if (typeof said === "string") return;
      clearTimeout(this.silence);
      if (!this.ready) {
        [this.ready, this.wait] = [true, 500];
        this.take({ say: "hello", engines: ["Totemic"], journal: false });
        this.startReviewer();
      }
      this.take(said);
    }, (why) => this.fail(why));
    this.rules = rules;
    // Any answer says that they are there; nobody waits for this one.
    rules.postMessage({ call: -1, ask: "advantages" });
  }

  /** The rules are gone: begins anew after a while. @param {string} why */
  fail(why) {
    console.error(why);
    clearTimeout(this.silence);
    this.rules?.terminate();
    this.rules = null;
    this.ready = false;
    this.forget();
    this.onState(false, "noEngine");
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  startReviewer() {
    this.reviewer?.terminate();
    this.reviewer = worker(ENGINE, (said) => {
      if (typeof said === "string") return;
      // The page has been told what was known by then.
      this.take(said.error === "stopped" ? { ...said, error: undefined } : said);
    }, (why) => {
      this.reviewer?.terminate();
      this.reviewer = null;
      if (this.reviewing) this.take({ call: this.reviewing, error: why });
    });
  }

  /** @param {any} asked */
  ask(asked) {
    switch (asked.ask) {
      case "start": return this.startEngine(asked.id, asked.game);
      case "end": return this.endEngine(asked.id);
      case "review":
        this.reviewing = asked.call;
        if (!this.reviewer) this.startReviewer();
        return this.reviewer?.postMessage(asked);
      case "enough": return this.reviewer?.postMessage(asked);
      default:
        this.rules?.postMessage(asked);
        // A worker may die without a word.
        clearTimeout(this.silence);
        if (this.ready) this.silence = setTimeout(() => this.fail("no answer"), LONGEST_SILENCE);
    }
  }

  /** @param {string} id @param {string} line */
  tell(id, line) {
    this.engines.get(id)?.postMessage(line);
  }

  /** @param {string} id @param {string} game */
  startEngine(id, game) {
    const engine = worker(ENGINE, (line) => this.hear(id, line), (why) => {
      this.endEngine(id);
      this.take({ say: "ended", id, how: "gone", why });
    });
    engine.postMessage(`setoption name Game value ${game}`);
    this.engines.set(id, engine);
  }

  /** @param {string} id */
  endEngine(id) {
    this.engines.get(id)?.terminate();
    this.engines.delete(id);
  }
}

/** @param {URL} program @param {(said: any) => void} onMessage @param {(why: string) => void} onError */
function worker(program, onMessage, onError) {
  const worker = new Worker(program);
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError((event.message ?? "the engine cannot be loaded").replace("Uncaught Error: ", ""));
  };
  return worker;
}
