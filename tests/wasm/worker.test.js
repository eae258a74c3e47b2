// The npm package that `.ci/site` makes, in node:
// `TOTEMIC_PACKAGE=target/site/npm node --test tests/wasm`.
// What the lines say is tested by `tests/ugi`.
"use strict";

const assert = require("node:assert");
const { join, resolve } = require("node:path");
const { test } = require("node:test");
const { sequences } = require("./sequences.js");

const { start: begin } = require(resolve(process.env.TOTEMIC_PACKAGE ?? "target/site/npm", "node.cjs"));
const START = "3/5/7/3*3/7/5/3 w";

/** A worker with what it has said; `fault` is the name of one in `faults.js`. */
function start(fault, onMessage = () => {}) {
  const options = { execArgv: ["--require", join(__dirname, "faults.js")], env: { ...process.env, TOTEMIC_FAULT: fault } };
  const heard = [];
  const waiting = [];
  const { worker, send, end } = begin((message) => {
    heard.push(message);
    onMessage(message);
    waiting.splice(0).forEach((look) => look());
  }, options);
  const ended = new Promise((done) => worker.on("exit", done));
  /** The first message that fits and was not returned before. */
  async function until(fits) {
    for (;;) {
      const at = heard.findIndex(fits);
      if (at >= 0) return heard.splice(0, at + 1).at(-1);
      await new Promise((done) => waiting.push(done));
    }
  }
  const line = (head) => until((message) => typeof message === "string" && message.startsWith(head));
  const ask = async (question) => {
    send(question);
    return until(({ call, progress }) => call === question.call && !progress);
  };
  return { send, heard, until, line, ask, ended, end };
}

test("questions are answered while the engine thinks", async () => {
  const engine = start();
  engine.send("go infinite");
  await engine.line("info depth 3");
  const { answer } = await engine.ask({ call: 7, ask: "position", game: "yoxii", fen: START, moves: ["c5b6y"] });
  assert.strictEqual(answer.fen, "3/Y4/2*4/7/7/5/3 r");
  const { error } = await engine.ask({ call: 8, ask: "position", game: "chess", fen: START, moves: [] });
  assert.match(error, /expected yoxii or hokito/);
  engine.send("stop");
  await engine.line("bestmove");
  await engine.end();
});

// Cores hear messages while they work, as in node, a bell, or nothing, as in browsers.
for (const ears of ["all", "bell", "deaf"]) {
  test(`a review ends when it is enough, ears: ${ears}`, async () => {
    const engine = start(ears);
    const moves = ["c5b6x", "c4b4x", "b3c3y"];
    engine.send({ call: 1, ask: "review", game: "yoxii", fen: START, moves, nodes: 20_000 });
    await engine.until(({ progress }) => progress?.done === 1);
    const { answer } = await engine.until(({ call, progress }) => call === 1 && !progress);
    assert.strictEqual(answer.moves.length, 3);
    engine.send({ call: 2, ask: "review", game: "yoxii", fen: START, moves, nodes: 100_000_000 });
    await new Promise((done) => setTimeout(done, 200));
    engine.send({ ask: "enough" });
    const reply = await engine.until(({ call }) => call === 2);
    if (ears === "deaf") assert.strictEqual(reply.error, "stopped");
    else assert.deepStrictEqual(reply.answer.moves, []);
    // Also one that has hardly begun.
    engine.send({ call: 3, ask: "review", game: "yoxii", fen: START, moves, nodes: 100_000_000 });
    engine.send({ ask: "enough" });
    await engine.until(({ call, progress }) => call === 3 && !progress);
    await engine.end();
  });

  test(`searches end for what needs their end, ears: ${ears}`, async () => {
    const engine = start(ears);
    engine.send("setoption name Game value hokito\nsetoption name Ponder value true");
    engine.send("position random 5");
    engine.send("go infinite");
    await engine.line("info depth 2");
    engine.send("isready");
    await engine.line("readyok");
    engine.send("go depth 1");
    const answer = await engine.line("bestmove");
    if (ears !== "deaf") assert.match(answer, / ponder /);
    await engine.line("info depth 1");
    await engine.line("bestmove");
    engine.send("go infinite\nstop");
    await engine.line("bestmove");
    engine.send("go ponder movetime 100");
    await engine.line("info depth 2");
    engine.send("ponderhit");
    await engine.line("bestmove");
    engine.send("go perft 9");
    await new Promise((done) => setTimeout(done, 100));
    engine.send("stop");
    await engine.line("info string perft stopped");
    engine.send("solve");
    engine.send("go depth 1");
    assert.match(await engine.line("solution"), /^solution value unknown nodes \d+ time \d+$/);
    await engine.line("bestmove");
    engine.send("query fen");
    assert.match(await engine.line("response"), /^response b3,b1,b2,b2,b1,b2/);
    assert.deepStrictEqual(engine.heard, []);
    await engine.end();
  });
}

for (const ears of ["all", "bell", "deaf"]) {
  test(`whatever is sent and when, each go has one bestmove, ears: ${ears}`, async () => {
    const heard = {};
    const { send, end } = start(ears, (line) => heard.onLine?.(line));
    await sequences(Object.assign(heard, { send }), 1, 40);
    end();
  });
}

test("exact values are found without a thread", async () => {
  const engine = start();
  engine.send("position fen Yy1/2i1X/iYOXyx1/ixYO1iy/2xiy1O/OIXI*/1O1 r\nsolve margin all\nsolve nodes x");
  assert.match(await engine.line("solution"), /^solution value win margin 1 nodes \d+ time \d+ best f3f2o f3f2y$/);
  assert.strictEqual(await engine.line("solution"), "solution value unknown nodes 0 time 0");
  await engine.end();
});

test("a fault costs neither the position nor the answer", async () => {
  const engine = start("trap");
  engine.send("setoption name Game value hokito\nposition random 5\nposition nonsense");
  await engine.line("info string error: 'position'");
  // In `faults.js`, `d` fails, and so do searches of 7 plies.
  engine.send("d");
  assert.match(await engine.line("info string error"), /the engine has failed and begins again: .*made to fail/);
  engine.send("query fen");
  assert.match(await engine.line("response"), /^response b3,b1,b2,b2,b1,b2/);
  // It also knows that the last position was refused, until a good one follows.
  engine.send("query gameover\nposition random 5\nd");
  assert.strictEqual(await engine.line("response"), "response true");
  await engine.line("info string error: the engine has failed");
  engine.send("query gameover");
  assert.strictEqual(await engine.line("response"), "response false");
  engine.send("go depth 7");
  await engine.line("info string error: the engine has failed");
  assert.match(await engine.line("bestmove"), /^bestmove [a-f][1-6][a-f][1-6]$/);
  engine.send("query turn");
  assert.strictEqual(await engine.line("response"), "response p1");
  await engine.end();
});

test("a message that is neither a line nor a question is told and does no harm", async () => {
  const engine = start();
  for (const [message, told] of [[null, "null"], [undefined, "undefined"], [7, "7"], [["go"], "go"]]) {
    engine.send(message);
    assert.strictEqual(await engine.line("info string error"), `info string error: ${told}: expected a line of UGI or a question`);
  }
  engine.send("isready");
  await engine.line("readyok");
  await engine.end();
});

test("a worker ends at quit, also after a question", async () => {
  const engine = start();
  await engine.ask({ call: 1, ask: "position", game: "yoxii", fen: START, moves: [] });
  engine.send("quit");
  await engine.ended;
});

test("a module that is missing is one plain sentence", async () => {
  const engine = start("missing");
  engine.send("ugi");
  assert.match(await engine.line("info string error"), /the engine cannot be loaded: .*no such file/);
  await engine.end();
});
