//! Moves as people write them: `D5-E5 X`, `d5 e5 4`, `a4xc6`.
//!
//! What is printed is always the strict form of
//! [`Game::read_move`]; what is typed may differ from it in case, in what
//! stands between the squares, and in the place of the value, which may be a digit.
//! It may have the move's number before it, as in `1. c5b6y`, and may leave out what
//! only one legal move could mean. [`read_move`] reads one move, [`read_moves`] a
//! line of them.

mod parts;

use thiserror::Error;

use crate::game::{Game, Hokito, Yoxii, quoted};
use parts::{Part, Parts};

/// How the moves of a game are written, as far as a reader needs it.
pub trait Notation: Game {
    /// What the parts of a move are, in their order, as the end of 'which ...?'.
    const PARTS: &'static [&'static str];
    /// The letters that stand for values 1, 2, ... behind the squares; none if
    /// squares are all there is.
    const MARKS: &'static [char];
    /// The form of a move, for people.
    const FORM: &'static str;
}

impl Notation for Yoxii {
    const PARTS: &'static [&'static str] = &["square of the totem", "square of the piece", "value"];
    const MARKS: &'static [char] = &['o', 'i', 'y', 'x'];
    const FORM: &'static str = "the totem's new square, the piece's square and its value \
                                (o i y x, or 1 2 3 4), as in d5e5x or d5 e5 4";
}

impl Notation for Hokito {
    const PARTS: &'static [&'static str] = &["square of departure", "square of arrival"];
    const MARKS: &'static [char] = &[];
    const FORM: &'static str = "the square of departure and that of arrival, as in a4c6 or a4 c6";
}

/// Why a text is no legal move: the offending token, and what would be legal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    /// Not the form of a move.
    fn syntax<G: Notation>(text: &str, problem: &str) -> Self {
        let text = quoted(text.trim());
        Self(format!(
            "{text} is not a move: {problem}; expected {}",
            G::FORM
        ))
    }

    /// The error of the move with this number, from 1, of a line of moves.
    fn in_line(number: usize, Self(why): Self) -> Self {
        Self(format!("move {number}: {why}"))
    }
}

/// Reads a move as a person types it and checks that it is legal here.
///
/// ```
/// use totemic::game::{Game, Yoxii};
/// use totemic::record::notation::read_move;
///
/// let start = Yoxii::start();
/// let mv = start.read_move("c5b6x")?;
/// for typed in ["C5-B6 X", "c5 b6 4", "c5, x b6", "c5:b6=4"] {
///     assert_eq!(read_move(&start, typed), Ok(mv));
/// }
/// let why = read_move(&start, "e6b6x").unwrap_err().to_string();
/// assert!(why.ends_with("legal as square of the totem: c3 d3 e3 c4 e4 c5 d5 e5"), "{why}");
/// # Ok::<(), totemic::game::MoveError>(())
/// ```
///
/// # Errors
/// [`NotationError`]: with the offending token, the parts that are missing, or
/// the rule broken and what is legal close to it.
pub fn read_move<G: Notation>(position: &G, text: &str) -> Result<G::Move, NotationError> {
    let syntax = |problem: &str| NotationError::syntax::<G>(text, problem);
    let moves = Parts::read::<G>(text, false).map_err(|flaw| syntax(&flaw.problem))?;
    if let Some(part) = moves.get(1).and_then(Parts::first) {
        return Err(syntax(&format!("'{part}' is more than a move has")));
    }
    resolve(position, text.trim(), &moves[0])
}

/// Reads a line of moves, each as [`read_move`] does but complete, with any of
/// its separators between them; the moves and the position behind them.
///
/// # Errors
/// [`NotationError`], with the number of the move.
pub fn read_moves<G: Notation>(start: &G, text: &str) -> Result<(Vec<G::Move>, G), NotationError> {
    let read = Parts::read::<G>(text, true).map_err(|flaw| {
        let why = NotationError::syntax::<G>(word_at(text, flaw.at), &flaw.problem);
        NotationError::in_line(flaw.number, why)
    })?;
    let (mut moves, mut position) = (Vec::new(), *start);
    for parts in read {
        let mv = resolve(&position, &parts.to_string(), &parts)
            .map_err(|why| NotationError::in_line(moves.len() + 1, why))?;
        moves.push(mv);
        position = position.play(mv);
    }
    Ok((moves, position))
}

/// The word of a text that holds a byte.
fn word_at(text: &str, at: usize) -> &str {
    let begin = text[..at]
        .rfind(char::is_whitespace)
        .map_or(0, |blank| blank + 1);
    text[begin..].split_whitespace().next().unwrap_or_default()
}

/// The one legal move that fits what was given.
fn resolve<G: Notation>(position: &G, text: &str, parts: &Parts) -> Result<G::Move, NotationError> {
    let legal: Vec<(G::Move, Parts)> = (position.moves().iter())
        .map(|&mv| (mv, Parts::of_strict(&mv.to_string())))
        .collect();
    if legal.is_empty() {
        return Err(NotationError(format!("{}: the game is over", quoted(text))));
    }
    let fitting: Vec<&(G::Move, Parts)> =
        legal.iter().filter(|(_, legal)| parts.fit(legal)).collect();
    match fitting[..] {
        [] => Err(illegal(position, text, parts, &legal)),
        [(mv, _)] => Ok(*mv),
        _ => {
            let at = parts.first_open(G::PARTS.len());
            let choices = choices(fitting.iter().map(|(_, legal)| legal), at);
            let (text, missing) = (quoted(text), G::PARTS[at]);
            Err(NotationError(format!(
                "{text} is not complete: which {missing}? {choices}"
            )))
        }
    }
}

/// Which rule a move breaks, and what is legal where it goes wrong first.
fn illegal<G: Notation>(
    position: &G,
    text: &str,
    parts: &Parts,
    legal: &[(G::Move, Parts)],
) -> NotationError {
    if !matches!(parts.first(), Some(Part::Square(_))) {
        return NotationError::syntax::<G>(text, "no square in it");
    }
    let mut near: Vec<&Parts> = legal.iter().map(|(_, parts)| parts).collect();
    let (mut given, mut at) = (Parts::default(), 0);
    for place in (0..G::PARTS.len()).filter(|&place| parts.get(place).is_some()) {
        at = place;
        let longer = parts.up_to(place);
        if !near.iter().any(|legal| longer.fit(legal)) {
            break;
        }
        near.retain(|legal| longer.fit(legal));
        given = longer;
    }
    // What is not given is as in a legal move, so that the first rule that is
    // broken is one that what is given breaks.
    let whole = near.first().map(|legal| parts.completed(legal));
    let refusal = whole.and_then(|whole| position.refusal(whole.to_string().parse().ok()?));
    let reason = refusal.unwrap_or("no legal move is written so");
    let behind = match given.to_string() {
        none if none.is_empty() => none,
        given => format!(" behind {given}"),
    };
    let (text, part, choices) = (quoted(text), G::PARTS[at], choices(near.into_iter(), at));
    NotationError(format!(
        "{text} is illegal: {reason}; legal as {part}{behind}: {choices}"
    ))
}

/// What stands at a place of these moves, each once, in the moves' order.
fn choices<'a>(moves: impl Iterator<Item = &'a Parts>, at: usize) -> String {
    let mut found: Vec<String> = Vec::new();
    for part in moves.filter_map(|parts| parts.get(at)) {
        let part = part.to_string();
        if !found.contains(&part) {
            found.push(part);
        }
    }
    found.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rng, random_game};

    /// Typed forms of a strict move that all mean it.
    fn forms(strict: &str) -> Vec<String> {
        let (first, rest) = strict.split_at(2);
        let (second, mark) = rest.split_at(2);
        let mut forms = vec![
            strict.to_uppercase(),
            format!("{first}-{second} {mark}"),
            format!("  {first} -> {second}{mark} "),
            format!("{first}x{second}{mark}"),
        ];
        if let Some(value) = Yoxii::MARKS.iter().position(|&m| mark.starts_with(m)) {
            let value = value + 1;
            forms.push(format!("{first} {second} {value}"));
            forms.push(format!("{first}{second}{value}"));
            forms.push(format!("{first}, {mark}{second}"));
            // Here the cross is a value and no capture.
            forms.remove(3);
        }
        forms
    }

    fn forms_are_read<G: Notation>() {
        let mut rng = Rng::new(11);
        for plies in 0..20 {
            let (_, position) = random_game(G::start(), plies, &mut rng);
            for mv in position.moves() {
                for form in forms(&mv.to_string()) {
                    assert_eq!(read_move(&position, &form), Ok(mv), "{form} in {position}");
                }
            }
        }
    }

    #[test]
    fn moves_are_read_however_they_are_typed() {
        forms_are_read::<Yoxii>();
        forms_are_read::<Hokito>();
    }

    #[test]
    fn a_line_of_moves_needs_no_particular_separators() {
        fn read<G: Notation>(text: &str) -> String {
            match read_moves(&G::start(), text) {
                Ok((moves, _)) => {
                    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    moves.join(" ")
                }
                Err(why) => why.to_string(),
            }
        }
        for text in [
            "a4a3 A2xB2,d4-d3",
            "1. a4a3 a2b2 2. d4d3",
            "1.a4a3 1...a2b2 2.d4d3",
            "1. a4a3 a2b2 2. d4d3 3.",
        ] {
            assert_eq!(read::<Hokito>(text), "a4a3 a2b2 d4d3", "{text}");
        }
        for text in [
            "C5 B6 3 c6-c5o",
            "1. C5 B6 3 c6-c5o",
            "1. c5b6y c6c5o 2.",
            "c5b6y 2. c6c5o",
            "1. c5 b6 3 1... c6 c5 1 2.",
        ] {
            assert_eq!(read::<Yoxii>(text), "c5b6y c6c5o", "{text}");
        }
        // No number is taken for the value that somebody forgot.
        for text in [
            "1. c5b6 2. c6c5o",
            "1. c5b6y c6c5 2.",
            "1. c5 b6 4. 2. c6 c5 1",
            "c5b6 1... c6c5 2",
            "1 c5b6 2 c6c5",
            "1) c5b6 2) c6c5",
            "c5b6y 1 c6c5",
        ] {
            let why = read::<Yoxii>(text);
            let expected = ["which value?", "stands before the squares"];
            assert!(
                expected.iter().any(|part| why.contains(part)),
                "{text}: {why}"
            );
        }
        for (text, expected) in [
            ("a4a3 a4b4", "move 2: 'a4b4' is illegal"),
            (
                "a4a3 a2z9 d4d3",
                "move 2: 'a2z9' is not a move: unexpected 'z'",
            ),
        ] {
            let why = read::<Hokito>(text);
            assert!(why.starts_with(expected), "{why}");
        }
        let value = Yoxii::start().read_move("c5b6y").expect("legal");
        for text in ["1. c5 b6 3.", "c5 b6 3.", "3 c5b6"] {
            assert_eq!(read_move(&Yoxii::start(), text), Ok(value), "{text}");
        }
    }

    /// The error for a text in a position.
    fn answer<G: Notation>(position: &G, text: &str) -> String {
        read_move(position, text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_legal() {
        let yoxii = Yoxii::start();
        let cases = [
            ("d5", "which square of the piece? c4 d4 e4 c5 e5 c6 d6 e6"),
            ("d5e5", "which value? o i y x"),
            ("d5 a1 x", "'a1' is no square of the board"),
            ("d5e5z", "unexpected 'z'"),
            ("d5e5x3", "'y' is more than a move has"),
            ("d5e5e6", "'e6' is more than a move has"),
            ("d5d5x", "behind d5: c4 d4 e4"),
            ("", "'' is not a move"),
            ("xx", "'xx' is not a move"),
        ];
        for (text, part) in cases {
            let why = answer(&yoxii, text);
            assert!(why.contains(part), "{text}: {why}");
        }
        let hokito = Hokito::start();
        let cases = [
            ("a4", "which square of arrival?"),
            (
                "a1a2",
                "topped by the opponent; legal as square of departure: ",
            ),
            ("a4f6", "no route of as many steps"),
            ("a4c6o", "unexpected 'o'"),
            ("a4g4", "'g4' is no square of the board"),
        ];
        for (text, part) in cases {
            let why = answer(&hokito, text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    /// Were its time to grow with the square of the length, nobody would wait for it.
    #[test]
    fn a_word_of_any_length_is_answered() {
        let word = format!("d5e5{}", "x".repeat(2_000_000));
        let why = read_move(&Yoxii::start(), &word).expect_err("too much");
        assert!(why.to_string().contains("'x' is more than a move has"));
        assert!(read_moves(&Yoxii::start(), &word).is_err());
        assert!(read_moves(&Yoxii::start(), &"1".repeat(2_000_000)).is_err());
    }

    #[test]
    fn a_value_that_is_used_up_is_told_with_those_left() {
        let position: Yoxii = "X2/XX3/2*4/7/7/5/xxx w".parse().expect("a position");
        let mv = position.moves()[0].to_string();
        let why = answer(&position, &format!("{}4", &mv[..4]));
        assert!(why.contains("no piece of that value is left"), "{why}");
        assert!(
            why.ends_with(&format!("behind {}: o i y", &mv[..4])),
            "{why}"
        );
    }

    #[test]
    fn what_only_one_move_can_mean_need_not_be_typed() {
        let position: Hokito = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b".parse().expect("a position");
        let only = position.read_move("b1a1").expect("a legal move");
        assert_eq!(read_move(&position, "b1"), Ok(only));
        let over = position.play(only);
        assert!(answer(&over, "a1b1").contains("the game is over"));
    }
}
