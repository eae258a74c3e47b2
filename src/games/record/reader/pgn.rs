//! Reads Portable Game Notation as leniently as chess programs do.

use std::time::Duration;

use super::{Draft, PgnGame, PgnMove, ReadError, Termination, kind_of_draft};
use crate::record::fault::Fault;
use crate::record::writer::{by_colour, outcome_token};
use totemic_engine::game::{GameKind, Outcome};
use totemic_engine::text::sanitized;

/// Variations that are nested more deeply than this are ignored.
const MAX_DEPTH: usize = 32;
/// The most words and tags in a game; a longer text may be endless.
const MAX_WORDS: usize = 100_000;
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// Marks such as `!?` behind a move, and the NAGs that they stand for, the longest first.
#[rustfmt::skip]
const SUFFIXES: [(&str, u8); 21] = [
    ("+/-", 16), ("-/+", 17), ("+/=", 14), ("=/+", 15),
    ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("+-", 18), ("-+", 19), ("+=", 14), ("=+", 15),
    ("!", 1), ("?", 2), ("=", 10), ("∞", 13), ("⩲", 14), ("⩱", 15), ("±", 16), ("∓", 17), ("□", 7),
];

/// Whether a text without tags is movetext: it begins with the number of a move or with a
/// comment.
pub(super) fn is_movetext(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    word.starts_with(['{', '(']) || rest.len() < word.len() && rest.starts_with('.')
}

/// Reads each game of a PGN separately. After text that is not PGN at all, it goes on with
/// the next line that begins with the tag `Event`.
pub(super) fn drafts(text: &str, hint: Option<GameKind>) -> Vec<Result<Draft, ReadError>> {
    let mut drafts = Vec::new();
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
    };
    while let Err(why) = read(&mut lexer, hint, &mut drafts) {
        drafts.push(Err(why));
        let rest = &text[lexer.at..];
        lexer.advance(rest.find("\n[Event ").map_or(rest.len(), |end| end + 1));
    }
    drafts
}

fn read(
    lexer: &mut Lexer<'_>,
    hint: Option<GameKind>,
    drafts: &mut Vec<Result<Draft, ReadError>>,
) -> Result<(), ReadError> {
    let mut parser = Parser::default();
    loop {
        let next = lexer.next();
        if next.is_err() && parser.is_complete(lexer) {
            drafts.push(std::mem::take(&mut parser).draft(hint));
        }
        let Some((line, token)) = next? else { break };
        if parser.is_ended_by(&token) {
            drafts.push(std::mem::take(&mut parser).draft(hint));
        }
        parser.take(token, line)?;
    }
    if parser.is_begun() {
        drafts.push(parser.draft(hint));
    }
    Ok(())
}

enum Token<'a> {
    /// `[Key "value"]`.
    Tag(&'a str, String),
    /// A comment in braces or after a semicolon.
    Comment(&'a str),
    Open,
    Close,
    Word(&'a str),
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    /// Returns the next token, with the line on which it begins.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ReadError> {
        self.skip_whitespace();
        let (rest, line) = (&self.text[self.at..], self.line);
        let (token, length) = match rest.bytes().next() {
            None => return Ok(None),
            Some(b'{') => {
                let open = || ReadError::new(line, Fault::OpenComment);
                let end = rest.find('}').ok_or_else(open)?;
                (Token::Comment(&rest[1..end]), end + 1)
            }
            Some(b';') => {
                let end = rest.find('\n').unwrap_or(rest.len());
                (Token::Comment(&rest[1..end]), end)
            }
            Some(b'[') => read_tag(rest).ok_or_else(|| {
                let text = rest.lines().next().unwrap_or_default().trim_end();
                let text = text.to_owned();
                ReadError::new(line, Fault::BadTag { text })
            })?,
            Some(b'(') => (Token::Open, 1),
            Some(b')') => (Token::Close, 1),
            Some(first) => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                let skip = usize::from(first == b'$');
                let end = rest[skip..].find(ends).map(|at| at + skip);
                // A stray mark is a word of its own.
                let end = end.unwrap_or(rest.len()).max(1);
                (Token::Word(&rest[..end]), end)
            }
        };
        self.advance(length);
        Ok(Some((line, token)))
    }

    fn skip_whitespace(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.advance(blanks);
            let rest = &self.text[self.at..];
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if !(begins_line && rest.starts_with('%')) {
                return;
            }
            self.advance(rest.find('\n').unwrap_or(rest.len()));
        }
    }

    fn advance(&mut self, bytes: usize) {
        let text = &self.text[self.at..self.at + bytes];
        self.line += text.bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
    }
}

/// Reads a tag, which is on a single line, and returns its length, too.
fn read_tag(rest: &str) -> Option<(Token<'_>, usize)> {
    let line = rest.lines().next()?;
    let (key, value) = line.strip_prefix('[')?.split_once('"')?;
    let (mut text, mut chars) = (String::new(), value.chars());
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => text.push(chars.next()?),
            c => text.push(c),
        }
    }
    let (key, tail) = (key.trim(), chars.as_str());
    let close = tail.find(']')?;
    let is_tag = !key.is_empty() && tail[..close].trim().is_empty();
    is_tag.then(|| (Token::Tag(key, text), line.len() - tail.len() + close + 1))
}

/// Makes a game of its tokens.
#[derive(Default)]
struct Parser {
    game: PgnGame,
    /// The result after the moves, where the game ends.
    result_token: Option<String>,
    depth: usize,
    /// The moves of the open variations, the outermost first, as deep as they are kept.
    open: Vec<Vec<PgnMove>>,
    variation_line: usize,
    word_count: usize,
    has_movetext: bool,
}

impl Parser {
    fn is_begun(&self) -> bool {
        self.has_movetext || !self.game.tags.is_empty()
    }

    /// Whether what the lexer cannot read belongs to the next game.
    fn is_complete(&self, lexer: &Lexer<'_>) -> bool {
        self.result_token.is_some() || self.has_movetext && lexer.text[lexer.at..].starts_with('[')
    }

    /// Whether a token already belongs to the next game.
    fn is_ended_by(&self, token: &Token<'_>) -> bool {
        match token {
            Token::Tag(key, _) => {
                let again = self.game.tags.iter().any(|(known, _)| known == key);
                self.has_movetext || again
            }
            Token::Comment(_) => false,
            _ => self.result_token.is_some(),
        }
    }

    fn take(&mut self, token: Token<'_>, line: usize) -> Result<(), ReadError> {
        if !self.is_begun() {
            self.game.line = line;
        }
        self.word_count += 1;
        if self.word_count > MAX_WORDS {
            return Err(ReadError::new(line, Fault::TooLong { most: MAX_WORDS }));
        }
        match token {
            Token::Tag(key, value) => {
                self.game.tags.push((sanitized(key), sanitized(&value)));
                return Ok(());
            }
            Token::Open => {
                if self.depth == 0 {
                    self.variation_line = line;
                }
                self.depth += 1;
                if self.depth <= MAX_DEPTH {
                    self.open.push(Vec::new());
                }
            }
            Token::Close if self.depth == 0 => {
                return Err(ReadError::new(line, Fault::NoVariation));
            }
            Token::Close => self.close(),
            _ if self.depth > MAX_DEPTH => {}
            // A comment before the tags does not begin a game.
            Token::Comment(text) => {
                self.comment(text);
                return Ok(());
            }
            Token::Word(word) => self.word(word, line),
        }
        self.has_movetext = true;
        Ok(())
    }

    /// Returns the moves of the innermost open variation, or of the game.
    fn moves(&mut self) -> &mut Vec<PgnMove> {
        self.open.last_mut().unwrap_or(&mut self.game.moves)
    }

    /// Closes a variation and adds it to the move before it.
    fn close(&mut self) {
        if self.depth <= MAX_DEPTH
            && let Some(variation) = self.open.pop()
            && let Some(last) = self.moves().last_mut()
        {
            last.variations.push(variation);
        }
        self.depth -= 1;
    }

    fn word(&mut self, word: &str, line: usize) {
        if RESULTS.contains(&word) {
            if self.depth == 0 {
                self.result_token = Some(word.to_owned());
            }
            return;
        }
        if let Some(nag) = word.strip_prefix('$') {
            let last = self.moves().last_mut();
            if let (Some(last), Ok(nag)) = (last, nag.parse()) {
                last.nags.push(nag);
            }
            return;
        }
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let unnumbered = digits.trim_start_matches('.');
        let has_number = digits.is_empty() || unnumbered.len() < digits.len();
        let mv = if has_number { unnumbered } else { word };
        let bare = mv.trim_end_matches(|c: char| !c.is_alphanumeric());
        let nags = nags(&mv[bare.len()..]);
        // A word of marks belongs to the move before it; any other is refused as a move.
        if bare.is_empty() && (mv.is_empty() || !nags.is_empty()) {
            if let Some(last) = self.moves().last_mut() {
                last.nags.extend(nags);
            }
            return;
        }
        let bare = if bare.is_empty() { mv } else { bare };
        self.moves().push(PgnMove {
            nags,
            ..PgnMove::on_line(line, bare)
        });
    }

    /// Adds a comment to the last move; comments before the first move are dropped.
    fn comment(&mut self, text: &str) {
        let Some(last) = self.moves().last_mut() else {
            return;
        };
        let (text, clock) = without_commands(text);
        last.clock = clock.or(last.clock);
        last.is_book |= text == "book";
        if !last.comment.is_empty() && !text.is_empty() {
            last.comment.push(' ');
        }
        last.comment.push_str(&text);
    }

    fn draft(self, hint: Option<GameKind>) -> Result<Draft, ReadError> {
        if self.depth > 0 {
            return Err(ReadError::new(self.variation_line, Fault::OpenVariation));
        }
        let mut game = self.game;
        if game.tags.is_empty() && game.moves.is_empty() {
            return Err(ReadError::new(game.line, Fault::NoGame));
        }
        let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
        let kind = game.tag("Variant").map(|name| {
            GameKind::named(name).ok_or_else(|| {
                let name = name.to_owned();
                ReadError::new(game.line, Fault::Variant { name })
            })
        });
        let (reason, termination) = (tag("Reason"), tag("Termination"));
        let tagged = tag("Result");
        let result_token = self
            .result_token
            .filter(|it| it != "*")
            .unwrap_or_else(|| tagged.clone());
        if tagged != result_token && tagged != "*" && RESULTS.contains(&tagged.as_str()) {
            let (text, tag) = (result_token, tagged);
            return Err(ReadError::new(game.line, Fault::Results { text, tag }));
        }
        let mut players = ["White", "Black"].map(tag);
        for unknown in players.iter_mut().filter(|name| *name == "?") {
            unknown.clear();
        }
        game.start = tag("FEN");
        game.termination = Termination::read(&termination, &reason);
        game.reason_text = match reason.is_empty() {
            true => termination,
            false => reason,
        };
        game.kind = kind_of_draft(&game, kind.transpose()?, hint);
        game.players = by_colour(game.kind, players);
        let stands_for = |&it: &Outcome| outcome_token(game.kind, Some(it)) == result_token;
        game.result = Outcome::ALL.into_iter().find(stands_for);
        Ok(Draft {
            game,
            result_token,
            is_typed: false,
        })
    }
}

/// The NAGs for marks behind a move; marks that are not known are left out.
fn nags(mut marks: &str) -> Vec<u8> {
    let mut nags = Vec::new();
    while let Some(first) = marks.chars().next() {
        let entry = SUFFIXES.iter().find(|(mark, _)| marks.starts_with(mark));
        nags.extend(entry.map(|&(_, nag)| nag));
        marks = &marks[entry.map_or(first.len_utf8(), |(mark, _)| mark.len())..];
    }
    nags
}

/// Returns a comment without commands such as `[%clk 0:01:02]` and without double blanks,
/// and the clock's time.
fn without_commands(text: &str) -> (String, Option<Duration>) {
    let (mut plain_text, mut clock) = (String::new(), None);
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        plain_text.push_str(before);
        let (command, after) = command.split_once(']').unwrap_or((command, ""));
        if let Some(time) = command.strip_prefix("clk ") {
            clock = clock_time(time.trim());
        }
        rest = after;
    }
    plain_text.push_str(rest);
    let words: Vec<&str> = plain_text.split_whitespace().collect();
    (sanitized(&words.join(" ")), clock)
}

/// Reads `h:mm:ss`, `mm:ss` or seconds, with or without a fraction.
fn clock_time(text: &str) -> Option<Duration> {
    let seconds = text.split(':').try_fold(0.0, |sum: f64, part| {
        let part: f64 = part.parse().ok()?;
        Some(60.0 * sum + part)
    })?;
    Duration::try_from_secs_f64(seconds).ok()
}
