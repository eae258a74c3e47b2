// Boards that are typed row by row.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SHAPES, fenOf, picture, readRows, rowsOf } from "../../src/board/page/notation.js";

const ENGLISH = /** @type {[string, string]} */ (["b", "w"]);

test("rows are read as they are written", () => {
  for (const fen of [SHAPES.hokito.start, "x,b2,x2,b2,x/x6/x6/x3,w2:6,b3:2,x/b3:10,x5/w1:16,x5 b"]) {
    for (const letters of /** @type {[string, string][]} */ ([ENGLISH, ["n", "b"], ["č", "b"]])) {
      for (const turned of [false, true]) {
        const pieces = readRows("hokito", rowsOf("hokito", picture("hokito", fen), letters, turned), letters, turned);
        assert.equal(fenOf("hokito", { pieces, side: "p1" }), fen);
      }
    }
  }
});

test("rows are read as people type them", () => {
  const read = (text, letters = ENGLISH, turned = false) => {
    const pieces = readRows("hokito", text, letters, turned);
    return typeof pieces === "number" ? pieces : fenOf("hokito", { pieces, side: "p2" });
  };
  assert.equal(read("b1w23-b3\nB1 , W 2:14"), "b1,w2:3,x,b3,x2/b1,w2:14,x4/x6/x6/x6/x6 w");
  assert.equal(read("\n\n..c1·b32\n", ["č", "b"]), "x6/x6/x2,b1,x,w3:2,x/x6/x6/x6 w");
  assert.equal(read("b1w23\n-b2", ENGLISH, true), "x6/x6/x6/x6/x4,b2,x/x4,w2:3,b1 w");
  assert.equal(read(""), "x6/x6/x6/x6/x6/x6 w");
  for (const wrong of ["b4", "b", "1", "r1", "b10", "b1 b1 b1 b1 b1 b1 b1", "b1 ?"]) assert.equal(read(wrong), 1, wrong);
  assert.equal(read("\n\n\n\n\n\nb1"), 7);
});
