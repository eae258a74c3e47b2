// A review as it is told beside the board: where the game turned, and questions about it.

import { button, card } from "./panels.js";
import { list, t } from "./strings.js";
import { html } from "./svg.js";
import { numberOf } from "./tree.js";

/** Turning points that are listed at first: the gravest. */
const FEW = 4;

/** @param {Page} page */
export function reviewing(page) {
  const { app, review } = page;
  const [here, said] = [review.at.review, review.said()];
  const asks = review.questions.length > 0 && !review.isOver;
  return card(t("review"),
    html("div", { class: "row" },
      review.running ? button("review-stop", t("stopReview"), () => review.stop())
        : button("review-start", t(app.game.report ? "reviewAgain" : "startReview"), () => void review.start(),
          { class: app.game.report ? "" : "main", disabled: app.game.line().length < 2 || app.isSealed }),
      ...review.mistakes.length === 0 ? [] : [
        button("mistake-back", t("prevMistake"), () => review.jump(-1), { disabled: !review.beside(-1) }),
        button("mistake-next", t("nextMistake"), () => review.jump(1), { disabled: !review.beside(1) }),
        button("quiz", t("quiz"), () => asks ? review.leave() : review.quiz(), { "aria-pressed": String(asks), disabled: review.running })]),
    review.running ? html("p", { class: "soft", role: "status" }, t("reviewing", { n: review.done, total: review.total })) : null,
    said && review.questions.length === 0 ? html("p", { id: "review-said", role: "status", class: here?.mark ?? "" }, said) : null);
}

/** @param {Page} page */
export function asked({ review }) {
  if (review.isOver) return [
    button("quiz-again", t("once"), () => review.quiz(0)),
    button("quiz-end", t("quizEnd"), () => review.leave(), { class: "main" }),
  ];
  const isLast = review.question + 1 === review.questions.length;
  return [
    button("quiz-show", t("show"), () => review.show(), { disabled: !review.asking }),
    button("quiz-next", t(isLast ? "quizResult" : "quizNext"), () => review.nextQuestion(), { class: review.asking ? "" : "main" }),
  ];
}

/** @param {Page} page @returns {VNode[]} */
export function story(page) {
  const { app, review } = page;
  const { report, root } = app.game;
  const line = root.end().path();
  if (review.questions.length > 0 && !review.isOver || !report || report.plies !== line.length - 1) return [];
  const sides = /** @type {const} */ (["p1", "p2"]).map((side, seat) => {
    const { lost_a_move: lost, marks } = report.accuracy[seat];
    if (lost === null) return "";
    const errors = /** @type {const} */ ([[5, "blunder"], [4, "mistake"], [3, "inaccuracy"]]).filter(([mark]) => marks[mark] > 0);
    const counts = list(errors.map(([mark, name]) => t(`count.${name}`, { n: marks[mark] })));
    return t("accuracy", { side: app.side(side), percent: Math.round(100 * (1 - lost)), errors: counts || t("count.none") });
  });
  const winner = report.result === "p1win" ? "p1" : report.result === "p2win" ? "p2" : null;
  const turn = report.decided === null ? undefined : line[report.decided + 1];
  const decided = winner && turn ? t("decided", { side: app.side(winner), move: told(app, turn) }) : "";
  const gravest = [...review.mistakes].sort((a, b) => lossOf(b) - lossOf(a));
  const turns = review.mistakes.filter((node) => review.all || gravest.indexOf(node) < FEW);
  return [html("div", { id: "story", class: "card story" },
    ...[...sides, decided, review.mistakes.length === 0 ? t("noMistake") : ""].filter(Boolean).map((text) =>
      html("p", { title: sides.includes(text) ? t("accuracyHow") : undefined }, text)),
    turns.length > 0 ? html("ul", { class: "turns", "aria-label": t("turningPoints") },
      ...turns.map((node) => html("li", {}, turningPoint(page, node)))) : null,
    gravest.length > FEW ? button("all-turns", t(review.all ? "fewTurns" : "allTurns", { n: gravest.length }),
      () => { review.all = !review.all; app.changed("all"); }) : null)];
}

/** @param {Page["app"]} app @param {GameNode} node */
function told(app, node) {
  return `${numberOf(node)} ${app.spell(node.move ?? "")}`;
}

/** @param {GameNode} node */
function lossOf({ review }) {
  return Math.abs(review.before - review.after);
}

/** @param {Page} page @param {GameNode} node */
function turningPoint({ app, review }, node) {
  const [before, after] = review.chances(node);
  return html("button", { id: `turn-${node.ply}`, "aria-current": String(review.at === node), onclick: () => review.tell(node) },
    t(`turn.${node.review.mark}`, { move: told(app, node), before, after }));
}
