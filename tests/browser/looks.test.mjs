// How the page looks: each state in both themes, on screens of several sizes, in several languages. Pictures of
// all of them are left in target/screens; what can be measured is.

import assert from "node:assert/strict";

import { DESKTOP, LAPTOP, eventually, picture, served } from "./stage.mjs";

const SMALL = { width: 360, height: 640 };
/** The last two are the smallest phone, and a laptop at 200%. */
const SHOWN = [
  ["phone", SMALL, "en"], ["laptop", LAPTOP, "en"], ["desktop", DESKTOP, "en"], ["phone-de", SMALL, "de"], ["laptop-de", LAPTOP, "de"],
  ["smallest-fr", { width: 320, height: 640 }, "fr"], ["zoomed-de", { width: 683, height: 325 }, "de"],
];

/** What overlaps, is cut, or is not in view: runs in the page. @param {string} next what is to be pressed next */
function faults(next) {
  const found = [];
  const told = (it) => it.id || it.className || it.tagName;
  const boxes = (selector, home = document) => [...home.querySelectorAll(selector)].map((it) => [it, it.getBoundingClientRect()]).filter(([, { width, height }]) => width > 0 && height > 0);
  const disjoint = (all) => all.forEach(([one, a], i) => {
    for (const [other, b] of all.slice(i + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) found.push(`${told(one)} overlaps ${told(other)}`);
    }
  });
  disjoint(boxes("#upper, #lower, #status, #steps, svg.board, .notice, #panel > *"));
  for (const card of document.querySelectorAll("#panel > *, header, .player, #finale")) {
    disjoint(boxes("button, select, input, textarea, label, p, h1, h2, b, .line", card).filter(([it]) => !it.closest(".moves, .games, .pv, .hidden, #finale-close")));
  }
  // Values of arrows touch no number of a step.
  disjoint([...boxes(".step-number"), ...boxes(".values > g > g")].filter(([it]) => it.closest(".step-number, .values")));
  const { clientWidth: width, scrollWidth } = document.documentElement;
  if (scrollWidth > width) found.push(`the page is ${scrollWidth} wide`);
  for (const [it, { left, right }] of boxes("button, label, summary, select, h2, p, li, [role=status], .player b, .player .points")) {
    const isCut = it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline";
    if (left < -1 || right > width + 1 || isCut) found.push(`${told(it)} does not fit: ${it.textContent}`);
  }
  // No arrow lies upon another one.
  const lines = [...document.querySelectorAll(".arrows > g")].map((group) => [...group.querySelectorAll("line")].map((it) => ["x1", "y1", "x2", "y2"].map((key) => Number(it.getAttribute(key)))));
  const away = ([x1, y1, x2, y2], [x, y]) => Math.abs((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / Math.hypot(x2 - x1, y2 - y1);
  const along = ([x1, y1, x2, y2], [x, y]) => ((x2 - x1) * (x - x1) + (y2 - y1) * (y - y1)) / Math.hypot(x2 - x1, y2 - y1) ** 2;
  lines.forEach((one, i) => {
    for (const b of lines.slice(i + 1).flat()) for (const a of one) {
      const ends = [b.slice(0, 2), b.slice(2)];
      const [from, to] = ends.map((end) => along(a, end)).sort((x, y) => x - y);
      if (ends.every((end) => away(a, end) < 10) && from < 0.7 && to > 0.3) found.push("an arrow lies upon another one");
    }
  });
  const box = next && document.querySelector(next)?.getBoundingClientRect();
  if (next && !(box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight)) found.push(`${next} is not in view`);
  return found;
}

for (const [name, size, language] of SHOWN) {
  const isTall = size.height > 600 && size.width >= 360;
  served(`each state looks as it should: ${name}`, { settings: { known: false, language }, size, touch: size === SMALL }, async (s) => {
    const id = (it) => s.page.locator(`#${it}`);
    const look = async (state, next = "") => {
      await s.page.evaluate(() => Promise.all(document.getAnimations().map((it) => it.finished)));
      await picture(s, `${state}-${name}`);
      assert.deepEqual(await s.page.evaluate(faults, isTall ? next : ""), [], state);
    };
    const rows = () => s.page.evaluate(() => ["upper", "lower", "steps"].flatMap((id) => {
      const { top, height } = document.getElementById(id).getBoundingClientRect();
      return [Math.round(top + scrollY), Math.round(height)];
    }));
    const lines = () => eventually(async () => assert.equal(await s.lines.count(), 3));
    await look("start", "#gentle-yoxii");
    await id("later").click();
    await look("play", "#start");
    const places = await rows();
    // Nothing that cannot be pressed stands before it.
    assert.deepEqual(await s.page.evaluate(() => [...document.querySelectorAll("#steps button, #panel button")].filter((it) => it.disabled).map(({ id }) => id)), []);
    await s.click("c5");
    assert.deepEqual(await rows(), places, "while a piece is placed");
    await s.click("b6");
    await eventually(async () => {
      assert.ok(await s.moves.count() >= 2);
      await s.below.locator(".turn").waitFor({ timeout: 100 });
    });
    assert.deepEqual(await rows(), places, "after two moves");
    await look("game", "#hint");
    await id("hint").click();
    await s.arrows.first().waitFor();
    await look("hint", "#hint");
    assert.deepEqual(await rows(), places, "with a hint");
    await id("resign").click();
    await id("resign").click();
    await s.result.waitFor();
    await look("end", "#finale-again");
    // The result stands once, and what it offers.
    assert.equal(await s.status.evaluate((it) => getComputedStyle(it).opacity), "0");
    assert.equal(await id("again").count(), 0);
    await id("finale-close").click();
    await id("again").waitFor();
    await look("ended");
    await id("mode-analyse").click();
    await id("analysis").click();
    await lines();
    await look("analysis");
    await id("game-hokito").click();
    await lines();
    await look("analysis-hokito");
    await id("mode-review").click();
    // Nothing is asked where there is nothing yet.
    assert.equal(await s.status.textContent(), "");
    assert.equal(await s.arrows.count(), 0);
    await look("review-empty");
    await id("mode-setup").click();
    await look("setup-hokito", "#use-play");
    await id("mode-watch").click();
    await look("watch", "#watch-start");
    await id("mode-analyse").click();
    await s.page.goto(`${s.address}#game=hokito&fen=b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1+b&moves=b4c4+c3f3+d4d5+b2b3+d5c4+d1f2`);
    await s.listed(6);
    await lines();
    await look("analysis-moves");
    await id("mode-review").click();
    await look("review");
    await id("mode-learn").click();
    await s.page.locator("#lesson-0").waitFor();
    await look("learn");
    await id("mode-play").click();
    await id("game-yoxii").click();
    await s.notices.waitFor({ timeout: 1000 }).catch(() => {});
    await look("ended-again");
  });
}

served("what is to be pressed is not blue beside blue pieces, and modes look unlike games", { settings: { clear: true, theme: "light" } }, async (s) => {
  await s.possible.first().waitFor();
  await s.page.locator('svg.board circle[fill="#171513"]').first().waitFor();
  assert.equal(await s.page.locator('svg.board circle[fill="#1d6fd1"]').count(), 0);
  const ground = (it) => s.page.locator(`#${it}`).evaluate((it) => getComputedStyle(it).backgroundColor);
  assert.notEqual(await ground("game-yoxii"), await ground("mode-play"));
  await picture(s, "clear");
});
