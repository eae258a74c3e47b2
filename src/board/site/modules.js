// The modules of WebAssembly. The page loads this file before the others, so that the rules are
// on their way while they come.

/** The rules alone are there sooner: they answer all questions but reviews. */
export const [RULES, ENGINE] = ["answers.wasm", "totemic.wasm"];

/** All workers share what is compiled. @type {Map<string, Promise<WebAssembly.Module>>} */
const modules = new Map();

/** @param {string} name @returns {Promise<WebAssembly.Module>} */
export function load(name) {
  const known = modules.get(name);
  if (known) return known;
  const module = compile(name);
  modules.set(name, module);
  module.catch(() => modules.delete(name));
  return module;
}

/** Not every host compresses what it sends: `.ci/site` does. @param {string} name */
async function compile(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok || !response.body) throw new Error(`${name}: status ${response.status}`);
  const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
}

load(RULES).catch(() => {});
