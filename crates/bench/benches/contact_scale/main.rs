//! Contact problems of 10 to 20,000 contacts, ours against clarabel in the same run.
//!
//! `cargo bench -p carom-bench --bench contact_scale`. Prints for each problem the times, their
//! ratio, both residuals (worst of penetration speed, negative impulse and complementarity,
//! measured the same way for both) and, for each family of problems, the exponent of cost against
//! contacts.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

#[path = "../../../contact/tests/scenes/mod.rs"]
mod scenes;

use carom_contact::{ContactProblem, Residual, Response, Workspace, resolve};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
};
use std::sync::OnceLock;
use std::time::Instant;

/// Makes a problem of about this many contacts.
type Make = fn(usize) -> ContactProblem;

fn main() {
    let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let families: [(&str, Make); 4] = [
        ("tree", scenes::tree),
        ("closing packing", scenes::closing),
        ("pile", |n| scenes::pile(n, 0.0)),
        ("pile, uneven", |n| scenes::pile(n, 0.02)),
    ];
    println!(
        "| problem | contacts | ours ms | warm ms | steps | residual | clarabel ms | residual | ratio | to warm |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, make) in families {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut costs = vec![];
        for size in [10, 100, 1_000, 5_000, 20_000] {
            let problem = make(size);
            let contacts = problem.contact_count();
            let ours = Ours::new(&problem);
            let peer = Peer::new(&problem);
            // By turns, and the least of each: whatever else the machine does then counts least.
            let [mut cold, mut warm, mut theirs] = [f64::INFINITY; 3];
            for _ in 0..ROUNDS {
                cold = cold.min(ours.time_cold());
                warm = warm.min(ours.time_warm());
                theirs = theirs.min(peer.time());
            }
            println!(
                "| {name} | {contacts} | {:.3} | {:.3} | {} | {:.1e} | {:.3} | {:.1e} | {:.1} | {:.0} |",
                cold * 1e3,
                warm * 1e3,
                ours.steps,
                ours.residual,
                theirs * 1e3,
                peer.residual,
                theirs / cold,
                theirs / warm
            );
            costs.push((contacts as f64, cold));
        }
        println!(
            "exponent of {name}: {:.2} over all sizes, {:.2} from 1,000 on",
            exponent(&costs),
            exponent(&costs[2..])
        );
    }
}

/// Slope of log cost against log size, by least squares.
fn exponent(costs: &[(f64, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = costs.iter().map(|&(n, t)| (n.log10(), t.log10())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / count, s.1 + p.1 / count));
    let (above, below) =
        points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - x) * (p.1 - y), s.1 + (p.0 - x) * (p.0 - x)));
    above / below
}

/// Times that each side is measured.
const ROUNDS: usize = 5;

/// Seconds for one call: the mean over as many calls as fill a twentieth of a second.
fn time(mut call: impl FnMut()) -> f64 {
    let start = seconds();
    let mut calls = 0.0;
    while seconds() - start < 0.05 {
        call();
        calls += 1.0;
    }
    (seconds() - start) / calls
}

/// Our answer to a problem.
struct Ours<'a> {
    problem: &'a ContactProblem,
    answered: Workspace,
    steps: u64,
    residual: f64,
}

impl<'a> Ours<'a> {
    fn new(problem: &'a ContactProblem) -> Self {
        let mut answered = Workspace::new();
        let resolution = resolve(problem, &Response::VELOCITY_PROJECTION, &mut answered);
        let steps = resolution.iterations;
        let residual = residual(problem, &resolution.impulses, &resolution.velocity).worst();
        Ours { problem, answered, steps, residual }
    }

    /// With a fresh workspace each time.
    fn time_cold(&self) -> f64 {
        time(|| {
            resolve(self.problem, &Response::VELOCITY_PROJECTION, &mut Workspace::new());
        })
    }

    /// From the impulses that the problem ended with.
    fn time_warm(&self) -> f64 {
        let mut workspace = self.answered.clone();
        time(|| {
            resolve(self.problem, &Response::VELOCITY_PROJECTION, &mut workspace);
        })
    }
}

fn residual(problem: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> Residual {
    let mut worst = Residual::default();
    for (contact, &impulse) in problem.contacts().zip(impulses) {
        let speed = contact.gap_speed(velocity);
        let inverse_mass = contact.normal.line().inverse_mass();
        worst = worst.max(Residual {
            penetration_speed: -speed,
            negative_impulse: -impulse,
            complementarity: (impulse * inverse_mass).min(speed),
            friction: 0.0,
        });
    }
    worst
}

/// Clarabel on min ½vᵀMv − vᵀMq subject to −Nᵀv + s = 0, s ≥ 0, at the tightest tolerance that
/// converges.
struct Peer {
    mass: CscMatrix,
    linear: Vec<f64>,
    rows: CscMatrix,
    settings: DefaultSettings<f64>,
    residual: f64,
}

impl Peer {
    fn new(problem: &ContactProblem) -> Self {
        let n = problem.dof_count();
        let diagonal = &problem.mass.diagonal;
        let (mut i, mut j, mut values) = (vec![], vec![], vec![]);
        for (k, contact) in problem.contacts().enumerate() {
            for (dof, eta, _) in contact.normal.line().entries() {
                i.push(k);
                j.push(dof.0 as usize);
                values.push(-eta);
            }
        }
        let mut peer = Peer {
            mass: CscMatrix::new(n, n, (0..=n).collect(), (0..n).collect(), diagonal.clone()),
            linear: problem.velocity.iter().zip(diagonal).map(|(v, m)| -v * m).collect(),
            rows: CscMatrix::new_from_triplets(problem.contact_count(), n, i, j, values),
            settings: DefaultSettings { verbose: false, max_threads: 1, ..DefaultSettings::default() },
            residual: f64::NAN,
        };
        for tolerance in [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8] {
            peer.settings.tol_gap_abs = tolerance;
            peer.settings.tol_gap_rel = tolerance;
            peer.settings.tol_feas = tolerance;
            let solution = peer.solve();
            if solution.status == SolverStatus::Solved {
                peer.residual = residual(problem, &solution.z, &solution.x).worst();
                break;
            }
        }
        peer
    }

    fn solve(&self) -> DefaultSolution<f64> {
        let count = self.rows.m;
        let cones = [NonnegativeConeT(count)];
        let zeros = vec![0.0; count];
        let settings = self.settings.clone();
        let mut solver = DefaultSolver::new(&self.mass, &self.linear, &self.rows, &zeros, &cones, settings)
            .expect("the problem is well formed");
        solver.solve();
        solver.solution
    }

    fn time(&self) -> f64 {
        time(|| {
            self.solve();
        })
    }
}

/// Processor time of this thread where the system tells it (a busy machine then does not count),
/// else the clock.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()))
        .map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
