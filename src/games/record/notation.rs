//! Moves as people write them: `D5-E5 X`, `d5 e5 4`, `a4xc6`.
//!
//! The program always prints the strict form of [`Game::read_move`]. What people type may
//! differ from it in case, in the separators between the squares, in the place of the
//! value, and by a digit for the value. The number of the move may precede it, as in
//! `1. c5b6y`, and you may leave out parts that only one legal move could have.
//! [`read_move`] reads one move, [`read_moves`] a line of them.

use arrayvec::ArrayString;

use super::fault::Fault;
use totemic_engine::game::{Cell, Game, Hokito, Phrase, Yoxii};

/// What may separate the parts of a move.
const SEPARATORS: &str = "-,;:.=>/()+×→–";

/// A square, or the letter of a value, as in the strict form.
type Part = ArrayString<2>;
/// The two squares of a move and the letter of its value, as far as they were given.
type Parts = [Option<Part>; 3];

/// How the moves of a game are written.
pub trait Notation: Game {
    /// The names of a move's parts, in their order: the end of 'which ...?'.
    const PARTS: &'static [&'static str];
    /// The letters of the values 1, 2, ...; none if a move consists of two squares only.
    const LETTERS: &'static [char];
    /// The form of a move, as shown to people.
    const FORM: Phrase;
}

impl Notation for Yoxii {
    const PARTS: &'static [&'static str] = &["totem square", "piece square", "value"];
    const LETTERS: &'static [char] = &['o', 'i', 'y', 'x'];
    const FORM: Phrase = Phrase::new(&[
        "yoxii-typed",
        "the totem's new square, the piece's square and its value (o i y x, or 1 \
         2 3 4), as in d5e5x or d5 e5 4",
    ]);
}

impl Notation for Hokito {
    const PARTS: &'static [&'static str] = &["starting square", "destination"];
    const LETTERS: &'static [char] = &[];
    const FORM: Phrase = Phrase::new(&[
        "hokito-typed",
        "the starting square and the destination, as in a4c6 or a4 c6",
    ]);
}

/// Reads a move as a person types it and checks that it is legal here.
///
/// ```
/// use totemic_engine::game::{Game, Yoxii};
/// use totemic_games::record::notation::read_move;
///
/// let start = Yoxii::start();
/// let mv = start.read_move("c5b6x")?;
/// for typed in ["C5-B6 X", "c5 b6 4", "c5, x b6", "c5:b6=4"] {
///     assert_eq!(read_move(&start, typed), Ok(mv));
/// }
/// let why = read_move(&start, "e6b6x").unwrap_err().to_string();
/// assert!(why.ends_with("legal totem squares: c3 d3 e3 c4 e4 c5 d5 e5"), "{why}");
/// # Ok::<(), totemic_engine::game::MoveError>(())
/// ```
///
/// # Errors
/// [`Fault`], with the offending token, the missing parts, or the broken rule and what is
/// legal close to the move.
pub fn read_move<G: Notation>(position: &G, text: &str) -> Result<G::Move, Fault> {
    match &parts::<G>(text, false).map_err(|(_, why)| why)?[..] {
        [] => Err(syntax::<G>(text, Fault::NoSquare)),
        [parts] => resolve(position, text.trim(), parts),
        [_, more, ..] => {
            let part = more.iter().flatten().next().copied().unwrap_or_default();
            let part = part.to_string();
            Err(syntax::<G>(text, Fault::TooMuch { part }))
        }
    }
}

/// Reads a line of complete moves, each as [`read_move`] does, with any separators
/// between them. Returns the moves and the position after them.
///
/// # Errors
/// [`Fault`], with the number of the move.
pub fn read_moves<G: Notation>(start: &G, text: &str) -> Result<(Vec<G::Move>, G), Fault> {
    let read = parts::<G>(text, true).map_err(|(index, why)| Fault::in_move(index, why))?;
    if read.is_empty() {
        return Err(Fault::in_move(0, syntax::<G>(text, Fault::NoSquare)));
    }
    let (mut moves, mut position) = (Vec::new(), *start);
    for parts in read {
        let mv = resolve(&position, &strict(&parts), &parts)
            .map_err(|why| Fault::in_move(moves.len(), why))?;
        moves.push(mv);
        position = position.play(mv);
    }
    Ok((moves, position))
}

/// Says that a text does not have the form of a move.
fn syntax<G: Notation>(text: &str, of: Fault) -> Fault {
    Fault::NotMove {
        text: text.trim().to_owned(),
        of: Box::new(of),
        expected: G::FORM,
    }
}

/// Reads the parts of a text, move by move. Digits and dots at the beginning of a word,
/// as in `2.` or `2...`, are the number of a move; in a single move they can only precede
/// the first part. In a line, no move begins with a digit that means a value. An error has the
/// index of its move.
fn parts<G: Notation>(text: &str, is_line: bool) -> Result<Vec<Parts>, (usize, Fault)> {
    let is_whole = |parts: &Parts| parts[..G::PARTS.len()].iter().all(Option::is_some);
    let mut moves: Vec<Parts> = Vec::new();
    for word in text.split_whitespace() {
        let may_have_number = is_line || moves.is_empty();
        let mut rest = match may_have_number {
            true => without_number(word),
            false => word,
        };
        let shown = if is_line { word } else { text };
        while let Some(first) = rest.chars().next() {
            let wrong = |why| {
                // Counted only here, because a text may be of any length.
                let index = moves.iter().filter(|parts| is_whole(parts)).count();
                (index, syntax::<G>(shown, why))
            };
            let (part, places) = if let Some(square) = square(rest) {
                let Some(cell) = Cell::parse(&square.to_ascii_lowercase(), G::BOARD) else {
                    let square = square.to_owned();
                    return Err(wrong(Fault::OffBoard { square }));
                };
                rest = &rest[square.len()..];
                (cell.to_string(), 0..2)
            } else {
                rest = &rest[first.len_utf8()..];
                let Some(letter) = value_letter::<G>(first) else {
                    // In a game without values, a cross between squares is a capture.
                    let is_capture = G::LETTERS.is_empty() && matches!(first, 'x' | 'X');
                    if is_capture || SEPARATORS.contains(first) {
                        continue;
                    }
                    return Err(wrong(Fault::Stray { found: first }));
                };
                if is_line && first.is_ascii_digit() && moves.last().is_none_or(is_whole) {
                    return Err(wrong(Fault::ValueFirst { found: first }));
                }
                (letter.to_string(), 2..3)
            };
            let part = Part::from(&part).ok();
            let open = moves.last_mut().map(|parts| &mut parts[places.clone()]);
            match open.and_then(|open| open.iter_mut().find(|place| place.is_none())) {
                Some(place) => *place = part,
                None => {
                    let mut parts = Parts::default();
                    parts[places.start] = part;
                    moves.push(parts);
                }
            }
        }
    }
    Ok(moves)
}

/// Returns what follows the number of a move at the beginning of a word, or the whole
/// word if it has no number.
fn without_number(word: &str) -> &str {
    let dots = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = dots.trim_start_matches('.');
    let has_number = rest.len() < dots.len() && dots.len() < word.len();
    if has_number { rest } else { word }
}

/// Returns a letter and a digit at the beginning that look like a square, on the board or
/// off it. No letter of a value is also that of a file.
fn square(text: &str) -> Option<&str> {
    let square = text.get(..2)?;
    let is_square = matches!(square.as_bytes(), [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9']);
    is_square.then_some(square)
}

/// Returns the letter of the value that a letter or a digit stands for.
fn value_letter<G: Notation>(typed: char) -> Option<char> {
    let value = typed.to_digit(10).and_then(|value| value.checked_sub(1));
    match value {
        Some(index) => G::LETTERS.get(index as usize).copied(),
        None => (G::LETTERS.iter().copied()).find(|letter| letter.eq_ignore_ascii_case(&typed)),
    }
}

/// Joins the parts as in the strict form.
fn strict(parts: &Parts) -> String {
    parts.iter().flatten().map(Part::as_str).collect()
}

/// Returns the one legal move that has the given parts, or why there is none.
fn resolve<G: Notation>(position: &G, text: &str, parts: &Parts) -> Result<G::Move, Fault> {
    let legal: Vec<(G::Move, Parts)> = (position.moves().iter())
        .map(|&mv| {
            let text = mv.to_string();
            let part = |range| {
                let part = Part::from(text.get(range)?).ok()?;
                (!part.is_empty()).then_some(part)
            };
            (mv, [part(0..2), part(2..4), part(4..text.len())])
        })
        .collect();
    if legal.is_empty() {
        let text = text.to_owned();
        return Err(Fault::Over { text });
    }
    let fits = |legal: &Parts| (parts.iter().zip(legal)).all(|(it, of)| it.is_none() || it == of);
    let fitting: Vec<_> = legal.iter().filter(|(_, legal)| fits(legal)).collect();
    match fitting[..] {
        [] => Err(illegal(position, text, parts, &legal)),
        [(mv, _)] => Ok(*mv),
        _ => {
            let at = parts.iter().position(Option::is_none).unwrap_or(0);
            Err(Fault::Incomplete {
                text: text.to_owned(),
                part: G::PARTS[at],
                choices: choices(fitting.iter().map(|(_, legal)| legal), at),
            })
        }
    }
}

/// Says which rule a move breaks, and what is legal at the place where it first goes
/// wrong.
fn illegal<G: Notation>(
    position: &G,
    text: &str,
    parts: &Parts,
    legal: &[(G::Move, Parts)],
) -> Fault {
    if parts[..2].iter().all(Option::is_none) {
        return syntax::<G>(text, Fault::NoSquare);
    }
    let mut near: Vec<&Parts> = legal.iter().map(|(_, parts)| parts).collect();
    let (mut legal_parts, mut at) = (Parts::default(), 0);
    for place in (0..parts.len()).filter(|&place| parts[place].is_some()) {
        at = place;
        let nearer: Vec<_> = (near.iter().copied())
            .filter(|legal| legal[place] == parts[place])
            .collect();
        if nearer.is_empty() {
            break;
        }
        (near, legal_parts[place]) = (nearer, parts[place]);
    }
    // The missing parts are taken from a legal move, so that the given parts are to blame
    // for the first rule that is broken.
    let whole: Parts = std::array::from_fn(|at| parts[at].or(near.first()?[at]));
    let mv = strict(&whole).parse().ok();
    Fault::NotLegal {
        text: text.to_owned(),
        rule: mv.and_then(|mv| position.refusal(mv)),
        part: G::PARTS[at],
        after: strict(&legal_parts),
        choices: choices(near.into_iter(), at),
    }
}

/// Returns the parts that these moves have at a place, each once, in the order of the
/// moves.
fn choices<'a>(moves: impl Iterator<Item = &'a Parts>, at: usize) -> String {
    let mut choices: Vec<Part> = Vec::new();
    for part in moves.filter_map(|parts| parts[at]) {
        if !choices.contains(&part) {
            choices.push(part);
        }
    }
    choices.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use totemic_engine::game::{Rng, random_game};

    /// Reads every move of some positions in forms made of its squares and the letter or
    /// the digit of its value.
    fn forms_are_read<G: Notation>(forms: fn([&str; 3], usize) -> Vec<String>) {
        let mut rng = Rng::new(11);
        for plies in 0..20 {
            let (_, position) = random_game(G::start(), plies, &mut rng);
            for mv in position.moves() {
                let strict = mv.to_string();
                let ((first, rest), letter) = (strict.split_at(2), &strict[4..]);
                let digit =
                    1 + (G::LETTERS.iter().position(|&it| letter.starts_with(it))).unwrap_or(0);
                let mut forms = forms([first, &rest[..2], letter], digit);
                forms.push(strict.to_uppercase());
                for form in forms {
                    assert_eq!(read_move(&position, &form), Ok(mv), "{form} in {position}");
                }
            }
        }
    }

    #[test]
    fn moves_are_read_however_they_are_typed() {
        forms_are_read::<Yoxii>(|[a, b, letter], digit| {
            vec![
                format!("{a}-{b} {letter}"),
                format!("  {a} -> {b}{letter} "),
                format!("{a} {b} {digit}"),
                format!("{a}{b}{digit}"),
                format!("{a}, {letter}{b}"),
            ]
        });
        forms_are_read::<Hokito>(|[a, b, _], _| {
            vec![
                format!("{a}-{b}"),
                format!("  {a} -> {b} "),
                format!("{a}x{b}"),
            ]
        });
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
        let hokito = "a4a3 A2xB2,d4-d3|1. a4a3 a2b2 2. d4d3|1.a4a3 1...a2b2 2.d4d3|\
                      1. a4a3 a2b2 2. d4d3 3.";
        for text in hokito.split('|') {
            assert_eq!(read::<Hokito>(text), "a4a3 a2b2 d4d3", "{text}");
        }
        let yoxii = "C5 B6 3 c6-c5o|1. C5 B6 3 c6-c5o|1. c5b6y c6c5o 2.|c5b6y 2. c6c5o|\
                     1. c5 b6 3 1... c6 c5 1 2.";
        for text in yoxii.split('|') {
            assert_eq!(read::<Yoxii>(text), "c5b6y c6c5o", "{text}");
        }
        // The number of a move is not mistaken for a forgotten value.
        let forgotten = "1. c5b6 2. c6c5o|1. c5b6y c6c5 2.|1. c5 b6 4. 2. c6 c5 1|\
                         c5b6 1... c6c5 2|1 c5b6 2 c6c5|1) c5b6 2) c6c5|c5b6y 1 c6c5";
        for text in forgotten.split('|') {
            let why = read::<Yoxii>(text);
            let is_named = why.contains("which value?") || why.contains("comes before the squares");
            assert!(is_named, "{text}: {why}");
        }
        for (text, expected) in [
            ("a4b4", "move 2: 'a4b4' is illegal"),
            ("a2z9 d4d3", "move 2: 'a2z9' is not a move: unexpected 'z'"),
        ] {
            let why = read::<Hokito>(&format!("a4a3 {text}"));
            assert!(why.starts_with(expected), "{why}");
        }
        let value = Yoxii::start().read_move("c5b6y").expect("legal");
        for text in ["1. c5 b6 3.", "c5 b6 3.", "3 c5b6"] {
            assert_eq!(read_move(&Yoxii::start(), text), Ok(value), "{text}");
        }
    }

    /// Checks that the errors for these texts contain these parts.
    fn answers<G: Notation>(position: &G, cases: &[(&str, &str)]) {
        for (text, part) in cases {
            let why = read_move(position, text).unwrap_err().to_string();
            assert!(why.contains(part), "{text}: {why}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_legal() {
        let yoxii = [
            ("d5", "which piece square? c4 d4 e4 c5 e5 c6 d6 e6"),
            ("d5e5", "which value? o i y x"),
            ("d5 a1 x", "'a1' is not a square of the board"),
            ("d5e5z", "unexpected 'z'"),
            ("d5e5x3", "unexpected 'y' after a complete move"),
            ("d5e5e6", "unexpected 'e6' after a complete move"),
            ("d5d5x", "after d5: c4 d4 e4"),
            ("", "'' is not a move"),
            ("xx", "'xx' is not a move"),
        ];
        answers(&Yoxii::start(), &yoxii);
        let hokito = [
            ("a4", "which destination?"),
            ("a1a2", "is the opponent's; legal starting squares: "),
            ("a4f6", "no route of exactly as many steps"),
            ("a4c6o", "unexpected 'o'"),
            ("a4g4", "'g4' is not a square of the board"),
        ];
        answers(&Hokito::start(), &hokito);
    }

    /// The time must not grow with the square of the length.
    #[test]
    fn a_word_of_any_length_is_answered() {
        let word = format!("d5e5{}", "x".repeat(2_000_000));
        let why = read_move(&Yoxii::start(), &word).expect_err("too much");
        assert!(
            why.to_string()
                .contains("unexpected 'x' after a complete move")
        );
        assert!(read_moves(&Yoxii::start(), &word).is_err());
        assert!(read_moves(&Yoxii::start(), &"1".repeat(2_000_000)).is_err());
    }

    #[test]
    fn a_value_that_is_used_up_is_told_with_those_left() {
        let position: Yoxii = "X2/XX3/2*4/7/7/5/xxx w".parse().expect("a position");
        let squares = &position.moves()[0].to_string()[..4];
        let left = format!(
            "no piece of that value is left in reserve; legal values after {squares}: o i y"
        );
        answers(&position, &[(&format!("{squares}4"), &left)]);
    }

    #[test]
    fn what_only_one_move_can_mean_need_not_be_typed() {
        let position: Hokito = "x6/x6/x6/x6/w1,x5/b1,b1,x4 b".parse().expect("a position");
        let only = position.read_move("b1a1").expect("a legal move");
        assert_eq!(read_move(&position, "b1"), Ok(only));
        answers(&position.play(only), &[("a1b1", "the game is over")]);
    }
}
