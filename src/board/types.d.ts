// The types that several modules of the page share.

type App = import("./page/app.js").App;
type Game = import("./page/tree.js").Game;
type GameNode = import("./page/tree.js").Node;
type Hub = import("./page/transport.js").Hub;
type Mode = import("./page/mode.js").Mode;
type Page = import("./page/page.js").Page;

// What the library that draws the panels works with.
type VNode = import("./page/vendor/preact.js").VNode;
type Child = import("./page/vendor/preact.js").Child;

// What the library answers: the package for other pages describes it.
type Facts = import("../wasm/totemic.js").Facts;
type Counted = import("../wasm/totemic.js").Counted;
type GameName = import("../wasm/totemic.js").Game;
type Side = Facts["side"];
/** What an `info` line says about one variation; scores are for the side to move. */
type Info = NonNullable<ReturnType<typeof import("./page/engine.js").readInfo>>;
type Fault = import("../wasm/totemic.js").Fault;

/** What stands on a square: `side` is null for the totem. */
type Piece = { side: Side | null; value: number; height: number };
type Picture = { pieces: Map<string, Piece>; side: Side };
/** What an engine thought of a position: odds of player one, from 0 to 1. */
type Judgement = { odds: number; text: string; depth: number; proved: boolean; by?: number };
/** A move, or a line instead of the move before it. */
type Twig = import("../wasm/totemic.js").Variation;
/** A game that the library has read, as it answers to `read`, and one that it cannot read. */
type ReadGame = Exclude<import("../wasm/totemic.js").ReadGame, { why: string }>;
type UnreadGame = Extract<import("../wasm/totemic.js").ReadGame, { why: string }>;
/** A player as kept with a game; an engine has a level from 0 to 20. */
type Player = string | { name: string; level: number };

/** What a review says of a game as a whole; pairs are for the first and the second side. */
interface GameReport {
  /** The plies that the game had. */
  plies: number;
  complete: boolean;
  accuracy: [Accuracy, Accuracy];
  /** The ply of the move from which on the winner was ahead. */
  decided: number | null;
  result: string | null;
}
type Accuracy = { lost_a_move: number | null; marks: number[]; proved_points_a_move: number | null; proved_moves: number };

type ModeName = "play" | "learn" | "analyse" | "setup" | "review" | "watch" | "rules";
type Room = "play" | "watch" | "learn" | "study";
/** What kind of thing has changed; "move" is a move whose position is not known yet. */
type Change = "all" | "board" | "move" | "lines" | "clock";
/** How a square is pressed. */
type How = "touch" | "drag" | "key";
/** What comes of a press: a whole move, or the squares of which the last is refused, or nothing yet. */
type Deed = { move?: string; refused?: string[] };

/** What the state of the page asks of the page, and what it tells. */
interface Hooks {
  /** The mode that is shown. */
  mode: () => Mode;
  /** Called when a move is made here, by a person or by an engine. */
  onMove: () => void;
  /** Called when the list of games changes. */
  onFile: () => void;
  /** Called before another board is shown, or when the game goes on in another tab. */
  onLeave: () => void;
}

type Settings = ReturnType<typeof import("./page/store.js").defaults> & {
  /** The language, if one was chosen. */
  language?: string;
};

interface Timing {
  /** "move" lets people take their time. */
  time: "move" | "clock";
  /** The seconds that an engine takes for each move. */
  seconds: number;
  minutes: number;
  /** In seconds. */
  increment: number;
  /** Whether the clock is none of those offered. */
  own: boolean;
}

interface Opponent {
  engine: number;
  /** From 0 to 20. */
  level: number;
  /** The side that the person plays. */
  side: Side | "lot";
  /** Whether two people play. */
  two: boolean;
  /** The names of two people. */
  names: [string, string];
  /** Whether a friend elsewhere plays, by link. */
  far?: boolean;
  /** The person's own name there, and that of the friend. */
  self?: string;
  friend?: string;
  /** Whether the board turns to whom of the two is to move. */
  turns: boolean;
  /** The clock of games of the other kind: of two people, or against the computer. */
  other?: Timing;
  start: "standard" | "rows" | "scattered";
}

/** A notice above the board. It makes its sentence when it is shown: the player may have chosen another language by then. */
type Notice = { key: string; say: () => string; act?: { label: string; run: () => void } };

/** Says why something was not done, in the language that is spoken by then; null if it was done. */
type Why = (() => string) | null;

/** How a game ended otherwise than by the rules, and after how many plies; `side` has lost, nobody if it is null. */
type Ending = { why: string; side: Side | null; ply?: number };

interface Match {
  kind: "play" | "watch";
  /** Who plays each side; null is a person. */
  engines: [number | null, number | null];
  /** The levels of engines. */
  levels: [number, number];
  /** Whether the board turns to whom of two people is to move. */
  turns?: boolean;
  time: "move" | "clock";
  seconds: number;
  /** In milliseconds, as is the increment. */
  clocks: [number, number];
  increment: number;
  /** How it ended otherwise than by the rules. */
  ended: { why: "resigned" | "flag"; side: Side } | null;
  /** Whether the rules ended it. */
  over?: boolean;
  /** The seat of the person here, whose friend plays elsewhere. */
  mine?: 0 | 1;
  /** How many moves the friend may know from links, and whether the next link asks to take back the last one. */
  sent?: number;
  asks?: boolean;
  /** Whether it goes on when its mode is shown. */
  on: boolean;
  /** How to play such a game once more. */
  again?: { asked: Settings["play"]; from?: string };
}

/** A game and how it is played. */
type Board = { room: Room; game: Game; match: Match | null; flipped: boolean };

/** A game of the list. What was added to it while it was studied is kept beside it, so that it can still be played on. */
interface Kept {
  id: string;
  /** When it began, in milliseconds. */
  date: number;
  name: GameName;
  players: [Player, Player];
  match: Match | null;
  moves: number;
  /** The last position. */
  fen: string;
  flipped: boolean;
  /** "p1win", "p2win", "draw" or "none". */
  result: string;
  /** As it was played, and as it was studied. */
  game?: any;
  study?: any;
}

/** What a link says of a game with a friend elsewhere. */
interface Letter {
  /** By which both pages know the game. */
  id: string;
  name: GameName;
  /** The position in which it began. */
  fen: string;
  moves: string[];
  /** The names, empty if unknown. */
  players: [string, string];
  /** How it ended otherwise than by the rules. */
  ended: { why: "resigned"; side: Side } | null;
  /** Whether the sender asks to take back the last move. */
  asks: boolean;
}

type Look = typeof import("./page/look.js").YOXII.light;

interface Arrow {
  move?: string;
  from: string;
  to: string;
  /** All squares that it passes; without it, it is straight. */
  route?: string[];
  text?: string;
  /** 0 is the best. */
  rank?: number;
  /** Whether it is a mistake. */
  isWrong?: boolean;
  /** A piece to be placed. */
  piece?: { square: string; value: number; side: Side };
}

/** What the board shows. */
interface Scene {
  game: GameName;
  fen: string;
  look: Look;
  /** Whether the second side sits below. */
  flipped: boolean;
  /** The move that led here, and where the totem stood before. */
  last?: string;
  lastFrom?: string;
  /** The squares of a route to be drawn, and those that the last move passed. */
  route?: string[];
  lastRoute?: string[];
  /** Squares that may be pressed next, and those where what is pointed at could go. */
  targets?: string[];
  reach?: string[];
  /** What is said of the square that is pointed at, and the sides of the pawns in its stack, from below. */
  tip?: { square: string; text: string; pawns?: (Side | null)[] };
  /** A piece that may come. */
  ghost?: { square: string; piece: Piece };
  /** A square that was pressed in vain. */
  refused?: string;
  /** Squares that have counted at the end of the game. */
  lit?: Lit[];
  /** The way to here from the position that was shown before. */
  travel?: { route: string[]; back: boolean };
  /** Squares that give points, and what lies in the stacks. */
  counted?: Counted[];
  stacks?: Facts["stacks"];
  chosen?: string;
  /** The odds of the best move to a square. */
  heats?: Map<string, number>;
  arrows?: Arrow[];
}
type Lit = Counted & { side: Side };
