//! What every scene has, whatever moves in it.

use super::Color;
use super::table::{Record, attributes};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::schema::{self, Attribute, Kind, Limit};
use crate::writer::Writer;

/// What does not depend on the kind of system.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct General {
    /// Length of the run in seconds of simulated time.
    pub duration: f64,
    /// A sentence for people.
    pub description: Option<String>,
    /// A free label, without effect on results.
    pub tag: Option<String>,
    /// Cap on steps a second when a viewer plays the scene live; no effect on results.
    pub max_frequency: Option<f64>,
    /// The part of the plane to show; fitted to the scene when absent.
    pub viewport: Option<Viewport>,
    /// Colour behind everything; white when absent.
    pub background: Option<Color>,
    /// Numbers that a viewer offers as sliders, in document order.
    pub knobs: Vec<Knob>,
    /// The box that bodies of 2D scenes come in again on the other side of; none when absent.
    pub wrap: Option<Wrap>,
}

impl General {
    /// A duration in seconds and nothing else.
    pub fn new(duration: f64) -> General {
        General {
            duration,
            description: None,
            tag: None,
            max_frequency: None,
            viewport: None,
            background: None,
            knobs: Vec::new(),
            wrap: None,
        }
    }
}

/// Attributes of `duration`.
pub(crate) const DURATION: &[Attribute] = &[Attribute::number(
    "time",
    Limit::NotNegative,
    "s",
    "Simulated time. With 0 only the initial state is written.",
)
.unchecked_by_course()];
/// Attributes of `description`.
pub(crate) const DESCRIPTION: &[Attribute] = &[Attribute::required("text", Kind::Text, "", "The sentence.")];
/// Attributes of `scenetag`.
pub(crate) const LABEL: &[Attribute] = &[Attribute::required("tag", Kind::Text, "", "The label.")];
/// Attributes of `maxsimfreq`.
pub(crate) const MAX_FREQUENCY: &[Attribute] =
    &[Attribute::number("max", Limit::Positive, "1/s", "Most steps in a second of real time.")
        .unchecked_by_course()];

impl General {
    /// Writes what is there.
    pub(crate) fn write(&self, writer: &mut Writer) {
        if let Some(text) = &self.description {
            writer.element("description").text("text", text).end();
        }
        if let Some(tag) = &self.tag {
            writer.element("scenetag").text("tag", tag).end();
        }
        writer.element("duration").real("time", self.duration).end();
        if let Some(max) = self.max_frequency {
            writer.element("maxsimfreq").real("max", max).end();
        }
        if let Some(viewport) = self.viewport {
            viewport.write(writer.element("viewport")).end();
        }
        if let Some(color) = self.background {
            Record::write(&color, writer.element("backgroundcolor")).end();
        }
        if let Some(wrap) = self.wrap {
            wrap.write(writer);
        }
        for knob in &self.knobs {
            knob.write(writer);
        }
    }
}

/// A box without walls.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrap {
    /// Lower left corner.
    pub low: [f64; 2],
    /// Upper right corner.
    pub high: [f64; 2],
}

/// Attributes of `wrap`.
pub(crate) const WRAP: &[Attribute] = &[
    Attribute::real("xmin", "m", "Left edge.").ours(),
    Attribute::real("xmax", "m", "Right edge; more than `xmin`.").ours(),
    Attribute::real("ymin", "m", "Lower edge.").ours(),
    Attribute::real("ymax", "m", "Upper edge; more than `ymin`.").ours(),
];

impl Wrap {
    pub(crate) fn read(reader: &mut Reader<'_>, fields: &Fields) -> Wrap {
        let wrap = Wrap { low: fields.pair("xmin", "ymin"), high: fields.pair("xmax", "ymax") };
        for (k, attribute) in ["xmax", "ymax"].into_iter().enumerate() {
            if wrap.high[k] <= wrap.low[k] {
                let span = reader.span("wrap", 0, attribute);
                let label = format!("must be more than {:?}", wrap.low[k]);
                let problem = Problem::error(span, "a box without room").label(label);
                reader.problems.push(problem.at("wrap", Some(attribute)));
            }
        }
        wrap
    }

    fn write(&self, writer: &mut Writer) {
        let element = writer.element("wrap").real("xmin", self.low[0]).real("xmax", self.high[0]);
        element.real("ymin", self.low[1]).real("ymax", self.high[1]).end();
    }

    /// Where a body outside comes in; nothing for one that is inside. A body that is far outside is
    /// brought back by as many widths as it takes, or left where it is when it is too far to tell.
    pub fn wrapped(&self, place: [f64; 2]) -> Option<[f64; 2]> {
        let axis = |k: usize| {
            let (low, size) = (self.low[k], self.high[k] - self.low[k]);
            if place[k] >= low && place[k] <= self.high[k] {
                return place[k];
            }
            let inside = place[k] - ((place[k] - low) / size).floor() * size;
            if inside >= low && inside <= self.high[k] { inside } else { place[k] }
        };
        let inside = [axis(0), axis(1)];
        (inside != place).then_some(inside)
    }
}

/// A number of the scene that can be turned; no effect on results.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Knob {
    /// What it is called.
    pub label: String,
    /// Which number it turns.
    pub target: KnobTarget,
    /// Smallest value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Distance of the values that it takes; any value when absent.
    pub step: Option<f64>,
}

/// Attributes of `knob`.
pub(crate) const KNOB: &[Attribute] = &[
    Attribute::required("label", Kind::Text, "", "What the slider is called.").ours(),
    Attribute::required(
        "target",
        Kind::Text,
        "",
        "Which number: `tag.attribute`, and `tag[n].attribute` for the n-th tag of its name, from 0.",
    )
    .ours(),
    Attribute::real("min", "", "Smallest value.").ours(),
    Attribute::real("max", "", "Greatest value; more than `min`.").ours(),
    Attribute::number("step", Limit::Positive, "", "Distance of the values that it takes.")
        .optional("the range is gone through without steps")
        .ours(),
];

impl Knob {
    /// A knob whose target is a number that stands in this scene; anything else is an error.
    pub(crate) fn read(reader: &mut Reader<'_>, fields: &mut Fields) -> Option<Knob> {
        let (label, target) = (fields.text("label")?, fields.text("target")?);
        let (min, max) = fields.pair("min", "max").into();
        let place = reader.knobs_read;
        reader.knobs_read += 1;
        let complain = |reader: &mut Reader<'_>, attribute: &'static str, message: String, label: String| {
            let span = reader.span("knob", place, attribute);
            reader.problems.push(Problem::error(span, message).label(label).at("knob", Some(attribute)));
        };
        if min >= max {
            complain(
                reader,
                "max",
                "a knob without a range".to_owned(),
                format!("must be more than {min:?}"),
            );
        }
        let Some(target) = KnobTarget::parse(&target) else {
            let label = "expected `tag.attribute` or `tag[n].attribute`".to_owned();
            complain(reader, "target", format!("`{target}` names no number"), label);
            return None;
        };
        let attribute = schema::tag(&target.tag).and_then(|tag| tag.attribute(&target.attribute));
        let is_number = attribute.is_some_and(|(_, attribute)| {
            matches!(attribute.kind, Kind::Real(_) | Kind::Integer(..) | Kind::Count)
        });
        let count = reader.count_of(&target.tag) as usize;
        if !is_number {
            let label = "must be an attribute that is a number".to_owned();
            complain(reader, "target", format!("`{target}` names no number"), label);
        } else if target.ordinal >= count {
            let label = format!("the scene has {count} `{}`", target.tag);
            complain(reader, "target", format!("`{target}` is not in this scene"), label);
        }
        Some(Knob { label, target, min, max, step: fields.optional_real("step") })
    }

    fn write(&self, writer: &mut Writer) {
        let element = writer.element("knob").text("label", &self.label);
        let element = element.text("target", &self.target.to_string()).real("min", self.min);
        element.real("max", self.max).optional("step", self.step).end();
    }
}

/// An attribute of an element of the scene.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnobTarget {
    /// Name of the tag.
    pub tag: String,
    /// Which of the tags of that name, from 0.
    pub ordinal: usize,
    /// Name of the attribute.
    pub attribute: String,
}

impl KnobTarget {
    /// Reads `tag.attribute` or `tag[n].attribute`; nothing when it is neither.
    ///
    /// ```
    /// use carom_scene::description::KnobTarget;
    ///
    /// let target = KnobTarget::parse("particle[2].m").unwrap();
    /// assert_eq!((target.tag.as_str(), target.ordinal, target.attribute.as_str()), ("particle", 2, "m"));
    /// assert_eq!(target.to_string(), "particle[2].m");
    /// assert!(KnobTarget::parse("particle[x].m").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<KnobTarget> {
        let (element, attribute) = text.split_once('.')?;
        let (tag, ordinal) = match element.strip_suffix(']') {
            Some(inner) => {
                let (tag, digits) = inner.split_once('[')?;
                (tag, digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??)
            }
            None => (element, 0),
        };
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
        (is_name(tag) && is_name(attribute)).then(|| KnobTarget {
            tag: tag.to_owned(),
            ordinal,
            attribute: attribute.to_owned(),
        })
    }
}

impl std::fmt::Display for KnobTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.ordinal {
            0 => write!(f, "{}.{}", self.tag, self.attribute),
            ordinal => write!(f, "{}[{ordinal}].{}", self.tag, self.attribute),
        }
    }
}

/// A square part of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viewport {
    /// Centre.
    pub center: [f64; 2],
    /// Half of the side that is shown, in scene units, as the course's viewer takes it.
    pub size: f64,
}

attributes! {
    Viewport {
        center: [
            Attribute::real("cx", "m", "Centre of the view."),
            Attribute::real("cy", "m", "Centre of the view."),
        ],
        size: [
            Attribute::number("size", Limit::Positive, "m", "Half of the side of the square.").unchecked_by_course(),
        ],
    }
}
