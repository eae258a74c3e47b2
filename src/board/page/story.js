// A review as it is told beside the board: where the game turned, and questions about it.

import { picture } from "./notation.js";
import { button, card } from "./panels.js";
import { number, t } from "./strings.js";
import { html } from "./svg.js";
import { numberOf } from "./tree.js";
import { percent } from "./values.js";

/** @typedef {import("./page.js").Page} Page */
/** @typedef {import("./tree.js").Node} Node */

/** @param {Page} page */
export function reviewing(page) {
  const { app, review } = page;
  const [here, said] = [app.game.at.review, review.said()];
  const asks = review.questions.length > 0;
  const none = review.mistakes.length === 0;
  return card(t("review"),
    html("div", { class: "row" },
      review.running ? button("review-stop", t("stopReview"), () => review.stop())
        : button("review-start", t(app.game.report ? "reviewAgain" : "startReview"), () => void review.start(), { class: app.game.report ? "" : "main", disabled: app.game.line().length < 2 }),
      button("mistake-back", t("prevMistake"), () => review.jump(-1), { disabled: !review.beside(-1) }),
      button("mistake-next", t("nextMistake"), () => review.jump(1), { disabled: !review.beside(1) }),
      button("quiz", t("quiz"), () => asks ? review.leave() : review.quiz(), { "aria-pressed": String(asks), disabled: none || review.running })),
    review.running ? html("p", { class: "soft", role: "status" }, t("reviewing", review.done, review.total)) : null,
    said && !asks ? html("p", { id: "review-said", role: "status", class: here?.mark ?? "" }, said) : null,
    asks ? null : story(page));
}

/** What is pressed below the board about a question. @param {Page} page */
export function asked({ review }) {
  const isLast = review.question + 1 === review.questions.length;
  return [
    button("quiz-show", t("show"), () => review.show(), { disabled: !review.asking }),
    button("quiz-next", t(isLast ? "quizEnd" : "quizNext"), () => review.ask(), { class: review.asking ? "" : "main" }),
  ];
}

/** The game in a few lines. @param {Page} page */
function story(page) {
  const { app, review } = page;
  const { report, root } = app.game;
  const line = root.end().path();
  if (!report || report.plies !== line.length - 1) return null;
  const sides = /** @type {const} */ (["p1", "p2"]).map((side, seat) => {
    const { lost_a_move: lost, marks, proved_moves: proved, proved_points_a_move: points } = report.accuracy[seat];
    if (lost === null) return "";
    const errors = /** @type {const} */ ([[5, "blunder"], [4, "mistake"], [3, "inaccuracy"]]).filter(([mark]) => marks[mark] > 0);
    const counts = errors.map(([mark, name]) => t(`count.${name}`, marks[mark])).join(", ") || t("count.none");
    const proof = proved > 0 && points ? ` ${t("provedAMove", number(points), proved)}` : "";
    return `${t("lostAMove", app.side(side), number(100 * lost), counts)}${proof}`;
  });
  const winner = report.result === "p1win" ? "p1" : report.result === "p2win" ? "p2" : null;
  const turn = report.decided === null ? undefined : line[report.decided + 1];
  const decided = winner && turn ? t("decided", app.side(winner), numberOf(turn), app.spell(turn.move ?? "")) : "";
  return html("div", { id: "story", class: "story" },
    ...[...sides, decided, review.mistakes.length === 0 ? t("noMistake") : ""].filter(Boolean).map((text) => html("p", {}, text)),
    review.mistakes.length > 0 ? html("ul", { class: "turns", "aria-label": t("turningPoints") }, ...review.mistakes.map((node) => html("li", {}, turningPoint(page, node)))) : null);
}

/** @param {Page} page @param {Node} node */
function turningPoint({ app }, node) {
  const { mark, before, after } = node.review;
  const isFirst = (picture(app.game.name, app.game.fen).side === "p1") === (node.ply % 2 === 1);
  const own = (/** @type {number} */ odds) => t("percent", percent(isFirst ? odds : 1 - odds));
  return html("button", { id: `turn-${node.ply}`, "aria-current": String(app.game.at === node), onclick: () => app.visit(node) },
    t("pair", `${numberOf(node)} ${app.spell(node.move ?? "")}`, `${t(mark)}, ${own(before)} → ${own(after)}`));
}
