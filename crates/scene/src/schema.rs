//! The one table of the format: every tag, every attribute, its type, default and limits.
//!
//! The reader checks values with it, and [`reference_page`] prints it as `docs/scene-format.md`.
//! The attributes of a tag stand in `description/`, beside what they describe: a new one is added
//! there. A new tag is added here, and in `reader/` and `writer/`.

mod general;
mod kind;
mod particles;
mod reference;
mod retired;
mod rigid;
mod spatial;

pub use kind::{Choice, Kind, Limit, Target};
pub use reference::reference_page;
pub use retired::Retired;
pub(crate) use retired::retired;

/// A tag: a direct child of the root `scene`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Tag {
    /// Its name in the file. Case matters.
    pub name: &'static str,
    /// What it says, in a sentence or two.
    pub meaning: &'static str,
    /// How often it may stand in a file.
    pub occurs: Occurs,
    /// The kind of system that it belongs to.
    pub system: SystemKind,
    /// Its attributes, at most twenty.
    pub attributes: &'static [Attribute],
    /// One line that shows it.
    pub example: &'static str,
}

/// Most attributes of one tag.
pub(crate) const MAX_ATTRIBUTES: usize = 20;

/// How often a tag may stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    /// Exactly once.
    Required,
    /// Once or not at all.
    Optional,
    /// Any number of times; the order in the file numbers them from 0.
    Many,
}

/// The kind of system that a tag belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemKind {
    /// Every scene.
    Any,
    /// Scenes with `simtype` `particle-system`.
    Particles,
    /// Scenes with `simtype` `rigid-body`.
    RigidBodies,
    /// Scenes with `simtype` `rigid-body-3d`.
    SpatialBodies,
}

impl SystemKind {
    /// The value of `simtype type=`; empty for [`SystemKind::Any`].
    pub fn simtype(self) -> &'static str {
        match self {
            SystemKind::Any => "",
            SystemKind::Particles => "particle-system",
            SystemKind::RigidBodies => "rigid-body",
            SystemKind::SpatialBodies => "rigid-body-3d",
        }
    }
}

/// An attribute of a tag.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Attribute {
    /// Its name in the file. Case matters.
    pub name: &'static str,
    /// What it says.
    pub meaning: &'static str,
    /// The unit of its value; empty when it has none.
    pub unit: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// Whether it must be there, and what holds when it is not.
    pub presence: Presence,
    /// Whether the course's program refuses values outside the limits too.
    pub course_checks: bool,
    /// Whether the course's program knows it. What it does not know is ignored in course mode, with
    /// a warning.
    pub course: bool,
    /// Whether the writer leaves it out where it has its default.
    pub elided: bool,
}

/// Whether an attribute must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It must be there.
    Required,
    /// This value is used when it is not there.
    Default(&'static str),
    /// It may be left out; the words say what holds then.
    Optional(&'static str),
    /// It is repeated, at least this many times.
    Repeated(usize),
}

/// Every tag, in the order of the reference page.
pub fn tags() -> impl Iterator<Item = &'static Tag> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The tag of this name.
pub fn tag(name: &str) -> Option<&'static Tag> {
    tags().find(|tag| tag.name == name)
}

impl Tag {
    /// The attribute of this name and its place among the attributes of the tag.
    pub fn attribute(&self, name: &str) -> Option<(usize, &'static Attribute)> {
        self.attributes.iter().enumerate().find(|(_, attribute)| attribute.name == name)
    }

    /// As [`Tag::attribute`], but looks at a place first.
    pub(crate) fn attribute_from(&self, place: usize, name: &str) -> Option<(usize, &'static Attribute)> {
        let here = self.attributes.get(place).filter(|attribute| attribute.name == name);
        here.map(|attribute| (place, attribute)).or_else(|| self.attribute(name))
    }

    /// Whether the course's program knows the tag: it then knows some attribute of it.
    pub fn in_course(&self) -> bool {
        self.attributes.iter().any(|attribute| attribute.course)
    }
}

const TABLES: [&[Tag]; 4] = [general::TAGS, particles::TAGS, rigid::TAGS, spatial::TAGS];

// Shorthands that keep the tables readable.
impl Attribute {
    pub(crate) const fn required(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        meaning: &'static str,
    ) -> Attribute {
        Attribute {
            name,
            meaning,
            unit,
            kind,
            presence: Presence::Required,
            course_checks: true,
            course: true,
            elided: false,
        }
    }

    /// A number with limits.
    pub(crate) const fn number(
        name: &'static str,
        limit: Limit,
        unit: &'static str,
        meaning: &'static str,
    ) -> Attribute {
        Attribute::required(name, Kind::Real(limit), unit, meaning)
    }

    /// A number beyond the course that is 0 when it is left out, and that is left out when it is 0.
    pub(crate) const fn zero(name: &'static str, unit: &'static str, meaning: &'static str) -> Attribute {
        Attribute::real(name, unit, meaning).or("0.0").elided().ours()
    }

    pub(crate) const fn elided(mut self) -> Attribute {
        self.elided = true;
        self
    }

    pub(crate) const fn or(mut self, default: &'static str) -> Attribute {
        self.presence = Presence::Default(default);
        self
    }

    pub(crate) const fn optional(mut self, otherwise: &'static str) -> Attribute {
        self.presence = Presence::Optional(otherwise);
        self
    }

    pub(crate) const fn repeated(mut self, at_least: usize) -> Attribute {
        self.presence = Presence::Repeated(at_least);
        self
    }

    pub(crate) const fn unchecked_by_course(mut self) -> Attribute {
        self.course_checks = false;
        self
    }

    pub(crate) const fn ours(mut self) -> Attribute {
        self.course = false;
        self
    }

    pub(crate) const fn real(name: &'static str, unit: &'static str, meaning: &'static str) -> Attribute {
        Attribute::required(name, Kind::Real(Limit::Finite), unit, meaning)
    }

    pub(crate) const fn index(name: &'static str, target: Target, meaning: &'static str) -> Attribute {
        Attribute::required(name, Kind::Index(target), "", meaning)
    }

    pub(crate) const fn channel(name: &'static str, meaning: &'static str) -> Attribute {
        Attribute::required(name, Kind::Real(Limit::Unit), "", meaning)
    }
}

impl Tag {
    const fn many(
        name: &'static str,
        meaning: &'static str,
        attributes: &'static [Attribute],
        example: &'static str,
    ) -> Tag {
        Tag { name, meaning, occurs: Occurs::Many, system: SystemKind::Any, attributes, example }
    }

    const fn once(
        name: &'static str,
        meaning: &'static str,
        attributes: &'static [Attribute],
        example: &'static str,
    ) -> Tag {
        Tag { occurs: Occurs::Optional, ..Tag::many(name, meaning, attributes, example) }
    }

    const fn required(
        name: &'static str,
        meaning: &'static str,
        attributes: &'static [Attribute],
        example: &'static str,
    ) -> Tag {
        Tag { occurs: Occurs::Required, ..Tag::many(name, meaning, attributes, example) }
    }
}

/// The tags of one kind of system.
const fn of<const N: usize>(system: SystemKind, mut tags: [Tag; N]) -> [Tag; N] {
    let mut k = 0;
    while k < N {
        tags[k].system = system;
        k += 1;
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_tables_fit() {
        let mut names: Vec<_> = tags().map(|tag| tag.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a tag stands twice in the schema");
        for tag in tags() {
            assert!(tag.attributes.len() <= MAX_ATTRIBUTES, "{} has too many attributes", tag.name);
            let mut attributes: Vec<_> = tag.attributes.iter().map(|attribute| attribute.name).collect();
            attributes.sort_unstable();
            attributes.dedup();
            assert_eq!(attributes.len(), tag.attributes.len(), "{} has an attribute twice", tag.name);
        }
    }

    #[test]
    fn indices_count_tags_that_exist() {
        for attribute in tags().flat_map(|tag| tag.attributes) {
            if let Kind::Index(target) = attribute.kind {
                assert_eq!(tag(target.tag()).map(|tag| tag.occurs), Some(Occurs::Many));
            }
        }
    }
}
