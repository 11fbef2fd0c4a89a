//! Text to checked description.
//!
//! The first pass ([`document`]) finds the elements; the second reads their attributes by the
//! schema ([`values`], [`check`]) and fills the description ([`general`], [`particles`], [`rigid`],
//! [`spatial`]). Both are linear in the text, and neither recurses. Together they hold no more than
//! [`MEMORY_PER_BYTE`] bytes for each byte of text.

mod check;
mod document;
mod general;
mod particles;
mod rigid;
mod scripts;
mod spatial;
mod values;

pub(crate) use document::Element;
pub use document::MAX_DEPTH;
pub(crate) use values::Fields;

use crate::description::table::{Record, Value};
use crate::description::{Scene, System};
use crate::foreign;
use crate::problem::{Problem, Problems, Severity};
use crate::schema::{self, Occurs, SystemKind, Tag};
use crate::source::{Source, SourceMap, check_size};
use document::Document;
use std::ops::Range;

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Read as the course's program does, quirk by quirk, instead of as is right. What makes that
    /// program crash, hang or read foreign memory is an error all the same.
    pub course: bool,
    /// What has no effect (repeated tags and attributes, text between tags, unknown tags about
    /// looks) is an error, not a warning.
    pub strict: bool,
}

impl ReadOptions {
    /// How bad it is when something in the text has no effect.
    pub(crate) fn ignored(&self) -> Severity {
        if self.strict { Severity::Error } else { Severity::Warning }
    }
}

/// What comes of reading a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The scene; there is one exactly when there are no errors.
    pub scene: Option<Scene>,
    /// Everything that is wrong or odd.
    pub problems: Problems,
    /// Where every value stands in the text.
    pub source_map: SourceMap,
}

/// Most memory that reading holds at a time, in bytes for each byte of text, besides a constant.
pub const MEMORY_PER_BYTE: usize = 24;

/// Reads a scene.
///
/// ```
/// use carom_scene::{ReadOptions, read};
///
/// let text = r#"<scene>
///     <duration time="1.0"/>
///     <integrator type="explicit-euler" dt="0.1"/>
///     <particle m="1.0" px="0.0" py="0.0" vx="1.0" vy="0.0" fixed="0"/>
/// </scene>"#;
/// let reading = read(text, &ReadOptions::default());
/// assert!(reading.problems.is_empty());
/// assert_eq!(reading.scene.unwrap().general.duration, 1.0);
/// ```
pub fn read(text: &str, options: &ReadOptions) -> Reading {
    let mut problems = Problems::default();
    if let Err(too_large) = check_size(text.len() as u64) {
        problems.push(Problem::error(0..0, too_large.to_string()));
        return Reading { scene: None, problems, source_map: SourceMap::default() };
    }
    let source = if options.course { Source::glued(text) } else { Source::plain(text) };
    let document = document::scan(text, &source, options, &mut problems);
    let mut reader = Reader {
        file: text,
        source: &source,
        options,
        problems,
        map: SourceMap::with_room(&document.counts),
        tags: schema::tags().collect(),
        counts: document.counts.clone(),
        complete: document.complete,
        current: "scene",
        knobs_read: 0,
        texts: Vec::new(),
    };
    let scene = reader.scene(&document);
    let Reader { mut problems, mut map, .. } = reader;
    problems.sort();
    map.shrink();
    Reading { scene: scene.filter(|_| problems.errors() == 0), problems, source_map: map }
}

/// The second pass.
pub(crate) struct Reader<'t> {
    /// The text as it was given.
    file: &'t str,
    source: &'t Source<'t>,
    pub(crate) options: &'t ReadOptions,
    pub(crate) problems: Problems,
    pub(crate) map: SourceMap,
    tags: Vec<&'static Tag>,
    counts: Vec<u32>,
    complete: bool,
    /// Name of the tag whose attributes are being read.
    current: &'static str,
    /// Knobs so far: how many, for their places in the text.
    pub(crate) knobs_read: usize,
    /// Texts among its values so far.
    texts: Vec<String>,
}

impl Reader<'_> {
    fn scene(&mut self, document: &Document) -> Option<Scene> {
        let root = document.root.clone()?;
        let is_scene = &self.source.text()[root.clone()] == "scene";
        let root = self.source.original(root);
        let system = self.system(document);
        let belongs = |element: &&Element| {
            let kind = self.tags[element.tag as usize].system;
            kind == SystemKind::Any || kind == system
        };
        let (own, foreign): (Vec<Element>, Vec<Element>) = document.elements.iter().partition(belongs);
        let other = if own.len() < foreign.len() { self.most_common(&foreign) } else { None };
        let reported = is_scene && self.missing_tags(system, &root, other);
        if !reported {
            self.foreign_tags(system, &foreign);
        }
        drop(foreign);
        let mut draft = general::Draft::default();
        let own = self.first_of_each(own);
        let system = match system {
            SystemKind::RigidBodies => System::RigidBodies(self.rigid_scene(&own, &mut draft)),
            SystemKind::SpatialBodies => System::SpatialBodies(self.spatial_scene(&own, &mut draft)),
            _ => System::Particles(self.particle_scene(&own, &mut draft)),
        };
        self.check_steps(&draft, &system);
        Some(Scene { general: draft.general(), system })
    }

    /// The kind of system that the first `simtype` names. Where it names none, which is an error,
    /// that of most tags: no other error follows.
    fn system(&mut self, document: &Document) -> SystemKind {
        let simtype = document.elements.iter().find(|element| self.tag_of(**element).name == "simtype");
        let Some(&simtype) = simtype else { return SystemKind::Particles };
        let before = self.problems.errors();
        let fields = self.fields(simtype);
        if self.problems.errors() > before {
            return self.most_common(&document.elements).unwrap_or(SystemKind::Particles);
        }
        let kinds = [SystemKind::RigidBodies, SystemKind::SpatialBodies];
        let named = kinds.into_iter().find(|kind| kind.simtype() == fields.choice("type"));
        named.unwrap_or(SystemKind::Particles)
    }

    /// The kind of system that most of these elements belong to; the last of equals.
    fn most_common(&self, elements: &[Element]) -> Option<SystemKind> {
        let kinds = [SystemKind::SpatialBodies, SystemKind::RigidBodies, SystemKind::Particles];
        let count = |kind: &SystemKind| elements.iter().filter(|e| self.tag_of(**e).system == *kind).count();
        kinds.into_iter().max_by_key(count)
    }

    /// Complains about required tags that are missing. `other` is the kind that most tags belong to
    /// when that is not this one. Returns whether it reported a scene of the other kind.
    fn missing_tags(&mut self, system: SystemKind, root: &Range<usize>, other: Option<SystemKind>) -> bool {
        if !self.complete {
            return false;
        }
        let mut reported = false;
        for (place, tag) in self.tags.iter().enumerate() {
            let wanted =
                tag.occurs == Occurs::Required && (tag.system == SystemKind::Any || tag.system == system);
            if !wanted || self.counts[place] > 0 {
                continue;
            }
            let problem = Problem::error(root.clone(), format!("the scene has no `{}`", tag.name))
                .label(format!("expected `<{} .../>` inside", tag.name))
                .at(tag.name, None);
            let other = other.filter(|_| tag.system == system);
            self.problems.push(if let Some(other) = other {
                reported = true;
                problem
                    .help(format!("for a scene like this one add `<simtype type=\"{}\"/>`", other.simtype()))
            } else {
                problem.help(format!("for example `{}`", tag.example))
            });
        }
        reported
    }

    /// Tags of the other kind of system have no effect.
    fn foreign_tags(&mut self, system: SystemKind, foreign: &[Element]) {
        for element in foreign {
            let tag = self.tag_of(*element);
            let start = element.content().start;
            let span = self.source.original(start..start + tag.name.len());
            let message = format!("`{}` is ignored in a `{}` scene", tag.name, system.simtype());
            let severity = foreign::severity_of_loss(tag.name, self.options);
            self.problems.push(
                Problem::new(severity, span, message)
                    .label(format!("belongs to `{}`", tag.system.simtype()))
                    .at(tag.name, None),
            );
        }
    }

    /// Of tags that may stand once, the first; `simtype` is read already.
    fn first_of_each(&mut self, mut elements: Vec<Element>) -> Vec<Element> {
        let mut first: Vec<Option<Range<usize>>> = vec![None; self.tags.len()];
        elements.retain(|element| {
            let tag = self.tags[element.tag as usize];
            if tag.occurs == Occurs::Many {
                return true;
            }
            let start = element.content().start;
            let span = self.source.original(start..start + tag.name.len());
            match &first[element.tag as usize] {
                None => {
                    first[element.tag as usize] = Some(span);
                    tag.name != "simtype"
                }
                Some(earlier) => {
                    self.problems.push(
                        Problem::new(self.options.ignored(), span, format!("a second `{}`", tag.name))
                            .label("ignored: the first one is used")
                            .related(earlier.clone(), "the first one")
                            .at(tag.name, None),
                    );
                    false
                }
            }
        });
        elements
    }

    /// More steps than can be counted would never end.
    fn check_steps(&mut self, draft: &general::Draft, system: &System) {
        const MOST_STEPS: f64 = 9_007_199_254_740_992.0; // 2^53
        let (tag, dt) = match system {
            System::Particles(scene) => ("integrator", scene.integrator.dt),
            System::RigidBodies(scene) => ("rigidbodyintegrator", scene.integrator.dt),
            System::SpatialBodies(scene) => ("rigidbody3dintegrator", scene.integrator.dt),
        };
        let duration = draft.duration();
        if dt > 0.0 && duration / dt > MOST_STEPS {
            let span = self.span(tag, 0, "dt");
            let problem =
                Problem::error(span, "the run would never end").label(format!("{duration:?} / {dt:?} steps"));
            let duration_span = self.span("duration", 0, "time");
            self.problems.push(problem.related(duration_span, "the duration").at(tag, Some("dt")));
        }
    }

    /// An element whose attributes are in a table.
    pub(crate) fn record<R: Record>(&mut self, element: Element) -> R {
        R::read(&mut self.fields(element))
    }

    /// An element whose attributes are one value.
    fn whole<V: Value>(&mut self, element: Element) -> V {
        V::read(&mut self.fields(element), self.tag_of(element).attributes)
    }

    pub(crate) fn count_of(&self, tag: &str) -> u32 {
        self.tags.iter().position(|known| known.name == tag).map_or(0, |place| self.counts[place])
    }

    pub(crate) fn span(&self, tag: &str, ordinal: usize, attribute: &str) -> Range<usize> {
        self.map.span(tag, ordinal, Some(attribute)).unwrap_or(0..0)
    }

    /// What breaks a run: an error, but in course mode, where the course's program goes on with it,
    /// a warning.
    fn degenerate(&mut self, problem: Problem) {
        let severity = if self.options.course { Severity::Warning } else { Severity::Error };
        self.problems.push(Problem { severity, ..problem });
    }
}
