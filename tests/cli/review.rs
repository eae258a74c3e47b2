//! `totemic review` from outside, and the review as a library.

use std::fs;
use std::io::Write;
use std::process::Output;

#[cfg(unix)]
use crate::program::on_a_terminal;
use crate::program::{Folder, assert_has, cases, ended, stderr, stdout};
use crate::support::{HOKITO_LATE, objects, printed_until};
use serde_json::Value as Json;
use totemic_engine::engine::Engine;
use totemic_engine::game::{Game, Hokito, Side, Yoxii};
use totemic_engine::search::Searchable;
use totemic_engine::search::solver::{Solvable, SolveRequest, solve};
use totemic_engine::stop::Stop;
use totemic_games::limits::MoveLimits;
use totemic_games::record::PgnGame;
use totemic_games::record::reader::read;
use totemic_games::review::{Mark, Review, review};

fn data(name: &str) -> String {
    format!("{}/tests/data/review/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> Folder {
    let dir = Folder::new();
    for name in ["yoxii.pgn", "hokito.pgn", "hokito.jsonl"] {
        fs::copy(data(name), dir.path(name)).expect("a copy");
    }
    dir
}

fn output(dir: &Folder, arguments: &str) -> String {
    dir.stdout_of(&format!("review --nodes 2000 {arguments}"))
}

/// Reviews the games on stdin; the review must end with this exit code.
fn fed(arguments: &str, code: i32, input: &str) -> Output {
    let run = Folder::new().feed(&format!("review --nodes 2000 {arguments}"), input);
    assert_eq!(run.status.code(), Some(code), "{}", stderr(&run));
    run
}

fn game(name: &str) -> PgnGame {
    let source = fs::read_to_string(data(name)).expect(name);
    read(&source, None).remove(0).expect(name)
}

fn judged<G: Searchable>(game: &PgnGame, nodes: u64) -> Review<G> {
    let stop = Stop::new();
    let settings = MoveLimits::nodes(nodes);
    review(game, &mut Engine::<G>::new(), &settings, &stop, |_| ()).expect("a game")
}

fn check<G: Game>(done: &Review<G>) {
    assert!(done.is_complete());
    for it in &done.moves {
        assert!((0.0..=1.0).contains(&it.before) && (0.0..=1.0).contains(&it.after));
        assert!(it.loss() >= 0.0, "{it:?}");
        let position = &done.positions[it.ply];
        let mut pv = it.pv.iter();
        let end = pv.try_fold(*position, |at, &mv| at.try_play(mv).ok());
        assert!(end.is_some(), "an illegal pv: {it:?}");
        assert!(!it.mark.is_error() || it.better().is_some(), "{it:?}");
        assert_eq!(it.depth.is_some(), !it.is_proved(), "{it:?}");
        if let (Some(before), Some(after)) = (it.proof_before, it.proof_after) {
            assert!(before.sign >= after.sign, "{it:?}");
            assert!(it.proved_loss.is_none_or(|points| points >= 0), "{it:?}");
        }
    }
    // The value after a move is the value before the next one.
    for pair in done.moves.windows(2) {
        let is_same = (pair[0].after + pair[1].before - 1.0).abs() < 1e-9;
        assert!(is_same || pair[0].proof_before.is_some());
    }
    assert!(done.summary().len() <= 10, "{:?}", done.summary());
}

fn losers_are_judged_by_what_they_could_lose<G: Game>(done: &Review<G>) {
    let mut closed = 0;
    for side in Side::BOTH {
        let own = || done.moves.iter().filter(|judged| judged.side == side);
        let open = own().filter(|judged| judged.choices > 1 && judged.before >= 0.05);
        let sum = done.accuracy(side);
        assert_eq!(sum.open_moves as usize, open.count());
        closed += sum.moves - sum.open_moves;
    }
    assert!(closed > 0, "some moves were lost");
    for judged in &done.moves {
        let is_lost = judged.proof_before.is_some_and(|proof| proof.sign < 0);
        let is_alike = is_lost && judged.proved_loss.is_none();
        assert!(!is_alike || judged.mark != Mark::Best, "{judged:?}");
    }
    assert_has(&done.summary().join("\n"), "with something to lose:");
}

/// Counts the errors that the solver decides with the nodes of a review: all are proved.
fn what_throws_away_a_decided_game_is_proved<G: Solvable>(done: &Review<G>) -> usize {
    let few = SolveRequest {
        nodes: Some(20_000),
        ..SolveRequest::default()
    };
    let is_decided = |ply: usize| solve(&done.positions[ply], &few).value.sign().is_some();
    let errors = done.moves.iter().filter(|judged| judged.mark.is_error());
    let within = errors.filter(|it| is_decided(it.ply) && is_decided(it.ply + 1));
    let within = within.inspect(|judged| assert!(judged.is_proved(), "{judged:?}"));
    within.count()
}

#[test]
fn reviews_of_both_games_hold_together() {
    let yoxii = judged::<Yoxii>(&game("yoxii.pgn"), 15_000);
    let hokito = judged::<Hokito>(&game("hokito.pgn"), 15_000);
    check(&yoxii);
    check(&hokito);
    check(&judged::<Hokito>(&game("hokito.jsonl"), 3000));
    losers_are_judged_by_what_they_could_lose(&yoxii);
    losers_are_judged_by_what_they_could_lose(&hokito);
    let proved = what_throws_away_a_decided_game_is_proved(&yoxii)
        + what_throws_away_a_decided_game_is_proved(&hokito);
    assert!(proved > 1, "{proved}");
}

/// However fast the machine is: nothing is limited by time unless somebody asks for it.
#[test]
fn a_review_is_the_same_every_time_and_says_how_deep_it_looked() {
    let dir = folder();
    let twice = |line: &str| {
        let (first, second) = (dir.stdout_of(line), dir.stdout_of(line));
        assert_eq!(first, second);
        first
    };
    // With as many nodes as usual, an opening; a whole game with fewer.
    twice("review yoxii.pgn --nodes 20000 --json");
    let opening = twice("review 'startpos moves c5b6y d6e6x' --json");
    let done: Json = serde_json::from_str(&opening).expect("an object");
    let of_opening = &done["moves"][0];
    assert!(of_opening["depth"].as_u64() > Some(1), "{of_opening}");
    assert_has(&output(&dir, "yoxii.pgn"), "    search depth      ");
}

#[test]
fn what_is_given_away_for_certain_is_said_to_be_proved() {
    let game = read(&format!("{HOKITO_LATE} moves f5b1"), None).remove(0);
    let done = judged::<Hokito>(&game.expect("a game"), 5000);
    let first = &done.moves[0];
    let margin = first.proof_before.and_then(|proof| proof.margin);
    assert_eq!(margin, Some(73));
    let left = first.proof_after.and_then(|proof| proof.margin);
    let left = left.expect("proved");
    assert_eq!(first.proved_loss, Some(73 - left));
    assert_eq!(first.pv[0].to_string(), "b6a4");
    let sum = done.accuracy(Side::First);
    assert_eq!((sum.proved_moves, sum.proved_points), (1, 73 - left));
}

#[test]
fn a_blunder_of_the_last_moves_is_found() {
    // Red could win, and loses by the last red move.
    let done = judged::<Yoxii>(&game("yoxii.pgn"), 20_000);
    let mut moves = done.moves.iter();
    let last = moves.rfind(|it| it.side == Side::Second);
    let last = last.expect("Red moved");
    assert_eq!(last.mark, Mark::Blunder);
    assert_eq!((last.before, last.after), (1.0, 0.0));
    assert!(last.is_proved());
    assert!(done.turning_points(9).iter().any(|it| it.ply == last.ply));
}

#[test]
fn a_stopped_review_gives_the_end_of_the_game() {
    let game = game("yoxii.pgn");
    let stop = Stop::new();
    let enough = stop.clone();
    let (mut engine, limits) = (Engine::<Yoxii>::new(), MoveLimits::nodes(1000));
    let done = review(&game, &mut engine, &limits, &stop, |step| {
        assert_eq!(step.total, 20);
        if step.done == 4 {
            enough.now();
        }
    });
    let done = done.expect("a game");
    assert_eq!(done.moves.len(), 3);
    assert!(!done.is_complete());
    assert_eq!(done.moves[2].ply + 1, game.moves.len());
    assert_has(&done.summary()[2], "only the last 3 of 19 moves");
}

#[test]
fn the_text_begins_with_the_game_in_ten_lines() {
    let shown = output(&folder(), "yoxii.pgn");
    let head = "Yoxii: White (Ann) against Red (Bob), 23 moves.\n";
    assert!(shown.starts_with(head), "{shown}");
    assert_has(&shown, "White (Ann) won 10 to 6.");
    assert_has(&shown, "better was");
    let gap = shown.lines().position(str::is_empty);
    assert!(gap.is_some_and(|gap| gap <= 10), "{shown}");
    let (_, table) = shown.split_once("\nmove ").expect("a table");
    let wide = table.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None, "{shown}");
}

#[test]
fn an_end_by_time_or_resignation_is_told() {
    for [termination, expected] in cases(
        r#"
        time forfeit                                     | on time: Red ran out
        resignation                                      | by resignation of Red
        adjudication"]+[Reason "resignation by score     | by resignation of Red
        rules infraction"]+[Reason "illegal move: 'resign' | by forfeit of Red
        "#,
    ) {
        let tags = format!("[Termination \"{termination}\"]+[Result \"1-0\"]").replace('+', "\n");
        let shown = stdout(&fed("-", 0, &format!("{tags}\n\n1. c5b6y d6e6x 1-0\n")));
        assert_has(&shown, expected);
    }
    let shown = output(&folder(), "'startpos moves c5b6y'");
    assert_has(&shown, "not finished; Red is to move");
}

#[test]
fn json_has_every_move() {
    let games = objects(&output(&folder(), "hokito.jsonl --json"));
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game["game"], "hokito");
        assert_eq!(game["complete"], true);
        let moves = game["moves"].as_array().expect("moves");
        assert!(moves.len() > 10);
        for judged in moves {
            let number = |key: &str| judged[key].as_f64().expect(key);
            assert!((number("before") - number("after") - number("loss")).abs() < 2e-4);
        }
    }
}

#[test]
fn annotated_games_are_read_again() {
    let dir = folder();
    output(&dir, "yoxii.pgn --pgn out.pgn");
    let written = dir.read("out.pgn");
    let parts = "$4|(3. |[Annotator \"totemic|+0.19/1 0.001s n=121. ";
    for part in parts.split('|') {
        assert_has(&written, part);
    }
    let again = read(&written, None).remove(0).expect("legal");
    let moves = |game: &PgnGame| Vec::from_iter(game.moves.iter().map(|it| it.mv.clone()));
    assert_eq!(moves(&again), moves(&game("yoxii.pgn")));
    assert_eq!(again.players, ["Ann", "Bob"]);
}

#[test]
fn the_page_needs_nothing_else() {
    let dir = folder();
    output(&dir, "yoxii.pgn hokito.pgn --html out.html");
    let page = dir.read("out.html");
    assert_eq!(page.matches("class=\"graph\"").count(), 2);
    assert!(page.contains("class=\"board\""));
    // On a phone each cell stands after its name.
    assert!(page.contains("<td data-name=\"better\">"));
    // Every name that is explained is that of a column.
    let (_, legend) = page.rsplit_once("<p class=\"note\">").expect("one");
    let (legend, _) = legend.split_once("</p>").expect("its end");
    for line in legend.lines().filter(|line| !line.starts_with("-N")) {
        let (name, _) = line.split_once(": ").expect("a name");
        assert!(page.contains(&format!("<th>{name}</th>")), "{name}");
    }
    assert_has(legend, "\nlost: ");
    for foreign in ["<script", "http:", "https:", "src=", "<link", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    for tag in ["svg", "table", "section", "article"] {
        let opened = page.matches(&format!("<{tag}")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn what_cannot_be_read_does_not_hide_the_rest() {
    let dir = folder();
    let run = fed("-", 1, "c5b6y c5b6y\nc5b6y d6e6x\n");
    assert!(stdout(&run).starts_with("Yoxii: "));
    let good = "startpos moves c5b6y d6e6x";
    for (bad, code) in [("startpos moves c5b6y c5b6y", 2), ("no such file.pgn", 1)] {
        for [one, other] in [[bad, good], [good, bad]] {
            let run = dir.run(&format!("review --nodes 2000 '{one}' '{other}'"));
            assert_eq!(run.status.code(), Some(code));
            assert!(stdout(&run).starts_with("Yoxii: "));
            assert_eq!(stderr(&run).lines().count(), 1);
            assert_has(&stderr(&run), bad);
        }
    }
}

#[test]
fn a_second_opinion_stands_beside_the_first() {
    let line = "'startpos moves c5b6y d6e6x' --engine cmd=self nodes=500";
    assert_has(&output(&Folder::new(), line), "second opinion");
}

#[test]
fn errors_become_questions() {
    // After nonsense it asks again, Enter shows the answer, and q ends the quiz.
    let line = format!("'{0}' '{0}' --quiz", data("yoxii.pgn"));
    let shown = stdout(&fed(&line, 0, "nonsense\n\nq\n"));
    let (before, after) = shown.split_once("Question 1 of ").expect("a question");
    // No answer comes before the question.
    assert!(!before.contains("better"), "{shown}");
    assert_has(after, "'nonsense'");
    assert_has(after, "0 of 1 right");
    assert!(!after.contains("Question 1 of "), "{shown}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_questions() {
    let dir = folder();
    let quiz = dir.command("review yoxii.pgn --quiz --nodes 1000");
    let (mut child, mut terminal, printed) = on_a_terminal(quiz);
    printed_until(&printed, "move>");
    terminal.write_all(b"\x03").expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let said: String = printed.iter().collect();
    assert!(!said.contains("right"), "{said}");
}

#[test]
fn a_file_that_appears_during_a_review_is_kept() {
    let dir = folder();
    let mut child = dir.start("review - --nodes 100 --pgn out.pgn");
    let mut input = child.stdin.take().expect("a pipe");
    // A pipe holds less than this, so somebody reads the games, and has checked the output before.
    input.write_all(&[b'\n'; 2 << 20]).expect("it reads");
    dir.write("out.pgn", "mine");
    let game = fs::read(data("yoxii.pgn")).expect("a game");
    input.write_all(&game).expect("it reads");
    drop(input);
    let run = ended(child);
    assert_eq!(run.status.code(), Some(1));
    assert_has(&stderr(&run), "'out.pgn': the file exists already");
    assert_eq!(dir.read("out.pgn"), "mine");
}

#[test]
fn marks_behind_a_move_are_no_part_of_it() {
    let games = read("1. c5b6y± (1. c4b5x!?=) d6e6x +-† *\n", None);
    let moves = &games[0].as_ref().expect("a game").moves;
    let nags: Vec<&[u8]> = moves.iter().map(|played| &*played.nags).collect();
    assert_eq!(nags, [&[16][..], &[18]]);
    assert_eq!(moves[0].variations[0][0].nags, [5, 10]);
    assert!(read("1. c5b6y -- *", None)[0].is_err());
}

/// PGN has a character set of its own, and what contradicts itself is told.
#[test]
fn pgn_of_others_is_read_and_held_against_itself() {
    let dir = Folder::new();
    let review = |name: &str| format!("review {name} --nodes 1 --hash 1");
    let latin = b"[White \"J\xf6rg\"]\n[Black \"b\"]\n\n1. c5b6y {sch\xf6n} d6e6x 1-0\n";
    dir.write("latin", latin);
    assert_has(&dir.stdout_of(&review("latin --pgn p")), "J\u{f6}rg");
    assert_has(&dir.read("p"), "sch\u{f6}n");
    dir.write("bytes", b"c5b6y \xf6\n");
    dir.fails_with(1, &review("bytes"), "line 1 is not UTF-8 text");
    dir.write("two", "[Result \"1-0\"]\n\n1. c5b6y d6e6x 0-1\n");
    let why = "line 1: result '0-1', but '1-0' in the tags";
    dir.fails_with(1, &review("two"), why);
    let normal = "[Termination \"normal\"]\n\n1. c5b6y {[%clk 0:01:02]} d6e6x 1-0\n";
    dir.write("normal", normal);
    let told = "its file says 'normal', but the moves do not end the game";
    assert_has(&dir.stdout_of(&review("normal --pgn q")), told);
    assert_has(&dir.read("q"), "[%clk 0:01:02.000]");
}
