// What the page says, in the player's language.

import { loadSettings, saveSettings } from "./store.js";

/** The languages as their speakers call them; each has a file in `lang`. */
export const LANGUAGES = {
  cs: "Čeština",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
};

/** What is filled into the places of a sentence. @typedef {Record<string, string | number | boolean | null | undefined>} Values */
/**
 * A sentence, or its forms: `named` where `who` is a person's name and no side, else the plural form of the
 * number at the place `n`, or at the one that `by` names.
 * @typedef {string | Record<string, string>} Sentence
 */

export let language = "en";
/** @type {Record<string, Sentence>} */
let sentences = {};
/** Making a format is slow, and each sentence may want one. @type {Map<string, any>} */
const formats = new Map();

/** Our language for the first tag that has one: `pt-BR` finds `pt`. @param {readonly (string | null | undefined)[]} tags @param {string} [none] */
export function nearest(tags, none = "en") {
  for (const tag of tags) {
    for (let parts = tag?.split(/[-_]/) ?? []; parts.length > 0; parts = parts.slice(0, -1)) {
      const found = Object.keys(LANGUAGES).find((ours) => ours.toLowerCase() === parts.join("-").toLowerCase());
      if (found) return found;
    }
  }
  return none;
}

/** @param {string} wanted one of ours @returns {Promise<void>} rejected if its file cannot be loaded */
export async function speak(wanted) {
  ({ default: sentences } = await import(`./lang/${wanted}.js`));
  language = wanted;
  formats.clear();
  if (!globalThis.document) return;
  document.documentElement.lang = language;
  document.querySelector("link[rel=manifest]")?.setAttribute("href", `manifest-${language}.webmanifest`);
}

/** The language that the address asks for, which is then remembered. */
function asked() {
  const address = new URL(globalThis.location?.href ?? "file:///");
  const wanted = address.searchParams.get("lang");
  if (wanted === null) return null;
  address.searchParams.delete("lang");
  history.replaceState(null, "", address);
  const found = nearest([wanted], "");
  if (found) saveSettings({ ...loadSettings(), language: found });
  return found;
}

// Modules that use sentences begin once the file of the language has been loaded.
await speak(nearest([asked(), loadSettings().language, ...globalThis.navigator?.languages ?? []])).catch(() => speak("en"));

/** @template T @param {string} key @param {() => T} make @returns {T} the format of this language */
function format(key, make) {
  if (!formats.has(key)) formats.set(key, make());
  return formats.get(key);
}

/** @param {string} key @param {Values} [values] for its places: `{move}` is that of `move` @returns {string} */
export function t(key, values = {}) {
  const found = sentences[key] ?? key;
  const sentence = typeof found === "string" ? found : formOf(found, values);
  return sentence.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** @param {Record<string, string>} forms @param {Values} values */
function formOf(forms, values) {
  if (values.named && forms.named) return forms.named;
  const plural = format("plural", () => new Intl.PluralRules(language)).select(Number(values[forms.by ?? "n"]));
  return forms[plural] ?? forms.other;
}

/** @param {Player} player */
export function playerName(player) {
  if (typeof player === "string") return player;
  return t(player.level === 20 ? "atFull" : "atLevel", player);
}

/** @param {number} n */
export function pointsOf(n) {
  return t("worth", { n });
}

/** @param {string[]} items @returns {string} all of them */
export function list(items) {
  return format("list", () => new Intl.ListFormat(language)).format(items);
}

/** @param {number} time in milliseconds */
export function dateText(time) {
  return format("date", () => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })).format(time);
}

export function todayText() {
  return format("day", () => new Intl.DateTimeFormat(language, { day: "numeric", month: "long" })).format();
}

/** @param {number} value @param {0 | 1} [least] decimals */
export function number(value, least = 0) {
  const options = { minimumFractionDigits: least, maximumFractionDigits: 1 };
  return format(`number ${least}`, () => new Intl.NumberFormat(language, options)).format(value);
}

/** @param {number} value */
export function decimal(value) {
  const options = /** @type {const} */ ({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" });
  return format("decimal", () => new Intl.NumberFormat(language, options)).format(value).replace("-", "−");
}

/** @param {number} number */
export function thousands(number) {
  const options = /** @type {const} */ ({ notation: "compact", maximumSignificantDigits: 3 });
  return format("thousands", () => new Intl.NumberFormat(language, options)).format(number);
}

/** What the library refused, with its fault as data: the message is in English, the page says it in its language. */
export class Refused extends Error {
  /** @param {string} message in English @param {Fault} fault */
  constructor(message, fault) {
    super(message);
    this.fault = fault;
  }
}

/** @param {Fault} fault @returns {string} */
export function faultText({ why, of, expected, rule, side, result, ...values }) {
  const game = why === "too-many-tops" ? "hokito" : "yoxii";
  return t(`why.${result ? `result.${result}` : why}`, {
    ...values, of: of && faultText(of), expected: typeof expected === "string" ? t(`expected.${expected}`) : expected,
    rule: t(`rule.${rule ?? "none"}`), side: side && t(`${game}.${side}`),
  });
}

/** @param {unknown} why what was thrown @returns {string} */
export function errorText(why) {
  if (why instanceof Refused) return faultText(why.fault);
  // What comes from the browser is in English, and no sentence for a player.
  return t("browserFailed", { why: why instanceof Error ? why.message : String(why) });
}
