// Opens the page that needs no server, and keeps it for times without a network.

import { Page } from "./page.js";
import { WorkerHub } from "./workers.js";

const page = new Page(new WorkerHub());
void page.open();

/** Offers the version that has been fetched behind the one that is shown. @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  const { waiting } = registration;
  if (!waiting || !navigator.serviceWorker.controller) return;
  page.app.renew(() => waiting.postMessage("take over"));
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
  let { controller } = navigator.serviceWorker;
  // All tabs change together: no version finds the files of another one. The first worker
  // brings no other version.
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (controller) location.reload();
    ({ controller } = navigator.serviceWorker);
  });
  // The first game must not wait for the files that the service worker fetches.
  const later = () => setTimeout(() => keep().catch(() => {}), 4000);
  // The language is awaited at the top of a module, and the document may be loaded before it.
  if (document.readyState === "complete") later();
  else addEventListener("load", later);
}
