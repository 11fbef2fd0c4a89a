//! Faster fixed points: Anderson's mixing of the last few rounds.
//!
//! Walker, Ni, "Anderson acceleration for fixed-point iterations", SIAM J. Numer. Anal. 49 (2011), algorithm AA with a window of a
//! few rounds: of all combinations of the last points x the one whose combined change f = g(x) − x is smallest, and a step from there.
//! On a map that is linear near its fixed point this is a quasi-Newton method, and comes home even where the bare iteration
//! runs away. Symbols: ΔX, ΔF the differences of neighbouring rounds, γ the least-squares coefficients of f in ΔF.

/// Rounds that are combined.
const WINDOW: usize = 8;
/// A difference that others explain up to this part adds nothing but rounding.
const INDEPENDENT: f64 = 1e-8;

/// The last rounds, oldest first; memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anderson {
    point: Vec<f64>,
    change: Vec<f64>,
    point_steps: Vec<Vec<f64>>,
    change_steps: Vec<Vec<f64>>,
    /// An orthogonal basis of the columns of ΔF with its triangle, by modified Gram–Schmidt.
    basis: Vec<Vec<f64>>,
    triangle: Vec<f64>,
    coefficient: Vec<f64>,
    rounds: usize,
}

impl Anderson {
    /// Forgets all rounds.
    pub(crate) fn restart(&mut self) {
        self.rounds = 0;
    }

    /// From x and f = g(x) − x to the next x, in place.
    pub(crate) fn advance(&mut self, x: &mut [f64], f: &[f64]) {
        if self.rounds > 0 && self.point.len() == x.len() {
            self.push(x, f);
        } else {
            self.rounds = 0;
        }
        self.point.clear();
        self.point.extend_from_slice(x);
        self.change.clear();
        self.change.extend_from_slice(f);
        let columns = self.rounds.min(WINDOW);
        self.rounds += 1;
        self.least_squares(columns, f);
        for (x, f) in x.iter_mut().zip(f) {
            *x += f;
        }
        for k in 0..columns {
            let c = self.coefficient[k];
            for (i, x) in x.iter_mut().enumerate() {
                *x -= c * (self.point_steps[k][i] + self.change_steps[k][i]);
            }
        }
    }

    /// Keeps the step from the last round to this one.
    fn push(&mut self, x: &[f64], f: &[f64]) {
        if self.point_steps.len() < WINDOW {
            self.point_steps.resize_with(WINDOW, Vec::new);
            self.change_steps.resize_with(WINDOW, Vec::new);
            self.basis.resize_with(WINDOW, Vec::new);
        }
        // `rounds` counts this round's step already: the first step is made in round 1.
        let place = if self.rounds > WINDOW {
            self.point_steps.rotate_left(1);
            self.change_steps.rotate_left(1);
            WINDOW - 1
        } else {
            self.rounds - 1
        };
        let (points, changes) = (&mut self.point_steps[place], &mut self.change_steps[place]);
        points.clear();
        points.extend(x.iter().zip(&self.point).map(|(new, old)| new - old));
        changes.clear();
        changes.extend(f.iter().zip(&self.change).map(|(new, old)| new - old));
    }

    /// γ = argmin |f − ΔF γ|, newest column first, so that it is the old ones that drop out when they depend on others.
    fn least_squares(&mut self, columns: usize, f: &[f64]) {
        self.coefficient.clear();
        self.coefficient.resize(columns, 0.0);
        self.triangle.clear();
        self.triangle.resize(columns * columns, 0.0);
        for order in 0..columns {
            let (done, rest) = self.basis.split_at_mut(order);
            let column = &mut rest[0];
            column.clear();
            column.extend_from_slice(&self.change_steps[columns - 1 - order]);
            let before = dot(column, column).sqrt();
            for (earlier, basis) in done.iter().enumerate() {
                let along = dot(basis, column);
                self.triangle[earlier * columns + order] = along;
                for (x, b) in column.iter_mut().zip(basis) {
                    *x -= along * b;
                }
            }
            let length = dot(column, column).sqrt();
            if length > INDEPENDENT * before {
                self.triangle[order * columns + order] = length;
                column.iter_mut().for_each(|x| *x /= length);
            } else {
                column.iter_mut().for_each(|x| *x = 0.0);
            }
        }
        for order in (0..columns).rev() {
            let mut value = dot(&self.basis[order], f);
            for later in order + 1..columns {
                value -= self.triangle[order * columns + later] * self.coefficient[columns - 1 - later];
            }
            let pivot = self.triangle[order * columns + order];
            self.coefficient[columns - 1 - order] = if pivot > 0.0 { value / pivot } else { 0.0 };
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x ← Ax + c with eigenvalues 3, −2 and 0.9: alone it runs away, mixed it is exact after a round more than there are dimensions.
    #[test]
    fn a_linear_map_that_runs_away_is_solved_in_as_many_rounds_as_dimensions() {
        let rotate = |x: [f64; 3]| [0.6 * x[0] - 0.8 * x[1], 0.8 * x[0] + 0.6 * x[1], x[2]];
        let back = |x: [f64; 3]| [0.6 * x[0] + 0.8 * x[1], -0.8 * x[0] + 0.6 * x[1], x[2]];
        let map = |x: &[f64]| {
            let y = back([x[0] - 1.0, x[1] - 2.0, x[2] + 3.0]);
            let z = rotate([3.0 * y[0], -2.0 * y[1], 0.9 * y[2]]);
            [z[0] + 1.0, z[1] + 2.0, z[2] - 3.0]
        };
        let mut mixing = Anderson::default();
        for start in [[0.0, 0.0, 0.0], [5.0, 1.0, 1.0]] {
            mixing.restart();
            let mut x = start.to_vec();
            for _ in 0..5 {
                let f: Vec<f64> = map(&x).iter().zip(&x).map(|(g, x)| g - x).collect();
                mixing.advance(&mut x, &f);
            }
            let wrong = x.iter().zip([1.0, 2.0, -3.0]).fold(0.0f64, |m, (x, e)| m.max((x - e).abs()));
            assert!(wrong < 1e-10, "{x:?}");
        }
    }
}
