// Opens the page of `totemic board`.

import { Page } from "./page.js";
import { SocketHub } from "./socket.js";

void new Page(new SocketHub()).open();
