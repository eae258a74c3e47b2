//! Whole matches: repeatable, resumable, divisible, recorded.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support::{games, mock, play, stay, stderr, stdout, totemic};
use serde_json::Value;
use tempfile::tempdir;
use totemic::game::{Game, Hokito, Rng, Yoxii};

/// What of a game does not depend on the clock.
fn essence(game: &Value) -> String {
    let moves: Vec<&str> = (game["moves"].as_array().into_iter().flatten())
        .filter_map(|mv| mv["m"].as_str())
        .collect();
    format!(
        "{} {} {} {} {} {} {moves:?}",
        game["pair"], game["leg"], game["engines"], game["opening"], game["result"], game["reason"]
    )
}

fn essences(path: &Path) -> BTreeSet<String> {
    games(path).iter().map(essence).collect()
}

fn ids(path: &Path) -> Vec<(u64, u64)> {
    let mut ids: Vec<(u64, u64)> = (games(path).iter())
        .map(|game| {
            (
                game["pair"].as_u64().expect("a pair"),
                game["leg"].as_u64().expect("a leg"),
            )
        })
        .collect();
    ids.sort_unstable();
    ids
}

#[test]
fn the_same_seed_plays_the_same_match() {
    let dir = tempdir().expect("a directory");
    let greedy = mock("--style greedy");
    let run = |journal: &str, seed: &str, concurrency: &str| {
        let output = play(
            dir.path(),
            &[
                "--engine",
                &greedy,
                "depth=1",
                "--engine",
                "cmd=random",
                "--games",
                "12",
                "--seed",
                seed,
                "--journal",
                journal,
                "--concurrency",
                concurrency,
            ],
        );
        assert!(output.status.success(), "{}", stderr(&output));
        essences(&dir.path().join(journal))
    };
    let first = run("a", "3", "1");
    assert_eq!(first.len(), 12);
    assert_eq!(run("b", "3", "3"), first);
    assert_ne!(run("c", "4", "1"), first);
}

/// Kills the runner and its engines at random moments until the match is
/// finished, and compares it with one that nobody disturbed.
#[test]
fn killed_again_and_again_it_plays_every_game_once() {
    let dir = tempdir().expect("a directory");
    // Slow enough to be killed in the midst of games.
    let greedy = mock("--style greedy --pause 1");
    let args = |journal: &str, pgn: &str| -> Vec<String> {
        [
            "match",
            "--engine",
            &greedy,
            "depth=1",
            "name=greedy",
            "dir=.",
            "--engine",
            "cmd=random",
            "--games",
            "60",
            "--seed",
            "11",
            "--concurrency",
            "2",
            "--resume",
            "--journal",
            journal,
            "--pgn",
            pgn,
        ]
        .map(str::to_owned)
        .to_vec()
    };
    let (journal, pgn) = (dir.path().join("killed"), dir.path().join("killed.pgn"));
    let mut rng = Rng::new(42);
    let mut kills = 0;
    loop {
        let mut child = totemic()
            .current_dir(dir.path())
            .args(args("killed", "killed.pgn"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let said = std::io::BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let games = said
            .map_while(Result::ok)
            .filter(|line| line.contains("/60 game"));
        // Some games later, and in the midst of the next.
        if games.take(1 + rng.below(6)).count() == 0 {
            assert!(child.wait().expect("a child").success());
            break;
        }
        std::thread::sleep(Duration::from_millis(rng.below(20) as u64));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        kills += 1;
        // Engines of a killed runner are gone before the next begins.
        assert_eq!(stay(dir.path()), Vec::<String>::new());
        assert!(kills < 400, "no progress");
    }
    assert!(kills >= 5, "only {kills} kills");
    let expected: Vec<(u64, u64)> = (0..30).flat_map(|pair| [(pair, 0), (pair, 1)]).collect();
    assert_eq!(ids(&journal), expected);
    let output = totemic()
        .current_dir(dir.path())
        .args(args("whole", "whole.pgn"))
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(essences(&journal), essences(&dir.path().join("whole")));
    let text = std::fs::read_to_string(pgn).expect("games");
    assert_eq!(text.matches("[Event ").count(), 60);
    eprintln!("killed {kills} times");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_games_and_twice_stops_at_once() {
    use nix::sys::signal::{Signal, kill};
    use nix::sys::stat::Mode;
    for signals in [1, 2] {
        let dir = tempdir().expect("a directory");
        let pipe = |name: &str| {
            let path = dir.path().join(name);
            nix::unistd::mkfifo(&path, Mode::S_IRWXU).expect("a pipe");
            path
        };
        let (tell, release) = (pipe("tell"), pipe("release"));
        let (tell_at, release_at) = (tell.display(), release.display());
        let slow = mock(&format!(
            "--fault hold --tell '{tell_at}' --release '{release_at}'"
        ));
        let mut child = totemic()
            .current_dir(dir.path())
            .args(["match", "--engine", &slow, "depth=1", "--engine"])
            .args(["cmd=random", "--games", "200", "--journal", "j"])
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut said = std::io::BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let mut interrupt = |answer: &str| {
            let pid = nix::unistd::Pid::from_raw(child.id().cast_signed());
            kill(pid, Signal::SIGINT).expect("it runs");
            let heard = said.find(|line| line.as_ref().is_ok_and(|line| line.contains(answer)));
            assert!(heard.is_some(), "{answer} was not said");
        };
        // Waits until the engine thinks.
        std::fs::read(&tell).expect("the engine tells");
        interrupt("finishing the running games");
        if signals == 1 {
            std::fs::write(&release, "go on").expect("the engine waits");
        } else {
            interrupt("stopping now");
        }
        let rest: Vec<String> = said.map_while(Result::ok).collect();
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{rest:?}");
        let done = games(&dir.path().join("j")).len();
        assert_eq!(done, if signals == 1 { 1 } else { 0 }, "{rest:?}");
        assert_eq!(stay(dir.path()), Vec::<String>::new());
    }
}

#[test]
fn a_journal_is_continued_only_by_its_own_match() {
    let dir = tempdir().expect("a directory");
    let run = |args: &[&str]| {
        let mut all = vec![
            "--engine",
            "cmd=random",
            "--engine",
            "cmd=random",
            "--journal",
            "j",
        ];
        all.extend(args);
        play(dir.path(), &all)
    };
    assert!(run(&["--games", "4", "--seed", "1"]).status.success());
    let again = run(&["--games", "4", "--seed", "1"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("--resume"));
    let other = run(&["--games", "4", "--seed", "2", "--resume"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(
        stderr(&other).contains("seed is 1 in the journal, but 2 here"),
        "{}",
        stderr(&other)
    );
    let game = run(&[
        "--games", "4", "--seed", "1", "--resume", "--game", "hokito",
    ]);
    assert!(
        stderr(&game).contains("game is \"yoxii\" in the journal"),
        "{}",
        stderr(&game)
    );
    // Longer, and with the seed taken from the journal.
    assert!(run(&["--games", "8", "--resume"]).status.success());
    assert_eq!(ids(&dir.path().join("j")).len(), 8);
}

#[test]
fn parts_add_up_to_the_whole() {
    let dir = tempdir().expect("a directory");
    let run = |journal: &str, more: &[&str]| {
        let mut args = vec![
            "--game",
            "hokito",
            "--engine",
            "cmd=random",
            "name=a",
            "--engine",
            "cmd=random",
            "name=b",
            "--engine",
            "cmd=random",
            "name=c",
            "--games",
            "14",
            "--seed",
            "9",
            "--journal",
            journal,
        ];
        args.extend(more);
        let output = play(dir.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
    };
    run("whole", &[]);
    for part in ["1/3", "2/3", "3/3"] {
        run(&format!("part{}", &part[..1]), &["--shard", part]);
    }
    let rate = |journals: &[&str]| {
        totemic()
            .current_dir(dir.path())
            .arg("rate")
            .args(journals)
            .output()
            .expect("it starts")
    };
    // The same but for the times, which differ from run to run.
    let table = |output: &std::process::Output| -> Vec<String> {
        assert!(output.status.success(), "{}", stderr(output));
        let text = stdout(output);
        text.lines()
            .take_while(|line| !line.starts_with("draws"))
            .map(str::to_owned)
            .collect()
    };
    let whole = rate(&["whole"]);
    let merged = rate(&["part3", "part1", "part2", "part1"]);
    assert_eq!(table(&merged), table(&whole));
    assert!(stdout(&merged).contains("42 games"), "{}", stdout(&merged));
    let twice = rate(&["whole", "part1"]);
    assert_eq!(twice.status.code(), Some(1));
    assert!(
        stderr(&twice).contains("was played differently"),
        "{}",
        stderr(&twice)
    );
    let split = play(
        dir.path(),
        &[
            "--engine",
            "cmd=random",
            "--engine",
            "cmd=random",
            "--sprt",
            "elo1=5",
            "--shard",
            "1/2",
        ],
    );
    assert_eq!(split.status.code(), Some(2));
}

/// The command line of the documentation, if GNU parallel is installed.
#[test]
fn parts_run_under_gnu_parallel() {
    let dir = tempdir().expect("a directory");
    let run = std::process::Command::new("parallel")
        .current_dir(dir.path())
        .args(["-j2", env!("CARGO_BIN_EXE_totemic"), "match"])
        .args([
            "--engine",
            "cmd=random",
            "--engine",
            "cmd=random",
            "--games",
            "30",
            "--seed",
            "7",
        ])
        .args([
            "--shard",
            "{}/4",
            "--journal",
            "part{}.jsonl",
            "--resume",
            ":::",
            "1",
            "2",
            "3",
            "4",
        ])
        .output();
    let Ok(run) = run else {
        eprintln!("GNU parallel is not installed");
        return;
    };
    assert!(run.status.success(), "{}", stderr(&run));
    let parts = [1, 2, 3, 4].map(|part| format!("part{part}.jsonl"));
    let rate = totemic()
        .current_dir(dir.path())
        .arg("rate")
        .args(parts)
        .output()
        .expect("it starts");
    assert!(
        stdout(&rate).contains("30 games of 4 journals"),
        "{}",
        stderr(&rate)
    );
}

/// A small independent reader of the games file: replays every move.
fn replay<G: Game>(text: &str) -> usize {
    let mut count = 0;
    for game in text.split("[Event ").skip(1) {
        let tag = |key: &str| {
            let begin = game.find(&format!("[{key} \"")).expect(key) + key.len() + 3;
            &game[begin..begin + game[begin..].find("\"]").expect("its end")]
        };
        let body = game.split_once("\n\n").expect("moves").1;
        let mut words = Vec::new();
        let mut comment = false;
        for word in body.split_whitespace() {
            if word.starts_with('{') {
                comment = true;
            }
            if !comment && !word.ends_with('.') {
                words.push(word);
            }
            if word.ends_with('}') {
                comment = false;
            }
        }
        let result = words.pop().expect("a result");
        assert_eq!(result, tag("Result"));
        assert_eq!(words.len().to_string(), tag("PlyCount"));
        let mut position: G = tag("FEN").parse().expect("a position");
        for word in words {
            position = position.play(position.read_move(word).expect("a legal move"));
        }
        if tag("Termination") == "normal" {
            let white = usize::from(G::SIDE_NAMES[0] != "White");
            let side = [totemic::game::Side::First, totemic::game::Side::Second][white];
            let expected = match position.outcome().expect("over").sign_for(side) {
                1 => "1-0",
                0 => "1/2-1/2",
                _ => "0-1",
            };
            assert_eq!(result, expected);
        }
        count += 1;
    }
    count
}

#[test]
fn games_can_be_replayed() {
    let dir = tempdir().expect("a directory");
    for (game, more) in [("yoxii", "--random-plies=3"), ("hokito", "--scattered")] {
        let pgn = format!("{game}.pgn");
        let output = play(
            dir.path(),
            &[
                "--game",
                game,
                "--engine",
                &mock("--style greedy"),
                "depth=1",
                "--engine",
                "cmd=random",
                "--games",
                "10",
                "--pgn",
                &pgn,
                more,
            ],
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(dir.path().join(&pgn)).expect("games");
        let count = if game == "yoxii" {
            replay::<Yoxii>(&text)
        } else {
            replay::<Hokito>(&text)
        };
        assert_eq!(count, 10);
    }
}

#[test]
fn a_games_file_never_replaces_another_file() {
    let dir = tempdir().expect("a directory");
    let run = |more: &[&str]| {
        let players = ["--engine", "cmd=random", "--engine", "cmd=random"];
        play(dir.path(), &[&players[..], &["--seed", "3"], more].concat())
    };
    let path = |name: &str| dir.path().join(name);
    let same = run(&["--journal", "j", "--pgn", "./j"]);
    assert_eq!(same.status.code(), Some(2));
    assert!(stderr(&same).contains("--journal"), "{}", stderr(&same));
    assert!(!path("j").exists());
    assert!(run(&["--journal", "j"]).status.success());
    std::fs::write(path("openings"), "startpos\n").expect("a file");
    std::os::unix::fs::symlink("j", path("link")).expect("a link");
    for name in ["link", "openings", "j"] {
        let before = std::fs::read(path(name)).expect("a file");
        let output = run(&["--journal", "j", "--resume", "--pgn", name]);
        assert!(!output.status.success());
        assert!(stderr(&output).contains("another file"), "{name}");
        assert_eq!(std::fs::read(path(name)).expect("a file"), before);
    }
    for _ in 0..2 {
        let output = run(&["--journal", "j", "--resume", "--pgn", "p"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(path("p")).expect("games");
        assert_eq!(text.matches("[Event ").count(), 2);
    }
}

#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("skipped: there is no {}", full.display());
        return;
    }
    let dir = tempdir().expect("a directory");
    let players = ["--engine", "cmd=random", "--engine", "cmd=random"];
    let written = play(dir.path(), &[&players[..], &["--journal", "j"]].concat());
    assert!(written.status.success());
    let rate = ["rate", "j"].map(str::to_owned).to_vec();
    let again = ["match"].iter().chain(&players).map(|&arg| arg.to_owned());
    for args in [rate, again.collect()] {
        let sink = std::fs::OpenOptions::new().write(true).open(full);
        let output = totemic()
            .current_dir(dir.path())
            .args(&args)
            .stdout(Stdio::from(sink.expect("a device")))
            .output()
            .expect("it starts");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains("error:"), "{}", stderr(&output));
    }
}

#[test]
fn a_log_without_room_is_told_and_costs_no_game() {
    let dir = tempdir().expect("a directory");
    // Half a kilobyte or one, as shells count.
    let script = r#"trap '' XFSZ; ulimit -f 1; exec "$0" "$@""#;
    let output = std::process::Command::new("sh")
        .current_dir(dir.path())
        .args(["-c", script])
        .arg(totemic().get_program())
        .args(["match", "--engine", "cmd=self", "nodes=50", "--log", "logs"])
        .args(["--engine", "cmd=random", "--games", "4", "--seed", "3"])
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("in 4 games"), "{output:?}");
    assert!(stderr(&output).contains("ends early"), "{output:?}");
}

#[test]
fn every_format_plays_to_its_end() {
    for (format, games) in [
        ("roundrobin", 20),
        ("gauntlet", 8),
        ("knockout", 8),
        ("swiss", 12),
    ] {
        let dir = tempdir().expect("a directory");
        let mut args = vec![
            "--format",
            format,
            "--journal",
            "j",
            "--concurrency",
            "2",
            "--seed",
            "1",
        ];
        for _ in 0..5 {
            args.extend(["--engine", "cmd=random"]);
        }
        let output = play(dir.path(), &args);
        assert!(output.status.success(), "{format}: {}", stderr(&output));
        let found = ids(&dir.path().join("j")).len();
        assert!(found >= games, "{format}: {found} games");
        let resumed = play(dir.path(), &[&args[..], &["--resume"]].concat());
        assert!(resumed.status.success(), "{format}: {}", stderr(&resumed));
        assert_eq!(ids(&dir.path().join("j")).len(), found, "{format}");
    }
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let dir = tempdir().expect("a directory");
    let greedy = mock("--style greedy");
    let run = |journal: &str, first: &str, second: &str, bounds: &str| {
        let args = [
            "--engine",
            first,
            "name=a",
            "depth=1",
            "--engine",
            second,
            "name=b",
            "depth=1",
            "--sprt",
            "elo0=0",
            bounds,
            "--seed",
            "2",
            "--journal",
            journal,
            "--concurrency",
            "2",
            "--report",
            "0",
        ];
        let output = play(dir.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(run("a", &greedy, "cmd=random", "elo1=50").contains("H1 accepted after"));
    assert!(run("b", "cmd=random", &greedy, "elo1=50").contains("H0 accepted after"));
    let offline = totemic()
        .current_dir(dir.path())
        .args(["sprt", "a"])
        .output()
        .expect("it starts");
    assert!(
        stdout(&offline).contains("SPRT [0, 50] normalized"),
        "{}",
        stdout(&offline)
    );
    assert!(
        stdout(&offline).contains("H1 accepted"),
        "{}",
        stdout(&offline)
    );
}

#[test]
fn offline_tests_take_counts() {
    let run = |args: &[&str]| {
        let output = totemic()
            .arg("sprt")
            .args(args)
            .output()
            .expect("it starts");
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (code, text) = run(&["36433", "68692", "36027", "elo1=2"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("LLR 0.92"), "{text}");
    let (_, text) = run(&[
        "127",
        "4883",
        "10712",
        "5150",
        "104",
        "--sprt",
        "elo0=-1.75",
        "elo1=0.25",
    ]);
    assert!(
        text.contains("LLR 3.01") && text.contains("H1 accepted"),
        "{text}"
    );
    for (args, token) in [
        (&["1", "2"][..], "'1 2'"),
        (&["1", "x", "3"], "'x'"),
        (&["1", "2", "3", "elo9=2"], "'elo9=2'"),
        (&["1", "2", "3", "elo1=-3"], "elo1=-3"),
        (&["1", "2", "3", "alpha=0.7"], "alpha=0.7"),
        (&["1", "2", "3", "elo1=nan"], "elo1=NaN"),
        (&["1", "2", "3", "model=bayesian"], "'model=bayesian'"),
    ] {
        let (code, text) = run(args);
        assert!(code == Some(2) && text.contains(token), "{code:?} {text}");
    }
}

#[test]
fn wrong_usage_names_the_token() {
    let dir = tempdir().expect("a directory");
    std::fs::write(dir.path().join("good"), "startpos\n").expect("written");
    let two = ["--engine", "cmd=random", "--engine", "cmd=random"];
    for (args, token) in [
        (vec!["--engine", "cmd=random"], "two engines"),
        (
            vec![
                "--engine",
                "cmd=random",
                "speed=9",
                "--engine",
                "cmd=random",
            ],
            "'speed=9'",
        ),
        (
            vec!["--engine", "name=x", "--engine", "cmd=random"],
            "number 1",
        ),
        (
            vec!["--engine", "cmd=x", "--engine", "cmd=random"],
            "engine x: expected one of tc=",
        ),
        (vec!["--each", "tc=1+1+1"], "'tc=1+1+1'"),
        (vec!["--games", "3"], "--games 3"),
        (vec!["--scattered"], "--scattered"),
        (vec!["--sprt", "elo1=x"], "'elo1=x'"),
        (vec!["--resign", "score=0"], "--resign"),
        (vec!["--draw", "x=1"], "'x=1'"),
        (vec!["--adjudicate", "coin"], "coin"),
        (vec!["--adjudicate", "solver,x"], "'solver,x'"),
        (vec!["--resign", "movecount=3"], "score=S"),
        (vec!["--shard", "0/3"], "0/3"),
        (vec!["--format", "knockout", "--rounds", "2"], "--rounds"),
        (vec!["--shard", "3/2"], "3/2"),
        (vec!["--shard", "1/2"], "add --seed"),
        (
            vec!["--openings", "good", "--pgn", "./good", "--force"],
            "--openings reads",
        ),
        (vec!["--engine", "cmd=\"", "nodes=1"], "cmd="),
    ] {
        // Engines given are all there are, in every case but the last.
        let complete = args[0] == "--engine" && args[1] != "cmd=\"";
        let args = if complete {
            args
        } else {
            [&two[..], &args].concat()
        };
        let output = play(dir.path(), &args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(token), "{args:?}: {said}");
    }
    // What a file holds is not the command line's fault.
    std::fs::write(dir.path().join("bad"), "startpos\nc5b6z\n").expect("written");
    let output = play(dir.path(), &[&two[..], &["--openings", "bad"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("'bad': line 2"), "{said}");
}

#[test]
fn clocks_and_options_reach_the_engine() {
    let dir = tempdir().expect("a directory");
    let output = play(
        dir.path(),
        &[
            "--game",
            "hokito",
            "--engine",
            &mock(""),
            "name=a b",
            "tc=5/2+0.5",
            "option.Hash=4",
            "option.Odd=1",
            "--engine",
            &mock(""),
            "name=c",
            "st=3",
            "--log",
            "logs",
            "--seed",
            "1",
        ],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("a b: option 'Odd' is not announced"),
        "{}",
        stderr(&output)
    );
    let log = std::fs::read_to_string(dir.path().join("logs/0001-a_b.log")).expect("a log");
    for line in [
        "> setoption name Game value hokito",
        "> setoption name Hash value 4",
        "> setoption name Odd value 1",
        "> uginewgame",
        "> go p1time 2000 p2time 2000 p1inc 500 p2inc 500 movestogo 5",
        "< bestmove ",
        "> quit",
    ] {
        assert!(log.contains(line), "{line} is not in\n{log}");
    }
    let other = std::fs::read_to_string(dir.path().join("logs/0002-c.log")).expect("a log");
    assert!(other.contains("> go movetime 3000\n"), "{other}");
}

#[test]
fn the_solver_adjudicates_and_counts() {
    let dir = tempdir().expect("a directory");
    for game in ["yoxii", "hokito"] {
        let run = |journal: &str, rule: &str| {
            let output = play(
                dir.path(),
                &[
                    "--game",
                    game,
                    "--engine",
                    "cmd=random",
                    "--engine",
                    "cmd=random",
                    "--games",
                    "4",
                    "--seed",
                    "4",
                    "--adjudicate",
                    rule,
                    "--journal",
                    journal,
                ],
            );
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(
                stdout(&output).contains("points lost"),
                "{}",
                stdout(&output)
            );
            games(&dir.path().join(journal))
        };
        let ended = run(&format!("{game}-ended"), "solver=5");
        assert!(
            ended.iter().any(|game| game["reason"] == "solver"),
            "{game}"
        );
        let on = run(&format!("{game}-on"), "solver=5,playon");
        assert!(on.iter().all(|game| game["reason"] == "rules"), "{game}");
        let judged: u64 = (on.iter())
            .flat_map(|game| game["accuracy"].as_array().expect("judged").clone())
            .map(|side| side["judged"].as_u64().expect("a number"))
            .sum();
        assert!(judged >= 4, "{game}: {judged} moves");
    }
}
