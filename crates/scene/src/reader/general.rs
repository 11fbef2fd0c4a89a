//! The tags of every scene.

use super::Reader;
use super::document::Element;
use crate::description::table::Record;
use crate::description::{Color, General, Knob, Viewport, Wrap};

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
                let viewport = Viewport::read(&mut fields);
                draft.viewport = Some(viewport).filter(|viewport| viewport.size > 0.0);
            }
            "backgroundcolor" => draft.background = Some(Record::read(&mut fields)),
            "wrap" => draft.wrap = Some(Wrap::read(self, &fields)),
            "knob" => draft.knobs.extend(Knob::read(self, &mut fields)),
            _ => {}
        }
    }
}
