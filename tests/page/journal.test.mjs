// A journal that is followed while its match goes on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal } from "../../src/board/page/socket.js";

const games = (names) => [...names].map((name) => name === "!" ? { why: "illegal" } : { players: [name, ""] });

/** A journal, what it has now, and how often it was asked. */
function followed(names) {
  const file = { games: games(names), asked: 0 };
  const it = new Journal(async (from) => { file.asked++; return structuredClone(file.games.slice(from)); });
  return { file, it };
}

test("games are there once, whatever comes late and whatever has a fault", async () => {
  const { file, it } = followed("");
  assert.equal(await it.read(), false);
  file.games = games("a!b");
  assert.deepEqual(await Promise.all([it.read(), it.read(), it.read()]), [true, false, false]);
  assert.deepEqual(it.games, file.games);
  assert.equal(file.asked, 2);
  file.games = games("a!b!!");
  assert.deepEqual([await it.read(), await it.read(), await it.read()], [true, false, false]);
  assert.deepEqual(it.games, file.games);
});

test("a match that is begun anew has no games of the old one", async () => {
  for (const anew of ["", "x", "xyz", "xyzuvw"]) {
    const { file, it } = followed("abc");
    await it.read();
    file.games = games(anew);
    assert.equal(await it.read(), true);
    assert.deepEqual(it.games, file.games, anew);
  }
});

test("a question that fails is asked again", async () => {
  const { file, it } = followed("ab");
  const { ask } = it;
  it.ask = () => Promise.reject(new Error("closed"));
  await assert.rejects(it.read());
  it.ask = ask;
  assert.equal(await it.read(), true);
  assert.deepEqual(it.games, file.games);
});

test("very many games are taken", async () => {
  const { file, it } = followed("");
  file.games = Array(300_000).fill({ players: ["", ""] });
  await it.read();
  assert.equal(it.games.length, 300_000);
});
