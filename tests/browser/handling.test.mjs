// What whoever comes from other boards expects under the mouse, the finger and the keys.

import assert from "node:assert/strict";

import { DESKTOP, LAPTOP, LOWEST, PHONE, both, eventually, served } from "./stage.mjs";

/** A finger that goes from one point to another one. */
async function swipe(s, from, to) {
  const devtools = await s.page.context().newCDPSession(s.page);
  const touch = (type, ...touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", from);
  for (let step = 1; step <= 10; step++) await touch("touchMove", { x: from.x + (to.x - from.x) * step / 10, y: from.y + (to.y - from.y) * step / 10 });
  await touch("touchEnd");
}

async function middle(s, square) {
  const { x, y, width, height } = await s.square(square).boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

both("a step that is held goes on until it is let go", { touch: true }, async (s) => {
  await s.paste28Moves();
  await s.press("First position");
  const at = () => s.moves.evaluateAll((all) => all.findIndex((it) => it.ariaCurrent === "true") + 1);
  await s.button("Forward").hover();
  await s.page.mouse.down();
  await eventually(async () => assert.ok(await at() > 3));
  await s.page.mouse.up();
  await s.page.waitForTimeout(300);
  const there = await at();
  await s.page.waitForTimeout(300);
  assert.equal(await at(), there);
  await s.press("Last position");
  const devtools = await s.page.context().newCDPSession(s.page);
  const { x, y } = await s.button("Back").boundingBox();
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 5, y: y + 5 }] });
  await eventually(async () => assert.ok(await at() < 25));
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await s.page.waitForTimeout(300);
  const before = await at();
  await s.button("Forward").tap();
  await eventually(async () => assert.equal(await at(), before + 1));
  // One that ended at the first position, where the button is off, takes no later press away.
  await s.button("Back").hover();
  await s.page.mouse.down();
  await eventually(async () => assert.equal(await at(), 0));
  await s.page.mouse.up();
  await s.button("Forward").focus();
  await s.page.keyboard.press("Enter");
  await eventually(async () => assert.equal(await at(), 1));
});

served("a finger scrolls over the board where it moves nothing", { touch: true, size: PHONE, settings: { play: { ...LOWEST, two: true } } }, async (s) => {
  const scrolled = () => s.page.evaluate(() => scrollY);
  const up = async (square) => {
    await s.page.evaluate(() => scrollTo(0, 0));
    const from = await middle(s, square);
    await swipe(s, from, { x: from.x, y: from.y - 200 });
    await s.page.waitForTimeout(150);
    return scrolled();
  };
  // An empty square of Yoxii, where only the totem is moved, and any square while others move.
  assert.ok(await up("a3") > 50, "from an empty square");
  await s.says("White: where does the totem go?");
  await s.button("Start").tap();
  // Until the library has told what is legal, nothing can be moved.
  await s.button("Resign").waitFor();
  assert.equal(await up("d4"), 0, "from the totem");
  await s.page.evaluate(() => scrollTo(0, 0));
  await s.square("c5").tap();
  await s.says("place a piece");
  await s.square("b6").tap();
  await s.listed(1);
  await s.game("Hokito");
  assert.ok(await up("d2") > 50, "from the other side's pawn");
  await s.mode("Watch");
  assert.ok(await up("d4") > 50, "where engines play");
});

both("what is set up is undone and done again by keys", async (s) => {
  await s.mode("Set up");
  await s.press("White 1");
  await s.click("c3");
  await s.click("c4");
  await s.stands("c4", "White 1");
  await s.page.keyboard.press("Control+z");
  await s.stands("c4", "free");
  await s.page.keyboard.press("Meta+z");
  await s.stands("c3", "free");
  await s.page.keyboard.press("Control+Shift+Z");
  await s.stands("c3", "White 1");
  await s.page.keyboard.press("Control+y");
  await s.stands("c4", "White 1");
  await s.press("Take back");
  await s.stands("d3", "free");
});

both("a board of Hokito in the middle of a game is set up by two clicks and keys, or by strokes", async (s) => {
  await s.game("Hokito");
  await s.mode("Set up");
  const rows = s.page.getByLabel("Type the board row by row");
  let clicks = 0;
  await s.page.exposeFunction("clicked", () => { clicks++; });
  await s.page.evaluate(() => addEventListener("pointerdown", () => window.clicked(), true));
  await s.press("Empty the board");
  await rows.click();
  await s.page.keyboard.press("Control+a");
  await s.page.keyboard.type("b12 - w3 b22 - b1\nb3 w13 - b2 b32 -\n- b3 w23 - b1 w2\nw22 - w1 b33 - w1\n- w32 w2 - w12 -\nw3 - w33 - - w2");
  // The first row is the upper one, as the board is seen.
  await s.stands("d3", "White 2, stack of 3");
  await s.shows("A legal position.");
  // What is typed stays as it is typed, with the cursor in it.
  await s.page.keyboard.type("9");
  assert.equal(await rows.getAttribute("aria-invalid"), "false");
  assert.equal(await rows.evaluate((it) => it === document.activeElement && it.value.endsWith("w29")), true);
  await s.page.keyboard.type("?");
  assert.equal(await rows.getAttribute("aria-invalid"), "true");
  await s.shows("Row 6 cannot be read.");
  assert.equal(await s.button("Play from here").isDisabled(), true);
  await s.stands("a6", "White 2, stack of 9");
  assert.equal(clicks, 2);
  await s.press("Take back");
  await s.stands("c4", "free");
  assert.match(await rows.inputValue(), /^– – –/);
  await s.press("Black 2");
  const [from, to] = [await middle(s, "f3"), await middle(s, "c3")];
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 12 });
  await s.page.mouse.up();
  for (const square of ["c3", "d3", "e3", "f3"]) await s.stands(square, "Black 2");
  assert.match(await rows.inputValue(), /b2 b2 b2 b2/);
  await s.page.keyboard.press("Control+z");
  await s.stands("f3", "free");
  await s.stands("c3", "free");
  // Also one that erases, and begins where nothing stands.
  for (const square of ["d3", "c3"]) await s.square(square).click();
  await s.press("Eraser");
  await s.page.mouse.move(from.x, from.y);
  await s.page.mouse.down();
  await s.page.mouse.move(to.x, to.y, { steps: 12 });
  await s.page.mouse.up();
  await s.stands("c3", "free");
  await s.page.keyboard.press("Control+z");
  for (const square of ["c3", "d3"]) await s.stands(square, "Black 2");
});

for (const size of [LAPTOP, DESKTOP]) {
  served(`the graph is in view beside the moves, and points beside chances: ${size.width} wide`, { size }, async (s) => {
    await s.paste28Moves();
    await s.press("Back");
    await s.press("Start analysis");
    await eventually(async () => assert.equal(await s.lines.count(), 3));
    const [graph, moves] = await Promise.all([s.page.locator(".graph").boundingBox(), s.page.locator("#moves").boundingBox()]);
    assert.ok(graph.y + graph.height <= size.height && graph.height > 60 && moves.height > 50, JSON.stringify({ graph, moves }));
    // In a narrow column it stands below them.
    assert.ok(size === LAPTOP ? graph.x >= moves.x + moves.width && graph.y < moves.y + moves.height : graph.y >= moves.y + moves.height);
    await s.press("First position");
    await eventually(async () => { for (const text of await s.page.locator(".line .value").allTextContents()) assert.match(text, /^\d+% [+−]?\d+\.\d$/); });
  });
}

both("own games are marked in the list: lost, and unfinished", async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.resign();
  await s.result.getByRole("button", { name: "Play again" }).click();
  await s.yourTurn(0);
  await s.moveAndAnswer();
  // The list is read when it is opened.
  await s.reload();
  await s.unfold("Your games");
  const marked = s.page.locator(".outcome");
  await eventually(async () => assert.deepEqual(await marked.evaluateAll((all) => all.map((it) => [it.dataset.mark, it.textContent])), [["…", "Unfinished"], ["✗", "You lose"]]));
});
