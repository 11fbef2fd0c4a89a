//! The order and the duplicates rule of the course's contact set.

use super::Contact;
use crate::rotation::Rotation;
use std::cmp::Ordering;

/// Two numbers this near count as equal in the course's set.
const SAME: f64 = 1e-9;

/// Contacts of one pair of bodies, ordered as the course's set orders them.
#[derive(Debug, Clone, Default)]
pub(crate) struct CourseSet {
    entries: Vec<(Key, Contact)>,
}

/// r0 and r1 in body axes, then the normal.
type Key = [f64; 6];

impl CourseSet {
    /// Puts a contact in its place. One that equals an earlier one in every field is dropped.
    pub(crate) fn insert(&mut self, contact: Contact, rotations: [Rotation; 2]) {
        let first = rotations[0].undo(contact.first_arm);
        let second = rotations[1].undo(contact.second_arm);
        let normal = contact.normal;
        let key = [first.x, first.y, second.x, second.y, normal.x, normal.y];
        let place = self.entries.partition_point(|(other, _)| order(other, &key) == Ordering::Less);
        let known = self.entries.get(place).is_some_and(|(other, _)| order(other, &key) == Ordering::Equal);
        if !known {
            let (first_arm, second_arm) = (rotations[0].apply(first), rotations[1].apply(second));
            self.entries.insert(place, (key, Contact { first_arm, second_arm, ..contact }));
        }
    }

    /// Moves all contacts to the end of `contacts`, in order.
    pub(crate) fn drain_into(&mut self, contacts: &mut Vec<Contact>) {
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
    use crate::detection::Feature;
    use crate::model::BodyIndex;
    use glam::DVec2;

    fn contact(x: f64, normal: DVec2) -> Contact {
        Contact {
            first: BodyIndex(0),
            second: BodyIndex(1),
            first_arm: DVec2::new(x, 0.0),
            second_arm: DVec2::ZERO,
            point: DVec2::ZERO,
            normal,
            gap: 0.0,
            tolerance: 0.0,
            extent: 1.0,
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
        let found: Vec<_> = contacts.iter().map(|c| (c.first_arm.x, c.normal)).collect();
        assert_eq!(found, [(1.0, DVec2::Y), (1.0, DVec2::X), (2.0 - 2e-9, DVec2::X), (2.0, DVec2::X)]);
    }
}
