// The way to engines. Whatever has `send` and calls `onLine` can take the
// socket's place: an engine in a Web Worker, say.

/**
 * @typedef {object} Link
 * @property {(line: string) => void} send
 * @property {(line: string) => void} onLine
 * @property {(why: string, how: string) => void} onEnd
 */

const KEY = "totemic-tab";

/** The one socket of this tab; engines are channels in it. */
export class Hub {
  constructor() {
    /** @type {Map<string, Link>} */
    this.links = new Map();
    /** @type {(hello: any) => void} */
    this.onHello = () => {};
    /** @type {(open: boolean, refused: boolean) => void} */
    this.onState = () => {};
    /** @type {(say: any) => void} */
    this.onSay = () => {};
    /** @type {WebSocket | null} */
    this.socket = null;
    this.token = secret();
    // A copy of this tab must not take it over: the name is put away only
    // while the page is being left.
    this.tab = sessionStorage.getItem(KEY) ?? "";
    sessionStorage.removeItem(KEY);
    addEventListener("pagehide", () => sessionStorage.setItem(KEY, this.tab));
    addEventListener("pageshow", (event) => { if (event.persisted) sessionStorage.removeItem(KEY); });
    this.wait = 250;
    this.failures = 0;
    this.calls = 0;
    this.started = 0;
    /** The channel of each name. @type {Map<string, string>} */
    this.channels = new Map();
    /** @type {Map<number, { resolve: (say: any) => void, reject: (why: Error) => void, onStep: (say: any) => void }>} */
    this.waiting = new Map();
  }

  open() {
    const query = new URLSearchParams({ token: this.token, tab: this.tab });
    const socket = new WebSocket(`ws://${location.host}/socket?${query}`);
    this.socket = socket;
    socket.onmessage = (event) => this.take(event.data);
    socket.onopen = () => { this.wait = 250; this.failures = 0; };
    socket.onclose = () => {
      for (const { reject } of this.waiting.values()) reject(new Error("closed"));
      this.waiting.clear();
      this.failures++;
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
    const say = JSON.parse(message);
    if (say.say === "hello") {
      this.tab = say.tab;
      this.onState(true, false);
      this.onHello(say);
    } else if (say.say === "ended") this.links.get(say.id)?.onEnd(say.why, say.how);
    else if (this.waiting.has(say.call)) {
      const { resolve, reject, onStep } = /** @type {any} */ (this.waiting.get(say.call));
      if (say.say === "judged") return onStep(say);
      this.waiting.delete(say.call);
      if (say.say === "failed") reject(new Error(say.why));
      else resolve(say);
    } else this.onSay(say);
  }

  /** @param {object} ask */
  ask(ask) {
    this.post(JSON.stringify(ask));
  }

  /**
   * Asks the server itself.
   * @param {object} question
   * @param {(say: any) => void} [onStep] news before the answer
   * @returns {Promise<any>}
   */
  call(question, onStep = () => {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("closed"));
    const call = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, { resolve, reject, onStep });
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
   * @param {number | null} engine place in the list; null is the referee
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

/** The secret from the address, which is then no longer shown; or the one kept from before. */
function secret() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given) {
    localStorage.setItem("totemic-token", given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return given ?? localStorage.getItem("totemic-token") ?? "";
}
