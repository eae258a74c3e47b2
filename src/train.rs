//! Learning an evaluation from the engine's own games.
//!
//! Three steps, each a command: [`selfplay`] makes games with the value of each
//! position as the search and, near the end, the exact solver see it; [`data`]
//! keeps them in checksummed files that are cut, resumed, merged and shuffled; [`fit`]
//! finds the weights under which the static value foretells them best, and what the
//! scores of searches mean. The weights in the program were made by
//!
//! ```text
//! totemic datagen --game hokito --games 56960 --nodes 3000 --seed 14 --eval-file before.weights --out hokito.games
//! totemic fit --data hokito.games --held-out held.games --out weights.bin --result-share 0.5 --epochs 5 --ridge 3e-5
//!
//! totemic datagen --game yoxii --games 62080 --nodes 3000 --seed 44 --eval-file before.weights --out four.games
//! totemic fit --data four.games --held-out held.games --out four.weights --result-share 0.5 --epochs 6
//! totemic datagen --game yoxii --games 41728 --nodes 3000 --seed 45 --eval-file four.weights --out five.games
//! totemic fit --data four.games five.games --held-out held.games --out weights.bin --result-share 0.5 --epochs 6 --ridge 1e-5
//! ```
//!
//! which takes an hour of a processor, and are under the licence of the program (MIT).
//! What a score means depends on the weights, and on the nodes of a search; therefore the
//! odds were fitted last, to games by these weights with seven times the nodes, for each
//! game:
//!
//! ```text
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 507 --eval-file weights.bin --out odds.games
//! totemic datagen --game hokito --games 2400 --nodes 20000 --seed 508 --eval-file weights.bin --out more.games
//! totemic fit --odds-only --data odds.games more.games --out weights.bin
//! ```
//!
//! (3,200 and 2,400 games of Yoxii). The SHA-256 of the games begin with `c02c636d1773a939`
//! (`hokito.games`), `fbd889da07e9fcf1` (`four.games`) and `b88f01e7c0f1e34d`
//! (`five.games`); they were to be longer and were stopped. `held.games` are
//! the frozen ones below, of which no fit sees more than which of its passes is the best.
//! `totemic --version` names the weights by their checksum.
//!
//! `before.weights`, of the checksum 83577578, are those of commit 806e570, which made the
//! first two files of games: its features are others, without Yoxii's patterns and
//! Hokito's three in a row. They came from the evaluation written by hand by two
//! generations of Hokito and three of Yoxii, each made likewise,
//!
//! ```text
//! totemic datagen --game hokito --games 21248 --nodes 3000 --seed 11 --eval-file classic --out one.games
//! totemic fit --data one.games --out one.weights
//! totemic datagen --game hokito --games 51328 --nodes 2000 --seed 12 --eval-file one.weights --out two.games
//! ```
//!
//! and were then tuned by play. What a fit to results cannot see is that a search evaluates
//! other positions than games have; so factors of the terms and of groups of classes are
//! moved towards what wins (`benches/tune/main.rs`, eight games of 2,000 nodes a batch):
//!
//! ```text
//! cargo run --release --features measure --example tune -- hokito weights 7000 weights.bin weights.bin
//! ```
//!
//! Two runs of 59 and 38 thousand games of Yoxii, 34 and 22 thousand of Hokito changed no
//! weight of a term by more than 37 %; what each gained stands in `benches/figures.md`. From
//! the weights of today it made none that were kept (`benches/experiments/alphabeta.md`). All
//! of them stand on the terms that were written by hand, which are fitted with them, and the
//! first games were played by those.
//!
//! On several machines each makes a part, `--shard 3/8`, and `totemic data merge` puts the
//! parts together:
//!
//! ```text
//! parallel totemic datagen --games 100000 --shard {}/8 --out part{}.games ::: 1 2 3 4 5 6 7 8
//! totemic data merge part*.games --out all.games
//! ```
//!
//! A fit holds all positions in memory, about 370 MB for a million of Yoxii and 570 MB
//! for a million of Hokito. Of more games than there is room for, it takes a sample:
//!
//! ```text
//! totemic data shuffle all.games --seed 1 --out mixed.games
//! totemic fit --data mixed.games --max-positions 4000000 --out weights.bin --epochs 100 --patience 3 --checkpoint fit.checkpoint
//! ```
//!
//! Such a fit ends after three passes that were no better, and the same command goes on
//! with it if it was killed ([`checkpoint`]). What scores are worth early, in the middle
//! and late in the game, with the weights in the program or others, on games that these
//! were not fitted to ([`calibration`]):
//!
//! ```text
//! totemic data calibration held.games --weights weights.bin --svg calibration.svg
//! ```
//!
//! Other tools can fit weights as well: `totemic data dump --features` prints the features
//! of each position, `totemic data weights --classes` what they are and weigh, and the
//! layout of the file stands in `src/search/eval/learned.rs`. `tests/other_trainer.py` is
//! a small one.
//!
//! # From nothing but the rules
//!
//! `datagen --eval-file zero` plays with an evaluation that finds every position even,
//! and `fit --without-terms` gives the terms written by hand no weight, so that only
//! classes, results and proofs are left:
//!
//! ```text
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 41 --eval-file zero --out z1.games
//! totemic fit --data z1.games --without-terms --out z1.weights
//! totemic datagen --game yoxii --games 4096 --nodes 400 --solver-nodes 400 --seed 42 --eval-file z1.weights --out z2.games
//! totemic fit --data z2.games --without-terms --result-share 0.5 --out z2.weights
//! ```
//!
//! and so on, each time with all games but the first. After four generations of Yoxii
//! such weights made 98 % of 96 games of 4,000 nodes
//! against `zero` and 17 % against `classic`, -273 Elo [-363, -207]; the log loss of
//! the results of held-out positions was .6757, that of the value written by hand
//! .6476. The classes alone do not know who is about to end the game. (They had seven
//! places of a square as seen from the totem, not four distances.)
//!
//! # What was measured
//!
//! Log loss of the results of held-out positions that are not proved, as `fit`
//! prints it, each side with its best slope and bias by the course of the game; and
//! games against the evaluation written by hand, by equal nodes from the openings in
//! `tests/data/openings`, of which 96 are different and the rest the same again.
//!
//! | | loss, by hand -> learned | 4,000 nodes, 300 games | 20,000 nodes, 200 games |
//! | --- | --- | --- | --- |
//! | Hokito, first generation, classes of towers | .4262 -> .4100 | +198 -99 =3 | +130 -66 =4 |
//! | Hokito, second, classes of towers and of neighbours | .3902 -> .3671 | +66 -28 =2 (96 games) | |
//! | Yoxii, classes of open squares, one generation | .5902 -> .5769 | +156 -105 =39 | +94 -66 =40 |
//!
//! Yoxii's weights of three generations, `before.weights` before they were tuned, on 21,086
//! positions of games of 3,000 nodes that are not proved: .6035 by hand, .5908 learned. Against the weights of one
//! generation, 4,000 nodes, 96 games: +47 -31 =18, Elo +58 [0, 120]; most of it by
//! labels that are half what the search expected (+51 [-9, 114] against results alone;
//! a quarter and none of the result were 22 and 33 Elo worse than a half).
//!
//! Matches by equal nodes from the 48 openings repeat themselves after 96 games, so
//! the table above has 96 different games a cell, counted two or three times.
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
//! Proved positions have to count: without them the weights of the last knots are
//! wild and nearly all games are lost (14 of 300 won in Hokito) at a lower loss, .4043;
//! counted once, thrice and ten times in Hokito 66, 66 and 61 % of the points, in Yoxii
//! 55, 59 and 60 %. A factor fitted to stretch the logits of proved positions gained
//! nothing. Labels with 0.3 of the search's expectation made 60 instead of 66 % in
//! Hokito; terms kept as they are, 60 % in Hokito and 44 % in Yoxii. Which classes
//! lower the loss stands in `benches/experiments/alphabeta.md`.

pub(crate) mod calibration;
pub(crate) mod checkpoint;
pub(crate) mod data;
pub(crate) mod fit;
mod odds;
pub(crate) mod passes;
pub(crate) mod selfplay;
pub(crate) mod shuffle;
