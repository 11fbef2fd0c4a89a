//! What a run comes to: the few numbers that a person looks at first.

use crate::status::Status;
use carom_trajectory::Frame;

/// Sums up the frames of a run, one after the other.
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
    /// Contacts of all frames seen.
    pub contacts: u64,
    /// Most contacts in one frame.
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
    /// Largest residual that a solver left.
    pub largest_residual: f64,
    /// Solver iterations of all frames.
    pub iterations: u64,
    /// Steps that did not go well, in order of their first appearance.
    pub troubles: Vec<Trouble>,
}

/// Steps that ended with the same status.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trouble {
    /// What happened.
    pub status: Status,
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
    /// Takes one more frame into account.
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
        let contacts = frame.contacts.len() as u64;
        self.contacts += contacts;
        self.most_contacts = self.most_contacts.max(contacts);
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
        self.largest_residual = larger(self.largest_residual, frame.diagnostics.residual);
        self.iterations += u64::from(frame.diagnostics.iterations);
        self.add_status(frame);
    }

    fn add_status(&mut self, frame: &Frame) {
        let status = Status::from_code(frame.diagnostics.status);
        if status == Status::Solved {
            return;
        }
        if let Some(trouble) = self.troubles.iter_mut().find(|t| t.status == status) {
            trouble.count += 1;
            return;
        }
        self.troubles.push(Trouble {
            status,
            count: 1,
            first_step: frame.step,
            first_time: frame.time,
            first_residual: frame.diagnostics.residual,
        });
    }
}

/// The larger of two numbers; NaN wins, so that it is seen.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}
