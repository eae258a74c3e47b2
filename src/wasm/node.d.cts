// The engine for node.

import type { Worker, WorkerOptions } from "node:worker_threads";
import type { FromTotemic, Totemic } from "./totemic.js" with { "resolution-mode": "import" };

export type * from "./totemic.js" with { "resolution-mode": "import" };

/**
 * Starts an engine on a thread.
 * @param options for the thread, such as `resourceLimits`
 */
export function start(onMessage: (said: FromTotemic) => void, options?: WorkerOptions): Totemic<Worker>;
