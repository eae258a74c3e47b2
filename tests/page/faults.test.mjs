// Why something is refused: the library's names and fields, and a sentence for each.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import english from "../../src/board/page/lang/en.js";
import { Refused, errorText, speak } from "../../src/board/page/strings.js";

const source = (path) => readFileSync(new URL(`../../src/${path}`, import.meta.url), "utf8");
const kebab = (name) => name.replace(/\B[A-Z]/g, "-$&").toLowerCase();

/** The variants of an enum, each with its fields. */
function variants(path, name) {
  const body = source(path).split(`enum ${name} {\n`)[1].split("\n}\n")[0];
  const found = [...body.matchAll(/^ {4}([A-Z]\w+)(?:,$|\(.*\),$| \{([^}]*)\})/gm)];
  assert.ok(found.length > 2, name);
  return found.filter(([text]) => !text.includes("#[from]")).map(([, variant, fields = ""]) => [kebab(variant), [...fields.matchAll(/(\w+): /g)].map(([, field]) => field)]);
}

const placesOf = (key) => [...JSON.stringify(english[key]).matchAll(/\{(\w+)\}/g)].map(([, place]) => place);

for (const [prefix, path, name] of [["why", "games/record/fault.rs", "Fault"], ["why", "engine/game/error.rs", "PositionError"], ["why", "engine/game/error.rs", "MoveError"], ["no", "games/facts/refusal.rs", "Refusal"]]) {
  test(`each ${name} has a sentence of what it says`, () => {
    for (const [code, fields] of variants(path, name)) {
      if (code === "result") continue;
      const key = `${prefix}.${code}`;
      assert.ok(key in english, key);
      const known = prefix === "no" ? ["square", "n"] : fields;
      for (const place of placesOf(key)) assert.ok(known.includes(place), `${key}: {${place}}`);
    }
    for (const result of ["draw", "p1win", "p2win"]) assert.ok(`why.result.${result}` in english);
  });
}

test("each phrase of the games has its words", () => {
  const files = ["engine/game/yoxii.rs", "engine/game/hokito.rs", "engine/game/yoxii/fen.rs", "engine/game/hokito/fen.rs", "engine/game/yoxii/mv.rs", "engine/game/hokito/mv.rs", "games/record/notation.rs"];
  const names = files.flatMap((path) => [...source(path).matchAll(/Phrase::new\(&\[\s*"([\w-]+)"/g)].map(([, name]) => name));
  assert.equal(names.length, 16);
  for (const name of names) assert.ok(`${/^(yoxii|hokito)-/.test(name) ? "expected" : "rule"}.${name}` in english, name);
});

test("what is refused is told with all that it speaks of", async () => {
  const of = { why: "not-move", text: "zz", of: { why: "no-square" }, expected: "yoxii-typed" };
  const told = (fault) => errorText(new Refused("English", fault));
  assert.equal(told({ why: "line", line: 3, of: { why: "move", number: 2, of } }),
    "line 3: move 2: 'zz' is not a move: it names no square. Expected: the totem's new square, the piece's square and its value (o i y x, or 1 2 3 4), as in d5e5x or d5 e5 4");
  assert.equal(told({ why: "rank-count", expected: 7, found: 2 }), "the board has 7 ranks, but the text has 2");
  assert.equal(told({ why: "too-many-tops", side: "p1", value: 1, found: 7, at_most: 6 }), "Black has 7 top pawns of value 1, but only 6 in all");
  assert.equal(told({ why: "not-legal", text: "a1", rule: null, part: "", after: "", choices: "b2" }), "'a1' is illegal: no legal move is written like that. Possible here: b2");
  await speak("fr");
  assert.equal(told({ why: "illegal", mv: "a1a2", rule: "opponent-on-top" }), "« a1a2 » est illégal : le jeton du dessus est à l’adversaire".replace(/« | »| :/g, (mark) => mark.replace(" ", "\u00a0")));
  assert.match(errorText(new TypeError("x is undefined")), /x is undefined/);
  await speak("en");
});
