//! What is wrong with a text, and where.

use std::ops::Range;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// There is no scene.
    Error,
    /// There is a scene, but perhaps not the one that was meant.
    Warning,
}

/// One problem of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// What stands at the place, or what was expected there. Short; may be empty.
    pub label: String,
    /// Where: bytes of the text. Empty at a place where something is missing.
    pub span: Range<usize>,
    /// The tag that it concerns.
    pub tag: Option<String>,
    /// The attribute that it concerns.
    pub attribute: Option<String>,
    /// How to fix it.
    pub help: Option<String>,
    /// What was perhaps meant: the bytes to replace and what to put there.
    pub replacement: Option<Replacement>,
    /// Another place that has to do with it.
    pub related: Option<Related>,
    /// How many more times the same warning came up at other places.
    pub repeats: usize,
}

/// A change of the text that perhaps mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Which bytes.
    pub span: Range<usize>,
    /// What to put there.
    pub text: String,
}

/// Another place that has to do with a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Range<usize>,
    /// What is there.
    pub label: String,
}

impl Problem {
    /// A problem with nothing but a place and a sentence.
    pub fn new(severity: Severity, span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem {
            severity,
            message: message.into(),
            label: String::new(),
            span,
            tag: None,
            attribute: None,
            help: None,
            replacement: None,
            related: None,
            repeats: 0,
        }
    }

    pub(crate) fn error(span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::new(Severity::Error, span, message)
    }

    pub(crate) fn warning(span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::new(Severity::Warning, span, message)
    }

    /// With a short text at the place.
    pub fn label(mut self, label: impl Into<String>) -> Problem {
        self.label = label.into();
        self
    }

    /// About this tag and attribute.
    pub fn at(mut self, tag: &str, attribute: Option<&str>) -> Problem {
        self.tag = Some(tag.to_owned());
        self.attribute = attribute.map(str::to_owned);
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn replace(mut self, span: Range<usize>, text: impl Into<String>) -> Problem {
        self.replacement = Some(Replacement { span, text: text.into() });
        self
    }

    /// With another place that has to do with it.
    pub fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Problem {
        self.related = Some(Related { span, label: label.into() });
        self
    }
}

/// Most errors, and most warnings, that are kept of one text. The others are counted.
pub const MAX_PROBLEMS: usize = 100;

/// All problems of a text in the order of the text: the first [`MAX_PROBLEMS`] of each severity in
/// full, the others as a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    list: Vec<Problem>,
    errors: usize,
    warnings: usize,
    left_out: usize,
}

impl Problems {
    /// The problems that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }

    /// The problems that were kept, as a slice.
    pub fn as_slice(&self) -> &[Problem] {
        &self.list
    }

    /// How many errors there are, kept or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many warnings there are, kept or not; a repeated warning counts every time.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// How many problems were counted but not kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The numbers in words: "2 errors and 1 warning".
    pub fn summary(&self) -> String {
        let some = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        match (some(self.errors, "error"), some(self.warnings, "warning")) {
            (None, None) => "no problems".to_owned(),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(errors), Some(warnings)) => format!("{errors} and {warnings}"),
        }
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.errors == 0 && self.warnings == 0
    }

    /// Adds a problem. Beyond the most that are kept it is only counted.
    pub fn push(&mut self, problem: Problem) {
        if self.count_only(problem.severity, &problem.message) {
            return;
        }
        match problem.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        self.list.push(problem);
    }

    /// Counts a problem that need not be worked out in full: a warning that was given before, or
    /// one problem too many of its severity. Says whether it was one.
    pub(crate) fn count_only(&mut self, severity: Severity, message: &str) -> bool {
        let repeated = severity == Severity::Warning && self.repeats_earlier_warning(message);
        let full = !repeated && self.is_full(severity);
        if repeated || full {
            self.left_out += usize::from(full);
            match severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
        }
        repeated || full
    }

    fn is_full(&self, severity: Severity) -> bool {
        self.list.iter().filter(|problem| problem.severity == severity).count() >= MAX_PROBLEMS
    }

    /// The same warning at a hundred thousand particles is one warning.
    fn repeats_earlier_warning(&mut self, message: &str) -> bool {
        let earlier = self
            .list
            .iter_mut()
            .find(|other| other.severity == Severity::Warning && other.message == message);
        match earlier {
            Some(earlier) => {
                earlier.repeats += 1;
                true
            }
            None => false,
        }
    }

    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|problem| (problem.span.start, problem.severity));
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
