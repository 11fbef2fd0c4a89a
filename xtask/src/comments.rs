//! Comments of sources are at most 100 columns wide.

/// Widest line of a comment.
const WIDTH: usize = 100;

/// What a line of a comment begins with, by the ending of the file.
const MARKS: &[(&str, &[&str])] = &[
    (".rs", &["//"]),
    (".ts", &["//", "/*", "* "]),
    (".mjs", &["//", "/*", "* "]),
    (".css", &["/*"]),
    (".py", &["#"]),
];

/// Adds a finding for each line of a comment that is too wide. Tables, fenced code and single
/// words, such as addresses, may be wider.
pub(crate) fn check(file: &str, text: &str, findings: &mut Vec<String>) {
    let Some((_, marks)) = MARKS.iter().find(|(ending, _)| file.ends_with(ending)) else { return };
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let Some(comment) = marks.iter().find_map(|mark| bare.strip_prefix(mark)) else {
            fenced = false;
            continue;
        };
        let words = comment.trim_start_matches(['/', '!', '*', ':']).trim();
        fenced ^= words.starts_with("```");
        let free = fenced || words.starts_with('|') || !words.contains(' ');
        if line.chars().count() > WIDTH && !free {
            findings.push(format!("{file}:{}: a comment wider than {WIDTH} columns", number + 1));
        }
    }
}
