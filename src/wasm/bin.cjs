#!/usr/bin/env node
// The program `totemic`: UGI on stdin and stdout.
"use strict";

const { start } = require("./node.cjs");

/** Most bytes that are kept of a line: longer ones are refused. */
const LARGEST = 1 << 20;

if (process.argv.length > 2) {
  process.stderr.write(`error: ${process.argv[2]}: expected no arguments; commands of the protocol come on stdin\n`);
  process.exit(2);
}
// Nobody reads any more, and that is no error.
process.stdout.on("error", () => process.exit(0));
const { worker, send } = start((line) => process.stdout.write(`${line}\n`));
worker.on("exit", (code) => {
  process.exitCode = code;
  process.stdin.destroy();
});

let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  let begin = 0;
  for (let end; (end = chunk.indexOf(10, begin)) >= 0; begin = end + 1) {
    send(new Uint8Array(Buffer.concat([rest, chunk.subarray(begin, end)])));
    rest = Buffer.alloc(0);
  }
  if (rest.length <= LARGEST) rest = Buffer.concat([rest, chunk.subarray(begin)]);
});
process.stdin.on("end", () => {
  if (rest.length > 0) send(new Uint8Array(rest));
  send({ ask: "over" });
});
