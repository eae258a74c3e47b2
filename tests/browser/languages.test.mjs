// The page in each of its languages, on a phone and on a laptop.

import assert from "node:assert/strict";

import { LANGUAGES, speak, t } from "../../src/board/page/strings.js";
import { LAPTOP, served } from "./stage.mjs";

const SCREENS = [{ width: 360, height: 640 }, LAPTOP];
const FORTY = ("the and with your you move moves piece pieces pawn square squares wins lose game games board white black player "
  + "level clock lesson rules review settings sound copy save load mistake draw height value again next solved this from hint").split(" ");

/** What does not fit, and what is in English: runs in the page. */
function faults({ language, forty }) {
  const [found, { clientWidth: width, scrollWidth, lang }] = [[], document.documentElement];
  if (scrollWidth > width) found.push(`the page is ${scrollWidth} wide`);
  for (const it of document.querySelectorAll("button, label, summary, select, h2, p, li, [role=status], .player b, .player .points")) {
    const { left, right, width: own } = it.getBoundingClientRect();
    if (own === 0) continue;
    const isCut = it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline";
    if (left < -1 || right > width + 1 || isCut) found.push(`${it.id || it.className} does not fit: ${it.textContent}`);
  }
  const told = [...document.querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((it) => [it.title, it.ariaLabel, it.placeholder]);
  const words = [document.body.innerText, ...told].join(" ").toLowerCase().split(/[^\p{L}]+/u);
  const english = words.filter((word) => forty.includes(word));
  if (language !== "en" && english.length > 0) found.push(`in English: ${english}`);
  if (lang !== language) found.push(`its language is ${lang}`);
  return found;
}

/** What a player does in a part of the page, which is looked at meanwhile. The page's own sentences name what is pressed. */
const PARTS = {
  "a game": async (s, look) => {
    // The first move begins it.
    for (let ply = 0; ply < 2; ply++) {
      await look(`ply ${ply}`);
      await s.type(await s.legal());
      await s.listed(ply + 1);
    }
    // One that is nearly over.
    await s.visit(`${s.address}#game=yoxii&fen=Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO+w`);
    await s.press(t("usePlay"));
    await look("the question");
    await s.page.getByRole("dialog").getByRole("button", { name: t("newGame") }).click();
    await s.click("a5e6");
    await s.result.waitFor();
    await look("the end");
    await s.result.getByRole("button", { name: t("close") }).click();
    await look("after the end");
  },
  "a lesson": async (s, look) => {
    await s.mode(t("learn"));
    for (const game of ["yoxii", "hokito"]) {
      await s.game(t(game));
      await s.page.getByRole("listitem").nth(5).getByRole("button").click();
      await s.page.getByRole("listitem").nth(5).locator("[aria-current=true]").waitFor();
      await look(`${game}, asked`);
      await s.press(t("show"));
      await s.button(t("once")).waitFor();
      await look(`${game}, shown`);
    }
    await s.mode(t("rules"));
    await s.page.getByRole("heading", { name: t("rulesOf", { game: t("hokito") }) }).waitFor();
    await look("rules");
  },
  "a puzzle": async (s, look) => {
    await s.mode(t("learn"));
    await s.press(t("puzzles"));
    await s.page.getByLabel(t("grade"), { exact: true }).waitFor();
    await look("asked");
    await s.press(t("show"));
    await s.button(t("once")).waitFor();
    await look("shown");
  },
  "a review": async (s, look) => {
    await s.mode(t("review"));
    await s.unfold(t("share"));
    await s.page.getByLabel(t("paste")).fill("x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b moves f5b1 a1d6");
    await s.press(t("load"));
    await s.listed(2);
    await s.press(t("startReview"));
    await s.page.getByRole("list", { name: t("turningPoints") }).waitFor();
    await s.unfold(t("settings"));
    await look("told");
    await s.press(t("quiz"));
    await s.button(t("show")).waitFor();
    await look("asked");
    await s.press(t("show"));
    await s.button(t("quizNext")).waitFor();
    await look("answered");
  },
};

for (const [language, name] of Object.entries(LANGUAGES)) {
  served(`${name}: ${Object.keys(PARTS).join(", ")}`, { settings: { language, words: true, play: { two: true } } }, async (s) => {
    await speak(language);
    for (const [part, play] of Object.entries(PARTS)) {
      await play(s, async (where) => {
        for (const size of SCREENS) {
          await s.page.setViewportSize(size);
          assert.deepEqual(await s.page.evaluate(faults, { language, forty: FORTY }), [], `${part}, ${where}, ${size.width} wide`);
        }
      });
    }
  });
}

served("the language of an address is kept until another is chosen", { size: { width: 1024, height: 700 } }, async (s) => {
  const speaks = async (language) => assert.equal(await s.page.locator("html").getAttribute("lang"), language);
  await speaks("en");
  // One that the page does not speak leaves all as it is.
  await s.visit(`${s.address}?lang=uk`);
  assert.equal(await s.page.evaluate(() => JSON.parse(localStorage["totemic-settings"]).language), undefined);
  await s.visit(`${s.address}?lang=pt-BR`);
  await speaks("pt");
  await s.says("para onde vai o totem?");
  assert.equal(new URL(s.page.url()).search, "");
  await s.reload();
  await speaks("pt");
  await s.unfold("Configurações");
  await s.page.getByLabel("Idioma").selectOption("Polski");
  await s.says("gdzie przestawić totem?");
  await s.visit(`${s.address}#game=yoxii&fen=hello`);
  await s.notice("Ten link jest uszkodzony").waitFor();
  await s.page.getByLabel("Język").selectOption("English");
  // What was told is told in the new language.
  await s.notice("This link is broken").waitFor();
  await s.page.getByLabel("Language").selectOption("Polski");
  await s.notice("Ten link jest uszkodzony").waitFor();
  const loaded = [];
  s.page.on("request", (request) => loaded.push(...request.url().match(/lang\/.*/) ?? []));
  await s.reload();
  await speaks("pl");
  assert.deepEqual(loaded, ["lang/pl.js"]);
});
