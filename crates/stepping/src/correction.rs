//! Position correction: overlap that was there at the start, or that turning made.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap:
//! min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0. This is the contact problem again, with displacements for
//! velocities; velocities are not touched. Bodies deep inside each other have contacts that contradict
//! each other, and the least displacement may lead anywhere: no body is moved by more than half its
//! bounding radius at once; where one would be, its whole island goes that part of the way.

use crate::mechanics::{Material, Mechanics, Vector};
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::Stepper;
use crate::track::{angular_length, linear_length};
use carom_contact::{Response, Status, resolve};

/// Penetration slop: overlap up to this fraction of the smaller bounding radius is left.
const SLOP: f64 = 1e-6;
/// A step that ends its corrections with a deeper overlap sets its status.
const LEFT_OVERLAPPING: f64 = 0.01;
/// Corrections of a step: they are linear and turning is not.
const MOST_CORRECTIONS: usize = 8;
/// Each must leave at most this part of the deepest overlap; contacts that contradict each other do not.
const PROGRESS: f64 = 0.95;
/// No body is moved further at once than this part of its bounding radius.
const LONGEST_WAY: f64 = 0.5;
/// Overlaps up to this fraction are opened the family's own way, where contact is solved to a tolerance.
const SHALLOW: f64 = 0.05;

impl<M: Mechanics> Stepper<M> {
    /// Moves bodies that overlap apart.
    pub(crate) fn correct_positions(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        let (mut part, depth) = self.deepest(bodies);
        if part <= SLOP {
            return;
        }
        if let Some(tolerance) = settings.tolerance
            && part <= SHALLOW
        {
            // A tolerance allows that much overlap in a step.
            if depth <= tolerance * dt {
                return;
            }
            if bodies.relax(&mut self.near, tolerance * dt) {
                bodies.fly(dt, &mut self.flight);
                return;
            }
        }
        let before = bodies.potential();
        for _ in 0..MOST_CORRECTIONS {
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
        report.correction_energy = bodies.potential() - before;
        if part > LEFT_OVERLAPPING {
            report.status = report.status.max(Status::LimitReached);
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
        let Self { problem, afresh, near, flight, .. } = self;
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
        afresh.restore_memory(&[]);
        resolve(problem, &Response::VELOCITY_PROJECTION, afresh);
        let islands = afresh.islands();
        let mut shares = vec![1.0f64; islands.len()];
        let displacement = |body: usize| {
            let mut vector = Vector::default();
            let range = body * M::DOF..(body + 1) * M::DOF;
            vector[..M::DOF].copy_from_slice(&afresh.resolution().velocity[range]);
            vector
        };
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
            bodies.settle(body, pose, &start.velocity);
        }
    }
}
