// The messages of the worker `totemic.js`.
//
//     const engine = new Worker("totemic.js") as TotemicWorker;

/** What the worker takes: lines of UGI, a question about positions and games, or before all else the module. */
export type ToTotemic = string | (Question & { call: number }) | { ask: "enough" } | (WebAssembly.Module & object & { ask?: never; call?: never });

/** What it says: a line of UGI, or the reply to the question of the same number. */
export type FromTotemic = string | Reply;

export interface TotemicWorker extends Worker {
  postMessage(message: ToTotemic): void;
  onmessage: ((this: Worker, event: MessageEvent<FromTotemic>) => unknown) | null;
}

export type Game = "yoxii" | "hokito";

/** A move in the notation of the protocol, or moves that could have been played instead of the one before. */
export type Variation = string | Variation[];

export type Question =
  /** What holds after some moves: `Facts`. */
  | { ask: "position"; game: Game; fen: string; moves: string[] }
  /** What holds at a random start: `Facts`. */
  | { ask: "random"; game: Game; scattered: boolean; seed: number }
  /** Why the last of one or two squares that are pressed is no part of a move: `Refusal`, or `null` if it is one. */
  | { ask: "refusal"; game: Game; fen: string; squares: string[] }
  /** A move in any form that people write: a move in the notation of the protocol. */
  | { ask: "typed"; game: Game; fen: string; text: string }
  /** The games of a PGN, a journal or lines of moves: `ReadGame[]`. */
  | { ask: "read"; game: Game; text: string }
  /** A game as PGN: a text. */
  | { ask: "write"; game: Game; fen: string; tree: Variation[]; players: [string, string]; date: string; ended: [string, string] | null }
  /** A text as a QR code: the dark modules as the path of an SVG, `{ size: number, path: string }`. */
  | { ask: "qr"; text: string }
  /** The winning chances at which each advantage begins: `[number, string][]`. */
  | { ask: "advantages" }
  /** A game judged move by move, `millis` for each position: what `totemic review --json` prints. */
  | { ask: "review"; game: Game; fen: string; moves: string[]; millis: number };

/** Of one question come any number of replies with `progress` and then one of the others. */
export interface Reply {
  call: number;
  answer?: Facts | ReadGame[] | string | object;
  error?: string;
  progress?: { done: number; total: number; judged: object | null };
}

/** A reason, and the value on top of what would move where it matters. */
export interface Refusal {
  why: string;
  steps?: number;
}

/** What holds in a position; pairs are for the first and the second side. */
export interface Facts {
  fen: string;
  side: "p1" | "p2";
  /** The legal moves; none: the game is over. */
  moves: string[];
  /** The squares that each of the moves passes. */
  routes: string[][];
  /** The squares that the move before passed. */
  last_route: string[];
  score: [number, number];
  /** The squares that give these points. */
  counted: [Counted[], Counted[]];
  /** The stacks with the sides of their pawns, from the bottom to the top; `null` where nobody knows. */
  stacks: { square: string; pawns: ("p1" | "p2" | null)[] }[];
  /** The most pawns that a stack may have, in games with stacks. */
  tallest: number | null;
  /** Pieces left of each value, in games with a reserve. */
  reserves: [number[], number[]] | null;
  result: "p1win" | "p2win" | "draw" | "none";
  /** What decided a game that is over. */
  decision: "points" | "pieces" | "nothing" | null;
  /** What decides at equal points. */
  pieces: [number, number];
}

export interface Counted {
  square: string;
  points: number;
}

export type ReadGame =
  | { why: string }
  | { game: Game; fen: string; moves: string[]; tree: Variation[]; players: [string, string]; result: string; reason: string };
