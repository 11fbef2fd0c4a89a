//! Newton's method with path search, for planar problems.
//!
//! With z = x − u, x_N = max(z_N, 0) and x_T = z_T shortened to μ x_N (Alart and Curnier 1991),
//! Coulomb's law in 2D is one piecewise linear equation F(z) = (W + δ) x + q − δ c − u = 0;
//! its pieces are the guesses of [`super::pieces`]. δ makes it a proximal point step from the
//! center c = x (Rockafellar 1976): W may be singular, and the solution is not moved. Newton's
//! method solves the piece that it is in, and may cycle. Then the path F(z) = t F(z₀) is followed
//! from t = 1 to t = 0, from piece to piece (Ralph, *Global convergence of damped Newton's method
//! for nonsmooth equations, via the path search*, Math. Oper. Res. 19, 1994; Dirkse and Ferris,
//! *The PATH solver*, 1995). A contact that changes its state is a pivot. A path from anywhere may
//! lead to infinity; the one that begins with all contacts far open ends in a solution, because W +
//! δ with friction is copositive (Lemke 1965; Stewart and Trinkle 1996; Anitescu and Potra 1997).

use super::cone::local;
use super::newton::{Run, State};
use super::pieces::{Affine, Pieces, side, sliding};
use super::sweeps::sweep;
use super::{Cone, Problem};
use carom_numerics::watch;

/// δ = κ · residual: the bounds of δ in scaled units, the κ at first, and what becomes of it where
/// the residual hardly falls (a proximal step moves impulses by residual/δ at most) and where a
/// path does not arrive.
const SMALLEST_DELTA: f64 = 1e-13;
const LARGEST_DELTA: f64 = 0.1;
const FIRST_KAPPA: f64 = 1.0;
const KAPPA_FALL: f64 = 0.3;
const KAPPA_RISE: f64 = 10.0;
/// A Newton step that brings the residual down to this part of it needs no path; a path that comes
/// to this t has arrived well enough.
const GOOD: f64 = 0.5;
/// The residual hardly falls if it ends within these parts of what it was.
const HARDLY: std::ops::Range<f64> = 0.3..1.01;
/// Steps of a run.
const STEPS: u32 = 40;
/// Pivots of a path: some, and some for each contact; the other path takes one to three for each.
const PIVOTS: usize = 20;
const CONTACTS_PER_PIVOT: usize = 10;
const PIVOTS_FROM_FAR: usize = 20;
/// Gauss–Seidel passes after a path that did not arrive, and the failures after which the path from
/// far is taken. With more contacts it takes too long.
const PASSES: u32 = 10;
const FAILURES: u32 = 3;
const MOST_FROM_FAR: usize = 500;
/// How far open contacts are at its beginning; the largest velocity is 1. Its δ, and κ after it.
const FAR: f64 = 10.0;
const DELTA_FROM_FAR: f64 = 1e-8;
const KAPPA_FROM_FAR: f64 = 1e-2;
/// The start is moved by this part of the residual, by chance: so no two contacts change at once.
const NOISE: f64 = 1e-6;

/// Buffers of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) pieces: Pieces,
    u: Vec<f64>,
    x: Vec<f64>,
    /// The impulses at the beginning of a step, c.
    center: Vec<f64>,
    start: Affine,
    /// Pivots since [`Path::solve`] began.
    pub(super) pivots: u32,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Products, about.
    pub(super) products: u64,
    /// Ends when the residual is below this.
    pub(super) target: f64,
    /// Begins with the path from far.
    pub(super) is_far: bool,
}

/// A facet of a piece: what may become negative.
type Facet = (usize, usize);

impl Path {
    /// Whether a problem is planar.
    pub(super) fn fits(problem: &Problem) -> bool {
        problem.cones.iter().all(|cone| !matches!(cone, Cone::SecondOrder { dim: 3, .. }))
    }

    /// Improves scaled impulses `x`; leaves the best it has seen there, or the first that are
    /// accepted together with their velocities.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        x: &mut [f64],
        limits: Limits,
        accepts: impl Fn(&[f64], &[f64]) -> bool,
    ) -> Run {
        self.pivots = 0;
        self.pieces.start(problem);
        self.u.resize(problem.rows(), 0.0);
        self.x.clear();
        self.x.extend_from_slice(x);
        let may_be_far = problem.len() <= MOST_FROM_FAR;
        let mut best = problem.residual(x, &mut self.u);
        let (mut last, mut kappa, mut is_far) = (best, FIRST_KAPPA, limits.is_far && may_be_far);
        let mut failures = 0;
        for _ in 0..STEPS {
            if self.pieces.products >= limits.products || watch::is_over() {
                break;
            }
            let mut delta = (kappa * last).clamp(SMALLEST_DELTA, LARGEST_DELTA);
            if is_far {
                (delta, kappa) = (DELTA_FROM_FAR, KAPPA_FROM_FAR);
            }
            self.begin(problem, delta, NOISE * last, is_far);
            self.pieces.factor(problem);
            let before = last;
            self.center.clone_from(&self.x);
            self.x.copy_from_slice(self.pieces.newton_point());
            last = problem.residual(&self.x, &mut self.u);
            let is_newton = !is_far && last <= GOOD * before;
            let has_arrived = is_newton || {
                let few = PIVOTS + problem.len() / CONTACTS_PER_PIVOT;
                let most = if is_far { PIVOTS_FROM_FAR * problem.len() } else { few };
                self.follow(problem, most, limits.products) <= GOOD
            };
            is_far = false;
            if has_arrived {
                last = problem.residual(&self.x, &mut self.u);
            }
            if !has_arrived || !last.is_finite() {
                failures += 1;
                is_far = may_be_far && failures % FAILURES == 0;
                kappa *= KAPPA_RISE;
                self.x.clone_from(&self.center);
                for k in 0..PASSES {
                    sweep(problem, &mut self.x, k % 2 == 1);
                }
                last = problem.residual(&self.x, &mut self.u);
            } else if HARDLY.contains(&(last / before)) {
                kappa *= KAPPA_FALL;
            }
            let is_accepted = accepts(&self.x, &self.u);
            if is_accepted || last < best {
                x.copy_from_slice(&self.x);
                best = last;
            }
            if is_accepted || best <= limits.target {
                return Run { residual: best, iterations: self.pieces.factorizations, is_accepted };
            }
        }
        Run { residual: best, iterations: self.pieces.factorizations, is_accepted: false }
    }

    /// States and f of a start near `self.x`, or far from all contacts.
    fn begin(&mut self, problem: &Problem, delta: f64, noise: f64, is_far: bool) {
        let Self { pieces, u, x, start, .. } = self;
        let rows = problem.rows();
        problem.velocity(x, u);
        pieces.delta = delta;
        pieces.q.clear();
        pieces.q.extend(problem.q.iter().zip(&*x).map(|(q, x)| q - delta * x));
        pieces.states.clear();
        start.x.clear();
        start.x.resize(rows, 0.0);
        start.u.clear();
        start.u.resize(rows, 0.0);
        let mut random = Random(1);
        for (i, &cone) in problem.cones.iter().enumerate() {
            let range = problem.range(i);
            let (xi, ui) = (local(&x[range.clone()]), local(&u[range.clone()]));
            if matches!(cone, Cone::Free { .. }) {
                start.x[range.clone()].copy_from_slice(&xi[..range.len()]);
                pieces.states.push(State::Stick);
                continue;
            }
            let normal = if is_far { -FAR } else { xi[0] - ui[0] };
            let z = [normal + noise * random.next(), xi[1] - ui[1] + noise * random.next()];
            let limit = cone.mu() * z[0];
            let (state, p) = match cone {
                _ if z[0] <= 0.0 => (State::Open, [0.0; 2]),
                Cone::SecondOrder { .. } if z[1].abs() > limit => {
                    (sliding(z[1].signum()), [z[0], z[1].signum() * limit])
                }
                _ => (State::Stick, z),
            };
            pieces.states.push(state);
            for (k, row) in range.enumerate() {
                start.x[row] = p[k];
                start.u[row] = p[k] - z[k];
            }
        }
        problem.velocity(&start.x, u);
        pieces.f.clear();
        let f = (0..rows).map(|k| u[k] + delta * (start.x[k] - x[k]) - start.u[k]);
        pieces.f.extend(f);
    }

    /// Follows the path from the start until t = 0, or as far as it comes. Writes impulses at the
    /// least t and returns it.
    fn follow(&mut self, problem: &Problem, most: usize, products: u64) -> f64 {
        let Self { pieces, x, .. } = self;
        let (mut t, mut direction, mut least) = (1.0f64, -1.0f64, 1.0f64);
        let mut keep = |t: f64, pieces: &Pieces| {
            if t < least {
                least = t;
                let values = pieces.at_zero.x.iter().zip(&pieces.slope.x);
                x.iter_mut().zip(values).for_each(|(x, (at_zero, slope))| *x = at_zero + t * slope);
            }
            least
        };
        // The facet through which the path came.
        let mut behind: Option<Facet> = None;
        for _ in 0..most {
            if !pieces.solve(problem) || pieces.products > products || watch::is_over() {
                return keep(f64::INFINITY, pieces);
            }
            if let Some(facet) = behind {
                // The path goes on into the piece, which may mean back in t.
                let slope = value(problem, facet, pieces.states[facet.0], &pieces.slope);
                if slope == 0.0 || !slope.is_finite() {
                    return keep(f64::INFINITY, pieces);
                }
                if slope > 0.0 && direction < 0.0 {
                    keep(t, pieces);
                }
                direction = slope.signum();
            }
            let mut nearest = (f64::INFINITY, None);
            for i in 0..problem.len() {
                let state = pieces.states[i];
                for facet in (0..facets(problem.cones[i], state)).map(|k| (i, k)) {
                    let slope = value(problem, facet, state, &pieces.slope);
                    if direction * slope < 0.0 && Some(facet) != behind {
                        let at_zero = value(problem, facet, state, &pieces.at_zero);
                        let way = (at_zero + t * slope).max(0.0) / slope.abs();
                        if way < nearest.0 {
                            nearest = (way, Some(facet));
                        }
                    }
                }
            }
            if direction < 0.0 && nearest.0 >= t {
                return keep(0.0, pieces);
            }
            let (way, Some((contact, facet))) = nearest else { break };
            t += direction * way;
            self.pivots += 1;
            let state = pieces.states[contact];
            let slip = match state {
                State::Open if problem.range(contact).len() > 1 => {
                    let row = problem.range(contact).start + 1;
                    pieces.at_zero.u[row] + t * pieces.slope.u[row]
                }
                _ => 0.0,
            };
            let (next, into) = neighbor(problem.cones[contact], state, facet, slip);
            pieces.change(problem, contact, next);
            behind = Some((contact, into));
        }
        let t = if pieces.solve(problem) { t } else { f64::INFINITY };
        keep(t, pieces)
    }
}

/// Numbers in −1..1 by a linear congruence: the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64) / ((1u64 << 52) as f64) - 1.0
    }
}

/// How many facets a piece has in the plane of a contact.
fn facets(cone: Cone, state: State) -> usize {
    match (cone, state) {
        (Cone::Free { .. }, _) => 0,
        (Cone::NonNegative, _) | (_, State::Open) => 1,
        _ => 2,
    }
}

/// What is not negative on the near side of a facet.
fn value(problem: &Problem, (contact, facet): Facet, state: State, of: &Affine) -> f64 {
    let at = problem.range(contact).start;
    let (x, u, cone) = (&of.x, &of.u, problem.cones[contact]);
    match (cone, state, facet) {
        (_, State::Open, _) => u[at],
        (Cone::NonNegative, ..) | (_, State::Slide { .. }, 0) => x[at],
        (_, State::Slide { .. }, _) => -side(state) * u[at + 1],
        (_, State::Stick, 0) => cone.mu() * x[at] - x[at + 1],
        (_, State::Stick, _) => cone.mu() * x[at] + x[at + 1],
    }
}

/// The state beyond a facet, and the number that the facet has there. An open contact that closes
/// slides against `slip`.
fn neighbor(cone: Cone, state: State, facet: usize, slip: f64) -> (State, usize) {
    match (cone, state, facet) {
        (Cone::NonNegative, State::Open, _) => (State::Stick, 0),
        (Cone::NonNegative, ..) | (_, State::Slide { .. }, 0) => (State::Open, 0),
        (_, State::Open, _) => (sliding(if slip > 0.0 { -1.0 } else { 1.0 }), 0),
        (_, State::Stick, 0) => (sliding(1.0), 1),
        (_, State::Stick, _) => (sliding(-1.0), 1),
        (_, State::Slide { .. }, _) => (State::Stick, if side(state) > 0.0 { 0 } else { 1 }),
    }
}
