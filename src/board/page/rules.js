// The rules of both games in our own words, with small pictures.

import { drawing } from "./board.js";
import { SHAPES } from "./notation.js";
import { smallPiece } from "./pieces.js";
import { html } from "./svg.js";
import { said } from "./strings.js";

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
        "White and Red share one totem, which starts in the middle. Each side has 18 pieces: five each of value 1, 2 and 3, and three of value 4. The mark on a piece shows its value: O is 1, II is 2, Y is 3 and X is 4. White moves first.",
        "Blanc et Rouge partagent un totem, placé au centre au début de la partie. Chacun a 18 pièces : cinq de valeur 1, cinq de valeur 2, cinq de valeur 3 et trois de valeur 4. Le signe sur une pièce indique sa valeur : O vaut 1, II vaut 2, Y vaut 3 et X vaut 4. Blanc commence.",
      ],
      picture: { fen: "3/5/7/3*3/7/5/3 w" },
    },
    {
      text: [
        "First, move the totem one square in any direction to a free square. It can also jump over an unbroken line of your own pieces: it lands on the square right behind the line, which must be free. It cannot jump over the other side's pieces.",
        "Déplacez d'abord le totem d'une case, dans n'importe quelle direction, vers une case libre. Il peut aussi sauter par-dessus une ligne continue de vos propres pièces : il arrive sur la case juste derrière la ligne, qui doit être libre. Il ne saute jamais par-dessus les pièces adverses.",
      ],
      picture: { fen: "3/5/1Y1I3/2oX*2/7/5/3 w", chosen: "e4", targets: ["d3", "e3", "e5", "f3", "f4", "f5", "c6"] },
    },
    {
      text: [
        "Then place one of your pieces on a free square next to the totem. If there is no such square, place it on any free square.",
        "Posez ensuite une de vos pièces sur une case libre à côté du totem. S'il n'y en a aucune, posez-la sur n'importe quelle case libre.",
      ],
      picture: { fen: "3/5/4*2/7/7/5/3 w", chosen: "e5", targets: ["d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"] },
    },
    {
      text: [
        "The game ends when the side to move cannot move the totem. Each side adds up the values of its pieces next to the totem, and the higher sum wins. If the sums are equal, the side with more pieces there wins; if these are equal as well, the game is a draw.",
        "La partie se termine quand le joueur dont c'est le tour ne peut plus déplacer le totem. Chacun additionne les valeurs de ses pièces autour du totem : la plus grande somme gagne. En cas d'égalité, celui qui y a le plus de pièces gagne ; si l'égalité persiste, la partie est nulle.",
      ],
      picture: { fen: "Oo1/oIiy1/*xXiiOi/oYy1XII/yIOxYyy/1x1XO/IyO r" },
    },
  ],
  hokito: [
    {
      text: [
        "Black and White have 18 pawns each, six each of value 1, 2 and 3, placed at random on their half of the board. The number of strokes on a pawn is its value. Black moves first.",
        "Noir et Blanc ont chacun 18 pions, six de valeur 1, six de valeur 2 et six de valeur 3, placés au hasard sur leur moitié du plateau. Le nombre de traits sur un pion est sa valeur. Noir commence.",
      ],
      picture: { fen: "b1,b2,b3,b1,b2,b3/b2,b3,b1,b2,b3,b1/b3,b1,b2,b3,b1,b2/w2,w1,w3,w2,w1,w3/w1,w3,w2,w1,w3,w2/w3,w2,w1,w3,w2,w1 b" },
    },
    {
      text: [
        "Move one of your pawns, or a stack with your pawn on top. It takes exactly as many steps as the value on top. A step goes along a row or column to the next occupied square; empty squares in between do not count. After a step it may go straight on or turn left or right, but not turn back.",
        "Déplacez un de vos pions, ou une pile dont le pion du dessus est à vous, d'exactement autant de pas que la valeur du dessus. Un pas mène, en ligne ou en colonne, à la prochaine case occupée ; les cases vides entre les deux ne comptent pas. Après un pas, il peut continuer tout droit ou tourner à gauche ou à droite, mais pas revenir en arrière.",
      ],
      picture: { fen: "x6/x,b2,x2,w1,x/x6/x4,b1,x/x,w3,x4/x6 b", chosen: "b5", route: ["b5", "e5", "e3"], targets: ["e3"] },
    },
    {
      text: [
        "The last step must end on the same kind: a pawn on a pawn, a stack on a stack, of either colour. What moved is now on top, and the stack is never taken apart again.",
        "Un pion termine son déplacement sur un pion, une pile sur une pile, quelle que soit la couleur. Ce qui s'est déplacé passe au-dessus, et la pile ne se défait plus.",
      ],
      picture: { fen: "x6/x6/x,b1:4,x2,w2:3,x/x6/x6/x6 b", arrows: [{ from: "b4", to: "e4" }] },
    },
    {
      text: [
        "You must move, even if it costs you points. The game ends when the side to move has no move. Each square is worth the value of its top pawn times the height of the stack, and counts for the side whose pawn is on top. The higher total wins; equal totals are a draw.",
        "Il faut jouer, même si cela coûte des points. La partie se termine quand le joueur dont c'est le tour n'a plus de coup. Chaque case vaut la valeur du pion du dessus multipliée par la hauteur de la pile, pour le camp de ce pion. Le plus grand total gagne ; à égalité, la partie est nulle.",
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
  const values = SHAPES[game].values.map((value) => html("span", { class: "counted" },
    smallPiece(game, { side: "p1", value, height: 1 }, look), String(value)));
  return PAGES[game].map(({ text, picture }, i) => html("figure", {},
    drawing({ game, look, flipped: false, ...picture }),
    html("figcaption", {}, said(text), i === 0 ? html("div", { class: "row", "aria-hidden": "true" }, ...values) : null)));
}
