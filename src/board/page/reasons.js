// Why something is refused, in the language that is spoken.

import { t } from "./strings.js";

/** What was refused for a reason that is data. */
export class Refused extends Error {
  /** @param {string} message in English @param {Reason} reason */
  constructor(message, reason) {
    super(message);
    this.reason = reason;
  }
}

/** @param {Reason} reason @returns {string} */
export function told({ why, of, expected, rule, side, result, ...values }) {
  const game = why === "too-many-tops" ? "hokito" : "yoxii";
  return t(`why.${result ? `result.${result}` : why}`, {
    ...values, of: of && told(of), expected: typeof expected === "string" ? t(`expected.${expected}`) : expected, rule: t(`rule.${rule ?? "none"}`), side: side && t(`${game}.${side}`),
  });
}

/** @param {unknown} why what was thrown @returns {string} */
export function reasonOf(why) {
  if (why instanceof Refused) return told(why.reason);
  // What comes from the browser is in English, and no sentence for a player.
  return t("browserFailed", { why: why instanceof Error ? why.message : String(why) });
}
