// The library and the engines as workers of the browser: no server is asked.

import { ENGINE, RULES, come, isGone, load, news } from "./modules.js";
import { Hub } from "./transport.js";

const PROGRAM = new URL("totemic.js", import.meta.url);
/** The longest wait before a program that did not load is tried again, in milliseconds. */
const LONGEST_WAIT = 8000;
/** How long the rules may take for an answer, in milliseconds. */
const LONGEST_SILENCE = 10_000;
const UNLOADED = "the engine cannot be loaded";

export class WorkerHub extends Hub {
  constructor() {
    super();
    // A phone has to have room for the engines and the page.
    this.largestHash = 32;
    this.isFrugal = true;
    /** @type {Map<string, Program>} */
    this.engines = new Map();
    /** @type {Program | null} */
    this.rules = null;
    /** @type {Program | null} */
    this.reviewer = null;
    /** The call of the last review. */
    this.reviewing = 0;
    this.wait = 500;
    this.silence = 0;
    this.ready = false;
    news.tell = () => {
      const percent = come.get(this.ready ? ENGINE : RULES) ?? 0;
      this.come = percent < 100 ? percent : null;
      this.onCome();
    };
    news.tell();
  }

  isGone() {
    return isGone();
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
        // The player will need the engine next.
        load(ENGINE).catch(() => {});
        news.tell();
      }
      this.take(said);
    }, (why) => this.fail(why));
    this.rules = rules;
    // The first answer tells that the rules are loaded; nobody waits for this one.
    rules.postMessage({ call: -1, ask: "advantages" });
  }

  /** Ends the worker of the rules, which has failed, and starts another one after a while. @param {string} why */
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
      // A review that was stopped is no error: the page has what was judged by then.
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
    // Memory of WebAssembly never shrinks: the tables must not begin larger than each search wants them.
    engine.postMessage("setoption name Hash value 1");
    this.engines.set(id, engine);
    const link = this.links.get(id);
    if (link) link.isThere = engine.ready;
  }

  /** @param {string} id */
  endEngine(id) {
    this.engines.get(id)?.terminate();
    this.engines.delete(id);
  }
}

/** What is asked of a worker. @typedef {{ ready: Promise<void>, postMessage: (message: any) => void, terminate: () => void }} Program */

/**
 * @param {string} module @param {(said: any) => void} onMessage @param {(why: string) => void} onError
 * @returns {Program}
 */
function worker(module, onMessage, onError) {
  const worker = new Worker(PROGRAM);
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError((event.message ?? UNLOADED).replace("Uncaught Error: ", ""));
  };
  const ready = load(module).then((compiled) => worker.postMessage(compiled));
  ready.catch((why) => {
    console.error(why);
    onError(UNLOADED);
  });
  return {
    ready,
    postMessage: (message) => void ready.then(() => worker.postMessage(message), () => {}),
    terminate() {
      onError = () => {};
      worker.terminate();
    },
  };
}
