// The files of the languages: each says all that the page says, as its readers write.

import assert from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { LANGUAGES, nearest, playerName, pointsOf, speak, t } from "../../src/board/page/strings.js";

const PAGE = new URL("../../src/board/page/", import.meta.url);
const SITE = new URL("../../src/board/site/", import.meta.url);
const tags = Object.keys(LANGUAGES);
const files = new Map(await Promise.all(tags.map(async (tag) => [tag, (await import(new URL(`lang/${tag}.js`, PAGE))).default])));
const english = files.get("en");

/** What is the same as in English, as it is a name, a sign or the same word. */
const SAME = {
  all: ["yoxii", "hokito", "percent", "change", "moved", "single", "clock"],
  cs: ["totem"],
  de: ["analyse", "motion", "name"],
  fr: ["canGo", "modes", "motion", "totem", "worth"],
  it: ["totem"],
  nl: ["analyse", "totem"],
  pl: ["totem"],
  pt: ["totem"],
};

const formsOf = (sentence) => typeof sentence === "string" ? { other: sentence } : Object.fromEntries(Object.entries(sentence).filter(([form]) => form !== "by"));
const placesOf = (sentence) => [...new Set(Object.values(formsOf(sentence)).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

test("each language has a file, and each file is a language", () => {
  const found = readdirSync(new URL("lang/", PAGE)).map((name) => name.replace(".js", ""));
  assert.deepEqual(found.sort(), [...tags].sort());
});

for (const [tag, sentences] of files) {
  const all = Object.entries(sentences).flatMap(([key, sentence]) => Object.entries(formsOf(sentence)).map(([form, text]) => [`${tag} ${key} ${form}`, text]));

  test(`${tag}: the sentences of English with their places`, () => {
    assert.deepEqual(Object.keys(sentences), Object.keys(english));
    for (const key in english) assert.deepEqual(placesOf(sentences[key]), placesOf(english[key]), key);
  });

  test(`${tag}: a form for each number`, () => {
    const plural = new Intl.PluralRules(tag);
    const needed = new Set(Array.from({ length: 200 }, (_, n) => plural.select(n)));
    for (const [key, sentence] of Object.entries(sentences)) {
      if (typeof sentence === "string") continue;
      const forms = Object.keys(formsOf(sentence));
      assert.ok("other" in sentence, key);
      for (const form of forms) assert.ok(form === "named" || plural.resolvedOptions().pluralCategories.includes(form), `${key}: ${form}`);
      if (forms.some((form) => form !== "named" && form !== "other")) for (const form of needed) assert.ok(form in sentence, `${key}: ${form}`);
      assert.ok(sentence.by === undefined || placesOf(sentence).includes(`{${sentence.by}}`), key);
    }
  });

  test(`${tag}: nothing is left in English`, () => {
    if (tag === "en") return;
    const same = Object.keys(english).filter((key) => JSON.stringify(sentences[key]) === JSON.stringify(english[key]));
    assert.deepEqual(same.filter((key) => !SAME.all.includes(key)).sort(), [...SAME[tag] ?? []].sort());
  });

  test(`${tag}: marks as they are set in this language`, () => {
    for (const [where, text] of all) {
      assert.equal(text, text.trim(), where);
      assert.ok(text && !/ {2}|\.\.\.|"|\d-\d| - /.test(text), `${where}: ${text}`);
      const quotes = { en: "“”", fr: "«»", de: "„“", nl: "‘’", it: "«»", es: "«»", pt: "“”", pl: "„”", cs: "„“" }[tag];
      for (const mark of "“”„«»") assert.ok(!text.includes(mark) || quotes.includes(mark), `${where}: ${text}`);
      // Where a mark stands apart, no line breaks before it; elsewhere none stands apart.
      if (tag === "fr") assert.ok(!/[^\u00a0\u202f]»|«[^\u00a0]|[^\u202f][;!?%]|[^\u00a0]:(?!$)(?!\d)/.test(text.replace(/« [:)(*]/, "")), `${where}: ${text}`);
      else assert.ok(!/[\s\u00a0][:;!?»]|«[\s\u00a0]/.test(text), `${where}: ${text}`);
      if (["de", "es", "cs"].includes(tag)) assert.ok(!/[^\u00a0]%/.test(text), `${where}: ${text}`);
    }
  });

  test(`${tag}: small enough to be loaded with the page`, () => {
    const size = gzipSync(readFileSync(new URL(`lang/${tag}.js`, PAGE)), { level: 9 }).length;
    assert.ok(size <= 12 * 1024, `${size} bytes`);
  });
}

test("every sentence is said somewhere, and every sentence that is said is there", () => {
  const scripts = [PAGE, SITE].flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".js")).map((name) => readFileSync(new URL(name, folder), "utf8")));
  const keys = Object.keys(english);
  const said = scripts.flatMap((script) => [...script.matchAll(/(?<!\w)t\((?:["`])([^"`$]+)(\$\{)?/g)]);
  for (const [, key, isOpen] of said) assert.ok(keys.some((known) => isOpen ? known.startsWith(key) : known === key), key);
  const whole = [...scripts, readFileSync(new URL("../types.d.ts", PAGE), "utf8")].join("\n");
  const data = ["lesson.", "rules.", "why.", "expected.", "rule.", "form."];
  for (const key of keys) {
    const isBegun = key.includes(".") && whole.includes(`\`${key.slice(0, key.indexOf("."))}.\${`);
    const isOfGame = /^(yoxii|hokito)\./.test(key);
    assert.ok(whole.includes(`"${key}"`) || isBegun || isOfGame || key === "description" || data.some((begin) => key.startsWith(begin)), `nobody says ${key}`);
  }
  for (const [game, lessons] of Object.entries(JSON.parse(readFileSync(new URL("lessons.json", PAGE), "utf8")))) {
    for (const { id } of lessons) for (const part of ["", ".task", ".done"]) assert.ok(`lesson.${game}.${id}${part}` in english, id);
  }
});

test("the nearest language is found with its regions", () => {
  for (const [wanted, found] of [
    [["fr-CA", "en"], "fr"], [["FR_be"], "fr"], [["xx", "en-GB"], "en"], [["ja-JP"], "en"], [["pt-BR", "es"], "pt"], [["de-AT"], "de"], [[null, undefined, "", "fr"], "fr"], [[], "en"],
  ]) assert.equal(nearest(wanted), found, wanted);
});

test("numbers and names are filled in as the language wants them", async () => {
  await speak("fr");
  assert.equal(pointsOf(1), "1 point");
  assert.equal(t("perMove", { seconds: 0.5 }), "0,5 s par coup");
  assert.equal(t("wins", { who: "Blanc" }), "Blanc gagne");
  assert.equal(playerName({ name: "Totemic", level: 5 }), "Totemic, niveau 5");
  assert.equal(playerName({ name: "Totemic", level: 20 }), "Totemic, force maximale");
  assert.equal(playerName("Ann"), "Ann");
  await speak("pl");
  assert.deepEqual([1, 2, 5, 12, 22, 1.5].map(pointsOf), ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "1,5 punktu"]);
  // Sides are many, a person is one.
  assert.equal(t("wins", { who: "Białe" }), "Wygrywają Białe");
  assert.equal(t("wins", { who: "Ann", named: true }), "Wygrywa Ann");
  await speak("cs");
  assert.deepEqual([1, 2, 5, 22].map(pointsOf), ["1 bod", "2 body", "5 bodů", "22 bodů"]);
  await speak("en");
  assert.deepEqual([0, 1, 1000].map(pointsOf), ["0 points", "1 point", "1,000 points"]);
});
