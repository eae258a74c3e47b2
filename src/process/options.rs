//! The lines by which an engine announces its options.

/// Returns the name in `option name N type T …`.
pub(crate) fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option")?.trim_start();
    let rest = rest.strip_prefix("name ")?.trim_start();
    Some(rest.find(" type ").map_or(rest, |end| &rest[..end]).trim())
}

/// Returns why the option that a line announces cannot take this value.
pub(super) fn option_objection(line: &str, value: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |word: &str| {
        let pair = words.windows(2).find(|pair| pair[0] == word);
        pair.map_or("", |pair| pair[1])
    };
    match after("type") {
        "spin" => {
            let bound = |word| after(word).parse::<i64>().ok();
            let number = value.parse::<i64>().ok();
            let low = number.zip(bound("min")).is_some_and(|(n, min)| n < min);
            let high = number.zip(bound("max")).is_some_and(|(n, max)| n > max);
            (number.is_none() || low || high)
                .then(|| format!("takes a number from {} to {}", after("min"), after("max")))
        }
        "check" if !["true", "false"].contains(&value) => Some("takes true or false".to_owned()),
        "combo" => {
            // Values may contain blanks, so the text of the line is split, not its words.
            let (_, choices) = line.split_once(" var ")?;
            let choices = choices.split(" var ").map(str::trim);
            let known = choices.clone().any(|one| one.eq_ignore_ascii_case(value));
            (!known).then(|| format!("takes {}", choices.collect::<Vec<_>>().join(" or ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_what_is_announced_are_named() {
        let hash = "option name Hash type spin default 64 min 1 max 1024";
        let ponder = "option name Ponder type check default false";
        let style = "option name Style type combo default a var a var very solid";
        for (line, value, expected) in [
            (hash, "1024", None),
            (hash, "0", Some("takes a number from 1 to 1024")),
            (hash, "many", Some("takes a number from 1 to 1024")),
            (ponder, "true", None),
            (ponder, "on", Some("takes true or false")),
            (style, "Very Solid", None),
            (style, "b", Some("takes a or very solid")),
            ("option name X type string", "b", None),
        ] {
            assert_eq!(option_objection(line, value).as_deref(), expected);
        }
    }

    #[test]
    fn option_names_may_hold_blanks() {
        let line = "option name Move Overhead type spin default 10 min 0 max 5000";
        assert_eq!(option_name(line), Some("Move Overhead"));
        assert_eq!(option_name("id name x"), None);
    }
}
