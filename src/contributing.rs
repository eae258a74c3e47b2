//! For those who work on Totemic: how changes are made and shown to be right.
//!
//! `.ci/run` runs everything that must hold before a change is taken. This page
//! says what to do before. The tests of the board want a browser, `chromium` and
//! `chromedriver`, which `.ci/run` installs where it may (as root, by `apt-get`);
//! without them `cargo test --test board browser` says that it skips and passes.
//!
//! # A change of playing strength
//!
//! 1. Build the program as it is, `cargo build --release`, and keep a copy,
//!    say `old`; build the one with the change as `new`.
//! 2. Let them play, each pair of games from the same opening with the sides
//!    exchanged, until a sequential test decides; once for each game:
//!
//!    ```text
//!    totemic match --game yoxii --engine cmd=./new name=new --engine cmd=./old name=old \
//!        --each st=0.05 option.Hash=32 --concurrency 2 --sprt elo0=0 elo1=5 \
//!        --journal yoxii.jsonl
//!    ```
//!
//!    What is only meant to make the code simpler or quicker is tested with
//!    `elo0=-5 elo1=0`. No more games at once than there are cores. A few
//!    hundred games tell gains of 50 Elo, not of 5.
//! 3. `totemic bench` prints the signature of the search. If it has changed,
//!    the new number goes into `tests/data/bench.txt` and, as `Bench: N`, into
//!    the message of the commit. If it was not meant to change, find out why it
//!    has. Speed is measured with `cargo bench --features measure`, and the solver's with
//!    `cargo run --release --features measure --example solver_speed`. What the order in which it tries
//!    moves costs is told by `--features measure --example solver_order`, which also fits such orders.
//! 4. Write a row into `benches/experiments`, with the interval and the number
//!    of games, *also when the change failed*: it saves the next one the work.
//!
//! # A change of the evaluation
//!
//! A static value is a sum of features times weights
//! ([`Learnable`](crate::search::Learnable)): first the terms, which have weights
//! written by hand (`BY_HAND`, in `src/search/eval/hokito.rs` and in `totem.rs` and
//! `pieces.rs` of `src/search/eval/yoxii`), then the classes, which have learned ones
//! only. A new term takes a place in the number of them, their names, `BY_HAND` and the
//! function that computes them; a new class also one in `each_feature` and in its name in
//! words. The tests of `search::eval` compare sums, children and tables. A term may have 0
//! by hand and be fitted all the same. The solver's first guess uses the weights written
//! by hand, too, so that a change there moves its node counts.
//!
//! With each change of a feature's meaning or number the number in
//! [`FEATURES`](crate::search::Learnable::FEATURES) is raised; a test holds it against a
//! fingerprint of the features. The weights in the program, `src/search/eval/weights.bin`,
//! then fit no longer: the program uses those written by hand, and a test says so, until
//! new ones are fitted. Therefore the program with the change and the one before do not
//! compare the idea, but weights tuned for hours with none. What compares it:
//!
//! ```text
//! totemic datagen --game hokito --games 20000 --nodes 2000 --seed 1 --out hokito.jsonl
//! totemic datagen --game hokito --games 2000 --nodes 2000 --seed 2 --out held.jsonl
//! totemic fit --data hokito.jsonl --held-out held.jsonl --out new.weights
//! totemic match --game hokito --engine cmd=./new name=new option.EvalFile=new.weights \
//!     --engine cmd=./old name=old option.EvalFile=old.weights --each nodes=4000 --games 400
//! ```
//!
//! with `old.weights` fitted by the old program to the same games. `fit` prints the loss on
//! the games held out, which has to fall, and the match decides. (Both with
//! `option.EvalFile=classic` compare what is written by hand.) What stays is fitted into
//! the program, `--out src/search/eval/weights.bin`, from more games and generations, as
//! the head of the file `src/train.rs` says, and tuned by play, 4,000 batches of eight games:
//!
//! ```text
//! cargo run --release --features measure --example tune -- hokito weights 4000 src/search/eval/weights.bin src/search/eval/weights.bin
//! ```
//!
//! Both replace the part of their own game only; `totemic data weights FILE --game
//! hokito` prints what the terms weigh. New weights are tested as any change of strength,
//! and have the odds fitted last. They change the signature of `bench`, the outputs of
//! README.md and the module pages, whose tests then fail, and what README.md says of a
//! score. Games made with other features stay good: they hold positions.
//!
//! # A change of the rules, or how they are computed
//!
//! Each game is written more than once, by different hands, and the results
//! are compared:
//!
//! | twin | what it checks | where |
//! | --- | --- | --- |
//! | `tests/naive` | moves, results and texts, by the plainest code; values, by searching everything | `tests/rules`, `tests/search/solver.rs` |
//! | `tests/verify_certificate.py`, `verify_top.py` beside it | proofs, whole or in parts, with rules of its own in another language | `tests/cli/certificates.rs` |
//! | `benches/peer` | the search: somebody else's, over our rules and evaluation | matches, `cargo bench --features measure` |
//!
//! A twin is never mended by copying from what it checks: whoever finds them to
//! differ reads the rules of the game. What every game promises is checked by
//! `tests/rules/conformance.rs`; numbers of moves that are known are in
//! `tests/data/perft.tsv`. How positions and moves are written, and the order
//! of [`Game::moves`](crate::game::Game::moves), are part of files that others
//! keep (games, openings, certificates). If the rules themselves change, so does
//! `RULES_VERSION` in `src/search/solver/certificate/format.rs`, and
//! old certificates are refused.
//!
//! A new game implements [`Game`](crate::game::Game),
//! [`Policy`](crate::search::Policy) and
//! [`Searchable`](crate::search::Searchable), and for the exact solver
//! [`Solvable`](crate::search::solver::Solvable), as tic-tac-toe does in
//! `tests/rules/third_game`; to be played by the program it joins
//! [`GameKind`](crate::game::GameKind).
//!
//! # A new command
//!
//! A file in `src/cli` with its arguments and a function that runs it, `perft.rs` for
//! example; in `src/cli.rs` its `mod NAME;` at the head, a line in `Command` and one in the
//! dispatch. Its help stands on its arguments. `with_game!` and `on_position!` match the
//! names of the games, so that a command is written once. Positions are read by
//! `AnyPosition`, numbers by `values::whole`. Results go to stdout by `writeln!` with `?`,
//! so that a closed pipe is no error; all else goes to stderr by `say`. `Failure::Usage` is
//! for what the arguments say wrong (exit code 2), `Failure::Work` for the rest (1), and
//! what lasts listens to `stop_on_interrupt`.
//!
//! A command is done with a row in the table of `README.md`, whose absence a test notices,
//! a line in `CHANGELOG.md`, and tests in `tests/cli` of what it prints and refuses. For
//! a quick build, `cargo build --profile bench-quick`; for one test, `cargo test --test cli NAME`.
//!
//! # A change of the protocol
//!
//! `protocol.md` is the contract. Its dialogues are played by
//! `tests/ugi/dialogues.rs` and the rest of it by `tests/ugi/protocol_page.rs`, so
//! change the page first and see a test fail. Add words and options; do not
//! change what the old ones mean, as programs of others rely on them. `totemic
//! compliance` must find nothing, and `CHANGELOG.md` names what users notice.
//!
//! # What must never be done
//!
//! - Claim a win, a loss or a proof that is not proved. An estimate is an
//!   estimate, and a search that was stopped says what it knows.
//! - Loosen or delete a test so that a change passes, or take known answers
//!   from the program that they check.
//! - Let the search print, read the clock other than through its limits, or
//!   know the modules above it (`tests/rules/layers.rs`).
//! - Let one thread's search depend on anything but its arguments and tables.
//! - Use `unsafe`, or state that is global and changes.
//! - Answer bad input with a panic, or lose a finished game.
