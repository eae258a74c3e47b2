// A game that is studied: moves for both sides, and what the engine says of them.

import { Mode } from "./mode.js";
import * as panels from "./panels.js";
import { t } from "./strings.js";
import { html } from "./svg.js";

/** What analysis and review have in common. */
export class Study extends Mode {
  get yours() {
    return true;
  }

  get odds() {
    return this.app.isSealed ? null : this.page.analysis.bar;
  }

  get arrows() {
    return this.page.analysis.arrows;
  }

  get leads() {
    return [...super.leads, ...this.page.analysis.best.slice(0, this.app.settings.lines).map(({ pv }) => pv[0])];
  }

  /** @returns {Partial<Scene>} */
  get scene() {
    return { heats: this.page.analysis.heats(this.app.hand.first) };
  }
}

export class Analyse extends Study {
  cards() {
    const { page, app, app: { game: { at } } } = this;
    const cut = () => {
      at.remove();
      app.game.touched = true;
      app.visit(/** @type {GameNode} */ (at.parent));
    };
    return [
      page.desk(panels.engine(page), panels.course(page)), ...this.end(),
      ...(page.games.length > 1 ? [panels.gameList(page, t("gamesInFile"), page.games)] : []),
      panels.analysing(page, at.parent && panels.button("cut", t("cut"), cut)), html("section", { class: "card" }, panels.typing(page)), ...this.rest(),
    ];
  }
}
