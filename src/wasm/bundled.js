// The worker for bundlers, which name its files anew: they find both by this.
import "./totemic.js";

self.totemicModule = new URL("./totemic.wasm", import.meta.url);
