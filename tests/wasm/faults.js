// Loaded before the worker and its cores: makes happen what `TOTEMIC_FAULT` names.
"use strict";

const fs = require("node:fs/promises");
const threads = require("node:worker_threads");

const fault = process.env.TOTEMIC_FAULT ?? "";
// As in browsers, where a core that searches hears a bell, or nothing.
if (fault === "bell" || fault === "deaf") delete threads.receiveMessageOnPort;
if (fault === "deaf") delete globalThis.SharedArrayBuffer;
if (fault === "missing") {
  const { readFile } = fs;
  fs.readFile = async (file, ...rest) => {
    if (String(file).endsWith(".wasm")) throw new Error("no such file");
    return readFile(file, ...rest);
  };
}
if (fault === "trap") {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    let place = [];
    const text = () => Buffer.from(exports.memory.buffer, ...place).toString();
    const input = (length) => {
      place = [exports.input(length), length];
      return place[0];
    };
    const line = () => {
      if (["d", "go depth 7"].includes(text())) throw new WebAssembly.RuntimeError("made to fail");
      return exports.line();
    };
    return { exports: { ...exports, input, line } };
  };
}
