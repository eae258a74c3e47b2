// What the library says in English, in French.

import { language } from "./strings.js";

/**
 * Reasons that come in English from the server, and how the
 * other languages say them; what is not here is shown as it comes.
 * @type {[string, ...string[]][]}
 */
const REASONS = [
  ["not the first line of a match's journal", "ce n'est pas la première ligne du journal d'un match"],
  ["there is no totem '*' on the board", "il n'y a pas de totem sur le plateau"],
  ["there is a second totem '*' on {0}", "il y a un second totem « * » en {0}"],
  ["{0} {1} top pawns of value {2} are on the board, but a side has only {3}", "{0} pions {1} de valeur {2} sont au sommet : chaque camp n'en a que {3}"],
  ["{0} {1} pieces of value {2} are on the board, but a side has only {3}", "{0} pièces {1} de valeur {2} sur le plateau : chaque camp n'en a que {3}"],
  ["{0} white and {1} red pieces do not fit {2} to move: white moves when the numbers are equal, red when white has one more", "{0} {0:pièce blanche|pièces blanches} et {1} {1:rouge|rouges} : c'est à Blanc de jouer si les nombres sont égaux, à Rouge si Blanc en a une de plus"],
  ["height {0} on {1}: a pawn has height 1, a stack 2 to 36", "hauteur {0} en {1} : un pion a la hauteur 1, une pile de 2 à 36"],
  ["the heights add up to {0}, but there are only 36 pawns", "la somme des hauteurs est {0}, mais il n'y a que 36 pions"],
  ["the board has {0} ranks, but {1} are given", "le plateau a {0} rangées, le texte en a {1}"],
  ["rank {0} is too long: it has {1} squares", "la rangée {0} est trop longue : elle a {1} cases"],
  ["rank {0} is too short: {1} squares are given, but it has {2}", "la rangée {0} est trop courte : {1} {1:case|cases} au lieu de {2}"],
  ["the side to move is missing after the board: expected {0}", "il manque le camp au trait après le plateau : {0}"],
  ["expected a position or moves", "il faut une position ou des coups"],
  ["tag {0}: expected [Name \"value\"] on one line", "étiquette {0} : attendu [Nom \"valeur\"] sur une ligne"],
  ["the game has more than {0} words", "la partie a plus de {0} mots"],
  ["')': there is no variation to close", "« ) » : aucune variante à fermer"],
  ["comment: '{' without a '}' after it", "commentaire : « { » sans « } »"],
  ["variation: '(' without a ')' after it", "variante : « ( » sans « ) »"],
  ["variant {0}: expected {1}", "variante {0} : attendu {1}"],
  ["result {0}: by the rules the moves end in a draw", "résultat {0} : selon les règles, la partie est nulle"],
  ["result {0}: by the rules the moves end in a win for {1}", "résultat {0} : selon les règles, {1} gagne"],
  ["unexpected {0}: expected {1}", "{0} n'a pas sa place ici. Attendu : {1}"],
  ["unexpected {0}: a position ends with the side to move", "{0} est de trop : une position finit par le camp au trait"],
  ["{0}: expected a position, a board and the side to move", "{0} : attendu une position, plateau et camp au trait"],
  ["expected a position after 'fen'", "il manque une position après « fen »"],
  ["not a game: {0}", "ce n'est pas une partie : {0}"],
  ["the engine cannot be loaded", "le moteur n'a pas pu être chargé"],
  ["the engine has failed: {0}", "le moteur a échoué : {0}"],
  ["the text is longer than {0} MiB", "le texte dépasse {0} Mio"],
  ["'{0}' is illegal: the game is over", "« {0} » est illégal : la partie est terminée"],
  ["'{0}': the game is over", "« {0} » : la partie est terminée"],
  ["'{0}' is illegal: {1}; legal values{2}: {3}", "« {0} » est illégal : {1}. Valeurs possibles : {3}"],
  ["'{0}' is illegal: {1}; legal {2}: {3}", "« {0} » est illégal : {1}. Cases possibles : {3}"],
  ["'{0}' is incomplete: which {1}? {2}", "« {0} » est incomplet. À choisir : {2}"],
  ["'{0}' is not a move: {1}; expected {2}", "« {0} » n'est pas un coup. Attendu : {2}"],
  ["'{0}' is not a move: {1}", "« {0} » n'est pas un coup"],
];

/** Words of the reasons. @type {Record<string, string[]>} */
const WORDS = {
  "a digit from 1 to 7, a piece (O I Y X o i y x) or '*'": ["", "un chiffre de 1 à 7, une pièce (O I Y X o i y x) ou « * »"],
  "x or x1 to x6 for empty squares, b or w with a value from 1 to 3, and for a stack ':' and its height from 2 to 36":
    ["", "x ou x1 à x6 pour des cases vides, b ou w avec une valeur de 1 à 3, et pour une pile « : » et sa hauteur de 2 à 36"],
  "the totem cannot go to that square": ["", "le totem ne peut pas y aller"],
  "a piece goes on a free square next to the totem's new one, or on any free square when none is free there":
    ["", "la pièce se pose sur une case libre à côté du totem, ou sur n'importe quelle case libre si aucune ne l'est là"],
  "no piece of that value is left in reserve": ["", "il ne reste pas de pièce de cette valeur"],
  "there is nothing on the starting square": ["", "la case de départ est vide"],
  "the top pawn on the starting square is the opponent's": ["", "le pion du dessus est à l'adversaire"],
  "a move ends on an occupied square": ["", "un coup finit sur une case occupée"],
  "a single pawn lands only on a single pawn, a stack only on a stack": ["", "un pion seul va sur un pion seul, une pile sur une pile"],
  "no route of exactly as many steps as the top pawn's value leads there": ["", "aucun trajet d'autant de pas n'y mène"],
  "no legal move is written like that": ["", "aucun coup légal ne s'écrit ainsi"],
  "the totem's new square, the piece's square and its value (o i y x, or 1 2 3 4), as in d5e5x or d5 e5 4":
    ["", "la case où va le totem, celle de la pièce et sa valeur (o i y x, ou 1 2 3 4), par exemple d5e5x ou d5 e5 4"],
  "the starting square and the destination, as in a4c6 or a4 c6": ["", "la case de départ et la case d'arrivée, par exemple a4c6 ou a4 c6"],
  White: ["White", "Blanc"], Black: ["Black", "Noir"], Red: ["Red", "Rouge"], white: ["white", "de Blanc"], black: ["black", "de Noir"], red: ["red", "de Rouge"],
};

/** @param {string} french @returns {string} with no-break spaces at its marks */
function bound(french) {
  return french.replace(/ (?=[;?!%])/g, "\u202f").replace(/ (?=[:»])/g, "\u00a0").replaceAll("« ", "«\u00a0");
}

/** What a string looks like with any values. @param {string} form */
function pattern(form) {
  return new RegExp(`^${form.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d\}/g, "(.+?)")}$`);
}

/** @param {string} text @param {string[]} values */
function put(text, values) {
  return text.replace(/\{(\d)(?::(.*?)\|(.*?))?\}/g, (_, i, one, other) => {
    const value = values[Number(i)] ?? "";
    return one === undefined ? value : Number(value) < 2 ? one : other;
  });
}

/** What the server says, in the chosen language as far as it is known. @param {string} told @returns {string} */
export function reason(told) {
  // Nobody counts bytes on a page.
  const text = told.replace(/^position: /, "").replace(/ at byte \d+/, "");
  if (language !== "fr") return text.replace("no totem '*'", "no totem");
  const within = /^(move|line|position) (\d+|'.*?'): (.*)$/.exec(text);
  const places = /** @type {Record<string, string>} */ ({ move: "coup", line: "ligne", position: "position" });
  if (within) return bound(`${places[within[1]]} ${within[2]} : ${reason(within[3])}`);
  for (const row of REASONS) {
    const found = pattern(row[0]).exec(text);
    if (!found) continue;
    const values = found.slice(1).map((word) => WORDS[word]?.[1] ?? word.replaceAll(" or ", " ou ").replace(/'(.*?)'/g, "« $1 »"));
    return bound(put(row[1], values));
  }
  return text;
}
