//! A step of conjugate directions between Gauss–Seidel passes.
//!
//! With s = μ|u_T| held fixed, Coulomb's law is the least of f(r) = ½ rᵀWr + qᵀr + sᵀr_N over the
//! cones (De Saxcé; Acary, Cadoux, Lemaréchal and Malick 2011). Passes lower f quickly across and
//! slowly along chains of contacts. The least f in the plane of the last pass and of the step
//! before is what the locally optimal conjugate gradient method takes (Knyazev, SIAM J. Sci.
//! Comput. 23, 2001). A step that does not lower f is not taken.
//!
//! Products by W are taken of velocities: rᵀWr′ = vᵀMv′ with v = M⁻¹Hr.

use super::passes::State;
use carom_numerics::qp::BlockDiagonalMass;

/// A plane whose directions are more parallel than this is a line.
const PARALLEL: f64 = 1e-10;

/// Where the last step ended, and that step; with velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    start: Point,
    passed: Point,
    step: Point,
    has_step: bool,
}

/// Impulses and the velocities that they make.
#[derive(Clone, Debug, Default)]
struct Point {
    r: Vec<f64>,
    v: Vec<f64>,
}

impl Point {
    fn take(&mut self, state: &State<'_>) {
        self.r.clear();
        self.r.extend_from_slice(state.r);
        self.v.clear();
        self.v.extend_from_slice(state.change);
    }

    /// The way from another point to the state.
    fn take_way(&mut self, state: &State<'_>, from: &Point) {
        let way = |(&to, from): (&f64, &f64)| to - from;
        self.r.clear();
        self.r.extend(state.r.iter().zip(&from.r).map(way));
        self.v.clear();
        self.v.extend(state.change.iter().zip(&from.v).map(way));
    }
}

impl Plane {
    pub(super) fn start(&mut self, state: &State<'_>) {
        self.start.take(state);
        self.has_step = false;
    }

    /// From the end of a pass to the least f in the plane. `slip` has s at the row of each normal
    /// and zeros elsewhere; `clip` puts impulses back into their cones.
    pub(super) fn improve(
        &mut self,
        state: &mut State<'_>,
        (slip, mass): (&[f64], &BlockDiagonalMass),
        clip: impl Fn(&mut State<'_>),
    ) {
        self.passed.take(state);
        let Self { start, passed, step, has_step } = self;
        if !*has_step {
            step.r.clear();
            step.r.resize(passed.r.len(), 0.0);
            step.v.clear();
            step.v.resize(passed.v.len(), 0.0);
        }
        // a: products of directions by W; b: slopes.
        let (mut a, mut b) = ([0.0; 3], [0.0; 2]);
        for row in 0..passed.r.len() {
            let g = state.q[row] + slip[row];
            b[0] += (passed.r[row] - start.r[row]) * g;
            b[1] += step.r[row] * g;
        }
        let mut add = |m: f64, i: usize, j: usize| {
            let (way, other) = (m * (passed.v[i] - start.v[i]), passed.v[j] - start.v[j]);
            a[0] += way * other;
            a[1] += way * step.v[j];
            a[2] += m * step.v[i] * step.v[j];
            b[0] += way * passed.v[j];
            b[1] += m * step.v[i] * passed.v[j];
        };
        of_mass(mass, &mut add);
        let [x, y] = least(a, b, *has_step);
        for row in 0..passed.r.len() {
            state.r[row] += x * (passed.r[row] - start.r[row]) + y * step.r[row];
        }
        for dof in 0..passed.v.len() {
            state.change[dof] += x * (passed.v[dof] - start.v[dof]) + y * step.v[dof];
        }
        clip(state);
        let mut fall = 0.0;
        for row in 0..passed.r.len() {
            fall += (state.r[row] - passed.r[row]) * (state.q[row] + slip[row]);
        }
        of_mass(mass, &mut |m: f64, i: usize, j: usize| {
            fall += 0.5 * m * (state.change[i] - passed.v[i]) * (state.change[j] + passed.v[j]);
        });
        *has_step = fall < 0.0;
        if *has_step {
            step.take_way(state, start);
            start.take(state);
        } else {
            state.r.copy_from_slice(&passed.r);
            state.change.copy_from_slice(&passed.v);
            std::mem::swap(start, passed);
        }
    }
}

/// Every entry of M: its value, row and column.
fn of_mass(mass: &BlockDiagonalMass, add: &mut impl FnMut(f64, usize, usize)) {
    mass.diagonal.iter().enumerate().for_each(|(i, &m)| add(m, i, i));
    for entry in &mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        add(entry.value, i, j);
        add(entry.value, j, i);
    }
}

/// The least of ½ xᵀAx + bᵀx.
fn least(a: [f64; 3], b: [f64; 2], is_plane: bool) -> [f64; 2] {
    let determinant = a[0] * a[2] - a[1] * a[1];
    let x = if is_plane && determinant > PARALLEL * a[0] * a[2] {
        [(a[1] * b[1] - a[2] * b[0]) / determinant, (a[1] * b[0] - a[0] * b[1]) / determinant]
    } else if a[0] > 0.0 {
        [-b[0] / a[0], 0.0]
    } else {
        [0.0; 2]
    };
    if x.iter().all(|x| x.is_finite()) { x } else { [0.0; 2] }
}
