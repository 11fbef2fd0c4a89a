//! Tags of every scene.

use super::{Attribute, Choice, Kind, Limit, Occurs, SystemKind, Tag};

const SYSTEMS: &[Choice] = &[
    Choice::new("particle-system", "particles, edges and half-planes (themes 1 and 2)"),
    Choice::new("rigid-body", "planar rigid bodies (theme 3)"),
    Choice::ours("rigid-body-3d", "spatial rigid bodies"),
];

pub(super) const TAGS: &[Tag] = &[
    Tag {
        name: "simtype",
        meaning: "The kind of system. It decides which of the other tags count.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[
            Attribute::required("type", Kind::Choice(SYSTEMS), "", "Kind of system.").or("particle-system")
        ],
        example: r#"<simtype type="rigid-body"/>"#,
    },
    Tag {
        name: "duration",
        meaning: "How long the run lasts. The number of steps is the duration divided by the time step, rounded up.",
        occurs: Occurs::Required,
        system: SystemKind::Any,
        attributes: &[Attribute::required(
            "time",
            Kind::Real(Limit::NotNegative),
            "s",
            "Simulated time. With 0 only the initial state is written.",
        )
        .unchecked_by_course()],
        example: r#"<duration time="10.0"/>"#,
    },
    Tag {
        name: "description",
        meaning: "A sentence for people, shown by the programs.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[Attribute::required("text", Kind::Text, "", "The sentence.")],
        example: r#"<description text="Two balls meet head on."/>"#,
    },
    Tag {
        name: "scenetag",
        meaning: "A free label of the scene. It has no effect on results.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[Attribute::required("tag", Kind::Text, "", "The label.")],
        example: r#"<scenetag tag="accuracy"/>"#,
    },
    Tag {
        name: "maxsimfreq",
        meaning: "A cap on the steps a second when a viewer plays the scene live. It has no effect on results.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[Attribute::required(
            "max",
            Kind::Real(Limit::Positive),
            "1/s",
            "Most steps in a second of real time.",
        )
        .unchecked_by_course()],
        example: r#"<maxsimfreq max="500.0"/>"#,
    },
    Tag {
        name: "viewport",
        meaning: "The square part of the plane that is shown. Without it the view is fitted to the scene.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[
            Attribute::real("cx", "m", "Centre of the view."),
            Attribute::real("cy", "m", "Centre of the view."),
            Attribute::required("size", Kind::Real(Limit::Positive), "m", "Half of the side of the square.")
                .unchecked_by_course(),
        ],
        example: r#"<viewport cx="0.0" cy="0.0" size="5.0"/>"#,
    },
    Tag {
        name: "backgroundcolor",
        meaning: "The colour behind everything. White without it.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[
            Attribute::channel("r", "Red."),
            Attribute::channel("g", "Green."),
            Attribute::channel("b", "Blue."),
        ],
        example: r#"<backgroundcolor r="0.0" g="0.0" b="0.0"/>"#,
    },
    Tag {
        name: "knob",
        meaning: "A number of this scene that a viewer offers as a slider, and that a sweep goes through. It has no effect on results.",
        occurs: Occurs::Many,
        system: SystemKind::Any,
        attributes: &[
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
            Attribute::required(
                "step",
                Kind::Real(Limit::Positive),
                "",
                "Distance of the values that it takes.",
            )
            .optional("the range is gone through without steps")
            .ours(),
        ],
        example: r#"<knob label="Length of the run" target="duration.time" min="1" max="20" step="1"/>"#,
    },
    Tag {
        name: "wrap",
        meaning: "A box without walls, for planar scenes: a body whose centre leaves it comes in on the other side, with its velocity. \
                  Bodies do not touch across the edge: make the box larger than the view by the largest body.",
        occurs: Occurs::Optional,
        system: SystemKind::Any,
        attributes: &[
            Attribute::real("xmin", "m", "Left edge.").ours(),
            Attribute::real("xmax", "m", "Right edge; more than `xmin`.").ours(),
            Attribute::real("ymin", "m", "Lower edge.").ours(),
            Attribute::real("ymax", "m", "Upper edge; more than `ymin`.").ours(),
        ],
        example: r#"<wrap xmin="-9.0" xmax="9.0" ymin="-6.0" ymax="6.0"/>"#,
    },
];
