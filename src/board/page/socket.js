// The connection to the server of `totemic board`.

import { store, stored } from "./store.js";
import { Hub } from "./transport.js";

const TOKEN = "totemic-token";
/** The code with which the server closes the sockets of more tabs than it serves, and the longest wait between two tries, in milliseconds. */
const [TOO_MANY, LONGEST] = [1013, 2000];

/** The games of a match that is followed, as its journal grows. */
export class Journal {
  /** @param {(from: number) => Promise<(ReadGame | UnreadGame)[]>} ask for the games from a number on */
  constructor(ask) {
    this.ask = ask;
    /** All games of the journal, also those with a fault, so that their numbers are the journal's. @type {(ReadGame | UnreadGame)[]} */
    this.games = [];
    this.isReading = false;
  }

  /** Each question waits for the answer to the one before. @returns {Promise<boolean>} whether there is something new */
  async read() {
    if (this.isReading) return false;
    this.isReading = true;
    try {
      const last = Math.max(0, this.games.length - 1);
      // The server sends the last game once more: if it is another one, or none, the match has begun anew.
      const told = await this.ask(last);
      if (this.games.length > 0 && JSON.stringify(told[0]) !== JSON.stringify(this.games[last])) this.games = await this.ask(0);
      else if (last + told.length > this.games.length) this.games = this.games.slice(0, last).concat(told);
      else return false;
      return true;
    } finally {
      this.isReading = false;
    }
  }
}

/** The one socket of this tab; engines are channels in it. */
export class SocketHub extends Hub {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tokens = tokens();
    this.journal = new Journal((from) => this.call({ ask: "journal", from }));
    this.wait = 250;
    this.timer = 0;
    this.refused = 0;
    // A server that was started again has another secret. The tab that opens the address that it
    // printed stores the secret, and the other tabs use it, too.
    addEventListener("storage", ({ key }) => {
      const token = stored("localStorage", TOKEN);
      if (key !== TOKEN || typeof token !== "string" || this.isOpen) return;
      this.tokens = [token];
      this.reopen(0);
    });
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/socket?${new URLSearchParams({ token: this.tokens[0] ?? "" })}`);
    let accepted = false;
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      if (data.startsWith("{")) return this.take(JSON.parse(data));
      const blank = data.indexOf(" ");
      this.hear(data.slice(0, blank), data.slice(blank + 1));
    };
    socket.onopen = () => {
      accepted = true;
      [this.wait, this.refused] = [250, 0];
      // Anybody can make a link with a wrong secret: only a right one is kept.
      store("localStorage", TOKEN, this.tokens[0]);
    };
    socket.onclose = async ({ code }) => {
      if (this.socket !== socket) return;
      this.forget();
      if (!accepted) this.tokens.push(...this.tokens.splice(0, 1));
      this.reopen(code === TOO_MANY ? LONGEST : this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST);
      const isThere = !accepted && await fetch("icon.svg", { cache: "no-store" }).then(() => true, () => false);
      // Another secret may be the right one.
      if (this.isOpen || isThere && ++this.refused < this.tokens.length) return;
      this.onState(false, code === TOO_MANY ? "tooMany" : isThere ? "wrongToken" : "lost");
    };
  }

  /** @param {number} wait in milliseconds */
  reopen(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** @param {any} asked */
  ask(asked) {
    if (this.isOpen) this.socket?.send(JSON.stringify(asked));
  }

  /** @param {string} id @param {string} line */
  tell(id, line) {
    if (this.isOpen) this.socket?.send(`${id} ${line}`);
  }
}

/**
 * The secrets to try: that of the address, which is then no longer shown, and the one that the server accepted before.
 * @returns {string[]}
 */
function tokens() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  address.searchParams.delete("token");
  if (given) history.replaceState(null, "", address);
  return [...new Set([given, stored("localStorage", TOKEN)])].filter((token) => typeof token === "string");
}
