// The way to the server of `totemic board`.

import { store, stored } from "./store.js";
import { Hub } from "./transport.js";

const TOKEN = "totemic-token";

/** The one socket of this tab; engines are channels in it. */
export class SocketHub extends Hub {
  constructor() {
    super();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tokens = tokens();
    this.wait = 250;
    this.failures = 0;
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
      [this.wait, this.failures] = [250, 0];
      // Anybody can make a link with a wrong secret: only a right one is kept.
      store("localStorage", TOKEN, this.tokens[0]);
    };
    socket.onclose = () => {
      this.forget();
      this.failures++;
      if (!accepted) this.tokens.push(...this.tokens.splice(0, 1));
      this.onState(false, this.failures > 2 ? "wrongToken" : "lost");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 4000);
    };
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
 * Secrets to be tried: that of the address, which is then no longer shown, and the one that the board accepted before.
 * @returns {string[]}
 */
function tokens() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  address.searchParams.delete("token");
  if (given) history.replaceState(null, "", address);
  return [...new Set([given, stored("localStorage", TOKEN)])].filter((token) => typeof token === "string");
}
