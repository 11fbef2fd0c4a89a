//! Tables that a person reads.

use std::fmt::Write;

/// Lays rows out with their values aligned.
pub(crate) fn two_columns(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (label, value) in rows {
        let pad = width - label.chars().count();
        let _infallible = writeln!(text, "  {label}{:pad$}  {value}", "");
    }
    text
}

/// A table with a head; the first column is left-aligned, numbers are right-aligned.
pub(crate) fn columns(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize, title: &str| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.max().unwrap_or(0).max(title.chars().count())
    };
    let widths: Vec<usize> = head.iter().enumerate().map(|(column, title)| width(column, title)).collect();
    let mut text = String::new();
    let mut line = |cells: &[&str]| {
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _infallible =
                if column == 0 { write!(text, "  {cell:width$}") } else { write!(text, "  {cell:>width$}") };
        }
        text.push('\n');
    };
    line(head);
    for row in rows {
        line(&row.iter().map(String::as_str).collect::<Vec<_>>());
    }
    text
}

/// A number in a column: four digits are enough to compare.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() || (1e-2..1e5).contains(&value.abs()) {
        let text = format!("{value:.3}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{value:.1e}")
    }
}

/// A count with its noun.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", count(number)) }
}

/// A number with as many digits as help: plain near one, scientific far from it.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let text = format!("{value:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.3e}")
    }
}

/// A planar vector.
pub(crate) fn vector(value: [f64; 3]) -> String {
    match value {
        [x, y, 0.0] => format!("({}, {})", number(x), number(y)),
        [x, y, z] => format!("({}, {}, {})", number(x), number(y), number(z)),
    }
}

/// A count with thin groups: 1 234 567.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_near_one_and_scientific_far_from_it() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.5), "1.5");
        assert_eq!(number(-2.0), "-2");
        assert_eq!(number(1e-9), "1.000e-9");
        assert_eq!(number(1e7), "1.000e7");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["a".to_owned(), "12".to_owned()], vec!["long".to_owned(), "3".to_owned()]];
        assert_eq!(columns(&["x", "n"], &rows), "  x      n\n  a     12\n  long   3\n");
        assert_eq!([short(0.0), short(1.25), short(1e-9), short(f64::NAN)], ["0", "1.25", "1.0e-9", "NaN"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(7), "7");
        assert_eq!(count(1234), "1 234");
        assert_eq!(count(1_234_567), "1 234 567");
    }
}
