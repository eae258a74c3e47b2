// Totemic as a Web Worker: it speaks UGI by messages, a line a message. README.md says how to
// use it, and `node.cjs` is how node does.
//
// There are two kinds of workers in this file. The front is what a page talks to: it never
// blocks. Behind it, a core runs the WebAssembly module. A core that searches hears messages
// only where it can fetch them itself, as in node. Elsewhere it hears a bell, if memory can be
// shared; and if not, nothing: then the front answers for it, and takes another core.
"use strict";

(() => {
  /** The name by which a worker knows that it is a core. */
  const CORE = "totemic-core";
  /** What the bell rings for. */
  const [STOP, PONDERHIT] = [1, 2];
  /** Most bytes of a question. */
  const LARGEST = 1 << 20;
  /** How often a core that works fetches messages, in milliseconds. */
  const PAUSE = 2;

  // The core.

  /** @param {{ module: WebAssembly.Module, bell: SharedArrayBuffer | null }} data */
  function core({ module, bell }) {
    const rung = bell && new Int32Array(bell);
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
    const post = (message) => self.postMessage(message);
    const text = (at, length) => decoder.decode(new Uint8Array(wasm.memory.buffer, at, length));
    let work = null;
    let isEnough = false;
    let isBrief = false;
    let heard = 0;
    let why = "";
    const host = {
      now: () => performance.timeOrigin + performance.now(),
      look: () => (listen(), isEnough ? 1 : 0),
      write: (at, length) => post({ text: text(at, length).trimEnd() }),
      fault: (at, length) => { why = text(at, length); },
    };
    const wasm = new WebAssembly.Instance(module, { host }).exports;
    wasm.begin();

    function listen() {
      if (isBrief) {
        isBrief = false;
        act({ ring: STOP });
      }
      if (rung && Atomics.load(rung, 0)) act({ ring: Atomics.exchange(rung, 0, 0) });
      if (!self.nextMessage || performance.now() - heard < PAUSE) return;
      heard = performance.now();
      for (let message; (message = self.nextMessage()); ) act(message);
    }

    /** @param {Uint8Array | string} from */
    function input(from) {
      const bytes = typeof from === "string" ? encoder.encode(from) : from;
      const at = wasm.input(bytes.length);
      new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    }

    function run(begun) {
      [work, isEnough] = [begun, false];
      work();
      [work, isEnough] = [null, false];
      post({ idle: true });
    }

    function act({ line, brief, question, ring, end }) {
      if (line !== undefined) {
        input(line);
        const next = wasm.line();
        post({ taken: true, begins: next === 1, quits: next === 2 });
        isBrief = brief;
        if (next === 1) run(wasm.work);
      } else if (question !== undefined) {
        input(question);
        run(wasm.ask);
      } else if (end) {
        wasm.end();
        post({ taken: true });
      } else if (work === wasm.ask) [isEnough] = [true, wasm.enough()];
      else if (work) {
        input(ring === STOP ? "stop" : "ponderhit");
        wasm.line();
      }
    }

    self.onmessage = ({ data }) => {
      try {
        act(data);
      } catch (error) {
        post({ fault: why || String(error) });
      }
    };
  }

  // The front.

  /** Whether cores fetch messages while they work. */
  const hears = Boolean(self.nextMessage);
  /** A module that has never answered will not answer from another core either. */
  let hasRun = false;

  /** @param {string | object} answer */
  function say(answer) {
    hasRun = true;
    self.postMessage(answer);
  }

  /** A core as the front sees it. */
  class Core {
    /**
     * @param {WebAssembly.Module} module
     * @param {(message: any) => void} onMessage
     */
    constructor(module, onMessage) {
      // WebKitGTK has none, in an isolated page either.
      const bell = globalThis.SharedArrayBuffer && !hears ? new SharedArrayBuffer(4) : null;
      this.bell = bell && new Int32Array(bell);
      this.worker = new self.Worker(self.location.href, { name: CORE });
      this.worker.onmessage = ({ data }) => { if (this.worker) onMessage(data); };
      this.worker.onerror = (event) => {
        event.preventDefault();
        if (this.worker) onMessage({ fault: event.message || "its worker cannot be loaded" });
      };
      this.worker.postMessage({ module, bell });
    }

    /** @param {object} message for a core that hears, or does nothing */
    send(message) {
      if (this.bell) Atomics.store(this.bell, 0, 0);
      this.worker.postMessage(message);
    }

    /** Rings for a core that works; returns whether it hears that. */
    ring(ring) {
      if (hears) this.worker.postMessage({ ring });
      else if (this.bell) Atomics.store(this.bell, 0, ring);
      return hears || this.bell !== null;
    }

    end() {
      this.worker?.terminate();
      this.worker = null;
    }
  }

  /** Commands that what runs has to end for. */
  const ENDING = new Set(["stop", "go", "solve", "uginewgame", "ucinewgame", "bench", "quit"]);

  /** @param {Uint8Array | string} line */
  function lineOf(line) {
    const head = typeof line === "string" ? line : new TextDecoder().decode(line.subarray(0, 4096));
    const words = head.trim().split(/\s+/);
    return { line, words, command: words[0].toLowerCase() };
  }

  /** The engine: takes lines at any time, and outlives its core. */
  class Engine {
    /** @param {WebAssembly.Module} module */
    constructor(module) {
      this.module = module;
      this.queue = [];
      // What a new core has to be told.
      this.options = new Map();
      this.game = "yoxii";
      this.position = [];
      this.refusal = [];
      /** The `go` or `solve` that was not answered yet, and the best move found for it. */
      this.go = null;
      this.best = "";
      this.begin();
    }

    begin() {
      /** The line that the core has not taken yet. */
      this.current = null;
      this.searching = false;
      this.stopping = false;
      this.core = new Core(this.module, (message) => this.hear(message));
    }

    /** @param {Uint8Array | string} from */
    take(from) {
      const line = lineOf(from);
      if (!line.command) return;
      this.queue.push(line);
      this.pump();
    }

    /** There are no more lines: ends when what runs has ended. */
    end() {
      this.queue.push({ end: true, words: [], command: "" });
      this.pump();
    }

    pump() {
      while (this.core && !this.current && this.queue.length > 0) {
        if (this.searching && !this.passes()) return;
        const line = this.queue.shift();
        this.current = line;
        this.refused = false;
        if (line.command === "go" || line.command === "solve") [this.go, this.best] = [line, ""];
        // What is to end at once needs neither ears nor another core.
        line.brief = !hears && this.queue.some(({ command }) => ENDING.has(command));
        this.core.send({ line: line.line, end: line.end, brief: line.brief });
      }
      if (this.ended && !this.current && !this.searching) this.quit();
    }

    /** Whether the next line may go to a core that searches. If the search has to end first, it is told. */
    passes() {
      // What comes after a stop has to find the search ended.
      if (this.stopping) return false;
      if (hears && !ENDING.has(this.queue[0].command)) return true;
      if (!hears) this.queue = this.queue.filter(({ command }) => command !== "isready" || say("readyok"));
      const ending = this.queue.find(({ command, told }) => ENDING.has(command) || command === "ponderhit" && !told);
      if (!ending) return false;
      const isHit = ending.command === "ponderhit";
      if (this.core.ring(isHit ? PONDERHIT : STOP)) {
        [ending.told, this.stopping] = [true, !isHit];
        return isHit && this.passes();
      }
      // A search that has found nothing will soon; one that has just answered ends.
      if (!this.go || !this.best && this.standIn() === "") return false;
      ending.told = true;
      const { words } = this.go;
      if (isHit && !words.includes("ponder")) return this.passes();
      const rest = words.filter((word) => word !== "ponder");
      // What ends by itself begins anew after a hit, now with its limits.
      if (isHit && rest.some((word) => /^\d+$/.test(word))) this.replace([lineOf(rest.join(" "))]);
      else this.replace(this.answer());
      return false;
    }

    /** The answer for a core that cannot give it; empty if nothing is known yet. */
    standIn() {
      const { command, words } = this.go;
      if (command === "solve") return "solution value unknown nodes 0 time 0";
      if (words.includes("perft")) return "info string perft stopped before its end";
      return this.best && `bestmove ${this.best}`;
    }

    /** Answers for a core that cannot, or returns lines that make the next one answer. */
    answer() {
      if (!this.go) return [];
      const answer = this.standIn();
      if (!answer) return [lineOf("go depth 1")];
      say(answer);
      this.go = null;
      return [];
    }

    /** Takes another core, with the options and the position of the last one. */
    replace(lines) {
      this.core.end();
      const known = [...this.options.values(), ...this.position, ...this.refusal];
      this.queue.unshift(...known.map((line) => ({ ...line, silent: true })), ...lines);
      this.begin();
      this.pump();
    }

    hear({ text, taken, begins, quits, idle, fault }) {
      if (text !== undefined) return this.hearText(text);
      if (fault !== undefined) return this.fail(fault);
      if (idle) [this.searching, this.stopping] = [false, false];
      if (taken) {
        const line = this.current;
        this.current = null;
        if (begins) [this.searching, this.stopping] = [true, line.brief];
        if (quits) return this.quit();
        if (line.end) this.ended = true;
        if (!line.silent) this.remember(line);
      }
      this.pump();
    }

    hearText(text) {
      if (this.current?.silent) return;
      for (const line of text.split("\n")) {
        const [, best] = /^info depth .* multipv 1 .* pv (\S+)/.exec(line) ?? [];
        if (line.startsWith("info string error")) this.refused = true;
        else if (/^(bestmove|solution|Nodes searched)/.test(line)) this.go = null;
        say(line);
        if (!best) continue;
        this.best = best;
        this.pump();
      }
    }

    /** Keeps what another core would have to be told. */
    remember(line) {
      const { command, words } = line;
      if (this.refused) {
        // Until a good position follows, the game counts as over.
        if (command === "position" || command === "moves") this.refusal = [line];
      } else if (command === "position") [this.position, this.refusal] = [[line], []];
      else if (command === "moves") this.position.push(line);
      else if (command === "debug") this.options.set(command, line);
      else if (command === "setoption") {
        const end = words.indexOf("value");
        const name = words.slice(2, end < 0 ? undefined : end).join(" ").toLowerCase();
        const value = words.slice(end + 1).join(" ").toLowerCase();
        if (name === "game" && value !== this.game) [this.game, this.position, this.refusal] = [value, [], []];
        this.options.delete(name);
        this.options.set(name, line);
      }
    }

    /** The core is lost: says so, and goes on with another one unless that is lost as well. */
    fail(why) {
      const isHopeless = this.current?.silent || !hasRun;
      say(`info string error: the engine has failed${isHopeless ? "" : " and begins again"}: ${oneLine(why)}`);
      if (isHopeless) return this.quit("the engine has failed");
      if (this.go?.words.join(" ") === "go depth 1") this.best ||= "0000";
      // What was on its way while the search failed is not to blame.
      if (this.searching && this.current) this.queue.unshift(this.current);
      this.replace(this.answer());
    }

    quit(why) {
      this.core.end();
      this.core = null;
      close(why);
    }
  }

  /** Answers questions of a page, one after the other, in a core of its own. */
  class Answers {
    /**
     * @param {WebAssembly.Module} module
     * @param {boolean} once whether the core's memory is given back after each answer
     */
    constructor(module, once) {
      [this.module, this.once] = [module, once];
      this.queue = [];
      this.asked = null;
      this.core = null;
    }

    ask(question) {
      this.queue.push(question);
      this.pump();
    }

    pump() {
      if (this.asked || this.queue.length === 0) return;
      this.asked = this.queue.shift();
      const question = new TextEncoder().encode(JSON.stringify(this.asked));
      if (question.length > LARGEST) return this.settle({ error: `the text is longer than ${LARGEST >> 20} MiB` });
      this.core ??= new Core(this.module, (message) => this.hear(message));
      this.core.send({ question });
    }

    /** Ends what takes long: it answers with what it has found, or fails if its core hears nothing. */
    enough() {
      if (this.asked && !this.core.ring(STOP)) this.lose("stopped");
    }

    hear({ text, fault }) {
      if (fault !== undefined) return this.lose(`the engine has failed: ${oneLine(fault)}`);
      if (text === undefined) return;
      const reply = JSON.parse(text);
      if (reply.progress) say(reply);
      else this.settle(reply);
    }

    lose(why) {
      this.core.end();
      this.core = null;
      this.settle({ error: why });
    }

    settle(reply) {
      say({ ...reply, call: this.asked.call });
      this.asked = null;
      if (this.once) {
        this.core?.end();
        this.core = null;
      }
      this.pump();
    }
  }

  function oneLine(text) {
    return String(text).replace(/\s+/g, " ").trim();
  }

  /** A worker cannot say how it ends, but that something was wrong. @param {string} [why] */
  function close(why) {
    if (why) setTimeout(() => { throw new Error(why); });
    else self.close();
  }

  /** @param {WebAssembly.Module | string | URL} [module] the compiled module, or its address if it is not beside this file */
  async function load(module = self.totemicModule ?? self.location.href.replace(/\.js(?=$|[?#])/, ".wasm")) {
    if (module instanceof WebAssembly.Module) return module;
    try {
      const response = await fetch(module);
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await WebAssembly.compile(await response.arrayBuffer());
    } catch (error) {
      throw new Error(`${module}: ${error?.message ?? error}`);
    }
  }

  /** Takes messages of a page: lines, or questions as objects. Until the module is there, they wait. */
  function front() {
    let take = null;
    const waiting = [];
    const begin = (module) => {
      const [facts, reviews] = [new Answers(module, false), new Answers(module, true)];
      let engine = null;
      take = (message) => {
        if (typeof message === "string" || message instanceof Uint8Array) {
          engine ??= new Engine(module);
          if (typeof message !== "string") engine.take(message);
          else for (const line of message.split("\n")) engine.take(line);
        } else if (typeof message !== "object" || message === null || Array.isArray(message)) {
          say(`info string error: ${oneLine(message)}: expected a line of UGI or a question`);
        } else if (message.ask === "over") engine ? engine.end() : close();
        else if (message.ask === "enough") reviews.enough();
        else (message.ask === "review" ? reviews : facts).ask(message);
      };
      waiting.forEach(take);
    };
    let isLoading = false;
    self.onmessage = ({ data }) => {
      const given = isLoading ? undefined : data instanceof WebAssembly.Module ? data : data?.module;
      if (!isLoading) {
        isLoading = true;
        load(given).then(begin).catch((error) => {
          say(`info string error: the engine cannot be loaded: ${oneLine(error.message)}`);
          close("the engine cannot be loaded");
        });
      }
      if (given === undefined) take ? take(data) : waiting.push(data);
    };
  }

  if (self.name === CORE) self.onmessage = ({ data }) => core(data);
  else front();
})();
