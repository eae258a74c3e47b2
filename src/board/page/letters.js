// Games with a friend elsewhere, as they are played: a link comes, a move is made, a link goes back.

import { compare } from "./friend.js";
import { linkOf } from "./files.js";
import { copier, isReachable, qrButton, qrFigure } from "./panels.js";
import { reasonOf } from "./reasons.js";
import { keptGame } from "./store.js";
import { playerName, t } from "./strings.js";
import { html } from "./svg.js";
import { Game } from "./tree.js";

/** @param {Page} page @param {Letter} letter @returns {Promise<void>} */
export async function receive(page, letter) {
  const { app, matches } = page;
  app.dismiss("letter");
  /** @type {Facts} */
  let facts;
  try {
    facts = await app.ask(letter.name, letter.fen, letter.moves);
  } catch (why) {
    return app.notify("letter", `${t("brokenLink")}\n${reasonOf(why)}`);
  }
  const kept = [app.board, ...app.aside.values()].find(({ room, game }) => room === "play" && game.id === letter.id) ?? keptOf(letter.id);
  if (!kept?.match) {
    // Whoever opens it is to move; who has resigned has sent it.
    const side = letter.ended ? letter.ended.side === "p1" ? "p2" : "p1" : facts.side;
    const game = new Game(letter.name, letter.fen);
    [game.id, game.players, game.you] = [letter.id, letter.players, side === "p1" ? 0 : 1];
    return show(page, game, matches.far(game.you), letter);
  }
  const { game, match } = kept;
  const ours = game.root.end().moves();
  const how = game.fen === letter.fen ? compare(ours, letter.moves) : "other";
  const isNews = how === "newer" && !match.ended || how === "same";
  await show(page, game, match, isNews ? letter : { ...letter, moves: ours, ended: /** @type {any} */ (match.ended) });
  if (!isNews) app.notify("letter", t(how === "older" ? "letterOlder" : "letterOther", { n: letter.moves.length, total: ours.length }));
}

/** @param {string} id @returns {{ game: Game, match: Match | null } | null} a game of the list */
function keptOf(id) {
  const kept = keptGame(id);
  return kept?.game ? { game: Game.restored(kept.game), match: kept.match } : null;
}

/** Stops before the last move first, so that it is seen to come. @param {Page} page @param {Game} game @param {Match} match @param {Letter} letter how far it is, and how it ended */
async function show(page, game, match, { moves, ended }) {
  const { app, matches } = page;
  const end = moves.reduce((node, move) => node.child(move), game.root);
  [match.on, match.ended, game.touched] = [true, ended ?? match.ended, true];
  if (end.parent) end.parent.facts ??= await app.ask(game.name, game.fen, end.parent.moves());
  matches.show(game, match);
  app.flipped = match.mine === 1;
  app.visit(end.parent ?? end);
  app.visit(end);
}

/** @param {Page} page */
export function post(page) {
  const { app, matches, matches: { match, over } } = page;
  if (match?.mine === undefined || !matches.live) return null;
  const own = match.mine ? "p2" : "p1";
  const friend = playerName(app.game.players[1 - match.mine]);
  const who = friend ? { who: friend, named: true } : { who: app.side(own === "p1" ? "p2" : "p1") };
  // Whoever did what ended the game sends it.
  if (over && own !== (match.ended?.side ?? (app.facts?.side === "p1" ? "p2" : "p1"))) return null;
  if (app.yours) return html("p", { class: "soft" }, t("letterFirst", who));
  const share = () => void navigator.share({ text: t("letterText"), url: linkOf(app) }).catch(() => {});
  return html("div", { id: "letter" }, html("p", {}, t(over ? "letterEnd" : "letterSend", who)),
    html("div", { class: "row" },
      copier(page, "copy-letter", t("copyLink"), () => linkOf(app), { class: "main" }),
      "share" in navigator ? html("button", { id: "share-letter", onclick: share }, t("shareLink")) : null,
      qrButton(page, "qr-letter")),
    isReachable ? null : html("p", { class: "soft" }, t("letterLocal")),
    qrFigure(page));
}

