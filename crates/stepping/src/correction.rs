//! Position correction: overlap that was there at the start, or that turning made.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½
//! ΔᵀMΔ subject to gap + NᵀΔ ≥ 0. This is the contact problem again, with displacements for
//! velocities; velocities are not touched. Bodies deep inside each other have contacts that
//! contradict each other, and the least displacement may lead anywhere: no body is moved by more
//! than half its bounding radius at once; where one would be, its whole island goes that part of
//! the way.

use crate::mechanics::{Material, Mechanics, Vector};
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::Stepper;
use crate::track::{angular_length, linear_length};
use carom_contact::islands::Islands;
use carom_contact::{ContactProblem, Response, Status, resolve};
use carom_numerics::watch;

/// Penetration slop: overlap up to this fraction of the smaller bounding radius is left.
const SLOP: f64 = 1e-6;
/// A step that ends its corrections with a deeper overlap sets its status.
const LEFT_OVERLAPPING: f64 = 0.01;
/// Corrections of a step: they are linear and turning is not.
const MOST_CORRECTIONS: usize = 8;
/// Each must leave at most this part of the deepest overlap; contacts that contradict each other do
/// not.
const PROGRESS: f64 = 0.95;
/// No body is moved further at once than this part of its bounding radius.
const LONGEST_WAY: f64 = 0.5;
/// Overlaps up to this fraction are opened the family's own way, where contact is solved to a
/// tolerance.
const SHALLOW: f64 = 0.05;

/// Islands up to this many contacts are solved, larger ones relaxed by Gauss–Seidel iterations
/// (Cottle, Pang and Stone, "The linear complementarity problem", 1992, section 5.2): a linear
/// answer is not an exact place.
const SOLVED_TO: usize = 500;
/// Iterations in one correction, and the part of the deepest overlap at which they end.
const SWEEPS: usize = 40;
const LEFT: f64 = 1e-3;
/// The same where every step leaves a little.
const FEW_SWEEPS: usize = 8;
const MUCH_LEFT: f64 = 0.1;
/// Longest way of a body in them, in deepest overlaps.
const LONGEST_RELAXATION: f64 = 8.0;

/// Memory of the corrections.
#[derive(Debug, Clone, Default)]
pub(crate) struct Correction {
    problem: ContactProblem,
    displacements: Vec<f64>,
    shares: Vec<f64>,
    islands: Islands,
}

impl<M: Mechanics> Stepper<M> {
    /// Moves bodies that overlap apart; whether any did.
    pub(crate) fn correct_positions(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) -> bool {
        let (mut part, depth) = self.deepest(bodies);
        if part <= SLOP {
            return false;
        }
        if let Some(tolerance) = settings.tolerance
            && part <= SHALLOW
        {
            // A tolerance allows that much overlap in a step.
            if depth <= tolerance * dt {
                return false;
            }
            if !bodies.relax(&mut self.near, tolerance * dt) {
                self.relax(bodies, tolerance * dt, depth);
            }
            bodies.fly(dt, &mut self.flight);
            return true;
        }
        let before = bodies.potential();
        for _ in 0..MOST_CORRECTIONS {
            if watch::is_over() {
                break;
            }
            self.correct_once(bodies);
            bodies.fly(dt, &mut self.flight);
            self.find_pairs_again(bodies);
            self.find_near(bodies);
            let left = self.deepest(bodies).0;
            if left <= SLOP || left > PROGRESS * part {
                part = left;
                break;
            }
            part = left;
        }
        report.correction_energy += bodies.potential() - before;
        if part > LEFT_OVERLAPPING {
            report.status = report.status.max(Status::LimitReached);
        }
        true
    }

    /// Moves bodies apart that end inside each other all the same.
    pub(crate) fn correct_the_end(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        if !self.rows.ends_inside {
            return;
        }
        bodies.fly(dt, &mut self.flight);
        if self.find_pairs_again(bodies) {
            self.find_near(bodies);
            self.correct_positions(bodies, settings, dt, report);
        }
    }

    /// The deepest overlap, as a part of the smaller bounding radius and as a length.
    fn deepest(&self, bodies: &M) -> (f64, f64) {
        self.near.iter().fold((0.0, 0.0), |(part, length): (f64, f64), contact| {
            let touch = bodies.touch(contact);
            (part.max(-touch.gap / touch.extent), length.max(-touch.gap))
        })
    }

    /// One linear solve.
    fn correct_once(&mut self, bodies: &mut M) {
        let Self { afresh, near, flight, correction, .. } = self;
        let Correction { problem, displacements, shares, islands } = correction;
        problem.clear();
        for (body, start) in flight.start.iter().enumerate() {
            bodies.push_body(body, &start.pose, &Vector::default(), problem);
        }
        for contact in near.iter() {
            let bias = bodies.touch(contact).gap;
            let at = |body: u32| flight.start[body as usize].pose;
            let material = Material { bias, ..Material::default() };
            bodies.push_contact(contact, at, |body| body, material, problem);
        }
        islands.find(problem);
        let largest = (0..islands.len()).map(|island| islands.contacts(island).len()).max();
        displacements.clear();
        if largest.is_some_and(|largest| largest > SOLVED_TO) {
            displacements.resize(problem.dof_count(), 0.0);
            sweep(problem, displacements, SWEEPS, LEFT);
        } else {
            afresh.restore_memory(&[]);
            let resolution = resolve(problem, &Response::VELOCITY_PROJECTION, afresh);
            displacements.extend_from_slice(&resolution.velocity);
        }
        shares.clear();
        shares.resize(islands.len(), 1.0f64);
        let displacement = |body: usize| vector_of::<M>(displacements, body);
        let island_of = |body: usize| islands.island_of_dof((body * M::DOF) as u32);
        for body in (0..flight.start.len()).filter(|&body| bodies.is_free(body)) {
            let Some(island) = island_of(body) else { continue };
            let (by, radius) = (displacement(body), bodies.bounding_radius(body));
            let way = linear_length::<M>(&by) + angular_length::<M>(&by) * radius;
            if way > LONGEST_WAY * radius {
                shares[island] = shares[island].min(LONGEST_WAY * radius / way);
            }
        }
        for (body, start) in flight.start.iter().enumerate() {
            let Some(island) = island_of(body).filter(|_| bodies.is_free(body)) else { continue };
            let by = displacement(body).map(|x| shares[island] * x);
            let pose = bodies.displaced(body, &start.pose, &by);
            let velocity = bodies.carried(body, &start.velocity, &by);
            bodies.settle(body, pose, &velocity);
        }
    }

    /// Opens small overlaps to half of `harmless` by a few iterations; the gaps of the contacts
    /// follow.
    fn relax(&mut self, bodies: &mut M, harmless: f64, deepest: f64) {
        let Self { near, flight, correction, .. } = self;
        let Correction { problem, displacements, .. } = correction;
        problem.clear();
        for (body, start) in flight.start.iter().enumerate() {
            bodies.push_body(body, &start.pose, &Vector::default(), problem);
        }
        for contact in near.iter() {
            let gap = bodies.touch(contact).gap;
            // What little moves does not close gaps beyond the deepest overlap.
            let bias = if gap < deepest { gap + 0.5 * harmless } else { f64::MAX };
            let at = |body: u32| flight.start[body as usize].pose;
            let material = Material { bias, ..Material::default() };
            bodies.push_contact(contact, at, |body| body, material, problem);
        }
        displacements.clear();
        displacements.resize(problem.dof_count(), 0.0);
        sweep(problem, displacements, FEW_SWEEPS, MUCH_LEFT);
        // No body goes further than the deepest overlap by much: contradictory contacts lead
        // anywhere.
        let longest = LONGEST_RELAXATION * deepest;
        let mut share = 1.0f64;
        for body in (0..flight.start.len()).filter(|&body| bodies.is_free(body)) {
            let by = vector_of::<M>(displacements, body);
            let way = linear_length::<M>(&by) + angular_length::<M>(&by) * bodies.bounding_radius(body);
            if way > longest {
                share = share.min(longest / way);
            }
        }
        displacements.iter_mut().for_each(|x| *x *= share);
        for (k, contact) in near.iter_mut().enumerate() {
            M::open(contact, problem.normal(k).gap_speed(displacements));
        }
        for (body, start) in flight.start.iter().enumerate() {
            let by = vector_of::<M>(displacements, body);
            if bodies.is_free(body) && by != Vector::default() {
                let pose = bodies.displaced(body, &start.pose, &by);
                let velocity = bodies.carried(body, &start.velocity, &by);
                bodies.settle(body, pose, &velocity);
            }
        }
    }
}

/// The entries of a body.
fn vector_of<M: Mechanics>(all: &[f64], body: usize) -> Vector {
    let mut vector = Vector::default();
    vector[..M::DOF].copy_from_slice(&all[body * M::DOF..(body + 1) * M::DOF]);
    vector
}

/// Gauss–Seidel iterations forth and back over gap + NᵀΔ ≥ 0, from Δ = 0.
fn sweep(problem: &ContactProblem, displacement: &mut [f64], sweeps: usize, left: f64) {
    let count = problem.contact_count();
    let mut impulses = vec![0.0f64; count];
    let mut deepest = 0.0f64;
    for sweep in 0..sweeps {
        let mut worst = 0.0f64;
        for turn in 0..count {
            let k = if sweep % 2 == 0 { turn } else { count - 1 - turn };
            let inverse_mass = problem.normal(k).inverse_mass();
            if inverse_mass <= 0.0 {
                continue;
            }
            let gap = problem.gap_speed(k, displacement) + problem.speculative_bias(k);
            worst = worst.max(-gap);
            let impulse = (impulses[k] - gap / inverse_mass).max(0.0);
            if impulse != impulses[k] {
                problem.normal(k).apply_impulse(displacement, impulse - impulses[k]);
                impulses[k] = impulse;
            }
        }
        deepest = deepest.max(worst);
        if worst <= left * deepest {
            break;
        }
    }
}
