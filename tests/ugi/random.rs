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

/// A line, and whether it is a well-formed search.
#[derive(Clone, Debug)]
enum Line {
    Search(String),
    Other(String),
    Bytes(Vec<u8>),
}

fn line() -> impl Strategy<Value = Line> {
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
    let noise = prop::collection::vec(word(), 0..8).prop_map(|words| words.join(" "));
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
    prop_oneof![
        3 => search.prop_map(Line::Search),
        4 => setting.prop_map(|line| Line::Other(line.to_owned())),
        6 => noise.prop_map(Line::Other),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Line::Bytes),
    ]
}

/// Returns a random line unless it is `quit`, more than one line, or a setting that could
/// take long.
fn tame(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().map(|word| word.to_ascii_lowercase());
    let first = first.as_deref();
    if first == Some("quit") || text.contains(['\n', '\r', '\0']) {
        return None;
    }
    // Tables of any size and many threads would only test the machine.
    let heavy = words
        .iter()
        .any(|word| word.len() < 19 && word.parse::<i64>().is_ok_and(|n| n > 99));
    (!heavy || first != Some("setoption")).then(|| text.to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes, there is no panic, no hang, one `readyok` for each `isready`, and
    /// one `bestmove` for each `go` that does not count positions or `solution` for each
    /// `solve`.
    #[test]
    fn any_input_is_survived(lines in prop::collection::vec(line(), 1..40)) {
        let mut client = Client::yoxii();
        let (mut ready, mut searches, mut solves) = (0, 0, 0);
        for line in lines {
            match line {
                Line::Search(text) => {
                    match text.starts_with("solve") {
                        true => solves += 1,
                        false => searches += 1,
                    }
                    client.send(&text);
                }
                Line::Other(text) => {
                    let Some(text) = tame(&text) else { continue };
                    let words: Vec<&str> = text.split_whitespace().collect();
                    let is = |name: &str| {
                        words.first().is_some_and(|word| word.eq_ignore_ascii_case(name))
                    };
                    ready += usize::from(is("isready"));
                    if is("solve") {
                        solves += 1;
                        client.send(&text);
                        client.send("stop");
                        continue;
                    }
                    if is("go") {
                        // Counts are answered differently; other tests check whether a
                        // line is understood as a count.
                        if words.contains(&"perft") {
                            continue;
                        }
                        searches += 1;
                        // A limit of thousands of years is no limit.
                        client.send(&text);
                        client.send("stop");
                        continue;
                    }
                    client.send(&text);
                }
                Line::Bytes(mut bytes) => {
                    bytes.retain(|&byte| byte != b'\n');
                    bytes.insert(0, 0xff);
                    bytes.push(b'\n');
                    client.send_bytes(bytes);
                }
            }
        }
        client.send("isready");
        ready += 1;
        let output = client.end();
        let count = |head: &str| output.iter().filter(|line| line.starts_with(head)).count();
        prop_assert_eq!(count("readyok"), ready);
        prop_assert_eq!(count("bestmove "), searches);
        prop_assert_eq!(count("solution "), solves);
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
        let result = match end.outcome() {
            Some(Outcome::Win(Side::First)) => "p1win",
            Some(Outcome::Win(Side::Second)) => "p2win",
            Some(Outcome::Draw) => "draw",
            None => "none",
        };
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
