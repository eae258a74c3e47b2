//! Lines of a reader, of bounded length and checked.

use std::io::{self, BufRead, ErrorKind};

/// Longest line that is accepted, in bytes without its line end. The longest useful one
/// is a position with 36 moves, less than 1 KiB.
pub(super) const MAX_LINE: usize = 64 << 10;

/// Why a line is refused. The reader goes on with the next one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error("a line of {length} bytes is too long: expected at most {MAX_LINE}; it is ignored")]
    TooLong { length: u64 },
    #[error("a NUL at byte {at}: expected text; the line is ignored")]
    Nul { at: usize },
    #[error("invalid UTF-8 at byte {at}: expected text; the line is ignored")]
    NotText { at: usize },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Unreadable {
    /// The first word of the line in lower case, if it can be read.
    pub(super) command: Option<String>,
    pub(super) why: LineError,
}

/// The lines of a reader. Holds at most one byte more than [`MAX_LINE`], whatever comes
/// in.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    has_next: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            has_next: false,
        }
    }

    /// The next line without its line end, `\n` or `\r\n`; `None` at the end of the
    /// input. A last line without a line end counts.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<&str, Unreadable>>> {
        self.line.clear();
        let mut length = 0u64;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(why) if why.kind() == ErrorKind::Interrupted => continue,
                Err(why) => return Err(why),
            };
            if chunk.is_empty() {
                if length == 0 {
                    return Ok(None);
                }
                break;
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            // One byte more than allowed shows that a line is too long; the
            // carriage return does not count.
            let wanted = (MAX_LINE + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..wanted.min(part.len())]);
            length += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            self.has_next = chunk[used..].contains(&b'\n');
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if length <= self.line.len() as u64 && self.line.ends_with(b"\r") {
            self.line.pop();
            length -= 1;
        }
        let line = check(&self.line, length);
        Ok(Some(line.map_err(|why| Unreadable {
            command: first_word(&self.line),
            why,
        })))
    }

    /// Whether another line has come already.
    pub(super) fn has_next(&self) -> bool {
        self.has_next
    }
}

/// Checks a line and returns it as text; `line` has its beginning, and `length` is that
/// of the whole line.
fn check(line: &[u8], length: u64) -> Result<&str, LineError> {
    if length > MAX_LINE as u64 {
        return Err(LineError::TooLong { length });
    }
    if let Some(at) = line.iter().position(|&byte| byte == 0) {
        return Err(LineError::Nul { at });
    }
    match std::str::from_utf8(line) {
        // Some shells put a byte order mark before what they pipe.
        Ok(line) => Ok(line.trim_start_matches('\u{feff}')),
        Err(why) => Err(LineError::NotText {
            at: why.valid_up_to(),
        }),
    }
}

/// The first word of a line in lower case, if it consists of ASCII letters.
fn first_word(line: &[u8]) -> Option<String> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let mut words = line.split(u8::is_ascii_whitespace);
    let word = words.find(|word| !word.is_empty())?;
    let is_plain = word.iter().all(u8::is_ascii_alphabetic);
    is_plain.then(|| String::from_utf8_lossy(word).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn read(bytes: &[u8]) -> Vec<Result<String, LineError>> {
        // A tiny buffer puts a seam into every line.
        let mut lines = Lines::new(BufReader::with_capacity(3, bytes));
        let mut read = Vec::new();
        while let Ok(Some(line)) = lines.next() {
            read.push(line.map(str::to_owned).map_err(|bad| bad.why));
        }
        read
    }

    #[test]
    fn lines_have_ends_and_bounds() {
        let longest = "x".repeat(MAX_LINE);
        let too_long = |length| Err(LineError::TooLong { length });
        for (text, expected) in [
            (
                b"\xef\xbb\xbfone\r\n\ntwo\nlast".to_vec(),
                vec![Ok("one"), Ok(""), Ok("two"), Ok("last")],
            ),
            (b"".to_vec(), vec![]),
            (
                b"a\0b\n\xff\nok\n".to_vec(),
                vec![
                    Err(LineError::Nul { at: 1 }),
                    Err(LineError::NotText { at: 0 }),
                    Ok("ok"),
                ],
            ),
            (
                format!("{longest}\r\n{longest}x\nok\n{longest}xxx").into_bytes(),
                vec![
                    Ok(&*longest),
                    too_long(MAX_LINE as u64 + 1),
                    Ok("ok"),
                    too_long(MAX_LINE as u64 + 3),
                ],
            ),
        ] {
            let expected = expected.into_iter().map(|it| it.map(str::to_owned));
            assert_eq!(read(&text), expected.collect::<Vec<_>>());
        }
    }
}
