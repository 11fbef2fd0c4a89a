//! The attributes of one element, checked against the schema.

use super::Reader;
use super::check::{expected, quoted_list};
use super::document::{Element, shorten};
use crate::diagnostic::floor_char_boundary;
use crate::foreign;
use crate::number;
use crate::problem::{Problem, Severity};
use crate::schema::{self, Attribute, Kind, MAX_ATTRIBUTES, Presence, Retired, Tag};
use crate::suggestion::nearest;
use quick_xml::events::attributes::{AttrError, Attributes};
use std::ops::Range;

/// A checked value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Value {
    #[default]
    Absent,
    /// It was there, but wrong: a problem was reported.
    Bad,
    Real(f64),
    Integer(i64),
    /// The place of a text among those of the element.
    Text(usize),
    Choice(&'static str),
}

/// The values of one element. After an error they hold stand-ins that no later check complains
/// about: not-a-number and an index that is out of every range.
#[derive(Debug)]
pub(crate) struct Fields {
    tag: &'static Tag,
    values: [Value; MAX_ATTRIBUTES],
    given: [bool; MAX_ATTRIBUTES],
    /// The values of the repeated attribute.
    pub(crate) list: Vec<usize>,
    texts: Vec<String>,
}

/// Stands for an index that was wrong.
pub(super) const BAD_INDEX: usize = usize::MAX;

impl Fields {
    fn value(&self, name: &str) -> &Value {
        let place = self.tag.attribute(name).map(|(place, _)| place);
        &self.values[place.expect("the builders read only attributes of the schema")]
    }

    pub(crate) fn given(&self, name: &str) -> bool {
        self.tag.attribute(name).is_some_and(|(place, _)| self.given[place])
    }

    pub(crate) fn optional_real(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Real(value) => Some(*value),
            Value::Absent => None,
            _ => Some(f64::NAN),
        }
    }

    pub(crate) fn real(&self, name: &str) -> f64 {
        self.optional_real(name).unwrap_or(f64::NAN)
    }

    pub(crate) fn pair(&self, x: &str, y: &str) -> [f64; 2] {
        [self.real(x), self.real(y)]
    }

    pub(crate) fn triple(&self, names: [&str; 3]) -> [f64; 3] {
        names.map(|name| self.real(name))
    }

    pub(crate) fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            Value::Integer(value) => *value,
            _ => i64::MIN,
        }
    }

    pub(crate) fn count(&self, name: &str) -> u32 {
        u32::try_from(self.integer(name)).unwrap_or(0)
    }

    pub(crate) fn index(&self, name: &str) -> usize {
        usize::try_from(self.integer(name)).unwrap_or(BAD_INDEX)
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.integer(name) == 1
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match *self.value(name) {
            Value::Text(place) => self.texts.get_mut(place).map(std::mem::take),
            _ => None,
        }
    }

    pub(crate) fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Choice(name) => name,
            _ => "",
        }
    }
}

impl Reader<'_> {
    /// Reads the attributes of an element and notes where they stand.
    pub(crate) fn fields(&mut self, element: Element) -> Fields {
        let tag = self.tag_of(element);
        self.current = tag.name;
        let mut fields = Fields {
            tag,
            values: [Value::Absent; MAX_ATTRIBUTES],
            given: [false; MAX_ATTRIBUTES],
            list: Vec::new(),
            texts: Vec::new(),
        };
        let source = self.source;
        let content = &source.text()[element.content()];
        let name_start = element.content().start;
        let name = source.original(name_start..name_start + tag.name.len());
        self.map.begin_element(element.tag as usize, name.start);
        let unused = self.unused_in_course(tag, content);
        let mut sound = true;
        // where the value of each attribute stands that was met
        let mut first = [0; MAX_ATTRIBUTES];
        let mut next = 0;
        for attribute in Attributes::new(content, tag.name.len()).with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => {
                    self.malformed_attribute(tag, name_start, content, &error);
                    sound = false;
                    break;
                }
            };
            let key = attribute.key.as_ref();
            // most scenes keep to the order of the schema
            let known =
                tag.attribute_from(next, key).filter(|(_, known)| known.course || !self.options.course);
            let Some((place, known)) = known else {
                sound &= self.unknown_attribute(tag, key);
                continue;
            };
            next = place + 1;
            let value = source.original(source.position_of(&attribute.value));
            if unused.contains(&key) {
                if !fields.given[place] {
                    fields.given[place] = true;
                    first[place] = value.start;
                    self.map.push_value(element.tag as usize, place, value);
                }
                continue;
            }
            if self.runs_on(known, &attribute.value, value.clone()) {
                sound = false;
                break;
            }
            if let Presence::Repeated(_) = known.presence {
                self.map.push_value(element.tag as usize, place, value.clone());
                let item = self.value(known, &attribute, value);
                fields.list.push(match item {
                    Value::Integer(index) => usize::try_from(index).unwrap_or(BAD_INDEX),
                    _ => BAD_INDEX,
                });
            } else if fields.given[place] {
                self.repeated_attribute(tag, key, first[place]);
            } else {
                fields.given[place] = true;
                first[place] = value.start;
                self.map.push_value(element.tag as usize, place, value.clone());
                let value = self.value(known, &attribute, value);
                fields.values[place] = value;
            }
        }
        fields.texts = std::mem::take(&mut self.texts);
        self.fill_in(&mut fields, name, sound);
        fields
    }

    pub(super) fn tag_of(&self, element: Element) -> &'static Tag {
        self.tags[element.tag as usize]
    }

    /// Defaults of what was left out, and complaints about what must not be.
    fn fill_in(&mut self, fields: &mut Fields, name: Range<usize>, sound: bool) {
        let mut missing: Vec<&Attribute> = Vec::new();
        for (place, attribute) in fields.tag.attributes.iter().enumerate() {
            match attribute.presence {
                Presence::Default(default) if fields.values[place] == Value::Absent => {
                    fields.values[place] = default_value(attribute, default, &mut fields.texts);
                }
                Presence::Required if fields.values[place] == Value::Absent => missing.push(attribute),
                Presence::Repeated(at_least) if fields.list.len() < at_least && sound => {
                    let (tag, attribute) = (fields.tag, attribute.name);
                    let message =
                        format!("`{}` needs at least {at_least} attributes `{attribute}`", tag.name);
                    let label = format!("found {}", fields.list.len());
                    let problem = Problem::error(name.clone(), message).label(label);
                    self.problems.push(
                        problem.at(tag.name, Some(attribute)).help(format!("for example `{}`", tag.example)),
                    );
                }
                _ => {}
            }
        }
        if sound && !missing.is_empty() {
            self.missing_attributes(fields.tag, &missing, name);
        }
    }

    fn missing_attributes(&mut self, tag: &Tag, missing: &[&Attribute], name: Range<usize>) {
        if self.problems.count_only(Severity::Error, "") {
            return;
        }
        let names: Vec<_> = missing.iter().map(|attribute| attribute.name).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let message = format!("`{}` lacks the attribute{plural} {}", tag.name, quoted_list(&names));
        let label = format!("expected `{}=\"...\"`: {}", names[0], expected(missing[0]));
        self.problems.push(
            Problem::error(name, message)
                .label(label)
                .at(tag.name, Some(names[0]))
                .help(format!("for example `{}`", tag.example)),
        );
    }

    /// The course's program does not even look at the attributes of `collision` that the chosen
    /// type does not use.
    fn unused_in_course(&self, tag: &Tag, content: &str) -> &'static [&'static str] {
        if !self.options.course || tag.name != "collision" {
            return &[];
        }
        let kind = Attributes::new(content, tag.name.len())
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.as_ref() == "type");
        crate::description::particles::unused_collision_attributes(
            kind.as_ref().map_or("", |kind| &kind.value),
        )
    }

    /// A value with `=` or `<` in it has lost its closing quote; nothing after it can be trusted.
    fn runs_on(&mut self, attribute: &Attribute, value: &str, span: Range<usize>) -> bool {
        if matches!(attribute.kind, Kind::Text) || !value.bytes().any(|byte| matches!(byte, b'<' | b'=')) {
            return false;
        }
        let message = format!("the value of `{}` runs on into other attributes", attribute.name);
        self.problems.push(
            Problem::error(first_line(self.file, span), message)
                .label("is a closing quote missing here?")
                .at(self.current, Some(attribute.name))
                .help("every value stands between two quotes: `m=\"1.0\"`"),
        );
        true
    }

    /// Complains about an unknown attribute. Says whether the element can still be trusted to be
    /// whole.
    fn unknown_attribute(&mut self, tag: &Tag, key: &str) -> bool {
        let key_span = self.source.original(self.source.position_of(key));
        if key.contains(['"', '\'', '<']) {
            let problem = Problem::error(
                first_line(self.file, key_span),
                format!("the attributes of `{}` are garbled", tag.name),
            );
            self.problems.push(
                problem
                    .label("expected `name=\"value\"`")
                    .at(tag.name, None)
                    .help("is a quote or a `>` missing before this?"),
            );
            return false;
        }
        if !self.options.course
            && let Some(retired) = schema::retired(tag.name, key)
        {
            self.retired_attribute(tag, retired, key_span);
            return true;
        }
        let message = format!("`{}` has no attribute `{}`", tag.name, shorten(key));
        let about = if foreign::is_about_looks(key) { key } else { tag.name };
        let severity = foreign::severity_of_loss(about, self.options);
        if self.problems.count_only(severity, &message) {
            return true;
        }
        let lost = if severity == Severity::Error { "not understood" } else { "ignored" };
        let problem = Problem::new(severity, key_span.clone(), message).label(lost).at(tag.name, Some(key));
        if tag.attribute(key).is_some() {
            let help = "the course's program does not know it; without `--course` it is read";
            self.problems.push(problem.help(help));
            return true;
        }
        let reads = |attribute: &&Attribute| attribute.course || !self.options.course;
        let known: Vec<_> = tag.attributes.iter().filter(reads).map(|attribute| attribute.name).collect();
        self.problems.push(match nearest(key, known.iter().copied()) {
            Some(name) => problem.replace(key_span, name),
            None => problem.help(format!("it has {}", quoted_list(&known))),
        });
        true
    }

    fn retired_attribute(&mut self, tag: &Tag, retired: &Retired, span: Range<usize>) {
        let message = format!("`{}` no longer does anything: {}", retired.name, retired.instead);
        let problem = Problem::new(self.options.ignored(), span, message).label("ignored");
        self.problems.push(problem.at(tag.name, Some(retired.name)).help("remove it"));
    }

    fn repeated_attribute(&mut self, tag: &Tag, key: &str, earlier: usize) {
        let span = self.source.original(self.source.position_of(key));
        let message = format!("`{}` has the attribute `{key}` twice", tag.name);
        self.problems.push(
            Problem::new(self.options.ignored(), span, message)
                .label("ignored: the first one is used")
                .related(earlier..earlier, "the first one")
                .at(tag.name, Some(key)),
        );
    }

    fn malformed_attribute(&mut self, tag: &Tag, start: usize, content: &str, error: &AttrError) {
        let (at, message, label) = match *error {
            AttrError::UnquotedValue(at) => {
                (at, "a value without quotes", "expected `\"` before and after the value")
            }
            AttrError::ExpectedValue(at) => (at, "an attribute without a value", "expected `\"value\"` here"),
            AttrError::ExpectedQuote(at, _) => (at, "a value without its closing quote", "expected a quote"),
            AttrError::ExpectedEq(at) => {
                (at, "an attribute without a value", "expected `=\"value\"` before this")
            }
            AttrError::Duplicated(at, _) => (at, "an attribute twice", "the first one is used"),
        };
        let at = floor_char_boundary(content, at);
        let before = content[..at].trim_end();
        let word = before.rfind(|c: char| c.is_ascii_whitespace()).map_or(0, |blank| blank + 1);
        if before[word..].starts_with('<') {
            let span = self.source.original(start + word..start + before.len());
            let problem = Problem::error(span, format!("`{}` is not closed", tag.name));
            self.problems.push(problem.label("expected `/>` before this").at(tag.name, None));
            return;
        }
        let length = content[at..].find(char::is_whitespace).unwrap_or(content.len() - at);
        let span = self.source.original(start + at..start + at + length);
        let problem = Problem::error(first_line(self.file, span), format!("{message} in `{}`", tag.name));
        let garbled = content[at..].starts_with('<') || content[..at].matches('"').count() % 2 == 1;
        let help = if garbled {
            "is a quote or a `>` missing before this?"
        } else {
            "attributes are written `name=\"value\"`"
        };
        self.problems.push(problem.label(label).at(tag.name, None).help(help));
    }
}

/// The part of a range on its first line, so that an underline stays short.
pub(super) fn first_line(file: &str, span: Range<usize>) -> Range<usize> {
    let length = file.get(span.clone()).and_then(|text| text.find('\n')).unwrap_or(span.len());
    span.start..span.start + length
}

fn default_value(attribute: &Attribute, default: &'static str, texts: &mut Vec<String>) -> Value {
    match attribute.kind {
        Kind::Real(_) => number::whole_real(default).map_or(Value::Bad, Value::Real),
        Kind::Text => {
            texts.push(default.to_owned());
            Value::Text(texts.len() - 1)
        }
        Kind::Choice(_) => Value::Choice(default),
        Kind::Integer(..) | Kind::Count | Kind::Index(_) | Kind::Flag => {
            number::whole_integer(default).map_or(Value::Bad, Value::Integer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_the_schema_are_values_of_their_kind() {
        for (tag, attribute) in schema::tags().flat_map(|tag| tag.attributes.iter().map(move |a| (tag, a))) {
            if let Presence::Default(default) = attribute.presence {
                let value = default_value(attribute, default, &mut Vec::new());
                let sound = match attribute.kind {
                    Kind::Real(limit) => matches!(value, Value::Real(real) if limit.allows(real)),
                    Kind::Choice(choices) => choices.iter().any(|choice| choice.name == default),
                    _ => value != Value::Bad,
                };
                assert!(sound, "{} {}", tag.name, attribute.name);
            }
        }
    }
}
