// Positions that are set up by hand.

import assert from "node:assert/strict";

import { both } from "./stage.mjs";

/** Puts two white pieces on the board, which is no position. */
async function setUpTwoPieces(s) {
  await s.mode("Set up");
  await s.press("White 1");
  await s.click("c3c4");
}

/** Makes it one. */
async function setUpRed(s) {
  await s.press("Red 1");
  await s.click("e5");
  await s.shows("A legal position.");
}

both("a position that was set up is played at once, and told of", async (s) => {
  await s.begin();
  // The words of a hint come after those of a refusal.
  await s.click("a3");
  await s.says("a3: the totem moves along");
  await s.press("Hint");
  await s.says("Hint: totem to ");
  await setUpTwoPieces(s);
  await s.below.getByText("–", { exact: true }).last().waitFor();
  await setUpRed(s);
  await s.press("Play from here");
  await s.stands("e5", "Red 1");
  await s.below.getByText("you").waitFor();
  await s.yourTurn();
  // What was refused is no longer told of once something else is done.
  await s.type("a1a1");
  await s.notices.waitFor();
  await s.moveAndAnswer();
  await s.notices.waitFor({ state: "detached" });
});

both("a position is set up, and refused with a reason", async (s) => {
  await setUpTwoPieces(s);
  await s.shows(/Not a legal position yet: .*white/);
  assert.equal(await s.button("Play from here").isDisabled(), true);
  await setUpRed(s);
  // Neither a look elsewhere nor a reload loses it.
  await s.mode("Rules");
  await s.mode("Set up");
  await s.stands("e5", "Red 1");
  await s.reload();
  await s.press("Analyse it");
  await s.modeButton("Analyse").and(s.page.locator("[aria-current=page]")).waitFor();
  await s.stands("e5", "Red 1");
});

both("the editor takes nothing that is no game", async (s) => {
  await s.mode("Set up");
  // Nothing is lost by a first press on a piece.
  await s.click("d4");
  await s.stands("d4", "totem");
  await s.press("White 1");
  await s.click("c3");
  // With one white piece more, only Red can be to move.
  const side = s.page.getByLabel("Side to move");
  await side.and(s.page.locator(":disabled")).waitFor();
  assert.equal(await side.evaluate((it) => it.selectedOptions[0].label), "Red");
  await s.game("Hokito");
  await s.press("Empty the board");
  await s.shows("The board is empty");
  assert.equal(await s.button("Play from here").isDisabled(), true);
  const height = s.page.getByLabel("Height", { exact: true });
  await height.fill("40");
  await height.blur();
  await s.shows("A height of 40 is not possible");
  assert.equal(await height.inputValue(), "40");
  await s.press("Black 1");
  await s.click("c3");
  await s.stands("c3", "free");
});

both("reasons are told in French", { settings: { language: "fr" } }, async (s) => {
  await s.mode("Position");
  await s.press("Blanc 1");
  await s.click("c3c4");
  await s.shows("pièces blanches\u00a0: 2, rouges\u00a0: 0. ");
});
