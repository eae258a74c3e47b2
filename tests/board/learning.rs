//! Lessons and puzzles, by the rules and the solver.

use serde_json::Value as Json;
use totemic_engine::game::{GameKind, greedy_moves, with_game};
use totemic_engine::search::solver::{Solvable, SolveRequest, solve};
use totemic_games::facts::{Question, answer_by_rules};

const PUZZLES: &str = include_str!("../../src/board/page/puzzles.tsv");

/// What the library tells the page of a position after some moves.
fn facts(game: &str, fen: &str, moves: &[&str]) -> Json {
    let question = serde_json::json!({"ask": "position", "game": game, "fen": fen, "moves": moves});
    let question: Question = serde_json::from_value(question).expect("a question");
    answer_by_rules(&question).unwrap_or_else(|why| panic!("{fen} {moves:?}: {why}"))
}

fn texts<'a>(of: &'a Json, field: &str) -> Vec<&'a str> {
    let texts = of[field].as_array().into_iter().flatten();
    texts.filter_map(Json::as_str).collect()
}

fn fits(pattern: &str, mv: &str) -> bool {
    let same = |(wanted, found): (char, char)| wanted == '.' || wanted == found;
    pattern.len() == mv.len() && pattern.chars().zip(mv.chars()).all(same)
}

/// Squares between two, diagonal ones as straight ones.
fn distance(from: &str, to: &str) -> u8 {
    let apart = |at: usize| from.as_bytes()[at].abs_diff(to.as_bytes()[at]);
    apart(0).max(apart(1))
}

#[test]
fn every_lesson_can_be_solved_and_claims_what_holds() {
    let lessons: Json =
        serde_json::from_str(include_str!("../../src/board/page/lessons.json")).expect("JSON");
    for game in ["yoxii", "hokito"] {
        let lessons = lessons[game].as_array().expect("lessons");
        assert!((8..=12).contains(&lessons.len()));
        for lesson in lessons {
            check(game, lesson);
        }
    }
}

fn check(game: &str, lesson: &Json) {
    let fen = lesson["fen"].as_str().expect("a position");
    let before = facts(game, fen, &[]);
    let moves = texts(&before, "moves");
    let patterns = texts(lesson, "solved");
    for pattern in &patterns {
        let fitting = moves.iter().any(|mv| fits(pattern, mv));
        assert!(fitting, "{fen}: no move is {pattern}");
    }
    let is_right = |mv: &str| patterns.iter().any(|pattern| fits(pattern, mv));
    let ends = |mv: &str| {
        let after = facts(game, fen, &[mv]);
        let is_over = texts(&after, "moves").is_empty();
        (is_over, after["result"] == "p1win", after)
    };
    let score = |facts: &Json, side: usize| facts["score"][side].as_i64().expect("points");
    let lead = |facts: &Json| score(facts, 0) - score(facts, 1);
    let claims = texts(lesson, "claims");
    let all_right = moves.iter().all(|mv| is_right(mv));
    let is_only = claims.contains(&"only");
    assert_eq!(all_right, is_only, "{fen}: is there a choice?");
    let wrong: Vec<_> = moves.iter().filter(|mv| !is_right(mv)).collect();
    let routes = before["routes"].as_array().expect("routes");
    for (mv, route) in moves.iter().zip(routes).filter(|(mv, _)| is_right(mv)) {
        let (is_over, wins, after) = ends(mv);
        let route: Vec<&str> = (route.as_array().into_iter().flatten())
            .filter_map(Json::as_str)
            .collect();
        let (from, to) = (route[0], route[route.len() - 1]);
        for claim in &claims {
            let holds = match *claim {
                "only" => true,
                "jump" => distance(from, to) > 1,
                "anywhere" => (moves.iter())
                    .any(|other| other[..2] == mv[..2] && distance(&other[..2], &other[2..4]) > 1),
                "ends" => is_over && wins,
                // Another move ends the game, too, and does not win.
                "trap" => wrong.iter().any(|mv| matches!(ends(mv), (true, false, _))),
                "pieces" => after["decision"] == "pieces",
                "gap" => route.len() == 2 && distance(from, to) > 1,
                "most" => wrong
                    .iter()
                    .all(|other| lead(&ends(other).2) < lead(&after)),
                "costs" => score(&after, 0) < score(&before, 0),
                way => route.join(" ") == way,
            };
            assert!(holds, "{fen} {mv}: {claim}");
        }
    }
}

/// The game, the position, its value, the best move, the grade, and the line.
type Puzzle<'a> = ([&'a str; 5], Vec<&'a str>);

fn puzzles() -> impl Iterator<Item = Puzzle<'static>> {
    PUZZLES.lines().map(|line| {
        let [game, fen, value, best, note] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let note = note.strip_prefix("# ").expect(line);
        let (grade, moves) = note.split_once(": ").expect(line);
        ([game, fen, value, best, grade], moves.split(' ').collect())
    })
}

/// How likely a player who looks one ply ahead and counts the points on the board finds the
/// answer.
fn chance_of_greed(([game, fen, _, best, _], _): &Puzzle<'_>) -> f64 {
    with_game!(GameKind::named(game).expect("a game"), G => {
        let chosen = greedy_moves(&fen.parse::<G>().expect(fen));
        let found = chosen.iter().any(|mv| mv.to_string() == *best);
        f64::from(found) / chosen.len() as f64
    })
}

/// What is easy is in part found by greed, and nothing else is: no puzzle of a day is.
/// What is hard is no matter of a few plies.
#[test]
fn puzzles_are_graded_by_what_greed_finds_and_are_as_varied_as_games() {
    for game in ["yoxii", "hokito"] {
        let mut plies = Vec::new();
        for grade in ["easy", "medium", "hard"] {
            let of_grade = puzzles().filter(|([of, .., it], _)| (*of, *it) == (game, grade));
            let of_grade: Vec<Puzzle<'_>> = of_grade.collect();
            assert!(of_grade.len() >= 60, "{game}, {grade}");
            let count = of_grade.len() as f64;
            let found: f64 = of_grade.iter().map(chance_of_greed).sum();
            let is_graded = match grade {
                "easy" => found / count >= 0.5,
                _ => found == 0.0,
            };
            assert!(is_graded, "{game}, {grade}: {found} of {count}");
            plies.push(of_grade.iter().map(|(_, line)| line.len()).sum::<usize>() as f64 / count);
            // The last letter of a move in Yoxii is the piece. Greed nearly always places
            // the 4, so what is easy is an exception.
            let pieces = ["o", "i", "y", "x"].into_iter();
            for piece in pieces.filter(|_| game == "yoxii" && grade != "easy") {
                let placed = of_grade
                    .iter()
                    .filter(|([_, _, _, best, _], _)| best.ends_with(piece));
                let share = placed.count() as f64 / count;
                assert!((0.1..=0.45).contains(&share), "{grade}, {piece}: {share}");
            }
        }
        let is_longest = plies[2] > plies[1] && plies[2] > plies[0];
        assert!(is_longest, "{game}: {plies:?}");
    }
}

fn solves_to<G: Solvable>(fen: &str, value: &str, best: &str) {
    let position: G = fen.parse().expect(fen);
    let request = SolveRequest {
        all_moves: true,
        ..SolveRequest::default()
    };
    let found = solve(&position, &request);
    assert_eq!(found.value.name(), value, "{fen}");
    assert!(found.best_complete && found.best.len() == 1, "{fen}");
    assert_eq!(found.best[0].to_string(), best, "{fen}");
}

#[test]
fn every_puzzle_has_one_best_move_and_a_line_that_proves_nothing_else() {
    for (index, ([game, fen, value, best, _], line)) in puzzles().enumerate() {
        assert_eq!(line[0], best);
        let begin = facts(game, fen, &[]);
        let mover = begin["side"].as_str().expect("a side");
        let end = facts(game, fen, &line);
        let result = match value {
            "win" => format!("{mover}win"),
            value => value.to_owned(),
        };
        assert_eq!(end["result"], result, "{fen} {line:?}");
        // All of them: `totemic solve --all-moves --file src/board/page/puzzles.tsv`.
        if index % 12 == 0 {
            let kind = GameKind::named(game).expect("a game");
            with_game!(kind, G => solves_to::<G>(fen, value, best));
        }
    }
}
