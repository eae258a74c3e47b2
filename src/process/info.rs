//! Reads the `info` lines of foreign engines, which cannot be trusted.

use totemic_games::record::{EngineScore, SearchInfo};

/// Updates what is known about a search from an `info` line. Ignores lines about
/// variations other than the best, and numbers that do not fit; a bound counts as a
/// score.
pub(super) fn update(info: &mut SearchInfo, line: &str) {
    let mut tokens = line.split_ascii_whitespace().skip(1).peekable();
    let mut news = SearchInfo::default();
    while let Some(token) = tokens.next() {
        match token {
            "multipv" if tokens.peek().is_some_and(|&n| n != "1") => return,
            "depth" => news.depth = tokens.peek().and_then(|n| n.parse().ok()),
            "nodes" => news.nodes = tokens.peek().and_then(|n| n.parse().ok()),
            "time" => news.time_ms = tokens.peek().and_then(|n| n.parse().ok()),
            "score" => news.score = score(tokens.next(), tokens.peek().copied()),
            "pv" | "string" => break,
            _ => {}
        }
    }
    info.depth = news.depth.or(info.depth);
    info.nodes = news.nodes.or(info.nodes);
    info.time_ms = news.time_ms.or(info.time_ms);
    info.score = news.score.or(info.score);
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<EngineScore> {
    let value: i32 = value?.parse().ok()?;
    match kind? {
        "cp" => Some(EngineScore::Cp(value.clamp(-999_999, 999_999))),
        "mate" => Some(EngineScore::Mate(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> SearchInfo {
        let mut info = SearchInfo::default();
        lines.lines().for_each(|line| update(&mut info, line));
        info
    }

    #[test]
    fn the_last_word_on_the_best_variation_counts() {
        let info = read(
            "info depth 3 seldepth 5 multipv 1 score cp -25 nodes 120 nps 1 time 4 pv a4c6 depth 9\n\
             info depth 4 multipv 2 score cp 400 nodes 999\n\
             info depth 4 score mate -3 nodes 240\n\
             info string depth 77 score cp 5",
        );
        let expected = SearchInfo {
            score: Some(EngineScore::Mate(-3)),
            depth: Some(4),
            nodes: Some(240),
            time_ms: Some(4),
        };
        assert_eq!(info, expected);
    }

    #[test]
    fn nonsense_is_skipped() {
        let info = read(
            "info depth -1 nodes 99999999999999999999999 score cp\ninfo score wdl 3\n\
             info score cp 99999999999\ninfo\ninfo depth",
        );
        assert_eq!(info, SearchInfo::default());
        let big = read("info score cp 2000000");
        assert_eq!(big.score, Some(EngineScore::Cp(999_999)));
    }
}
