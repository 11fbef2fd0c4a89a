//! Problems for programs: plain data with lines and columns instead of byte ranges.

use crate::problem::{Problem, Problems, Severity};

/// A problem with its place as line and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What stands there, or what was expected; may be empty.
    pub label: String,
    /// How to fix it.
    pub help: Option<String>,
    /// What was perhaps meant instead of the text at the place.
    pub suggestion: Option<String>,
    /// The tag that it concerns.
    pub tag: Option<String>,
    /// The attribute that it concerns.
    pub attribute: Option<String>,
    /// How many more times the same warning came up at other places.
    pub repeats: usize,
}

/// The problems that were kept, with their lines and columns. One pass over the text.
pub fn diagnostics(problems: &Problems, text: &str) -> Vec<Diagnostic> {
    let positions: Vec<usize> = problems.iter().map(|problem| problem.span.start).collect();
    let locations = locate(text, &positions);
    problems.iter().zip(locations).map(|(problem, location)| diagnostic(problem, location)).collect()
}

fn diagnostic(problem: &Problem, location: Location) -> Diagnostic {
    Diagnostic {
        severity: problem.severity,
        line: location.line,
        column: location.column,
        message: problem.message.clone(),
        label: problem.label.clone(),
        help: problem.help.clone(),
        suggestion: problem.replacement.as_ref().map(|replacement| replacement.text.clone()),
        tag: problem.tag.clone(),
        attribute: problem.attribute.clone(),
        repeats: problem.repeats,
    }
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Location {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Byte at which the line begins.
    pub line_start: usize,
}

/// Lines and columns of byte positions, in one pass over the text whatever their order.
pub(crate) fn locate(text: &str, positions: &[usize]) -> Vec<Location> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|which| positions[*which]);
    let mut here = Location { line: 1, column: 1, line_start: 0 };
    let mut reached = 0;
    let mut locations = vec![here; positions.len()];
    for which in order {
        let position = floor_char_boundary(text, positions[which]);
        let passed = &text[reached..position];
        let breaks = passed.bytes().filter(|byte| *byte == b'\n').count();
        if breaks > 0 {
            here.line += breaks;
            here.column = 1;
            here.line_start = reached + passed.rfind('\n').map_or(0, |at| at + 1);
            here.column += text[here.line_start..position].chars().count();
        } else {
            here.column += passed.chars().count();
        }
        reached = position;
        locations[which] = here;
    }
    locations
}

/// The last place at or before this one that is not inside a character.
pub(crate) fn floor_char_boundary(text: &str, position: usize) -> usize {
    let position = position.min(text.len());
    (0..=position).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "ab\nçd\n\nef";
        let at = |needle: &str| text.find(needle).unwrap();
        let places = [at("f"), 0, at("d"), text.len(), 10_000, at("d") - 1];
        let found: Vec<_> = locate(text, &places).iter().map(|place| (place.line, place.column)).collect();
        assert_eq!(found, [(4, 2), (1, 1), (2, 2), (4, 3), (4, 3), (2, 1)]);
    }
}
