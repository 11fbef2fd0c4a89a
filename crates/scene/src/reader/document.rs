//! First pass: the shape of the document. Which known elements stand directly under the root, and
//! is the XML sound?

use super::ReadOptions;
use crate::diagnostic::floor_char_boundary;
use crate::foreign;
use crate::problem::{Problem, Problems, Severity};
use crate::schema;
use crate::source::Source;
use crate::suggestion::nearest;
use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use std::ops::Range;

/// Deepest nesting of tags that is read. A scene needs two levels.
pub const MAX_DEPTH: usize = 64;

/// A known element directly under the root: where its name and attributes stand in the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element {
    /// Place of its tag in the schema.
    pub tag: u8,
    start: u32,
    end: u32,
}

impl Element {
    /// Name and attributes, without the brackets.
    pub(crate) fn content(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What the first pass finds.
pub(crate) struct Document {
    pub(crate) elements: Vec<Element>,
    /// How many elements of each tag, by its place in the schema.
    pub(crate) counts: Vec<u32>,
    /// Where the name of the root stands in the source.
    pub(crate) root: Option<Range<usize>>,
    /// Whether everything was seen. If not, what is missing may only be out of sight.
    pub(crate) complete: bool,
}

/// Goes through the text once.
pub(crate) fn scan(
    file: &str,
    source: &Source<'_>,
    options: &ReadOptions,
    problems: &mut Problems,
) -> Document {
    let mut scanner = Scanner {
        file,
        source,
        options,
        problems,
        open: Vec::new(),
        after_root: false,
        document: Document {
            elements: Vec::new(),
            counts: vec![0; schema::tags().count()],
            root: None,
            complete: true,
        },
    };
    scanner.run();
    scanner.document.elements.shrink_to_fit();
    scanner.document
}

struct Scanner<'a, 't> {
    file: &'a str,
    source: &'a Source<'t>,
    options: &'a ReadOptions,
    problems: &'a mut Problems,
    /// Where the names of the open elements stand.
    open: Vec<Range<usize>>,
    after_root: bool,
    document: Document,
}

impl Scanner<'_, '_> {
    fn run(&mut self) {
        // Byte order marks: the tokenizer would skip one without counting it.
        let text = self.source.text().trim_start_matches('\u{feff}');
        let skipped = self.source.text().len() - text.len();
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        loop {
            let before = skipped + reader.buffer_position() as usize;
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(Event::Start(tag)) => {
                    if self.open.len() == MAX_DEPTH {
                        self.too_deep(before);
                        return;
                    }
                    let name = self.enter(&tag);
                    self.open.push(name);
                }
                Ok(Event::Empty(tag)) => {
                    self.enter(&tag);
                    self.after_root |= self.open.is_empty();
                }
                Ok(Event::End(tag)) => self.leave(&tag, before..skipped + reader.buffer_position() as usize),
                Ok(Event::Text(_) | Event::CData(_) | Event::GeneralRef(_)) => {
                    self.text(before..skipped + reader.buffer_position() as usize);
                }
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Err(error) => {
                    self.malformed(&error, skipped + reader.error_position() as usize);
                    return;
                }
            }
        }
        self.finish();
    }

    /// Notes an element that begins, and gives the place of its name.
    fn enter(&mut self, tag: &BytesStart<'_>) -> Range<usize> {
        let content: &str = tag;
        let whole = self.source.position_of(content);
        let name = whole.start..whole.start + tag.name().as_ref().len();
        match self.open.len() {
            0 => self.enter_root(name.clone()),
            1 if self.after_root => {}
            1 => self.enter_child(name.clone(), whole),
            _ => self.enter_nested(name.clone()),
        }
        name
    }

    fn enter_root(&mut self, name: Range<usize>) {
        let text = &self.source.text()[name.clone()];
        if let Some(first) = self.document.root.clone() {
            let problem = self
                .problem(self.ignored_in_course(), name, format!("a second root `{}`", shorten(text)))
                .label("a file holds one scene")
                .related(self.source.original(first), "the scene");
            self.problems.push(problem);
        } else {
            if text != "scene" {
                let mut problem = self
                    .problem(Severity::Error, name.clone(), format!("the root is `{}`", shorten(text)))
                    .label("expected `scene`");
                if nearest(text, ["scene"]).is_some() {
                    problem = problem.replace(self.source.original(name.clone()), "scene");
                }
                self.problems.push(problem);
            }
            self.document.root = Some(name);
        }
    }

    fn enter_child(&mut self, name: Range<usize>, whole: Range<usize>) {
        let text = &self.source.text()[name.clone()];
        let known = |tag: &schema::Tag| tag.name == text && (tag.in_course() || !self.options.course);
        match schema::tags().position(known) {
            Some(place) => {
                self.document.counts[place] += 1;
                self.document.elements.push(Element {
                    tag: place as u8,
                    start: whole.start as u32,
                    end: whole.end as u32,
                });
            }
            None => self.unknown_tag(name),
        }
    }

    fn unknown_tag(&mut self, name: Range<usize>) {
        let text = &self.source.text()[name.clone()];
        let original = self.source.original(name.clone());
        if text.is_empty() {
            self.problems.push(Problem::error(original.start..original.end + 1, "a tag without a name"));
            return;
        }
        let glued = schema::tags().find(|tag| {
            text.strip_prefix(tag.name).is_some_and(|rest| rest.contains('='))
                && original.len() > name.len()
                && self.options.course
        });
        // What the course's program does not know and we do is left out in course mode, as there.
        let only_ours = schema::tag(text).is_some();
        let severity = if glued.is_some() || only_ours {
            self.options.ignored()
        } else {
            foreign::severity_of_tag(text, self.options)
        };
        let theme = foreign::theme(text).filter(|_| !only_ours);
        let message = match (glued, theme) {
            (Some(tag), _) => format!("a line break right after `{}` loses the element", tag.name),
            (None, Some(theme)) => format!("`{}` belongs to {theme}, which Carom does not do", shorten(text)),
            (None, None) => format!("unknown tag `{}`", shorten(text)),
        };
        if self.problems.count_only(severity, &message) {
            return;
        }
        let problem = Problem::new(severity, original.clone(), message);
        let problem = if let Some(tag) = glued {
            let help = "the course's program joins lines without a blank; put a blank before the line break";
            problem.label("read as one name").at(tag.name, None).help(help)
        } else {
            let lost = if severity == Severity::Error { "the scene would run without it" } else { "ignored" };
            let problem = problem.label(lost).at(&shorten(text), None);
            if only_ours {
                self.problems.push(
                    problem.help("the course's program does not know it; without `--course` it is read"),
                );
                return;
            }
            match nearest(text, schema::tags().map(|tag| tag.name).collect::<Vec<_>>()) {
                Some(known) if theme.is_none() => problem.replace(original, known),
                _ => problem,
            }
        };
        self.problems.push(problem);
    }

    fn enter_nested(&mut self, name: Range<usize>) {
        let text = &self.source.text()[name.clone()];
        if schema::tag(text).is_none() {
            return;
        }
        let outer = self.open.last().cloned().unwrap_or_default();
        let outer_name = shorten(&self.source.text()[outer.clone()]);
        let severity = foreign::severity_of_loss(text, self.options);
        let problem = self
            .problem(severity, name, format!("`{text}` inside `{outer_name}` is ignored"))
            .label("only tags directly inside `scene` count")
            .related(self.source.original(outer), "still open here")
            .at(text, None)
            .help(format!("close `{outer_name}` first: `<{outer_name} .../>`"));
        self.problems.push(problem);
    }

    fn leave(&mut self, tag: &BytesEnd<'_>, span: Range<usize>) {
        let name_text = tag.name();
        let found = name_text.as_ref().trim();
        let Some(open) = self.open.pop() else {
            let message = format!("`</{}>` closes nothing", shorten(found));
            let problem = self.problem(Severity::Error, span, message).label("no tag is open here");
            self.problems.push(problem);
            return;
        };
        let expected = &self.source.text()[open.clone()];
        if found != expected {
            let severity = if self.options.course { Severity::Warning } else { Severity::Error };
            let expected = shorten(expected);
            let problem = self
                .problem(severity, span, format!("`{expected}` is closed by `</{}>`", shorten(found)))
                .label(format!("expected `</{expected}>`"))
                .related(self.source.original(open), "opened here")
                .help(format!("a tag without content closes itself: `<{expected} .../>`"));
            self.problems.push(problem);
            self.close_outer(found);
        }
        self.after_root |= self.open.is_empty();
    }

    /// After a mismatch: when an outer tag has the name that was closed, the tags inside it were
    /// left open. The course's program compares no names, so there each closing tag closes one.
    fn close_outer(&mut self, found: &str) {
        if self.options.course {
            return;
        }
        let matching = self.open.iter().rposition(|name| &self.source.text()[name.clone()] == found);
        if let Some(matching) = matching {
            self.open.truncate(matching);
        }
    }

    fn text(&mut self, span: Range<usize>) {
        let text = &self.source.text()[span.clone()];
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return;
        }
        let start = span.start + (text.len() - text.trim_start().len());
        let span = start..start + trimmed.len();
        let problem = if self.open.is_empty() {
            self.problem(Severity::Error, span, "text outside the root").label("expected only `<scene>` here")
        } else {
            self.problem(self.options.ignored(), span, "text between tags is ignored")
                .help("remarks are written `<!-- like this -->`")
        };
        self.problems.push(problem);
    }

    fn too_deep(&mut self, position: usize) {
        let problem = self
            .problem(
                Severity::Error,
                position..position + 1,
                format!("tags are nested more than {MAX_DEPTH} deep"),
            )
            .label("a scene needs two levels");
        self.problems.push(problem);
        self.document.complete = false;
    }

    fn malformed(&mut self, error: &Error, position: usize) {
        let (message, label) = match error {
            Error::Syntax(SyntaxError::UnclosedComment) => {
                ("a comment is not closed", "expected `-->` after this")
            }
            Error::Syntax(SyntaxError::UnclosedTag) => ("a tag is not closed", "expected `>` after this"),
            Error::Syntax(
                SyntaxError::UnclosedDoubleQuotedAttributeValue
                | SyntaxError::UnclosedSingleQuotedAttributeValue,
            ) => {
                self.unclosed_quote(position);
                return;
            }
            Error::Syntax(SyntaxError::UnclosedCData) => ("CDATA is not closed", "expected `]]>` after this"),
            Error::Syntax(SyntaxError::UnclosedDoctype) => {
                ("DOCTYPE is not closed", "expected `>` after this")
            }
            Error::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => {
                ("a `<?` is not closed", "expected `?>` after this")
            }
            _ => ("this is not XML", "expected a tag or a comment"),
        };
        let text = self.source.text();
        let position = floor_char_boundary(text, position);
        let length = text[position..].find(|c: char| c.is_whitespace() || c == '>').unwrap_or(0).max(1);
        let end = (position + length).min(text.len());
        let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        let problem = self.problem(Severity::Error, position..end, message).label(label);
        self.problems.push(problem);
        self.document.complete = false;
    }

    /// The tokenizer knows the tag. The value that runs on into the next attribute or tag shows the
    /// place.
    fn unclosed_quote(&mut self, position: usize) {
        let rest = &self.source.text()[floor_char_boundary(self.source.text(), position)..];
        let name_length = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
        let running_on = Attributes::new(rest, name_length)
            .with_checks(false)
            .map_while(Result::ok)
            .find(|attribute| attribute.value.contains(['=', '<']));
        let place = match &running_on {
            Some(attribute) => self.source.position_of(&attribute.value),
            None => self.source.position_of(&rest[..name_length]),
        };
        let place = super::values::first_line(self.file, self.source.original(place));
        let label = match running_on {
            Some(_) => "is a closing quote missing here?",
            None => "somewhere in this tag",
        };
        self.problems.push(Problem::error(place, "a quote is not closed").label(label));
        self.document.complete = false;
    }

    fn finish(&mut self) {
        if let Some(open) = self.open.last().cloned() {
            let name = shorten(&self.source.text()[open.clone()]).into_owned();
            let problem = self
                .problem(Severity::Error, open, format!("`{name}` is never closed"))
                .label(format!("expected `</{name}>` before the end of the file"));
            self.problems.push(problem);
        } else if self.document.root.is_none() && self.problems.errors() == 0 {
            let problem = self
                .problem(Severity::Error, 0..0, "there is no scene here")
                .label("expected `<scene>`")
                .help("the smallest scene: `<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.01\"/></scene>`");
            self.problems.push(problem);
        }
        self.document.complete = self.document.root.is_some();
    }

    fn problem(&self, severity: Severity, span: Range<usize>, message: impl Into<String>) -> Problem {
        Problem::new(severity, self.source.original(span), message)
    }

    /// What is an error for us and passes unseen in the course's program.
    fn ignored_in_course(&self) -> Severity {
        if self.options.course { self.options.ignored() } else { Severity::Error }
    }
}

/// A name for a message: never longer than a line can bear.
pub(crate) fn shorten(name: &str) -> std::borrow::Cow<'_, str> {
    const LONGEST: usize = 40;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}
