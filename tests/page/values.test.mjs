// What values say, and what whoever is new reads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { loadSettings } from "../../src/board/page/store.js";
import { brief, inWords } from "../../src/board/page/values.js";

const info = (cp, win) => ({ mate: null, cp, wdl: [win, 0, 1000 - win] });

test("where chances tell moves no longer apart, points do", () => {
  assert.deepEqual([info(60, 550), info(-812, 10), info(-940, 4), info(1020, 996)].map((it) => brief("yoxii", it)), ["55%", "−8.1", "−9.4", "+10.2"]);
  assert.equal(inWords("yoxii", info(-812, 10)), "1% −8.1");
  assert.equal(inWords("yoxii", info(60, 550)), "55% +0.6");
});

test("whoever is new reads moves in words, and whoever is not reads them as before", () => {
  const kept = (settings) => {
    globalThis.window = { localStorage: { getItem: () => settings && JSON.stringify(settings) } };
    return loadSettings().words;
  };
  assert.deepEqual([kept(null), kept({ language: "fr" }), kept({ known: true }), kept({ known: true, words: true }), kept({ words: false })], [true, true, false, true, false]);
});
