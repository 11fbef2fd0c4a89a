//! What values may be: numbers with limits, indices, names.

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A finite number.
    Real(Limit),
    /// A whole number from the first to the second, both included.
    Integer(u32, u32),
    /// A whole number from 0. The course's program reads a real number and cuts it off.
    Count,
    /// The number of an object in the order of the file, from 0.
    Index(Target),
    /// 0 for no, 1 for yes.
    Flag,
    /// Any text.
    Text,
    /// One of these names.
    Choice(&'static [Choice]),
}

/// The limits of a real number. Every real number must be finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Any finite number.
    Finite,
    /// Greater than 0.
    Positive,
    /// 0 or greater.
    NotNegative,
    /// From 0 to 1, both included.
    Unit,
}

impl Limit {
    /// Whether a finite number keeps the limit.
    pub fn allows(self, value: f64) -> bool {
        match self {
            Limit::Finite => true,
            Limit::Positive => value > 0.0,
            Limit::NotNegative => value >= 0.0,
            Limit::Unit => (0.0..=1.0).contains(&value),
        }
    }

    /// The limit in words that follow "must be".
    pub fn words(self) -> &'static str {
        match self {
            Limit::Finite => "finite",
            Limit::Positive => "greater than 0",
            Limit::NotNegative => "0 or greater",
            Limit::Unit => "from 0 to 1",
        }
    }
}

/// What an index counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// `particle` tags.
    Particle,
    /// `edge` tags.
    Edge,
    /// `halfplane` tags.
    HalfPlane,
    /// `rigidbodyvertex` tags.
    Vertex,
    /// `rigidbody`, `rigidbodydisc` and `rigidbodyhalfplane` tags together.
    Body,
    /// The same, or −1 for the fixed plane.
    BodyOrWorld,
    /// `rigidbodyspringforce` tags.
    BodySpring,
    /// `rigidbody3dvertex` tags.
    SpatialVertex,
    /// All tags of spatial bodies together.
    SpatialBody,
    /// All tags of spatial bodies together, or −1 for fixed space.
    SpatialBodyOrWorld,
    /// `rigidbody3dspringforce` tags.
    SpatialSpring,
}

impl Target {
    /// The name of the tags that are counted; of bodies, the first of several.
    pub fn tag(self) -> &'static str {
        match self {
            Target::Particle => "particle",
            Target::Edge => "edge",
            Target::HalfPlane => "halfplane",
            Target::Vertex => "rigidbodyvertex",
            Target::Body | Target::BodyOrWorld => "rigidbody",
            Target::BodySpring => "rigidbodyspringforce",
            Target::SpatialVertex => "rigidbody3dvertex",
            Target::SpatialBody | Target::SpatialBodyOrWorld => "rigidbody3dsphere",
            Target::SpatialSpring => "rigidbody3dspringforce",
        }
    }

    /// Tags of another name that are counted together with those of [`Target::tag`].
    pub(crate) fn counted_along(self) -> &'static [&'static str] {
        match self {
            Target::Body | Target::BodyOrWorld => &["rigidbodydisc", "rigidbodyhalfplane"],
            Target::SpatialBody | Target::SpatialBodyOrWorld => {
                &["rigidbody3dbox", "rigidbody3dpolyhedron", "rigidbody3dhalfspace"]
            }
            _ => &[],
        }
    }

    /// Whether −1 stands for what does not move.
    pub(crate) fn allows_world(self) -> bool {
        matches!(self, Target::BodyOrWorld | Target::SpatialBodyOrWorld)
    }

    /// What is counted, in words: one of them, and several.
    pub(crate) fn words(self) -> (String, String) {
        match self {
            Target::SpatialBody | Target::SpatialBodyOrWorld => ("body".to_owned(), "bodies".to_owned()),
            _ => (format!("`{}` tag", self.tag()), format!("`{}` tags", self.tag())),
        }
    }
}

/// One of the names that a value may be.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Choice {
    /// The name in the file.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Whether the course's program knows it.
    pub course: bool,
}

impl Choice {
    pub(crate) const fn not_in_course(mut self) -> Choice {
        self.course = false;
        self
    }

    pub(crate) const fn new(name: &'static str, meaning: &'static str) -> Choice {
        Choice { name, meaning, course: true }
    }

    pub(crate) const fn ours(name: &'static str, meaning: &'static str) -> Choice {
        Choice { name, meaning, course: false }
    }
}
