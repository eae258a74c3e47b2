// What else happens at the board: two people at one screen, clocks, pieces that are dragged, ends that are told, games that are watched.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { LOWEST, both, eventually, served, startBoard } from "./stage.mjs";

both("two people play at one screen with their own clock", async (s) => {
  const field = (label) => s.page.getByLabel(label, { exact: true });
  await s.press("Two people here");
  await field("White (begins)").pressSequentially("Ann");
  await field("Red").pressSequentially("Bob");
  await s.press("Swap sides");
  await s.press("Flip the board after each move");
  await field("Clock").selectOption({ label: "custom…" });
  await field("Minutes for each side").fill("7");
  await field("Seconds added per move").fill("2");
  // The button to start stays in view, over what is below.
  await s.page.locator("summary", { hasText: "Settings" }).scrollIntoViewIfNeeded();
  const { y, height } = await s.button("Start").boundingBox();
  assert.ok(y >= 0 && y + height <= s.page.viewportSize().height, `the button is at ${y}`);
  await s.reload();
  await s.press("Start");
  await s.below.filter({ hasText: "Bob" }).getByText("7:00").waitFor();
  await s.says("Bob: where does the totem go?");
  for (const [move, below] of [["c5b6", "Ann"], ["d6e6", "Bob"]]) {
    await s.click(move);
    await s.below.getByText(below).waitFor();
    await s.yourTurn();
  }
});

both("a loss on time is taken back", { settings: { play: { two: true, time: "clock", minutes: 0.0001, increment: 0 } } }, async (s) => {
  await s.press("Start");
  await s.click("c5b6");
  await s.says("Red ran out of time");
  await s.press("Take back");
  await s.says("Red: where does the totem go?");
  await s.click(await s.legal());
  await s.listed(2);
});

both("pieces are dragged", { settings: { play: { two: true } } }, async (s) => {
  await s.square("d4").dragTo(s.square("c5"));
  await s.says("now place a piece");
  await s.page.getByRole("group", { name: "Reserve of White" }).getByRole("button", { name: "piece of value 3" }).dragTo(s.square("b6"));
  await s.moves.getByText("c5b6y", { exact: true }).waitFor();
  await s.game("Hokito");
  const move = await s.legal();
  await s.square(move.slice(0, 2)).dragTo(s.square(move.slice(2)));
  await s.moves.getByText(move, { exact: true }).waitFor();
});

both("the end is explained square by square", async (s) => {
  // Seven points each, but White has more pieces at the totem.
  await s.paste("o1i/XOIXY/y*Oy1o1/OoyxYYi/IIOXIy1/ixoOy/Ix1 r");
  await s.shows("How the game ended");
  await eventually(async () => assert.equal(await s.page.locator(".counted").count(), 7));
  await s.says("White wins");
  await s.says("decides: White has 4");
});

both("what counts lights up one after the other, and then comes the result", { settings: { motion: true, play: { two: true } } }, async (s) => {
  await s.paste("Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w");
  await s.press("Play from here");
  await s.page.evaluate(() => {
    window.seen = [];
    const look = () => {
      const now = document.querySelector("#finale").hidden ? document.querySelectorAll(".lit > g").length : "result";
      if (now !== window.seen.at(-1)) window.seen.push(now);
    };
    new MutationObserver(look).observe(document.querySelector("#board"), { childList: true, subtree: true, attributes: true });
  });
  await s.click("a5e6");
  await s.result.waitFor();
  const lit = await s.page.locator(".lit > g").count();
  assert.ok(lit > 1, `${lit} are lit`);
  assert.deepEqual(await s.page.evaluate(() => window.seen), [...Array(lit + 1).keys(), "result"]);
  await s.result.getByText(/White has \d points/).waitFor();
  // A game that is over stays so where an earlier position is shown, and keeps its moves.
  await s.page.keyboard.press("ArrowLeft");
  await s.says("earlier position");
  await s.button("Play again").waitFor();
  for (const name of ["Resign", "Take back", "Hint"]) assert.equal(await s.button(name).count(), 0, name);
  await s.page.keyboard.press("u");
  await s.listed(1);
  await s.page.keyboard.press("ArrowRight");
  await s.says("Game over");
  // The result of one game does not lie over another one that is over, too.
  await s.game("Hokito");
  await s.press("Start");
  await s.resign();
  await s.result.getByText("resigned").waitFor();
  await s.game("Yoxii");
  await s.says("Game over");
  assert.equal(await s.result.isHidden(), true);
});

both("each mode keeps its own game and says what waits", { settings: { watch: { seconds: 0.3 } } }, async (s) => {
  await s.moveAndAnswer();
  await s.mode("Watch");
  await s.listed(0);
  await s.press("Start");
  await s.listed((count) => count > 0);
  await s.mode("Play");
  // It goes by itself after a while.
  await s.notice("Watch").waitFor();
  await s.yourTurn(2);
  await s.press("Hint");
  await s.says("Hint: totem to ");
  // The moves of an analysis are no moves of the game.
  await s.mode("Analyse");
  await s.listed(2);
  await s.click((await s.legal()).slice(0, 4));
  await s.listed(3);
  await s.mode("Play");
  await s.yourTurn(2);
  await s.moveAndAnswer();
  await s.resign();
  await s.says("You lose");
  await s.mode("Watch");
  const seen = await s.listed((count) => count > 0);
  await s.listed((count) => count > seen);
  // What was added stands beside what was played since.
  await s.mode("Play");
  await s.listed(4);
  await s.mode("Analyse");
  await s.listed(5);
});

both("a watched game waits while somebody looks back", { settings: { watch: { seconds: 0.3 } } }, async (s) => {
  await s.mode("Watch");
  await s.press("Start");
  const goOn = async () => {
    const seen = await s.moves.count();
    await s.press("Continue");
    await s.listed((count) => count > seen);
  };
  for (const isReloaded of [false, true]) {
    await s.listed((count) => count > 1);
    await s.press("Back");
    await s.says("The game waits");
    if (isReloaded) await s.reload();
    await s.says("The game waits");
    await goOn();
  }
  await s.press("Stop");
  await s.says("The game is stopped");
  await goOn();
});

both("a press counts though the page is drawn anew before it ends", { settings: { watch: { seconds: 0.3 } } }, async (s) => {
  await s.mode("Watch");
  await s.press("Start");
  await s.listed((count) => count > 0);
  const press = async (button) => {
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await button.boundingBox();
    await s.page.mouse.move(x + width / 2, y + height / 2);
    await s.page.mouse.down();
    const seen = await s.moves.count();
    await s.listed((count) => count > seen);
    await s.page.mouse.up();
  };
  await press(s.button("Flip the board"));
  await s.above.getByText("White", { exact: true }).waitFor();
  await press(s.page.locator("#points"));
  await s.page.locator("#points[aria-pressed=true]").waitFor();
  await press(s.modeButton("Rules"));
  await s.shows("Rules of Yoxii");
});

both("what is pressed before the page knows what is legal counts once it does", async (s) => {
  await s.page.evaluate(() => {
    document.getElementById("start").click();
    for (const at of ["c5", "b6"]) {
      const square = document.querySelector(`[data-square=${at}]`);
      square.focus();
      square.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    }
  });
  await s.yourTurn((count) => count >= 2);
  assert.match(await s.moves.first().textContent(), /^c5b6/);
});

served("a match that is followed is shown game by game, with its faults, and anew when it is begun anew", async (s) => {
  const folder = await mkdtemp(join(tmpdir(), "totemic-"));
  const played = async (name) => {
    const players = [["A"], ["B"]].flatMap(([letter]) => ["--engine", "cmd=random", `name=${letter}`]);
    execFileSync(process.env.TOTEMIC, ["match", ...players, "--games", "4", "--seed", name === "old" ? "1" : "2", "--journal", join(folder, name)], { stdio: "ignore" });
    return (await readFile(join(folder, name), "utf8")).trimEnd().split("\n");
  };
  const [old, anew] = [await played("old"), await played("new")];
  // A journal has its head first.
  const ended = JSON.parse(old[1]);
  const loser = ended.result === "p1win" ? "Red" : "White";
  old[1] = JSON.stringify({ ...ended, moves: ended.moves.slice(0, 4), reason: "time-forfeit", points: undefined });
  const journal = join(folder, "games");
  const write = (lines) => writeFile(journal, lines.map((line) => `${line}\n`).join(""));
  const list = s.page.locator(".sheets").getByRole("button");
  const listed = (numbers) => eventually(async () => assert.deepEqual((await list.allTextContents()).map((it) => parseInt(it)), numbers));
  await write(old.slice(0, 3));
  const board = await startBoard(["--journal", journal]);
  await s.visit(board.url);
  await s.mode("Watch");
  await listed([2, 1]);
  await list.last().filter({ hasText: "ran out of time." }).click();
  await s.says(`${loser} ran out of time. Game over.`);
  await s.reload();
  await s.says(`${loser} ran out of time. Game over.`);
  // A file that it is saved to says so as well.
  await s.unfold("Share and files");
  assert.match(await s.saved("Save PGN"), /\[Termination "time forfeit"\]/);
  // A game that stands there twice is a fault.
  await write([...old.slice(0, 3), old[3], old[3]]);
  await listed([4, 3, 2, 1]);
  assert.equal(await list.first().isDisabled(), true);
  await write(anew.slice(0, 2));
  await listed([1]);
  await write(anew);
  await listed([4, 3, 2, 1]);
  board.stop();
  await rm(folder, { recursive: true });
});

both("levels have words, and each side of a match has its own", { settings: { play: { ...LOWEST, level: 4 }, watch: { levels: [0, 20], seconds: 0.1 } } }, async (s) => {
  await s.page.getByRole("slider", { name: "Level 4 – easy" }).waitFor();
  await s.mode("Watch");
  await s.page.getByRole("slider", { name: "White, Level 0 – beginner" }).waitFor();
  await s.page.getByRole("slider", { name: "Red, Level 20 – full strength" }).waitFor();
  await s.press("Start");
  await s.below.getByText("level 0").waitFor();
  await s.above.getByText("full strength").waitFor();
  await s.listed((count) => count > 1);
});

both("modes and lessons have addresses, and Back leads to them", async (s) => {
  const leads = (hash) => eventually(async () => assert.equal(new URL(s.page.url()).hash, hash));
  await leads("#/play");
  await s.mode("Learn");
  await leads("#/learn/yoxii/1");
  await s.press("Where a jump ends");
  await leads("#/learn/yoxii/6");
  await s.mode("Rules");
  await s.game("Hokito");
  await leads("#/rules/hokito");
  for (const hash of ["#/rules/yoxii", "#/learn/yoxii/6", "#/learn/yoxii/1", "#/play"]) {
    await s.page.goBack();
    await leads(hash);
  }
  await s.modeButton("Play").and(s.page.locator("[aria-current=page]")).waitFor();
  await s.visit(`${s.address}#/learn/hokito/4`);
  await s.button("A turn").and(s.page.locator("[aria-current=true]")).waitFor();
});
