// Opens the page that needs no server, and keeps it for times without a network.

import { Page } from "./page.js";
import { t } from "./strings.js";
import { WorkerHub } from "./workers.js";

const page = new Page(new WorkerHub());
void page.open();

/** Offers the version that has been fetched behind the one that is shown. @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  const { waiting } = registration;
  if (!waiting || !navigator.serviceWorker.controller) return;
  page.app.notify("version", t("newVersion"), { label: t("reload"), run: () => waiting.postMessage("take over") });
}

async function keep() {
  const registration = await navigator.serviceWorker.register(new URL("../sw.js", import.meta.url), { updateViaCache: "none" });
  offer(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => offer(registration));
  });
  // A tab that stays open for days hears of new versions, too.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) registration.update().catch(() => {});
  });
}

// Browsers know service workers only at https and on the machine itself.
if ("serviceWorker" in navigator) {
  const controlled = navigator.serviceWorker.controller !== null;
  // All tabs change together: no version finds the files of another one.
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (controlled) location.reload(); });
  // The first game has the line to itself.
  addEventListener("load", () => setTimeout(() => keep().catch(() => {}), 4000));
}
