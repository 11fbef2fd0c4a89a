//! A step of conjugate directions between Gauss–Seidel passes.
//!
//! With s = μ|u_T| held fixed, Coulomb's law is the least of f(r) = ½ rᵀWr + qᵀr + sᵀr_N over the
//! cones (De Saxcé; Acary, Cadoux, Lemaréchal and Malick 2011). Passes lower f quickly across and
//! slowly along chains of contacts. The least f in the plane of the last pass and of the step before
//! is what the locally optimal conjugate gradient method takes (Knyazev, SIAM J. Sci. Comput. 23,
//! 2001). A step that does not lower f is not taken.

use super::rows::ConeRows;

/// A plane whose directions are more parallel than this is a line.
const PARALLEL: f64 = 1e-10;

/// Where the last step ended, and that step; with velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct Plane {
    start: Point,
    passed: Point,
    step: Point,
    change: Vec<f64>,
    has_step: bool,
}

/// Impulses and their velocities.
#[derive(Clone, Debug, Default)]
struct Point {
    r: Vec<f64>,
    u: Vec<f64>,
}

impl Point {
    fn take(&mut self, rows: &ConeRows) {
        self.r.clone_from(&rows.r);
        self.u.clear();
        for i in 0..rows.cones.len() {
            let u = rows.velocity(i);
            self.u.extend_from_slice(&u[..rows.range(i).len()]);
        }
    }
}

impl Plane {
    pub(super) fn start(&mut self, rows: &ConeRows) {
        self.start.take(rows);
        self.has_step = false;
    }

    /// From the end of a pass to the least f in the plane.
    pub(super) fn improve(&mut self, rows: &mut ConeRows) {
        self.passed.take(rows);
        self.change.clone_from(&rows.change);
        let Self { start, passed, step, .. } = self;
        // a: products of directions by W; b: slopes.
        let (mut a, mut b) = ([0.0; 3], [0.0; 2]);
        for i in 0..rows.cones.len() {
            let range = rows.range(i);
            let s = slip(&passed.u[range.clone()]) * rows.cones[i].mu();
            for (k, row) in range.enumerate() {
                let d = passed.r[row] - start.r[row];
                let wd = passed.u[row] - start.u[row];
                let g = passed.u[row] + if k == 0 { s } else { 0.0 };
                a[0] += d * wd;
                b[0] += d * g;
                if self.has_step {
                    a[1] += step.r[row] * wd;
                    a[2] += step.r[row] * step.u[row];
                    b[1] += step.r[row] * g;
                }
            }
        }
        let [x, y] = least(a, b, self.has_step);
        for row in 0..rows.r.len() {
            let mut by = x * (passed.r[row] - start.r[row]);
            if self.has_step {
                by += y * step.r[row];
            }
            rows.r[row] += by;
        }
        rows.combine();
        let mut fall = 0.0;
        step.r.resize(rows.r.len(), 0.0);
        step.u.resize(rows.r.len(), 0.0);
        for i in 0..rows.cones.len() {
            let range = rows.range(i);
            let s = slip(&passed.u[range.clone()]) * rows.cones[i].mu();
            let u = rows.velocity(i);
            for (k, row) in range.enumerate() {
                let g = 0.5 * (u[k] + passed.u[row]) + if k == 0 { s } else { 0.0 };
                fall += (rows.r[row] - passed.r[row]) * g;
                step.u[row] = u[k] - start.u[row];
                step.r[row] = rows.r[row] - start.r[row];
                start.u[row] = u[k];
                start.r[row] = rows.r[row];
            }
        }
        self.has_step = fall < 0.0;
        if !self.has_step {
            rows.r.clone_from(&passed.r);
            rows.change.clone_from(&self.change);
            std::mem::swap(start, passed);
        }
    }
}

fn slip(u: &[f64]) -> f64 {
    u[1..].iter().map(|x| x * x).sum::<f64>().sqrt()
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
