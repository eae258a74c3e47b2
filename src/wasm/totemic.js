#!/usr/bin/env node
// Totemic for web pages and for node. As a Web Worker it speaks UGI by messages, a line a
// message; in node it speaks on stdin and stdout. README.md says how to use it.
//
// There are two kinds of workers in this file. The front is what the page or the terminal
// talks to: it never blocks. Behind it, a core runs the WebAssembly module, and hears nothing
// while it searches, unless it can look into memory that both share.
"use strict";

(() => {
  /** What may lie in the slot, the memory that a front shares with its core. */
  const [NOTHING, LINE, QUESTION, END, ENOUGH] = [0, 1, 2, 3, 4];
  /** Bytes of the slot before the text: what it is, and the length of the text. */
  const HEAD = 8;
  /** Most bytes of a line or a question. */
  const LARGEST = 1 << 20;
  /** The name by which a worker knows that it is a core. */
  const CORE = "totemic-core";

  const isNode = typeof process === "object" && Boolean(process.versions?.node) && typeof require === "function";
  const threads = isNode ? require("node:worker_threads") : null;

  // The core.

  /**
   * Runs a module, which takes texts from the slot, or from messages where there is none.
   * @param {(message: object) => void} post
   * @param {{ module: WebAssembly.Module, slot: SharedArrayBuffer | null }} data
   * @returns {(kind: number, bytes: Uint8Array) => void} takes a text
   */
  function core(post, { module, slot }) {
    const head = slot && new Int32Array(slot, 0, 2);
    const decoder = new TextDecoder();
    let working = false;
    let interrupted = false;
    let why = "";
    const text = (at, length) => decoder.decode(new Uint8Array(wasm.memory.buffer, at, length));
    const host = {
      now: () => performance.timeOrigin + performance.now(),
      look: () => (takeShared(), interrupted ? 1 : 0),
      write: (at, length) => post({ text: text(at, length).trimEnd() }),
      fault: (at, length) => { why = text(at, length); },
    };
    const wasm = new WebAssembly.Instance(module, { host }).exports;
    wasm.begin();

    function takeShared() {
      if (!head || Atomics.load(head, 0) === NOTHING) return;
      const [kind, bytes] = [head[0], new Uint8Array(slot, HEAD, head[1]).slice()];
      Atomics.store(head, 0, NOTHING);
      act(kind, bytes);
    }

    function work(begin) {
      [working, interrupted] = [true, false];
      begin();
      [working, interrupted] = [false, false];
      post({ idle: true });
    }

    function act(kind, bytes) {
      if (kind === LINE || kind === QUESTION) {
        const at = wasm.input(bytes.length);
        new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
      }
      if (kind === LINE) {
        const next = wasm.line();
        post({ taken: true, begins: next === 1, quits: next === 2 });
        if (next === 1) work(wasm.work);
      } else if (kind === QUESTION) {
        post({ taken: true, begins: true });
        work(wasm.ask);
      } else {
        if (kind === END) wasm.end();
        else if (working) [interrupted] = [true, wasm.enough()];
        post({ taken: true });
      }
    }

    /** Whatever happens in the module, the front is told. */
    function guarded(begin) {
      try {
        begin();
      } catch (error) {
        post({ fault: why || String(error) });
        return false;
      }
      return true;
    }

    if (head) {
      do Atomics.wait(head, 0, NOTHING);
      while (guarded(takeShared));
    }
    return (kind, bytes) => guarded(() => act(kind, bytes));
  }

  // The front.

  /** A core as the front sees it. */
  class Core {
    /**
     * @param {Platform} platform
     * @param {(message: any) => void} onMessage
     */
    constructor(platform, onMessage) {
      this.slot = platform.shares ? new SharedArrayBuffer(HEAD + LARGEST) : null;
      const mine = (message) => { if (this.worker) onMessage(message); };
      this.worker = platform.start({ module: platform.module, slot: this.slot }, mine);
    }

    /** Hands a text over; the one before must have been taken. */
    send(kind, bytes) {
      if (!this.slot) return this.worker.postMessage({ kind, bytes });
      const head = new Int32Array(this.slot, 0, 2);
      new Uint8Array(this.slot, HEAD).set(bytes.subarray(0, LARGEST));
      head[1] = Math.min(bytes.length, LARGEST);
      Atomics.store(head, 0, kind);
      Atomics.notify(head, 0);
    }

    end() {
      this.worker?.terminate();
      this.worker = null;
    }
  }

  /** Commands that a search has to end for. */
  const ENDING = new Set(["stop", "go", "solve", "uginewgame", "ucinewgame", "bench", "quit"]);
  /** Parameters of `go` with which a search ends by itself. */
  const BOUNDS = ["depth", "nodes", "movetime", "mate", "p1time", "p2time", "wtime", "btime"];

  /**
   * A line on its way to the engine. What a `silent` one is answered is not shown.
   * @param {Uint8Array | string} from
   */
  function lineOf(from, silent = false) {
    const bytes = typeof from === "string" ? new TextEncoder().encode(from) : from;
    const words = new TextDecoder().decode(bytes.subarray(0, 4096)).trim().split(/\s+/);
    return { bytes, words, command: words[0].toLowerCase(), silent, kind: LINE };
  }

  /** The engine: takes lines at any time, and outlives its core. */
  class Engine {
    /** @param {Platform} platform */
    constructor(platform) {
      this.platform = platform;
      this.queue = [];
      /** The line that the core has not taken yet. */
      this.current = null;
      /** The `go` or `solve` that was not answered yet, and the last line found for it. */
      this.go = null;
      this.found = "";
      this.searching = false;
      this.stopping = false;
      this.ended = false;
      // What a new core has to be told.
      this.options = new Map();
      this.game = "yoxii";
      this.position = [];
      this.refusal = [];
      this.core = new Core(platform, (message) => this.hear(message));
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
      this.queue.push({ kind: END, bytes: new Uint8Array(), words: [], command: "", silent: false });
      this.pump();
    }

    pump() {
      while (this.core && !this.current && this.queue.length > 0) {
        if (this.searching && !(this.core.slot ? this.mayPass() : this.passesFront())) return;
        this.send(this.queue.shift());
      }
      if (this.ended && !this.current && !this.searching) this.quit();
    }

    send(line) {
      this.current = line;
      this.refused = false;
      if (line.command === "go" || line.command === "solve") [this.go, this.found] = [line, ""];
      if (line.command === "stop") this.stopping = this.searching;
      this.core.send(line.kind, line.bytes);
    }

    /** Whether the next line may go to a core that searches. */
    mayPass() {
      // What comes after a stop has to find the search ended.
      if (this.stopping) return false;
      const { command } = this.queue[0];
      if (command === "stop" || !ENDING.has(command)) return true;
      this.send(lineOf("stop"));
      return false;
    }

    /**
     * The same where no memory is shared: the core hears nothing, so the front answers
     * what it can, and replaces a core that has to stop.
     */
    passesFront() {
      if (this.queue[0].command === "isready") {
        this.queue.shift();
        this.say("readyok");
        return this.queue.length > 0 && this.passesFront();
      }
      const go = this.go?.words ?? [];
      const at = this.queue.findIndex(({ command }) => ENDING.has(command) || command === "ponderhit");
      if (at < 0) return false;
      if (this.queue[at].command === "ponderhit") {
        if (!go.includes("ponder")) return this.queue.splice(at, 1), false;
        this.queue.splice(at, 1);
        if (go.some((word) => BOUNDS.includes(word))) {
          const again = lineOf(go.filter((word) => word !== "ponder").join(" "));
          return this.replace([again]), false;
        }
      } else if (this.queue[at].command === "stop") this.queue.splice(at, 1);
      this.replace(this.answer());
      return false;
    }

    /** Answers for a core that cannot, or returns lines that make the next one answer. */
    answer() {
      if (!this.go) return [];
      if (this.go.command === "solve") {
        this.go = null;
        this.say("solution value unknown nodes 0 time 0");
        return [];
      }
      const isPerft = this.go.words.includes("perft");
      const [, best, reply] = / pv (\S+)(?: (\S+))?/.exec(this.found) ?? [];
      if (!best && !isPerft) return [lineOf("go depth 1")];
      const ponders = reply && this.options.get("ponder")?.words.at(-1) === "true";
      this.say(isPerft ? "info string perft stopped before its end" : `bestmove ${best}${ponders ? ` ponder ${reply}` : ""}`);
      this.go = null;
      return [];
    }

    /** Takes another core, with the options and the position of the last one. */
    replace(lines) {
      this.core.end();
      [this.current, this.searching, this.stopping] = [null, false, false];
      const known = [...this.options.values(), ...this.position, ...this.refusal];
      this.queue.unshift(...known.map((line) => ({ ...line, silent: true })), ...lines);
      this.core = new Core(this.platform, (message) => this.hear(message));
      this.pump();
    }

    hear({ text, taken, begins, quits, idle, fault }) {
      if (text !== undefined) return this.hearText(text);
      if (fault !== undefined) return this.fail(fault);
      if (idle) [this.searching, this.stopping] = [false, false];
      if (taken) {
        const line = this.current;
        this.current = null;
        this.searching ||= begins;
        if (quits) return this.quit();
        if (line.kind === END) this.ended = true;
        if (!line.silent) this.remember(line);
      }
      this.pump();
    }

    hearText(text) {
      if (this.current?.silent) return;
      for (const line of text.split("\n")) {
        if (line.startsWith("info string error")) this.refused = true;
        else if (line.startsWith("info depth") && / multipv 1 .* pv /.test(line)) this.found = line;
        else if (/^(bestmove|solution|Nodes searched) /.test(line)) this.go = null;
        this.say(line);
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
      const line = this.current;
      const isHopeless = line?.silent || !this.platform.hasRun;
      this.say(`info string error: the engine has failed${isHopeless ? "" : " and begins again"}: ${oneLine(why)}`);
      if (isHopeless) return this.quit(1);
      if (this.go?.words.join(" ") === "go depth 1") {
        this.go = null;
        this.say("bestmove 0000");
      }
      this.replace(this.answer());
    }

    say(line) {
      this.platform.hasRun = true;
      this.platform.say(line);
    }

    quit(code = 0) {
      this.core.end();
      this.core = null;
      this.platform.quit(code);
    }
  }

  /** Answers questions of a page, one after the other, in a core of its own. */
  class Answers {
    /**
     * @param {Platform} platform
     * @param {boolean} once whether the core's memory is given back after each answer
     */
    constructor(platform, once) {
      [this.platform, this.once] = [platform, once];
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
      [this.begun, this.isEnough] = [false, false];
      const bytes = new TextEncoder().encode(JSON.stringify(this.asked));
      if (bytes.length > LARGEST) return this.settle({ error: `the text is longer than ${LARGEST >> 20} MiB` });
      this.core ??= new Core(this.platform, (message) => this.hear(message));
      this.core.send(QUESTION, bytes);
    }

    /** Ends what takes long: it answers with what it has found, or fails where no memory is shared. */
    enough() {
      if (!this.asked) return;
      if (!this.core.slot) return this.lose("stopped");
      this.isEnough = true;
      this.tellEnough();
    }

    /** Not before the question has left the slot. */
    tellEnough() {
      if (!this.begun || !this.isEnough) return;
      this.isEnough = false;
      this.core.send(ENOUGH, new Uint8Array());
    }

    hear({ text, taken, fault }) {
      if (taken && !this.begun) {
        this.begun = true;
        this.tellEnough();
      }
      if (fault !== undefined) return this.lose(`the engine has failed: ${oneLine(fault)}`);
      if (text === undefined) return;
      const reply = JSON.parse(text);
      if (reply.progress) this.platform.say(reply);
      else this.settle(reply);
    }

    lose(why) {
      this.core.end();
      this.core = null;
      this.settle({ error: why });
    }

    settle(reply) {
      this.platform.say({ ...reply, call: this.asked.call });
      this.asked = null;
      if (this.once && this.core) {
        this.core.end();
        this.core = null;
      }
      this.pump();
    }
  }

  function oneLine(text) {
    return String(text).replace(/\s+/g, " ").trim();
  }

  /**
   * What a front needs of the place where it runs.
   * @typedef {object} Platform
   * @property {WebAssembly.Module} module
   * @property {boolean} shares whether memory can be shared
   * @property {boolean} [hasRun] whether a core has ever answered
   * @property {(data: object, onMessage: (message: any) => void) => { postMessage(message: any): void, terminate(): void }} start
   * @property {(answer: string | object) => void} say
   * @property {(code: number) => void} quit
   */

  /** What the terminal sends when there are no more lines. No message can be it. */
  const OVER = {};

  /** Takes messages of a page: lines, or questions as objects. Until the module is there, they wait. */
  function front(load, platform) {
    let take = null;
    const waiting = [];
    load().then((module) => {
      platform.module = module;
      const [facts, reviews] = [new Answers(platform, false), new Answers(platform, true)];
      let engine = null;
      take = (message) => {
        if (typeof message === "string" || message instanceof Uint8Array) {
          engine ??= new Engine(platform);
          if (typeof message !== "string") engine.take(message);
          else for (const line of message.split("\n")) engine.take(line);
        } else if (message === OVER) engine ? engine.end() : platform.quit(0);
        else if (typeof message !== "object" || message === null || Array.isArray(message)) {
          platform.say(`info string error: ${oneLine(message)}: expected a line of UGI or a question`);
        } else if (message.ask === "enough") reviews.enough();
        else (message.ask === "review" ? reviews : facts).ask(message);
      };
      waiting.forEach(take);
    }).catch((error) => {
      platform.say(`info string error: the engine cannot be loaded: ${oneLine(error?.message ?? error)}`);
      platform.quit(1);
    });
    return (message) => (take ? take(message) : waiting.push(message));
  }

  function inNode() {
    const { readFile } = require("node:fs/promises");
    const { join } = require("node:path");
    const { Worker, isMainThread, parentPort, workerData } = threads;
    if (workerData?.name === CORE) {
      const take = core((message) => parentPort.postMessage(message), workerData.data);
      parentPort.on("message", ({ kind, bytes }) => take(kind, bytes));
      return;
    }
    const platform = {
      shares: typeof SharedArrayBuffer === "function",
      start(data, onMessage) {
        const worker = new Worker(__filename, { workerData: { name: CORE, data } });
        worker.on("message", onMessage);
        worker.on("error", (error) => onMessage({ fault: String(error) }));
        return worker;
      },
      say: (answer) => parentPort.postMessage(answer),
      quit: (code) => process.exit(code),
    };
    const load = async () => WebAssembly.compile(await readFile(join(__dirname, "totemic.wasm")));
    if (!isMainThread) {
      parentPort.on("message", front(load, platform));
      return;
    }
    if (process.argv.length > 2) {
      process.stderr.write(`error: ${process.argv[2]}: expected no arguments; commands of the protocol come on stdin\n`);
      process.exit(2);
    }
    platform.say = (line) => process.stdout.write(`${line}\n`);
    platform.quit = (code) => {
      process.exitCode = code;
      process.stdin.destroy();
    };
    // Nobody reads any more, and that is no error.
    process.stdout.on("error", () => process.exit(0));
    const take = front(load, platform);
    let rest = Buffer.alloc(0);
    process.stdin.on("data", (chunk) => {
      let begin = 0;
      for (let end; (end = chunk.indexOf(10, begin)) >= 0; begin = end + 1) {
        take(new Uint8Array(Buffer.concat([rest, chunk.subarray(begin, end)])));
        rest = Buffer.alloc(0);
      }
      // What is too long for a line need not be kept: it is refused.
      if (rest.length <= LARGEST) rest = Buffer.concat([rest, chunk.subarray(begin)]);
    });
    process.stdin.on("end", () => {
      if (rest.length > 0) take(new Uint8Array(rest));
      take(OVER);
    });
  }

  function inBrowser() {
    if (self.name === CORE) {
      self.onmessage = ({ data }) => {
        const take = core((message) => self.postMessage(message), data);
        self.onmessage = ({ data: { kind, bytes } }) => take(kind, bytes);
      };
      return;
    }
    const here = new URL(self.location.href);
    const platform = {
      shares: self.crossOriginIsolated === true && typeof SharedArrayBuffer === "function",
      start(data, onMessage) {
        const worker = new Worker(here, { name: CORE });
        worker.onmessage = (event) => onMessage(event.data);
        worker.onerror = (event) => {
          event.preventDefault();
          onMessage({ fault: event.message || "its worker cannot be loaded" });
        };
        worker.postMessage(data);
        return worker;
      },
      say: (answer) => self.postMessage(answer),
      // A worker cannot say how it ends, but that something was wrong.
      quit(code) {
        if (code !== 0) setTimeout(() => { throw new Error("the engine cannot be loaded"); });
        else self.close();
      },
    };
    const load = async () => {
      const module = here.href.replace(/\.js(?=$|[?#])/, ".wasm");
      const response = await fetch(module);
      if (!response.ok) throw new Error(`${module}: status ${response.status}`);
      return WebAssembly.compile(await response.arrayBuffer());
    };
    let take = null;
    self.onmessage = ({ data }) => {
      // A page with several engines may compile the module itself, and send it before all else.
      const isModule = !take && data instanceof WebAssembly.Module;
      take ??= front(isModule ? async () => data : load, platform);
      if (!isModule) take(data);
    };
  }

  if (isNode) inNode();
  else inBrowser();
})();
