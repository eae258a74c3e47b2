// How the page looks: each state in both themes on three sizes of screens and in German. Pictures of all
// of them are left in target/screens, and what can be measured is.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";

import { DESKTOP, LAPTOP, LOWEST, eventually, picture, served, text } from "./stage.mjs";

const SMALL = { width: 360, height: 640 };
const SHOWN = [["phone", SMALL, "en"], ["laptop", LAPTOP, "en"], ["desktop", DESKTOP, "en"], ["phone-de", SMALL, "de"], ["laptop-de", LAPTOP, "de"]];

for (const [name, size, language] of SHOWN) {
  served(`each state looks as it should: ${name}`, { settings: { known: false, language }, size, touch: size === SMALL }, async (s) => {
    const [id, look] = [(it) => s.page.locator(`#${it}`), (state) => picture(s, `${state}-${name}`)];
    const moved = async (least) => eventually(async () => {
      assert.ok(await s.moves.count() >= least);
      await s.below.locator(".turn").waitFor({ timeout: 100 });
    });
    await look("start");
    await id("later").click();
    await look("play");
    await s.click("c5b6");
    await moved(2);
    await look("game");
    await id("hint").click();
    await s.arrows.first().waitFor();
    await look("hint");
    await id("resign").click();
    await id("resign").click();
    await s.result.waitFor();
    await look("end");
    await id("finale-close").click();
    await look("ended");
    await id("mode-analyse").click();
    await id("analysis").click();
    await eventually(async () => assert.equal(await s.lines.count(), 3));
    await look("analysis");
    await id("game-hokito").click();
    await eventually(async () => assert.equal(await s.lines.count(), 3));
    await look("analysis-hokito");
    await id("mode-review").click();
    await look("review-empty");
    await id("mode-setup").click();
    await look("setup-hokito");
    await id("mode-watch").click();
    await look("watch");
    await id("mode-learn").click();
    await look("learn");
    await id("mode-play").click();
    await look("play-hokito");
  });
}
