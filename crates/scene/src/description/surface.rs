//! What single particles or bodies are like where they touch, and what they touch at all.

/// Number of groups that bodies can be in.
pub const GROUPS: u32 = 32;

/// What one particle or body is like where it touches. The last one given to a body counts.
///
/// Two bodies that touch combine what they have: the greater of the two restitutions, the geometric mean
/// of the two coefficients of friction. A body without a number of its own has that of the scene. Two bodies
/// do not touch at all when one of them ignores the group of the other.
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
