//! An engine that speaks UGI, plays badly, and misbehaves on demand.
//!
//! `mock_engine [--game G] [--style random|greedy|first] [--pause MS] [--fault KIND]
//! [--at N] [--ms MS] [--once FILE]`: on its `N`th `go` (or, for some kinds, at another
//! moment) it does what KIND says. With `--once` it does so only if FILE does not exist
//! yet, and creates it. `hold` writes to the pipe `--tell` that it thinks, and answers
//! when somebody writes to `--release`. With `--ponder first|last|nonsense` it announces
//! the option `Ponder` and expects that reply; `ponder-KIND` is a fault in the opponent's
//! time, on its `N`th `go ponder`. `say` answers with the best move `--move`.

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use totemic_engine::game::{Game, GameKind, Rng, with_game};
use totemic_engine::ugi::read_position_line;

const NAMES: &str =
    "--game --style --pause --fault --at --ms --once --tell --release --ponder --move";

/// The options of the command line, by their names.
struct Options(HashMap<String, String>);

impl Options {
    fn read() -> Self {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let pairs = words.chunks(2).map(|pair| {
            let is_known = NAMES.split(' ').any(|name| name == pair[0]);
            assert!(is_known, "unknown option {}", pair[0]);
            (pair[0].clone(), pair[1].clone())
        });
        let mut options = Self(pairs.collect());
        if Path::new(options.text("--once")).exists() {
            options.0.remove("--fault");
        }
        options
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str, default: u64) -> u64 {
        let found = self.0.get(name);
        found.map_or(default, |text| text.parse().expect("a number"))
    }

    fn pause(&self, name: &str, default: u64) {
        sleep(Duration::from_millis(self.number(name, default)));
    }

    /// Whether this is the moment for a fault of this kind.
    fn faulty(&self, kind: &str) -> bool {
        let now = self.text("--fault") == kind;
        if now && let Some(file) = self.0.get("--once") {
            std::fs::write(file, "").expect("a marker");
        }
        now
    }
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn main() {
    let options = Options::read();
    let mut game = GameKind::named(options.0.get("--game").map_or("yoxii", |name| name));
    let at = options.number("--at", 2);
    if options.faulty("exit-at-start") {
        eprintln!("no license");
        exit(7);
    }
    if options.faulty("grandchild") {
        leave_behind(&options, &["sleep", "987654"]);
    }
    if options.faulty("setsid") {
        leave_behind(&options, &["setsid", "sleep", "987654"]);
    }
    let mut position = String::new();
    // Those in its own time and those in the opponent's.
    let mut searches = [0, 0];
    // The answer that waits for `ponderhit` or `stop`.
    let mut held = None;
    let mut names_reply = false;
    let mut rng = Rng::new(u64::from(std::process::id()));
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("ugi") if options.faulty("mute") => {}
            Some("ugi") => {
                say("id name Mock\nid author nobody");
                say("option name Game type combo default yoxii var yoxii var hokito");
                if options.0.contains_key("--ponder") {
                    say("option name Ponder type check default false");
                }
                say("option name Hash type spin default 1 min 1 max 1024\nugiok");
            }
            Some("isready") if searches[0] >= at && options.faulty("unready") => {}
            Some("isready") => say("readyok"),
            Some("setoption") => {
                let words: Vec<&str> = words.collect();
                if let ["name", name, "value", value] = words.as_slice()
                    && name.eq_ignore_ascii_case("game")
                {
                    game = GameKind::named(value);
                }
                names_reply |= words == ["name", "Ponder", "value", "true"];
            }
            Some("position") => line.clone_into(&mut position),
            Some("go") => {
                let ponders = words.next() == Some("ponder");
                let searches = &mut searches[usize::from(ponders)];
                *searches += 1;
                if !ponders {
                    options.pause("--pause", 0);
                }
                let mut answer = with_game!(game.expect("a game"), G => {
                    choose::<G>(&options, &position, &mut rng)
                });
                if !names_reply {
                    answer.truncate(1);
                }
                let answer = answer.join(" ponder ");
                if *searches == at && misbehave(&options, ponders, &answer) {
                    continue;
                }
                if ponders {
                    held = Some(answer);
                } else {
                    say("info depth 3 score cp 12 nodes 345 time 1 pv x");
                    say(&format!("bestmove {answer}"));
                }
            }
            Some("ponderhit" | "stop") => {
                if let Some(answer) = held.take() {
                    say(&format!("bestmove {answer}"));
                }
            }
            Some("quit") if options.text("--fault") == "undying" => {}
            Some("quit") => exit(0),
            _ => {}
        }
    }
    if options.text("--fault") == "undying" || options.text("--fault") == "deaf" {
        sleep(Duration::from_secs(987_654));
    }
}

/// Starts a process that keeps our pipes open after our end.
fn leave_behind(options: &Options, command: &[&str]) {
    let dir = Path::new(options.text("--once")).parent();
    let mut child = std::process::Command::new(command[0]);
    let child = child.args(&command[1..]);
    drop(child.current_dir(dir.expect("a directory")).spawn());
}

/// Does the wrong thing; returns `false` if the right answer is still to come.
fn misbehave(options: &Options, ponders: bool, answer: &str) -> bool {
    let fault = options.text("--fault");
    options.faulty(fault);
    let kind = match ponders {
        true => fault.strip_prefix("ponder-").unwrap_or_default(),
        false => fault,
    };
    let for_ever = Duration::from_secs(987_654);
    match kind {
        "leave" => {
            leave_behind(options, &["sleep", "987654"]);
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
        // Whoever kills its group finds only its child there.
        #[cfg(unix)]
        "leave-group" => {
            use nix::unistd::{Pid, getpgid, getppid, setpgid};
            leave_behind(options, &["sleep", "987654"]);
            let other = getpgid(Some(getppid())).expect("a group");
            setpgid(Pid::from_raw(0), other).expect("it is in this session");
            sleep(for_ever);
        }
        // Nothing can be sent to it any more when its move is known.
        #[cfg(unix)]
        "leave-early" => {
            let null = std::fs::File::open("/dev/null").expect("it is there");
            nix::unistd::dup2_stdin(null).expect("a descriptor");
            say(&format!("bestmove {answer}"));
            exit(1);
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
        "say" => say(&format!("bestmove {}", options.text("--move"))),
        "early" => say(&format!("bestmove {answer}")),
        "long-move" => say(&format!("bestmove {}", "x".repeat(300))),
        "nonsense" => say("bestmove \u{1F600}e2e4\0"),
        "empty" => say("bestmove"),
        "double" => say(&format!("bestmove {answer}\nbestmove {answer}")),
        "late" => {
            options.pause("--ms", 1000);
            return false;
        }
        "hold" => {
            std::fs::write(options.text("--tell"), "thinking").expect("somebody listens");
            std::fs::read(options.text("--release")).expect("a pipe");
            return false;
        }
        // The right move, byte by byte, but too slowly.
        "dribble" => {
            for byte in format!("bestmove {answer}\n").bytes() {
                print!("{}", char::from(byte));
                let _ = std::io::stdout().flush();
                options.pause("--ms", 1000);
            }
        }
        // Whatever replaces stdout closes the pipe.
        #[cfg(unix)]
        "close" => {
            let null = std::fs::File::create("/dev/null").expect("it is there");
            nix::unistd::dup2_stdout(null).expect("a descriptor");
            sleep(for_ever);
        }
        _ => return false,
    }
    true
}

/// Returns the move to make after a `position` command, and the reply to ponder on.
fn choose<G: Game>(options: &Options, command: &str, rng: &mut Rng) -> Vec<String> {
    let position: G = match command {
        "" => G::start(),
        command => read_position_line(command).expect("a position"),
    };
    let moves = position.moves();
    if moves.is_empty() {
        return vec!["0000".to_owned()];
    }
    let random = moves[rng.below(moves.len())];
    let chosen = match options.text("--style") {
        "first" => moves[0],
        "greedy" => *moves
            .iter()
            .max_by_key(|&&mv| position.play(mv).standing().margin_for(position.side()))
            .expect("not empty"),
        _ => random,
    };
    let replies = position.play(chosen).moves();
    let reply = match options.text("--ponder") {
        "first" => replies.first().map(ToString::to_string),
        "last" => replies.last().map(ToString::to_string),
        "nonsense" => Some("\u{1F600}".repeat(100)),
        _ => None,
    };
    let both = [Some(chosen.to_string()), reply];
    both.into_iter().flatten().collect()
}
