//! Contacts by their rows: u = Hᵀ M⁻¹ H r + q without the matrix W.
//!
//! Gauss–Seidel passes over rows cost as much as there are rows, however many contacts a body has.

use super::Cone;
use super::body_space::BodySpace;
use super::cone::local;
use super::passes::{Done, PADDING, Passes, State};
use super::plane::Plane;
use carom_numerics::lcp::{KktResidual, SparseJacobian};
use carom_numerics::qp::BlockDiagonalMass;
use carom_numerics::watch;

/// Contacts further open than this, in m/s, are never reached.
pub(super) const NEVER: f64 = 1e100;
/// Accelerated passes end when this part of the contacts or less changes by more than the
/// tolerance.
const FEW: f64 = 0.01;
/// Double passes before contacts that were left out are checked again; those that open by more
/// than this many times the largest error are.
const PASSES_BETWEEN_LOOKS: u32 = 8;
const REACH: f64 = 4.0;
/// Changes up to this part of the tolerance are not made; half of it each time that this is not
/// enough.
const HARMLESS: f64 = 0.5;

/// Rows of contacts with their impulses.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConeRows {
    /// Row after row of contact after contact, each normal first.
    pub(crate) rows: SparseJacobian,
    pub(crate) cones: Vec<Cone>,
    /// First row of each contact, and the number of rows at the end.
    pub(crate) offsets: Vec<u32>,
    /// Velocity without impulses, and what the contact wants; m/s.
    pub(crate) q: Vec<f64>,
    /// Impulses.
    pub(crate) r: Vec<f64>,
    /// M⁻¹ H r, with zeros at its end.
    pub(crate) change: Vec<f64>,
    plane: Plane,
    /// μ|u_T| at the row of each normal.
    slip: Vec<f64>,
    /// Contacts that accelerated passes visit.
    chosen: Vec<u32>,
    /// The first degree of freedom of the body of each one.
    first: Vec<u32>,
    shape: Shape,
    points: Passes<4, 2, 2>,
    planar: Passes<2, 3, 2>,
    spatial: Passes<2, 6, 3>,
    any: Passes<12, 1, 3>,
    newton: BodySpace<6>,
    /// Products in the last passes, about.
    pub(crate) operations: u64,
}

/// Which of the packed forms has the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Shape {
    Points,
    Planar,
    Spatial,
    #[default]
    Any,
}

/// Does the same with whichever packed form has the contacts.
macro_rules! packed {
    ($rows:expr, $name:ident => $body:expr) => {
        match $rows.shape {
            Shape::Points => {
                let $name = &mut $rows.points;
                $body
            }
            Shape::Planar => {
                let $name = &mut $rows.planar;
                $body
            }
            Shape::Spatial => {
                let $name = &mut $rows.spatial;
                $body
            }
            Shape::Any => {
                let $name = &mut $rows.any;
                $body
            }
        }
    };
    (ref $rows:expr, $name:ident => $body:expr) => {
        match $rows.shape {
            Shape::Points => {
                let $name = &$rows.points;
                $body
            }
            Shape::Planar => {
                let $name = &$rows.planar;
                $body
            }
            Shape::Spatial => {
                let $name = &$rows.spatial;
                $body
            }
            Shape::Any => {
                let $name = &$rows.any;
                $body
            }
        }
    };
}

/// How far impulses are from a solution, in m/s.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// Of the normals alone.
    pub(crate) normals: KktResidual,
    /// The natural map of a contact times its inverse effective mass, the largest:
    /// [`super::Certificate::velocity_error`].
    pub(crate) velocity_error: f64,
    /// The same of all contacts, squared and summed.
    pub(crate) sum_of_squares: f64,
    /// How many contacts have a larger error than this.
    pub(crate) wrong: usize,
    pub(crate) tolerance: f64,
}

impl Measure {
    /// What a tolerance bounds.
    pub(crate) fn worst(&self) -> f64 {
        self.normals.worst().max(self.velocity_error)
    }
}

impl ConeRows {
    /// Forgets contacts; those to come have degrees of freedom of these bodies.
    pub(crate) fn clear(&mut self, bodies: &[u32]) {
        self.rows.clear(bodies.len());
        self.first.clear();
        for (dof, &body) in bodies.iter().enumerate() {
            let same = dof > 0 && bodies[dof - 1] == body;
            self.first.push(if same { self.first[dof - 1] } else { dof as u32 });
        }
        self.cones.clear();
        self.offsets.clear();
        self.offsets.push(0);
    }

    /// Ends a contact whose rows have been pushed.
    pub(crate) fn end_contact(&mut self, cone: Cone) {
        self.cones.push(cone);
        self.offsets.push(self.rows.len() as u32);
    }

    /// Rows of a contact.
    pub(crate) fn range(&self, contact: usize) -> std::ops::Range<usize> {
        self.offsets[contact] as usize..self.offsets[contact + 1] as usize
    }

    /// Computes what does not depend on q and r.
    pub(crate) fn prepare(&mut self) {
        let largest = self.first.iter().enumerate().map(|(dof, &first)| dof + 1 - first as usize).max();
        let (contacts, rows) = ((&self.cones[..], &self.offsets[..]), &self.rows);
        self.shape = match largest {
            Some(2) if self.points.pack(contacts, rows, &self.first) => Shape::Points,
            Some(3) if self.planar.pack(contacts, rows, &self.first) => Shape::Planar,
            Some(6) if self.spatial.pack(contacts, rows, &self.first) => Shape::Spatial,
            _ => {
                (0..).zip(&mut self.first).for_each(|(dof, first)| *first = dof);
                self.any.pack(contacts, rows, &self.first);
                Shape::Any
            }
        };
        self.change.clear();
        self.change.resize(self.rows.columns() + PADDING, 0.0);
    }

    /// Puts impulses into their cones; M⁻¹ H r anew.
    pub(crate) fn combine(&mut self) {
        for (&cone, range) in self.cones.iter().zip(self.offsets.windows(2)) {
            let r = &mut self.r[range[0] as usize..range[1] as usize];
            r.copy_from_slice(&cone.clipped(local(r))[..r.len()]);
        }
        let mut state = State { q: &self.q, r: &mut self.r, change: &mut self.change };
        packed!(ref self, passes => passes.combine(&mut state));
    }

    /// Scales all impulses, which stay in their cones.
    pub(crate) fn scale(&mut self, share: f64) {
        self.r.iter_mut().chain(&mut self.change).for_each(|x| *x *= share);
    }

    /// Judges the impulses at hand; [`Self::combine`] was called.
    pub(crate) fn measure(&self, tolerance: f64) -> Measure {
        packed!(ref self, passes => passes.measure(&self.q, &self.r, &self.change, tolerance))
    }

    /// Passes forth and back over what may be wrong, until every contact is within `tolerance` or
    /// `most` times as many contacts as there are were visited. Returns how many passes, and how
    /// far it came.
    pub(crate) fn sweep_to(&mut self, tolerance: f64, most: u32) -> (u32, Measure) {
        let of_contact = self.rows.entries() as u64 / self.cones.len().max(1) as u64;
        let most = u64::from(most) * self.cones.len() as u64;
        let (mut passes, mut visits, mut harmless) = (0, 0, HARMLESS * tolerance);
        loop {
            // Without the rounding of all the changes.
            self.combine();
            let measure = self.measure(tolerance);
            if measure.worst() <= tolerance || visits >= most || watch::is_over() {
                self.operations = of_contact * visits;
                return (passes, measure);
            }
            packed!(self, contacts => contacts.start());
            while visits < most && !watch::is_over() {
                let mut state = State { q: &self.q, r: &mut self.r, change: &mut self.change };
                let limits = (tolerance, harmless);
                let Done { visits: now, changes } =
                    packed!(self, contacts => contacts.pass(&mut state, limits, passes % 2 == 1));
                passes += 1;
                visits += now as u64;
                if changes == 0 {
                    break;
                }
            }
            harmless *= 0.5;
        }
    }

    /// Newton's method in the velocities of bodies, for rigid spatial bodies. Returns how many
    /// iterations, and how far it came; nothing for others.
    pub(crate) fn newton_to(
        &mut self,
        mass: &BlockDiagonalMass,
        tolerance: f64,
        most: u32,
    ) -> Option<(u32, Measure)> {
        let whole = self.first.iter().enumerate().all(|(dof, &first)| dof / 6 * 6 == first as usize);
        if !matches!(self.shape, Shape::Spatial) || !whole || !mass.diagonal.len().is_multiple_of(6) {
            return None;
        }
        let Self { q, r, change, spatial, newton, .. } = self;
        let (iterations, measure) =
            newton.solve(spatial, &mut State { q, r, change }, mass, (tolerance, most));
        self.operations = u64::from(iterations) * newton.operations();
        self.combine();
        Some((iterations, measure))
    }

    /// Double passes over the contacts that push or nearly do, each followed by the least energy in
    /// the plane of its step and the last one, until few contacts change much; then
    /// [`Self::sweep_to`].
    pub(crate) fn accelerate_to(
        &mut self,
        mass: &BlockDiagonalMass,
        tolerance: f64,
        most: u32,
    ) -> (u32, Measure) {
        self.combine();
        self.slip.clear();
        self.slip.resize(self.q.len(), 0.0);
        let Self { q, r, change, chosen, plane, slip, .. } = self;
        let mut state = State { q, r, change };
        plane.start(&state);
        let (mut passes, mut visits) = (0, 0);
        packed!(ref self, contacts => 'looks: loop {
            let worst = contacts.measure(state.q, state.r, state.change, tolerance).worst();
            contacts.choose(&state, REACH * worst, chosen);
            let few = (FEW * chosen.len() as f64) as usize;
            for _ in 0..PASSES_BETWEEN_LOOKS {
                if passes + 2 > most || watch::is_over() {
                    break 'looks;
                }
                let larger = contacts.double_pass(&mut state, chosen, tolerance, slip);
                passes += 2;
                visits += 2 * chosen.len() as u64;
                if larger <= few {
                    break 'looks;
                }
                plane.improve(&mut state, (slip, mass), |state| contacts.clip(state, chosen));
            }
        });
        let of_contact = self.rows.entries() as u64 / self.cones.len().max(1) as u64;
        let (more, measure) = self.sweep_to(tolerance, most - passes);
        self.operations += of_contact * visits;
        (passes + more, measure)
    }
}
