//! An engine that speaks UGI, plays badly, and misbehaves on demand.
//!
//! `mock_engine [--game G] [--style random|greedy|first] [--skill PERCENT]
//! [--pause MS] [--pause MS] [--fault KIND] [--at N] [--ms MS] [--once FILE]`: on its `N`th `go` (or,
//! for some kinds, at another moment) it does what KIND says. With `--once` it
//! does so only if FILE does not exist yet, and creates it. `hold` tells the
//! pipe `--tell` that it thinks, and answers when `--release` is written to.
//! With `--ponder first|last|nonsense` it announces the option `Ponder` and
//! expects that reply; `ponder-early`, `ponder-crash` and `ponder-deaf` are
//! faults in the opponent's time, on its `N`th `go ponder`.

use std::io::{BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use totemic::game::{Game, GameKind, Rng, with_game};

#[derive(Clone)]
struct Settings {
    game: GameKind,
    style: String,
    skill: usize,
    fault: String,
    at: u32,
    ms: u64,
    pause: u64,
    once: Option<String>,
    tell: String,
    release: String,
    ponder: String,
}

fn settings() -> Settings {
    let mut found = Settings {
        game: GameKind::Yoxii,
        style: "random".to_owned(),
        skill: 100,
        fault: String::new(),
        at: 2,
        ms: 1000,
        pause: 0,
        once: None,
        tell: String::new(),
        release: String::new(),
        ponder: String::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let value = args.next().unwrap_or_default();
        match arg.as_str() {
            "--game" => found.game = GameKind::named(&value).expect("a game"),
            "--style" => found.style = value,
            "--skill" => found.skill = value.parse().expect("percent"),
            "--fault" => found.fault = value,
            "--at" => found.at = value.parse().expect("a number"),
            "--ms" => found.ms = value.parse().expect("milliseconds"),
            "--pause" => found.pause = value.parse().expect("milliseconds"),
            "--once" => found.once = Some(value),
            "--tell" => found.tell = value,
            "--release" => found.release = value,
            "--ponder" => found.ponder = value,
            other => panic!("unknown option {other}"),
        }
    }
    if let Some(file) = &found.once
        && std::path::Path::new(file).exists()
    {
        found.fault.clear();
    }
    found
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl Settings {
    /// Whether this is the moment for a fault of this kind.
    fn faulty(&self, kind: &str) -> bool {
        let now = self.fault == kind;
        if now && let Some(file) = &self.once {
            std::fs::write(file, "").expect("a marker");
        }
        now
    }
}

fn main() {
    let mut settings = settings();
    if settings.faulty("exit-at-start") {
        eprintln!("no license");
        exit(7);
    }
    if settings.faulty("grandchild") {
        leave_behind(&settings, &["sleep", "987654"]);
    }
    if settings.faulty("setsid") {
        leave_behind(&settings, &["setsid", "sleep", "987654"]);
    }
    let mut position = String::new();
    let mut searches = 0;
    let mut pondered = 0;
    // The answer that waits for `ponderhit` or `stop`.
    let mut held = None;
    let mut names_reply = false;
    let mut rng = Rng::new(u64::from(std::process::id()));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ugi") if settings.faulty("mute") => {}
            Some("ugi") => {
                say("id name Mock\nid author nobody");
                say("option name Game type combo default yoxii var yoxii var hokito");
                if !settings.ponder.is_empty() {
                    say("option name Ponder type check default false");
                }
                say("option name Hash type spin default 1 min 1 max 1024\nugiok");
            }
            Some("isready") if searches >= settings.at && settings.faulty("unready") => {}
            Some("isready") => say("readyok"),
            Some("setoption") => {
                let words: Vec<&str> = words.collect();
                if let ["name", name, "value", value] = words.as_slice()
                    && name.eq_ignore_ascii_case("game")
                {
                    settings.game = GameKind::named(value).expect("a game");
                }
                names_reply |= words == ["name", "Ponder", "value", "true"];
            }
            Some("position") => line.clone_into(&mut position),
            Some("go") if words.next() == Some("ponder") => {
                pondered += 1;
                let answer = with_game!(settings.game, G => {
                    choose::<G>(&settings, &position, &mut rng)
                });
                if pondered == settings.at && settings.faulty("ponder-crash") {
                    exit(3);
                }
                if pondered == settings.at && settings.faulty("ponder-deaf") {
                    sleep(Duration::from_secs(987_654));
                }
                if pondered == settings.at && settings.faulty("ponder-early") {
                    say(&format!("bestmove {}", answer.join(" ponder ")));
                } else {
                    held = Some(answer);
                }
            }
            Some("ponderhit" | "stop") => {
                if let Some(answer) = held.take() {
                    say(&format!("bestmove {}", answer.join(" ponder ")));
                }
            }
            Some("go") => {
                searches += 1;
                sleep(Duration::from_millis(settings.pause));
                let mut answer = with_game!(settings.game, G => {
                    choose::<G>(&settings, &position, &mut rng)
                });
                if !names_reply {
                    answer.truncate(1);
                }
                let answer = answer.join(" ponder ");
                let moment = searches == settings.at;
                if !(moment && misbehave(&settings, &answer)) {
                    say("info depth 3 score cp 12 nodes 345 time 1 pv x");
                    say(&format!("bestmove {answer}"));
                }
            }
            Some("quit") if settings.fault == "undying" => {}
            Some("quit") => exit(0),
            _ => {}
        }
    }
    if settings.fault == "undying" || settings.fault == "deaf" {
        sleep(Duration::from_secs(987_654));
    }
}

/// Starts a process that holds our pipes open after us.
fn leave_behind(settings: &Settings, command: &[&str]) {
    let dir = std::path::Path::new(settings.once.as_deref().unwrap_or("."));
    let dir = dir.parent().expect("a directory");
    let mut child = std::process::Command::new(command[0]);
    drop(child.args(&command[1..]).current_dir(dir).spawn());
}

/// Does the wrong thing; `false` if the right answer is still to come.
fn misbehave(settings: &Settings, answer: &str) -> bool {
    for kind in [
        "crash",
        "stop",
        "leave",
        "partial",
        "panic",
        "stall",
        "endless-info",
        "flood",
        "long-line",
        "illegal",
        "long-move",
        "nonsense",
        "null",
        "empty",
        "double",
        "close",
        "late",
        "hold",
        "dribble",
        "bestmove-flood",
    ] {
        if settings.faulty(kind) {
            return commit(kind, settings, answer);
        }
    }
    false
}

fn commit(kind: &str, settings: &Settings, answer: &str) -> bool {
    let for_ever = Duration::from_secs(987_654);
    match kind {
        "leave" => {
            leave_behind(settings, &["sleep", "987654"]);
            exit(5);
        }
        "crash" => {
            eprintln!("out of luck");
            exit(3);
        }
        #[cfg(unix)]
        "stop" => {
            nix::sys::signal::raise(nix::sys::signal::Signal::SIGTERM).expect("a signal");
        }
        "partial" => {
            print!("bestmove {answer}");
            let _ = std::io::stdout().flush();
            exit(0);
        }
        "panic" => panic!("the engine is confused"),
        "stall" => sleep(for_ever),
        "endless-info" => loop {
            say("info depth 1 score cp 0 nodes 1");
            sleep(Duration::from_millis(5));
        },
        "flood" => loop {
            say(&"info string all work and no play ".repeat(100));
        },
        "long-line" => loop {
            print!("{}", "x".repeat(4096));
        },
        "bestmove-flood" => loop {
            say("readyok");
        },
        "illegal" => say("bestmove d4d4x"),
        "long-move" => say(&format!("bestmove {}", "x".repeat(300))),
        "nonsense" => say("bestmove \u{1F600}e2e4\0"),
        "null" => say("bestmove 0000"),
        "empty" => say("bestmove"),
        "double" => say(&format!("bestmove {answer}\nbestmove {answer}")),
        "late" => {
            sleep(Duration::from_millis(settings.ms));
            return false;
        }
        "hold" => {
            std::fs::write(&settings.tell, "thinking").expect("somebody listens");
            std::fs::read(&settings.release).expect("a pipe");
            return false;
        }
        // The right move, byte by byte, too slowly.
        "dribble" => {
            for byte in format!("bestmove {answer}\n").bytes() {
                print!("{}", char::from(byte));
                let _ = std::io::stdout().flush();
                sleep(Duration::from_millis(settings.ms));
            }
        }
        "close" => {
            close_stdout();
            sleep(for_ever);
        }
        _ => return false,
    }
    true
}

/// Puts `/dev/null` in the place of stdout, which closes the pipe.
fn close_stdout() {
    #[cfg(unix)]
    {
        let null = std::fs::File::create("/dev/null").expect("it is there");
        nix::unistd::dup2_stdout(null).expect("a descriptor");
    }
}

/// The move to make after a `position` command, and the reply to ponder on.
fn choose<G: Game>(settings: &Settings, command: &str, rng: &mut Rng) -> Vec<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (mut position, moves) = match words.as_slice() {
        ["position", "startpos", moves @ ..] => (G::start(), moves),
        ["position", "fen", board, side, moves @ ..] => (
            format!("{board} {side}").parse().expect("a position"),
            moves,
        ),
        _ => (G::start(), &[][..]),
    };
    for mv in moves.iter().filter(|&&word| word != "moves") {
        position = position.play(position.read_move(mv).expect("a legal move"));
    }
    let moves = position.moves();
    if moves.is_empty() {
        return vec!["0000".to_owned()];
    }
    let random = moves[rng.below(moves.len())];
    let able = rng.below(100) < settings.skill;
    let chosen = match settings.style.as_str() {
        "first" => moves[0],
        "greedy" if able => *moves
            .iter()
            .max_by_key(|&&mv| position.play(mv).standing().margin_for(position.side()))
            .expect("not empty"),
        _ => random,
    };
    let replies = position.play(chosen).moves();
    let reply = match settings.ponder.as_str() {
        "first" => replies.first().map(ToString::to_string),
        "last" => replies.last().map(ToString::to_string),
        "nonsense" => Some("\u{1F600}".repeat(100)),
        _ => None,
    };
    [Some(chosen.to_string()), reply]
        .into_iter()
        .flatten()
        .collect()
}
