// Games with a friend elsewhere, as they are played: a link comes, a move is made, a link goes back.

import { copier, isReachable, linkOf, qrButton, qrFigure } from "./files.js";
import { judge, shared } from "./letterformat.js";
import { otherSide, seatOf, sideOf } from "./notation.js";
import { button } from "./panels.js";
import { keptGame } from "./store.js";
import { playerName, errorText, t } from "./strings.js";
import { html } from "./svg.js";
import { Game, numberOf } from "./tree.js";

/**
 * @param {Page} page @param {Letter | "cut"} letter @param {string} [agreed] what the player agrees to
 * @returns {Promise<Why>} why it leads nowhere
 */
export async function receive(page, letter, agreed) {
  const { app, matches } = page;
  app.dismiss("letter");
  if (letter === "cut") return () => t("cutLink");
  /** @type {Facts} */
  let facts;
  try {
    facts = await app.factsOf(letter.name, letter.fen, letter.moves);
  } catch (why) {
    return () => `${t("brokenLink")}\n${errorText(why)}`;
  }
  const board = [app.board, ...app.aside.values()].find(({ room, game }) => room === "play" && game.id === letter.id) ?? keptOf(letter.id);
  const mine = board?.match?.mine;
  if (!board?.match || mine === undefined) {
    // The player who gets a link is the one to move, unless the sender has resigned.
    const side = letter.ended ? otherSide(letter.ended.side) : facts.side;
    const seat = seatOf(side);
    await show(page, begun(letter, seat), matches.linkMatch(seat), letter);
    return null;
  }
  const { game, match } = board;
  const ours = { fen: game.fen, moves: game.root.end().moves(), ended: /** @type {Letter["ended"]} */ (match.ended), asks: Boolean(match.asks) };
  const how = game.name === letter.name ? judge(ours, letter, mine) : "other";
  if (how === agreed) {
    const moves = how === "asks" ? letter.moves.slice(0, -1) : how === "ends" && ours.moves.length > letter.moves.length ? ours.moves : letter.moves;
    await show(page, game.fen === letter.fen ? game : begun(letter, mine), match, { moves, ended: letter.ended });
    return null;
  }
  await show(page, game, match, how === "move" || how === "back" ? letter : how === "same" ? ours : undefined);
  if (how === "older") app.notify("letter", () => t("letterOlder", { n: letter.moves.length, total: ours.moves.length }));
  if (how !== "asks" && how !== "ends" && how !== "other") return null;
  const [move, friend] = [app.spell(letter.moves.at(-1) ?? ""), friendOf(page)];
  const lines = () => how === "other" ? [t("letterHere", { line: lineOf(app, ours, letter) }), t("letterThere", { line: lineOf(app, letter, ours) })] : [];
  app.notify("letter", () => [t(`letter.${how}`, { ...friend, move }), ...lines()].join("\n"),
    { label: `letter.${how}.agree`, run: () => void receive(page, letter, how) });
  return null;
}

/** @param {Letter} letter @param {0 | 1} seat of the person here */
function begun({ id, name, fen, players }, seat) {
  const game = new Game(name, fen);
  [game.id, game.players, game.you] = [id, players, seat];
  return game;
}

/** What one game has and the other lacks. @param {App} app @param {Pick<Letter, "moves" | "ended">} it @param {Pick<Letter, "moves">} other */
function lineOf(app, { moves, ended }, other) {
  const at = shared(moves, other.moves);
  const line = moves.slice(at).map((move, i) => i === 0 ? `${numberOf({ ply: at + 1 })} ${app.spell(move)}` : app.spell(move));
  return [...line, ended ? t("end.resigned", { who: app.side(ended.side) }) : ""].filter(Boolean).join(" ") || "…";
}

/** @param {string} id @returns {{ game: Game, match: Match | null } | null} a game of the list */
function keptOf(id) {
  const kept = keptGame(id);
  return kept?.game ? { game: Game.restored(kept.game), match: kept.match } : null;
}

/**
 * Shows the position before first, so that the player sees the last move.
 * @param {Page} page @param {Game} game @param {Match} match @param {Pick<Letter, "moves" | "ended">} [told] what both sides know by now
 */
async function show(page, game, match, told) {
  const { app, matches } = page;
  let end = game.root.end();
  if (told) {
    end = told.moves.reduce((node, move) => node.child(move), game.root);
    end.promote();
    end.children = [];
    [match.sent, match.asks, match.ended] = [told.moves.length, match.asks && told.moves.length === match.sent, told.ended];
  }
  [match.on, game.touched] = [true, true];
  if (end.parent) end.parent.facts ??= await app.factsOf(game.name, game.fen, end.parent.moves());
  matches.show(game, match);
  app.flipped = match.mine === 1;
  app.visit(end.parent ?? end);
  app.visit(end);
}

/** How sentences call the friend. @param {Page} page */
function friendOf({ app, matches: { match } }) {
  const friend = match?.mine === undefined ? "" : playerName(app.game.players[1 - match.mine]);
  return friend ? { who: friend, named: true } : {};
}

/** What to do with the link, if it is to be sent. @param {Page} page */
export function toSend(page) {
  const { app, matches: { match, isOver, isAtEnd } } = page;
  if (match?.mine === undefined || !isAtEnd || app.mode !== "play" || app.isYourTurn) return "";
  // The player who ended the game sends the link.
  if (isOver && sideOf(match.mine) !== (match.ended?.side ?? otherSide(app.facts?.side))) return "";
  return t(isOver ? "letterEnd" : match.asks ? "letterAsk" : "letterSend", friendOf(page));
}

/** The one button that sends the link. @param {Page} page @param {string} [place] tells those of two places apart */
export function sending(page, place = "") {
  const { app } = page;
  if (!toSend(page)) return null;
  const share = () => void navigator.share({ text: t("letterText"), url: linkOf(app) }).then(() => app.changed("all"), () => {});
  return "share" in navigator ? button(`${place}share-letter`, t("shareLink"), share, { class: "main" })
    : copier(page, `${place}copy-letter`, t("copyLink"), () => linkOf(app), { class: "main" });
}

/** What else the player can do with the link. @param {Page} page */
export function post(page) {
  const { app, matches: { match, isOver, isAtEnd } } = page;
  const mine = isAtEnd && app.isYourTurn ? match?.mine : undefined;
  if (mine !== undefined) return html("p", { class: "soft" }, t("letterFirst", { side: app.side(sideOf(mine)) }));
  const text = toSend(page);
  return text && html("div", { id: "letter" }, isOver ? html("p", {}, text) : null,
    html("div", { class: "row" }, "share" in navigator ? copier(page, "copy-letter", t("copyLink"), () => linkOf(app)) : null, qrButton(page, "qr-letter")),
    isReachable ? null : html("p", { class: "soft" }, t("letterLocal", { share: t("share"), box: t("paste") })),
    qrFigure(page, "qrFriend")) || null;
}
