// Totemic in node: runs the worker `totemic.js` on a thread, and gives it what a browser would.
"use strict";

const { readFile } = require("node:fs/promises");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const threads = require("node:worker_threads");

/** Starts a worker that finds its name where browsers show it. */
function begin(name, options) {
  return new threads.Worker(__filename, { ...options, workerData: { totemic: name } });
}

exports.start = function start(onMessage, options) {
  const worker = begin("", options);
  worker.on("message", onMessage);
  // The worker has said what is wrong.
  worker.on("error", () => {});
  return { worker, send: (message) => worker.postMessage(message), end: () => void worker.terminate() };
};

/** A worker of browsers. */
class Worker {
  constructor(_address, { name }) {
    this.thread = begin(name);
    this.thread.on("message", (data) => this.onmessage({ data }));
    this.thread.on("error", (error) => this.onerror({ message: String(error), preventDefault() {} }));
  }

  postMessage(message) {
    this.thread.postMessage(message);
  }

  terminate() {
    void this.thread.terminate();
  }
}

if (threads.workerData?.totemic !== undefined) {
  const { parentPort, receiveMessageOnPort } = threads;
  globalThis.self = {
    Worker,
    name: threads.workerData.totemic,
    location: pathToFileURL(join(__dirname, "totemic.js")),
    postMessage: (message) => parentPort.postMessage(message),
    nextMessage: receiveMessageOnPort && (() => receiveMessageOnPort(parentPort)?.message),
    close: () => process.exit(),
  };
  globalThis.fetch = async (file) => ({ ok: true, arrayBuffer: () => readFile(new URL(file)) });
  void import("./totemic.js").then(() => parentPort.on("message", (data) => self.onmessage({ data })));
}
