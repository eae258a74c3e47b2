// Chromium without a driver: a page tells the test's own server what it finds.
"use strict";

const { execFile, spawn } = require("node:child_process");
const fs = require("node:fs");
const { createServer } = require("node:http");
const { tmpdir } = require("node:os");
const { extname, join } = require("node:path");
const { promisify } = require("node:util");

const run = promisify(execFile);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
/** Nothing takes this long unless it is broken, in milliseconds. */
const PATIENCE = 400_000;

/** Whether a program runs. */
function has(program, ...options) {
  return run(program, options).then(() => true, () => false);
}

/** The browser; without one the test is skipped. */
async function chromium(t) {
  for (const browser of ["chromium", "chromium-browser", "google-chrome"]) {
    if (await has(browser, "--version")) return browser;
  }
  t.skip("there is no Chromium");
  return null;
}

/** A page that tells the server what it prints first, also errors. */
const page = (content) => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script>
  console.log = (said) => void fetch("/said", { method: "POST", body: said });
  addEventListener("error", ({ message }) => console.log(message));
  addEventListener("unhandledrejection", ({ reason }) => console.log(String(reason.stack ?? reason)));
</script>
${content}`;

/**
 * Serves files under `find`, a function from a path to a file, and the text that a page
 * prints first. `send` may answer in another way: it returns whether it did.
 */
async function serve(find, send = () => false) {
  let told;
  const heard = new Promise((done) => { told = done; });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/said") {
      told((await request.setEncoding("utf8").toArray()).join(""));
      return response.end();
    }
    if (send(pathname, response)) return;
    const found = find(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (!found || !fs.existsSync(found)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(found)] ?? "text/plain" });
    response.end(fs.readFileSync(found));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${server.address().port}/`, heard, close: () => server.close() };
}

/** Opens an address until the page, or whatever else `heard` waits for, has said something. */
async function look(browser, address, heard) {
  const profile = fs.mkdtempSync(join(tmpdir(), "totemic-profile-"));
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--lang=en", "--window-size=1280,800", `--user-data-dir=${profile}`];
  // In a group of its own, as it has children that write to its profile.
  const child = spawn(browser, [...options, address], { stdio: "ignore", detached: true });
  let timer = null;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error(`${address}: nothing was said`)), PATIENCE); });
  try {
    return await Promise.race([heard, late]);
  } finally {
    clearTimeout(timer);
    process.kill(-child.pid, "SIGKILL");
    await new Promise((done) => child.once("exit", done));
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  }
}

module.exports = { chromium, has, look, page, run, serve };
