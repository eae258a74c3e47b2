// The way to engines. Whatever has `send` and calls `onLine` can take the
// socket's place: an engine in a Web Worker, say.

/**
 * @typedef {object} Link
 * @property {(line: string) => void} send
 * @property {(line: string) => void} onLine
 * @property {(why: string, how: string) => void} onEnd
 */

const TOKEN = "totemic-token";

/** The one socket of this tab; engines are channels in it. */
export class Hub {
  constructor() {
    /** @type {Map<string, Link>} */
    this.links = new Map();
    /** @type {(hello: any) => void} */
    this.onHello = () => {};
    /** @type {(open: boolean, refused: boolean) => void} */
    this.onState = () => {};
    /** @type {(why: string) => void} */
    this.onRefused = () => {};
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tokens = tokens();
    this.wait = 250;
    this.failures = 0;
    this.calls = 0;
    this.started = 0;
    /** The channel of each name. @type {Map<string, string>} */
    this.channels = new Map();
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (why: Error) => void, onProgress: (news: any) => void }>} */
    this.waiting = new Map();
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/socket?${new URLSearchParams({ token: this.tokens[0] ?? "" })}`);
    let accepted = false;
    this.socket = socket;
    socket.onmessage = (event) => this.take(event.data);
    socket.onopen = () => {
      accepted = true;
      [this.wait, this.failures] = [250, 0];
      // Anybody can make a link with a wrong secret: only a right one is kept.
      localStorage.setItem(TOKEN, this.tokens[0]);
    };
    socket.onclose = () => {
      for (const { reject } of this.waiting.values()) reject(new Error("closed"));
      this.waiting.clear();
      this.failures++;
      if (!accepted) this.tokens.push(...this.tokens.splice(0, 1));
      this.onState(false, this.failures > 2);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 4000);
    };
  }

  /** @param {string} message */
  take(message) {
    if (!message.startsWith("{")) {
      const blank = message.indexOf(" ");
      this.links.get(message.slice(0, blank))?.onLine(message.slice(blank + 1));
      return;
    }
    const said = JSON.parse(message);
    if (said.call) return this.settle(said);
    if (said.say === "hello") {
      this.onState(true, false);
      this.onHello(said);
    } else if (said.say === "ended") this.links.get(said.id)?.onEnd(said.why, said.how);
    else this.onRefused(said.why);
  }

  /** @param {{ call: number, answer?: any, progress?: any, error?: string }} reply */
  settle({ call, answer, progress, error }) {
    const waiting = this.waiting.get(call);
    if (!waiting) return;
    if (progress) return waiting.onProgress(progress);
    this.waiting.delete(call);
    if (error === undefined) waiting.resolve(answer);
    else waiting.reject(new Error(error));
  }

  /** @param {object} ask */
  ask(ask) {
    this.post(JSON.stringify(ask));
  }

  /**
   * Asks the server, or the library by way of it.
   * @param {object} question
   * @param {(news: any) => void} [onProgress] news before the answer
   * @returns {Promise<any>}
   */
  call(question, onProgress = () => {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("closed"));
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve, reject, onProgress });
      this.ask({ ...question, call });
    });
  }

  /** @param {string} text */
  post(text) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  /**
   * Starts an engine, and ends the one that had the name before. Each has a
   * channel of its own: what an old one still had to say must not be taken
   * for the words of the new one.
   * @param {string} name
   * @param {number} engine place in the list
   * @param {string} game
   * @returns {Link}
   */
  start(name, engine, game) {
    this.end(name);
    const id = name.slice(0, 8) + letters(++this.started);
    this.channels.set(name, id);
    /** @type {Link} */
    const link = {
      send: (line) => this.post(`${id} ${line}`),
      onLine: () => {},
      onEnd: () => {},
    };
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

/** A number in letters. @param {number} number @returns {string} */
function letters(number) {
  const rest = Math.floor(number / 26);
  return (rest > 0 ? letters(rest) : "") + String.fromCharCode(97 + (number % 26));
}

/**
 * Secrets to be tried: that of the address, which is then no longer shown, and the one that the board accepted before.
 * @returns {string[]}
 */
function tokens() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  address.searchParams.delete("token");
  if (given) history.replaceState(null, "", address);
  return [...new Set([given, localStorage.getItem(TOKEN)])].filter((token) => token !== null);
}
