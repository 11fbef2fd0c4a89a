//! Memory kept from step to step, so that a steady state allocates nothing.

use crate::islands::Islands;
use crate::kept::Last;
use crate::memory::Remembered;
use crate::problem::{ContactKey, ContactParameters, ContactProblem};
use crate::resolution::{Residual, Resolution, Status};
use crate::response::friction::{self, FrictionScratch};
use crate::response::generalized_reflection::ReflectionScratch;
use crate::response::simultaneous::SimultaneousScratch;
use carom_numerics::lcp::SparseJacobian;
use carom_numerics::qp::mass::{BlockDiagonalMass, OffDiagonal};

/// Scratch memory of [`crate::resolve`], kept by the caller, and the last resolution.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) islands: Islands,
    pub(crate) local_dof: Vec<u32>,
    pub(crate) island: Vec<Island>,
    pub(crate) resolution: Resolution,
    /// Impulses (normal, then tangents) of the contacts of large islands and of those with friction
    /// in the last simultaneous answer, by rising key.
    pub(crate) memory: Vec<Remembered>,
    pub(crate) last: Last,
}

impl Workspace {
    /// An empty workspace; it grows with the problems it sees.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// The result of the last call of [`crate::resolve`].
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// Takes back all but a share of the last answer to a problem.
    pub fn keep_share(&mut self, problem: &ContactProblem, share: f64) {
        let Resolution { velocity, impulses, friction_impulses, energy_change, .. } = &mut self.resolution;
        for (after, before) in velocity.iter_mut().zip(&problem.velocity) {
            *after = before + share * (*after - before);
        }
        impulses.iter_mut().chain(friction_impulses).for_each(|impulse| *impulse *= share);
        let before = problem.mass.half_square(&problem.velocity);
        *energy_change = problem.mass.half_square(velocity) - before;
    }

    /// Makes the status of the last result at least as bad as this one.
    pub fn lower_status(&mut self, status: Status) {
        self.resolution.status = self.resolution.status.max(status);
    }

    /// The islands of the last call.
    pub fn islands(&self) -> &Islands {
        &self.islands
    }

    /// Splits the problem into islands with degrees of freedom of their own numbering; those
    /// without a fresh contact are as they were.
    pub(crate) fn split(&mut self, problem: &ContactProblem, is_fresh: Option<&[bool]>) {
        self.find_islands(problem, is_fresh);
        self.local_dof.clear();
        self.local_dof.resize(problem.dof_count(), 0);
        for dof in 0..problem.dof_count() as u32 {
            let island = self.islands.island_of_dof(dof);
            if let Some(i) = island.filter(|&i| !self.island[i].is_kept) {
                self.local_dof[dof as usize] = self.island[i].push_dof(dof, problem);
            }
        }
        for entry in &problem.mass.off_diagonal {
            let (row, column) = (entry.row, entry.column);
            let (Some(i), Some(j)) = (self.islands.island_of_dof(row), self.islands.island_of_dof(column))
            else {
                continue;
            };
            if i == j && !self.island[i].is_kept {
                self.island[i].mass.off_diagonal.push(OffDiagonal {
                    row: self.local_dof[row as usize],
                    column: self.local_dof[column as usize],
                    value: entry.value,
                });
            }
        }
    }
}

/// One island with its own numbering of contacts and degrees of freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    pub(crate) contacts: Vec<u32>,
    /// Of each contact its name and place, and speculative_bias and restitution: contacts
    /// themselves are large, and are read once.
    pub(crate) names: Vec<(ContactKey, [f64; 3])>,
    pub(crate) parameters: Vec<(f64, f64)>,
    pub(crate) dofs: Vec<u32>,
    /// The body of each degree of freedom, in local numbering.
    pub(crate) bodies: Vec<u32>,
    pub(crate) mass: BlockDiagonalMass,
    pub(crate) rows: SparseJacobian,
    /// The part of each gap speed that no impulse changes: prescribed speeds and fixed degrees of
    /// freedom.
    pub(crate) bias: Vec<f64>,
    /// Gap speeds before.
    pub(crate) gap_speed: Vec<f64>,
    /// Velocity before and after, local numbering.
    pub(crate) velocity_before: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    pub(crate) impulses: Vec<f64>,
    /// Impulses to start from, or empty: of normals, with friction row by row of each contact.
    pub(crate) guess: Vec<f64>,
    /// Whether it has its answer already, from the last call.
    pub(crate) is_kept: bool,
    /// Contacts by rising name.
    pub(crate) order: Vec<u32>,
    /// Speeds with which contacts shall leave, or empty: restitution decides.
    pub(crate) targets: Vec<f64>,
    pub(crate) report: Report,
    pub(crate) simultaneous: SimultaneousScratch,
    pub(crate) reflection: ReflectionScratch,
    pub(crate) friction: FrictionScratch,
}

/// An answer of an island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) impulses: Vec<f64>,
    /// Of normals and tangents where something rubs.
    pub(crate) friction: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
}

/// What one island's solve reports.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Report {
    pub(crate) status: Status,
    pub(crate) iterations: u64,
    pub(crate) operations: u64,
    pub(crate) sweeps: u64,
    pub(crate) fallbacks: u64,
    pub(crate) residual: Residual,
}

impl Island {
    pub(crate) fn start(&mut self, contacts: &[u32]) {
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        self.dofs.clear();
        self.bodies.clear();
        self.mass.clear();
        self.velocity_before.clear();
        self.guess.clear();
        self.is_kept = false;
        self.targets.clear();
        self.report = Report::default();
    }

    fn push_dof(&mut self, dof: u32, problem: &ContactProblem) -> u32 {
        let body = match (self.dofs.last(), self.bodies.last()) {
            (Some(&last), Some(&body)) if problem.body(last) == problem.body(dof) => body,
            (_, last) => last.map_or(0, |last| last + 1),
        };
        self.bodies.push(body);
        self.dofs.push(dof);
        self.mass.diagonal.push(problem.mass.diagonal[dof as usize]);
        self.velocity_before.push(problem.velocity[dof as usize]);
        self.dofs.len() as u32 - 1
    }

    /// Writes the rows and the gap speeds before.
    pub(crate) fn gather(&mut self, problem: &ContactProblem, local_dof: &[u32]) {
        self.rows.clear(self.dofs.len());
        self.bias.clear();
        self.names.clear();
        self.parameters.clear();
        for &k in &self.contacts {
            let (contact, normal) = (problem.parameters(k as usize), problem.normal(k as usize));
            push_row(&mut self.rows, normal, problem, local_dof);
            let fixed = normal.entries().filter(|&(dof, ..)| !problem.is_movable(dof));
            let speed = fixed.fold(0.0, |sum, (dof, eta, _)| sum + eta * problem.velocity[dof.0 as usize]);
            self.bias.push(speed + contact.kinematic_speed);
            self.names.push((contact.key, contact.point));
            self.parameters.push((contact.speculative_bias, contact.restitution));
        }
        self.reset();
        friction::gather(problem, local_dof, self);
    }

    /// Back to the velocity before, without impulses.
    pub(crate) fn reset(&mut self) {
        self.velocity.clear();
        self.velocity.extend_from_slice(&self.velocity_before);
        self.impulses.clear();
        self.impulses.resize(self.contacts.len(), 0.0);
        self.measure();
    }

    /// Whether a part of restitution makes some contact bounce.
    pub(crate) fn bounces(&self, part: f64) -> bool {
        part > 0.0 && self.parameters.iter().any(|&(_, restitution)| restitution > 0.0)
    }

    /// Puts the answer at hand aside.
    pub(crate) fn put_aside(&mut self, answer: &mut Answer) {
        std::mem::swap(&mut self.impulses, &mut answer.impulses);
        std::mem::swap(&mut self.velocity, &mut answer.velocity);
        answer.friction.clear();
        answer.friction.extend_from_slice(self.friction.lambda_mut());
    }

    /// Takes an answer back that was put aside.
    pub(crate) fn take_back(&mut self, answer: &mut Answer) {
        std::mem::swap(&mut self.impulses, &mut answer.impulses);
        std::mem::swap(&mut self.velocity, &mut answer.velocity);
        self.friction.lambda_mut().copy_from_slice(&answer.friction);
    }

    /// Gap speeds of the present velocity.
    pub(crate) fn measure(&mut self) {
        self.gap_speed.clear();
        let speeds = self.bias.iter().enumerate();
        self.gap_speed.extend(speeds.map(|(k, rest)| rest + self.rows.row(k).dot(&self.velocity)));
    }

    /// The parameters of the problem's contacts of this island.
    pub(crate) fn contacts<'a>(
        &'a self,
        problem: &'a ContactProblem,
    ) -> impl Iterator<Item = &'a ContactParameters> {
        self.contacts.iter().map(|&k| problem.parameters(k as usize))
    }

    /// Kinetic energy gained, from the work of the impulses: ½ λᵀNᵀ(v⁻ + v⁺) over what can move.
    pub(crate) fn energy_change(&self) -> f64 {
        let mut sum = 0.0;
        for (k, &impulse) in self.impulses.iter().enumerate() {
            let row = self.rows.row(k);
            sum += 0.5 * impulse * (row.dot(&self.velocity_before) + row.dot(&self.velocity));
        }
        if self.friction.is_active() {
            sum += self.friction.work(&self.velocity_before, &self.velocity);
        }
        sum
    }
}

/// Energies of an impact against obstacles that move by themselves.
impl Island {
    /// Work of the impulses against moving obstacles, normals and tangents: what they give the
    /// island, with the other sign.
    pub(crate) fn against_obstacles(&self) -> f64 {
        let normals = self.impulses.iter().zip(&self.bias);
        normals.fold(0.0, |sum, (impulse, rest)| sum + impulse * rest) + self.friction.against_obstacles()
    }

    /// The work of the impulses with every term counted as positive: what rounding of the energy
    /// change is measured by.
    pub(crate) fn work_scale(&self) -> f64 {
        let normals = self.impulses.iter().zip(&self.bias).enumerate();
        let of_normals = normals.fold(0.0, |sum, (k, (&impulse, rest))| {
            let row = self.rows.row(k);
            let speeds = row.dot(&self.velocity_before).abs() + row.dot(&self.velocity).abs();
            sum + impulse * (speeds + rest.abs())
        });
        of_normals + self.friction.work_scale(&self.velocity_before, &self.velocity)
    }

    /// aᵀMb.
    fn mass_product(&self, a: impl Fn(usize) -> f64, b: impl Fn(usize) -> f64) -> f64 {
        let diagonal = self.mass.diagonal.iter().enumerate().fold(0.0, |sum, (i, m)| sum + m * a(i) * b(i));
        self.mass.off_diagonal.iter().fold(diagonal, |sum, entry| {
            let (row, column) = (entry.row as usize, entry.column as usize);
            sum + entry.value * (a(row) * b(column) + a(column) * b(row))
        })
    }

    /// With v the velocity at hand, for which contacts gain no energy, and v′ another one for which
    /// they do: the θ from 0 to 1 at which they neither gain nor lose for v + θ(v′ − v).
    /// `other_against` is the work of the impulses of v′ against obstacles.
    pub(crate) fn share_that_keeps_energy(&self, other: &[f64], other_against: f64) -> f64 {
        let here = |i: usize| self.velocity[i];
        let step = |i: usize| other[i] - self.velocity[i];
        let lost = |i: usize| self.velocity[i] - self.velocity_before[i];
        let both = |i: usize| self.velocity[i] + self.velocity_before[i];
        // (v + θs)ᵀM(v + θs) + 2(w + θ(w′ − w)) = v⁻ᵀMv⁻, w against obstacles: aθ² + 2bθ + c = 0
        // with c = (v − v⁻)ᵀM(v + v⁻) + 2w ≤ 0.
        let against = self.against_obstacles();
        let a = self.mass_product(step, step);
        let b = self.mass_product(here, step) + (other_against - against);
        let c = (self.mass_product(lost, both) + 2.0 * against).min(0.0);
        let root = (b * b - a * c).max(0.0).sqrt();
        // Without cancellation, whatever the sign of b.
        let share = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Appends the movable part of a direction.
pub(crate) fn push_row(
    rows: &mut SparseJacobian,
    direction: crate::RowView<'_>,
    problem: &ContactProblem,
    local_dof: &[u32],
) {
    for (dof, eta, scaled) in direction.entries() {
        if problem.is_movable(dof) {
            rows.push_entry(local_dof[dof.0 as usize], eta, scaled);
        }
    }
    rows.end_row();
}
