// Links of games with a friend elsewhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, letterOf, newId, readLetter } from "../../src/board/page/friend.js";
import { SHAPES } from "../../src/board/page/notation.js";

const scattered = "b1,w2,b3,b1,b2,b3/b2,w3,b1,b2,w3,b1/b3,b1,w2,b3,b1,w2/w2,b1,w3,w2,w1,w3/b1,w3,w2,b1,w3,b2/w3,w2,b1,w3,w2,w1 b";
const letter = (more) => ({ id: newId(), name: "yoxii", fen: SHAPES.yoxii.start, moves: ["c5b6y", "d6e6x"], players: ["Zoë & Änne", "R=2 #1?"], ended: null, ...more });

test("a link holds all of a game", () => {
  for (const it of [
    letter(), letter({ moves: [], players: ["", ""] }), letter({ ended: { why: "resigned", side: "p2" } }),
    letter({ name: "hokito", fen: scattered, moves: ["a4a3", "b1c2"] }),
  ]) {
    assert.deepEqual(readLetter(letterOf(it)), it);
    assert.deepEqual(readLetter(`Your turn: https://example.org/t/${letterOf(it)}\n`), it);
    assert.match(letterOf(it), /[\da-v]$/);
  }
});

test("40 moves with long names stay below 2,000 characters", () => {
  const players = ["é".repeat(40), "ж".repeat(40)];
  for (const it of [letter({ moves: Array(40).fill("c5b6y"), players }), letter({ name: "hokito", fen: scattered, moves: Array(40).fill("a4a3"), players })]) {
    assert.ok(`https://somebody.example.org/games/totemic/${letterOf(it)}`.length < 2000);
  }
});

test("a link of the first form is read for ever", () => {
  assert.deepEqual(readLetter("https://example.org/#/game/1?game=yoxii&one=Ada&moves=c5b6yd6e6x&end=resigned-p1&id=0123456789av"), {
    id: "0123456789av", name: "yoxii", fen: SHAPES.yoxii.start, moves: ["c5b6y", "d6e6x"], players: ["Ada", ""], ended: { why: "resigned", side: "p1" },
  });
});

test("what is no game is none", () => {
  for (const text of ["", "#/game/1?", "#/game/1?game=chess&id=0123456789av", "#/game/1?game=yoxii&id=<b>", "#game=yoxii&fen=x", "#/game/2?game=yoxii&id=0123456789av", "#/game/1?game=toString&id=0123456789av"]) {
    assert.equal(readLetter(text), null, text);
  }
  assert.equal(readLetter(letterOf(letter({ players: ["x".repeat(5000), ""] }))).players[0].length, 40);
});

test("moves of a link are compared with those that are known", () => {
  assert.equal(compare(["a"], ["a"]), "same");
  assert.equal(compare(["a"], ["a", "b"]), "newer");
  assert.equal(compare(["a", "b"], []), "older");
  assert.equal(compare(["a", "b"], ["a", "c", "d"]), "other");
});
