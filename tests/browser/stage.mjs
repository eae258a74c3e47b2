// What the tests of the page share: boards, a browser, and what a player does on the page.
//
// They want chromium, and two packages in target/page-tools, or in the folder that TOTEMIC_PAGE_TOOLS names:
//   npm install --no-save --prefix target/page-tools playwright-core@1.65.1 axe-core@4.14.1
// Then, with `.ci/site target/site` done before for the tests of the board without a server:
//   TOTEMIC=target/release/totemic TOTEMIC_SITE=target/site node --test --test-reporter=spec --test-concurrency=2 tests/browser/*.test.mjs

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, normalize, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Nothing takes this long unless it is broken, in milliseconds. */
export const PATIENCE = 20_000;
/** Longer than any test takes, in milliseconds. */
const LONGEST = 120_000;

export const DESKTOP = { width: 1280, height: 1000 };
export const LAPTOP = { width: 1366, height: 650 };
export const PHONE = { width: 500, height: 900 };
export const MODES = ["Play", "Learn", "Analyse", "Set up", "Review", "Watch", "Rules"];

/** The lowest level answers fast. */
export const LOWEST = { level: 0, seconds: 0.1 };
const SETTINGS = { known: true, motion: false, play: LOWEST };
const TO_MOVE = /: where does the totem go\?|Your move|(White|Red|Black) to move|^Game over/;

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const TYPES = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/** @param {string} path @returns {Promise<string>} */
export function text(path) {
  return readFile(join(ROOT, path), "utf8");
}

/** @param {string} name of a package that is installed beside the page's other tools @returns {any} undefined where it is not */
export function tool(name) {
  try {
    return createRequire(join(resolve(process.env.TOTEMIC_PAGE_TOOLS ?? join(ROOT, "target/page-tools")), "from-here.js"))(name);
  } catch {
    return undefined;
  }
}

/** @returns {string} the path of a browser; empty if there is none */
function findBrowser() {
  return spawnSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], { encoding: "utf8" }).stdout.trim();
}

const [program, site, playwright, executablePath] = [process.env.TOTEMIC, process.env.TOTEMIC_SITE, tool("playwright-core"), findBrowser()];
const missing = !program ? "TOTEMIC names no program" : !playwright ? "playwright-core is not installed" : !executablePath ? "there is no chromium" : "";
if (missing) console.log(`skipped: ${missing}`);
else if (!site) console.log("skipped for static files: TOTEMIC_SITE names no folder");

/** @type {(() => unknown)[]} */
const ends = [];
/** The browser that the tests of a file share, and their boards. @type {Promise<any> | undefined} */
let browser;
const shared = {};

after(async () => {
  for (const end of ends) end();
  await (await browser)?.close();
});

/** @param {string[]} [args] @param {string} [port] */
export async function startBoard(args = [], port = "0") {
  const child = spawn(program, ["board", "--no-open", "--port", port, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const stop = () => child.kill("SIGKILL");
  ends.push(stop);
  const [url] = await once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(PATIENCE) });
  return { url, stop, id: child.pid };
}

/** Serves the board that `.ci/site` has made, under a path of its own. */
async function startSite() {
  const folder = resolve(site);
  const server = createServer(async ({ url }, response) => {
    const path = join(dirname(folder), normalize(new URL(url, "http://127.0.0.1").pathname.replace(/\/$/, "/index.html")));
    const bytes = await readFile(path).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(bytes);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = () => { server.close(); server.closeAllConnections(); };
  ends.push(stop);
  return { url: `http://127.0.0.1:${server.address().port}/${basename(folder)}/`, stop };
}

const HOSTS = { server: startBoard, site: startSite };

/**
 * @typedef {object} Wanted
 * @property {object} [settings] of the page, beside those that make it quick
 * @property {{ width: number, height: number }} [size]
 * @property {boolean} [touch] whether there is a touch screen
 * @property {boolean} [own] whether the test wants a board for itself
 * @property {string[]} [args] of that board
 */

/** @param {"server" | "site"} host @param {string} name @param {[Wanted, (s: Stage) => Promise<void>] | [(s: Stage) => Promise<void>]} rest */
function run(host, name, ...rest) {
  const play = /** @type {(s: Stage) => Promise<void>} */ (rest.pop());
  const wanted = /** @type {Wanted} */ (rest.pop() ?? {});
  const skip = missing || host === "site" && !site && "TOTEMIC_SITE names no folder";
  const tried = async () => {
    const isOwn = wanted.own || wanted.args;
    const board = await (isOwn ? HOSTS[host](wanted.args) : shared[host] ??= HOSTS[host]());
    const stage = await Stage.open(board, wanted);
    try {
      await stage.visit(board.url);
      await play(stage);
    } catch (why) {
      const told = new Error(`${why.message}\n\nThe page shows:\n${await stage.page.innerText("body").catch(String)}`);
      told.stack = why.stack.replace(why.message, () => told.message);
      throw told;
    } finally {
      await Promise.all(stage.contexts.map((context) => context.close()));
      if (isOwn) board.stop();
    }
  };
  test(host === "site" ? `${name} (without a server)` : name, { skip, timeout: 2 * LONGEST }, () => tried().catch((why) => {
    // A machine that does much else at the same time may cost a browser its breath once.
    console.log(`tried again: ${name}: ${why.stack}`);
    return tried();
  }));
}

/** A test of `totemic board`; what is wanted may stand before the function. */
export const served = run.bind(null, "server");
export const sited = run.bind(null, "site");
export function both(/** @type {any[]} */ ...test) {
  served(...test);
  sited(...test);
}

/** Repeats a check until it holds; fails as it does when it never does. @template T @param {() => Promise<T>} check @returns {Promise<T>} */
export async function eventually(check) {
  for (const end = Date.now() + PATIENCE; ;) {
    try {
      return await check();
    } catch (why) {
      if (Date.now() > end) throw why;
    }
    await wait(25);
  }
}

/** Leaves pictures of what is shown, in both themes, where they can be looked at. @param {Stage} s @param {string} name */
export async function picture({ page }, name) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(ROOT, `target/screens/${name}-${colorScheme}.png`) });
  }
}

export class Stage {
  /** Shows a board to somebody whose browser keeps nothing but settings. @param {any} board @param {Wanted} wanted @returns {Promise<Stage>} */
  static async open(board, { settings = {}, size = DESKTOP, touch = false }) {
    browser ??= playwright.chromium.launch({ executablePath, args: FLAGS });
    const context = await (await browser).newContext({ viewport: size, hasTouch: touch, locale: "en", permissions: ["clipboard-read", "clipboard-write"] });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript((kept) => { localStorage["totemic-settings"] ??= kept; }, JSON.stringify({ ...SETTINGS, ...settings }));
    return new Stage(await context.newPage(), board, [context]);
  }

  /** @param {any} page @param {any} board @param {any[]} contexts all that are to be closed */
  constructor(page, board, contexts) {
    Object.assign(this, { page, board, contexts });
    this.status = page.locator("#status");
    [this.below, this.above] = [page.locator("#lower"), page.locator("#upper")];
    this.steps = page.locator("#steps");
    this.result = page.locator("#finale");
    this.moves = page.locator("#moves").getByRole("button");
    this.current = this.moves.and(page.locator("[aria-current=true]"));
    this.squares = page.getByRole("button", { name: /^[a-g][1-7], / });
    this.possible = page.getByRole("button", { name: /, possible(?!.*chosen)/ });
    this.notices = page.locator(".notice");
    this.lines = page.locator(".line");
    this.arrows = page.locator(".arrows > g");
    this.typed = page.locator("#typed");
  }

  /** The address of the page without what opens it. */
  get address() {
    return this.board.url.split("?")[0];
  }

  /** Goes to an address, and waits until the page knows its position. @param {string} url */
  async visit(url) {
    await this.page.goto(url);
    await this.ready();
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  ready() {
    return this.below.getByText(/^\d+\s/).waitFor();
  }

  /** @param {object} settings */
  async set(settings) {
    const kept = JSON.stringify({ ...SETTINGS, ...settings });
    await this.page.evaluate((kept) => localStorage.setItem("totemic-settings", kept), kept);
    await this.reload();
  }

  /** @param {string} [url] */
  async tab(url = this.board.url) {
    const tab = new Stage(await this.page.context().newPage(), this.board, this.contexts);
    await tab.visit(url);
    return tab;
  }

  /** Somebody else, who has this board open, too. @param {Wanted} [wanted] */
  async another(wanted = {}) {
    const other = await Stage.open(this.board, wanted);
    this.contexts.push(...other.contexts);
    await other.visit(this.board.url);
    return other;
  }

  button(name) { return this.page.getByRole("button", { name, exact: true }); }

  press(name) { return this.button(name).click(); }

  modeButton(name) { return this.page.getByRole("navigation").getByRole("button", { name, exact: true }); }

  mode(name) { return this.modeButton(name).click(); }

  game(name) { return this.page.getByRole("banner").getByRole("button", { name }).click(); }

  unfold(name) { return this.page.locator("summary", { hasText: name }).click(); }

  square(at) { return this.page.getByRole("button", { name: new RegExp(`^${at}, `) }); }

  /** Clicks squares. @param {string} squares such as `c5b6`; what follows is not needed */
  async click(squares) {
    for (const at of squares.match(/[a-g][1-7]/g) ?? []) await this.square(at).click();
  }

  /** @param {string} at @param {string} what */
  async stands(at, what) {
    await this.page.getByRole("button", { name: `${at}, ${what}` }).waitFor();
  }

  async type(move) {
    await this.typed.fill(move);
    await this.typed.press("Enter");
  }

  /** The example of a legal move that the page gives. @returns {Promise<string>} */
  async legal() {
    return eventually(async () => {
      const move = (await this.typed.getAttribute("placeholder")).split(" ").at(-1);
      assert.match(move, /^[a-g]\d[a-g]\d/);
      return move;
    });
  }

  /** @param {string | RegExp} part */
  async says(part) {
    await this.status.filter({ hasText: part }).waitFor();
  }

  notice(part) { return this.notices.filter({ hasText: part }); }

  /** @param {string | RegExp} part */
  async shows(part) {
    await this.page.getByText(part).first().waitFor();
  }

  /** Waits until so many moves are listed, or as many as a function wants. */
  async listed(wanted) {
    return eventually(async () => {
      const count = await this.moves.count();
      assert.ok(typeof wanted === "number" ? count === wanted : wanted(count), `moves in the list: ${count}, not ${wanted}`);
      return count;
    });
  }

  /** As `listed`, and that a person is to move, or the game is over. */
  async yourTurn(wanted = () => true) {
    await this.listed(wanted);
    await this.says(TO_MOVE);
  }

  /** Begins a game with the settings, by default against the lowest level. @param {"Yoxii" | "Hokito"} [game] */
  async begin(game = "Yoxii") {
    await this.game(game);
    await this.start();
    await this.yourTurn();
  }

  /** Presses the button of the form for a new game, also where that is folded away. */
  async start() {
    const form = this.page.locator("details:not([open]) > summary", { hasText: "New game" });
    if (await form.count()) await form.click();
    await this.button("Start").last().click();
  }

  async moveAndAnswer() {
    const before = await this.moves.count();
    await this.possible.first().waitFor();
    const squares = await this.possible.evaluateAll((all) => all.map((it) => it.getAttribute("aria-label").slice(0, 2)));
    // At the edge the totem would soon be shut in.
    const far = ([file, rank]) => Math.hypot(file.charCodeAt(0) - "d".charCodeAt(0), rank - 4);
    await this.click(squares.sort((a, b) => far(a) - far(b))[0]);
    await this.possible.first().click();
    await this.yourTurn((count) => count > before);
  }

  async isOver() { return /^Game over/.test(await this.status.textContent()); }

  async resign() {
    await this.press("Resign");
    await this.press("Really resign?");
  }

  async analyse() {
    await this.mode("Analyse");
    await this.press("Start analysis");
  }

  /** @param {string} text */
  async paste(text) {
    const box = this.page.getByLabel("Paste a position or a game here");
    if (!await box.isVisible()) await this.unfold("Share and files");
    await box.fill(text);
    await this.press("Load");
  }

  async paste28Moves() {
    const [game] = (await text("tests/data/games.tsv")).split("\n");
    await this.paste(game.split("\t")[2].split(" ").slice(0, -1).join(" "));
    await this.listed(28);
  }

  /** @param {string} name @returns {Promise<string>} */
  async saved(name) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.press(name)]);
    return readFile(await download.path(), "utf8");
  }
}
