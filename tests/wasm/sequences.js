// Random lines with random gaps, for node and for pages: every `go` has one `bestmove`, in
// order, and `isready` is answered whatever runs.
"use strict";

/** A position with two of its moves, by each of which a search can be told from others. */
const PLACES = {
  yoxii: [["startpos", ["c3b2i", "e5f4y"]], ["startpos moves c3b2i", []]],
  hokito: [["startpos", ["a4a3", "b4b3"]], ["random 5", []]],
};

/** Numbers from 0 to 1, always the same for a seed. @param {number} seed */
function dice(seed) {
  let state = seed * 2_654_435_761 >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/**
 * Plays sequences with an engine; returns the longest time that `isready` took, in milliseconds.
 * @param {{ send: (line: string) => void, onLine: (line: string) => void }} engine
 * @param {number} first @param {number} last the seeds
 */
async function sequences(engine, first, last) {
  let [sent, wanted, found, ready, worst, shown] = [[], [], [], 0, 0, () => {}];
  engine.onLine = (line) => {
    if (line.startsWith("bestmove")) found.push(line.split(" ")[1]);
    if (line === "readyok") ready++;
    shown();
  };
  const send = (line) => (sent.push(line), engine.send(line));
  const until = async (what, isTrue) => {
    // Nothing takes this long unless it is lost.
    const late = setTimeout(() => shown("late"), 60_000);
    while (!isTrue()) {
      const news = await new Promise((done) => { shown = done; });
      if (news === "late") throw new Error(`no ${what}: ${sent.join(" | ")}: ${found} of ${wanted}`);
    }
    clearTimeout(late);
  };
  let asked = 0;
  const isReady = async () => {
    const begun = performance.now();
    [asked] = [asked + 1, send("isready")];
    await until("readyok", () => ready === asked);
    worst = Math.max(worst, performance.now() - begun);
  };
  for (let seed = first; seed <= last; seed++) {
    const random = dice(seed);
    const one = (list) => list[Math.floor(random() * list.length)];
    [sent, wanted, found] = [[], [], []];
    let game = one(["yoxii", "hokito"]);
    let place = PLACES[game][0];
    const turn = () => {
      send(`setoption name Game value ${game}`);
      place = PLACES[game][0];
      send(`position ${place[0]}`);
    };
    const go = (words) => {
      const move = one(place[1]);
      wanted.push(move ?? "");
      send(`go ${words}${move ? ` searchmoves ${move}` : ""}`);
    };
    const steps = [
      () => go("infinite"), () => go("infinite"), () => go(`movetime ${Math.floor(random() * 60)}`), () => go("movetime 60000"),
      () => go(`depth ${Math.floor(1 + random() * 5)}`), () => go("nodes 3000"), () => go("p1time 300 p2time 300"),
      () => go("ponder movetime 20"), () => go("ponder"), () => send("ponderhit"),
      () => send("stop"), () => send("stop"), () => send("uginewgame"), () => send("query fen"), () => send("d"),
      () => { place = one(PLACES[game]); send(`position ${place[0]}`); },
      () => { send("stop"); game = one(["yoxii", "hokito"]); turn(); },
      () => send(`setoption name MultiPV value ${one([1, 1, 3])}`), () => send("position nonsense"),
      () => { wanted.push("0000"); send("go sideways"); },
      () => send("go perft 6"),
      isReady, isReady,
    ];
    turn();
    for (let left = 3 + Math.floor(random() * 9); left > 0; left--) {
      await one(steps)();
      if (random() < 0.4) await new Promise((done) => setTimeout(done, random() * 40));
    }
    send("stop");
    await isReady();
    await until("bestmove", () => found.length >= wanted.length);
    const isRight = found.length === wanted.length && wanted.every((move, at) => move === "" ? found[at] !== "0000" : found[at] === move);
    if (!isRight) throw new Error(`seed ${seed}: ${sent.join(" | ")}: ${found} instead of ${wanted}`);
  }
  return worst;
}

if (typeof module === "object") module.exports = { sequences };
