// Starts the engine from a page.

/**
 * @param {(said: any) => void} onMessage
 * @param {{ worker?: Worker | string | URL, module?: WebAssembly.Module | string | URL }} [options]
 */
export function start(onMessage, { worker, module = new URL("./totemic.wasm", import.meta.url) } = {}) {
  const engine = !worker ? new Worker(new URL("./totemic.js", import.meta.url))
    : worker instanceof Worker ? worker : new Worker(worker);
  engine.onmessage = ({ data }) => onMessage(data);
  engine.postMessage({ module: module instanceof WebAssembly.Module ? module : new URL(module, location.href).href });
  return { worker: engine, send: (message) => engine.postMessage(message), end: () => engine.terminate() };
}
