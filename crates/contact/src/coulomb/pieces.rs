//! The linear equations of a guess of states, one change after the other.
//!
//! A guess says of each contact whether it is open, sticks or slides and to which side. Impulses
//! and velocities are then affine in a parameter t: u = (W + δ) x + q − t f, with u = 0 where a
//! contact pushes and x_T = ±μ x_N where it slides. The matrix is factored for one guess; guesses
//! that differ from it by a few contacts are solved by bordering: each difference is one more
//! unknown and one more equation, and the Schur complement is dense and small.

use super::newton::{State, reduce};
use super::{Cone, Problem};
use carom_numerics::sparse::frontal::FrontalLu;

/// Differences before the guess is factored anew.
const MOST_DIFFERENCES: usize = 24;
/// A pivot below this part of its column is replaced.
const SMALLEST_PIVOT: f64 = 1e-15;

/// Affine in t: values at t = 0 and slopes.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine {
    pub(super) x: Vec<f64>,
    pub(super) u: Vec<f64>,
}

/// How a contact differs from the factored guess.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Difference {
    /// It was open and pushes, along (1, ±μ): one more unknown, and u_N = 0 unless it says
    /// otherwise.
    Pushes { sign: f64 },
    /// It slid or was open, and its tangential impulse is one more unknown.
    Rubs,
    /// It pushed and is open: x_N = 0, and u_N is one more unknown.
    Opens,
    /// It stuck and slides or is open: x_T = ±μ x_N, and u_T is one more unknown.
    Slips,
}

#[derive(Clone, Debug)]
struct Border {
    contact: usize,
    difference: Difference,
    /// What a unit of the unknown does to impulses and velocities.
    effect: Affine,
}

/// A guess with its solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) lu: FrontalLu,
    pub(super) states: Vec<State>,
    /// The guess that is factored, the number of unknowns of each contact and its first one.
    base: Vec<State>,
    sizes: Vec<u8>,
    starts: Vec<u32>,
    /// δ, q and f.
    pub(super) delta: f64,
    pub(super) q: Vec<f64>,
    pub(super) f: Vec<f64>,
    /// The solution of the factored guess, and of the guess at hand: at t = 0, and slopes.
    of_base: [Affine; 2],
    pub(super) at_zero: Affine,
    pub(super) slope: Affine,
    borders: Vec<Border>,
    unused: Vec<Affine>,
    schur: Vec<f64>,
    right: [Vec<f64>; 2],
    y: Vec<f64>,
    /// Factorizations and products, about, since [`Pieces::start`].
    pub(super) factorizations: u32,
    pub(super) products: u64,
}

/// The side to which a contact slides, 0 if it does not.
pub(super) fn side(state: State) -> f64 {
    match state {
        State::Slide { direction, .. } => direction[0],
        _ => 0.0,
    }
}

/// A sliding contact whose tangential impulse has this sign.
pub(super) fn sliding(sign: f64) -> State {
    State::Slide { direction: [sign, 0.0], damping: 0.0 }
}

impl Pieces {
    /// Forgets what was done.
    pub(super) fn start(&mut self, problem: &Problem) {
        self.lu.analyze(&problem.pattern);
        (self.factorizations, self.products) = (0, 0);
    }

    /// The impulses of the factored guess at t = 0.
    pub(super) fn newton_point(&self) -> &[f64] {
        &self.of_base[0].x
    }

    /// Factors the guess at hand.
    pub(super) fn factor(&mut self, problem: &Problem) {
        self.unused.extend(self.borders.drain(..).map(|border| border.effect));
        self.base.clone_from(&self.states);
        self.factorizations += 1;
        self.products += self.lu.operations(2);
        let Self { lu, base, sizes, starts, delta, .. } = self;
        sizes.clear();
        starts.clear();
        let mut total = 0;
        for i in 0..problem.len() {
            let dim = problem.cones[i].dim() as u8;
            let size = match base[i] {
                State::Open => 0,
                State::Stick => dim,
                State::Slide { .. } => dim - 1,
            };
            sizes.push(size);
            starts.push(total);
            total += u32::from(size);
        }
        lu.factor(&problem.pattern, sizes, SMALLEST_PIVOT, |i, j, entry, out| {
            let (rows, columns) = (problem.cones[i].dim(), problem.cones[j].dim());
            reduce(base[i], base[j], problem.cones[j].mu(), (problem.block(entry), rows, columns), out);
            if i == j {
                let size = usize::from(sizes[i]);
                (0..size).for_each(|k| out[k * size + k] += *delta);
            }
        });
        for (which, sign) in [(0, -1.0), (1, 1.0)] {
            let mut of_base = std::mem::take(&mut self.of_base[which]);
            let from = if which == 0 { &self.q } else { &self.f };
            self.y.clear();
            for (i, &size) in self.sizes.iter().enumerate() {
                let range = problem.range(i);
                self.y.extend(from[range][..usize::from(size)].iter().map(|v| sign * v));
            }
            self.lu.solve(&mut self.y);
            self.expand(problem, &mut of_base.x);
            self.multiply(problem, &mut of_base);
            let from = if which == 0 { &self.q } else { &self.f };
            of_base.u.iter_mut().zip(from).for_each(|(u, v)| *u -= sign * v);
            self.of_base[which] = of_base;
        }
    }

    /// Impulses from the unknowns `y` of the factored guess.
    fn expand(&self, problem: &Problem, x: &mut Vec<f64>) {
        x.clear();
        x.resize(problem.rows(), 0.0);
        for (i, &size) in self.sizes.iter().enumerate() {
            let (at, from) = (problem.range(i).start, self.starts[i] as usize);
            let size = usize::from(size);
            x[at..at + size].copy_from_slice(&self.y[from..from + size]);
            if let State::Slide { direction, .. } = self.base[i] {
                x[at + 1] = problem.cones[i].mu() * direction[0] * x[at];
            }
        }
    }

    /// u = (W + δ) x.
    fn multiply(&self, problem: &Problem, effect: &mut Affine) {
        effect.u.clear();
        effect.u.extend(effect.x.iter().map(|x| self.delta * x));
        problem.add_product(&effect.x, &mut effect.u);
    }

    /// Gives a contact another state.
    pub(super) fn change(&mut self, problem: &Problem, contact: usize, state: State) {
        self.states[contact] = state;
        let before = self.borders.iter().find_map(|border| match border.difference {
            Difference::Pushes { sign } if border.contact == contact => Some(sign),
            _ => None,
        });
        let pushes = Difference::Pushes { sign: before.unwrap_or(side(state)) };
        let is_rough = matches!(problem.cones[contact], Cone::SecondOrder { .. });
        let wanted = match (self.base[contact], state) {
            (State::Open, State::Open) | (State::Stick, State::Stick) => [None, None],
            (State::Open, State::Stick) if is_rough => [Some(pushes), Some(Difference::Rubs)],
            (State::Open, State::Stick) => [Some(pushes), None],
            (State::Open, State::Slide { .. }) => match pushes {
                Difference::Pushes { sign } if sign == side(state) => [Some(pushes), None],
                _ => [Some(pushes), Some(Difference::Rubs)],
            },
            (State::Stick, State::Open) if is_rough => [Some(Difference::Opens), Some(Difference::Slips)],
            (State::Stick | State::Slide { .. }, State::Open) => [Some(Difference::Opens), None],
            (State::Stick, State::Slide { .. }) => [Some(Difference::Slips), None],
            (base @ State::Slide { .. }, State::Slide { .. }) if side(base) == side(state) => [None, None],
            (State::Slide { .. }, State::Stick | State::Slide { .. }) => [Some(Difference::Rubs), None],
        };
        let mut k = 0;
        while k < self.borders.len() {
            let border = &self.borders[k];
            if border.contact == contact && !wanted.contains(&Some(border.difference)) {
                let border = self.borders.swap_remove(k);
                self.unused.push(border.effect);
            } else {
                k += 1;
            }
        }
        if self.borders.len() + 2 > MOST_DIFFERENCES {
            return self.factor(problem);
        }
        for difference in wanted.into_iter().flatten() {
            let is_there = |border: &Border| border.contact == contact && border.difference == difference;
            if !self.borders.iter().any(is_there) {
                let effect = self.effect(problem, contact, difference);
                self.borders.push(Border { contact, difference, effect });
            }
        }
    }

    /// What a unit of the unknown of a difference does, with the equations of the factored guess.
    fn effect(&mut self, problem: &Problem, contact: usize, difference: Difference) -> Affine {
        let mut effect = self.unused.pop().unwrap_or_default();
        let total = self.starts.last().map_or(0, |&start| start as usize)
            + self.sizes.last().map_or(0, |&size| usize::from(size));
        self.y.clear();
        self.y.resize(total, 0.0);
        let column = match difference {
            Difference::Pushes { sign } => [1.0, sign * problem.cones[contact].mu()],
            Difference::Rubs => [0.0, 1.0],
            Difference::Opens | Difference::Slips => [0.0; 2],
        };
        let first = self.starts[contact] as usize;
        match difference {
            Difference::Opens => self.y[first] = 1.0,
            Difference::Slips => self.y[first + 1] = 1.0,
            // W is symmetric: columns are rows.
            _ => {
                for entry in problem.pattern.row(contact) {
                    let other = problem.pattern.columns[entry] as usize;
                    let (block, width) = (problem.block(entry), problem.cones[other].dim());
                    for k in 0..usize::from(self.sizes[other]) {
                        let sum: f64 = block[k..].iter().step_by(width).zip(column).map(|(w, c)| w * c).sum();
                        self.y[self.starts[other] as usize + k] -= sum;
                    }
                }
            }
        }
        self.lu.solve(&mut self.y);
        self.products += (self.lu.entries() + problem.values.len()) as u64;
        self.expand(problem, &mut effect.x);
        let range = problem.range(contact);
        effect.x[range].iter_mut().zip(column).for_each(|(x, c)| *x += c);
        self.multiply(problem, &mut effect);
        effect
    }

    /// What the equation of a border demands to be zero.
    fn defect(&self, problem: &Problem, border: &Border, of: &Affine) -> f64 {
        let at = problem.range(border.contact).start;
        let state = self.states[border.contact];
        match border.difference {
            Difference::Pushes { .. } => of.u[at],
            Difference::Opens => of.x[at],
            Difference::Rubs if state == State::Stick => of.u[at + 1],
            Difference::Rubs | Difference::Slips => {
                of.x[at + 1] - side(state) * problem.cones[border.contact].mu() * of.x[at]
            }
        }
    }

    /// Solves the guess at hand; false if its equations are singular.
    pub(super) fn solve(&mut self, problem: &Problem) -> bool {
        let n = self.borders.len();
        self.products += (4 * (n + 1) * problem.rows() + n * n * n / 3) as u64;
        let mut schur = std::mem::take(&mut self.schur);
        let mut right = std::mem::take(&mut self.right);
        schur.clear();
        right.iter_mut().for_each(Vec::clear);
        for row in &self.borders {
            schur.extend(self.borders.iter().map(|column| self.defect(problem, row, &column.effect)));
            for (right, of_base) in right.iter_mut().zip(&self.of_base) {
                right.push(-self.defect(problem, row, of_base));
            }
        }
        let is_regular = solve_dense(&mut schur, n, &mut right);
        for (which, right) in right.iter().enumerate() {
            let of_base = &self.of_base[which];
            let to = if which == 0 { &mut self.at_zero } else { &mut self.slope };
            to.x.clone_from(&of_base.x);
            to.u.clone_from(&of_base.u);
            for (border, &w) in self.borders.iter().zip(right) {
                to.x.iter_mut().zip(&border.effect.x).for_each(|(to, x)| *to += w * x);
                to.u.iter_mut().zip(&border.effect.u).for_each(|(to, u)| *to += w * u);
            }
        }
        self.schur = schur;
        self.right = right;
        is_regular
    }
}

/// Gaussian elimination with row exchanges for two right-hand sides.
fn solve_dense(a: &mut [f64], n: usize, right: &mut [Vec<f64>; 2]) -> bool {
    for k in 0..n {
        let mut best = k;
        for row in k + 1..n {
            if a[row * n + k].abs() > a[best * n + k].abs() {
                best = row;
            }
        }
        if best != k {
            (0..n).for_each(|c| a.swap(k * n + c, best * n + c));
            right.iter_mut().for_each(|right| right.swap(k, best));
        }
        let pivot = a[k * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        for row in k + 1..n {
            let factor = a[row * n + k] / pivot;
            if factor != 0.0 {
                for c in k + 1..n {
                    a[row * n + c] -= factor * a[k * n + c];
                }
                right.iter_mut().for_each(|right| right[row] -= factor * right[k]);
            }
        }
    }
    for right in right {
        for k in (0..n).rev() {
            let sum: f64 = (k + 1..n).map(|c| a[k * n + c] * right[c]).sum();
            right[k] = (right[k] - sum) / a[k * n + k];
        }
    }
    true
}
