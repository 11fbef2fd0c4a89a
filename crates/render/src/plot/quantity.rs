//! What can be plotted of a frame, and the charts of what belongs together.

use super::Axis;
use carom_trajectory::{Contact, ContactKind, Frame, Impact};
use std::collections::BTreeSet;

/// How many quantities there are.
pub(super) const QUANTITIES: usize = 24;

/// What can be plotted of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Kinetic energy.
    Kinetic,
    /// Potential energy.
    Potential,
    /// Kinetic and potential energy together.
    Total,
    /// Linear momentum along x.
    MomentumX,
    /// Linear momentum along y.
    MomentumY,
    /// Linear momentum along z, in 3D.
    MomentumZ,
    /// Angular momentum about the x axis, in 3D.
    AngularMomentumX,
    /// Angular momentum about the y axis, in 3D.
    AngularMomentumY,
    /// Angular momentum about the z axis: in 2D, about the origin.
    AngularMomentum,
    /// Things that touched: contacts between bodies, pairs of particles, edges and half-planes.
    Contacts,
    /// Contacts with an impulse.
    ActiveContacts,
    /// Deepest overlap.
    Penetration,
    /// What the solver left unsolved.
    Residual,
    /// Iterations of the solver.
    Iterations,
    /// Kinetic energy just before contacts were responded to; that of the frame where none were.
    KineticBefore,
    /// Kinetic energy just after it; that of the frame where there was none.
    KineticAfter,
    /// What contacts changed of the momentum along x.
    MomentumChangeX,
    /// What contacts changed of the momentum along y.
    MomentumChangeY,
    /// What contacts changed of the momentum along z, in 3D.
    MomentumChangeZ,
    /// What contacts changed of the angular momentum about the x axis, in 3D.
    AngularMomentumChangeX,
    /// What contacts changed of the angular momentum about the y axis, in 3D.
    AngularMomentumChangeY,
    /// What contacts changed of the angular momentum about the z axis: in 2D, about the
    /// origin.
    AngularMomentumChange,
    /// Rows of the contact problem, the size of A.
    ContactRows,
    /// Rows of its largest island.
    LargestIsland,
}

/// A chart of quantities that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Kinetic, potential and total energy.
    Energy,
    /// Linear momentum.
    Momentum,
    /// Angular momentum.
    AngularMomentum,
    /// Contacts, all and active.
    Contacts,
    /// Deepest overlap.
    Penetration,
    /// What the solver left unsolved, in powers of ten.
    Residual,
    /// Iterations of the solver.
    Iterations,
    /// Kinetic energy just before and just after contacts were responded to.
    ImpactEnergy,
    /// What contacts changed of the linear momentum.
    MomentumChange,
    /// What contacts changed of the angular momentum.
    AngularMomentumChange,
    /// Rows of the contact problem and of its largest island.
    ProblemSize,
}

impl Quantity {
    /// All of them, in their order.
    pub const ALL: [Quantity; QUANTITIES] = [
        Quantity::Kinetic,
        Quantity::Potential,
        Quantity::Total,
        Quantity::MomentumX,
        Quantity::MomentumY,
        Quantity::MomentumZ,
        Quantity::AngularMomentumX,
        Quantity::AngularMomentumY,
        Quantity::AngularMomentum,
        Quantity::Contacts,
        Quantity::ActiveContacts,
        Quantity::Penetration,
        Quantity::Residual,
        Quantity::Iterations,
        Quantity::KineticBefore,
        Quantity::KineticAfter,
        Quantity::MomentumChangeX,
        Quantity::MomentumChangeY,
        Quantity::MomentumChangeZ,
        Quantity::AngularMomentumChangeX,
        Quantity::AngularMomentumChangeY,
        Quantity::AngularMomentumChange,
        Quantity::ContactRows,
        Quantity::LargestIsland,
    ];

    /// Its value in a frame; not a number where the frame does not know it.
    pub fn of(self, frame: &Frame) -> f64 {
        let q = &frame.quantities;
        // 3D orientations have one number more than angular velocities
        let in_space =
            |value: f64| if frame.positions.len() > frame.velocities.len() { value } else { f64::NAN };
        let d = &frame.diagnostics;
        let across_impact = |side: usize| match d.impact {
            Impact::None => q.kinetic,
            _ => d.impact.kinetic()[side],
        };
        match self {
            Quantity::Kinetic => q.kinetic,
            Quantity::Potential => q.potential,
            Quantity::Total => q.kinetic + q.potential,
            Quantity::MomentumX => q.momentum[0],
            Quantity::MomentumY => q.momentum[1],
            Quantity::MomentumZ => in_space(q.momentum[2]),
            Quantity::AngularMomentumX => in_space(q.angular_momentum[0]),
            Quantity::AngularMomentumY => in_space(q.angular_momentum[1]),
            Quantity::AngularMomentum => q.angular_momentum[2],
            Quantity::Contacts => touching(frame) as f64,
            Quantity::ActiveContacts => f64::from(d.active_contacts),
            Quantity::Penetration => q.deepest_penetration,
            Quantity::Residual => d.residual,
            Quantity::Iterations => f64::from(d.iterations),
            Quantity::KineticBefore => across_impact(0),
            Quantity::KineticAfter => across_impact(1),
            Quantity::MomentumChangeX => d.impact.momentum_change()[0],
            Quantity::MomentumChangeY => d.impact.momentum_change()[1],
            Quantity::MomentumChangeZ => in_space(d.impact.momentum_change()[2]),
            Quantity::AngularMomentumChangeX => in_space(d.impact.angular_momentum_change()[0]),
            Quantity::AngularMomentumChangeY => in_space(d.impact.angular_momentum_change()[1]),
            Quantity::AngularMomentumChange => d.impact.angular_momentum_change()[2],
            Quantity::ContactRows => d.contact_rows.map_or(f64::NAN, f64::from),
            Quantity::LargestIsland => d.largest_island.map_or(f64::NAN, f64::from),
        }
    }

    /// What it is called in a legend.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Kinetic => "kinetic",
            Quantity::Potential => "potential",
            Quantity::Total => "total",
            Quantity::MomentumX | Quantity::MomentumChangeX => "along x",
            Quantity::MomentumY | Quantity::MomentumChangeY => "along y",
            Quantity::MomentumZ | Quantity::MomentumChangeZ => "along z",
            Quantity::AngularMomentumX | Quantity::AngularMomentumChangeX => "about x",
            Quantity::AngularMomentumY | Quantity::AngularMomentumChangeY => "about y",
            Quantity::AngularMomentum | Quantity::AngularMomentumChange => "about z",
            Quantity::Contacts => "touching",
            Quantity::ActiveContacts => "with an impulse",
            Quantity::Penetration => "deepest overlap",
            Quantity::Residual => "residual",
            Quantity::Iterations => "iterations",
            Quantity::KineticBefore => "before",
            Quantity::KineticAfter => "after",
            Quantity::ContactRows => "rows of A",
            Quantity::LargestIsland => "largest island",
        }
    }
}

/// How many things touched. Particles have an entry for every impulse, and a pair that was pushed
/// again has several; bodies may touch at several points, with an entry for each.
fn touching(frame: &Frame) -> usize {
    let is_point = |contact: &&Contact| contact.kind == ContactKind::BodyBody;
    let points = frame.contacts.iter().filter(is_point).count();
    let pairs = frame.contacts.iter().filter(|contact| !is_point(contact));
    let distinct: BTreeSet<_> = pairs.map(|contact| (contact.kind, contact.first, contact.second)).collect();
    points + distinct.len()
}

impl Topic {
    /// All of them, in their order.
    pub const ALL: [Topic; 11] = [
        Topic::Energy,
        Topic::Momentum,
        Topic::AngularMomentum,
        Topic::Contacts,
        Topic::Penetration,
        Topic::Residual,
        Topic::Iterations,
        Topic::ImpactEnergy,
        Topic::MomentumChange,
        Topic::AngularMomentumChange,
        Topic::ProblemSize,
    ];

    /// Its name, as a command line may spell it.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Energy => "energy",
            Topic::Momentum => "momentum",
            Topic::AngularMomentum => "angular-momentum",
            Topic::Contacts => "contacts",
            Topic::Penetration => "penetration",
            Topic::Residual => "residual",
            Topic::Iterations => "iterations",
            Topic::ImpactEnergy => "impact-energy",
            Topic::MomentumChange => "momentum-change",
            Topic::AngularMomentumChange => "angular-momentum-change",
            Topic::ProblemSize => "problem-size",
        }
    }

    /// The quantities in it.
    pub fn quantities(self) -> &'static [Quantity] {
        match self {
            Topic::Energy => &[Quantity::Kinetic, Quantity::Potential, Quantity::Total],
            Topic::Momentum => &[Quantity::MomentumX, Quantity::MomentumY, Quantity::MomentumZ],
            Topic::AngularMomentum => {
                &[Quantity::AngularMomentumX, Quantity::AngularMomentumY, Quantity::AngularMomentum]
            }
            Topic::Contacts => &[Quantity::Contacts, Quantity::ActiveContacts],
            Topic::Penetration => &[Quantity::Penetration],
            Topic::Residual => &[Quantity::Residual],
            Topic::Iterations => &[Quantity::Iterations],
            Topic::ImpactEnergy => &[Quantity::KineticBefore, Quantity::KineticAfter],
            Topic::MomentumChange => {
                &[Quantity::MomentumChangeX, Quantity::MomentumChangeY, Quantity::MomentumChangeZ]
            }
            Topic::AngularMomentumChange => &[
                Quantity::AngularMomentumChangeX,
                Quantity::AngularMomentumChangeY,
                Quantity::AngularMomentumChange,
            ],
            Topic::ProblemSize => &[Quantity::ContactRows, Quantity::LargestIsland],
        }
    }

    pub(super) fn title_and_axis(self) -> (&'static str, Axis) {
        match self {
            Topic::Energy => ("Energy", Axis::new("energy", "J")),
            Topic::Momentum => ("Linear momentum", Axis::new("momentum", "kg m/s")),
            Topic::AngularMomentum => ("Angular momentum", Axis::new("angular momentum", "kg m\u{b2}/s")),
            Topic::Contacts => ("Contacts", Axis::new("contacts", "")),
            Topic::Penetration => ("Deepest overlap", Axis::new("overlap", "m")),
            Topic::Residual => {
                ("Residual of the solver", Axis { logarithmic: true, ..Axis::new("residual", "") })
            }
            Topic::Iterations => ("Iterations of the solver", Axis::new("iterations", "")),
            Topic::ImpactEnergy => ("Kinetic energy before and after contact", Axis::new("energy", "J")),
            Topic::MomentumChange => ("Momentum changed by contact", Axis::new("change", "kg m/s")),
            Topic::AngularMomentumChange => {
                ("Angular momentum changed by contact", Axis::new("change", "kg m\u{b2}/s"))
            }
            Topic::ProblemSize => ("Size of the contact problem", Axis::new("contacts", "")),
        }
    }
}
