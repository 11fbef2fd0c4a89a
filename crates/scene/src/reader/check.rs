//! One value of an attribute, checked against the schema: whole and within limits, or as the
//! course's program takes it.

use super::Reader;
use super::document::shorten;
use super::values::Value;
use crate::foreign;
use crate::number::{self, NumberError, Prefix};
use crate::problem::{Problem, Severity};
use crate::schema::{Attribute, Choice, Kind, Limit, Target};
use crate::suggestion::nearest;
use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute as RawAttribute;
use std::borrow::Cow;
use std::ops::Range;

/// A checked value, or what is wrong with it.
type Checked<T> = Result<T, Box<Problem>>;

impl Reader<'_> {
    /// Checks one value.
    pub(super) fn value(
        &mut self,
        attribute: &Attribute,
        raw: &RawAttribute<'_>,
        span: Range<usize>,
    ) -> Value {
        let text = match self.plain_text(attribute, raw) {
            Ok(text) => text,
            Err(problem) => {
                self.problems.push(problem.at(self.current, Some(attribute.name)));
                return Value::Bad;
            }
        };
        let outcome = match attribute.kind {
            Kind::Text => {
                if raw.value.contains('<') {
                    self.problems.push(
                        Problem::warning(span.clone(), format!("`<` in the value of `{}`", attribute.name))
                            .label("other XML programs refuse this")
                            .at(self.current, Some(attribute.name))
                            .help("write `&lt;`; or is a closing quote missing before it?"),
                    );
                }
                self.texts.push(text.into_owned());
                Ok(Value::Text(self.texts.len() - 1))
            }
            Kind::Choice(choices) => self.choice(attribute, choices, &text, span.clone()),
            Kind::Real(limit) => self.real(attribute, limit, &text, span.clone()),
            Kind::Count => self.count(attribute, &text, span.clone()),
            Kind::Integer(low, high) => self.integer(attribute, &text, span.clone()).and_then(|value| {
                if (i64::from(low)..=i64::from(high)).contains(&value) {
                    return Ok(Value::Integer(value));
                }
                let message = format!("`{}` must be from {low} to {high}", attribute.name);
                Err(Problem::error(span.clone(), message).label(format!("found {value}")).into())
            }),
            Kind::Flag => self.flag(attribute, &text, span.clone()),
            Kind::Index(target) => self.index(attribute, target, &text, span.clone()),
        };
        outcome.unwrap_or_else(|problem| {
            self.problems.push(problem.at(self.current, Some(attribute.name)));
            Value::Bad
        })
    }

    /// The value with its entities resolved.
    fn plain_text<'v>(&self, attribute: &Attribute, raw: &RawAttribute<'v>) -> Checked<Cow<'v, str>> {
        if self.options.course {
            // Blanks stay as they are, and what is no entity stays as it is written.
            return Ok(if raw.value.bytes().any(|byte| byte == b'&') {
                quick_xml::escape::unescape(&raw.value)
                    .map(|text| Cow::Owned(text.into_owned()))
                    .unwrap_or_else(|_| raw.value.clone())
            } else {
                raw.value.clone()
            });
        }
        raw.normalized_value(XmlVersion::Implicit1_0).map_err(|_| {
            let value = self.source.position_of(&raw.value);
            let amp = raw.value.find('&').map_or(value.clone(), |at| value.start + at..value.start + at + 1);
            Problem::error(
                self.source.original(amp),
                format!("a bare `&` in the value of `{}`", attribute.name),
            )
            .label("expected `&amp;`, or one of `&lt;` `&gt;` `&quot;` `&apos;` `&#...;`")
            .into()
        })
    }

    fn choice(
        &mut self,
        attribute: &Attribute,
        choices: &'static [Choice],
        text: &str,
        span: Range<usize>,
    ) -> Checked<Value> {
        let known = choices.iter().find(|choice| choice.name == text);
        if let Some(choice) = known {
            if self.options.course && !choice.course {
                let message = format!("the course's program does not know `{}`", choice.name);
                return Err(Problem::error(span, message)
                    .label("refused in course mode")
                    .help("without `--course` it is read")
                    .into());
            }
            return Ok(Value::Choice(choice.name));
        }
        let names: Vec<&'static str> = choices
            .iter()
            .filter(|choice| choice.course || !self.options.course)
            .map(|choice| choice.name)
            .collect();
        let message = format!("`{}` is not a value of `{}`", shorten(text), attribute.name);
        if let Some(theme) = foreign::theme(text) {
            let message = format!("`{}` belongs to {theme}, which Carom does not do", shorten(text));
            return Err(Problem::error(span, message).label(expected_names(&names)).into());
        }
        // A long list reads better below the line than beside it.
        let problem = Problem::error(span.clone(), message);
        let problem = match names.len() {
            0..=4 => problem.label(expected_names(&names)),
            _ => problem.label("not one of its names").help(expected_names(&names)),
        };
        Err(match nearest(text.trim(), names.iter().copied()) {
            Some(name) => problem.replace(span, name).into(),
            None => problem.into(),
        })
    }

    fn real(
        &mut self,
        attribute: &Attribute,
        limit: Limit,
        text: &str,
        span: Range<usize>,
    ) -> Checked<Value> {
        let value = if self.options.course {
            let prefix = number::leading_real(text);
            self.prefix(attribute, prefix, text, &span)?
        } else {
            number::whole_real(text).map_err(|error| number_problem(attribute, error, text, span.clone()))?
        };
        if limit.allows(value) {
            return Ok(Value::Real(value));
        }
        let message = format!("`{}` must be {}", attribute.name, limit.words());
        let problem = Problem::error(span, message).label(format!("found {value}"));
        self.unless_course_accepts(attribute, problem)?;
        Ok(Value::Real(value))
    }

    /// In course mode, a limit that the course's program does not check is only a warning.
    fn unless_course_accepts(&mut self, attribute: &Attribute, problem: Problem) -> Checked<()> {
        if !self.options.course || attribute.course_checks {
            return Err(problem.into());
        }
        let label = format!("{}; the course's program does not check this", problem.label);
        let problem = Problem { severity: Severity::Warning, label, ..problem };
        self.problems.push(problem.at(self.current, Some(attribute.name)));
        Ok(())
    }

    fn count(&mut self, attribute: &Attribute, text: &str, span: Range<usize>) -> Checked<Value> {
        let value = if self.options.course {
            let prefix = number::leading_real(text);
            let real = self.prefix(attribute, prefix, text, &span)?;
            if real.trunc() != real {
                let message = format!("`{}` is cut off to a whole number", attribute.name);
                let problem =
                    Problem::warning(span.clone(), message).label(format!("read as {}", real.trunc()));
                self.problems.push(problem.at(self.current, Some(attribute.name)));
            }
            // Saturates: a number beyond 2^63 stays far beyond every count.
            real as i64
        } else {
            self.integer(attribute, text, span.clone())?
        };
        if value < 0 {
            let message = format!("`{}` must be 0 or greater", attribute.name);
            let problem = Problem::error(span, message).label(format!("found {value}"));
            self.unless_course_accepts(attribute, problem)?;
        }
        Ok(Value::Integer(value.clamp(0, i64::from(u32::MAX))))
    }

    fn integer(&mut self, attribute: &Attribute, text: &str, span: Range<usize>) -> Checked<i64> {
        if self.options.course {
            let prefix = number::leading_integer(text);
            self.prefix(attribute, prefix, text, &span)
        } else {
            number::whole_integer(text).map_err(|error| number_problem(attribute, error, text, span))
        }
    }

    fn flag(&mut self, attribute: &Attribute, text: &str, span: Range<usize>) -> Checked<Value> {
        let wrong = |span: Range<usize>| -> Box<Problem> {
            let message = format!("`{}` is not a value of `{}`", shorten(text.trim()), attribute.name);
            let problem = Problem::error(span.clone(), message).label("expected 0 (no) or 1 (yes)");
            match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" => problem.replace(span, "1").into(),
                "false" | "no" => problem.replace(span, "0").into(),
                _ => problem.into(),
            }
        };
        let value = if self.options.course {
            let prefix = number::leading_integer(text);
            if prefix.is_err() {
                return Err(wrong(span));
            }
            self.prefix(attribute, prefix, text, &span)?
        } else {
            number::whole_integer(text).map_err(|_| wrong(span.clone()))?
        };
        if value == 0 || value == 1 { Ok(Value::Integer(value)) } else { Err(wrong(span)) }
    }

    fn index(
        &mut self,
        attribute: &Attribute,
        target: Target,
        text: &str,
        span: Range<usize>,
    ) -> Checked<Value> {
        let tag = target.tag();
        let value = self.integer(attribute, text, span.clone());
        let along = target.counted_along().iter().map(|other| i64::from(self.count_of(other)));
        let count = i64::from(self.count_of(tag)) + along.sum::<i64>();
        let lowest = if target.allows_world() { -1 } else { 0 };
        match value {
            // What was not seen may still be there.
            Ok(value) if value >= lowest && (value < count || !self.complete) => Ok(Value::Integer(value)),
            Err(problem) if !problem.message.ends_with(TOO_LARGE) => Err(problem),
            _ => {
                let world = match target {
                    Target::BodyOrWorld => "-1 for the plane, or ",
                    Target::SpatialBodyOrWorld => "-1 for fixed space, or ",
                    _ => "",
                };
                let (one, several) = target.words();
                let range = match count {
                    0 => format!("the scene has no {one}"),
                    1 => format!("expected {world}0: the scene has one {one}"),
                    _ => format!("expected {world}0 to {}: the scene has {count} {several}", count - 1),
                };
                let message =
                    format!("there is no {} {}", one.trim_end_matches(" tag"), shorten(text.trim()));
                Err(Problem::error(span, message).label(range).into())
            }
        }
    }

    /// The number that the course's program takes, with a warning when it leaves something over.
    fn prefix<T: std::fmt::Display>(
        &mut self,
        attribute: &Attribute,
        prefix: Result<Prefix<T>, NumberError>,
        text: &str,
        span: &Range<usize>,
    ) -> Checked<T> {
        let prefix = prefix.map_err(|error| number_problem(attribute, error, text, span.clone()))?;
        if prefix.left_over {
            let message = format!("`{}` is read as {}", shorten(text.trim()), prefix.value);
            let problem = Problem::warning(span.clone(), message).label("the rest is ignored");
            self.problems.push(problem.at(self.current, Some(attribute.name)));
        }
        Ok(prefix.value)
    }
}

/// How the message of a number that is too large ends; an index of that size is out of range
/// instead.
const TOO_LARGE: &str = "is too large";

fn number_problem(attribute: &Attribute, error: NumberError, text: &str, span: Range<usize>) -> Box<Problem> {
    let trimmed = number::trim(text);
    let shown = shorten(trimmed);
    let name = attribute.name;
    let whole = !matches!(attribute.kind, Kind::Real(_));
    let (message, label) = match error {
        NumberError::Empty => (format!("`{name}` is empty"), format!("expected {}", expected(attribute))),
        NumberError::NotANumber => {
            (format!("`{shown}` is not a number"), format!("expected {}", expected(attribute)))
        }
        NumberError::LeftOver(used) => {
            let rest = shorten(&trimmed[used..]).into_owned();
            (
                format!("`{shown}` is not a {}", if whole { "whole number" } else { "number" }),
                format!("`{rest}` is left over after `{}`", shorten(&trimmed[..used])),
            )
        }
        NumberError::TooLarge => {
            (format!("`{shown}` {TOO_LARGE}"), format!("expected {}", expected(attribute)))
        }
    };
    let problem = Problem::error(span.clone(), message).label(label);
    // A decimal comma is worth a suggestion.
    if let (NumberError::LeftOver(_), Kind::Real(_)) = (error, attribute.kind) {
        let point = trimmed.replacen(',', ".", 1);
        if point != trimmed && number::whole_real(&point).is_ok() {
            return problem.replace(span, point).into();
        }
    }
    problem.into()
}

/// What an attribute wants, with an article.
pub(super) fn expected(attribute: &Attribute) -> Cow<'static, str> {
    match attribute.kind {
        Kind::Real(Limit::Finite) => "a number".into(),
        Kind::Real(limit) => format!("a number {}", limit.words()).into(),
        Kind::Integer(low, _) => format!("a whole number of at least {low}").into(),
        Kind::Count => "a whole number from 0".into(),
        Kind::Index(Target::BodyOrWorld) => "a whole number, the index of a `rigidbody`, or -1".into(),
        Kind::Index(Target::SpatialBody) => "a whole number, the index of a body".into(),
        Kind::Index(Target::SpatialBodyOrWorld) => "a whole number, the index of a body, or -1".into(),
        Kind::Index(target) => format!("a whole number, the index of a `{}`", target.tag()).into(),
        Kind::Flag => "0 or 1".into(),
        Kind::Text => "a text".into(),
        Kind::Choice(choices) => {
            let names: Vec<_> = choices.iter().map(|choice| choice.name).collect();
            expected_names(&names).trim_start_matches("expected ").to_owned().into()
        }
    }
}

fn expected_names(names: &[&str]) -> String {
    match names {
        [only] => format!("expected `{only}`"),
        [first, second] => format!("expected `{first}` or `{second}`"),
        _ => format!("expected one of {}", quoted_list(names)),
    }
}

pub(super) fn quoted_list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
