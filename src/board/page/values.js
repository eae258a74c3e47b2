// What an engine's values mean for people.

import { decimal, t } from "./strings.js";

/** Below these odds, and above one minus them, odds do not tell moves apart. */
const LEAST = 0.025;

/** About the odds of a score of +1.00 early in the game, for lines that do not tell theirs. */
const ODDS_OF_100 = { yoxii: 0.73, hokito: 0.75 };

/** Odds of the side to move, from 0 to 1. @param {GameName} game @param {Info} info */
export function odds(game, info) {
  if (info.mate !== null) return info.mate > 0 ? 1 : 0;
  if (info.wdl) return (info.wdl[0] + info.wdl[1] / 2) / 1000;
  const slope = Math.log(ODDS_OF_100[game] / (1 - ODDS_OF_100[game])) / 100;
  return 1 / (1 + Math.exp(-slope * (info.cp ?? 0)));
}

/** The names of leads, each with the odds from which it holds: the library tells them. @type {[number, string][]} */
let leads = [];

/** @param {[number, string][]} steps the farthest ahead first */
export function learn(steps) {
  leads = steps;
}

/** @param {Info} info */
export function rankOf({ mate, cp }) {
  return mate === null ? cp ?? 0 : mate > 0 ? 1e6 - mate : -1e6 - mate;
}

/** @param {number} value odds of player one @param {string} one @param {string} two */
export function verdict(value, one, two) {
  const [better, points] = value >= 0.5 ? [one, value] : [two, 1 - value];
  const lead = leads.find(([least]) => points >= least)?.[1] ?? "even";
  return t(`lead.${lead}`, { side: better });
}

/** Whether a draw is proved: no estimate is as sure. @param {Info} info */
function isDraw(info) {
  return info.cp === 0 && info.wdl?.[1] === 1000;
}

/** @param {Info} info */
export function isProved(info) {
  return info.mate !== null || isDraw(info);
}

/** A value as short as it has to be on an arrow, for the side to move: in points where it all but wins or loses. @param {GameName} game @param {Info} info */
export function brief(game, info) {
  if (info.mate !== null) return t(info.mate > 0 ? "winIn" : "lossIn", { n: Math.abs(info.mate) });
  if (isDraw(info)) return "=";
  const [odd, points] = [odds(game, info), decimal((info.cp ?? 0) / 100)];
  return odd < LEAST || odd > 1 - LEAST ? points : t("percent", { n: percent(odd) });
}

/** @param {GameName} game @param {Info} info */
export function inWords(game, info) {
  if (info.mate !== null) return t(info.mate > 0 ? "provedWin" : "provedLoss", { n: Math.abs(info.mate) });
  if (isDraw(info)) return t("provedDraw");
  return `${t("percent", { n: percent(odds(game, info)) })} ${decimal((info.cp ?? 0) / 100)}`;
}

/** The same odds for player one. @param {number} value @param {Side} side */
export function forFirst(value, side) {
  return side === "p1" ? value : 1 - value;
}

/** Odds in per cent; what is not proved is never certain. Those of both sides add up to 100. @param {number} value @returns {number} */
export function percent(value) {
  return value < 0.5 ? 100 - percent(1 - value) : Math.min(99, Math.round(value * 100));
}
