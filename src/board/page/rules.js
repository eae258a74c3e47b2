// The rules of both games in our own words, with small pictures.

import { drawing } from "./board.js";
import { html } from "./svg.js";
import { LANGUAGES } from "./strings.js";

/**
 * @typedef {object} Page
 * @property {[string, string]} text a column for each language
 * @property {{ fen: string, targets?: string[], chosen?: string, route?: string[], arrows?: import("./board.js").Arrow[] }} picture
 */

/** @type {Record<import("./notation.js").GameName, Page[]>} */
const PAGES = {
  yoxii: [
    {
      text: [
        "White and Red share one totem, which begins in the middle. Each side has 18 pieces: five each of value 1, 2 and 3, and three of value 4. White begins.",
        "Blanc et Rouge partagent un totem, placé d'abord au centre. Chacun a 18 pièces : cinq de chaque valeur 1, 2 et 3, et trois de valeur 4. Blanc commence.",
      ],
      picture: { fen: "3/5/7/3*3/7/5/3 w" },
    },
    {
      text: [
        "First move the totem: one square in any direction, if that square is free. Over an unbroken line of your own pieces it jumps to the first square behind them; pieces of the other side stop it.",
        "Déplacez d'abord le totem : d'une case dans n'importe quelle direction si elle est libre. Il saute par-dessus une ligne continue de vos pièces ; celles de l'adversaire l'arrêtent.",
      ],
      picture: { fen: "3/5/1Y1I3/2oX*2/7/5/3 w", chosen: "e4", targets: ["d3", "e3", "e5", "f3", "f4", "f5", "c6"] },
    },
    {
      text: [
        "Then place one of your pieces on a free square next to the totem. Only if none is free there may it go anywhere.",
        "Posez ensuite une de vos pièces sur une case libre voisine du totem. Seulement s'il n'y en a aucune, elle va où vous voulez.",
      ],
      picture: { fen: "3/5/4*2/7/7/5/3 w", chosen: "e5", targets: ["d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"] },
    },
    {
      text: [
        "The game ends when the side to move cannot move the totem. Add up your pieces next to it: the higher sum wins; if sums are equal, the greater number of pieces.",
        "La partie finit quand le joueur au trait ne peut plus bouger le totem. Comptez vos pièces autour : la plus grande somme gagne ; à égalité, le plus grand nombre de pièces.",
      ],
      picture: { fen: "Oo1/oIiy1/*xXiiOi/oYy1XII/yIOxYyy/1x1XO/IyO r" },
    },
  ],
  hokito: [
    {
      text: [
        "Black and White have 18 pawns each, six of every value 1, 2 and 3, dealt at random on their half of the board. Black begins.",
        "Noir et Blanc ont chacun 18 pions, six de chaque valeur 1, 2 et 3, répartis au hasard sur leur moitié. Noir commence.",
      ],
      picture: { fen: "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b" },
    },
    {
      text: [
        "Move a pawn, or a stack whose top is yours. It makes exactly as many steps as its top shows. A step goes straight to the next occupied square, over any gap; between steps it may turn, but not back.",
        "Déplacez un pion, ou une pile dont le sommet est à vous. Il fait exactement autant de pas que sa valeur. Un pas va tout droit à la prochaine case occupée ; entre les pas il peut tourner, mais pas revenir.",
      ],
      picture: { fen: "x6/x,b2,x2,w1,x/x6/x4,b1,x/x,w3,x4/x6 b", chosen: "b5", route: ["b5", "e5", "e3"], targets: ["e3"] },
    },
    {
      text: [
        "A pawn must end on a pawn, a stack on a stack, of either colour. It comes on top, and they stay together.",
        "Un pion finit sur un pion, une pile sur une pile, de n'importe quelle couleur. Il se pose dessus, et la pile ne se défait plus.",
      ],
      picture: { fen: "x6/x6/x,b1:4,x2,w2:3,x/x6/x6/x6 b", arrows: [{ from: "b4", to: "e4" }] },
    },
    {
      text: [
        "When the side to move has no move, count: each square brings its top's value times the height of the stack to the side whose pawn is on top. You must move, even when it costs points.",
        "Quand le joueur au trait ne peut plus jouer, on compte : chaque case vaut la valeur du sommet fois la hauteur de la pile. Il faut jouer, même si cela coûte.",
      ],
      picture: { fen: "x,b2,x2,b2,x/x6/x6/x3,w2:6,b3:2,x/b3:10,x5/w1:16,x5 b" },
    },
  ],
};

/**
 * @param {import("./notation.js").GameName} game
 * @param {import("./look.js").Look} look
 * @returns {HTMLElement[]}
 */
export function rules(game, look) {
  const column = LANGUAGES.indexOf(document.documentElement.lang);
  return PAGES[game].map(({ text, picture }) => html("figure", {},
    drawing({ game, look, flipped: false, ...picture }),
    html("figcaption", {}, text[column] ?? text[0])));
}
