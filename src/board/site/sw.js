// Keeps the page for times without a network. `.ci/site` fills in the version and, for
// each file, the SHA-256 that it must have: a cache holds files of one version only.

const CACHE = "totemic-VERSION";
/** @type {Record<string, string>} */
const FILES = {/* FILES */};

/** The headers that shared memory needs, as not every host sends them. */
const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

const root = new URL("./", location.href);
const worker = /** @type {any} */ (self);

/** @param {string} path @param {Cache} cache */
async function fetched(path, cache) {
  const response = await fetch(new URL(path, root), { cache: "no-cache" });
  const bytes = await response.clone().arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== FILES[path]) throw new Error(`${path} is of another version`);
  await cache.put(new URL(path, root), response);
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.keys(FILES).map((path) => fetched(path, cache)));
}

/** Serves also the page that was open before the worker, and drops the caches of other versions. */
async function begin() {
  await worker.clients.claim();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("totemic-") && name !== CACHE).map((name) => caches.delete(name)));
}

/** Fills the cache again after the player or the browser has emptied it. @type {Promise<void> | null} */
let filling = null;

/** @param {any} event @param {string} path */
async function answer(event, path) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(new URL(path, root));
  // The host may have another version by now, which will bring a worker of its own.
  if (!kept) event.waitUntil(filling ??= install().catch(() => {}).finally(() => { filling = null; }));
  const response = kept ?? await fetch(event.request);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener("message", (/** @type {any} */ event) => { if (event.data === "take over") worker.skipWaiting(); });
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(root.href)) return;
  const path = url.pathname.slice(root.pathname.length) || "index.html";
  if (path in FILES) event.respondWith(answer(event, path));
});
