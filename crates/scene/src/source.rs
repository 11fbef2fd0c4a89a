//! Where things stand in the text.

use crate::schema;
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

/// Largest text that is read, in bytes. It keeps byte positions within 32 bits and memory within a
/// few gigabytes at worst.
pub const MAX_TEXT_BYTES: u64 = 256 * 1024 * 1024;

/// A text that is too large to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// Its size in bytes.
    pub bytes: u64,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const MEBIBYTE: u64 = 1024 * 1024;
        write!(
            f,
            "the scene has {} MiB; at most {} MiB are read",
            self.bytes.div_ceil(MEBIBYTE),
            MAX_TEXT_BYTES / MEBIBYTE
        )
    }
}

impl std::error::Error for TooLarge {}

/// Says whether a scene file of this size is read. Ask before loading the file.
pub fn check_size(bytes: u64) -> Result<(), TooLarge> {
    if bytes > MAX_TEXT_BYTES { Err(TooLarge { bytes }) } else { Ok(()) }
}

/// The byte range of every value that was read, so that a later message can point into the file.
///
/// Elements are named by their tag and their number among the elements of that tag, from 0 in the
/// order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// By the place of the tag in the schema.
    elements: Vec<Vec<ElementSpan>>,
    values: Vec<ValueSpan>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ElementSpan {
    name_start: u32,
    first_value: u32,
    value_count: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ValueSpan {
    attribute: u8,
    start: u32,
    end: u32,
}

impl SourceMap {
    /// Where the value of an attribute stands (without its quotes), or the name of the element when
    /// no attribute is named or the attribute was left out. The first of a repeated attribute
    /// counts.
    pub fn span(&self, tag: &str, ordinal: usize, attribute: Option<&str>) -> Option<Range<usize>> {
        let element = self.element(tag, ordinal)?;
        let value = attribute.and_then(|attribute| self.values(tag, ordinal, attribute).next());
        Some(value.unwrap_or_else(|| {
            let start = element.name_start as usize;
            start..start + tag.len()
        }))
    }

    /// Where all values of a repeated attribute stand, in their order.
    pub fn values<'a>(
        &'a self,
        tag: &str,
        ordinal: usize,
        attribute: &str,
    ) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let place = schema::tag(tag).and_then(|tag| tag.attribute(attribute)).map(|(place, _)| place as u8);
        let values = self.element(tag, ordinal).map_or(&[][..], |element| {
            let first = element.first_value as usize;
            &self.values[first..first + element.value_count as usize]
        });
        values
            .iter()
            .filter(move |value| Some(value.attribute) == place)
            .map(|value| value.start as usize..value.end as usize)
    }

    /// How many elements of a tag there are.
    pub fn count(&self, tag: &str) -> usize {
        place_of(tag).and_then(|place| self.elements.get(place)).map_or(0, Vec::len)
    }

    fn element(&self, tag: &str, ordinal: usize) -> Option<ElementSpan> {
        self.elements.get(place_of(tag)?)?.get(ordinal).copied()
    }

    /// Makes room for the elements that will come, by the place of their tags in the schema.
    pub(crate) fn with_room(counts: &[u32]) -> SourceMap {
        SourceMap {
            elements: counts.iter().map(|count| Vec::with_capacity(*count as usize)).collect(),
            values: Vec::new(),
        }
    }

    pub(crate) fn begin_element(&mut self, tag_place: usize, name_start: usize) {
        let first_value = self.values.len() as u32;
        self.elements[tag_place].push(ElementSpan {
            name_start: name_start as u32,
            first_value,
            value_count: 0,
        });
    }

    /// Adds a value to the element of this tag that was begun last.
    pub(crate) fn push_value(&mut self, tag_place: usize, attribute_place: usize, span: Range<usize>) {
        if let Some(element) = self.elements[tag_place].last_mut() {
            element.value_count += 1;
            self.values.push(ValueSpan {
                attribute: attribute_place as u8,
                start: span.start as u32,
                end: span.end as u32,
            });
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.values.shrink_to_fit();
    }
}

fn place_of(tag: &str) -> Option<usize> {
    schema::tags().position(|known| known.name == tag)
}

/// The text that is tokenized, and the way back from its positions to those of the file.
pub(crate) struct Source<'t> {
    text: Cow<'t, str>,
    /// Positions in the text at which a line break was taken out.
    breaks: Vec<u32>,
    /// The line that was asked for last, from where to where in the text, and how many breaks stand
    /// before it.
    line: Cell<((usize, usize), usize)>,
}

impl<'t> Source<'t> {
    /// The text as it is.
    pub(crate) fn plain(file: &'t str) -> Source<'t> {
        Source { text: Cow::Borrowed(file), breaks: Vec::new(), line: Cell::default() }
    }

    /// The text with its lines glued together and nothing between them, as the course's program
    /// reads it.
    pub(crate) fn glued(file: &'t str) -> Source<'t> {
        let lines = file.bytes().filter(|byte| *byte == b'\n').count();
        let mut text = String::with_capacity(file.len() - lines);
        let mut breaks = Vec::with_capacity(lines);
        for (number, line) in file.split('\n').enumerate() {
            if number > 0 {
                breaks.push(text.len() as u32);
            }
            text.push_str(line);
        }
        Source { text: Cow::Owned(text), breaks, line: Cell::default() }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The range in the file of a range in the text.
    pub(crate) fn original(&self, span: Range<usize>) -> Range<usize> {
        let start = self.original_position(span.start);
        let end = if span.is_empty() { start } else { self.original_position(span.end - 1) + 1 };
        start..end
    }

    fn original_position(&self, position: usize) -> usize {
        let (line, removed) = self.line.get();
        if (line.0..line.1).contains(&position) {
            return position + removed;
        }
        let at = |k: usize| self.breaks.get(k).map_or(usize::MAX, |at| *at as usize);
        // mostly it is the next line
        let next = at(removed) <= position && position < at(removed + 1);
        let removed =
            if next { removed + 1 } else { self.breaks.partition_point(|at| *at as usize <= position) };
        let start = removed.checked_sub(1).map_or(0, at);
        self.line.set(((start, at(removed)), removed));
        position + removed
    }

    /// Where a part of the text stands in it.
    pub(crate) fn position_of(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len());
        start..(start + part.len()).min(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glued_positions_lead_back() {
        let file = "\u{feff}ab\ncd\r\n\n\nef";
        let source = Source::glued(file);
        assert_eq!(source.text(), "\u{feff}abcd\ref");
        for (at, letter) in source.text().char_indices() {
            let back = source.original(at..at + letter.len_utf8());
            assert_eq!(&file[back], letter.to_string());
        }
        assert_eq!(&file[source.original(4..6)], "b\nc", "and backwards");
        assert_eq!(source.original(10..10), file.len()..file.len());
    }

    #[test]
    fn sizes_are_checked_without_the_text() {
        assert_eq!(check_size(MAX_TEXT_BYTES), Ok(()));
        assert_eq!(
            check_size(1 << 30).unwrap_err().to_string(),
            "the scene has 1024 MiB; at most 256 MiB are read"
        );
    }
}
