//! Comments of Rust sources are at most 100 columns wide.

/// Widest line of a comment.
const WIDTH: usize = 100;

/// Adds a finding for each line of a comment that is too wide. Tables, fenced code and single
/// words, such as addresses, may be wider.
pub(crate) fn check(file: &str, text: &str, findings: &mut Vec<String>) {
    if !file.ends_with(".rs") {
        return;
    }
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            fenced = false;
            continue;
        };
        let words = comment.trim_start_matches(['/', '!']).trim();
        fenced ^= words.starts_with("```");
        let free = fenced || words.starts_with('|') || !words.contains(' ');
        if line.chars().count() > WIDTH && !free {
            findings.push(format!("{file}:{}: a comment wider than {WIDTH} columns", number + 1));
        }
    }
}
