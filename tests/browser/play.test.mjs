// Games against the computer, from the first move to the result.

import assert from "node:assert/strict";

import { LOWEST, both, eventually, served } from "./stage.mjs";

both("a game of Yoxii is played by clicks", async (s) => {
  await s.begin();
  while (!await s.isOver()) await s.moveAndAnswer();
  await s.says("cannot move");
  await s.says("Next to the totem");
  const count = await s.moves.count();
  assert.ok(count > 8, `${count} moves`);
  await s.press("Take back");
  await s.yourTurn((now) => now < count);
});

served("the engine is asked for a move before the library has answered", async (s) => {
  await s.begin();
  /** @type {string[]} */
  let carried = [];
  s.page.on("websocket", (socket) => {
    for (const event of ["framesent", "framereceived"]) socket.on(event, ({ payload }) => carried.push(payload));
  });
  await s.reload();
  await s.moveAndAnswer();
  // From the second move on, the engine is there.
  carried = [];
  await s.moveAndAnswer();
  const asked = carried.findIndex((text) => text.includes('"position"'));
  const { call } = JSON.parse(carried[asked]);
  const went = carried.findIndex((text) => text.includes(" go "));
  const answered = carried.findIndex((text, i) => i > asked && text.startsWith("{") && JSON.parse(text).call === call);
  assert.ok(asked < went && went < answered, carried.map((text) => text.slice(0, 100)).join("\n"));
});

served("one's own move is drawn before the library has answered", { settings: { play: { two: true } } }, async (s) => {
  /** @type {(() => void)[] | null} what the library says, as long as it is held back */
  let held = null;
  await s.page.routeWebSocket(/./, (socket) => {
    const board = socket.connectToServer();
    board.onMessage((message) => held ? held.push(() => socket.send(message)) : socket.send(message));
  });
  await s.reload();
  for (const game of ["Yoxii", "Hokito"]) {
    await s.game(game);
    await s.yourTurn(0);
    for (const moves of [1, 2]) {
      const drawn = () => s.page.locator("[data-piece]").evaluateAll((all) => all.map((it) => it.outerHTML));
      const move = await s.legal();
      await s.square(move.slice(0, 2)).click();
      const before = await drawn();
      held = [];
      await s.square(move.slice(2, 4)).click();
      await eventually(async () => assert.notDeepEqual(await drawn(), before));
      const [now, answers] = [await drawn(), held];
      held = null;
      for (const answer of answers) answer();
      await s.yourTurn(moves);
      assert.deepEqual(await drawn(), now, move);
    }
  }
});

/** Walks the focus to a square with the arrow keys. */
async function walk(s, square) {
  const to = await s.square(square).boundingBox();
  // Where the board is turned, the ranks count downwards.
  for (let steps = 0; steps < 20; steps++) {
    const at = await s.page.locator(":focus").boundingBox();
    // The one with the focus has a frame.
    const [x, y] = [to.x - at.x, to.y - at.y].map((far) => Math.round(far / to.width));
    if (x === 0 && y === 0) return;
    await s.page.keyboard.press(x < 0 ? "ArrowLeft" : x > 0 ? "ArrowRight" : y < 0 ? "ArrowUp" : "ArrowDown");
  }
  assert.fail(`${square} is not reached`);
}

both("a hint that is followed plays what it shows", async (s) => {
  await s.page.keyboard.press("1");
  await s.press("Hint");
  await s.says("Hint: totem to ");
  const [, totem, mark, square] = /totem\sto\s(..), (\w+)\sto\s(..)\./.exec(await s.status.textContent());
  await s.click(totem);
  // It is shown until it is played.
  await s.says("Hint: totem to ");
  assert.equal(await s.arrows.count(), 1);
  await s.click(square);
  const value = { O: "o", II: "i", Y: "y", X: "x" }[mark];
  await s.moves.first().getByText(totem + square + value, { exact: true }).waitFor();
  // Nothing of it stays behind the end.
  await s.yourTurn((count) => count > 1);
  await s.press("Hint");
  await s.says("Hint: totem to ");
  await s.click(/totem\sto\s(..)/.exec(await s.status.textContent())[1]);
  assert.equal(await s.arrows.count(), 1);
  await s.resign();
  await s.says("You lose");
  assert.equal(await s.arrows.count(), 0);
  assert.equal(await s.page.getByRole("button", { name: /, chosen/ }).count(), 0);
});

both("a game of Hokito is played by keyboard", async (s) => {
  await s.begin("Hokito");
  const first = await s.legal();
  await s.square("d4").focus();
  for (const square of [first.slice(0, 2), first.slice(2)]) {
    await walk(s, square);
    await s.page.keyboard.press("Enter");
  }
  await s.yourTurn((count) => count >= 2);
  // Moves are typed as loosely as people do.
  while (!await s.isOver()) {
    const [before, move] = [await s.moves.count(), await s.legal()];
    await s.type(`${move.slice(0, 2).toUpperCase()} - ${move.slice(2)}`);
    await s.yourTurn((count) => count > before);
  }
  await s.says("value times height");
  await s.page.locator(".lit > g").first().waitFor();
  await s.result.getByRole("button", { name: "Swap sides" }).click();
  await s.below.getByText("White", { exact: true }).waitFor();
  await s.result.waitFor({ state: "hidden" });
  await s.yourTurn(1);
});

for (const [side, name] of [["p1", "Black"], ["p2", "White"]]) {
  both(`${name} sits below for whoever plays it`, { settings: { play: { ...LOWEST, side } } }, async (s) => {
    const height = (squares) => squares.evaluateAll((all) => all.reduce((sum, it) => sum + it.getBoundingClientRect().top, 0) / all.length);
    const isBelow = async () => await height(s.squares.and(s.button(new RegExp(`, ${name} `)))) > await height(s.squares);
    await s.begin("Hokito");
    await s.below.getByText(name, { exact: true }).waitFor();
    assert.equal(await isBelow(), true);
    await s.reload();
    await s.yourTurn();
    assert.equal(await isBelow(), true, "after a reload");
    await s.press("Flip the board");
    assert.equal(await isBelow(), false, "turned");
  });
}

/** A finger that goes down on a square. @param {string} square @returns {Promise<() => Promise<void>>} what lifts it */
async function finger(s, square) {
  const devtools = await s.page.context().newCDPSession(s.page);
  const { x, y, width, height } = await s.square(square).boundingBox();
  const touch = (type, touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: x + width / 2, y: y + height / 2 }]);
  return () => touch("touchEnd", []);
}

async function touch(s, square) {
  await (await finger(s, square))();
}

both("a move of Hokito is its route, by keys and by touch", { settings: { motion: true, play: { ...LOWEST, two: true } }, touch: true }, async (s) => {
  await s.begin("Hokito");
  await s.square("d4").focus();
  await s.page.keyboard.press("Enter");
  await walk(s, "d5");
  // The pawn has value 3.
  await eventually(async () => assert.equal(await s.page.locator(".step-number").count(), 3));
  await walk(s, "a1");
  await s.page.keyboard.press("Enter");
  await s.says("a1: no route of exactly 3 steps");
  await walk(s, "d5");
  await s.page.evaluate(() => {
    const flight = document.querySelector(".flight");
    new MutationObserver(() => { if (flight.childElementCount) document.body.dataset.seen = "flown"; }).observe(flight, { childList: true });
  });
  await s.page.keyboard.press("Enter");
  await s.listed(1);
  await s.page.locator("[data-seen=flown]").waitFor();
  await eventually(async () => assert.equal(await s.page.locator(".flight > g").count(), 0));
  await s.page.locator("[data-piece=d5]:not([visibility])").waitFor();
  // A finger sees the way first, and goes it at the second touch.
  await touch(s, "d3");
  await touch(s, "d2");
  const target = (await s.possible.first().getAttribute("aria-label")).slice(0, 2);
  await touch(s, target);
  await s.page.locator(".routes .route").first().waitFor();
  await s.says("Touch the square again");
  assert.equal(await s.moves.count(), 1);
  await touch(s, target);
  await s.listed(2);
  // A finger that rests on a stack, of whichever side, only looks into it.
  for (const stack of [target, "d5"]) {
    const lift = await finger(s, stack);
    await s.page.locator(".tip .tower").waitFor();
    await lift();
    await eventually(async () => assert.equal(await s.page.locator(".tip > *").count(), 0));
    await s.says("Your move");
    assert.equal(await s.button(/chosen/).count(), 0, stack);
  }
});

both("a look at the other game leaves this one as it was", async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.game("Hokito");
  await eventually(async () => assert.equal(await s.squares.count(), 36));
  await s.yourTurn(0);
  // The first move there begins a game.
  await s.click(await s.legal());
  await s.yourTurn(2);
  await s.game("Yoxii");
  await eventually(async () => assert.equal(await s.squares.count(), 37));
  await s.yourTurn(2);
  // The engine still plays the other side.
  await s.moveAndAnswer();
  await s.game("Hokito");
  await s.listed(2);
  await s.reload();
  await s.game("Yoxii");
  await s.yourTurn(4);
});

both("resigning asks once, and another game is one press away", async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.press("Resign");
  await s.button("Really resign?").waitFor();
  // Whoever does not answer goes on playing.
  await s.button("Resign").waitFor();
  await s.moveAndAnswer();
  await s.resign();
  await s.says("resigned");
  await s.says("You lose");
  assert.equal(await s.page.locator(".turn").count(), 0);
  // It can be taken back, and nothing else with it.
  const played = await s.moves.count();
  await s.press("Take back");
  await s.yourTurn(played);
  // The button for the first position ends up disabled: the arrow keys step on all the same.
  await s.press("First position");
  await s.page.keyboard.press("ArrowRight");
  await s.moves.first().and(s.current).waitFor();
  await s.press("Last position");
  await s.resign();
  // A review tells it at the end of the moves.
  await s.press("Review this game");
  await s.shows("White: accuracy");
  await s.press("Last position");
  await s.says("White resigned. Game over. Red wins.");
  await s.mode("Play");
  await s.press("Play again");
  await s.yourTurn(0);
  await s.moveAndAnswer();
});

both("the first move begins the game that is shown", async (s) => {
  await s.moveAndAnswer();
  assert.equal(await s.moves.count(), 2);
  await s.set({ play: { ...LOWEST, side: "p2" } });
  await s.game("Hokito");
  // Where the computer begins, the board says so, and waits.
  await s.says("press Start");
  await s.click(await s.legal());
  assert.equal(await s.moves.count(), 0);
  await s.start();
  await s.yourTurn(1);
});

both("a return game begins with the same pieces", { settings: { play: { ...LOWEST, start: "scattered" } } }, async (s) => {
  const pieces = () => s.squares.evaluateAll((all) => all.map((it) => it.getAttribute("aria-label").split(", possible")[0]).join("\n"));
  await s.begin("Hokito");
  await s.press("Resign");
  const before = await pieces();
  await s.press("Really resign?");
  await s.result.getByRole("button", { name: "Swap sides" }).click();
  await s.below.getByText("White", { exact: true }).waitFor();
  await s.yourTurn(1);
  await s.press("First position");
  await eventually(async () => assert.equal(await s.current.count(), 0));
  assert.equal(await pieces(), before);
});

both("a move is typed while the computer thinks, and keys stay in the field", { settings: { play: { level: 20, seconds: 3 } } }, async (s) => {
  await s.start();
  await s.squares.and(s.page.locator(":focus")).waitFor();
  await s.type("c5b6y");
  await s.says("thinking");
  // A letter of a move is no hotkey, and the move waits.
  await s.page.keyboard.type("a1");
  await s.page.keyboard.press("Enter");
  await s.says("a1 is played as soon as it is your turn");
  await s.typed.and(s.page.locator(":focus")).waitFor();
  await s.notice("a1").waitFor();
  assert.equal(await s.typed.inputValue(), "a1");
  assert.equal(await s.page.evaluate(() => location.hash), "#/play");
  await s.resign();
  await s.page.locator("body :focus").waitFor();
});
