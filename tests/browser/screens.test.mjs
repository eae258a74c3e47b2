// What is in view on large and small screens, for those who do not see it, and without a network.

import assert from "node:assert/strict";

import { DESKTOP, LAPTOP, MODES, PHONE, eventually, served, sited, tool } from "./stage.mjs";

const screen = (width, height) => ({ width, height });
const LAPTOPS = [LAPTOP, screen(1024, 600)];
const PHONES = [screen(360, 640), screen(390, 844), screen(430, 932), screen(640, 360), screen(844, 390)];

/** How much wider than its place something is. */
function overflow(s, selector) {
  return s.page.locator(selector).evaluate((it) => it.scrollWidth - it.clientWidth);
}

served("a phone shows all without scrolling sideways", { size: PHONE }, async (s) => {
  for (const mode of MODES) {
    await s.mode(mode);
    assert.equal(await overflow(s, "html"), 0, mode);
  }
  await s.mode("Play");
  const board = s.page.getByRole("group", { name: "Board: Yoxii" });
  const { width } = await board.boundingBox();
  assert.ok(width > 0.85 * PHONE.width, `the board is ${width} wide`);
  await s.set({ language: "fr" });
  assert.equal(await overflow(s, "nav"), 0, "the modes in French");
  await s.set({});
  await s.begin();
  await s.moveAndAnswer();
  await s.game("Hokito");
  const covered = await s.notice("waiting").evaluate((notice) => {
    const [{ top, bottom }, others] = [notice.getBoundingClientRect(), [...document.querySelectorAll("button, .player, #status, .card")]];
    const boxes = others.filter((it) => !notice.contains(it)).map((it) => it.getBoundingClientRect()).filter(({ height }) => height > 0);
    return boxes.filter((box) => box.top < bottom && box.bottom > top).length;
  });
  assert.equal(covered, 0, "covered by the notice");
  await s.game("Yoxii");
  await s.resign();
  await s.result.waitFor();
  const [result, yoxii] = await Promise.all([s.result.boundingBox(), board.boundingBox()]);
  assert.ok(result.y >= yoxii.y + yoxii.height, "the result lies over the board");
});

for (const game of ["Yoxii", "Hokito"]) {
  served(`every screen shows board, turn and prompt of ${game} at once`, async (s) => {
    await s.begin(game);
    for (const size of [...LAPTOPS, ...PHONES]) {
      const told = `${size.width} x ${size.height}`;
      await s.page.setViewportSize(size);
      await s.below.locator(".turn").waitFor();
      const boxes = {};
      for (const part of ["board", "status", "upper", "lower", "steps"]) {
        const box = boxes[part] = await s.page.locator(`#${part}`).boundingBox();
        const isInside = box.height > 0 && box.y >= 0 && box.x >= 0 && box.y + box.height <= size.height && box.x + box.width <= size.width;
        assert.ok(isInside, `${told}, ${part}: ${JSON.stringify(box)}`);
      }
      assert.equal(await overflow(s, "html"), 0, told);
      assert.equal(boxes.status.x >= boxes.board.x + boxes.board.width, size.width > size.height, told);
    }
  });
}

served("the current move is in view on every screen", async (s) => {
  await s.paste28Moves();
  for (let steps = 0; steps < 2; steps++) await s.press("Back");
  // Leaving the page keeps where it stands.
  await s.reload();
  for (const size of [...LAPTOPS, screen(1920, 1080), screen(390, 844), screen(844, 390)]) {
    await s.page.setViewportSize(size);
    await s.reload();
    await s.press("Start analysis");
    for (const mode of ["Analyse", "Review"]) {
      await s.mode(mode);
      const told = `${mode}, ${size.width} x ${size.height}`;
      await eventually(async () => assert.equal(await s.lines.count(), 3, told));
      await eventually(async () => assert.ok(await s.page.locator(".engine").evaluate((it) => it.scrollHeight <= it.clientHeight), `not all lines: ${told}`));
      for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight"]) {
        const before = await s.current.textContent();
        await s.page.keyboard.press(key);
        await eventually(async () => {
          const [move, isInView] = await s.current.evaluate((it) => {
            const { left, top, bottom } = it.getBoundingClientRect();
            return [it.textContent, document.elementFromPoint(left + 4, (top + bottom) / 2) === it];
          });
          assert.ok(move !== before && isInView, `${move} after ${before}: ${told}`);
        });
      }
    }
  }
});

const axe = tool("axe-core")?.source;
if (!axe) console.log("skipped: axe-core, a checker of accessibility, is not installed");
for (const [theme, size] of axe ? [["light", DESKTOP], ["dark", DESKTOP], ["light", PHONE]] : []) {
  served(`a checker of accessibility finds no fault: ${theme}, ${size.width} wide`, { settings: { theme, known: false }, size }, async (s) => {
    await s.page.evaluate(axe);
    for (const mode of MODES) {
      await s.mode(mode);
      const { violations, passes } = await s.page.evaluate(() => axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`), [], mode);
      assert.ok(passes.length > 10, `${passes.length} rules hold`);
    }
  });
}

sited("a page that was visited once plays on without a network", { own: true }, async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.page.evaluate(async () => { await navigator.serviceWorker.ready; });
  s.board.stop();
  await s.reload();
  await s.yourTurn(2);
  await s.moveAndAnswer();
  // The host sent no headers for it, but the page's own worker did.
  assert.equal(await s.page.evaluate(() => crossOriginIsolated), true);
  await s.analyse();
  await eventually(async () => assert.equal(await s.lines.count(), 3));
});
