//! Problems for people: the line of the text, underlined, and what to do about it.

use crate::diagnostic::{Location, floor_char_boundary, locate};
use crate::problem::{Problem, Problems, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Lines up to this many bytes are given to the renderer whole; it trims them to the width of a
/// terminal itself.
const LONGEST_LINE: usize = 16 * 1024;

/// Bytes that are shown before and after the place in longer lines.
const MARGIN: usize = 90;

/// The problems as text for a terminal, with escape codes for colour or without. It ends with a
/// line break unless it is empty.
///
/// Only the lines that matter are checked, so this is quick for large files too.
pub fn render(problems: &Problems, file_name: &str, text: &str, color: bool) -> String {
    let mut page = render_slice(problems.as_slice(), file_name, text, color);
    if problems.left_out() > 0 {
        page.push_str(&format!("and {} more\n", problems.left_out()));
    }
    page
}

/// One problem, for example of a run, that is not from the reader.
pub fn render_problem(problem: &Problem, file_name: &str, text: &str, color: bool) -> String {
    render_slice(std::slice::from_ref(problem), file_name, text, color)
}

fn render_slice(problems: &[Problem], file_name: &str, text: &str, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let main = problems.iter().map(|problem| problem.span.start);
    let related = problems.iter().map(|problem| problem.related.as_ref().map_or(0, |place| place.span.start));
    let locations = locate(text, &main.chain(related).collect::<Vec<_>>());
    let (main, related) = locations.split_at(problems.len());
    let mut page = String::new();
    for (k, problem) in problems.iter().enumerate() {
        let places = Places { file_name, text, main: main[k], related: related[k] };
        page.push_str(&renderer.render(&[group(problem, &places)]));
        page.push_str("\n\n");
    }
    page
}

/// Where the places of one problem are.
struct Places<'a> {
    file_name: &'a str,
    text: &'a str,
    main: Location,
    related: Location,
}

fn group<'a>(problem: &'a Problem, places: &Places<'a>) -> Group<'a> {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(problem.message.as_str());
    let window = Window::around(places.text, places.main, problem.span.clone());
    let mut annotations =
        vec![annotation(AnnotationKind::Primary, window.inside(&problem.span), &problem.label)];
    let mut elsewhere = None;
    if let Some(related) = &problem.related {
        if places.related.line == places.main.line && window.holds(&related.span) {
            let span = window.inside(&related.span);
            annotations.push(annotation(AnnotationKind::Context, span, &related.label));
        } else {
            elsewhere = Some(related);
        }
    }
    let snippet = window.snippet(places.main.line).annotations(annotations);
    // The renderer counts columns itself where it sees the whole beginning of the line.
    let mut group = if window.lead == 0 {
        title.element(snippet.path(places.file_name))
    } else {
        title.element(origin(places.file_name, places.main)).element(snippet)
    };
    if let Some(related) = elsewhere {
        let window = Window::around(places.text, places.related, related.span.clone());
        let mark = annotation(AnnotationKind::Context, window.inside(&related.span), &related.label);
        let snippet = window.snippet(places.related.line).annotation(mark);
        group = group.element(snippet.path(places.file_name));
    }
    if let Some(replacement) = &problem.replacement {
        group = group.element(Level::HELP.message(format!("did you mean `{}`?", replacement.text)));
    }
    if let Some(help) = &problem.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if problem.repeats > 0 {
        let times =
            if problem.repeats == 1 { "once".to_owned() } else { format!("{} times", problem.repeats) };
        group = group.element(Level::NOTE.message(format!("the same {times} more in this file")));
    }
    group
}

fn origin(file_name: &str, location: Location) -> Origin<'_> {
    Origin::path(file_name).line(location.line).char_column(location.column)
}

fn annotation(kind: AnnotationKind, span: Range<usize>, label: &str) -> Annotation<'_> {
    kind.span(span).label(Some(label).filter(|label| !label.is_empty()))
}

/// The part of a line that is shown.
struct Window {
    shown: String,
    /// The bytes of the text that are shown.
    span: Range<usize>,
    /// Bytes of `shown` before the text: an ellipsis.
    lead: usize,
}

impl Window {
    fn around(text: &str, location: Location, span: Range<usize>) -> Window {
        const ELLIPSIS: &str = "...";
        let at = floor_char_boundary(text, span.start);
        let margin = if at - location.line_start <= LONGEST_LINE { LONGEST_LINE } else { MARGIN };
        let start = floor_char_boundary(text, at.saturating_sub(margin)).max(location.line_start);
        let last = floor_char_boundary(text, at.saturating_add(margin + span.len().min(margin)));
        let line_end = text[at..last].find('\n').map(|length| at + length);
        let end = line_end.unwrap_or(last);
        let end = if text[start..end].ends_with('\r') { end - 1 } else { end }.max(at);
        let lead = if start > location.line_start { ELLIPSIS } else { "" };
        let tail = if line_end.is_none() && end < text.len() { ELLIPSIS } else { "" };
        Window { shown: format!("{lead}{}{tail}", &text[start..end]), span: start..end, lead: lead.len() }
    }

    fn holds(&self, span: &Range<usize>) -> bool {
        self.span.start <= span.start && span.start <= self.span.end
    }

    /// The place within what is shown.
    fn inside(&self, span: &Range<usize>) -> Range<usize> {
        let clip = |at: usize| at.clamp(self.span.start, self.span.end) - self.span.start + self.lead;
        let (start, end) = (clip(span.start), clip(span.end));
        floor_char_boundary(&self.shown, start)..floor_char_boundary(&self.shown, end.max(start))
    }

    fn snippet<'a>(&self, line: usize) -> Snippet<'a, Annotation<'a>> {
        Snippet::source(self.shown.clone()).line_start(line)
    }
}
