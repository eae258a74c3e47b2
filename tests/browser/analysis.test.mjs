// The analysis, the engines behind it, and the list of moves.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { LAPTOP, PATIENCE, both, eventually, served, text } from "./stage.mjs";

/** @param {number} board */
function enginesOf(board) {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n").map((row) => row.trim().split(/\s+/));
  return rows.filter(([, parent, ...line]) => Number(parent) === board && line.includes("ugi")).map(([id]) => Number(id));
}

served("an analysis outlives a reload and an engine that is killed", { own: true }, async (s) => {
  await s.mode("Analyse");
  await s.click("c5b6");
  await s.press("Start analysis");
  await eventually(async () => assert.equal(await s.lines.count(), 3));
  await eventually(async () => assert.equal(await s.arrows.count(), 3));
  await s.lines.first().getByRole("button").nth(1).click();
  await s.listed(3);
  // The game is there again after a reload, and the analysis begins anew.
  await s.reload();
  await s.listed(3);
  await s.press("Start analysis");
  await s.lines.first().waitFor();
  const engines = enginesOf(s.board.id);
  assert.ok(engines.length > 0, "no engine runs");
  for (const id of engines) process.kill(id, "SIGKILL");
  await s.notice("has stopped").waitFor();
  await s.press("Restart it");
  await s.press("Back");
  await s.lines.first().waitFor();
});

/** An engine that answers `ugi`, `go` and perhaps more in these ways. @param {string} name @param {string} ugi @param {string} go */
function scripted(name, ugi, go) {
  const script = `while read -r line; do case "$line" in ugi) ${ugi}; echo ugiok;; isready) echo readyok;; go*) ${go};; esac; done`;
  return ["--engine", `cmd=sh -c '${script}'`, `name=${name}`];
}

const FAULTY = [...scripted("nonsense", ":", "echo bestmove zz99"), ...scripted("hangs", ":", "sleep 1000")];
served("engines that talk nonsense or hang are told of, and begun anew", { args: FAULTY }, async (s) => {
  await s.mode("Analyse");
  for (const [name, told] of [["nonsense", "answered zz99"], ["hangs", "The engine hangs is not responding"]]) {
    await s.page.getByLabel("Engine", { exact: true }).selectOption(name);
    await s.press("Start analysis");
    await s.notice(told).waitFor();
    await s.notice(told).getByRole("button", { name: "Restart it" }).click();
    // Begun anew, it says the same at once.
    if (name === "nonsense") await s.notice(told).waitFor();
    await s.press("Stop analysis");
    await s.button("Start analysis").waitFor();
  }
  // The page goes on.
  await s.click("c5b6");
  await s.listed(1);
});

const SAID = ["1 multipv 1 score cp 30 pv c5b6y", "1 multipv 2 score cp 20 pv c4b5x", "1 multipv 3 score cp 10 pv d5e5y", "2 multipv 1 score cp 90 pv c4b5x"];
const SILENT = scripted("silent", "echo option name MultiPV type spin default 1 min 1 max 99", `${SAID.map((line) => `echo info depth ${line}`).join("; ")};; stop) echo bestmove c4b5x`);
served("what an engine says last is shown, though it says no more, and played by clicks", { args: SILENT }, async (s) => {
  await s.analyse();
  await s.shows("depth 2");
  assert.deepEqual(await s.lines.getByRole("button").allTextContents(), ["c4b5x", "c5b6y", "d5e5y"]);
  // Whoever follows a line by clicks plays what it says.
  await s.click("c5b6");
  await s.current.getByText("c5b6y", { exact: true }).waitFor();
});

both("lines of analysis are in order", async (s) => {
  await s.analyse();
  for (let move = 0; move < 3; move++) {
    await s.click((await s.legal()).slice(0, 4));
    await s.listed(move + 1);
    // Each look at the lines, for two seconds or until they have changed.
    const looks = await s.page.evaluate((patience) => new Promise((resolve) => {
      const [looks, begin] = [[], performance.now()];
      const watch = new MutationObserver(() => looks.push([...document.querySelectorAll(".line .value")].map(({ textContent }) => parseInt(textContent))));
      watch.observe(document.querySelector("#lines-live"), { childList: true, characterData: true, subtree: true });
      const timer = setInterval(() => {
        const [told, time] = [looks.filter((values) => values.length > 1), performance.now() - begin];
        if (time < 2000 || told.length < 2 && time < patience) return;
        clearInterval(timer);
        watch.disconnect();
        resolve(told);
      }, 50);
    }), PATIENCE);
    assert.ok(looks.length > 1, `${looks.length} looks`);
    for (const values of looks) assert.deepEqual(values, values.toSorted((a, b) => b - a));
    // The words and the number speak of one side.
    const verdict = await s.page.locator("#verdict-live").textContent();
    const [, better, side, chances] = /^(?:About even\.|(White|Red) .*?\.) (White|Red)'s winning chances: (\d+)%/.exec(verdict) ?? assert.fail(verdict);
    assert.ok((better ?? side) === side && Number(chances) >= 50, verdict);
  }
});

/** @param {string} protocol @param {string} section */
function words(protocol, section) {
  const heads = protocol.split(`\n## ${section}\n`)[1].split("\n## ")[0].split("\n").filter((line) => line.startsWith("| `")).map((line) => line.split("|")[1]);
  return new Set(heads.flatMap((head) => [...head.matchAll(/`([^\s`]+)[^`]*`/g)].map(([, word]) => word)));
}

const LOG = join(tmpdir(), `totemic-${process.pid}.log`);
served("the page speaks the protocol", { args: ["--engine", "cmd=self", "name=watched", `option.LogFile=${LOG}`] }, async (s) => {
  await s.begin();
  await s.moveAndAnswer();
  await s.press("Hint");
  await s.arrows.first().waitFor();
  await s.analyse();
  await s.lines.first().waitFor();
  await s.press("Stop analysis");
  // An engine that is ended at once may never read that it is to stop.
  await eventually(async () => assert.ok((await readFile(LOG, "utf8")).includes(" > stop\n"), "no engine reads a stop"));
  await s.game("Hokito");
  await s.press("Start analysis");
  await s.lines.first().waitFor();
  const [protocol, log] = [await text("protocol.md"), await readFile(LOG, "utf8")];
  await rm(LOG);
  const [commands, options, limits] = ["Commands", "Options", "Go"].map((section) => words(protocol, section));
  // The log has a note of its own on an engine that has ended.
  const lines = log.split("\n").flatMap((line) => line.split(" > ")[1] ?? []).filter((line) => line !== "(end of input)");
  for (const line of lines) {
    const [command, ...rest] = line.split(" ");
    assert.ok(commands.has(command), line);
    if (command === "setoption") assert.ok(/^name \S+ value \S+$/.test(rest.join(" ")) && options.has(rest[1]), line);
    else if (command === "go") assert.ok(rest.every((word) => limits.has(word) || /^\d+$/.test(word)), line);
    else if (command === "position") assert.match(line, /^position fen \S+ [wrb]( moves( \S+)+)?$/);
    else assert.match(line, /^(ugi|isready|stop)$/);
  }
  for (const command of ["go", "stop"]) assert.ok(lines.some((line) => line.split(" ")[0] === command), `no ${command}`);
  assert.ok(!log.includes("info string error"), log);
});

both("the list of moves follows, and arrow keys step", { size: LAPTOP }, async (s) => {
  await s.paste28Moves();
  const isInView = () => s.current.evaluate((move) => {
    const [list, { left, top, bottom }] = [move.parentElement.getBoundingClientRect(), move.getBoundingClientRect()];
    return top >= list.top - 1 && bottom <= list.bottom + 1 && document.elementFromPoint(left + 4, (top + bottom) / 2) === move;
  });
  // There are two columns, and each move stands beside the number of its pair.
  const lefts = await s.moves.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().left));
  assert.ok(lefts[0] < lefts[1] && lefts.every((left, i) => left === lefts[i % 2]), `${lefts}`);
  assert.match(await s.page.getByRole("group", { name: "Moves", exact: true }).innerText(), /^4\.$/m);
  await s.reload();
  // The lead is drawn at every move, though nobody has been there since.
  await s.press("Show the lead in points");
  await eventually(async () => assert.equal((await s.page.locator(".lead").getAttribute("d")).split("L").length, 29));
  await s.press("Start analysis");
  await s.lines.first().waitFor();
  // Stepping leaves the list as it is, but for the mark.
  const first = await s.moves.first().elementHandle();
  const isAt = (ply) => s.moves.nth(ply - 1).and(s.page.locator("[aria-current=true]")).waitFor();
  for (let ply = 27; ply > 0; ply--) {
    await s.page.keyboard.press("ArrowLeft");
    await isAt(ply);
    assert.equal(await isInView(), true, `move ${ply}`);
  }
  await s.page.keyboard.press("End");
  await isAt(28);
  assert.equal(await isInView(), true);
  assert.equal(await first.evaluate((it) => it.isConnected), true);
  // What is pressed far below stays under the mouse.
  const colours = s.button("Colour moves by value");
  const top = () => colours.evaluate((it) => Math.round(it.getBoundingClientRect().top));
  await colours.evaluate((it) => it.scrollIntoView({ block: "center" }));
  const before = await top();
  await colours.click();
  await colours.and(s.page.locator("[aria-pressed=true]")).waitFor();
  assert.equal(await top(), before);
});
