// Tabs that show the same game: it goes on in the one that moved last, and the others follow.

import { Game } from "./tree.js";
import { t } from "./strings.js";

export class Tabs {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Games that go on in another tab. @type {Set<string>} */
    this.elsewhere = new Set();
    this.channel = new BroadcastChannel("totemic-games");
    this.channel.onmessage = ({ data }) => {
      if (data.kept) this.follow(data.kept);
      else if (data.has) this.wait(data.has);
      else if (this.boards.some(({ game }) => game.id === data.asks) && !this.elsewhere.has(data.asks)) this.channel.postMessage({ has: data.asks });
    };
    // A tab that has just been opened may show the game of another one.
    for (const { game } of this.boards) this.channel.postMessage({ asks: game.id });
  }

  get boards() {
    return [this.app.board, ...this.app.aside.values()].filter(({ room }) => room === "play" || room === "watch");
  }

  get isElsewhere() {
    return this.elsewhere.has(this.app.game.id) && this.app.room !== "study";
  }

  /** @param {Kept} kept */
  tell(kept) {
    this.channel.postMessage({ kept });
  }

  /** @param {Kept} kept */
  follow(kept) {
    const { app } = this;
    const board = this.boards.find(({ game }) => game.id === kept.id);
    if (!board || !kept.game) return;
    const key = `${board.room} ${board.game.name}`;
    const isShown = board.game === app.game;
    const game = Game.restored(kept.game);
    game.at = game.root.end();
    if (isShown) [app.game, app.match] = [game, kept.match];
    else app.aside.set(key, { ...board, game, match: kept.match });
    this.wait(kept.id);
    if (!isShown) return;
    this.explain();
    app.visit(game.at);
  }

  /** Stops a game here while it goes on in another tab. @param {string} id */
  wait(id) {
    const { app } = this;
    if (!this.boards.some(({ game, match }) => game.id === id && match)) return;
    this.elsewhere.add(id);
    if (this.isElsewhere) app.hooks.onLeave();
  }

  explain() {
    const { app } = this;
    app.notify("elsewhere", () => t("elsewhere"), { label: "goOnHere", run: () => { this.claim(); app.moved(); } });
  }

  /** Goes on here with the game that is shown: from now on the other tabs follow. */
  claim() {
    const { app } = this;
    if (!this.elsewhere.delete(app.game.id)) return;
    app.dismiss("elsewhere");
    app.game.touched = true;
    app.saveNow();
  }
}
