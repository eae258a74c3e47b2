//! How two matches differ, in the words of the command line.

use serde_json::Value;

use super::settings::{MatchSettings, differs};
use totemic_engine::game::{plain, quoted};

/// Fields of the settings, with the names that users know. The fields inside these are
/// not compared one by one.
const WORDS: [(&str, &str); 26] = [
    ("name", "the name (name=)"),
    ("cmd", "the command (cmd=)"),
    ("args", "args="),
    ("dir", "the directory (dir=)"),
    ("options", "the list of options (option.NAME=)"),
    ("weights", "the checksum of the weights"),
    ("clock", "the clock (tc=)"),
    ("movetime_ms", "the time for a move in ms (st=)"),
    ("nodes", "the node limit (nodes=)"),
    ("depth", "the depth limit (depth=)"),
    ("margin_ms", "timemargin="),
    ("restart", "restart="),
    ("stages", "the number of rounds (--rounds)"),
    ("pairs", "the number of pairs (--games)"),
    ("seeds", "the number of seeded engines (--seeds)"),
    (
        "openings",
        "the source of openings (--openings, --random-plies)",
    ),
    ("solver_ms", "the solver's time in ms (--adjudicate)"),
    ("play_on", "playon (--adjudicate)"),
    ("resign", "the rule for resigning (--resign)"),
    ("draw", "the rule for draws (--draw)"),
    ("maxplies", "the most plies (--maxplies)"),
    ("format", "the format (--format)"),
    ("ponder", "thinking in the opponent's time (--ponder)"),
    ("sprt", "the sequential test (--sprt)"),
    ("startup_ms", "the time to start in ms (--start-within)"),
    ("answer_ms", "the time to answer in ms (--stall-after)"),
];

impl MatchSettings {
    /// Checks that a journal with these settings belongs to the match that is asked for.
    /// The error describes the first difference, as the end of a sentence. The number of
    /// pairs may differ if the schedule of the longer match begins with that of the
    /// shorter one.
    pub(crate) fn same_match(&self, wanted: &Self) -> Result<(), String> {
        let [mut journal, mut here] = [self, wanted].map(Clone::clone);
        if !journal.format.is_adaptive() {
            journal.pairs = here.pairs;
        }
        for (one, other) in journal.engines.iter_mut().zip(&mut here.engines) {
            // The checksum of the weights may be unknown.
            if one.weights.is_none() || other.weights.is_none() {
                (one.weights, other.weights) = (None, None);
            }
        }
        let [journal, here] = [journal, here].map(|all| serde_json::to_value(all).ok());
        difference("", &journal.unwrap_or_default(), &here.unwrap_or_default()).map_or(Ok(()), Err)
    }
}

/// Says a value in words: `random: plies: 4, scattered: false`.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => quoted(text),
        value => {
            let text = value.to_string().replace(['{', '}', '[', ']', '"'], "");
            plain(&text.replace(':', ": ").replace(',', ", "))
        }
    }
}

fn difference(field: &str, journal: &Value, here: &Value) -> Option<String> {
    if journal == here {
        return None;
    }
    let words = WORDS.iter().find(|(name, _)| *name == field);
    match (journal, here) {
        (Value::Object(one), Value::Object(other)) if words.is_none() => {
            let mut keys = one.keys().chain(other.keys());
            keys.find_map(|key| difference(key, &journal[key], &here[key]))
        }
        (Value::Array(one), Value::Array(other)) if words.is_none() => {
            let both = one.iter().zip(other).zip(1..);
            let first = both.clone().find_map(|((one, other), number)| {
                let why = difference("", one, other)?;
                Some(format!("of engine {number}, {why}"))
            });
            let count = || differs("the number of engines", one.len(), other.len());
            Some(first.unwrap_or_else(count))
        }
        _ => {
            let what = words.map_or(field, |(_, words)| words);
            Some(differs(what, shown(journal), shown(here)))
        }
    }
}
