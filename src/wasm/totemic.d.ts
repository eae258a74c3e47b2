// What the engine hears and says, in pages and in node.

/** What you send: a line of UGI, or a question about positions and games. */
export type ToTotemic =
  | string
  | (Question & { call: number })
  /** Ends the review that runs. */
  | { ask: "enough" }
  /** There are no more lines: the engine ends once it has answered. */
  | { ask: "over" };

/** What you get: a line of UGI, or a reply to the question with the same number. */
export type FromTotemic = string | Reply;

/** An engine that runs. */
export interface Totemic<W> {
  send(message: ToTotemic): void;
  /** Ends the engine at once. */
  end(): void;
  worker: W;
}

export type Game = "yoxii" | "hokito";

/** A move in the notation of the protocol, or a variation: moves that could replace the move before it. */
export type Variation = string | Variation[];

export type Question =
  /** The position after these moves, by default none: `Facts`. */
  | { ask: "position"; game: Game; fen: string; moves?: string[] }
  /** A random start: `Facts`. */
  | { ask: "random"; game: Game; scattered: boolean; seed: number }
  /** Why no move goes through the one or two squares that were pressed: `Refusal`, or `null` if one does. */
  | { ask: "refusal"; game: Game; fen: string; squares: string[] }
  /** A move as people write it: the same move in the notation of the protocol. */
  | { ask: "typed"; game: Game; fen: string; text: string }
  /** The games in a PGN, a journal or lines of moves: `ReadGame[]`. */
  | { ask: "read"; game: Game; text: string }
  /** A game as PGN: a text. */
  | { ask: "write"; game: Game; fen: string; tree: Variation[]; players: [string, string]; date: string; ended: [string, string] | null }
  /** A text as a QR code: the dark modules as the path of an SVG, `{ size: number, path: string }`. */
  | { ask: "qr"; text: string }
  /** The names of the advantages, each with the chances from which it holds: `[number, string][]`. */
  | { ask: "advantages" }
  /** A game judged move by move, `nodes` for each position: what `totemic review --json` prints. */
  | { ask: "review"; game: Game; fen: string; moves: string[]; nodes?: number };

/** Each question gets any number of replies with `progress`, then one with `answer` or `error`. */
export interface Reply {
  call: number;
  answer?: Facts | ReadGame[] | string | object;
  error?: string;
  /** The error for programs. */
  reason?: Fault;
  progress?: { done: number; total: number; judged: object | null };
}

/** An error for programs: what is wrong, and what its sentence speaks of. */
export type Fault = { why: string; [field: string]: any };

/** Why a square was refused; `steps` is the value of the pawn that would move, where that is the reason. */
export interface Refusal {
  why: string;
  steps?: number;
}

/** A position; in pairs, the first side comes first. */
export interface Facts {
  fen: string;
  side: "p1" | "p2";
  /** The legal moves; empty when the game is over. */
  moves: string[];
  /** The squares that each of the moves passes. */
  routes: string[][];
  /** The squares that the last move passed. */
  last_route: string[];
  score: [number, number];
  /** The squares that score these points. */
  counted: [Counted[], Counted[]];
  /** The stacks with the side of each pawn, from the bottom up; `null` where it is unknown. */
  stacks: { square: string; pawns: ("p1" | "p2" | null)[] }[];
  /** The greatest possible height of a stack, in games with stacks. */
  tallest: number | null;
  /** Pieces of each value left in the reserve, in games with a reserve. */
  reserves: [number[], number[]] | null;
  result: "p1win" | "p2win" | "draw" | "none";
  /** What decided the game, once it is over. */
  decision: "points" | "pieces" | "nothing" | null;
  /** The pieces that decide when points are equal. */
  pieces: [number, number];
}

export interface Counted {
  square: string;
  points: number;
}

export type ReadGame =
  | { why: string; reason: Fault }
  | { game: Game; fen: string; moves: string[]; tree: Variation[]; players: [string, string]; result: string; termination: Termination; reason: string };

/** How a game came to its end. */
export type Termination = "rules" | "time" | "resignation" | "agreement" | "adjudication" | "forfeit" | "untold" | "unfinished";
