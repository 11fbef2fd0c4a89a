//! What a run comes to: the few numbers that a person looks at first.

use crate::impacts::{Impacts, length};
use crate::simulation::Simulation;
use crate::status::StepStatus;
use carom_frames::{Diagnostics, Frame};

/// Sums up a run: every step for what is counted, the frames shown for energies, momenta and
/// overlaps.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Frames seen.
    pub frames: u64,
    /// Step of the first frame seen.
    pub first_step: u64,
    /// Step of the last frame seen.
    pub last_step: u64,
    /// Simulated time of the last frame seen.
    pub time: f64,
    /// Contacts of all steps: what touched or was pushed; for particles, every impulse counts.
    pub contacts: u64,
    /// Most contacts in one step.
    pub most_contacts: u64,
    /// Total energy at the start.
    pub energy_start: f64,
    /// Total energy at the end.
    pub energy_end: f64,
    /// Largest |energy − energy at the start|.
    pub energy_drift: f64,
    /// Linear momentum at the start.
    pub momentum_start: [f64; 3],
    /// Linear momentum at the end.
    pub momentum_end: [f64; 3],
    /// Largest |momentum − momentum at the start|.
    pub momentum_drift: f64,
    /// Angular momentum at the start.
    pub angular_momentum_start: [f64; 3],
    /// Angular momentum at the end.
    pub angular_momentum_end: [f64; 3],
    /// Largest |angular momentum − angular momentum at the start|.
    pub angular_momentum_drift: f64,
    /// Deepest overlap of two bodies in any frame.
    pub deepest_penetration: f64,
    /// Largest distance of a 3D orientation from a rotation, before it was normalized.
    pub orientation_drift: f64,
    /// Largest residual that a solver left.
    pub largest_residual: f64,
    /// Solver iterations of all steps.
    pub iterations: u64,
    /// What the impacts of all steps came to.
    pub impacts: Impacts,
    /// Steps that did not go well, in order of their first appearance.
    pub troubles: Vec<Trouble>,
}

/// Steps that ended with the same status.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trouble {
    /// What happened.
    pub status: StepStatus,
    /// How many steps.
    pub count: u64,
    /// The first of them.
    pub first_step: u64,
    /// When it was.
    pub first_time: f64,
    /// The residual of the first of them.
    pub first_residual: f64,
}

impl Summary {
    /// Takes a step into account that was just taken, whether its frame is shown or not.
    pub fn add_step(&mut self, simulation: &Simulation) {
        let moment = (simulation.step_count(), simulation.time());
        self.count(moment, simulation.contact_count(), &simulation.diagnostics());
        self.orientation_drift = larger(self.orientation_drift, simulation.orientation_drift());
    }

    /// Takes a frame and the step that led to it into account, for runs whose every step has a
    /// frame.
    pub fn add_step_of(&mut self, frame: &Frame) {
        self.add(frame);
        self.count((frame.step, frame.time), frame.contacts.len(), &frame.diagnostics);
    }

    fn count(&mut self, (step, time): (u64, f64), contacts: usize, diagnostics: &Diagnostics) {
        self.contacts += contacts as u64;
        self.most_contacts = self.most_contacts.max(contacts as u64);
        self.largest_residual = larger(self.largest_residual, diagnostics.residual);
        self.iterations += u64::from(diagnostics.iterations);
        self.impacts.add(diagnostics);
        // what overflows is counted with the energies
        if diagnostics.status != StepStatus::Overflow.code() {
            self.add_status(step, time, diagnostics);
        }
    }

    /// Takes the energy, momentum and overlap of one more frame into account.
    pub fn add(&mut self, frame: &Frame) {
        let quantities = &frame.quantities;
        let energy = quantities.kinetic + quantities.potential;
        if self.frames == 0 {
            self.first_step = frame.step;
            self.energy_start = energy;
            self.momentum_start = quantities.momentum;
            self.angular_momentum_start = quantities.angular_momentum;
        }
        self.frames += 1;
        self.last_step = frame.step;
        self.time = frame.time;
        self.energy_end = energy;
        self.momentum_end = quantities.momentum;
        self.angular_momentum_end = quantities.angular_momentum;
        self.energy_drift = larger(self.energy_drift, (energy - self.energy_start).abs());
        self.momentum_drift = larger(self.momentum_drift, distance(quantities.momentum, self.momentum_start));
        self.angular_momentum_drift = larger(
            self.angular_momentum_drift,
            distance(quantities.angular_momentum, self.angular_momentum_start),
        );
        self.deepest_penetration = larger(self.deepest_penetration, quantities.deepest_penetration);
        if frame.diagnostics.status == StepStatus::Overflow.code() {
            self.add_status(frame.step, frame.time, &frame.diagnostics);
        }
    }

    fn add_status(&mut self, step: u64, time: f64, diagnostics: &Diagnostics) {
        let status = StepStatus::from_code(diagnostics.status);
        if status == StepStatus::Solved {
            return;
        }
        if let Some(trouble) = self.troubles.iter_mut().find(|t| t.status == status) {
            trouble.count += 1;
            return;
        }
        self.troubles.push(Trouble {
            status,
            count: 1,
            first_step: step,
            first_time: time,
            first_residual: diagnostics.residual,
        });
    }
}

/// The larger of two numbers; NaN wins, so that it is seen.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    length([0, 1, 2].map(|k| a[k] - b[k]))
}
