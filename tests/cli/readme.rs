//! What the README and the other pages show works.

use std::fs;
use std::path::Path;

use crate::program::{Folder, assert_has, blocks, cases, python, stderr, stdout, totemic};
use crate::support::listed;

#[test]
fn the_python_example_plays_a_whole_game() {
    let Some(mut python) = python() else { return };
    let readme = blocks(include_str!("../../README.md"), "python");
    let output = python.args(["-c", &readme[0]]).output().expect("it runs");
    let (text, errors) = (stdout(&output), stderr(&output));
    assert!(output.status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].split_whitespace().count() > 5, "{text}");
    let results = ["response p1win", "response p2win", "response draw"];
    assert!(results.contains(&lines[1]), "{text}");
}

#[test]
fn every_subcommand_is_in_the_table() {
    let help = Folder::new().stdout_of("--help");
    let commands = listed(&help);
    let rows = (include_str!("../../README.md").lines()).filter(|line| line.starts_with('|'));
    let table = rows.collect::<Vec<_>>().join("\n");
    for name in &commands {
        let shown = [' ', '`'].map(|end| format!("`totemic {name}{end}"));
        let is_shown = shown.iter().any(|it| table.contains(it));
        assert!(is_shown, "{name} is not in the table");
    }
    assert!(commands.len() > 10, "{help}");
}

/// Returns the sentences of a text that has line breaks anywhere.
fn sentences(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(['*', '"'], "");
    text.split(". ").map(str::to_owned).collect()
}

/// The words are in `tests/data/rules.txt`.
#[test]
fn the_readme_the_terminal_and_the_page_tell_the_same_rules() {
    let readme = include_str!("../../README.md");
    let (_, readme) = readme.split_once("## The rules").expect("the rules");
    let (readme, _) = readme.split_once("Where the publisher").expect("an end");
    let page = include_str!("../../src/board/page/lang/en.js");
    let page = page.lines().filter_map(|line| {
        let (_, text) = line.trim().strip_prefix("\"rules.")?.split_once("\": \"")?;
        text.strip_suffix("\",")
    });
    let page: Vec<&str> = page.collect();
    let texts = [readme.replace("\n- ", "\n"), page.join(" ")];
    let texts = texts.map(|text| sentences(&text));
    let mut told = texts.each_ref().map(|_| Vec::new());
    for words in cases::<2>(include_str!("../data/rules.txt")) {
        for ((words, told), text) in words.iter().zip(&mut told).zip(&texts) {
            let is_said = text.iter().any(|sentence| sentence.contains(words));
            assert!(*words == "-" || is_said, "nobody says '{words}' any more");
            told.push(*words);
        }
    }
    for (told, text) in told.iter().zip(&texts) {
        for sentence in text {
            let mut words = told.iter().filter(|words| **words != "-");
            let is_known = words.any(|words| sentence.contains(words));
            let is_title = matches!(sentence.as_str(), "Yoxii" | "Hokito");
            assert!(is_known || is_title, "only here: {sentence}");
        }
    }
    let terminal = Folder::new().stdout_of("rules");
    assert!(terminal.lines().all(|line| line.len() <= 80), "{terminal}");
    assert_eq!(terminal.matches("\n- ").count(), 6, "{terminal}");
    // Both examples are drawn, so their moves are legal.
    let words = Vec::from_iter(terminal.split_whitespace()).join(" ");
    assert_has(&words, "1 . . . a b c d e f g After");
    assert_has(&words, "1 . . . . . . a b c d e f After");
    let terminal = sentences(&terminal.replace("\n- ", "\n")).join(". ");
    for sentence in texts[0].iter().filter(|it| it.contains(' ')) {
        assert_has(&terminal, sentence);
    }
}

/// The Markdown pages that a reader can reach from the README.
const PAGES: [&str; 17] = [
    "README.md",
    "CHANGELOG.md",
    "protocol.md",
    "benches/figures.md",
    "benches/experiments/README.md",
    "benches/theorems/README.md",
    "src/analysis/README.md",
    "src/arena/README.md",
    "src/board/README.md",
    "src/cli/play/README.md",
    "src/python/README.md",
    "src/train/README.md",
    "src/games/review/README.md",
    "src/cli/certify/README.md",
    "src/cli/solve/README.md",
    "src/wasm/README.md",
    "benches/experiments/matches.md",
];

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    let is_kept = |c: &char| c.is_alphanumeric() || "-_".contains(*c);
    kept.chars().filter(is_kept).collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut links = 0;
    for page in PAGES {
        let text = fs::read_to_string(page).expect(page);
        let folder = Path::new(page).parent().expect("a folder");
        let inline = text.split("](").skip(1);
        let inline = inline.filter_map(|rest| rest.split(')').next());
        let definitions = text.lines().filter(|line| line.starts_with('['));
        let definitions = definitions.filter_map(|line| line.split_once("]: "));
        for target in inline.chain(definitions.map(|(_, target)| target)) {
            if target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.into(),
                file => folder.join(file),
            };
            assert!(file.is_file(), "{page} points to {target}");
            if !heading.is_empty() {
                let there = fs::read_to_string(&file).expect("text");
                let mut headings = there.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|it| anchor(it.trim_start_matches('#').trim()) == heading);
                assert!(found, "{page} points to {target}");
            }
            links += 1;
        }
    }
    assert!(links > 15, "{links} links");
}

/// With continued lines joined, and without what follows a pipe, `>` or `#`.
fn shell_lines(block: &str) -> Vec<Vec<String>> {
    let joined = block.replace("\\\n", " ");
    let is_end = |word: &String| ["|", ">", "#", ":::"].contains(&word.as_str());
    let words = |line: &str| {
        let words = shell_words::split(line).expect("words of a shell");
        words.into_iter().take_while(|word| !is_end(word)).collect()
    };
    joined.lines().map(words).collect()
}

/// Without what varies: times, speeds, and counts of searches that the clock ends.
fn words_that_stay(line: &str) -> Vec<&str> {
    let varies = |word: &str| {
        let digits = word.trim_end_matches('k');
        let number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        number && (digits.contains('.') || digits.len() < word.len() || digits.len() >= 4)
    };
    let words = line.split(|c: char| c.is_whitespace() || "()[]{},:;\"".contains(c));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    // On a busy machine, a speed may be short.
    let is_speed = |at: usize| {
        let next = words.get(at + 1) == Some(&"nodes/s");
        next || at > 0 && words[at - 1] == "s" && words[at].parse::<u64>().is_ok()
    };
    let stay = words.iter().enumerate();
    let stay = stay.filter(|&(at, word)| !varies(word) && !is_speed(at));
    stay.map(|(_, word)| *word).collect()
}

/// In an example, a line with three dots stands for any number of lines.
#[test]
fn what_the_pages_show_is_what_the_program_prints() {
    let mut examples = 0;
    for page in PAGES {
        let text = fs::read_to_string(page).expect(page);
        for block in blocks(&text, "text") {
            let Some(rest) = block.strip_prefix("$ totemic ") else {
                continue;
            };
            let rest = rest.replace("\\\n", " ");
            let (command, shown) = rest.split_once('\n').expect("what it prints");
            let args = shell_words::split(command).expect("words of a shell");
            let output = totemic().args(args).output().expect("it runs");
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("text");
            let mut lines = printed.lines().map(words_that_stay);
            let mut gap = false;
            for line in shown.lines() {
                if line.trim() == "..." {
                    gap = true;
                    continue;
                }
                let wanted = words_that_stay(line);
                let found = match gap {
                    true => lines.find(|found| *found == wanted),
                    false => lines.next(),
                };
                let found = found.unwrap_or_default();
                assert_eq!(found, wanted, "{page}: {command}\n{printed}");
                gap = false;
            }
            examples += 1;
        }
    }
    assert!(examples >= 4, "{examples} examples");
}

#[test]
fn commands_on_the_pages_have_their_options() {
    let mut commands = 0;
    let pages = PAGES.into_iter().map(|page| (page, "sh"));
    for (page, language) in pages.chain([("src/contributing.rs", "text")]) {
        let text = fs::read_to_string(page).expect(page);
        let bare = |line: &str| line.trim_start_matches("//!").trim_start().to_owned() + "\n";
        let blocks = blocks(&text.lines().map(bare).collect::<String>(), language);
        for words in blocks.iter().flat_map(|block| shell_lines(block)) {
            let Some(at) = words.iter().position(|word| word == "totemic") else {
                continue;
            };
            let words = &words[at + 1..];
            let mut plain = words.iter().skip_while(|word| {
                word.starts_with("--") || ["yoxii", "hokito"].contains(&word.as_str())
            });
            let Some(command) = plain.next() else {
                continue;
            };
            let help_of = |command: &str| {
                let help = totemic().args(command.split(' ')).arg("--help").output();
                let help = help.expect("it runs");
                assert!(help.status.success(), "{page}: {words:?}");
                stdout(&help)
            };
            let mut help = help_of(command);
            if help.contains(&format!("Usage: totemic {command} [OPTIONS] <COMMAND>"))
                && let Some(part) = plain.next()
            {
                help = help_of(&format!("{command} {part}"));
            }
            for option in words.iter().filter(|word| word.starts_with("--")) {
                // It does not count if only another option begins like it.
                let mut known = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
                let is_known = known.any(|word| word == option);
                assert!(is_known, "{page}: {words:?}: {option}");
            }
            commands += 1;
        }
    }
    assert!(commands > 15, "{commands} commands");
}
