// From presses to moves, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Hand } from "../../src/board/page/moving.js";
import { SHAPES, fenOf, gameOf, parts, picture } from "../../src/board/page/notation.js";
import { Game } from "../../src/board/page/tree.js";

/** A hand where these moves are legal. */
function hand(name, fen, moves, more = {}) {
  const facts = { fen, side: "p1", moves, reserves: name === "yoxii" ? [[5, 5, 0, 3], [5, 5, 5, 3]] : null };
  return new Hand({ game: { name }, facts, isYourTurn: true, ...more });
}
const yoxii = (more) => hand("yoxii", SHAPES.yoxii.start, ["c5b6o", "c5b6i", "c5b6x", "c5d6o", "d5e6o"], more);
const hokito = (more) => hand("hokito", SHAPES.hokito.start, ["a4a3", "a4b4", "b4b3"], more);

test("two presses make a move, and the reserve says with which piece", () => {
  const it = yoxii();
  assert.deepEqual(it.targets, ["c5", "d5"]);
  assert.deepEqual(it.press("c5", "drag"), {});
  assert.equal(it.first, "c5");
  assert.equal(picture("yoxii", it.preview(it.facts)).pieces.get("c5").side, null);
  assert.deepEqual(it.press("b6", "drag"), { move: "c5b6o" });
  assert.equal(it.first, null);
  assert.equal(it.take(3), false, "none of this value is left");
  assert.equal(it.take(4), true);
  it.press("c5", "key");
  assert.deepEqual(it.press("b6", "key"), { move: "c5b6x" });
});

test("a move that is shown is played as it is shown, unless another piece is chosen", () => {
  const suggestions = ["c5b6x", "c5d6o", "d5e6o"];
  const it = yoxii({ suggestions });
  assert.equal(it.take(2), true);
  it.clear();
  it.press("c5", "drag");
  assert.deepEqual([it.held(it.facts), it.held(it.facts, "d6")], [4, 1], "the best that begins there, and the one that is pointed at");
  assert.deepEqual(it.press("b6", "drag"), { move: "c5b6x" });
  it.press("c5", "drag");
  assert.deepEqual(it.press("d6", "drag"), { move: "c5d6o" });
  it.press("c5", "drag");
  it.take(1);
  assert.deepEqual(it.press("b6", "drag"), { move: "c5b6o" });
});

test("a press chooses anew, takes back, or is refused", () => {
  const it = yoxii();
  it.press("c5", "drag");
  it.press("d5", "drag");
  assert.equal(it.first, "d5");
  it.press("d5", "drag");
  assert.equal(it.first, null);
  assert.deepEqual(it.press("a3", "drag"), { refused: ["a3"] });
  it.press("d5", "drag");
  assert.deepEqual(it.press("a3", "drag"), { refused: ["d5", "a3"] });
});

test("a finger sees the way of a pawn first, a mouse goes it", () => {
  const it = hokito();
  it.press("a4", "touch");
  assert.deepEqual(it.press("a3", "touch"), {});
  assert.equal(it.touched, "a3");
  assert.deepEqual(it.press("b4", "touch"), {});
  assert.deepEqual(it.press("b4", "touch"), { move: "a4b4" });
  it.press("b4", "drag");
  assert.deepEqual(it.press("b3", "drag"), { move: "b4b3" });
});

test("what may be carried is what may be moved", () => {
  const totem = yoxii();
  assert.equal(totem.lift("d4").side, null);
  assert.equal(totem.lift("c5"), null);
  assert.deepEqual(totem.drop("d4", "c5"), {});
  assert.equal(totem.first, "c5");
  assert.deepEqual(totem.place("d6"), { move: "c5d6o" });
  const pawn = hokito();
  assert.equal(pawn.lift("a4"), null);
  pawn.press("a4", "drag");
  assert.equal(pawn.lift("a4").side, "p1");
  assert.deepEqual(pawn.drop("b4", "a3"), {});
  assert.deepEqual(pawn.drop("a4", "a3"), { move: "a4a3" });
});

test("whose turn it is not moves nothing", () => {
  for (const it of [yoxii({ isYourTurn: false }), hokito({ isYourTurn: false }), yoxii({ facts: null })]) {
    assert.deepEqual(it.press("c5", "drag"), {});
    assert.deepEqual(it.drop("d4", "c5"), {});
    assert.deepEqual([it.lift("d4"), it.take(1), it.targets, it.first], [null, false, [], null]);
  }
});

test("texts of positions are read and written as they are", () => {
  for (const [name, fen] of [
    ["yoxii", SHAPES.yoxii.start], ["yoxii", "Oo1/oIiy1/*xXiiOi/oYy1XII/yIOxYyy/1x1XO/IyO r"],
    ["hokito", SHAPES.hokito.start], ["hokito", "x,b2,x2,b2,x/x6/x6/x3,w2:6,b3:2,x/b3:10,x5/w1:16,x5 b"],
  ]) {
    assert.equal(fenOf(name, picture(name, fen)), fen);
    assert.equal(gameOf(fen), name);
  }
  for (const text of ["", "c5b6y", "1. c5b6y", "hello/world"]) assert.equal(gameOf(text), null, text);
  assert.deepEqual(parts("c5b6y"), { first: "c5", second: "b6", value: 3 });
});

test("a game is kept with its variations and knows its main line", () => {
  const game = new Game("yoxii", SHAPES.yoxii.start);
  const [one, other] = [game.root.child("c5b6y"), game.root.child("d5e6o")];
  one.child("d6e6x");
  game.at = other;
  const again = Game.restored(JSON.parse(JSON.stringify(game.saved())));
  assert.deepEqual(again.saved(), game.saved());
  assert.deepEqual(again.root.end().moves(), ["c5b6y", "d6e6x"]);
  assert.deepEqual(again.at.moves(), ["d5e6o"]);
  again.at.promote();
  assert.deepEqual(again.root.end().moves(), ["d5e6o"]);
  again.root.children[1].remove();
  assert.deepEqual(again.root.children.map(({ move }) => move), ["d5e6o"]);
});
