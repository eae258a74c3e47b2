//! Random input, and random games through the protocol alone.

use crate::client::Client;
use proptest::prelude::*;
use totemic_engine::game::{Game, GameKind, Hokito, Outcome, Rng, Side, Yoxii, random_game};
use totemic_engine::ugi::GO_PARAMETERS;

/// Words of the protocol; `go` and the like are rare enough not to take up all the time.
fn word() -> impl Strategy<Value = String> {
    let mut words = GO_PARAMETERS.split(' ').collect::<Vec<_>>();
    let others = "ugi uci isready setoption name value uginewgame position startpos fen random \
        moves go debug on solve margin all stop ponderhit query p1turn gameover result legalmoves score turn d \
        eval help Hash Threads MultiPV Clear Ponder Game hokito yoxii true 0 1 2 3 -1 77 \
        99999999999999999999 c5b6x d4c4o b4c4 3/5/7/3*3/7/5/3 w r b \
        Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO x6/x6/x6/x6/x6/x6";
    words.extend(others.split(' '));
    prop_oneof![
        40 => prop::sample::select(words).prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
        1 => "\\PC{0,6}",
    ]
}

/// The first word of a line, in lower case.
fn command(line: &str) -> String {
    let first = line.split_whitespace().next();
    first.unwrap_or_default().to_ascii_lowercase()
}

/// Returns the line of some words, unless it could take long; what searches is stopped.
fn tame(words: Vec<String>) -> String {
    let text = words.join(" ");
    let has = |test: fn(&str) -> bool| text.split_whitespace().any(test);
    match &*command(&text) {
        "quit" => String::new(),
        // Tables of any size and many threads would only test the machine.
        "setoption" if has(|word| word.parse::<i64>().is_ok_and(|n| n > 99)) => String::new(),
        // Counts are answered differently; other tests check whether a line is understood as a
        // count.
        "go" if has(|word| word == "perft") => String::new(),
        // A limit of thousands of years is no limit.
        "go" | "solve" => text + "\nstop",
        _ => text,
    }
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let search = prop_oneof![
        (1..4u32).prop_map(|n| format!("go depth {n}")),
        (1..3000u32).prop_map(|n| format!("go nodes {n}")),
        (0..20u32).prop_map(|n| format!("go movetime {n}")),
        (0..300u32).prop_map(|n| format!("go p1time {n} p2time {n}")),
        Just("go".to_owned()),
        Just("go infinite".to_owned()),
        Just("go ponder".to_owned()),
        Just("go ponder movetime 10".to_owned()),
        Just("solve".to_owned()),
        (1..3000u32).prop_map(|n| format!("solve all margin nodes {n}")),
        (0..20u32).prop_map(|n| format!("solve movetime {n}")),
    ];
    let noise = prop::collection::vec(word(), 0..8).prop_map(tame);
    let setting = prop::sample::select(vec![
        "setoption name Game value hokito",
        "setoption name Game value yoxii",
        "setoption name Hash value 1",
        "setoption name Threads value 2",
        "position startpos",
        "position startpos moves c5b6x",
        "position fen Oo1/oIi2/1xXiiOi/oYy1XII/yIOxYyy/1x*XO/IyO w",
        "stop",
        "ponderhit",
        "uginewgame",
    ]);
    let no_text = prop::collection::vec(any::<u8>(), 0..40).prop_map(|mut bytes| {
        bytes.retain(|&byte| byte != b'\n');
        bytes.insert(0, 0xff);
        bytes
    });
    prop_oneof![
        3 => search.prop_map(String::into_bytes),
        4 => setting.prop_map(|line| line.as_bytes().to_vec()),
        6 => noise.prop_map(String::into_bytes),
        1 => no_text,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes, there is no panic, no hang, one `readyok` for each `isready`, and
    /// one `bestmove` for each `go` that does not count positions or `solution` for each
    /// `solve`.
    #[test]
    fn any_input_is_survived(lines in prop::collection::vec(line(), 1..40)) {
        let script = [&lines.join(&b'\n'), &b"\nisready\n"[..]].concat();
        let mut client = Client::yoxii();
        client.send_bytes(&script);
        let output = client.end();
        let script = String::from_utf8_lossy(&script);
        for (name, head) in [("isready", "readyok"), ("go", "bestmove "), ("solve", "solution ")] {
            let asked = script.lines().filter(|line| command(line) == name).count();
            let answered = output.iter().filter(|line| line.starts_with(head)).count();
            prop_assert_eq!(answered, asked, "{} in {}", name, script);
        }
        for line in &output {
            prop_assert!(!line.starts_with("info string error: the s"), "{}", line);
        }
    }
}

/// Plays whole games: the client keeps nothing but the moves.
fn games<G: Game>(kind: GameKind, seeds: std::ops::Range<u64>) {
    let mut client = Client::start(kind);
    for seed in seeds {
        let (moves, end) = random_game(G::start(), G::MAX_PLIES, &mut Rng::new(seed));
        let mut position = G::start();
        let mut line = "position startpos moves".to_owned();
        for mv in moves {
            let mut legal: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
            legal.sort();
            let answer = client.ask("query legalmoves");
            assert_eq!(answer, format!("response {}", legal.join(" ")));
            assert_eq!(client.ask("query gameover"), "response false");
            assert_eq!(client.ask("query result"), "response none");
            position = position.play(mv);
            line.push_str(&format!(" {mv}"));
            if seed % 2 == 0 {
                client.send(&line);
            } else {
                client.send(&format!("moves {mv}"));
            }
            assert_eq!(client.ask("query fen"), format!("response {position}"));
            let first = position.side() == Side::First;
            assert_eq!(client.ask("query p1turn"), format!("response {first}"));
        }
        let result = end.outcome().map_or("none", Outcome::word);
        assert_eq!(client.ask("query gameover"), "response true");
        assert_eq!(client.ask("query result"), format!("response {result}"));
        assert_eq!(client.ask("query legalmoves"), "response");
        client.send("go depth 3");
        assert_eq!(client.best_move(), "0000");
        client.send("position startpos");
    }
    assert!(client.end().is_empty());
}

#[test]
fn whole_games_of_either_kind() {
    games::<Yoxii>(GameKind::Yoxii, 0..60);
    games::<Hokito>(GameKind::Hokito, 0..60);
}

/// The engine plays against itself under a clock, as a match runner sees it.
#[test]
fn whole_games_against_itself() {
    for kind in GameKind::ALL {
        let mut client = Client::start(kind);
        client.send("uginewgame\nposition startpos");
        let mut plies = 0;
        while client.ask("query gameover") == "response false" {
            assert_eq!(client.ask("isready"), "readyok");
            client.send("go p1time 500 p2time 500 p1inc 5 p2inc 5");
            let mv = client.best_move();
            client.send(&format!("moves {mv}"));
            plies += 1;
            assert!(plies <= 36, "{kind} ends within 36 plies");
        }
        assert_ne!(client.ask("query result"), "response none");
    }
}
