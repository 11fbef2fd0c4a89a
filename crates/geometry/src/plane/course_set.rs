//! The order and the duplicates rule of the course's contact set.

use super::ManifoldPoint;
use super::rotation::Rotation;
use std::cmp::Ordering;

/// Two numbers this near count as equal in the course's set.
const SAME: f64 = 1e-9;

/// Contacts of one pair of shapes, ordered as the course's set orders them.
#[derive(Debug, Clone, Default)]
pub(super) struct CourseSet {
    entries: Vec<(Key, ManifoldPoint)>,
}

/// r0 and r1 in body axes, then the normal.
type Key = [f64; 6];

impl CourseSet {
    /// Puts a contact in its place. One that equals an earlier one in every field is dropped.
    pub(super) fn insert(&mut self, contact: ManifoldPoint, rotations: [Rotation; 2]) {
        let first = rotations[0].undo(contact.arms[0]);
        let second = rotations[1].undo(contact.arms[1]);
        let normal = contact.normal;
        let key = [first.x, first.y, second.x, second.y, normal.x, normal.y];
        let place = self.entries.partition_point(|(other, _)| order(other, &key) == Ordering::Less);
        let known = self.entries.get(place).is_some_and(|(other, _)| order(other, &key) == Ordering::Equal);
        if !known {
            let arms = [rotations[0].apply(first), rotations[1].apply(second)];
            self.entries.insert(place, (key, ManifoldPoint { arms, ..contact }));
        }
    }

    /// Moves all contacts to the end of `contacts`, in order.
    pub(super) fn drain_into(&mut self, contacts: &mut Vec<ManifoldPoint>) {
        contacts.extend(self.entries.drain(..).map(|(_, contact)| contact));
    }
}

fn order(a: &Key, b: &Key) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        if (x - y).abs() >= SAME {
            return if x < y { Ordering::Less } else { Ordering::Greater };
        }
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::Feature;
    use glam::DVec2;

    fn contact(x: f64, normal: DVec2) -> ManifoldPoint {
        ManifoldPoint {
            normal,
            gap: 0.0,
            point: DVec2::ZERO,
            arms: [DVec2::new(x, 0.0), DVec2::ZERO],
            features: [Feature::vertex(0); 2],
        }
    }

    #[test]
    fn near_equals_merge_and_others_sort() {
        let mut set = CourseSet::default();
        let upright = [Rotation::by(0.0); 2];
        for x in [2.0, 1.0, 1.0 + 5e-10, 2.0 - 2e-9] {
            set.insert(contact(x, DVec2::X), upright);
        }
        set.insert(contact(1.0, DVec2::Y), upright);
        let mut contacts = Vec::new();
        set.drain_into(&mut contacts);
        let found: Vec<_> = contacts.iter().map(|c| (c.arms[0].x, c.normal)).collect();
        assert_eq!(found, [(1.0, DVec2::Y), (1.0, DVec2::X), (2.0 - 2e-9, DVec2::X), (2.0, DVec2::X)]);
    }
}
