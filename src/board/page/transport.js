// The connection to engines and to the library. A hub carries messages; the hubs in `socket.js`
// and `workers.js` know what is at the other end: a server, or workers of the browser.

import { Refused } from "./strings.js";

/**
 * @typedef {object} Link
 * @property {(line: string) => void} send
 * @property {(line: string) => void} onLine
 * @property {(why: string, how: string) => void} onEnd
 * @property {Promise<unknown>} isThere resolved once the engine can hear
 */

export class Hub {
  constructor() {
    /** @type {Map<string, Link>} */
    this.links = new Map();
    /** @type {(hello: any) => void} */
    this.onHello = () => {};
    /** Whether the connection is open, and if not, the key of the sentence that says why. @type {(open: boolean, why?: string) => void} */
    this.onState = () => {};
    /** @type {(why: string) => void} */
    this.onRefused = () => {};
    /** How much of an engine has come, in per cent, while it is being loaded. @type {number | null} */
    this.come = null;
    this.onCome = () => {};
    /** The journal of the match that the server follows. @type {import("./socket.js").Journal | null} */
    this.journal = null;
    this.calls = 0;
    this.started = 0;
    /** The channel of each name. @type {Map<string, string>} */
    this.channels = new Map();
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (why: Error) => void, onProgress: (news: any) => void }>} */
    this.waiting = new Map();
    /** The largest table that an engine is asked to have, in MiB. */
    this.largestHash = 1024;
    /** Whether engines that the shown mode does not use are ended. */
    this.isFrugal = false;
  }

  /** Connects; `onHello` is called once that is done. */
  open() {}

  /** Whether the files of this page are gone, as there is a newer version. */
  async isGone() {
    return false;
  }

  get isOpen() {
    return false;
  }

  /** Sends a command or a question, if the connection is open. @param {any} asked */
  ask(asked) {
    void asked;
  }

  /** @param {string} id @param {string} line */
  tell(id, line) {
    void [id, line];
  }

  /** Rejects all questions that wait for an answer. */
  forget() {
    for (const { reject } of this.waiting.values()) reject(new Error("closed"));
    this.waiting.clear();
  }

  /** @param {string} id @param {string} line */
  hear(id, line) {
    this.links.get(id)?.onLine(line);
  }

  /** @param {any} said */
  take(said) {
    if (said.call) return this.settle(said);
    if (said.say === "hello") {
      this.onState(true);
      this.onHello(said);
    } else if (said.say === "ended") this.links.get(said.id)?.onEnd(said.why, said.how);
    else this.onRefused(said.why);
  }

  /** @param {{ call: number, answer?: any, progress?: any, error?: string, reason?: Fault }} reply */
  settle({ call, answer, progress, error, reason: fault }) {
    const waiting = this.waiting.get(call);
    if (!waiting) return;
    if (progress) return waiting.onProgress(progress);
    this.waiting.delete(call);
    if (error === undefined) waiting.resolve(answer);
    else waiting.reject(new Refused(error, fault ?? { why: "plain", text: error }));
  }

  /** @param {object} question @param {(news: any) => void} [onProgress] news before the answer @returns {Promise<any>} */
  call(question, onProgress = () => {}) {
    if (!this.isOpen) return Promise.reject(new Error("closed"));
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve, reject, onProgress });
      this.ask({ ...question, call });
    });
  }

  /**
   * Starts an engine, and ends the one that had the name before. Each has a channel of its own: what an old one still
   * had to say must not be taken for the words of the new one.
   * @param {string} name @param {number} engine place in the list @param {string} game @returns {Link}
   */
  start(name, engine, game) {
    this.end(name);
    const id = name.slice(0, 8) + letters(++this.started);
    this.channels.set(name, id);
    /** @type {Link} */
    const link = { send: (line) => this.tell(id, line), onLine: () => {}, onEnd: () => {}, isThere: Promise.resolve() };
    this.links.set(id, link);
    this.ask({ ask: "start", id, engine, game });
    return link;
  }

  /** @param {string} name */
  end(name) {
    const id = this.channels.get(name);
    if (!id) return;
    this.channels.delete(name);
    this.links.delete(id);
    this.ask({ ask: "end", id });
  }
}

/** The names of channels may have letters only. @param {number} number @returns {string} */
function letters(number) {
  const rest = Math.floor(number / 26);
  return (rest > 0 ? letters(rest) : "") + String.fromCharCode(97 + (number % 26));
}
