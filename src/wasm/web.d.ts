// The engine for pages.

import type { FromTotemic, Totemic } from "./totemic.js";

export type * from "./totemic.js";

/**
 * Starts an engine in a page.
 * @param options `worker` is a worker of `totemic.js`, or its address; `module` is the compiled
 * module, or the address of `totemic.wasm`. Both files are looked for beside `web.js`.
 */
export function start(
  onMessage: (said: FromTotemic) => void,
  options?: { worker?: Worker | string | URL; module?: WebAssembly.Module | string | URL },
): Totemic<Worker>;
