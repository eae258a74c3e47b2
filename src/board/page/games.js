// The list of games that were played here, and those of a file or a journal.

import { drawing } from "./drawing.js";
import { endOf, pgnOf, savePgn } from "./files.js";
import { look } from "./look.js";
import { sideOf, winnerOf } from "./notation.js";
import { button, card } from "./panels.js";
import { dropGame, keptGames, studied } from "./store.js";
import { dateText, faultText, playerName, t } from "./strings.js";
import { drawn, html } from "./svg.js";
import { Game } from "./tree.js";

/** @type {Kept[]} */
const NONE = [];
/** What stands before the result of an own game. */
const MARKS = { won: "✓", lost: "✗", draw: "=", open: "…" };
/** How many games are listed at first, and how many more at each press. */
const SOME = 20;
/** The most games of a file or a journal that are listed. */
const SHEETS = 200;

export class GameList {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.isOpen = false;
    this.shown = SOME;
    /** The board of each game, drawn once. @type {Map<string, VNode>} */
    this.pictures = new Map();
    /** The list as it was read last; null once it has changed. @type {Kept[] | null} */
    this.cache = null;
    addEventListener("storage", () => this.forget());
  }

  forget() {
    this.cache = null;
  }

  /** @param {Kept} kept */
  isOpenGame({ match, result }) {
    return match !== null && match !== undefined && !match.ended && result === "none";
  }

  /** @param {Kept} kept */
  open(kept) {
    const { app, matches } = this.page;
    app.toTop();
    if (this.isOpenGame(kept) && kept.game) {
      if (![app.board, ...app.aside.values()].some(({ room, game }) => room !== "study" && game.id === kept.id)) return matches.resume(kept);
      this.page.turnTo(kept.match?.kind ?? "play");
      if (app.game.name !== kept.name) this.page.change(kept.name);
      return;
    }
    if (app.room !== "study") app.turnTo(kept.study?.report ? "review" : "analyse");
    this.study(kept);
  }

  /** @param {Kept} kept */
  study(kept) {
    const { app } = this.page;
    app.enter("study", kept.name);
    app.study(Game.restored(kept.game ?? kept.study));
    app.flipped = kept.flipped;
    app.visit(kept.result === "none" ? app.game.at : app.game.root.end());
  }

  /** A game as it was played, with what was studied of it as variations. @param {Kept} kept @returns {Promise<string>} */
  async pgn({ game, study, match }) {
    const { hub } = this.page.app;
    const played = Game.restored(game ?? study);
    const whole = studied(played, study);
    // In one PGN, the result would seem to come after the moves that were only studied.
    if (whole.root.end().ply === played.root.end().ply) return pgnOf(hub, whole, match);
    return `${await pgnOf(hub, played, match)}\n${await pgnOf(hub, whole, null)}`;
  }

  async export() {
    const { app } = this.page;
    // The last move may not be in the list yet.
    app.saveNow();
    const games = keptGames();
    const told = await Promise.allSettled(games.map((kept) => this.pgn(kept)));
    const texts = told.flatMap((it) => it.status === "fulfilled" ? [it.value] : []);
    if (texts.length > 0) savePgn(`totemic-${new Date().toISOString().slice(0, 10)}`, texts.join("\n"));
    const wrong = told.find((it) => it.status === "rejected");
    if (wrong) app.complain("games", wrong.reason, (why) => t("notSaved", { n: games.length - texts.length, why }));
  }

  /** @param {string} question @param {string[]} ids */
  drop(question, ids) {
    this.page.confirm(question, t("delete"), () => {
      ids.forEach(dropGame);
      this.forget();
      this.page.app.changed("all");
    });
  }

  /** @param {Kept} kept */
  picture(kept) {
    const { page } = this;
    const key = `${kept.fen} ${kept.flipped} ${page.isDark} ${page.app.settings.clear}`;
    const known = this.pictures.get(kept.id + key);
    if (known) return known;
    const { name, fen, flipped } = kept;
    const board = drawing({ game: name, fen, flipped, look: look(name, page.isDark, page.app.settings.clear) });
    board.setAttribute("aria-hidden", "true");
    const picture = drawn(board);
    this.pictures.set(kept.id + key, picture);
    return picture;
  }

  /** The player's seat, if only one person played here; else -1. @param {Kept["match"]} match */
  seat(match) {
    return match?.mine ?? (match?.kind === "play" && match.engines.some((engine) => engine !== null) ? match.engines.indexOf(null) : -1);
  }

  /** The names of both sides, with "you" where only one person played here. @param {Kept} kept */
  players({ name, match, players }) {
    const { app } = this.page;
    const own = this.seat(match);
    return [0, 1].map((seat) => {
      if (seat === own) return t("you");
      return playerName(players[seat]) || app.side(sideOf(seat), name);
    }).join(" – ");
  }

  /** How a game went for the player; empty if nobody or two people played it here. @param {Kept} kept @returns {"" | keyof typeof MARKS} */
  outcome(kept) {
    const { match, result } = kept;
    const person = this.seat(match);
    if (this.isOpenGame(kept)) return "open";
    if (person < 0 || result === "none") return "";
    return result === "draw" ? "draw" : (result === "p1win") === (person === 0) ? "won" : "lost";
  }

  /** @param {Kept} kept */
  result(kept) {
    const [outcome, { result }] = [this.outcome(kept), kept];
    if (outcome === "open") return t("unfinished");
    if (result === "draw") return t("draw");
    if (result === "none") return t("studied");
    if (outcome) return t(outcome === "won" ? "youWin" : "youLose");
    return t("wins", { who: this.page.app.side(winnerOf(result), kept.name) });
  }

  /** @param {Kept[]} games @param {(kept: Kept) => void} open */
  entries(games, open) {
    return html("ul", { class: "games" }, ...games.slice(0, this.shown).map((kept) => html("li", {},
      html("button", { id: `kept-${kept.id}`, class: "kept", onclick: () => open(kept) }, this.picture(kept), html("span", {},
        html("b", { class: `outcome ${this.outcome(kept)}`, "data-mark": MARKS[/** @type {keyof typeof MARKS} */ (this.outcome(kept))] }, this.result(kept)),
        ` · ${this.players(kept)}`,
        html("small", { class: "soft" }, [t(kept.name), dateText(kept.date), t("movesMade", { n: kept.moves })].join(", ")))),
      button(`drop-${kept.id}`, "×", () => this.drop(t("deleteSure"), [kept.id]), { "aria-label": t("deleteGame"), title: t("deleteGame"), class: "drop" }))));
  }

  choice() {
    const games = this.cache ??= keptGames();
    return games.length > 0 ? this.entries(games, (kept) => this.study(kept)) : html("p", { class: "soft" }, t("noGames"));
  }

  card() {
    const games = this.isOpen ? this.cache ??= keptGames() : NONE;
    return html("details", {
      class: "card", id: "games", open: this.isOpen,
      ontoggle: (/** @type {any} */ event) => {
        if (this.isOpen === event.target.open) return;
        this.isOpen = event.target.open;
        this.page.app.changed("all");
      },
    }, html("summary", { id: "games-head" }, t("games")),
    ...(!this.isOpen ? [] : games.length === 0 ? [html("p", { class: "soft" }, t("noGames"))] : [
      this.entries(games, (kept) => this.open(kept)),
      html("div", { class: "row" },
        games.length > this.shown ? button("more-games", t("more"), () => { this.shown += SOME; this.page.app.changed("all"); }) : null,
        button("export-games", t("exportGames"), () => void this.export()),
        button("drop-games", t("deleteAll"), () => this.drop(t("deleteAllSure"), games.map(({ id }) => id))))]));
  }
}

/** @param {Page} page @param {string} title @param {(ReadGame | UnreadGame)[]} games @param {boolean} [isLastFirst] */
export function gameList(page, title, games, isLastFirst = false) {
  const { app } = page;
  const results = /** @type {Record<string, string>} */ ({ p1win: "1–0", p2win: "0–1", draw: "½–½", none: "*" });
  const first = isLastFirst ? Math.max(0, games.length - SHEETS) : 0;
  const entry = (/** @type {ReadGame | UnreadGame} */ game, /** @type {number} */ at) => {
    const [id, number] = [`sheet-${first + at}`, `${first + at + 1}.`];
    if ("why" in game) return button(id, `${number} ${faultText(game.reason)}`, () => {}, { disabled: true });
    const [one, two] = /** @type {const} */ (["p1", "p2"]).map((side, seat) =>
      game.players[seat] ? { who: game.players[seat], named: true } : { who: app.side(side, game.game) });
    const ended = page.toldEnd(endOf(game), (side) => side === "p1" ? one : two);
    return button(id, `${number} ${one.who} – ${two.who} ${results[game.result]}${ended && ` · ${ended}`}`, () => void page.take(game));
  };
  const list = games.slice(first, first + SHEETS).map(entry);
  return card(title, list.length > 0 ? html("div", { class: "moves sheets" }, ...isLastFirst ? list.reverse() : list)
    : html("p", { class: "soft" }, t("journalNone")));
}
