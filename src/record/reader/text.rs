//! Portable Game Notation, as forgiving as readers of chess games are.

use std::time::Duration;

use super::{Close, Draft, PlayedMove, ReadError, first_is_white};
use crate::game::{GameKind, Outcome, Side, quoted};

/// Brackets within brackets deeper than this are passed over.
const MAX_DEPTH: usize = 32;
/// More words, or tags, than any game has; what has more may be endless.
const MOST_WORDS: usize = 100_000;
/// Results as PGN writes them.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// Suffixes of a move and the NAGs that they stand for, longest first.
const SUFFIXES: [(&str, u8); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];

/// Whether a text without tags is movetext: it begins with a move's number or
/// a comment.
pub(super) fn is_movetext(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    word.starts_with(['{', '(']) || rest.len() < word.len() && rest.starts_with('.')
}

/// The games of a PGN, each by itself; what makes no sense as PGN ends it.
pub(super) fn drafts(text: &str) -> Vec<Result<Draft, ReadError>> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
        token_line: 1,
    };
    let mut drafts = Vec::new();
    let mut raw = Raw::default();
    loop {
        match lexer.next() {
            Err(why) => {
                drafts.push(Err(why));
                return drafts;
            }
            Ok(None) => break,
            Ok(Some(token)) => {
                if raw.is_ended_by(&token) {
                    drafts.push(std::mem::take(&mut raw).draft());
                }
                if let Err(why) = raw.take(token, lexer.token_line) {
                    drafts.push(Err(why));
                    return drafts;
                }
            }
        }
    }
    if raw.depth > 0 {
        drafts.push(Err(ReadError::new(
            raw.variation_line,
            "variation: '(' without a ')' behind it",
        )));
    } else if raw.is_begun() {
        drafts.push(raw.draft());
    }
    drafts
}

/// A word of a PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    /// `[Key "value"]`, the value still escaped.
    Tag(&'a str, &'a str),
    /// In braces, or behind a semicolon.
    Comment(&'a str),
    Open,
    Close,
    Word(&'a str),
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Where the token read last begins.
    token_line: usize,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.bytes().next() else {
            return Ok(None);
        };
        let line = self.line;
        self.token_line = line;
        match first {
            b'{' => {
                let end = rest
                    .find('}')
                    .ok_or_else(|| ReadError::new(line, "comment: '{' without a '}' behind it"))?;
                self.step(end + 1);
                Ok(Some(Token::Comment(&rest[1..end])))
            }
            b';' => {
                let end = rest.find('\n').unwrap_or(rest.len());
                self.step(end);
                Ok(Some(Token::Comment(&rest[1..end])))
            }
            b'[' => self.tag(rest).map(Some),
            b'(' => {
                self.step(1);
                Ok(Some(Token::Open))
            }
            b')' => {
                self.step(1);
                Ok(Some(Token::Close))
            }
            b'$' => Ok(Some(Token::Word(self.word(rest, 1)))),
            _ => Ok(Some(Token::Word(self.word(rest, 0)))),
        }
    }

    /// A tag, which stands on one line.
    fn tag(&mut self, rest: &'a str) -> Result<Token<'a>, ReadError> {
        let whole = rest.lines().next().unwrap_or_default().trim_end();
        let parts = || {
            let (key, value) = whole.strip_prefix('[')?.split_once('"')?;
            let (mut end, mut escaped) = (None, false);
            for (at, c) in value.char_indices() {
                match c {
                    '"' if !escaped => {
                        end = Some(at);
                        break;
                    }
                    _ => escaped = c == '\\' && !escaped,
                }
            }
            let tail = &value[end? + 1..];
            let close = tail.find(']')?;
            let length = whole.len() - tail.len() + close + 1;
            tail[..close].trim().is_empty().then_some(())?;
            Some((key.trim(), &value[..end?], length))
        };
        let found = parts().filter(|(key, ..)| !key.is_empty());
        let (key, value, length) = found.ok_or_else(|| {
            ReadError::new(
                self.line,
                format!(
                    "tag {}: expected [Name \"value\"] on one line",
                    quoted(whole)
                ),
            )
        })?;
        self.step(length);
        Ok(Token::Tag(key, value))
    }

    /// A word up to the next blank or mark.
    fn word(&mut self, rest: &'a str, skip: usize) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
        let found = rest[skip..].find(ends).map(|at| at + skip);
        // A stray mark is a word of its own.
        let end = found.unwrap_or(rest.len()).max(1);
        self.step(end);
        &rest[..end]
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.step(blanks);
            let rest = &self.text[self.at..];
            let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
            if !(begins_line && rest.starts_with('%')) {
                return;
            }
            self.step(rest.find('\n').unwrap_or(rest.len()));
        }
    }

    fn step(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
    }
}

/// A game while it is read.
#[derive(Default)]
struct Raw {
    draft: Draft,
    /// Open brackets.
    depth: usize,
    /// The moves of the open variations, outermost first, as deep as they are kept.
    open: Vec<Vec<PlayedMove>>,
    variation_line: usize,
    words: usize,
    has_movetext: bool,
    is_over: bool,
}

impl Raw {
    fn is_begun(&self) -> bool {
        self.has_movetext || !self.draft.tags.is_empty()
    }

    /// Whether a token belongs to the next game already.
    fn is_ended_by(&self, token: &Token<'_>) -> bool {
        match token {
            Token::Tag(key, _) => {
                let again = self.draft.tags.iter().any(|(known, _)| known == key);
                self.depth == 0 && (self.has_movetext || again)
            }
            Token::Comment(_) => false,
            _ => self.is_over,
        }
    }

    fn take(&mut self, token: Token<'_>, line: usize) -> Result<(), ReadError> {
        if !self.is_begun() {
            self.draft.line = line;
        }
        self.words += 1;
        if self.words > MOST_WORDS {
            let why = format!("the game has more than {MOST_WORDS} words");
            return Err(ReadError::new(line, why));
        }
        match token {
            Token::Tag(key, value) => {
                let tags = &mut self.draft.tags;
                tags.push((key.to_owned(), unescaped(value)));
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
                return Err(ReadError::new(line, "')': there is no variation to close"));
            }
            Token::Close => self.close(),
            _ if self.depth > MAX_DEPTH => {}
            // One that stands before the tags begins no game.
            Token::Comment(text) => {
                self.comment(text);
                return Ok(());
            }
            Token::Word(word) => self.word(word, line),
        }
        self.has_movetext = true;
        Ok(())
    }

    /// The moves of the innermost open variation, or of the game.
    fn moves(&mut self) -> &mut Vec<PlayedMove> {
        self.open.last_mut().unwrap_or(&mut self.draft.moves)
    }

    /// A variation is over; it belongs to the move before it.
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
        if self.depth > 0 && RESULTS.contains(&word) {
            return;
        }
        if RESULTS.contains(&word) {
            self.is_over = true;
            self.draft.result = outcome(word, true).map(|it| (word.to_owned(), it));
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
        let mv = if digits.is_empty() || unnumbered.len() < digits.len() {
            unnumbered
        } else {
            word
        };
        let suffix = SUFFIXES.iter().find(|(text, _)| mv.ends_with(text));
        let bare = mv.strip_suffix(suffix.map_or("", |(text, _)| text));
        let nags = suffix.map(|&(_, nag)| nag);
        let bare = bare.unwrap_or(mv);
        if bare.is_empty() {
            if let Some(last) = self.moves().last_mut() {
                last.nags.extend(nags);
            }
            return;
        }
        self.moves().push(PlayedMove {
            mv: bare.to_owned(),
            nags: nags.into_iter().collect(),
            line,
            ..PlayedMove::default()
        });
    }

    /// What is said of the last move; what is said before the first is dropped.
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

    /// Applies the tags.
    fn draft(self) -> Result<Draft, ReadError> {
        let draft = self.draft;
        let tag = |name: &str| {
            let found = draft.tags.iter().find(|(key, _)| key == name);
            found.map(|(_, value)| value.as_str())
        };
        let variant = |name: &str| {
            GameKind::named(name).ok_or_else(|| {
                let names = GameKind::ALL.map(GameKind::name).join(" or ");
                let why = format!("variant {}: expected {names}", quoted(name));
                ReadError::new(draft.line, why)
            })
        };
        let player = |name| tag(name).filter(|&name| name != "?").unwrap_or_default();
        let (termination, reason) = (tag("Termination"), tag("Reason"));
        let mut done = Draft {
            kind: tag("Variant").map(variant).transpose()?,
            start: tag("FEN").map(str::to_owned),
            close: close(termination.unwrap_or_default(), reason.unwrap_or_default()),
            reason: reason.or(termination).unwrap_or_default().to_owned(),
            players: [player("White"), player("Black")].map(str::to_owned),
            ..Draft::default()
        };
        let written = draft.result.as_ref().map(|(token, _)| token.as_str());
        let token = written.or_else(|| tag("Result")).map(str::to_owned);
        (done.line, done.moves, done.tags) = (draft.line, draft.moves, draft.tags);
        let is_white_first = first_is_white(done.kind(None));
        if !is_white_first {
            done.players.reverse();
        }
        done.result = token.and_then(|token| {
            let outcome = outcome(&token, is_white_first)?;
            Some((token, outcome))
        });
        Ok(done)
    }
}

/// What a result says, `None` for a game without one.
fn outcome(token: &str, is_white_first: bool) -> Option<Outcome> {
    let (white, black) = if is_white_first {
        (Side::First, Side::Second)
    } else {
        (Side::Second, Side::First)
    };
    match token {
        "1-0" => Some(Outcome::Win(white)),
        "0-1" => Some(Outcome::Win(black)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// How a game ended, by the words of its tags.
pub(super) fn close(termination: &str, reason: &str) -> Close {
    let (termination, reason) = (termination.to_lowercase(), reason.to_lowercase());
    let says = |word: &str| termination.contains(word) || reason.contains(word);
    if says("time forfeit") || says("on time") || says("stall") {
        Close::Time
    } else if says("resign") {
        Close::Resignation
    } else if says("agree") || says("draw by scores") {
        Close::Agreement
    } else if says("adjudication") {
        Close::Adjudication
    } else if says("rules infraction") || says("abandoned") {
        Close::Forfeit
    } else {
        Close::Untold
    }
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut escaped = false;
    for c in value.chars() {
        escaped = c == '\\' && !escaped;
        if !escaped {
            text.push(c);
        }
    }
    text
}

/// A comment without its commands as `[%clk 0:01:02]`, its blanks made one, and the clock.
fn without_commands(text: &str) -> (String, Option<Duration>) {
    let (mut plain, mut clock) = (String::new(), None);
    let mut rest = text;
    while let Some((before, command)) = rest.split_once("[%") {
        plain.push_str(before);
        let (command, after) = command.split_once(']').unwrap_or((command, ""));
        if let Some(time) = command.strip_prefix("clk ") {
            clock = clock_time(time.trim());
        }
        rest = after;
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split_whitespace().collect();
    (words.join(" "), clock)
}

/// Reads `h:mm:ss`, `mm:ss` or seconds, each with a fraction or not.
fn clock_time(text: &str) -> Option<Duration> {
    let seconds = text.split(':').try_fold(0.0, |sum: f64, part| {
        let part: f64 = part.parse().ok()?;
        Some(60.0 * sum + part)
    })?;
    Duration::try_from_secs_f64(seconds).ok()
}
