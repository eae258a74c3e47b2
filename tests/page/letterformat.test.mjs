// Links of games with a friend elsewhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, letterOf, newId, readLetter, shared } from "../../src/board/page/letterformat.js";
import { SHAPES } from "../../src/board/page/notation.js";

const scattered = "b1,w2,b3,b1,b2,b3/b2,w3,b1,b2,w3,b1/b3,b1,w2,b3,b1,w2/w2,b1,w3,w2,w1,w3/b1,w3,w2,b1,w3,b2/w3,w2,b1,w3,w2,w1 b";
const letter = (more) => ({ id: newId(), name: "yoxii", fen: SHAPES.yoxii.start, moves: ["c5b6y", "d6e6x"], players: ["Zoë & Änne", "R=2 #1?"], ended: null, asks: false, ...more });

test("a link holds all of a game", () => {
  for (const it of [
    letter(), letter({ moves: [], players: ["", ""] }), letter({ ended: { why: "resigned", side: "p2" } }),
    letter({ name: "hokito", fen: scattered, moves: ["a4a3", "b1c2"] }), letter({ asks: true }),
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
    id: "0123456789av", name: "yoxii", fen: SHAPES.yoxii.start, moves: ["c5b6y", "d6e6x"], players: ["Ada", ""], ended: { why: "resigned", side: "p1" }, asks: false,
  });
});

test("what is no game is none, and a part of one is told apart", () => {
  for (const text of ["", "#game=yoxii&fen=x", "#/play", "#/game/1?game=chess&id=0123456789av", "#/game/1?game=toString&id=0123456789av", "#/game/3?game=yoxii&id=0123456789av"]) {
    assert.equal(readLetter(text), null, text);
  }
  for (const text of ["#/game/1?", "#/game/1?game=yoxii&id=<b>", "#/game/2?game=yoxii&id=0123456789av", "#/game/1?game=yoxii&moves=c5b6&id=0123456789av"]) {
    assert.equal(readLetter(text), "cut", text);
  }
  const whole = `https://example.org/${letterOf(letter())}`;
  for (let length = whole.indexOf("?") + 1; length < whole.length; length++) assert.equal(readLetter(whole.slice(0, length)), "cut");
  assert.equal(readLetter(whole.replace("d6e6x", "d6e6y")), "cut");
  assert.equal(readLetter(letterOf(letter({ players: ["x".repeat(5000), ""] }))).players[0].length, 40);
});

test("a link is taken out of what mails and messengers make of it", () => {
  const first = "https://example.org/#/game/1?game=yoxii&one=Ada&moves=c5b6yd6e6x&id=0123456789av";
  for (const it of [letter(), letter({ moves: [] }), letter({ ended: { why: "resigned", side: "p1" } }), readLetter(first)]) {
    const link = it.id === "0123456789av" ? first : `https://example.org/t/${letterOf(it)}`;
    const middle = link.length - 30;
    for (const text of [
      ...[".", ")", ">", ",", '"', "*", "…", "%20", "%22", "%E2%80%A6", "\u200b", "abc", ".\nSee you"].map((end) => link + end),
      `<${link}>`, `(${link})`, `Your turn (${link}), Ann!`, `"${link}"`, `${link.slice(0, middle)}\n${link.slice(middle)}`,
      `> ${link.slice(0, middle)}\r\n> ${link.slice(middle)}\r\n> Ann`, `${link.slice(0, middle)}\u00ad${link.slice(middle)}`,
      link.replaceAll("&", "&amp;"), `https://example.com/l.php?u=${encodeURIComponent(link)}&h=1`,
    ]) assert.deepEqual(readLetter(text), it, text);
  }
});

test("what two games have in common", () => {
  assert.deepEqual([shared(["a"], ["a"]), shared(["a", "b"], ["a", "c"]), shared([], ["a"]), shared(["a", "b"], ["a"])], [1, 1, 0, 1]);
});

const [one, two] = [["a", "b", "c"], ["a", "b", "c", "d"]];
const resigned = (side) => ({ why: "resigned", side });
// White has the seat 0 and makes the moves 1 and 3.
for (const [title, mine, ours, theirs, how] of [
  ["the same", 1, one, {}, "same"],
  ["the friend's next move", 1, one.slice(0, 2), {}, "move"],
  ["a move of this side, made elsewhere or by somebody else", 0, one.slice(0, 2), {}, "other"],
  ["several moves, among them one of this side", 1, ["a"], { moves: two }, "other"],
  ["an older link", 1, two, {}, "older"],
  ["another move", 1, ["a", "x"], {}, "other"],
  ["another start", 1, one, { fen: "3/5/3*3/7/7/5/3 w" }, "other"],
  ["the friend asks for the move back that is known", 1, one, { asks: true }, "asks"],
  ["the friend asks for the move back that was never seen here", 1, one.slice(0, 2), { asks: true }, "same"],
  ["this side's own question comes back", 0, one, { asks: true }, "same"],
  ["the friend asks for a move back that has been answered", 1, two, { asks: true }, "older"],
  ["the friend agrees", 0, { moves: one, asks: true }, { moves: one.slice(0, 2) }, "back"],
  ["a move is missing that nobody asked to take back", 0, one, { moves: one.slice(0, 2) }, "older"],
  ["two moves are missing", 0, { moves: one, asks: true }, { moves: ["a"] }, "older"],
  ["the friend resigns", 1, one, { ended: resigned("p1") }, "ends"],
  ["the friend resigns before the last move of this side", 1, two, { ended: resigned("p1") }, "ends"],
  ["the friend moves and resigns", 1, one.slice(0, 2), { ended: resigned("p1") }, "ends"],
  ["somebody else resigns for this side", 0, one, { ended: resigned("p1") }, "other"],
  ["both resign", 1, { moves: one, ended: resigned("p2") }, { ended: resigned("p1") }, "other"],
  ["the end that is known", 1, { moves: one, ended: resigned("p2") }, { ended: resigned("p2") }, "same"],
  ["a move crosses a resignation", 1, { moves: one.slice(0, 2), ended: resigned("p2") }, {}, "other"],
  ["a link from before the end", 1, { moves: one, ended: resigned("p1") }, {}, "older"],
]) {
  test(`a link against the game here: ${title}`, () => {
    const here = { fen: SHAPES.yoxii.start, ended: null, asks: false, ...Array.isArray(ours) ? { moves: ours } : ours };
    assert.equal(judge(here, letter({ moves: one, ...theirs }), mine), how);
  });
}
