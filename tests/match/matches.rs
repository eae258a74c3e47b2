//! Whole matches can be repeated, resumed and divided, and are recorded and reported.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::program::{cases, on_a_terminal};
use crate::support::{
    Folder, PLAYERS, assert_has, mock, mock_engine, moves, progress, stderr, stdout,
};
use serde_json::Value as Json;
use totemic_engine::game::Rng;
use totemic_games::record::GameRecord;
use totemic_games::record::reader::read;

/// Returns what does not depend on the clock in the games of a journal.
fn essences(dir: &Folder, journal: &str) -> Vec<String> {
    let essence = |game: &Json| {
        let keys = ["pair", "leg", "engines", "opening", "result", "reason"];
        format!("{:?} {:?}", keys.map(|key| &game[key]), moves(game))
    };
    let mut essences: Vec<_> = dir.games(journal).iter().map(essence).collect();
    essences.sort_unstable();
    essences
}

/// Kills the runner and its engines at random moments until the match is finished, then
/// compares it with a match that nobody disturbed, of one game at a time.
fn is_played_once_however_often_it_is_killed(more: &str, most_games: usize, least_kills: usize) {
    let dir = Folder::new();
    // This is slow enough to be killed in the middle of games.
    let greedy = mock("--style greedy --pause 1");
    let line = |name: &str| {
        format!(
            "match {greedy} depth=1 name=greedy dir=. --engine cmd=random {more} \
             --seed 11 --resume --journal {name} --pgn {name}.pgn"
        )
    };
    let mut rng = Rng::new(42);
    let mut kills = 0;
    loop {
        let mut child = dir.start(&line("killed"));
        let games = progress(&mut child).filter(|line| line.contains(" game "));
        // Kills it some games later, in the middle of the next one.
        if games.take(1 + rng.below(most_games)).count() == 0 {
            assert!(child.wait().expect("a child").success());
            break;
        }
        std::thread::sleep(Duration::from_millis(rng.below(20) as u64));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        kills += 1;
        // The engines of a killed runner are gone before the next one begins.
        dir.assert_nothing_runs();
        assert!(kills < 400, "no progress");
    }
    assert!(kills >= least_kills, "{more}: only {kills} kills");
    dir.stdout_of(&line("whole").replace("--concurrency 2", ""));
    let whole = essences(&dir, "whole");
    assert_eq!(essences(&dir, "killed"), whole, "{more}");
    let written = dir.read("killed.pgn").matches("[Event ").count();
    assert_eq!(written, whole.len(), "{more}");
}

#[test]
fn killed_again_and_again_it_plays_every_game_once_in_every_form() {
    is_played_once_however_often_it_is_killed("--games 60 --concurrency 2", 6, 5);
    let two = "--engine cmd=random name=b --engine cmd=random name=c";
    for form in ["gauntlet", "knockout --seeds 1", "swiss"] {
        let more = format!("{two} --games 4 --concurrency 2 --format {form}");
        is_played_once_however_often_it_is_killed(&more, 3, 2);
    }
    // Which of two games ends a test depends on which of them ends first.
    is_played_once_however_often_it_is_killed("--sprt elo0=0 elo1=200", 4, 2);
}

/// A journal says how its match was begun, so that it alone is enough to go on.
#[test]
fn a_journal_alone_is_enough_to_go_on() {
    let dir = Folder::new();
    dir.write(
        "engines",
        "# who plays\ncmd=random name=a\ncmd=random 'name=b c' # a remark\n",
    );
    dir.write("o", "startpos\nc5b6y\nc5c6y\n");
    let line = "--game yoxii match --engines engines --games 6 --openings o --seed 5 \
        --pgn p --event 'A \"cup\"' --site Here --journal";
    dir.stdout_of(&format!("{line} whole"));
    let pgn = dir.read("p");
    for tag in ["[Event \"A \\\"cup\\\"\"]", "[Site \"Here\"]", "\"b c\"]"] {
        assert_has(&pgn, tag);
    }
    dir.stdout_of(&format!("{line} j --force"));
    let text = dir.read("j");
    let cut: Vec<&str> = text.lines().take(3).collect();
    dir.write("j", cut.join("\n") + "\n");
    dir.fails_with(1, "match --resume j", "games that the journal has not");
    std::fs::remove_file(dir.path("p")).expect("a file");
    // From elsewhere, and with more that is said now.
    std::fs::create_dir(dir.path("elsewhere")).expect("a folder");
    let resume_elsewhere = |options: &str| {
        let mut command = dir.command(&format!("match --resume ../j {options}"));
        let output = command.current_dir(dir.path("elsewhere")).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    resume_elsewhere("--concurrency 2 --json");
    assert_eq!(essences(&dir, "j"), essences(&dir, "whole"));
    assert_eq!(dir.read("p").matches("[Event ").count(), 6);
    // What is given now counts here and instead of what was given then.
    std::fs::rename(dir.path("o"), dir.path("elsewhere/o")).expect("it moves");
    for options in ["--games 8 --openings o --pgn q", "--openings o"] {
        resume_elsewhere(options);
        assert_eq!(dir.games("j").len(), 8);
    }
    assert_eq!(dir.read("elsewhere/q").matches("[Event ").count(), 8);
    dir.write("r", "[Event \"of others\"]\n\n1-0\n\n");
    let line = "match --resume j --openings elsewhere/o --pgn r";
    dir.fails_with(1, line, "games that the journal has not");
    assert_has(&dir.read("r"), "of others");
    dir.fails_with(2, "match --resume", "--resume JOURNAL");
    dir.fails_with(2, "match --journal k --resume j", "names another one");
    dir.fails_with(1, "match --resume none", "none");
    let heading: Json = serde_json::from_str(cut[0]).expect("JSON");
    let mut old = heading.clone();
    old.as_object_mut().expect("a heading").remove("started");
    dir.write("old", format!("{old}\n"));
    let why = "does not say how its match was begun";
    dir.fails_with(1, "match --resume old", why);
}

#[test]
fn games_are_added_to_those_of_others() {
    let dir = Folder::new();
    let line = |more: &str| format!("match {PLAYERS} --pgn p {more}");
    dir.stdout_of(&line("--seed 1"));
    let others = dir.read("p");
    dir.fails_with(1, &line("--seed 2"), "--append");
    dir.stdout_of(&line("--seed 2 --append --journal j"));
    let both = dir.read("p");
    assert!(both.starts_with(&others));
    assert_eq!(both.matches("[Event ").count(), 4);
    // A killed program may have left part of a game.
    for cut in [0, 9, both.len() - others.len() - 9] {
        dir.write("p", &both[..both.len() - cut]);
        dir.stdout_of(&line("--seed 2 --append --journal j --resume"));
        assert_eq!(dir.read("p"), both, "{cut}");
    }
    let resumed = line("--seed 2 --append --journal j --resume");
    dir.fails_with(1, &format!("{resumed} --event other"), "--event");
    assert_eq!(dir.read("p"), both);
    dir.write("p", both.clone() + &others);
    dir.fails_with(1, &resumed, "somebody else");
    // The last game of others may lack the empty line after it, and even a result.
    for last in ["1. c5b6y *\n", "1. c5b6y *", "1. c5b6y"] {
        let others = format!("[Event \"of others\"]\n\n{last}");
        dir.write("p", &others);
        dir.stdout_of(&line("--seed 3 --append"));
        let said = dir.read("p");
        let own = said.strip_prefix(&others).expect("they stay");
        let is_apart = own.starts_with('\n') && said.contains("\n\n[Event \"Y");
        let own = own.trim_start_matches('\n');
        assert!(is_apart && own.starts_with("[Event "), "{said}");
    }
}

#[test]
fn a_file_that_a_match_adds_to_is_not_replaced_under_it() {
    let dir = Folder::new();
    let slow = mock("--pause 5");
    let line = |more: &str| {
        format!("match {slow} --engine cmd=random --each depth=1 --append --pgn p {more}")
    };
    let mut first = dir.start(&line("--games 1000 --event first --json"));
    let mut said = progress(&mut first);
    assert!(said.any(|line| line.starts_with("1/1000 game")));
    let before = dir.read("p");
    let other = line("--games 2 --event other");
    dir.fails_with(1, &other, "another match writes to it");
    assert!(said.any(|line| line.starts_with("3/1000 game")));
    let after = dir.read("p");
    assert!(after.starts_with(&before) && after.len() > before.len());
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    dir.stdout_of(&other);
    assert!(dir.read("p").starts_with(&after));
}

#[test]
fn openings_are_read_from_games() {
    let dir = Folder::new();
    let openings = |journal: &str, more: &str| -> Vec<Json> {
        dir.stdout_of(&format!(
            "match {PLAYERS} --games 6 --journal {journal} {more}"
        ));
        let games = dir.games(journal);
        games.iter().map(|game| game["opening"].clone()).collect()
    };
    let book = openings("j", "--seed 1 --pgn p");
    assert_ne!(openings("k", "--seed 2"), book);
    assert_eq!(openings("of-j", "--seed 9 --openings j"), book);
    assert_eq!(openings("of-p", "--seed 9 --openings p"), book);
    let second = openings("second", "--seed 9 --openings p start=2");
    assert_eq!(second, [&book[2..], &book[..2]].concat());
    let six = openings("six", "--openings p plies=6");
    let plies = |one: &Json| one["moves"].as_array().map(Vec::len);
    assert!(six.iter().all(|one| plies(one) == Some(6)));
    dir.write("one", "c5b6y\n");
    let one = format!("match {PLAYERS} --games 2 --seed 1 --openings one");
    assert_has(&stderr(&dir.run(&one)), ", 1 opening, seed 1");
    for key in ["start=4", "start=0", "plies=x"] {
        dir.fails_with(2, &format!("match {PLAYERS} --openings p {key}"), key);
    }
}

/// A match of few games reads few lines of a file of openings.
#[cfg(target_os = "linux")]
#[test]
fn a_million_openings_are_read_by_need() {
    let dir = Folder::new();
    let line = "3/5/7/3*3/7/5/3 w moves c5b6y d6e6x d5d6o\n";
    dir.write("o", line.repeat(1_000_000) + "nonsense\n");
    let line = format!("match {PLAYERS} --openings o start=5 --games 2 --seed 1");
    let within = |kib: u32| {
        dir.in_shell_after(&format!("ulimit -v {kib}"), &line)
            .output()
    };
    let output = within(300_000).expect("it starts");
    assert!(output.status.success(), "{}", stderr(&output));
    // A wrong line is told when its turn comes, and want of memory is an error.
    let late = line.replace("start=5", "start=1000001");
    dir.fails_with(1, &late, "line 1000001: ");
    let output = within(70_000).expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_has(&stderr(&output), "memory");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_running_games_and_twice_stops_at_once() {
    use crate::program::{named_pipe, send};
    use nix::sys::signal::Signal;
    for signals in [1, 2] {
        let dir = Folder::new();
        for pipe in ["tell", "release"] {
            named_pipe(&dir.path(pipe));
        }
        let slow = mock("--fault hold --tell tell --release release");
        let line = format!("match {slow} depth=1 --engine cmd=random --games 200 --journal j");
        let mut child = dir.start(&line);
        let mut said = progress(&mut child);
        let mut interrupt = |answer: &str| {
            send(child.id(), Signal::SIGINT);
            let heard = said.any(|line| line.contains(answer));
            assert!(heard, "{answer} was not said");
        };
        // Waits until the engine thinks.
        std::fs::read(dir.path("tell")).expect("the engine tells");
        interrupt("finishing the running games");
        if signals == 1 {
            dir.write("release", "go on");
        } else {
            interrupt("stopping now");
        }
        let rest: Vec<String> = said.collect();
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(130), "{rest:?}");
        assert_has(&rest.concat(), "continue with totemic match --resume 'j'");
        let done = dir.games("j").len();
        assert_eq!(done, if signals == 1 { 1 } else { 0 }, "{rest:?}");
        dir.assert_nothing_runs();
    }
}

/// A bar of blocks would be garbage where the locale is not UTF-8.
#[cfg(unix)]
#[test]
fn progress_on_a_terminal_is_drawn_in_ascii() {
    for length in ["--games 200", "--sprt elo0=0 elo1=100"] {
        let line = format!("match --engine cmd=greedy --engine cmd=random --seed 1 {length}");
        let (mut child, _terminal, printed) = on_a_terminal(Folder::new().command(&line));
        let shown: String = printed.iter().collect();
        assert!(child.wait().expect("it ends").success(), "{shown}");
        assert!(shown.contains("games") && shown.is_ascii(), "{shown}");
    }
}

#[test]
fn a_journal_is_continued_only_by_its_own_match() {
    let dir = Folder::new();
    let line = |more: &str| format!("match {PLAYERS} {more} --journal j");
    dir.stdout_of(&line("--games 4 --seed 1"));
    dir.fails_with(1, &line("--games 4 --seed 1"), "--resume");
    let another = "--engine cmd=random";
    for [more, why] in cases(&format!(
        "
        --seed 2                    | seed is 1 in the journal, but 2 here
        --seed 1 --game hokito      | game is 'yoxii' in the journal
        --seed 1 --shard 1/2        | shard is '1/1' in the journal, but '1/2' here
        --seed 1 --random-plies 6   | (--openings, --random-plies) is random: plies: 4, scattered: false in the journal, but random: plies: 6, scattered: false here
        --seed 1 --ponder           | (--ponder) is none in the journal, but true here
        nodes=5 --seed 1            | of engine 2, the node limit (nodes=) is none in the journal, but 5 here
        option.Hash=4 --seed 1      | (option.NAME=) is none in the journal, but Hash, 4 here
        {another} --seed 1          | number of engines is 2 in the journal, but 3 here
        "
    )) {
        dir.fails_with(1, &line(&format!("{more} --games 4 --resume")), why);
    }
    // It can be made longer, with the seed from the journal.
    dir.stdout_of(&line("--games 8 --resume"));
    assert_eq!(dir.games("j").len(), 8);
}

#[test]
fn parts_add_up_to_the_whole() {
    let dir = Folder::new();
    let three = ["a", "b", "c"].map(|name| format!("--engine cmd=random name={name}"));
    let line = format!(
        "match --game hokito {} --games 14 --seed 9",
        three.join(" ")
    );
    dir.stdout_of(&format!("{line} --journal whole"));
    for part in 1..=3 {
        dir.stdout_of(&format!("{line} --journal part{part} --shard {part}/3"));
    }
    // The tables are the same except for the times, which differ from run to run.
    let table = |text: &str| -> Vec<String> {
        let lines = text.lines().take_while(|line| !line.starts_with("draws"));
        lines.map(str::to_owned).collect()
    };
    let merged = dir.stdout_of("rate part3 part1 part2 part1");
    assert_eq!(table(&merged), table(&dir.stdout_of("rate whole")));
    assert!(merged.contains("42 games"), "{merged}");
    dir.fails_with(1, "rate whole part1", "was played at another time");
}

#[test]
fn games_are_read_again_as_they_were_played() {
    let dir = Folder::new();
    let greedy = mock("--style greedy");
    for (game, more) in [("yoxii", "--random-plies 3"), ("hokito", "--scattered")] {
        dir.stdout_of(&format!(
            "match --game {game} {greedy} depth=1 --engine cmd=random --games 10 \
             --journal {game} --pgn pgn --force {more}"
        ));
        // A result that does not follow from the moves would be refused.
        let read = read(&dir.read("pgn"), None).into_iter().map(|game| {
            let game = game.expect("a legal game");
            let moves: Vec<String> = game.moves.into_iter().map(|it| it.mv).collect();
            (game.start, moves)
        });
        let played = dir.games(game).into_iter().map(|game| {
            let game: GameRecord = serde_json::from_value(game).expect("a game");
            let moves = game.moves.into_iter().map(|it| it.mv);
            (
                game.opening.fen,
                game.opening.moves.into_iter().chain(moves).collect(),
            )
        });
        let [read, played] = [read.collect::<BTreeSet<_>>(), played.collect()];
        assert_eq!((read.len(), &read), (10, &played));
    }
}

#[cfg(unix)]
#[test]
fn a_games_file_never_replaces_another_file() {
    let dir = Folder::new();
    let line = format!("match {PLAYERS} --seed 3 --journal j");
    dir.stdout_of(&line);
    dir.write("openings", "startpos\n");
    std::os::unix::fs::symlink("j", dir.path("link")).expect("a link");
    for name in ["link", "openings", "j"] {
        let before = dir.read(name);
        let output = dir.run(&format!("{line} --resume --pgn {name}"));
        assert!(!output.status.success());
        assert_has(&stderr(&output), "another file");
        assert_eq!(dir.read(name), before);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_a_failure() {
    let dir = Folder::new();
    let play = format!("match {PLAYERS}");
    dir.stdout_of(&format!("{play} --journal j"));
    for line in ["rate j", &play] {
        let output = dir.in_shell_after("exec > /dev/full", line).output();
        let output = output.expect("it starts");
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert_has(&stderr(&output), "error:");
    }
}

#[test]
fn the_logs_of_a_second_match_are_kept_beside_those_of_the_first() {
    let dir = Folder::new();
    let logged = format!("match {} depth=1 --engine cmd=random --log l", mock(""));
    for logs in [1, 2] {
        dir.stdout_of(&logged);
        let found = std::fs::read_dir(dir.path("l")).expect("logs");
        assert_eq!(found.count(), logs);
    }
}

#[test]
fn a_log_without_room_is_told_and_costs_no_game() {
    let dir = Folder::new();
    let line = "match --engine cmd=self nodes=50 --log logs --engine cmd=random --games 4 --seed 3";
    // The limit is half a kilobyte or one, depending on the shell.
    let mut command = dir.in_shell_after("ulimit -f 1", line);
    let output = command.output().expect("a shell");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_has(&stdout(&output), "in 4 games");
    assert_has(&stderr(&output), "ends early");
}

#[test]
fn results_come_as_json_and_few_pairs_say_nothing_in_elo() {
    let dir = Folder::new();
    let line = format!("match {PLAYERS} --seed 1 --journal j");
    let few = dir.stdout_of(&line);
    assert!(!few.contains("Elo 0"), "{few}");
    assert_has(&few, "too few pairs to estimate Elo");
    for label in [
        "pairs with 0, 1/2, 1, 3/2, 2 points: ",
        "no move left 2",
        "max ms",
        "s left",
        " in the runner",
    ] {
        assert_has(&few, label);
    }
    assert!(!few.contains("\nmargin"), "{few}");
    for results in ["19 0 0", "0 0 0 0 9"] {
        let few = dir.stdout_of(&format!("sprt {results}"));
        assert!(!few.contains("LOS"), "{few}");
    }
    let long = format!("{line} --games 20 --resume");
    let found = dir.json(&format!("{long} --json"));
    assert_eq!(found["games"], 20);
    assert_eq!(found["ended"], "complete");
    let elo = &found["meetings"][0]["strength"]["elo"];
    assert!(elo.is_number(), "{found}");
    let said = dir.stdout_of(&long);
    let labels = ["\nElo ", "] logistic, ", " normalized, LOS ", "rating"];
    assert!(labels.iter().all(|label| said.contains(label)), "{said}");
    let rated = dir.json("rate j --json");
    assert_eq!(rated["engines"], found["engines"]);
    let tested = dir.json("sprt j --json");
    assert_eq!(tested["pairs"], found["meetings"][0]["pairs"]);
    let counted = dir.json("sprt 127 4883 10712 5150 104 --json");
    assert_eq!(counted["sprt"]["verdict"], "undecided");
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let dir = Folder::new();
    let (greedy, random) = (mock("--style greedy"), "--engine cmd=random");
    let run = |journal: &str, first: &str, second: &str| {
        dir.stdout_of(&format!(
            "match {first} name=a depth=1 {second} name=b depth=1 \
             --sprt elo0=0 elo1=50 --seed 2 --journal {journal} --concurrency 2 --report 0"
        ))
    };
    assert_has(&run("a", &greedy, random), "H1 accepted after");
    assert_has(&run("b", random, &greedy), "H0 accepted after");
    let offline = dir.stdout_of("sprt a");
    assert!(offline.contains("SPRT [0, 50] normalized"), "{offline}");
    assert!(offline.contains("H1 accepted"), "{offline}");
}

#[test]
fn offline_tests_take_counts() {
    let dir = Folder::new();
    for [counts, ratio, verdict] in cases(
        "
        36433 68692 36027 elo1=2                            | LLR 0.92 |
        127 4883 10712 5150 104 --sprt elo0=-1.75 elo1=0.25 | LLR 3.01 | H1 accepted
        ",
    ) {
        let said = dir.stdout_of(&format!("sprt {counts}"));
        assert!(said.contains(ratio) && said.contains(verdict), "{said}");
    }
}

/// With more games at once than processors, engines lose on time without being slow.
#[test]
fn games_by_the_clock_need_processors() {
    let dir = Folder::new();
    let engine = mock("");
    let line = |more: &str| {
        format!("match {engine} name=a {engine} name=b --journal j --concurrency 1000 {more}")
    };
    for limit in ["st=5", "tc=5+1"] {
        let refused = |threads: &str, more: &str| {
            let expected = format!("with {threads} in each game it takes ");
            let said = dir.fails_with(2, &line(&format!("--each {limit} {more}")), &expected);
            assert_has(&said, " processors, but this program may use ");
        };
        refused("1 thread", "");
        refused("2 threads", "--ponder");
        refused("7 threads", "option.threads=7");
    }
    assert!(!dir.path("j").exists());
    let (_, said) = dir.outputs_of(&line("--each st=5 --force-concurrency"));
    assert_has(&said, "engines will wait for processors");
    let (_, untimed) = dir.outputs_of(&line("--each tc=inf depth=1 --force"));
    assert!(!untimed.contains("processors"));
    assert_eq!(dir.reasons("j"), ["rules"; 2]);
}

/// A game and its engines run on processors that the journal names.
#[cfg(target_os = "linux")]
#[test]
fn each_game_has_processors_of_its_own() {
    let dir = Folder::new();
    let script = format!(
        "grep Cpus_allowed_list /proc/self/status >> cpus; exec {}",
        mock_engine().display()
    );
    let engine = format!("--engine \"cmd=sh -c '{script}'\" depth=1");
    let line = format!("match {engine} name=a {engine} name=b --affinity --games 4 --journal j");
    dir.fails_with(2, &format!("{line} --concurrency 1000"), "give at most ");
    dir.stdout_of(&line);
    let named = |game: &Json| game["processors"].as_array().cloned().unwrap_or_default();
    let games = dir.games("j");
    let own = named(&games[0]);
    assert_eq!(own.len(), 1);
    assert!(games.iter().all(|game| named(game) == own), "{games:?}");
    let cpus = dir.read("cpus");
    // Each engine is tried once before the first game, on any processor.
    for line in cpus.lines().skip(2) {
        assert_eq!(line.split_whitespace().last(), Some(&*own[0].to_string()));
    }
    assert_eq!(cpus.lines().count(), 4, "{cpus}");
}

#[test]
fn clocks_and_options_reach_the_engine() {
    let dir = Folder::new();
    let engine = mock("");
    let (_, said) = dir.outputs_of(&format!(
        "match --game hokito {engine} 'name=a b' tc=5/2+0.5 option.Hash=4 \
         option.Odd=1 {engine} name=c st=3 --log logs --seed 1"
    ));
    assert_has(&said, "a b: option 'Odd' is not announced");
    let log = dir.read("logs/0001-a_b.log");
    for line in [
        "> setoption name Game value hokito",
        "> setoption name Hash value 4",
        "> setoption name Odd value 1",
        "> uginewgame",
        "> go p1time 2000 p2time 2000 p1inc 500 p2inc 500 movestogo 5",
        "< bestmove ",
        "> quit",
    ] {
        assert_has(&log, line);
    }
    assert_has(&dir.read("logs/0002-c.log"), "> go movetime 3000\n");
    // An engine's own limit replaces that of all engines.
    let own = "--engine cmd=self name=a st=0.01 --engine cmd=random name=b";
    dir.stdout_of(&format!("match --game yoxii {own} --each tc=1 --games 2"));
}
