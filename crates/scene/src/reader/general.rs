//! The tags of every scene, and colours.

use super::Reader;
use super::document::Element;
use super::values::Fields;
use crate::description::{Color, General, IndexedColor, Knob, KnobTarget, Surface, Viewport, Wrap};
use crate::problem::Problem;
use crate::schema::{self, Kind};

/// What has been read of the general part.
#[derive(Debug, Default)]
pub(super) struct Draft {
    duration: f64,
    description: Option<String>,
    tag: Option<String>,
    max_frequency: Option<f64>,
    viewport: Option<Viewport>,
    background: Option<Color>,
    knobs: Vec<Knob>,
    wrap: Option<Wrap>,
}

impl Draft {
    pub(super) fn duration(&self) -> f64 {
        self.duration
    }

    pub(super) fn general(self) -> General {
        General {
            duration: self.duration,
            description: self.description,
            tag: self.tag,
            max_frequency: self.max_frequency,
            viewport: self.viewport,
            background: self.background,
            knobs: self.knobs,
            wrap: self.wrap,
        }
    }
}

impl Reader<'_> {
    /// Reads an element that any scene may have.
    pub(super) fn general_element(&mut self, element: Element, draft: &mut Draft) {
        let name = self.tag_of(element).name;
        let mut fields = self.fields(element);
        match name {
            "duration" => draft.duration = fields.real("time"),
            "description" => draft.description = fields.text("text"),
            "scenetag" => draft.tag = fields.text("tag"),
            // Values that only the course accepts mean "none" here: neither changes a result.
            "maxsimfreq" => draft.max_frequency = Some(fields.real("max")).filter(|max| *max > 0.0),
            "viewport" => {
                let viewport = Viewport { center: fields.pair("cx", "cy"), size: fields.real("size") };
                draft.viewport = Some(viewport).filter(|viewport| viewport.size > 0.0);
            }
            "backgroundcolor" => draft.background = Some(color(&fields)),
            "wrap" => {
                let wrap = Wrap { low: fields.pair("xmin", "ymin"), high: fields.pair("xmax", "ymax") };
                for (k, attribute) in ["xmax", "ymax"].into_iter().enumerate() {
                    if wrap.high[k] <= wrap.low[k] {
                        let span = self.span("wrap", 0, attribute);
                        let label = format!("must be more than {:?}", wrap.low[k]);
                        let problem = Problem::error(span, "a box without room").label(label);
                        self.problems.push(problem.at("wrap", Some(attribute)));
                    }
                }
                draft.wrap = Some(wrap);
            }
            "knob" => {
                if let Some(knob) = self.knob(&mut fields) {
                    draft.knobs.push(knob);
                }
            }
            _ => {}
        }
    }

    /// A knob whose target is a number that stands in this scene; anything else is an error.
    fn knob(&mut self, fields: &mut Fields) -> Option<Knob> {
        let (label, target) = (fields.text("label")?, fields.text("target")?);
        let (min, max) = fields.pair("min", "max").into();
        let place = self.knobs_read;
        self.knobs_read += 1;
        let complain = |reader: &mut Self, attribute: &'static str, message: String, label: String| {
            let span = reader.span("knob", place, attribute);
            reader.problems.push(Problem::error(span, message).label(label).at("knob", Some(attribute)));
        };
        if min >= max {
            complain(self, "max", "a knob without a range".to_owned(), format!("must be more than {min:?}"));
        }
        let Some(target) = KnobTarget::parse(&target) else {
            let label = "expected `tag.attribute` or `tag[n].attribute`".to_owned();
            complain(self, "target", format!("`{target}` names no number"), label);
            return None;
        };
        let attribute = schema::tag(&target.tag).and_then(|tag| tag.attribute(&target.attribute));
        let is_number = attribute.is_some_and(|(_, attribute)| {
            matches!(attribute.kind, Kind::Real(_) | Kind::Integer(..) | Kind::Count)
        });
        let count = self.count_of(&target.tag) as usize;
        if !is_number {
            let label = "must be an attribute that is a number".to_owned();
            complain(self, "target", format!("`{target}` names no number"), label);
        } else if target.ordinal >= count {
            let label = format!("the scene has {count} `{}`", target.tag);
            complain(self, "target", format!("`{target}` is not in this scene"), label);
        }
        Some(Knob { label, target, min, max, step: fields.optional_real("step") })
    }
}

pub(super) fn color(fields: &Fields) -> Color {
    Color { red: fields.real("r"), green: fields.real("g"), blue: fields.real("b") }
}

/// What one body is like where it touches. Groups out of range were complained about and are left out.
pub(super) fn surface(fields: &Fields, index: &str) -> Surface {
    let mut surface = Surface {
        restitution: fields.optional_real("COR"),
        friction: fields.optional_real("mu"),
        group: fields.count("group"),
        ..Surface::new(fields.index(index))
    };
    for &group in &fields.list {
        surface.ignore(u32::try_from(group).unwrap_or(u32::MAX));
    }
    surface
}

pub(super) fn indexed_color(fields: &Fields, index: &str) -> IndexedColor {
    IndexedColor { index: fields.index(index), color: color(fields) }
}
