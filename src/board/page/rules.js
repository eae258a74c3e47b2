// The rules of both games in our own words, with small pictures.

import { drawing } from "./drawing.js";
import { Mode } from "./mode.js";
import { SHAPES } from "./notation.js";
import { button } from "./panels.js";
import { smallPiece } from "./pieces.js";
import { html } from "./svg.js";
import { t } from "./strings.js";

/** @typedef {{ fen: string, targets?: string[], chosen?: string, route?: string[], arrows?: Arrow[] }} Picture */

/** @type {Record<GameName, Record<string, Picture>>} */
const PICTURES = {
  yoxii: {
    start: { fen: "3/5/7/3*3/7/5/3 w" },
    totem: { fen: "3/5/1Y1I3/2oX*2/7/5/3 w", chosen: "e4", targets: ["d3", "e3", "e5", "f3", "f4", "f5", "c6"] },
    piece: { fen: "3/5/4*2/7/7/5/3 w", chosen: "e5", targets: ["d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"] },
    end: { fen: "Oo1/oIiy1/*xXiiOi/oYy1XII/yIOxYyy/1x1XO/IyO r" },
  },
  hokito: {
    start: { fen: "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b" },
    move: { fen: "x6/x,b2,x2,w1,x/x6/x4,b1,x/x,w3,x4/x6 b", chosen: "b5", route: ["b5", "e5", "e3"], targets: ["e3"] },
    landing: { fen: "x6/x6/x,b1:4,x2,w2:3,x/x6/x6/x6 b", arrows: [{ from: "b4", to: "e4" }] },
    end: { fen: "x,b2,x2,b2,x/x6/x6/x3,w2:6,b3:2,x/b3:10,x5/w1:16,x5 b" },
  },
};

export class Rules extends Mode {
  get walks() {
    return false;
  }

  get address() {
    return [this.app.game.name];
  }

  cards() {
    const { page, app: { game: { name } } } = this;
    const values = SHAPES[name].values.map((value) => html("span", { class: "counted" },
      smallPiece(name, { side: "p1", value, height: 1 }, page.look), String(value)));
    const parts = Object.entries(PICTURES[name]).map(([part, picture], i) => html("figure", {},
      drawing({ game: name, look: page.look, flipped: false, ...picture }),
      html("figcaption", {}, t(`rules.${name}.${part}`), i === 0 ? html("div", { class: "row", "aria-hidden": "true" }, ...values) : null)));
    return [html("section", { class: "card rules" }, html("h2", {}, t("rulesOf", { game: t(name) })), ...parts,
      html("div", { class: "row" }, button("rules-learn", t("learnFirst"), () => page.turnTo("learn")))), ...super.cards()];
  }
}
