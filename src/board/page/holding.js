// A button that is held goes on, by mouse and by finger; a key that is held repeats itself.

/** How long it is held until it goes on, and how fast it does, in milliseconds. */
const [PAUSE, BETWEEN] = [400, 110];

/** @param {HTMLElement} place of buttons that may be drawn anew meanwhile @param {Record<string, () => void>} acts by the ids of those that repeat */
export function holding(place, acts) {
  let [timer, hasRepeated] = [0, false];
  const idOf = (/** @type {Event} */ { target }) => target instanceof Element ? target.closest("button")?.id ?? "" : "";
  place.addEventListener("pointerdown", (event) => {
    const id = idOf(event);
    hasRepeated = false;
    const repeat = () => {
      hasRepeated = true;
      acts[id]();
      timer = setTimeout(repeat, BETWEEN);
    };
    if (id in acts && event.button === 0) timer = setTimeout(repeat, PAUSE);
  });
  for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => clearTimeout(timer));
  // What was held has done all that it was to do.
  place.addEventListener("click", (event) => { if (hasRepeated && idOf(event) in acts) event.stopPropagation(); hasRepeated = false; }, true);
  // A finger that rests asks for no menu.
  place.addEventListener("contextmenu", (event) => { if (hasRepeated || idOf(event) in acts) event.preventDefault(); });
}
