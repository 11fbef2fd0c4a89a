//! What single particles or bodies are like where they touch, and what they touch at all: one tag
//! in every family.

use crate::reader::Fields;
use crate::schema::{Attribute, Kind, Limit};
use crate::writer::ElementWriter;

/// Number of groups that bodies can be in.
pub const GROUPS: u32 = 32;

/// What one particle or body is like where it touches. The last one given to a body counts.
///
/// Two bodies that touch combine what they have: the greater of the two restitutions, the geometric
/// mean of the two coefficients of friction. A body without a number of its own has that of the
/// scene. Two bodies do not touch at all when one of them ignores the group of the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface {
    /// Which particle or body.
    pub index: usize,
    /// `COR`: its coefficient of restitution; that of the scene when absent.
    pub restitution: Option<f64>,
    /// `mu`: its coefficient of friction; that of the scene when absent.
    pub friction: Option<f64>,
    /// `group`: the group that it is in, below [`GROUPS`].
    pub group: u32,
    /// `ignores`: the groups that it passes through, one bit each.
    pub ignored: u32,
}

impl Surface {
    /// Nothing of its own yet: as the scene has it, in group 0, ignoring none.
    pub fn new(index: usize) -> Surface {
        Surface { index, ..Surface::default() }
    }

    /// Adds a group that it passes through; groups from [`GROUPS`] on are not there and not added.
    pub fn ignore(&mut self, group: u32) {
        if group < GROUPS {
            self.ignored |= 1 << group;
        }
    }

    /// The groups that it passes through, in rising order.
    pub fn ignored_groups(&self) -> impl Iterator<Item = u32> {
        let ignored = self.ignored;
        (0..GROUPS).filter(move |group| ignored >> group & 1 == 1)
    }
}

// One table for every family; only the attribute that names the body has another name.
const RESTITUTION: Attribute = Attribute::number(
    "COR",
    Limit::Unit,
    "",
    "Its coefficient of restitution. Of two bodies that touch, the greater one counts.",
)
.optional("that of the scene")
.ours();
const FRICTION: Attribute = Attribute::number(
    "mu",
    Limit::NotNegative,
    "",
    "Its coefficient of friction. Of two bodies that touch, the geometric mean counts: the root of the product.",
)
.optional("that of the scene")
.ours();
const GROUP: Attribute =
    Attribute::required("group", Kind::Integer(0, GROUPS - 1), "", "The group that it is in.").or("0").ours();
const IGNORES: Attribute = Attribute::required(
    "ignores",
    Kind::Integer(0, GROUPS - 1),
    "",
    "A group that it passes through; may be repeated.",
)
.repeated(0)
.ours();

impl Surface {
    /// What the tag says, in every family.
    pub(crate) const MEANING: &'static str = "What one body is like where it touches, and what it touches at all: two bodies pass through each other when one ignores the group of the other. Not in the course. The last one given to a body counts.";

    /// The attributes of a tag whose first attribute names the body.
    pub(crate) const fn attributes(index: Attribute) -> [Attribute; 5] {
        [index.ours(), RESTITUTION, FRICTION, GROUP, IGNORES]
    }

    /// `index` is the name of the attribute that names the body. Groups out of range were
    /// complained about and are left out.
    pub(crate) fn read(fields: &mut Fields, index: &str) -> Surface {
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

    /// What holds when it is left out is left out.
    pub(crate) fn write<'a>(&self, element: ElementWriter<'a>, index: &str) -> ElementWriter<'a> {
        let mut element = element.index(index, self.index);
        element = element.optional("COR", self.restitution).optional("mu", self.friction);
        if self.group != 0 {
            element = element.index("group", self.group);
        }
        self.ignored_groups().fold(element, |element, group| element.index("ignores", group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_bits() {
        let mut surface = Surface::new(3);
        for group in [5, 0, 31, 32, 5] {
            surface.ignore(group);
        }
        assert_eq!(surface.ignored_groups().collect::<Vec<_>>(), [0, 5, 31]);
    }
}
