//! One contact alone: Coulomb's law in closed form up to one root in one unknown.
//!
//! Open if q_N ≥ 0. Else sticking, r = −W⁻¹q, if that lies in the cone. Else sliding: u_N = 0 and
//! u_T = −λ r_T with λ > 0 and |r_T| = μ r_N, hence (W_TT + λ) r_T = −(q_T + W_TN r_N). The
//! function g(λ) = |r_T| − μ r_N is positive at 0 and negative at infinity; its root is bracketed.
//! In the plane the root is a quotient. (Bonnefon and Daviet, *Quartic formulation of Coulomb 3D
//! frictional contact*, INRIA 2011, have the same equation as a quartic.)

use super::Cone;
use super::cone::{Local, local, tangential};

/// Most evaluations of g: bisection alone halves 2⁶⁰ to 1.
const EVALUATIONS: usize = 100;

/// Impulse of one contact with the row-major block `w` and velocity `q` without it.
pub(super) fn solve(cone: Cone, w: &[f64], q: Local) -> Local {
    solve_with(cone, (w, &NO_INVERSE), q)
}

/// The same with the inverse of the block at hand ([`inverse`]).
#[inline]
pub(super) fn solve_with(cone: Cone, (w, inverse): (&[f64], &[f64; 9]), q: Local) -> Local {
    match cone {
        Cone::Free { dim } => solve_block(w, usize::from(dim), q),
        Cone::NonNegative => [nonnegative(w[0], q[0]), 0.0, 0.0],
        Cone::SecondOrder { dim, mu } => {
            if q[0] >= 0.0 {
                return [0.0; 3];
            }
            let dim = usize::from(dim);
            if mu == 0.0 {
                return [nonnegative(w[0], q[0]), 0.0, 0.0];
            }
            let stick = if inverse[0].is_nan() { solve_block(w, dim, q) } else { times(inverse, dim, q) };
            if tangential(&stick) <= mu * stick[0] {
                return stick;
            }
            if dim == 2 { slide_planar(w, mu, q) } else { slide_spatial(w, mu, q) }
        }
    }
}

fn nonnegative(w: f64, q: f64) -> f64 {
    if q < 0.0 && w > 0.0 { -q / w } else { 0.0 }
}

const NO_INVERSE: [f64; 9] = [f64::NAN; 9];
/// Blocks whose determinant is a smaller part of the product of their diagonal are eliminated each
/// time.
const LEAST_DETERMINANT: f64 = 1e-6;

/// Minus the inverse of a block, row-major; not a number where it is nearly singular.
pub(super) fn inverse(w: &[f64], dim: usize) -> [f64; 9] {
    let mut out = NO_INVERSE;
    if dim == 2 {
        let determinant = w[0] * w[3] - w[1] * w[2];
        if determinant > LEAST_DETERMINANT * w[0] * w[3] {
            let by = -1.0 / determinant;
            out[..4].copy_from_slice(&[by * w[3], -by * w[1], -by * w[2], by * w[0]]);
        }
    } else if dim == 3 {
        let minor = |i: usize, j: usize| {
            let at = |row: usize, column: usize| w[(row % 3) * 3 + column % 3];
            at(i + 1, j + 1) * at(i + 2, j + 2) - at(i + 1, j + 2) * at(i + 2, j + 1)
        };
        let determinant = w[0] * minor(0, 0) + w[1] * minor(0, 1) + w[2] * minor(0, 2);
        if determinant > LEAST_DETERMINANT * w[0] * w[4] * w[8] {
            let by = -1.0 / determinant;
            out = std::array::from_fn(|k| by * minor(k % 3, k / 3));
        }
    }
    out
}

/// The product of a block and a vector.
#[inline]
fn times(block: &[f64; 9], dim: usize, q: Local) -> Local {
    if dim == 2 {
        return [block[0] * q[0] + block[1] * q[1], block[2] * q[0] + block[3] * q[1], 0.0];
    }
    let row = |a: usize| block[a] * q[0] + block[a + 1] * q[1] + block[a + 2] * q[2];
    [row(0), row(3), row(6)]
}

/// r = −W⁻¹ q by Gaussian elimination with row exchanges; zero in directions without mass.
fn solve_block(w: &[f64], dim: usize, q: Local) -> Local {
    let mut a = [[0.0; 4]; 3];
    let largest = w.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for i in 0..dim {
        a[i][..dim].copy_from_slice(&w[i * dim..(i + 1) * dim]);
        a[i][3] = -q[i];
    }
    for k in 0..dim {
        let best = (k..dim).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        a.swap(k, best);
        if a[k][k].abs() <= f64::EPSILON * largest {
            a[k] = [0.0; 4];
            a[k][k] = 1.0;
            continue;
        }
        for i in k + 1..dim {
            let factor = a[i][k] / a[k][k];
            let pivot = a[k];
            (k..4).for_each(|j| a[i][j] -= factor * pivot[j]);
        }
    }
    let mut x = [0.0; 3];
    for k in (0..dim).rev() {
        let sum: f64 = (k + 1..dim).map(|j| a[k][j] * x[j]).sum();
        x[k] = (a[k][3] - sum) / a[k][k];
    }
    x
}

/// In the plane: r_T = ±μ r_N, and the row u_N = 0. The sign is opposite to the velocity.
fn slide_planar(w: &[f64], mu: f64, q: Local) -> Local {
    let mut fallback = [0.0; 3];
    for sign in [-1.0, 1.0] {
        let slope = w[0] + sign * mu * w[1];
        let normal = -q[0] / slope;
        if slope <= 0.0 || !normal.is_finite() {
            continue;
        }
        let r = local(&[normal, sign * mu * normal]);
        let slip = q[1] + w[2] * r[0] + w[3] * r[1];
        if slip * sign <= 0.0 {
            return r;
        }
        fallback = r;
    }
    fallback
}

/// r_N and r_T at a given λ.
fn at(w: &[f64], q: &Local, lambda: f64) -> Local {
    let (a, b, c) = (w[4] + lambda, w[5], w[8] + lambda);
    let determinant = a * c - b * b;
    let apply = |x: f64, y: f64| [(c * x - b * y) / determinant, (a * y - b * x) / determinant];
    let free = apply(q[1], q[2]);
    let coupled = apply(w[1], w[2]);
    let normal = (w[1] * free[0] + w[2] * free[1] - q[0]) / (w[0] - w[1] * coupled[0] - w[2] * coupled[1]);
    [normal, -(free[0] + coupled[0] * normal), -(free[1] + coupled[1] * normal)]
}

fn slide_spatial(w: &[f64], mu: f64, q: Local) -> Local {
    // In the variable λ/(λ + scale) the whole half-line is bracketed by 0 and 1.
    let scale = 0.5 * (w[4] + w[8]).max(f64::MIN_POSITIVE);
    let lambda_of = |t: f64| scale * t / (1.0 - t);
    let g = |t: f64| {
        let r = at(w, &q, lambda_of(t));
        tangential(&r) - mu * r[0]
    };
    // Rounding may spoil λ = 0 where W is nearly singular; a hair above is as good.
    let (mut low, mut high) = (1e-14, 1.0 - 1e-12);
    let (mut g_low, mut g_high) = (g(low), g(high));
    if g_low.is_nan() || g_low <= 0.0 {
        return clip(at(w, &q, lambda_of(low)), mu);
    }
    // Illinois variant of regula falsi: superlinear, never leaves the bracket.
    let mut side = 0i32;
    for _ in 0..EVALUATIONS {
        let mut t = (low * g_high - high * g_low) / (g_high - g_low);
        if !(t > low && t < high) || side.abs() >= 3 {
            t = 0.5 * (low + high);
            side = 0;
        }
        let value = g(t);
        if value == 0.0 || high - low <= 4.0 * f64::EPSILON * high {
            return clip(at(w, &q, lambda_of(t)), mu);
        }
        if value > 0.0 {
            (low, g_low) = (t, value);
            if side > 0 {
                g_high *= 0.5;
            }
            side = side.max(0) + 1;
        } else {
            (high, g_high) = (t, value);
            if side < 0 {
                g_low *= 0.5;
            }
            side = side.min(0) - 1;
        }
    }
    clip(at(w, &q, lambda_of(low)), mu)
}

/// Scales the tangential part to the boundary of the cone.
fn clip(r: Local, mu: f64) -> Local {
    let length = tangential(&r);
    if r[0] <= 0.0 || r[0].is_nan() || length == 0.0 {
        return if r[0] > 0.0 { r } else { [0.0; 3] };
    }
    let factor = (mu * r[0] / length).min(1.0);
    [r[0], factor * r[1], factor * r[2]]
}

#[cfg(test)]
mod tests {
    use super::super::cone::length;
    use super::*;

    fn check(cone: Cone, w: &[f64], q: Local, tolerance: f64) -> Local {
        let dim = cone.dim();
        let r = solve(cone, w, q);
        let mut u = q;
        for i in 0..dim {
            for j in 0..dim {
                u[i] += w[i * dim + j] * r[j];
            }
        }
        let d = (0..dim).map(|k| w[k * dim + k]).sum::<f64>() / dim as f64;
        let error = length(&cone.natural(r, u, 1.0 / d));
        assert!(error <= tolerance * length(&r), "{cone:?} {w:?} {q:?}: {r:?}, error {error:e}");
        r
    }

    #[test]
    fn slides_against_the_velocity() {
        // Unit mass, normal velocity −1, tangential (3, 4): the impulse is (1, −μ·0.6, −μ·0.8).
        let w = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let r = check(Cone::SecondOrder { dim: 3, mu: 0.5 }, &w, [-1.0, 3.0, 4.0], 1e-14);
        assert!((r[1] + 0.3).abs() < 1e-14 && (r[2] + 0.4).abs() < 1e-14);
        let r = check(Cone::SecondOrder { dim: 2, mu: 0.5 }, &[1.0, 0.0, 0.0, 1.0], [-1.0, 3.0, 0.0], 1e-14);
        assert_eq!(r, [1.0, -0.5, 0.0]);
    }

    #[test]
    fn random_blocks_are_solved() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 11) as f64) / ((1u64 << 53) as f64) - 0.5
        };
        for case in 0..20_000 {
            let dim = 2 + case % 2;
            let mu = [0.01, 0.3, 0.9, 3.0][case / 2 % 4];
            // W = G Gᵀ with stretched columns, and a little on the diagonal.
            let g: Vec<f64> = (0..9).map(|k| random() * [1.0, 0.1, 10.0][k % 3]).collect();
            let mut w = vec![0.0; dim * dim];
            for i in 0..dim {
                for j in 0..dim {
                    w[i * dim + j] = (0..3).map(|k| g[3 * i + k] * g[3 * j + k]).sum::<f64>();
                }
                w[i * dim + i] += 1e-3;
            }
            let q = [random(), random(), if dim == 3 { random() } else { 0.0 }];
            check(Cone::SecondOrder { dim: dim as u8, mu }, &w, q, 1e-8);
        }
    }
}
