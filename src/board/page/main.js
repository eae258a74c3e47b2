// Opens the page.

import { Page } from "./page.js";

void new Page().open();
