// The modules of WebAssembly. The page loads this file before the others, so that the rules are
// on their way while they come.

/** The rules alone load sooner than the engine: they answer all questions but reviews. */
export const [RULES, ENGINE] = ["answers.wasm", "totemic.wasm"];
/** Bytes of the modules, which `.ci/site` fills in. @type {Record<string, number>} */
const SIZES = {/* SIZES */};
/** The wait before a second try to load a module, in milliseconds. */
const WAIT = 1000;

/** The compiled modules, which all workers share. @type {Map<string, Promise<WebAssembly.Module>>} */
const modules = new Map();
/** @type {Map<string, number>} */
export const come = new Map();
export const news = { tell() {} };

/** @param {string} name @returns {Promise<WebAssembly.Module>} */
export function load(name) {
  const known = modules.get(name);
  if (known) return known;
  const module = compile(name).catch(async () => {
    await new Promise((done) => setTimeout(done, WAIT));
    return compile(name);
  });
  modules.set(name, module);
  module.catch(() => modules.delete(name));
  return module;
}

/** Unpacks a module itself: `.ci/site` has packed it, as not every host does. @param {string} name */
async function compile(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok || !response.body) throw new Error(`${name}: status ${response.status}`);
  let bytes = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, next) {
      bytes += chunk.length;
      const percent = Math.floor(100 * bytes / SIZES[name]);
      if (percent !== come.get(name)) {
        come.set(name, percent);
        news.tell();
      }
      next.enqueue(chunk);
    },
  }));
  const unpacked = counted.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
}

/** Whether the host has another version by now, and the files of this one are gone. @returns {Promise<boolean>} */
export async function isGone() {
  const response = await fetch(import.meta.url, { cache: "no-store" }).catch(() => null);
  if (!response) return false;
  // Some hosts send a page in place of a file that they do not have.
  return [404, 410].includes(response.status) || response.ok && !response.headers.get("content-type")?.includes("javascript");
}

load(RULES).catch(() => {});
