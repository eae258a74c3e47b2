//! How the settings of two runs differ, in words.

use serde_json::{Value as Json, json};

use totemic_engine::text::{quoted, sanitized};

/// Checks that a `field` of settings, or the whole if the name is empty, is the same there and
/// here. The error describes the first difference, as the end of a sentence such as "seed is 1
/// in the journal, but 2 here", in which `place` is "in the journal".
/// `words` has the fields with names that users know; the fields inside these are not
/// compared one by one. Any other list is taken for one of engines.
pub(crate) fn same_settings(
    field: &str,
    words: &[(&str, &str)],
    [there, here]: [&Json; 2],
    place: &str,
) -> Result<(), String> {
    let known = words.iter().find(|(name, _)| *name == field);
    match (there, here) {
        (Json::Object(one), Json::Object(other)) if known.is_none() => {
            let mut keys = one.keys().chain(other.keys());
            keys.try_for_each(|key| same_settings(key, words, [&there[key], &here[key]], place))
        }
        (Json::Array(one), Json::Array(other)) if known.is_none() => {
            for ((one, other), number) in one.iter().zip(other).zip(1..) {
                let same = same_settings("", words, [one, other], place);
                same.map_err(|why| format!("of engine {number}, {why}"))?;
            }
            let counts = [one, other].map(|all| json!(all.len()));
            same_settings("the number of engines", words, counts.each_ref(), place)
        }
        _ if there == here => Ok(()),
        _ => {
            let what = known.map_or(field, |(_, words)| words);
            let (there, here) = (shown(there), shown(here));
            Err(format!("{what} is {there} {place}, but {here} here"))
        }
    }
}

/// Says a value in words: `random: plies: 4, scattered: false`.
fn shown(value: &Json) -> String {
    match value {
        Json::Null => "none".to_owned(),
        Json::Array(all) if all.is_empty() => "none".to_owned(),
        Json::String(text) => quoted(text),
        value => {
            let text = value.to_string().replace(['{', '}', '[', ']', '"'], "");
            sanitized(&text.replace(':', ": ").replace(',', ", "))
        }
    }
}
