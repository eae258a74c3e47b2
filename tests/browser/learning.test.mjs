// Lessons, puzzles, and reviews with their questions.

import assert from "node:assert/strict";

import { both, eventually, text } from "./stage.mjs";

/** A lesson, a puzzle or a move that is marked as the one that is shown. */
const shown = (s, name) => s.button(name).and(s.page.locator("[aria-current=true]"));
const pressed = (s, name) => s.button(name).and(s.page.locator("[aria-pressed=true]"));

both("lessons are solved on the board and kept", { settings: { known: false, words: false } }, async (s) => {
  // No role or text says that a lesson is done: a mark does.
  const done = (name) => s.page.locator(".done", { hasText: name });
  await s.press("Look around first");
  await s.click("c5b6");
  await s.mode("Learn");
  await s.button("Skip").waitFor();
  await shown(s, "The totem").waitFor();
  await s.says("share the totem");
  await s.click("c3b2");
  await s.says("Not there: the totem goes to another square.");
  // What no rule allows is told as in a game.
  await s.click("a3");
  await s.says("a3: the totem moves along a row");
  await s.click("d5e6");
  await s.says("Right. First the totem");
  await s.press("Next");
  await done("The totem").waitFor();
  await shown(s, "The pieces").waitFor();
  // The solution is shown to whoever asks, and the lesson stays open.
  await s.press("Show");
  await s.says("This is the move. A piece stays");
  await s.reload();
  await done("The totem").waitFor();
  await shown(s, "The pieces").waitFor();
  assert.equal(await done("The pieces").count(), 0);
  await s.press("Equal points");
  await s.possible.first().waitFor();
  await s.page.keyboard.press("3");
  await s.click("d7e6");
  await s.says("Right squares, wrong piece. Next to the totem, White has 5 points and Red has 6.");
  await s.game("Hokito");
  await s.says("strokes");
  await s.click("b3c3");
  await done("One step").waitFor();
  await s.press("Points");
  await s.click("a5d5");
  await s.says("Not this one: another pawn or stack has to move. d5: 7 points.");
  await s.press("How it ends");
  await s.click("a3a6");
  await s.says(/ another square\. Each square is worth value times height: Black has \d+ points and White has \d+\./);
  await s.press("Show");
  await s.says("the last lesson");
  await s.button("Go to the puzzles").waitFor();
  await s.steps.getByRole("button", { name: "Play", exact: true }).click();
  // The game is where it was, or one answer further.
  await s.game("Yoxii");
  await s.moves.first().getByText("c5b6o", { exact: true }).waitFor();
});

both("puzzles are judged by the one best move and counted", async (s) => {
  const puzzles = (await text("src/board/page/puzzles.tsv")).split("\n").map((line) => line.split("\t"));
  const easy = puzzles.filter(([game, , , , note]) => game === "yoxii" && note.startsWith("# easy")).map(([, , , best]) => best);
  const streak = (count) => s.shows(new RegExp(`^Streak: ${count},`));
  await s.mode("Learn");
  await s.press("Puzzles");
  await pressed(s, "Puzzles").waitFor();
  await s.button("Next").waitFor();
  await s.says("to move");
  await s.possible.and(s.page.locator(`:not([aria-label^=${easy[0].slice(0, 2)}])`)).first().click();
  await s.possible.first().click();
  // The reply shows why.
  await s.says(/^Not this one(\. \S+ answers|: it ends the game)/);
  await s.type(easy[0]);
  await s.says("Correct: ");
  // It was found, but not at the first try.
  await streak(0);
  await s.press("Back");
  await s.press("Next");
  await s.button("Show").waitFor();
  await s.type(easy[1]);
  await streak(1);
  await s.reload();
  await streak(1);
  await s.press("Next");
  await s.press("Show");
  await s.says(easy[2]);
  await streak(0);
  await s.press(/^Puzzle of /);
  await pressed(s, /^Puzzle of /).waitFor();
  await s.button("Show").waitFor();
});

const MISTAKE = "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b moves f5b1";

both("a review stands on the first mistake and asks about it", async (s) => {
  const turningPoint = s.page.getByRole("list", { name: "Turning points" }).getByRole("button", { name: /f5b1: blunder, 100% → 0%/ });
  const isShown = turningPoint.and(s.page.locator("[aria-current=true]"));
  const steps = ["Previous mistake", "Next mistake", "Find better moves"].map((name) => s.button(name));
  await s.paste(MISTAKE);
  await s.listed(1);
  await s.press("Back");
  await s.mode("Review");
  for (const step of steps) assert.equal(await step.count(), 0);
  await s.press("Review this game");
  // One that is interrupted begins anew, and what was found stays.
  await s.reload();
  await isShown.waitFor();
  await s.reload();
  await isShown.waitFor();
  await s.shows("Black: accuracy ");
  // The board stands before the mistake, as do both arrows, and the list on it.
  await s.says("Black played here: f5b1. A better move: b6a4.");
  assert.equal(await s.status.getAttribute("data-verdict"), "blunder\n100% → 0%");
  await eventually(async () => assert.equal(await s.arrows.count(), 2));
  await s.stands("f5", "Black");
  assert.equal(await s.current.textContent(), "f5b1");
  await s.press("Forward");
  await eventually(async () => assert.equal(await s.arrows.count(), 0));
  await s.shows(/Blunder: f5b1\..* A better move: b6a4/);
  assert.deepEqual(await Promise.all(steps.map((step) => step.isDisabled())), [true, true, false]);
  await s.press("Find better moves");
  await s.says("Black played here: f5b1. Find a better move");
  // Where one person played, that side is asked.
  await s.page.addInitScript(() => {
    const kept = JSON.parse(sessionStorage["totemic-game"]);
    kept.game.you = 0;
    sessionStorage["totemic-game"] = JSON.stringify(kept);
  });
  await s.reload();
  await s.says("You played here: f5b1. Find a better move. Question 1 of 1.");
  await s.click("f5b1");
  await s.says("what was played");
  await s.click("b6a4");
  await s.says("1 of 1");
  await s.press("See the result");
  await s.says("You found 1 of 1");
  await s.reload();
  await s.says("You found 1 of 1");
  await s.press("Once more");
  await s.press("Show");
  await s.says("0 of 1");
  await s.press("See the result");
  await s.press("Back to the review");
  await s.button("First position").waitFor();
});

both("the questions of a review begin where you are, and once more with the first", async (s) => {
  await s.paste(`${MISTAKE} a1d6`);
  await s.listed(2);
  await s.mode("Review");
  await s.press("Review this game");
  await s.shows(/\(proved\)/);
  await s.press("Last position");
  await s.press("Find better moves");
  await s.says("White played here: a1d6. Find");
  for (const name of ["Show", "Next question", "Show", "See the result", "Once more"]) await s.press(name);
  await s.says("Black played here: f5b1. Find");
});

both("an answer is judged by what it gains", async (s) => {
  const ask = async () => {
    await s.press("Find better moves");
    await s.says("White played here: c3b3o.");
  };
  await s.paste("c3b3o");
  await s.mode("Review");
  await s.press("Review this game");
  await ask();
  await s.page.keyboard.press("3");
  await s.click("c3c4");
  await s.says(/^A little better: winning chances of \d+% instead of \d+%, but \d+% are possible/);
  await s.click("c3b3");
  await s.says(/^Better: winning chances of \d+% instead of \d+%\. The best move has \d+%\. .*1 of 1 right/);
});
