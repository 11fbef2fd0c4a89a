//! Tags of every scene. Their attributes stand with their descriptions.

use super::{Attribute, Choice, Kind, SystemKind, Tag, of};
use crate::description::table::Record;
use crate::description::{Color, DESCRIPTION, DURATION, KNOB, LABEL, MAX_FREQUENCY, Viewport, WRAP};

const SYSTEMS: &[Choice] = &[
    Choice::new("particle-system", "particles, edges and half-planes (themes 1 and 2)"),
    Choice::new("rigid-body", "planar rigid bodies (theme 3)"),
    Choice::ours("rigid-body-3d", "spatial rigid bodies"),
];

pub(super) const TAGS: &[Tag] = &of(
    SystemKind::Any,
    [
        Tag::once(
            "simtype",
            "The kind of system. It decides which of the other tags count.",
            &[Attribute::required("type", Kind::Choice(SYSTEMS), "", "Kind of system.")
                .or("particle-system")],
            r#"<simtype type="rigid-body"/>"#,
        ),
        Tag::required(
            "duration",
            "How long the run lasts. The number of steps is the duration divided by the time step, rounded up.",
            DURATION,
            r#"<duration time="10.0"/>"#,
        ),
        Tag::once(
            "description",
            "A sentence for people, shown by the programs.",
            DESCRIPTION,
            r#"<description text="Two balls meet head on."/>"#,
        ),
        Tag::once(
            "scenetag",
            "A free label of the scene. It has no effect on results.",
            LABEL,
            r#"<scenetag tag="accuracy"/>"#,
        ),
        Tag::once(
            "maxsimfreq",
            "A cap on the steps a second when a viewer plays the scene live. It has no effect on results.",
            MAX_FREQUENCY,
            r#"<maxsimfreq max="500.0"/>"#,
        ),
        Tag::once(
            "viewport",
            "The square part of the plane that is shown. Without it the view is fitted to the scene.",
            Viewport::ATTRIBUTES,
            r#"<viewport cx="0.0" cy="0.0" size="5.0"/>"#,
        ),
        Tag::once(
            "backgroundcolor",
            "The colour behind everything. White without it.",
            Color::ATTRIBUTES,
            r#"<backgroundcolor r="0.0" g="0.0" b="0.0"/>"#,
        ),
        Tag::many(
            "knob",
            "A number of this scene that a viewer offers as a slider, and that a sweep goes through. It has no effect on results.",
            KNOB,
            r#"<knob label="Length of the run" target="duration.time" min="1" max="20" step="1"/>"#,
        ),
        Tag::once(
            "wrap",
            "A box without walls, for planar scenes: a body whose centre leaves it comes in on the other side, with its velocity. \
                  Bodies do not touch across the edge: make the box larger than the view by the largest body.",
            WRAP,
            r#"<wrap xmin="-9.0" xmax="9.0" ymin="-6.0" ymax="6.0"/>"#,
        ),
    ],
);
