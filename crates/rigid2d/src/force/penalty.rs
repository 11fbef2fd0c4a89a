//! Penalty forces: a spring pushes what is nearer than a thickness apart.

use super::Load;
use crate::detection::PlanarContact;
use crate::rotation::cross;

/// The spring between near surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penalty {
    /// Stiffness in force per length.
    pub stiffness: f64,
    /// Gap at which it begins.
    pub thickness: f64,
}

impl Penalty {
    /// Pushes the two bodies of each contact apart by k (thickness − gap) along the normal.
    pub fn accumulate(&self, contacts: &[PlanarContact], loads: &mut [Load]) {
        for contact in contacts {
            let squeeze = self.thickness - contact.gap;
            if squeeze > 0.0 {
                let push = self.stiffness * squeeze * contact.normal;
                let first = &mut loads[contact.first.get()];
                first.force -= push;
                first.torque -= cross(contact.first_arm, push);
                let second = &mut loads[contact.second.get()];
                second.force += push;
                second.torque += cross(contact.second_arm, push);
            }
        }
    }

    /// Energy stored between near surfaces: Σ ½ k (thickness − gap)².
    pub fn potential_energy(&self, contacts: &[PlanarContact]) -> f64 {
        let squeezes = contacts.iter().map(|contact| (self.thickness - contact.gap).max(0.0));
        squeezes.fold(0.0, |sum, squeeze| sum + 0.5 * self.stiffness * squeeze * squeeze)
    }
}
