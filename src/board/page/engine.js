// A client of the protocol: one engine, one question at a time.

/**
 * How long an engine may take to introduce itself and to stop, how long it may be silent while it thinks until it is
 * asked whether it is ready, and how much longer than allowed it may think; in milliseconds.
 */
const PATIENCE = { start: 10_000, stop: 6_000, silence: 10_000, late: 5_000 };

/** @param {string} line */
export function readInfo(line) {
  const words = line.split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  const number = (/** @type {string} */ key) => {
    const at = words.indexOf(key);
    return at < 0 ? NaN : Number(words[at + 1]);
  };
  const pv = words.indexOf("pv");
  const wdl = words.indexOf("wdl");
  if (pv < 0) return null;
  const [cp, mate] = [number("cp"), number("mate")];
  const odds = words.slice(wdl + 1, wdl + 4).map(Number);
  if (Number.isNaN(cp) && Number.isNaN(mate)) return null;
  return {
    depth: number("depth") || 0,
    multipv: number("multipv") || 1,
    cp: Number.isNaN(cp) ? null : cp,
    // Plies to a proven end, negative when losing.
    mate: Number.isNaN(mate) ? null : mate,
    bound: words.includes("lowerbound") || words.includes("upperbound"),
    wdl: wdl < 0 || odds.length < 3 || !odds.every(Number.isFinite) ? null : /** @type {[number, number, number]} */ (odds),
    nodes: number("nodes") || 0,
    nps: number("nps") || 0,
    pv: words.slice(pv + 1),
  };
}

export class Engine {
  /** @param {Hub} hub @param {string} id @param {(why: string, how: string) => void} onTrouble */
  constructor(hub, id, onTrouble) {
    this.hub = hub;
    this.id = id;
    this.onTrouble = onTrouble;
    /** @type {import("./transport.js").Link | null} */
    this.link = null;
    /** @type {number | null} */
    this.index = null;
    this.game = "";
    this.name = "";
    /** @type {Set<string>} names of options, in lower case */
    this.options = new Set();
    /** @type {Map<string, string>} */
    this.set = new Map();
    /** @type {Promise<unknown>} what the engine is asked is asked one after the other */
    this.queue = Promise.resolve();
    /** @type {((line: string) => void) | null} */
    this.onLine = null;
    /** @type {((why: Error) => void) | null} */
    this.fail = null;
    this.thinking = false;
    this.stopTimer = 0;
    /** The last search that was asked for: earlier ones are not begun. */
    this.ticket = 0;
  }

  /** @param {number} index @param {GameName} game */
  ensure(index, game) {
    if (this.link && this.index === index && this.game === game) return;
    this.close();
    [this.index, this.game] = [index, game];
    this.set.clear();
    this.options.clear();
    const link = this.hub.start(this.id, index, game);
    this.link = link;
    link.onLine = (line) => this.onLine?.(line);
    link.onEnd = (why, how) => { if (this.link === link) this.trouble(why, how); };
    this.queue = link.isThere.then(() => {
      if (this.link !== link) throw new Error("closed");
    }).then(() => this.exchange("ugi", (line) => {
      const option = /^option name (.+?) type/.exec(line);
      if (option) this.options.add(option[1].toLowerCase());
      if (line.startsWith("id name ")) this.name = line.slice(8);
      return line === "ugiok";
    }, PATIENCE.start)).then(() => this.setOption("Game", game)).then(() => this.ready());
    this.queue.catch(() => {});
  }

  ready() {
    return this.exchange("isready", (line) => line === "readyok", PATIENCE.start);
  }

  close() {
    if (!this.link) return;
    clearTimeout(this.stopTimer);
    this.stopTimer = 0;
    this.link = null;
    this.hub.end(this.id);
    this.fail?.(new Error("closed"));
    this.fail = this.onLine = null;
    this.thinking = false;
  }

  /** @param {string} why @param {string} how */
  trouble(why, how) {
    this.close();
    this.onTrouble(why, how);
  }

  /**
   * Sends a line and hears the answers until `done` is true.
   * @param {string} line @param {(line: string) => boolean} done @param {number} [patience] milliseconds
   * @returns {Promise<string>} the last answer
   */
  exchange(line, done, patience) {
    const link = this.link;
    if (!link) return Promise.reject(new Error("closed"));
    return new Promise((resolve, reject) => {
      const timer = patience ? setTimeout(() => this.trouble("no answer", "hang"), patience) : 0;
      this.fail = (why) => { clearTimeout(timer); reject(why); };
      this.onLine = (answer) => {
        if (!done(answer)) return;
        clearTimeout(timer);
        this.fail = this.onLine = null;
        resolve(answer);
      };
      link.send(line);
    });
  }

  /** Sets an option, if this engine has it. @param {string} name @param {string | number | boolean} value */
  setOption(name, value) {
    if (!this.options.has(name.toLowerCase()) || this.set.get(name) === String(value)) return;
    this.set.set(name, String(value));
    this.link?.send(`setoption name ${name} value ${value}`);
  }

  /**
   * An earlier search is stopped first.
   * @param {string} position the words behind `position` @param {string} go the words behind `go`
   * @param {Record<string, string | number | boolean>} options @param {(info: Info) => void} onInfo
   * @param {number} [allowed] milliseconds that it may take; it is asked for its answer soon after
   * @returns {Promise<string>} the move; rejected when the engine is gone
   */
  think(position, go, options, onInfo, allowed = Infinity) {
    this.halt();
    const [link, ticket] = [this.link, this.ticket];
    const mine = this.queue.catch(() => {}).then(async () => {
      if (!link || this.link !== link || ticket !== this.ticket) throw new Error("closed");
      for (const [name, value] of Object.entries(options)) this.setOption(name, value);
      link.send(`position ${position}`);
      this.thinking = true;
      const begun = performance.now();
      let heard = begun;
      let asked = 0;
      const watch = setInterval(() => {
        const now = performance.now();
        if (now - begun > allowed + PATIENCE.late) return this.stop();
        if (now - heard < PATIENCE.silence) asked = 0;
        else if (!asked) {
          // An engine has to answer this while it thinks, says `protocol.md`.
          asked = now;
          link.send("isready");
        } else if (now - asked > PATIENCE.stop) this.trouble("no answer", "hang");
      }, 1000);
      const answer = await this.exchange(`go ${go}`, (line) => {
        heard = performance.now();
        const info = readInfo(line);
        if (info) onInfo(info);
        return line.startsWith("bestmove");
      }).finally(() => clearInterval(watch));
      this.thinking = false;
      clearTimeout(this.stopTimer);
      this.stopTimer = 0;
      return answer.split(/\s+/)[1] ?? "0000";
    });
    this.queue = mine;
    return mine;
  }

  /** Stops the search, and those that wait for it. */
  halt() {
    this.ticket++;
    this.stop();
  }

  stop() {
    if (!this.thinking || !this.link || this.stopTimer) return;
    this.link.send("stop");
    this.stopTimer = setTimeout(() => this.trouble("no answer to stop", "hang"), PATIENCE.stop);
  }
}
