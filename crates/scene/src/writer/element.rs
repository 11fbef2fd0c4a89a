//! One element a line, attributes in the order given.

use std::fmt::{Display, Write};

/// The text as far as it is written.
pub(crate) struct Writer {
    text: String,
}

impl Writer {
    pub(crate) fn new() -> Writer {
        Writer { text: "<scene>\n".to_owned() }
    }

    pub(crate) fn element(&mut self, tag: &str) -> ElementWriter<'_> {
        self.text.push_str("  <");
        self.text.push_str(tag);
        ElementWriter { text: &mut self.text }
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</scene>\n");
        self.text
    }
}

/// An element that is not closed yet.
pub(crate) struct ElementWriter<'a> {
    text: &'a mut String,
}

impl ElementWriter<'_> {
    /// The shortest number that reads back to the same bits.
    pub(crate) fn real(self, name: &str, value: f64) -> Self {
        self.raw(name, format_args!("{value:?}"))
    }

    pub(crate) fn pair(self, x: &str, y: &str, value: [f64; 2]) -> Self {
        self.real(x, value[0]).real(y, value[1])
    }

    /// Three numbers, without those that are 0: the format says 0 for them.
    pub(crate) fn triple(mut self, names: [&str; 3], value: [f64; 3]) -> Self {
        for (name, number) in names.into_iter().zip(value) {
            if number.to_bits() != 0 {
                self = self.real(name, number);
            }
        }
        self
    }

    /// A number that may be absent.
    pub(crate) fn optional(self, name: &str, value: Option<f64>) -> Self {
        match value {
            Some(value) => self.real(name, value),
            None => self,
        }
    }

    pub(crate) fn index(self, name: &str, value: impl Display) -> Self {
        self.raw(name, value)
    }

    pub(crate) fn flag(self, name: &str, value: bool) -> Self {
        self.raw(name, u8::from(value))
    }

    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, Escaped(value))
    }

    pub(crate) fn end(self) {
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

/// Text of an attribute. Line breaks and tabs are written as references, because a reader turns
/// bare ones into blanks.
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
