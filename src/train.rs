//! Learning an evaluation from the engine's own games.
//!
//! `datagen` plays games ([`selfplay`]) and keeps them in journals ([`games`]), with the
//! score that the search gave each position and, near the end, the result according to
//! the exact solver. `fit` finds the weights with which the static value predicts the
//! results best ([`fit`], [`optimizer`]), and what the scores of searches mean
//! ([`odds`]).
//!
//! # How the weights in the program were made
//!
//! ```text
//! totemic datagen --game hokito --games 56960 --nodes 3000 --seed 14 --eval-file before.weights --out hokito.jsonl
//! totemic fit --data hokito.jsonl --held-out held.jsonl --out weights.bin --result-share 0.5 --epochs 5 --ridge 3e-5
//!
//! totemic datagen --game yoxii --games 62080 --nodes 3000 --seed 44 --eval-file before.weights --out four.jsonl
//! totemic fit --data four.jsonl --held-out held.jsonl --out four.weights --result-share 0.5 --epochs 6
//! totemic datagen --game yoxii --games 41728 --nodes 3000 --seed 45 --eval-file four.weights --out five.jsonl
//! totemic fit --data four.jsonl five.jsonl --held-out held.jsonl --out weights.bin --result-share 0.5 --epochs 6 --ridge 1e-5
//! ```
//!
//! This takes an hour of processor time. The weights are under the licence of the program
//! (MIT); `totemic --version` names them by their checksum. The meaning of a score
//! depends on the weights and on the nodes of a search. Therefore the odds were fitted
//! last, to games played with these weights and seven times the nodes:
//!
//! ```text
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 507 --eval-file weights.bin --out odds.jsonl
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 508 --eval-file weights.bin --out more.jsonl
//! totemic fit --odds-only --data odds.jsonl more.jsonl --out weights.bin
//! ```
//!
//! (3,200 and 2,400 games for Yoxii). The games for the weights were kept in binary
//! files, whose SHA-256 begin with `c02c636d1773a939` (Hokito), `fbd889da07e9fcf1`
//! (`four`) and `b88f01e7c0f1e34d` (`five`). `held.jsonl` contains the frozen games of
//! `benches/experiments/training.md`; a fit learns nothing from them except which of its
//! epochs is the best.
//!
//! `before.weights` lack the features for Yoxii's patterns and for Hokito's three in a row;
//! `benches/experiments/training.md` says how they were made.
//!
//! # More games than one machine plays
//!
//! Each machine plays a part, with `--shard`. `fit` and `data` read any number of parts
//! together and count each game once:
//!
//! ```text
//! parallel totemic datagen --games 100000 --shard {}/8 --out part{}.jsonl --resume ::: 1 2 3 4 5 6 7 8
//! totemic data info part*.jsonl
//! totemic fit --data part*.jsonl --out weights.bin
//! ```
//!
//! The same as a Slurm job array, which can be cancelled, requeued and submitted again:
//!
//! ```sh
//! #!/bin/sh
//! #SBATCH --array=1-8 --requeue
//! totemic datagen --games 100000 --seed 1 --shard $SLURM_ARRAY_TASK_ID/8 \
//!     --out part$SLURM_ARRAY_TASK_ID.jsonl --resume
//! ```
//!
//! 60,000 games take 40 to 50 MB on disk, two seconds to read and check, and 270 MB of memory. A
//! fit also holds all positions in memory (`fit --help`). If that is too much, let it take a
//! random sample:
//!
//! ```text
//! totemic fit --data part*.jsonl --max-positions 4000000 --out weights.bin --epochs 100 --patience 3 --checkpoint fit.checkpoint
//! ```
//!
//! This fit ends after three epochs in a row that are no better. If it is killed, the
//! same command continues it.
//!
//! Other tools can fit weights as well: `totemic data dump --features` prints the
//! features of each position, `totemic data weights --classes` says what the features are
//! and what they weigh, and `src/engine/search/eval/weights_file.rs` describes the file.
//! `tests/other_trainer.py` is a small example.
//!
//! # From nothing but the rules
//!
//! `datagen --eval-file zero` plays with an evaluation that considers every position
//! even, and `fit --without-terms` gives the terms written by hand no weight, so that
//! only classes, results and proofs are left. Repeat this, each time with all games
//! except the first:
//!
//! ```text
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 41 --eval-file zero --out z1.jsonl
//! totemic fit --data z1.jsonl --without-terms --out z1.weights
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 42 --eval-file z1.weights --out z2.jsonl
//! totemic fit --data z2.jsonl --without-terms --result-share 0.5 --out z2.weights
//! ```
//!
//! `benches/experiments/training.md` has the results: what this and other fits were
//! worth, the games that judge every fit, and for which players the odds hold.

pub(crate) mod calibration;
pub(crate) mod fit;
pub(crate) mod games;
mod odds;
pub(crate) mod optimizer;
pub(crate) mod selfplay;
