//! Parameters of a command and their values.

use std::slice::Iter;
use std::time::Duration;

use super::words::Word;

/// The words after a command, one by one: parameters and their values.
pub(super) struct Parameters<'a>(Iter<'a, Word<'a>>);

impl<'a> Parameters<'a> {
    pub(super) fn of(words: &'a [Word<'a>]) -> Self {
        Self(words.get(1..).unwrap_or_default().iter())
    }

    pub(super) fn next(&mut self) -> Option<&'a Word<'a>> {
        self.0.next()
    }

    pub(super) fn peek(&self) -> Option<&'a Word<'a>> {
        self.0.as_slice().first()
    }

    /// What `read` makes of the word after a parameter.
    fn value<T>(
        &mut self,
        name: &Word<'_>,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, String> {
        let expected = format!("{expected} after '{}'", name.text);
        let missing = || format!("{name} has no value: expected {expected}");
        let value = self.next().ok_or_else(missing)?;
        read(value.text).ok_or_else(|| value.refused(&expected))
    }

    /// The whole number after a parameter, at least `least`.
    pub(super) fn number(&mut self, name: &Word<'_>, least: u32) -> Result<u64, String> {
        let expected = format!("a whole number of at least {least}");
        self.value(name, &expected, |text| {
            let number = whole_number(text)?.try_into().ok();
            number.filter(|&number: &u64| number >= least.into())
        })
    }

    /// The whole number after a parameter, at least 1.
    pub(super) fn count(&mut self, name: &Word<'_>) -> Result<u32, String> {
        self.number(name, 1).map(saturated)
    }

    /// A depth; 0 stands for the least one, 1.
    pub(super) fn depth(&mut self, name: &Word<'_>) -> Result<u32, String> {
        let is_zero = |word: &Word<'_>| whole_number(word.text) == Some(0);
        let is_zero = self.peek().is_some_and(is_zero);
        let plies = self.number(name, u32::from(!is_zero))?;
        Ok(saturated(plies.max(1)))
    }

    /// Milliseconds. A clock that has run out may be below 0, which counts as 0. Some
    /// clients write fractions: what follows the point is dropped.
    pub(super) fn millis(&mut self, name: &Word<'_>) -> Result<Duration, String> {
        let millis = self.value(name, "a whole number", |text| {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
            whole_number(whole).filter(|_| is_fraction)
        })?;
        Ok(Duration::from_millis(millis.try_into().unwrap_or(0)))
    }
}

pub(super) fn saturated(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// A whole number in digits, perhaps after a minus; beyond 64 bits, the greatest or the
/// smallest one.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let beyond = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(beyond))
}
