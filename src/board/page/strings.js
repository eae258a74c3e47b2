// Every string of the page, a column for each language.

export const LANGUAGES = ["en", "fr"];

/** @type {Record<string, [string, string]>} */
const TABLE = {
  play: ["Play", "Jouer"],
  learn: ["Learn", "Apprendre"],
  analyse: ["Analyse", "Analyser"],
  setup: ["Set up", "Position"],
  review: ["Review", "Bilan"],
  watch: ["Watch", "Regarder"],
  rules: ["Rules", "Règles"],
  modes: ["Mode", "Mode"],
  game: ["Game", "Jeu"],
  yoxii: ["Yoxii", "Yoxii"],
  hokito: ["Hokito", "Hokito"],
  "yoxii.p1": ["White", "Blanc"],
  "yoxii.p2": ["Red", "Rouge"],
  "yoxii.p2.clear": ["Blue", "Bleu"],
  "hokito.p1": ["Black", "Noir"],
  "hokito.p2": ["White", "Blanc"],
  board: ["Board", "Plateau"],
  newGame: ["New game", "Nouvelle partie"],
  start: ["Start", "Commencer"],
  opponent: ["Opponent", "Adversaire"],
  level: ["Level", "Niveau"],
  youPlay: ["You play", "Vous jouez"],
  byLot: ["chosen at random", "tiré au sort"],
  begins: ["{0} (begins)", "{0} (commence)"],
  computer: ["The computer", "L'ordinateur"],
  twoPeople: ["Two people here", "À deux, ici"],
  name: ["Name", "Nom"],
  player: ["Player", "Joueur"],
  namesFirst: ["Type both names first.", "Saisissez d'abord les deux noms."],
  lot: ["{0} plays {1} and begins.", "{0} joue {1} et commence."],
  drawLots: ["Pick at random", "Tirer au sort"],
  turns: ["Flip the board after each move", "Tourner le plateau après chaque coup"],
  atLevel: ["{0}, level {1}", "{0}, niveau {1}"],
  atFull: ["{0}, full strength", "{0}, force maximale"],
  "level.beginner": ["beginner", "débutant"],
  "level.easy": ["easy", "facile"],
  "level.medium": ["medium", "moyen"],
  "level.strong": ["strong", "fort"],
  "level.expert": ["very strong", "très fort"],
  "level.full": ["full strength", "force maximale"],
  clocks: ["Clock", "Pendule"],
  noClock: ["no clock", "sans pendule"],
  ownClock: ["custom…", "autre cadence…"],
  minutes: ["Minutes for each side", "Minutes par camp"],
  increment: ["Seconds added per move", "Secondes ajoutées par coup"],
  enginesThink: ["The computer thinks for", "L'ordinateur réfléchit"],
  perMove: ["{0} s a move", "{0} s par coup"],
  clock: ["{0} min + {1} s", "{0} min + {1} s"],
  position: ["Start from", "Départ"],
  standard: ["usual start", "départ habituel"],
  usual: ["Usual start", "Départ habituel"],
  rows: ["random, in rows", "au hasard, en rangées"],
  scattered: ["random, scattered", "au hasard, éparpillé"],
  takeback: ["Take back", "Annuler le coup"],
  hintLooks: ["Looking for a hint…", "Recherche d'un conseil…"],
  hintMove: ["Hint: {0}.", "Conseil : {0}."],
  "words.yoxii": ["totem to {0}, {2} to {1}", "totem en {0}, {2} en {1}"],
  "words.hokito": ["{0} to {1}", "{0} vers {1}"],
  hint: ["Hint", "Conseil"],
  resign: ["Resign", "Abandonner"],
  resignSure: ["Really resign?", "Vraiment abandonner ?"],
  flip: ["Flip the board", "Retourner le plateau"],
  startFirst: ["The computer moves first: press Start.", "L'ordinateur joue en premier : appuyez sur Commencer."],
  watchFirst: ["The computer can play both sides: press Start.", "L'ordinateur peut jouer les deux camps : lancez la partie."],
  watchStopped: ["The game is stopped.", "La partie est arrêtée."],
  earlierWaits: ["This is an earlier position. The game waits until you go on.", "Vous regardez une position antérieure. La partie attend que vous repreniez."],
  earlier: ["This is an earlier position.", "Vous regardez une position antérieure."],
  waits: ["Your game of {0} is waiting under “{1}”.", "Votre partie de {0} attend sous « {1} »."],
  waitsClock: ["Your game of {0} is waiting under “{1}”, with stopped clocks.", "Votre partie de {0} attend sous « {1} », pendules arrêtées."],
  waitsHere: ["A game is waiting here.", "Une partie attend ici."],
  goBack: ["Go back to it", "Y retourner"],
  beginSure: ["Your current game is not over. It stays in your games, so you can continue it later.", "La partie en cours n'est pas finie. Elle reste dans vos parties, et vous pourrez la reprendre plus tard."],
  cancel: ["Cancel", "Annuler"],
  games: ["Your games", "Vos parties"],
  noGames: ["The games that you play here are kept here, in this browser.", "Les parties que vous jouez ici sont conservées ici, dans ce navigateur."],
  unfinished: ["Unfinished", "En cours"],
  studied: ["Analysis", "Analyse"],
  movesMade: ["{0} {0:move|moves}", "{0} {0:coup|coups}"],
  more: ["Show more", "Afficher la suite"],
  notSaved: ["{0} {0:game was|games were} not saved. {1}", "{0} {0:partie n'a pas été enregistrée|parties n'ont pas été enregistrées}. {1}"],
  exportGames: ["Save all as PGN", "Tout enregistrer en PGN"],
  delete: ["Delete", "Supprimer"],
  deleteGame: ["Delete this game", "Supprimer cette partie"],
  deleteSure: ["Delete this game for good?", "Supprimer définitivement cette partie ?"],
  deleteAll: ["Delete all", "Tout supprimer"],
  deleteAllSure: ["Delete all games in the list for good?", "Supprimer définitivement toutes les parties de la liste ?"],
  listFull: ["The browser has no room for more games: save your games as PGN and delete some.", "Le navigateur n'a plus de place : enregistrez vos parties en PGN et supprimez-en."],
  notText: ["This is not a text file. Open games as PGN, lines of moves, or the journal of a match.", "Ce n'est pas un fichier texte. Les parties sont en PGN, en lignes de coups ou dans le journal d'un match."],
  noGameIn: ["It contains no game and no position.", "Il n'y a là ni partie ni position."],
  notRead: ["This could not be read as a game or a position of Yoxii or Hokito.", "Ce texte n'a pu être lu ni comme une partie ni comme une position de Yoxii ou de Hokito."],
  someNotRead: ["{0} {0:game|games} could not be read.", "{0} {0:partie n'a pas pu être lue|parties n'ont pas pu être lues}."],
  notPosition: ["This is not a position. Write the board and then the side to move, as in {0}", "Ce n'est pas une position. Écrivez le plateau, puis le camp au trait, par exemple {0}"],
  brokenLink: ["This link is broken: it leads to no position.", "Ce lien est abîmé : il ne mène à aucune position."],
  positionNumber: ["position {0}: {1}", "position {0} : {1}"],
  lineNumber: ["line {0}: {1}", "ligne {0} : {1}"],
  noMoves: ["No moves yet.", "Aucun coup pour l'instant."],
  watchHere: ["Watch from here", "Regarder à partir d'ici"],
  watchOn: ["Continue", "Reprendre"],
  toMove: ["{0} to move", "Au tour de {0}"],
  yourMove: ["Your move, {0}", "À vous, {0}"],
  thinks: ["{0} is thinking…", "{0} réfléchit…"],
  totemFirst: ["{0}: where does the totem go?", "{0} : où va le totem ?"],
  "next.yoxii": ["{0}: now place a piece, {1} or another one from your reserve", "{0} : posez une pièce, {1} ou une autre de la réserve"],
  "next.hokito": ["{0}: now choose where it goes", "{0} : choisissez la case d'arrivée"],
  points: ["Points", "Points"],
  reserve: ["Reserve of {0}", "Réserve de {0}"],
  pieceOf: ["piece of value {0}, {1} left", "pièce de valeur {0}, il en reste {1}"],
  typed: ["Type a move", "Votre coup"],
  typedHow: ["such as {0}", "p. ex. {0}"],
  go: ["Play", "Jouer"],
  free: ["free", "libre"],
  totem: ["totem", "totem"],
  single: ["{0} {1}", "{0} {1}"],
  stack: ["{0} {1}, stack of {2}", "{0} {1}, pile de {2}"],
  below: ["below: {0} {1}, {2} {3}", "en dessous : {0} {1}, {2} {3}"],
  canGo: ["possible", "possible"],
  touchAgain: ["Touch the square again to move there.", "Touchez de nouveau la case pour y aller."],
  "no.totem-stays": ["the totem has to move.", "le totem doit changer de case."],
  "no.totem-needs-free": ["the totem needs a free square.", "le totem ne va que sur une case libre."],
  "no.totem-needs-line": ["the totem moves along a row, a column or a diagonal.", "le totem se déplace en ligne, en colonne ou en diagonale."],
  "no.totem-meets-other": ["the totem cannot jump over the other side's pieces.", "le totem ne saute pas par-dessus les pièces adverses."],
  "no.totem-too-far": ["the totem moves one square, or jumps over your own pieces to the first square behind them.", "le totem avance d'une case, ou saute par-dessus vos pièces jusqu'à la première case derrière elles."],
  "no.piece-needs-free": ["a piece needs a free square.", "une pièce se pose sur une case libre."],
  "no.piece-needs-totem": ["the piece goes next to the totem while a square is free there.", "la pièce se pose à côté du totem tant qu'une case y est libre."],
  "no.nothing": ["choose one of your pawns or stacks first.", "choisissez d'abord un de vos pions ou une de vos piles."],
  "no.other-on-top": ["your own pawn must be on top.", "le pion du dessus doit être à vous."],
  "no.no-way": ["no route of exactly {0} {0:step|steps} ends on a square where it can stop.", "aucun trajet d'exactement {0} pas ne mène à une case où s'arrêter."],
  "no.needs-occupied": ["a move must end on a pawn or a stack.", "le trajet doit finir sur un pion ou une pile."],
  "no.needs-single": ["a single pawn must end on a single pawn.", "un pion seul doit finir sur un pion seul."],
  "no.needs-stack": ["a stack must end on a stack.", "une pile doit finir sur une pile."],
  "no.not-in-steps": ["no route of exactly {0} {0:step|steps} leads there.", "aucun trajet d'exactement {0} pas n'y mène."],
  isChosen: ["chosen", "choisi"],
  moved: ["{0} played {1}.", "{0} a joué {1}."],
  movedWords: ["{0}: {1}.", "{0} : {1}."],
  over: ["Game over", "Partie terminée"],
  youWin: ["You win", "Vous avez gagné"],
  youLose: ["You lose", "Vous avez perdu"],
  again: ["Play again", "Rejouer"],
  swapSides: ["Swap sides", "Échanger les camps"],
  wins: ["{0} wins", "{0} gagne"],
  draw: ["Draw", "Partie nulle"],
  "end.cannot": ["{0} cannot move.", "{0} ne peut plus jouer."],
  "end.yoxii": ["Next to the totem, {0} has {1} {1:point|points} and {2} has {3}.", "Autour du totem, {0} a {1} {1:point|points} et {2} en a {3}."],
  "end.pieces": ["The points are equal, so the number of pieces decides: {0} has {1} there and {2} has {3}.", "Les points sont égaux ; le nombre de pièces décide : {0} en a {1} et {2} en a {3}."],
  "end.nothing": ["The points are equal, and each side has {1} {1:piece|pieces} there.", "Les points sont égaux, et chacun a {1} {1:pièce|pièces} autour du totem."],
  "end.hokito": ["Each square is worth value times height: {0} has {1} {1:point|points} and {2} has {3}.", "Chaque case vaut valeur fois hauteur : {0} a {1} {1:point|points} et {2} en a {3}."],
  howEnded: ["How the game ended", "Fin de partie"],
  "rule.yoxii": ["Each side adds up the values of its pieces next to the totem. If the sums are equal, the side with more pieces there wins.", "Chaque camp additionne les valeurs de ses pièces autour du totem. À égalité, celui qui en a le plus gagne."],
  "rule.hokito": ["Each square scores value times height for the side whose pawn is on top.", "Chaque case rapporte valeur fois hauteur au camp dont le pion est au sommet."],
  nothing: ["nothing", "rien"],
  "lead.even": ["About even", "À peu près égal"],
  "lead.slight": ["{0} is slightly better", "{0} est un peu mieux"],
  "lead.clear": ["{0} is clearly better", "{0} est nettement mieux"],
  "lead.close": ["{0} is much better", "{0} a un grand avantage"],
  "lead.won": ["{0} has all but won", "{0} a pratiquement gagné"],
  ofHundred: ["{0}: {1}% wins, {2}% draws, {3}% losses", "{0} : {1} % de gains, {2} % de nulles, {3} % de pertes"],
  provedWins: ["{0} wins (proved)", "{0} gagne (prouvé)"],
  proved: ["{0} wins in at most {1} {1:move|moves} (proved)", "{0} gagne en {1} {1:coup|coups} au plus (prouvé)"],
  percent: ["{0}%", "{0} %"],
  worth: ["{0} {0:point|points}", "{0} {0:point|points}"],
  "end.resigned": ["{0} resigned.", "{0} a abandonné."],
  "end.flag": ["{0} ran out of time.", "{0} a perdu au temps."],
  first: ["First position", "Début de la partie"],
  back: ["Back", "Reculer"],
  forward: ["Forward", "Avancer"],
  last: ["Last position", "Fin de la partie"],
  moves: ["Moves", "Coups"],
  engineOn: ["Stop analysis", "Arrêter l'analyse"],
  engineOff: ["Start analysis", "Lancer l'analyse"],
  engine: ["Engine", "Moteur"],
  lines: ["Lines", "Lignes"],
  arrows: ["Arrows", "Flèches"],
  colours: ["Colour moves by value", "Colorer les coups selon leur valeur"],
  coloursHow: ["Blue: good winning chances; white: even; orange: poor.", "Bleu : bonnes chances de gain ; blanc : égales ; orange : faibles."],
  pointsHow: ["The dashed green line is the lead of {0} in points.", "La ligne verte pointillée est l'avance de {0} en points."],
  pointsToo: ["Show the lead in points", "Afficher l'avance en points"],
  depth: ["depth {0}, {1} positions/s", "profondeur {0}, {1} positions/s"],
  previewed: ["Preview: {0} {0:move|moves} ahead", "Aperçu : {0} {0:coup|coups} plus loin"],
  winIn: ["win {0}", "gagné {0}"],
  lossIn: ["loss {0}", "perdu {0}"],
  provedWin: ["proved win in {0} {0:move|moves}", "gain prouvé en {0} {0:coup|coups}"],
  provedLoss: ["proved loss in {0} {0:move|moves}", "perte prouvée en {0} {0:coup|coups}"],
  chances: ["{0}'s winning chances: {1}%", "chances de gain de {0} : {1} %"],
  provedDraw: ["proved draw", "nulle prouvée"],
  odds: ["Winning chances: {0} {1}%, {2} {3}%", "Chances de gain : {0} {1} %, {2} {3} %"],
  graph: ["Winning chances through the game", "Chances de gain au fil de la partie"],
  mainLine: ["Make this the main line", "En faire la ligne principale"],
  cut: ["Delete from here", "Supprimer à partir d'ici"],
  editBoard: ["Drag pieces to move them, or choose a piece here and then its squares; choose a square again to empty it.", "Faites glisser les pièces, ou choisissez une pièce ici, puis des cases ; choisir une case une seconde fois la vide."],
  toolMove: ["Move pieces", "Déplacer les pièces"],
  toolErase: ["Eraser", "Gomme"],
  emptyBoard: ["The board is empty: put some pieces on it.", "Le plateau est vide : posez-y des pièces."],
  alreadyOver: ["A legal position, but the game is already over.", "Position légale, mais la partie y est terminée."],
  sideFollows: ["The number of pieces determines which side moves.", "Le nombre de pièces impose ce camp."],
  heightRange: ["A height of {0} is not possible. Choose {1} to {2}.", "Hauteur {0} impossible : choisissez de {1} à {2}."],
  heightWanted: ["Choose a height from {1} to {2}.", "Choisissez une hauteur de {1} à {2}."],
  side: ["Side to move", "À qui de jouer"],
  empty: ["Empty the board", "Vider le plateau"],
  refused: ["Not a legal position yet: {0}", "Pas encore une position légale : {0}"],
  accepted: ["A legal position.", "Position légale."],
  usePlay: ["Play from here", "Jouer à partir d'ici"],
  useAnalyse: ["Analyse it", "Analyser"],
  fen: ["Position as text", "Position en texte"],
  heightUp: ["Height", "Hauteur"],
  share: ["Share and files", "Partage et fichiers"],
  copyFen: ["Copy position", "Copier la position"],
  copyGame: ["Copy game", "Copier la partie"],
  copyLink: ["Copy link", "Copier le lien"],
  paste: ["Paste a position or a game here", "Collez ici une position ou une partie"],
  load: ["Load", "Charger"],
  openFile: ["Open file", "Ouvrir un fichier"],
  saveFile: ["Save PGN", "Enregistrer en PGN"],
  saveSvg: ["Picture (SVG)", "Image (SVG)"],
  savePng: ["Picture (PNG)", "Image (PNG)"],
  qr: ["QR code", "Code QR"],
  qrHow: ["Scan it to continue this game on a phone.", "Scannez-le pour continuer la partie sur un téléphone."],
  noQr: ["There is no QR code here, as a phone cannot open this address.", "Pas de code QR ici : un téléphone ne peut pas ouvrir cette adresse."],
  cannotCopy: ["The browser does not let the page copy. Copy this text yourself.", "Le navigateur ne laisse pas la page copier. Copiez vous-même ce texte."],
  copied: ["Copied.", "Copié."],
  gamesInFile: ["Games in the file", "Parties du fichier"],
  severalGames: ["The file has {0} games, and this is the first. The others are listed below.", "Le fichier contient {0} parties, et voici la première. Les autres sont listées plus bas."],
  notLoaded: ["This part of the page cannot be loaded. Check the network and try again.", "Cette partie de la page ne se charge pas. Vérifiez le réseau et réessayez."],
  startReview: ["Review this game", "Faire le bilan de la partie"],
  stopReview: ["Stop", "Arrêter"],
  nextMistake: ["Next mistake", "Erreur suivante"],
  prevMistake: ["Previous mistake", "Erreur précédente"],
  noMistake: ["Nobody made a mistake that changed the game.", "Personne n'a commis d'erreur décisive."],
  reviewing: ["Reviewing position {0} of {1}…", "Examen de la position {0} sur {1}…"],
  quiz: ["Find better moves", "Trouver mieux"],
  quizAsk: ["{0} played {1} here. Find a better move.", "{0} a joué {1} ici. Trouvez un meilleur coup."],
  quizRight: ["Correct.", "Bien joué."],
  quizAsGood: ["Correct: it is as good as the best move.", "Bien joué : ce coup vaut le meilleur."],
  quizPlayed: ["That is what was played. Try again.", "C'est le coup de la partie. Réessayez."],
  quizLooks: ["Looking at this move…", "Examen de ce coup…"],
  quizWrong: ["Not this one. Try again, or show the answer.", "Ce n'est pas ça. Réessayez, ou demandez la solution."],
  quizBest: ["The best move was {0}.", "Le meilleur coup était {0}."],
  quizCount: ["(question {0} of {1})", "(question {0} sur {1})"],
  quizScore: ["{0} of {1} right.", "{0} sur {1} {0:trouvé|trouvés}."],
  quizAskYou: ["You played {0} here. Find a better move.", "Vous avez joué {0} ici. Trouvez un meilleur coup."],
  quizDone: ["That was the last question. You found {0} of {1} better moves.", "C'était la dernière question. Vous avez trouvé {0} {0:meilleur coup|meilleurs coups} sur {1}."],
  quizResult: ["See the result", "Voir le résultat"],
  quizNext: ["Next question", "Question suivante"],
  quizEnd: ["Back to the review", "Retour au bilan"],
  reviewAgain: ["Review again", "Refaire le bilan"],
  accuracy: ["{0}: accuracy {1}% ({2}).", "{0} : précision {1} % ({2})."],
  accuracyHow: ["Accuracy is 100% less the winning chances that a move gave away on average.", "La précision est de 100 % moins les chances de gain perdues par coup en moyenne."],
  "count.blunder": ["{0} {0:blunder|blunders}", "{0} {0:gaffe|gaffes}"],
  "count.mistake": ["{0} {0:mistake|mistakes}", "{0} {0:erreur|erreurs}"],
  "count.inaccuracy": ["{0} {0:inaccuracy|inaccuracies}", "{0} {0:imprécision|imprécisions}"],
  "count.none": ["no error", "aucune erreur"],
  decided: ["{0} was ahead for good from {1} {2}.", "{0} a mené jusqu'au bout à partir de {1} {2}."],
  turningPoints: ["Turning points", "Tournants de la partie"],
  allTurns: ["Show all {0} mistakes", "Afficher les {0} erreurs"],
  fewTurns: ["Show only the worst", "Afficher seulement les pires"],
  "only-move": ["only move", "coup unique"],
  best: ["best", "meilleur"],
  good: ["good", "bon"],
  inaccuracy: ["inaccuracy", "imprécision"],
  mistake: ["mistake", "erreur"],
  blunder: ["blunder", "gaffe"],
  judged: ["{0}: {1}.", "{0} : {1}."],
  playedHere: ["{0} played {1} here.", "{0} a joué {1} ici."],
  chancesGo: ["{0}'s winning chances go from {1}% to {2}%.", "{0} passe de {1} % à {2} % de chances de gain."],
  chancesStay: ["{0}'s winning chances stay at {1}%.", "{0} reste à {1} % de chances de gain."],
  "keeps.100": ["{0} keeps the win.", "{0} garde le gain."],
  "keeps.50": ["{0} keeps the draw.", "{0} garde la nulle."],
  "keeps.0": ["{0} was lost in any case.", "{0} était perdu de toute façon."],
  provedLossOf: ["The final score is {0} {0:point|points} worse (proved).", "Le score final est moins bon de {0} {0:point|points} (prouvé)."],
  better: ["{0} was better.", "{0} était meilleur."],
  watchStart: ["Start", "Lancer la partie"],
  watchStop: ["Stop", "Arrêter"],
  journal: ["Games of the match", "Parties du match"],
  journalNone: ["No game has finished yet.", "Aucune partie n'est terminée."],
  crashed: ["The engine {0} has stopped: {1}", "Le moteur {0} s'est arrêté : {1}"],
  hangs: ["The engine {0} is not responding.", "Le moteur {0} ne répond pas."],
  floods: ["The engine {0} wrote too much and was stopped.", "Le moteur {0} écrivait trop ; il a été arrêté."],
  nonsense: ["The engine {0} answered {1}, which is not a legal move.", "Le moteur {0} a répondu {1}, qui n'est pas un coup légal."],
  restart: ["Restart it", "Le relancer"],
  close: ["Close", "Fermer"],
  lost: ["Totemic is not running. Your game is saved and continues as soon as it is back.", "Totemic est arrêté. Votre partie est conservée et reprendra à son retour."],
  wrongToken: ["Totemic was restarted. Open the address that it printed, and your game continues here, too.", "Totemic a été relancé. Ouvrez l'adresse qu'il a affichée : votre partie reprendra ici aussi."],
  tooMany: ["Too many tabs show this board: close one of them.", "Trop d'onglets affichent ce plateau : fermez-en un."],
  browserFailed: ["The browser could not do this: {0}", "Le navigateur n'y est pas arrivé : {0}"],
  noEngine: ["The engine cannot be loaded; trying again…", "Impossible de charger le moteur ; nouvelle tentative…"],
  noStorage: ["This browser does not let the page keep anything: your game is lost when you close it.", "Ce navigateur ne laisse rien conserver à la page : votre partie sera perdue quand vous la fermerez."],
  newVersion: ["A new version is ready.", "Une nouvelle version est prête."],
  reload: ["Reload", "Recharger"],
  welcome: ["Welcome! Is this your first game?", "Bienvenue ! Première partie ?"],
  welcomeText: ["Start with an easy game. “Rules” explains the game at any time.", "Commencez par une partie facile. « Règles » explique le jeu à tout moment."],
  gentle: ["An easy game of {0}", "Une partie facile de {0}"],
  later: ["Look around first", "Explorer d'abord"],
  learnFirst: ["Learn by playing", "Apprendre en jouant"],
  lessons: ["Lessons", "Leçons"],
  puzzles: ["Puzzles", "Problèmes"],
  show: ["Show", "Solution"],
  next: ["Next", "Suivant"],
  skip: ["Skip", "Passer"],
  once: ["Once more", "Recommencer"],
  toPuzzles: ["Go to the puzzles", "Passer aux problèmes"],
  lessonsEnd: ["That was the last lesson.", "C'était la dernière leçon."],
  lessonSolved: ["Right.", "C'est cela."],
  lessonShown: ["This is the move.", "Voici le coup."],
  "puzzle.win": ["{0} to move: one move wins. Find it.", "{0} joue : un seul coup gagne. Trouvez-le."],
  "puzzle.draw": ["{0} to move: one move saves the draw. Find it.", "{0} joue : un seul coup sauve la nulle. Trouvez-le."],
  "only.win": ["No other move wins.", "Aucun autre coup ne gagne."],
  "only.draw": ["Every other move loses.", "Tous les autres coups perdent."],
  "answer.wrong": ["Not this one.", "Ce n'est pas ça."],
  "answer.reply": ["Not this one: {0} answers {1}.", "Ce n'est pas ça : {0} répond {1}."],
  "answer.loses": ["Not this one: {0} answers {1} and wins.", "Ce n'est pas ça : {0} répond {1} et gagne."],
  "answer.draws": ["Not this one: {0} answers {1} and draws.", "Ce n'est pas ça : {0} répond {1} et annule."],
  "answer.ends": ["Not this one: it ends the game. {0}.", "Ce n'est pas ça : la partie s'arrête là. {0}."],
  "answer.piece": ["Right squares, wrong piece.", "Bonnes cases, mauvaise pièce."],
  "answer.solved": ["Correct: {0}.", "Bien joué : {0}."],
  "answer.shown": ["It was {0}.", "C'était {0}."],
  grade: ["Difficulty", "Difficulté"],
  "grade.easy": ["easy", "facile"],
  "grade.medium": ["medium", "moyen"],
  "grade.hard": ["hard", "difficile"],
  ofGrade: ["{0} – {1} of {2} solved", "{0} – {1} sur {2} {1:résolu|résolus}"],
  daily: ["Puzzle of {0}", "Problème du {0}"],
  streak: ["Streak: {0}, best {1}.", "Série : {0}, record {1}."],
  dayStreak: ["{0} {0:day|days} in a row.", "{0} {0:jour|jours} de suite."],
  settings: ["Settings", "Réglages"],
  language: ["Language", "Langue"],
  theme: ["Theme", "Thème"],
  auto: ["same as the system", "comme le système"],
  light: ["light", "clair"],
  dark: ["dark", "sombre"],
  clear: ["Colour-blind mode", "Mode daltonien"],
  words: ["Moves in words", "Coups en toutes lettres"],
  motion: ["Animation", "Animation"],
  sound: ["Sound", "Son"],
  keys: ["Keys:", "Clavier :"],
  keysText: [
    "the left and right arrow keys step through the game; on the board, which Tab reaches, the arrow keys move over the squares, Enter presses one, Escape cancels, 1 to 4 choose a piece; , and . step back and forward, F flips the board, H gives a hint, A turns the analysis on and off, U takes back, M types a move.",
    "les flèches gauche et droite parcourent la partie ; sur le plateau, que Tab atteint, les flèches vont d'une case à l'autre, Entrée en choisit une, Échap annule, 1 à 4 choisissent une pièce ; , et . reculent et avancent, F retourne le plateau, H donne un conseil, A active ou désactive l'analyse, U annule le coup, M saisit un coup.",
  ],
  moveNumber: ["move {0}: {1}", "coup {0} : {1}"],
  you: ["you", "vous"],
  pair: ["{0}: {1}", "{0} : {1}"],
};

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

// French wants spaces before some marks, and no line may break there.
for (const row of [...Object.values(TABLE), ...REASONS, ...Object.values(WORDS)]) row[1] = bound(row[1]);

/** @param {string} french @returns {string} with no-break spaces at its marks */
function bound(french) {
  return french.replace(/ (?=[;?!%])/g, "\u202f").replace(/ (?=[:»])/g, "\u00a0").replaceAll("« ", "«\u00a0");
}

/** @type {Record<string, number>} */
const COLUMNS = Object.fromEntries(LANGUAGES.map((language, i) => [language, i]));
let column = 0;
/** Making a format is slow, and each string may want one. @type {Map<string, any>} */
const formats = new Map();

/** @template T @param {string} key @param {(language: string) => T} make @returns {T} the format of this language */
function format(key, make) {
  const whole = `${column} ${key}`;
  if (!formats.has(whole)) formats.set(whole, make(LANGUAGES[column]));
  return formats.get(whole);
}

/** @param {string} language */
export function speak(language) {
  column = COLUMNS[language] ?? 0;
  document.documentElement.lang = LANGUAGES[column];
}

/** @returns {string} the browser's language, if it is one of ours */
export function preferred() {
  for (const wanted of navigator.languages ?? []) {
    const short = wanted.slice(0, 2);
    if (LANGUAGES.includes(short)) return short;
  }
  return LANGUAGES[0];
}

/**
 * A string in the chosen language.
 * @param {string} key
 * @param {(string | number)[]} values for {0}, {1}, …; {0:point|points} is the word that goes with the first
 */
export function t(key, ...values) {
  return put(TABLE[key]?.[column] ?? key, values);
}

/** A player as kept with a game, in the chosen language: the level of an engine was written in that of its time. @param {string} name */
export function playerName(name) {
  for (const key of ["atLevel", "atFull"]) for (const form of TABLE[key]) {
    const found = pattern(form).exec(name);
    if (found) return t(key, ...found.slice(1));
  }
  return name;
}

/** What a string looks like with any values. @param {string} form */
function pattern(form) {
  return new RegExp(`^${form.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d\}/g, "(.+?)")}$`);
}

/** @param {string} text @param {(string | number)[]} values */
function put(text, values) {
  if (!text.includes("{")) return text;
  return text.replace(/\{(\d)(?::(.*?)\|(.*?))?\}/g, (_, i, one, other) => {
    const value = values[Number(i)] ?? "";
    if (one === undefined) return String(value);
    return format("plural", (language) => new Intl.PluralRules(language)).select(Number(value)) === "one" ? one : other;
  });
}

/** @param {string[]} words in each language @returns {string} those of the chosen one */
export function said(words) {
  return column === 0 ? words[0] : bound(words[column]);
}

/** What the server says, in the chosen language as far as it is known. @param {string} told @returns {string} */
export function reason(told) {
  // Nobody counts bytes on a page.
  const text = told.replace(/^position: /, "").replace(/ at byte \d+/, "");
  if (column === 0) return text.replace("no totem '*'", "no totem");
  const within = /^(move|line|position) (\d+|'.*?'): (.*)$/.exec(text);
  if (within) return t(`${within[1]}Number`, within[2], reason(within[3]));
  for (const row of REASONS) {
    const found = pattern(row[0]).exec(text);
    if (!found) continue;
    const values = found.slice(1).map((word) => WORDS[word]?.[column] ?? bound(word.replaceAll(" or ", " ou ").replace(/'(.*?)'/g, "« $1 »")));
    return put(row[column], values);
  }
  return text;
}

/** @param {number} points */
export function pointsOf(points) {
  return t("worth", points);
}

/** @param {number} time in milliseconds */
export function dateText(time) {
  const options = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  return format("date", (language) => new Intl.DateTimeFormat(language, options)).format(time);
}

/** A number with one decimal at most. @param {number} value @param {0 | 1} [least] decimals */
export function number(value, least = 0) {
  const options = { minimumFractionDigits: least, maximumFractionDigits: 1 };
  return format(`number ${least}`, (language) => new Intl.NumberFormat(language, options)).format(value);
}

/** Points of an evaluation with their sign. @param {number} value */
export function decimal(value) {
  const options = /** @type {const} */ ({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
  return format("decimal", (language) => new Intl.NumberFormat(language, options)).format(value).replace("-", "−");
}

/** A large number, shortened. @param {number} number */
export function thousands(number) {
  const options = /** @type {const} */ ({ notation: "compact", maximumSignificantDigits: 3 });
  return format("thousands", (language) => new Intl.NumberFormat(language, options)).format(number);
}
