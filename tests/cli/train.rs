//! From self-play to weights with which the engine plays, using the commands.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;

use crate::program::{Folder, assert_has, cases, python, stderr, stdout, wait};
#[cfg(unix)]
use crate::support::hears_interrupts;
use totemic_engine::game::{Hokito, Yoxii};
use totemic_engine::search::Features;

fn games_of(game: &str, out: &str) -> String {
    let line = "datagen --games 100 --nodes 60 --solver-nodes 60 --seed 5";
    format!("{line} --game {game} --out {out}")
}

fn with_games(game: &str) -> Folder {
    let dir = Folder::new();
    dir.stdout_of(&games_of(game, "games"));
    dir
}

fn session(dir: &Folder, script: &str) -> String {
    stdout(&dir.feed("", script))
}

#[test]
fn games_do_not_depend_on_threads_parts_or_kills() {
    let dir = Folder::new();
    let made = dir.run(&format!("{} --threads 2", games_of("yoxii", "whole")));
    // Where no bar can be drawn, lines report the progress.
    let said = stderr(&made);
    assert!(said.starts_with("0 of 100 games\n"), "{said}");
    assert!(said.ends_with("100 of 100 games in 'whole'\n"), "{said}");
    let whole = dir.read("whole");
    let lines = |text: &str| BTreeSet::from_iter(text.lines().map(str::to_owned));

    // Killed in the middle of a game, before the first game, in the first line, and
    // before it.
    let head = whole.find('\n').unwrap();
    for at in [whole.len() / 2, head + 1, head - 9, 0] {
        dir.write("cut", &whole[..at]);
        let line = games_of("yoxii", "cut");
        let has_games = at > head + 1;
        if has_games {
            dir.fails_with(1, &line, "--resume");
            assert!(dir.read("cut") == whole[..at]);
            // Half a game does no harm: it was never reported as finished.
            assert_has(&dir.stdout_of("data info cut"), " of 100 games\n");
        }
        dir.stdout_of(&format!("{line} --resume"));
        assert!(lines(&dir.read("cut")) == lines(&whole), "cut at {at}");
    }

    for part in [1, 2] {
        let line = games_of("yoxii", &part.to_string());
        dir.stdout_of(&format!("{line} --shard {part}/2"));
    }
    let dump = dir.stdout_of("data dump 2 1 1");
    assert!(dump == dir.stdout_of("data dump whole"));
    assert!(dump.lines().count() > 1000);
    let info = dir.run("data info 1");
    let missing = "warning: 50 of the 100 games with seed 5 are missing";
    assert_has(&stderr(&info), missing);
    assert_has(&stdout(&info), "\n  50 of 100 games\n");
    // Within the last line, as a whole one counts without its end.
    dir.write("cut", &whole[..whole.len() - 2]);
    let missing = "warning: 1 of the 100 games with seed 5 is missing";
    assert_has(&stderr(&dir.run("data info cut")), missing);
}

#[test]
fn what_is_no_game_of_a_recipe_is_named() {
    let dir = Folder::new();
    let line = games_of("hokito", "games");
    dir.stdout_of(&format!("{line} --shard 1/20"));
    let whole = dir.read("games");
    let header = whole.lines().next().unwrap();
    for [from, to, expected] in cases(
        r#"
        "result":"p1win" | "result":"draw" | which does not follow from its moves
        "m":"            | "m":"z          | line
        "seed":5,        | "seed":6,       | it is not one of this journal's recipe
        "pair":0,        | "pair":1,       | it is not one of this journal's recipe
        "hokito"         | "chess"         | game 'chess': expected yoxii or hokito
        HEADER | totemic-games 1 {}    | games in the format of totemic 0.2.0
        HEADER | {"totemic_match":1}   | not the first line of a journal of datagen
        "#,
    ) {
        let from = if from == "HEADER" { header } else { from };
        let text = whole.replacen(from, to, 1);
        assert!(text != whole, "{from}");
        dir.write("altered", &text);
        for command in ["data info altered", "fit --out none --data altered"] {
            dir.fails_with(1, command, expected);
        }
    }
    let other_shard = "shard is '1/20' in the journal, but '1/1' here";
    dir.fails_with(1, &format!("{line} --resume"), other_shard);
    let others = format!("{line} --resume --shard 1/20 --weights zero");
    let said = dir.fails_with(1, &others, "line 1: games with other settings: weights is");
    assert_has(&said, "' in the journal, but 'zero' here");
    let other = whole.replacen(r#""program":"Totemic "#, r#""program":"Other "#, 1);
    dir.write("other", other);
    let line_of_other = format!("{} --shard 1/20 --resume", games_of("hokito", "other"));
    dir.fails_with(1, &line_of_other, "program is 'Other ");
    dir.stdout_of(&format!("{line_of_other} --mixed"));
    let other_kind = "not the first line of a match's journal, but of a journal of datagen\n";
    dir.fails_with(1, "rate games", other_kind);
    assert!(dir.read("games") == whole);
    dir.stdout_of(&format!("{line} --force --shard 2/20"));
    assert!(dir.read("games") != whole);
}

/// Neither Ctrl-C nor the signal of a cluster does; finished games are kept.
#[cfg(unix)]
#[test]
fn a_stop_waits_for_no_search() {
    use crate::program::send;
    use nix::sys::signal::Signal;

    let dir = Folder::new();
    let run = |nodes: &str, signal: Signal, is_time: &dyn Fn() -> bool| {
        let line = "datagen --games 100000 --out games --resume --threads 2 --nodes";
        let mut command = dir.command(&format!("{line} {nodes}"));
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        wait("games", || hears_interrupts(child.id()) && is_time());
        send(child.id(), signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        stderr(&output)
    };
    let lines = || fs::read_to_string(dir.path("games")).map_or(0, |text| text.lines().count());
    let said = run("1000000000", Signal::SIGINT, &|| true);
    assert!(said.contains("stopped: 0 of 100000 games"), "{said}");
    let said = run("60", Signal::SIGTERM, &|| lines() > 2);
    let kept = format!("stopped: {} of 100000 games", lines() - 1);
    assert!(said.contains(&kept) && lines() > 2, "{said}");
}

/// Returns the lines of a session's answers that give the total of an evaluation.
fn totals(answers: &str) -> Vec<&str> {
    let lines = answers.lines();
    lines.filter(|line| line.starts_with("total")).collect()
}

#[test]
fn weights_are_fitted_loaded_and_refused_when_damaged() {
    let dir = Folder::new();
    for game in ["hokito", "yoxii"] {
        dir.stdout_of(&games_of(game, game));
        let table = dir.stdout_of(&format!("fit --data {game} --out weights --epochs 2"));
        let head = "plies  positions  by hand  fitted";
        assert!(table.starts_with(head), "{table}");
        let (losses, _) = table.split_once("scores of searches: ").unwrap();
        assert_eq!(losses.lines().count(), 6, "{table}");
        // If there are few positions, no loss is printed.
        for row in losses.lines().skip(1) {
            let words: Vec<&str> = row.split_whitespace().collect();
            let are_few = words[1].parse::<u32>().unwrap() < 100;
            assert_eq!(are_few, words[2..] == ["-", "-"], "{table}");
        }
        if game == "hokito" {
            fs::copy(dir.path("weights"), dir.path("one")).unwrap();
        }
    }
    // A file for one game needs no game to be named; with two games in it, the default
    // game is meant.
    for (file, game) in [
        ("weights --game hokito", "hokito"),
        ("weights", "yoxii"),
        ("one", "hokito"),
    ] {
        let printed = dir.stdout_of(&format!("data weights {file}"));
        let head = format!("{game} weights ");
        assert!(printed.starts_with(&head), "{printed}");
        // Each row has a name in words and a number for each knot.
        assert!(printed.lines().count() > 11, "{printed}");
        for row in printed.lines().skip(1) {
            let mut numbers = row.split_whitespace().rev().take(5);
            assert!(numbers.all(|word| word.parse::<i32>().is_ok()), "{row}");
        }
    }
    let missing = "one': the file has no weights for yoxii";
    dir.fails_with(1, "data weights one --game yoxii", missing);
    for command in ["data info", "data dump", "data calibration"] {
        let wrong = format!("{command} hokito --game yoxii");
        dir.fails_with(2, &wrong, "--game yoxii");
        let mixed = format!("{command} hokito yoxii");
        dir.fails_with(1, &mixed, "its games are of yoxii");
    }
    let mut damaged = fs::read(dir.path("weights")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    dir.write("damaged", damaged);

    let mut script = "position fen 3/OII2/1xy4/XoYy3/YyOyx*1/yX1IO/2o r\neval\n".to_owned();
    for weights in ["weights", "damaged", "classic", "<builtin>"] {
        script += &format!("setoption name EvalFile value {weights}\neval\n");
    }
    let answers = session(&dir, &script);
    let values = totals(&answers);
    assert_eq!(values.len(), 5, "{answers}");
    assert_eq!(values[1], values[2], "the last weights stay");
    assert_eq!(values[0], values[4]);
    assert_ne!(values[0], values[3]);
    assert_has(&answers, "EvalFile");
    assert_has(&answers, "damaged");
    // The file also serves the other game in the same session.
    let script = "setoption name EvalFile value weights\nsetoption name Game value hokito\neval\n";
    let other = session(&dir, script);
    assert!(!other.contains("error"), "{other}");
    assert_eq!(totals(&other).len(), 1, "{other}");
    // The weights of one game are used again when that game is played again.
    let script = "setoption name Game value hokito\nsetoption name EvalFile value one\neval\n\
                  setoption name Game value yoxii\neval\nsetoption name Game value hokito\neval\n";
    let answers = session(&dir, script);
    let values = totals(&answers);
    assert_eq!((values.len(), values[0]), (3, values[2]), "{answers}");
    let told = "the file has no weights for yoxii; yoxii has the weights in the program";
    assert_has(&answers, told);
}

#[test]
fn nothing_but_the_rules_is_enough_to_learn_from() {
    let dir = Folder::new();
    dir.stdout_of(&format!("{} --eval-file zero", games_of("yoxii", "games")));
    assert_has(&dir.stdout_of("data info games"), "zero");
    dir.stdout_of("fit --data games --out weights --without-terms");
    let script = "position fen 3/OII2/1xy4/XoYy3/YyOyx*1/yX1IO/2o r\n\
                  setoption name EvalFile value zero\neval\n\
                  setoption name EvalFile value weights\neval\n";
    let answers = session(&dir, script);
    // Returns the value of the part that a line is about.
    let values = |part: &str| -> Vec<String> {
        let lines = answers.lines().filter_map(|line| line.strip_prefix(part));
        lines.map(|value| value.trim().to_owned()).collect()
    };
    assert_eq!(values("own totem moves  "), ["0", "0"], "{answers}");
    assert_eq!(values("total")[0], "0", "{answers}");
    assert_ne!(values("total")[1], "0", "{answers}");
}

#[test]
fn a_fit_that_was_killed_ends_with_the_same_weights() {
    let dir = with_games("yoxii");
    let line = "fit --epochs 20 --seed 3 --data games --out";
    let resumed = format!("{line} resumed --checkpoint checkpoint");
    dir.stdout_of(&format!("{line} straight"));
    let straight = fs::read(dir.path("straight")).unwrap();
    let weights = || fs::read(dir.path("resumed"));

    let mut child = dir.start(&resumed);
    wait("a checkpoint", || dir.path("checkpoint").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(weights().is_err(), "killed too late");
    let kept = fs::read(dir.path("checkpoint")).unwrap();

    let said = stderr(&dir.run(&resumed));
    let mut lines = said.lines();
    let after = lines.find_map(|line| line.strip_prefix("continuing after epoch "));
    let after: usize = after.unwrap().split(',').next().unwrap().parse().unwrap();
    assert!((1..20).contains(&after), "{said}");
    let epochs = lines.filter(|line| line.starts_with("epoch "));
    assert_eq!(epochs.count(), 20 - after, "{said}");
    assert!(straight == weights().unwrap());
    // If it runs once more, nothing is left to do, and the result is the same.
    fs::remove_file(dir.path("resumed")).unwrap();
    assert_has(&stderr(&dir.run(&resumed)), "continuing after epoch 20");
    assert!(straight == weights().unwrap());

    // What does not belong to the fit is named.
    dir.stdout_of(&format!("{} --shard 1/20", games_of("yoxii", "others")));
    fs::remove_file(dir.path("resumed")).unwrap();
    for [more, why] in cases(
        "
        --rate 0.02       | rate is 0.01 in the checkpoint, but 0.02 here
        --keep-terms      | terms is 'Fit' in the checkpoint, but 'Keep' here
        --held-out others | held-out is none in the checkpoint
        ",
    ) {
        dir.fails_with(1, &format!("{resumed} {more}"), why);
    }
    for bytes in [&kept[..kept.len() - 4], b"", b"{}"] {
        dir.write("checkpoint", bytes);
        dir.fails_with(1, &resumed, "not a checkpoint of a fit\n");
        assert_eq!(fs::read(dir.path("checkpoint")).unwrap(), bytes);
    }
    assert!(weights().is_err());
}

#[test]
fn a_fit_ends_when_it_gets_no_better_and_takes_no_more_than_it_may() {
    let dir = with_games("hokito");
    // Steps of ten logits soon make the fit worse.
    let fit = "fit --data games --rate 10 --epochs 60";
    let said = |options: &str| dir.all_output_of(&format!("{fit} {options}"));
    let losses = |said: &str| -> Vec<f64> {
        let lines = said.lines().filter_map(|line| line.strip_prefix("epoch "));
        let losses = lines.filter_map(|line| line.split_once(": "));
        losses.map(|(_, loss)| loss.parse().unwrap()).collect()
    };
    let patient = said("--out long --patience 4");
    let seen = losses(&patient);
    let least = seen.iter().copied().reduce(f64::min);
    let best = seen.iter().position(|&loss| Some(loss) == least).unwrap() + 1;
    assert_eq!(seen.len(), best + 4, "{patient}");
    let ended = format!("none of the last 4 epochs was better than epoch {best}");
    assert_has(&patient, &ended);
    assert_has(&patient, "warning: no epoch");
    // Infinite steps do not give weights.
    dir.fails_with(1, "fit --data games --out few --rate 1e30", "--rate");
    assert!(!dir.path("few").exists());
    // The best epoch is taken: a fit that ends sooner after the same epoch gives the same
    // weights.
    let hasty = said("--out short --patience 1");
    let hasty = losses(&hasty);
    assert_eq!(hasty, seen[..hasty.len()]);
    let [long, short] = ["long", "short"].map(|name| fs::read(dir.path(name)).unwrap());
    assert_eq!(long == short, hasty.len() == best + 1);

    let counts = |said: &str| -> Vec<usize> {
        let mut lines = said.lines();
        let line = lines.find(|line| line.contains("positions to learn from"));
        let words = line.unwrap().split_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let all: usize = counts(&patient).iter().sum();
    let limited = said("--out few --max-positions 700");
    let some: usize = counts(&limited).iter().sum();
    assert!(all > 700 && (650..=700).contains(&some), "{limited}");
    assert_has(&limited, "games left out");
    // This is a sample of all games: another seed gives another sample.
    let other = said("--out few --max-positions 700 --seed 2");
    assert_ne!(counts(&limited), counts(&other));
    let fewer = format!("{fit} --out few --max-positions 1");
    dir.fails_with(1, &fewer, "too few positions");
    let few_held = said("--out few --max-positions 400 --patience 1");
    assert_has(&few_held, "fewer than 100");
    assert!(!few_held.contains("no epoch"), "{few_held}");
}

#[test]
fn odds_are_fitted_anew_and_the_weights_stay() {
    let dir = with_games("hokito");
    fs::copy("src/engine/search/eval/weights.bin", dir.path("weights")).unwrap();
    let parts = || {
        let bytes = fs::read(dir.path("weights")).unwrap();
        let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
        let header = String::from_utf8_lossy(&bytes[..end]).into_owned();
        // A checksum is at the end.
        (header, bytes[end..bytes.len() - 4].to_vec())
    };
    let (before, knots) = parts();
    let fit = "fit --odds-only --data games --out";
    let table = dir.stdout_of(&format!("{fit} weights"));
    let (after, same_knots) = parts();
    assert_eq!(knots, same_knots);
    let odds_of = |header: &str, game: &str| -> String {
        let mut lines = header.lines().skip_while(|line| !line.starts_with(game));
        let odds = lines.nth(1).filter(|line| line.starts_with("odds "));
        odds.expect(header).to_owned()
    };
    let [old, new] = [&before, &after].map(|header| odds_of(header, "hokito "));
    assert_ne!(old, new);
    let [old, other] = [&before, &after].map(|header| odds_of(header, "yoxii "));
    assert_eq!(old, other);
    assert_has(&table, &format!("({new})"));
    assert_has(&after, "; odds by 100 games of");

    dir.fails_with(1, &format!("{fit} none"), "there is no such file");
    assert!(!dir.path("none").exists());
}

#[test]
fn the_calibration_of_weights_is_what_their_fit_said() {
    let dir = with_games("yoxii");
    dir.stdout_of(&format!("{} --shard 1/2", games_of("yoxii", "held")));
    let fit = "fit --data games --held-out held --out weights --epochs 1";
    let table = dir.stdout_of(&format!("{fit} --svg picture.svg"));
    let (_, table) = table.split_once("scores of searches: ").unwrap();
    let command = "data calibration held";
    // With the odds in the program, it says for which games they hold.
    let expected = "fitted to games of 20000 nodes a move; these games were played with 60";
    assert_has(&stderr(&dir.run(command)), expected);
    let alone = dir.stdout_of(&format!("{command} --weights weights --svg other.svg"));
    assert_eq!(alone.strip_prefix("scores of searches: "), Some(table));
    let drawn = dir.read("picture.svg");
    assert_eq!(drawn, dir.read("other.svg"));

    let mut lines = alone.lines().skip(1);
    let head = "phase   plies  expected     made  positions";
    assert_eq!(lines.next(), Some(head));
    let rows: Vec<Vec<&str>> = lines.map(|row| row.split_whitespace().collect()).collect();
    // There is a row for each tenth of a point, for the whole game and for each part.
    assert_eq!(rows.len(), 40, "{alone}");
    let counts = |phase: &str| -> Vec<usize> {
        let own = rows.iter().filter(|row| row[0] == phase);
        own.map(|row| row[row.len() - 1].parse().unwrap()).collect()
    };
    let count = |phase: &str| counts(phase).iter().sum::<usize>();
    let parts: usize = ["early", "middle", "late"].map(count).iter().sum();
    assert_eq!(count("all"), parts);
    for phase in [
        "early, plies 0 to 8",
        "middle, plies 9 to 17",
        "late, from ply 18 on",
    ] {
        let name = phase.split(',').next().unwrap();
        assert_has(&drawn, &format!(">{phase}: {} positions<", count(name)));
        let filled = counts(name).into_iter().filter(|&positions| positions > 0);
        let dots = drawn.matches(&format!("<title>{phase}")).count();
        assert_eq!(dots, filled.count(), "{phase}");
    }
    assert!(drawn.starts_with("<svg xmlns=") && drawn.ends_with("</svg>\n"));

    for name in ["", "classic", "zero"] {
        let printed = dir.stdout_of(&format!("{command} --weights '{name}'"));
        assert_has(&printed, "late");
    }
    let before = dir.read("held");
    for [line, code, why] in cases(
        "
        data calibration held --weights held                  | 1 | held
        data calibration held --svg held                      | 2 | it is also read, expected another file
        data calibration held --weights weights --svg weights | 2 | it is also read, expected another file
        FIT --svg weights                                     | 2 | it is also the file of --out
        FIT --checkpoint held                                 | 2 |
        ",
    ) {
        let code = code.parse().expect("a code");
        dir.fails_with(code, &line.replace("FIT", fit), why);
    }
    assert!(dir.read("held") == before);
}

/// Whoever reads what odds mean learns for which players they hold.
#[test]
fn pages_say_for_which_effort_odds_hold() {
    for page in ["README.md", "protocol.md", "src/games/review/README.md"] {
        let text = fs::read_to_string(page).unwrap();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let explained = words.split("between equally strong engines").skip(1);
        assert!(explained.clone().count() > 0, "{page}");
        for after in explained {
            let is_said = after.starts_with(" of 20,000 nodes a move");
            assert!(is_said, "{page}: {after:.60}");
        }
        assert!(words.contains("At 2,000 nodes a move"), "{page}");
    }
}

/// A program that knows only what is documented computes the same values.
#[test]
fn others_fit_weights_by_what_is_printed() {
    if python().is_none() {
        return;
    }
    let dir = Folder::new();
    let trained = |game: &str, features: &str| {
        let mut python = python().expect("Python");
        python.arg("tests/other_trainer.py").args([game, features]);
        let files = ["table", "positions", "weights"].map(|name| dir.path(name));
        let output = python.args(files).output().unwrap();
        let (out, why) = (stdout(&output), stderr(&output));
        assert!(output.status.success() && why.is_empty(), "{out}{why}");
        out
    };
    for (game, features) in [("yoxii", Yoxii::FEATURES), ("hokito", Hokito::FEATURES)] {
        dir.stdout_of(&format!("{} --force", games_of(game, "games")));
        let printed_table = dir.stdout_of(&format!("--game {game} data weights --classes"));
        let printed_positions = dir.stdout_of("data dump --features games");
        dir.write("table", &printed_table);
        dir.write("positions", &printed_positions);
        let out = trained(game, features);
        let (_, loss) = out.rsplit_once("\nloss fitted ").expect(&out);
        let loss: f64 = loss.trim().parse().unwrap();
        assert!(loss < 0.68, "{out}: to expect nothing costs 0.6931");

        // If the program loads what it wrote, it plays with the same values.
        let line = games_of(game, "games");
        dir.stdout_of(&format!("{line} --force --shard 1/2 --eval-file weights"));
        let table = dir.stdout_of(&format!("--game {game} data weights --classes weights"));
        dir.write("table", table);
        let positions = dir.stdout_of("data dump --features games --eval-file weights");
        dir.write("positions", positions);
        assert_has(&trained(game, features), " static values agree");

        // It could not use numbers that are not in the table or that occur twice in a
        // line.
        let count = printed_table.lines().count();
        for line in printed_positions.lines() {
            let features = line.rsplit('\t').next().unwrap().split(' ');
            let number = |pair: &str| pair.split(':').next().unwrap().parse().unwrap();
            let numbers: Vec<usize> = features.map(number).collect();
            assert!(numbers.is_sorted_by(|a, b| a < b), "{line}");
            assert!(numbers.iter().all(|&number| number < count), "{line}");
        }
    }
}
