// The recipes of `src/wasm/README.md`: each project is made as somebody would who reads it, and
// must print a move. Those for pages want npm and Chromium, and are skipped without them.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { tmpdir } = require("node:os");
const { join, resolve } = require("node:path");
const { after, test } = require("node:test");
const { chromium, has, look, page, run, serve } = require("./browser.js");

const PACKAGE = resolve(process.env.TOTEMIC_PACKAGE ?? "target/site/npm");
const README = fs.readFileSync(join(__dirname, "../../src/wasm/README.md"), "utf8");

const root = fs.mkdtempSync(join(tmpdir(), "totemic-recipes-"));
after(() => fs.rmSync(root, { recursive: true, force: true }));

/** The code of a recipe. */
function recipe(name, language) {
  const [, section] = README.split(`\n### ${name}\n`);
  return section.split(`\n\`\`\`${language}\n`)[1].split("\n```")[0];
}

/** A folder with the package, as npm installs it, and tools. Returns null where npm cannot. */
async function project(name, ...tools) {
  const folder = join(root, name);
  fs.mkdirSync(folder);
  fs.writeFileSync(join(folder, "package.json"), "{}");
  // A packed one, as a link would lead to files outside of the project.
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, PACKAGE]);
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=20000"];
  return run("npm", ["install", ...options, join(folder, stdout.trim()), ...tools], { cwd: folder })
    .then(() => folder, () => null);
}

/** What a recipe for pages needs; without it the test is skipped. */
async function tools(t) {
  if (await has("npm", "--version")) return chromium(t);
  t.skip("there is no npm");
  return null;
}

/** The page of a folder prints a move. */
async function printsMove(browser, folder) {
  const { address, heard, close } = await serve((path) => join(folder, path));
  assert.match(await look(browser, address, heard), /^bestmove [a-g]\d/);
  close();
}

test("plain HTML", async (t) => {
  const browser = await chromium(t);
  if (!browser) return;
  const folder = join(root, "plain");
  fs.mkdirSync(folder);
  for (const file of ["web.js", "totemic.js", "totemic.wasm"]) fs.copyFileSync(join(PACKAGE, file), join(folder, file));
  fs.writeFileSync(join(folder, "index.html"), page(recipe("Plain HTML", "html")));
  await printsMove(browser, folder);
});

test("Vite", async (t) => {
  const browser = await tools(t);
  if (!browser) return;
  const folder = await project("vite", "vite@7");
  if (!folder) return t.skip("npm cannot install vite");
  fs.writeFileSync(join(folder, "main.js"), recipe("Vite", "js"));
  fs.writeFileSync(join(folder, "index.html"), page('<script type="module" src="/main.js"></script>'));
  const vite = join(folder, "node_modules/.bin/vite");
  await run(vite, ["build"], { cwd: folder });
  await printsMove(browser, join(folder, "dist"));
  // Its own server, while somebody works on the page.
  const { address, heard, close } = await serve(() => null);
  fs.writeFileSync(join(folder, "vite.config.js"), `export default { server: { proxy: { "/said": ${JSON.stringify(address)} } } }`);
  const options = { cwd: folder, stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, NO_COLOR: "1" } };
  const server = spawn(process.execPath, [vite, "--port", "0", "--host", "127.0.0.1"], options);
  const own = await new Promise((done) => {
    let text = "";
    server.stdout.on("data", (part) => {
      text += part;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text) ?? [];
      if (found) done(found);
    });
  });
  try {
    assert.match(await look(browser, own, heard), /^bestmove [a-g]\d/);
  } finally {
    server.kill("SIGKILL");
    close();
  }
});

test("webpack", async (t) => {
  const browser = await tools(t);
  if (!browser) return;
  const folder = await project("webpack", "webpack@5", "webpack-cli@6");
  if (!folder) return t.skip("npm cannot install webpack");
  for (const script of [recipe("webpack", "js"), recipe("Vite", "js")]) {
    fs.writeFileSync(join(folder, "main.js"), script);
    await run(join(folder, "node_modules/.bin/webpack"), ["./main.js", "--mode=production", "--output-path=site"], { cwd: folder });
    fs.writeFileSync(join(folder, "site/index.html"), page('<script src="main.js"></script>'));
    await printsMove(browser, join(folder, "site"));
  }
});

test("esbuild", async (t) => {
  const browser = await tools(t);
  if (!browser) return;
  const folder = await project("esbuild", "esbuild@0.25");
  if (!folder) return t.skip("npm cannot install esbuild");
  fs.writeFileSync(join(folder, "main.js"), recipe("webpack", "js"));
  const env = { ...process.env, PATH: `${join(folder, "node_modules/.bin")}:${process.env.PATH}` };
  await run("sh", ["-e", "-c", recipe("esbuild", "sh")], { cwd: folder, env });
  fs.writeFileSync(join(folder, "site/index.html"), page('<script type="module" src="main.js"></script>'));
  await printsMove(browser, join(folder, "site"));
});

test("node", async (t) => {
  if (!await has("npm", "--version")) return t.skip("there is no npm");
  const folder = await project("node");
  const script = recipe("node", "js");
  fs.writeFileSync(join(folder, "required.cjs"), script);
  fs.writeFileSync(join(folder, "imported.mjs"), script.replace(/^.*require.*$/m, 'import { start } from "totemic";'));
  for (const file of ["required.cjs", "imported.mjs"]) {
    // The arguments are the host's, not the engine's.
    const { stdout } = await run(process.execPath, [file, "an argument"], { cwd: folder });
    assert.match(stdout, /^bestmove [a-g]\d/);
  }
});
