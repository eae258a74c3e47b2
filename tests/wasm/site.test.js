// The board without a server, and the worker in a page, in Chromium:
// `TOTEMIC_SITE=target/site node --test tests/wasm`.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const { join, resolve } = require("node:path");
const { test } = require("node:test");
const { chromium, look, page, serve } = require("./browser.js");

const SITE = resolve(process.env.TOTEMIC_SITE ?? "target/site");
const FILES = fs.readdirSync(SITE).find((name) => name.startsWith("v-"));

/** A page around the board, in which a script does what a player would. */
const around = (script) => page(`<body><script>
  localStorage.setItem("totemic-settings", JSON.stringify({ known: true, motion: false, play: { level: 0, seconds: 0.1 } }));
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: "/site/", width: 1200, height: 700 });
  document.body.append(frame);
  const [$, $$] = [(css) => frame.contentDocument?.querySelector(css), (css) => [...frame.contentDocument.querySelectorAll(css)]];
  const until = async (what, isTrue) => {
    const begun = performance.now();
    while (!isTrue()) {
      if (performance.now() - begun > 120_000) throw new Error(\`never \${what}: \${frame.contentDocument.body.innerText}\`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const press = async (css) => { await until(css, () => $(css)); $(css).click(); };
  const isThere = () => until("a board", () => /\\d/.test($("#lower .points")?.textContent));
  const says = (css, text) => until(text, () => $(css)?.textContent.includes(text));
  const moves = () => $$("#moves button").length;
  (async () => { await isThere(); ${script}; console.log("done"); })();
</script>`);

/** Runs a script around the site; `host` decides what is served. */
async function play(t, script, { find = (path) => join(SITE, path), send } = {}) {
  const browser = await chromium(t);
  if (!browser) return;
  const { address, heard, close } = await serve((path) => path.startsWith("/site/") && find(path.slice(6)), (path, response) => {
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(around(script)), true;
    return send?.(path, response) ?? false;
  });
  assert.strictEqual(await look(browser, address, heard), "done");
  close();
}

for (const hears of ["a bell", "nothing"]) {
  test(`whatever is sent and when, each go has one bestmove in a page whose worker hears ${hears}`, async (t) => {
    const browser = await chromium(t);
    if (!browser) return;
    const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
    const script = `${fs.readFileSync(join(__dirname, "sequences.js"), "utf8")}
      if (crossOriginIsolated !== ${hears === "a bell"}) throw new Error("the page is isolated, or not");
      const worker = new Worker("totemic.js");
      const engine = { send: (line) => worker.postMessage(line) };
      worker.onmessage = ({ data }) => engine.onLine?.(data);
      sequences(engine, 1, ${process.env.TOTEMIC_SEQUENCES ?? 25}).then(() => console.log("done"), (why) => console.log(why.message));`;
    const { address, heard, close } = await serve((path) => join(SITE, path), (path, response) => {
      if (hears === "a bell") for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
      if (path !== "/") return false;
      response.writeHead(200, { "content-type": "text/html" }).end(page(`<script>${script}</script>`));
      return true;
    });
    assert.strictEqual(await look(browser, address, heard), "done");
    close();
  });
}

test("a tab whose version is gone offers the new one, and the game is kept", async (t) => {
  let isNew = false;
  const send = (path, response) => {
    if (path === "/deploy") isNew = true;
    // Without a service worker, as on plain http.
    else if (path !== "/site/sw.js" && !(isNew && path.includes(FILES))) {
      if (!isNew || path !== "/site/") return false;
      const index = fs.readFileSync(join(SITE, "index.html"), "utf8");
      response.writeHead(200, { "content-type": "text/html" }).end(index.replaceAll(FILES, "v-new"));
      return true;
    }
    response.writeHead(path === "/deploy" ? 200 : 404).end();
    return true;
  };
  await play(t, `
    await press("#mode-analyse");
    await until("a field for moves", () => $("form.yours"));
    $("#typed").value = "c3b2i";
    await press("#typed-go");
    await until("a move", () => moves() === 1);
    await fetch("/deploy");
    await press("#mode-learn");
    await says("#notices", "A new version is ready");
    $$("#notices button").find((it) => it.textContent === "Reload").click();
    await until("the new version", () => $('script[src^="v-new"]'));
    await isThere();
    await press("#mode-analyse");
    await until("the game", () => moves() === 1);
  `, { find: (path) => join(SITE, path.replace("v-new", FILES)), send });
});

test("an engine on a slow line is shown as being loaded, and then plays", async (t) => {
  const send = (path, response) => {
    if (path !== `/site/${FILES}/totemic.wasm`) return false;
    const bytes = fs.readFileSync(join(SITE, FILES, "totemic.wasm"));
    response.writeHead(200, { "content-type": "application/wasm", "content-length": bytes.length });
    // Longer than an engine may be silent.
    const part = Math.ceil(bytes.length / 26);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(bytes.subarray(sent, sent += part));
      if (sent < bytes.length) return;
      clearInterval(timer);
      response.end();
    }, 500);
    return true;
  };
  await play(t, `
    await press("#mode-analyse");
    await press("#analysis");
    await says("#status", "Loading the engine: ");
    await until("lines", () => $(".line") || $("#notices").textContent);
    if ($("#notices").textContent) throw new Error($("#notices").textContent);
  `, { send });
});
