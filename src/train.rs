//! Learning an evaluation from the engine's own games.
//!
//! `datagen` plays games ([`selfplay`]) and keeps them in journals ([`games`]), with the
//! score of each position by the search and, near the end, its result by the exact solver.
//! `fit` finds the weights with which the static value predicts the results best ([`fit`],
//! [`optimizer`]), and what the scores of searches mean ([`odds`]).
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
//! (MIT); `totemic --version` names them by their checksum. The meaning of a score depends
//! on the weights and on the nodes of a search. Therefore the odds were fitted last, to
//! games by these weights with seven times the nodes:
//!
//! ```text
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 507 --eval-file weights.bin --out odds.jsonl
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 508 --eval-file weights.bin --out more.jsonl
//! totemic fit --odds-only --data odds.jsonl more.jsonl --out weights.bin
//! ```
//!
//! (3,200 and 2,400 games of Yoxii). All this was done when games were kept in binary files,
//! with other names; their SHA-256 begin with `c02c636d1773a939` (Hokito),
//! `fbd889da07e9fcf1` (`four`) and `b88f01e7c0f1e34d` (`five`). They were stopped before
//! their end. `held.jsonl` has the frozen games below; a fit learns nothing from them but
//! which of its epochs is the best.
//!
//! `before.weights`, with checksum 83577578, are those of commit 806e570, which made the first
//! two files of games. They lack the features of Yoxii's patterns and of Hokito's three in a
//! row. They came from the evaluation written by hand by two generations of Hokito and three
//! of Yoxii, made likewise:
//!
//! ```text
//! totemic datagen --game hokito --games 21248 --nodes 3000 --seed 11 --eval-file classic --out one.jsonl
//! totemic fit --data one.jsonl --out one.weights
//! totemic datagen --game hokito --games 51328 --nodes 2000 --seed 12 --eval-file one.weights --out two.jsonl
//! ```
//!
//! A fit to results does not see that a search evaluates other positions than games have.
//! Therefore `before.weights` were then tuned by play: factors of the terms and of groups of
//! classes were moved towards what wins (`benches/tune/main.rs`, eight games of 2,000 nodes a
//! batch):
//!
//! ```text
//! cargo run --release --features measure --example tune -- hokito weights 7000 weights.bin weights.bin
//! ```
//!
//! Two runs of 59 and 38 thousand games of Yoxii, and 34 and 22 thousand of Hokito, changed no
//! weight of a term by more than 37 %; `benches/figures.md` has the gains. Tuning today's
//! weights gave none that were kept (`benches/experiments/alphabeta.md`).
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
//! fit also holds all positions in memory: about 370 MB for a million of Yoxii and 570 MB for a
//! million of Hokito. If that is too much, let it take a random sample:
//!
//! ```text
//! totemic fit --data part*.jsonl --max-positions 4000000 --out weights.bin --epochs 100 --patience 3 --checkpoint fit.checkpoint
//! ```
//!
//! This fit ends after three epochs without a better one. If it is killed, the same command
//! continues it.
//!
//! Other tools can fit weights as well: `totemic data dump --features` prints the features of
//! each position, `totemic data weights --classes` what they are and weigh, and
//! `src/search/eval/learned.rs` describes the file. `tests/other_trainer.py` is a small example.
//!
//! # For which players the odds hold
//!
//! The odds in the program hold for players that search 20,000 nodes a move. The fewer nodes,
//! the more games are turned around. Points made where the odds promised these, by all positions
//! that are not proved (`datagen --seed 777 --nodes N`, then `data calibration`; 600, 400, 120
//! and 40 games, so that the last two columns are rough):
//!
//! | game, points promised | 500 nodes | 2,000 | 20,000 | 100,000 |
//! | --- | --- | --- | --- | --- |
//! | Hokito, 14 % | 24 % | 29 % | 16 % | 3 % |
//! | Hokito, 86 % | 77 % | 74 % | 87 % | 92 % |
//! | Yoxii, 15 % | 25 % | 24 % | 14 % | 3 % |
//! | Yoxii, 85 % | 76 % | 75 % | 89 % | 95 % |
//!
//! A factor that grows with the logarithm of the nodes does not fit: it would be the same at
//! 500 and at 2,000 nodes. For other players, fit the odds to games of theirs, with
//! `fit --odds-only`.
//!
//! # From nothing but the rules
//!
//! `datagen --eval-file zero` plays with an evaluation that finds every position even, and
//! `fit --without-terms` gives the terms written by hand no weight, so that only classes,
//! results and proofs are left:
//!
//! ```text
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 41 --eval-file zero --out z1.jsonl
//! totemic fit --data z1.jsonl --without-terms --out z1.weights
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 42 --eval-file z1.weights --out z2.jsonl
//! totemic fit --data z2.jsonl --without-terms --result-share 0.5 --out z2.weights
//! ```
//!
//! and so on, each time with all games except the first. After four generations of Yoxii such
//! weights made 98 % of 96 games of 4,000 nodes against `zero` and 17 % against `classic`, -273
//! Elo [-363, -207]. The log loss of the results of held-out positions was .6757, that of the
//! value written by hand .6476: the classes alone do not know who is about to end the game.
//!
//! # The frozen positions
//!
//! Games of 20,000 nodes a move by the weights 83577578, 3,200 of Yoxii and 4,800 of Hokito, of
//! which none was learned from (`datagen --nodes 20000 --seed 505` of commit 806e570; SHA-256
//! 975a2478301cc892... and 1e47c7f90b7e07f3...), judge every fit since. Their results say more
//! of a position than those of quicker games. Log loss of those that are not proved, 31,899 and
//! 65,883 (`fit --odds-only --held-out` prints it):
//!
//! | | by hand | 83577578 | the same features, fitted to today's games | with patterns, or three in a row |
//! | --- | --- | --- | --- | --- |
//! | Yoxii | .5931 | .5734 | .5712 | .5582 |
//! | Hokito | .2924 | .2641 | .2571 | .2511 |
//!
//! # What mattered
//!
//! Log loss is not strength. Without proved positions the weights of the last knots are wild,
//! and nearly all games are lost (14 of 300 won in Hokito) at a lower loss. Counted once, thrice
//! and ten times, proved positions made 66, 66 and 61 % of the points in Hokito, and 55, 59 and
//! 60 % in Yoxii. Labels that are half what the search expected gained 51 Elo [-9, 114] in
//! Yoxii against results alone; with 0.3 of it they made 60 instead of 66 % in Hokito. Terms
//! kept as they are made 60 % in Hokito and 44 % in Yoxii. The first learned weights made
//! +198 -99 =3 in Hokito and +156 -105 =39 in Yoxii against those written by hand, at 4,000
//! nodes, of which 96 games are different and the rest the same again. Which classes lower the
//! loss stands in `benches/experiments/alphabeta.md`.

pub(crate) mod calibration;
pub(crate) mod fit;
pub(crate) mod games;
mod odds;
pub(crate) mod optimizer;
pub(crate) mod selfplay;
