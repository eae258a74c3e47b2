//! How to change Totemic, and how to show that a change is right.
//!
//! `.ci/run` checks everything that must hold before a change is merged. The tests of the page,
//! `tests/browser`, need `chromium`. If you are root, `.ci/run` installs it with `apt-get`;
//! otherwise it skips these tests. `tests/browser/stage.mjs` says how to run them alone.
//!
//! There are six programs of integration tests, one for each area, with a module for each
//! subject: `cargo test --test search levels` runs the tests of levels.
//!
//! # Crates
//!
//! | crate | where | what it holds |
//! | --- | --- | --- |
//! | [`totemic_engine`] | `src/engine` | rules, search, solver, proofs, protocol: what others embed |
//! | [`totemic_games`] | `src/games` | games as text, reviews, facts: what a page needs, too |
//! | [`totemic`](crate) | `src` | commands, matches, the board, training |
//! | `totemic-wasm` | `src/wasm` | the exports for JavaScript |
//! | `totemic-python` | `src/python` | the engine as a module of Python |
//! | `totemic-benches` | `benches` | what only measures |
//!
//! In the `dev` profile only the engine is optimised. If the program calls a generic function of
//! the engine, the compiler compiles it in the program, where it is ten times slower.
//! `src/engine/instances.rs` says how to avoid that, and `.ci/run` compares the speed of both
//! builds.
//!
//! # A change of playing strength
//!
//! 1. Build the program without the change, `cargo build --release`, and keep a copy as
//!    `old`; build it with the change as `new`.
//! 2. Let them play until a sequential test decides, once for each game:
//!
//!    ```text
//!    totemic match --game yoxii --engine cmd=./new name=new --engine cmd=./old name=old \
//!        --each st=0.05 option.Hash=32 --concurrency 2 --sprt elo0=0 elo1=5 \
//!        --journal yoxii.jsonl
//!    ```
//!
//!    For a change that should only make the code simpler or faster, use
//!    `elo0=-5 elo1=0`. Do not run more games at once than there are cores. A few hundred
//!    games show gains of 50 Elo, not of 5.
//! 3. Run `totemic bench`, which prints the signature of the search. If it changed, put
//!    the new number into `tests/data/bench.txt` and, as `Bench: N`, into the commit
//!    message. If it should not have changed, find out why it did. `cargo bench
//!    -p totemic-benches` measures the speed of the search, and `cargo run --release
//!    -p totemic-benches --bin solver_speed` that of the solver.
//!    `--bin blunders` counts how often a search throws a solved position away, and why.
//! 4. Add the result to the page of its subject in `benches/experiments`, with the
//!    interval and the number of games, *also if the change failed*: it saves the next
//!    person the work.
//!
//! # A change of the evaluation
//!
//! A static value is a sum of features times weights
//! ([`Features`](totemic_engine::search::Features)). The first features are terms, with weights
//! written by hand (`BY_HAND`, in `src/engine/search/eval/hokito.rs` and in `totem.rs` and
//! `pieces.rs` of `src/engine/search/eval/yoxii`). The others are classes, with learned weights
//! only. To add a term, change the number of terms, their names, `BY_HAND` and the function
//! that computes them; for a class, also `each_feature` and its name in words. The tests of
//! `search::eval` compare sums, children and tables. A term may have the weight 0 by hand
//! and still be fitted. The solver's first guess uses the weights written by hand, so
//! changing them changes its node counts.
//!
//! If the meaning or the number of features changes, raise the number in
//! [`FEATURES`](totemic_engine::search::Features::FEATURES); a test compares it with a fingerprint
//! of the features. The built-in weights, `src/engine/search/eval/weights.bin`, no longer fit
//! then: the program falls back to those written by hand, and a test fails, until new ones
//! are fitted. A match against the old program would then compare weights tuned for hours
//! with none. To compare only the idea:
//!
//! ```text
//! totemic datagen --game hokito --games 20000 --nodes 2000 --seed 1 --out hokito.jsonl
//! totemic datagen --game hokito --games 2000 --nodes 2000 --seed 2 --out held.jsonl
//! totemic fit --data hokito.jsonl --held-out held.jsonl --out new.weights
//! totemic match --game hokito --engine cmd=./new name=new option.EvalFile=new.weights \
//!     --engine cmd=./old name=old option.EvalFile=old.weights --each nodes=4000 --games 400
//! ```
//!
//! Fit `old.weights` to the same games with the old program. `fit` prints the loss on the
//! held-out games, which has to fall, and the match decides. (To compare hand-written
//! weights, give both `option.EvalFile=classic`.) If the idea stays, fit the built-in
//! weights, `--out src/engine/search/eval/weights.bin`, to more games and generations, as
//! `src/train/README.md` describes, and tune them by play, 4,000 batches of eight games:
//!
//! ```text
//! cargo run --release -p totemic-benches --bin tune -- hokito weights 4000 src/engine/search/eval/weights.bin src/engine/search/eval/weights.bin
//! ```
//!
//! Both commands replace only the part of their own game; `totemic data weights FILE
//! --game hokito` prints the weights of the terms. Test new weights like any change of
//! strength, and fit the odds last. New weights change the signature of `bench`, the
//! outputs in README.md and the module pages, whose tests then fail, and what README.md
//! says about a score. Games made with other features remain usable: they hold positions.
//!
//! # A change of the rules, or how they are computed
//!
//! The rules were written several times, by different people, and the results are compared:
//!
//! | twin | what it checks | where |
//! | --- | --- | --- |
//! | `tests/naive` | moves, results and texts, by the plainest code; values, by searching everything | `tests/rules`, `tests/search/solver.rs` |
//! | `tests/verify_certificate.py`, `verify_top.py` beside it | proofs, whole or in parts, with rules of its own in another language | `tests/cli/certificates.rs` |
//! | `benches/peer` | the search, against somebody else's over our rules and evaluation | matches, `cargo bench -p totemic-benches` |
//!
//! Never correct one by copying from another. If they differ, read the rules of the game.
//! `tests/rules/conformance.rs` checks what every game promises; known perft numbers are
//! in `tests/data/perft.tsv`. The text of positions and moves, and the order of
//! [`Game::moves`](totemic_engine::game::Game::moves), are part of files that others keep (games,
//! openings, certificates). If the rules themselves change, raise `RULES_VERSION` in
//! `src/engine/search/certificates/format.rs`, so that old certificates are refused.
//!
//! A new game implements [`Game`](totemic_engine::game::Game),
//! [`Show`](totemic_engine::game::Show), [`Evaluate`](totemic_engine::search::Evaluate) for an
//! evaluation of it, [`Heuristics`](totemic_engine::search::Heuristics),
//! [`Searchable`](totemic_engine::search::Searchable) and
//! [`Solvable`](totemic_engine::search::solver::Solvable), as tic-tac-toe does in
//! `tests/rules/third_game`: then perft, both searches and the engine work. It must fit:
//! squares in a frame of 8x8, moves of 16 bits that are never 0, at most 896 moves and 64
//! plies, sides that take turns, an end exactly when no move is left, and a result by points
//! and one tie-break.
//!
//! For the program, add the game to [`GameKind`](totemic_engine::game::GameKind), its `ALL` and
//! `of_text`, and to `AnyPosition`. The compiler then names what else the commands need: numbers
//! for programs that learn, weights, positions for `bench`, a book, and how people write its
//! moves and count its final score. Also change `src/board/page`, `src/python` and
//! `protocol.md`, which the compiler does not know.
//!
//! # WebAssembly
//!
//! In a browser the library has no threads, files or clock. A `Host`
//! (`src/engine/host.rs`) provides the time, and a search calls it wherever it looks at the
//! clock. Work that would run on a thread is done by the host between two lines of input
//! ([`Session::take_work`](totemic_engine::ugi::Session::take_work)). `src/wasm` has the exports
//! and `totemic.js`, the worker around them; `.ci/site DIR` builds them and the page.
//!
//! ```text
//! .ci/site target/site
//! TOTEMIC_UGI="node $PWD/target/site/npm/bin.cjs" cargo test --test ugi dialogues
//! TOTEMIC_PACKAGE=target/site/npm node --test tests/wasm
//! python3 benches/wasm.py target/release/totemic target/site/npm/bin.cjs
//! ```
//!
//! The second command tests the protocol with that program, the third the package. The last
//! one compares speed, delays and memory with the native program.
//!
//! # A new command
//!
//! 1. Add a file to `src/cli` with the arguments and a function that runs them;
//!    `perft.rs` is an example. Write the help as doc comments of the arguments; `-h` prints
//!    the first paragraph of each, on one line.
//! 2. In `src/cli.rs`, add `mod NAME;`, a line to `Command` and one to the dispatch. Nothing
//!    forces you to add it to `NO_GAME`, if it has no use for `--game`, and to `COLOURED`, if
//!    what it prints has colours.
//! 3. Add a row to the table in `README.md` (a test checks it), a line to
//!    `CHANGELOG.md`, tests of what the command prints to `tests/cli`, and what it
//!    refuses to `tests/data/refused.txt`.
//!
//! `with_game!` and `with_position!` match the name of the game, so that a command is
//! written once for both. Read positions with `cli::position::read_position` and numbers with
//! `values::whole`. Write results to stdout with `writeln!` and `?`, so that a closed pipe
//! is no error, and everything else to stderr with `say!`. Make errors with `usage!` for bad
//! arguments (exit code 2) and with `failure!` for the rest (1). Whatever takes long checks
//! `stop_on_interrupt`. `Command::only_prints` says which commands end when nobody reads what
//! they print: all but those that write a file, talk to somebody, or answer by their exit code.
//!
//! # A change of the protocol
//!
//! `protocol.md` is the contract, and `src/engine/ugi` speaks it. `tests/ugi/dialogues.rs`
//! plays its dialogues and checks its tables, so change the page first and see a test fail. Add
//! words and options, but never change what old ones mean: other programs rely on them.
//! `totemic compliance` must pass, and `CHANGELOG.md` lists what users notice.
//!
//! A parameter of `go` needs changes in these files only. Nothing reminds you of them, because
//! everyone else fills `Limits` with `..default()`.
//!
//! 1. `protocol.md`: the table of `go`; the rules below it that list limits, or say what `nodes`
//!    counts or what `ponderhit` does; the error for a misspelt parameter (the example
//!    `go detph 3`); and, if the parameter ends a search, *Guarantees*. Tests check only
//!    the row of the table and the error.
//! 2. `src/engine/ugi/go.rs`: `GO_PARAMETERS`, `GO_HELP` and `read_go`. To read a value,
//!    `Parameters` has `millis` for times and `depth`, `count` and `number` for numbers. A
//!    parameter that only changes what others mean is refused alone, as `movestogo` is.
//! 3. `src/engine/search/limits.rs`: a field of [`Limits`](totemic_engine::search::Limits) and
//!    its default. Put the field last: rows of `go.txt` show what `debug on` prints of the others.
//!    `is_bounded` names what ends a search, `is_timed` the times that end it at once, and
//!    `unstoppable` is for a search that nothing can stop.
//! 4. What it does, in `src/engine/search`:
//!
//!    | kind of limit | file | function |
//!    | --- | --- | --- |
//!    | ends a search between two iterations, or keeps another limit from ending it there | `request.rs` | `Request::finish_iteration` |
//!    | is a time, or says when a time counts | `time.rs` | `Plan::new`, methods of `Timer` |
//!    | is a number of nodes | `request.rs` | `Request::nodes_left` |
//!    | is neither, and ends a search at once | `alphabeta/thread.rs` and `mcts/simulation.rs` | `SearchThread::visit` and `Simulator::simulate` |
//!
//!    - Iterations: no limit ends a search between iterations except in `finish_iteration`. Nobody
//!      asks it before the first iteration, and helper threads begin deeper ones without asking.
//!    - Times: `Plan::soft` ends a search between two iterations; it is multiplied by how open the
//!      choice is, and the time of vain proofs is added. `Plan::hard` ends it at once; `movetime`
//!      sets only this one. Both searches and the solver read the time only through `Timer`. If
//!      `Timer::left` is 0, MCTS does not compact a full tree and ends instead.
//!    - Nodes: those of the solver and of a search before a proof count, too
//!      (`Request::nodes_elsewhere`); in `finish_iteration`, `best.nodes` are those of all threads
//!      of the search alone. So that `nodes` is exact, `Trials::of` in `think/trials.rs` asks the
//!      solver with one thread, and `traps` in `think/traps.rs` does not ask it (`is_free`).
//!    - A search after a proof has the same limits, `Timer` and count of nodes, begins at depth 1
//!      again and searches the moves that the proof leaves. `may_search` in `think.rs` says whether
//!      the limits allow it; all nodes so far are counted by then. After a search that a limit
//!      ended, the solver is asked again only if the search reached the depth asked for, or the
//!      deepest one.
//!    - Below full strength, `depth` is at most that of the level.
//! 5. `tests/data/ugi/go.txt`: rows of good and bad values.
//! 6. `tests/search/search.rs`: a test that both searches obey, with one thread and several.
//!    `answer(&position, &limits, searcher, threads)` returns the report and all infos, those of
//!    the answer last, with the solver's nodes. MCTS reports an info only if it is new, so compare
//!    only the answer of MCTS with a limit.
//! 7. `src/python/totemic/_values.py`: a field of `Limit`, last, and a sentence about it; a test
//!    tries each field, with a clock beside it. *Python package* in `.ci/run` has the commands.
//! 8. `CHANGELOG.md`.
//!
//! `match` and `analyze` have limits of their own (`src/games/limits.rs`), which need no
//! change unless these commands are to have the new one. Then also change `src/cli/analyze.rs` and
//! `FIELDS` in `src/analysis/request.rs`.
//!
//! # A release
//!
//! 1. Set the version in `Cargo.toml`, where it stands three times, run `cargo build`, which
//!    puts it into `Cargo.lock`, and date the changes in `CHANGELOG.md`, which a user should
//!    be able to read in two minutes. Commit.
//! 2. `.ci/release target/out` makes and tries everything: programs for Linux and Windows,
//!    the Debian package, wheels, sources, the crates, the npm package and the site, with
//!    `SHA256SUMS`. That took 24 minutes on two busy cores, 13 of them processor time; the
//!    first run takes longer because it builds all crates. If it had to skip something, it
//!    ends with a list of that and exit code 3.
//! 3. `git tag v0.3.0` (it must be the version) and push the tag: a workflow runs the same
//!    script and attaches the files to a draft of a release, which you publish.
//! 4. Those who own the name `totemic` on the registries publish it there:
//!
//!    ```text
//!    cargo publish --locked -p totemic-engine -p totemic-games -p totemic
//!    twine upload target/out/*.whl target/out/totemic-0.3.0.tar.gz
//!    npm publish target/out/totemic-0.3.0.tgz
//!    ```
//!
//! The programs for Linux are static and run on any distribution. There are none for
//! newer processors, because instructions from 2015 make `bench` only 3 % and the solver 5 %
//! faster. `totemic --version` names the commit, even if you build it from a package or from
//! the output of `git archive`.
//!
//! # What must never be done
//!
//! - Claim a win, a loss or a proof that is not proved.
//! - Loosen or delete a test so that a change passes, or take known answers from the
//!   program that they check.
//! - Print from the search, read the clock there other than through its limits, or import
//!   modules above it (`tests/rules/layers.rs`).
//! - Make a search with one thread depend on anything but its arguments and tables.
//! - Use `unsafe`, or global mutable state. The exports of a WebAssembly module need both
//!   (`src/wasm/exports.rs`). What a process has only once is the other exception: the pipe to
//!   the guard of its engines (`src/process/guard.rs`), the host of a WebAssembly module
//!   (`src/engine/host.rs`), and what an interpreter of Python has to wait for at its end
//!   (`src/python/session.rs`).
//! - Answer bad input with a panic, or lose a finished game.
