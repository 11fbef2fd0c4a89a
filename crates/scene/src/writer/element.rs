//! One element a line, attributes in the order given.

use crate::description::Color;
use std::fmt::{Display, Write};

/// The text as far as it is written.
pub(super) struct Writer {
    text: String,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer { text: "<scene>\n".to_owned() }
    }

    pub(super) fn element(&mut self, tag: &str) -> ElementWriter<'_> {
        self.text.push_str("  <");
        self.text.push_str(tag);
        ElementWriter { text: &mut self.text }
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</scene>\n");
        self.text
    }
}

/// An element that is not closed yet.
pub(super) struct ElementWriter<'a> {
    text: &'a mut String,
}

impl ElementWriter<'_> {
    /// The shortest number that reads back to the same bits.
    pub(super) fn real(self, name: &str, value: f64) -> Self {
        self.raw(name, format_args!("{value:?}"))
    }

    pub(super) fn pair(self, x: &str, y: &str, value: [f64; 2]) -> Self {
        self.real(x, value[0]).real(y, value[1])
    }

    /// Three numbers, without those that are 0: the format says 0 for them.
    pub(super) fn triple(mut self, names: [&str; 3], value: [f64; 3]) -> Self {
        for (name, number) in names.into_iter().zip(value) {
            if number.to_bits() != 0 {
                self = self.real(name, number);
            }
        }
        self
    }

    /// A number, unless it is 0: the format says 0 for it.
    pub(super) fn nonzero(self, name: &str, value: f64) -> Self {
        if value.to_bits() == 0 { self } else { self.real(name, value) }
    }

    /// When a force acts.
    pub(super) fn timing(self, rate: f64, phase: f64, from: f64, until: Option<f64>) -> Self {
        let element = self.nonzero("rate", rate).nonzero("phase", phase).nonzero("from", from);
        match until {
            Some(until) => element.real("until", until),
            None => element,
        }
    }

    pub(super) fn color(self, color: Color) -> Self {
        self.real("r", color.red).real("g", color.green).real("b", color.blue)
    }

    pub(super) fn index(self, name: &str, value: impl Display) -> Self {
        self.raw(name, value)
    }

    pub(super) fn flag(self, name: &str, value: bool) -> Self {
        self.raw(name, u8::from(value))
    }

    pub(super) fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, Escaped(value))
    }

    pub(super) fn end(self) {
        self.text.push_str("/>\n");
    }

    fn raw(self, name: &str, value: impl Display) -> Self {
        write!(self.text, " {name}=\"{value}\"").expect("writing to a string does not fail");
        self
    }
}

/// Text of an attribute in either kind of quotes.
pub(crate) fn escaped(text: &str) -> String {
    Escaped(text).to_string().replace('\'', "&apos;")
}

/// Text of an attribute. Line breaks and tabs are written as references, because a reader turns bare ones into blanks.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' => write!(f, "&#{};", u32::from(letter))?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
