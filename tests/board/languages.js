// Driven from the page around a frame, as no window of a browser is as narrow as a phone.
// `tour(language, [width, height], part)` does a part of what a player does, and resolves to what is wrong.

const FORTY = new Set(("the and with your you move moves piece pieces pawn square squares wins lose game games board white black player " +
  "level clock lesson rules review settings sound copy save load mistake draw height value again next solved this from hint").split(" "));

const until = async (what) => {
  for (let i = 0; i < 400; i++) {
    const found = what();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`never ${what}; ${page().body.innerText}`);
};
const page = () => document.querySelector("iframe").contentDocument;
const $ = (css) => page()?.querySelector(css);
const press = async (css) => (await until(() => $(`${css}:not(:disabled)`))).click();
const type = (css, text) => { $(css).value = text; };

/** What does not fit, and what is in English. */
function faults(language, where) {
  const [found, { clientWidth: width, scrollWidth }] = [[], page().documentElement];
  if (scrollWidth > width) found.push(`${where}: the page is ${scrollWidth} wide`);
  for (const it of page().querySelectorAll("button, label, summary, select, h2, p, li, #status, .player b, .player .points")) {
    const { left, right, width: own } = it.getBoundingClientRect();
    if (own === 0) continue;
    const isCut = it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline";
    if (left < -1 || right > width + 1 || isCut) found.push(`${where}: ${it.id || it.className} does not fit: ${it.textContent}`);
  }
  const told = [...page().querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((it) => [it.title, it.ariaLabel, it.placeholder]);
  const words = [page().body.innerText, ...told].join(" ").toLowerCase().split(/[^\p{L}]+/u);
  const english = words.filter((word) => FORTY.has(word));
  if (language !== "en" && english.length > 0) found.push(`${where}: in English: ${english}`);
  if (page().documentElement.lang !== language) found.push(`${where}: ${page().documentElement.lang}`);
  return found;
}

const PARTS = {
  async game(look) {
    // The first move begins it.
    for (let ply = 0; $("#finale").hidden; ply++) {
      if (ply > 36) throw new Error("the game does not end");
      const move = await until(() => !$("#typed")?.disabled && $("#typed").placeholder.split(/\s/).at(-1) || !$("#finale").hidden);
      if (ply < 2) look(`ply ${ply}`);
      if (move === true) break;
      const before = page().querySelectorAll("#moves button").length;
      type("#typed", move);
      $(".typed").requestSubmit();
      await until(() => page().querySelectorAll("#moves button").length > before);
      await until(() => /\d/.test($("#lower .points").textContent));
    }
    look("the end");
    await press("#finale-close");
    look("after the end");
  },
  async lesson(look) {
    await press("#mode-learn");
    for (const game of ["yoxii", "hokito"]) {
      await press(`#game-${game}`);
      await press("#lesson-5");
      await until(() => $("#lesson-5[aria-current=true]") && !$("#typed").disabled);
      look(`${game}, asked`);
      await press("#task-show");
      await until(() => $("#task-again"));
      look(`${game}, shown`);
    }
    await press("#mode-rules");
    await until(() => $(".rules"));
    look("rules");
  },
  async puzzle(look) {
    await press("#mode-learn");
    await press("#learn-puzzles");
    await until(() => $("#grade") && !$("#typed").disabled);
    look("asked");
    await press("#task-show");
    await until(() => $("#task-again"));
    look("shown");
  },
  async review(look) {
    await press("#mode-review");
    $("#share").open = true;
    type("#paste", "x,b3:14,x,w1:2,x,b1/x5,b2/w1:14,x5/x6/x6/w3:2,w2,x3,w1 b moves f5b1 a1d6");
    await press("#load");
    await press("#review-start");
    await until(() => $("#story"));
    $("#settings").open = true;
    look("told");
    await press("#quiz");
    await until(() => $("#quiz-show"));
    look("asked");
    await press("#quiz-show");
    await until(() => $("#quiz-next.main"));
    look("answered");
  },
};

async function tour(language, [width, height], part) {
  document.querySelector("iframe")?.remove();
  for (const storage of [localStorage, sessionStorage]) for (const key of Object.keys(storage)) if (key !== "totemic-token") storage.removeItem(key);
  localStorage.setItem("totemic-settings", JSON.stringify({ language, known: true, motion: false, words: true, play: { two: true } }));
  const frame = Object.assign(document.createElement("iframe"), { width, height, src: location.href });
  document.body.append(frame);
  await until(() => /\d/.test($("#lower .points")?.textContent));
  const found = [];
  await PARTS[part]((where) => found.push(...faults(language, `${language}, ${width}, ${part}, ${where}`)));
  return found;
}
