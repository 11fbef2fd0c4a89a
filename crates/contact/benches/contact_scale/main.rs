//! Contact problems of 10 to 20,000 contacts, ours against clarabel in the same run.
//!
//! `cargo bench -p carom-contact --bench contact_scale`. Prints for each problem the times, their ratio, both residuals (worst of
//! penetration speed, negative impulse and complementarity, measured the same way for both) and, for each family of
//! problems, the exponent of cost against contacts.

#![allow(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod scenes;

use carom_contact::{ContactProblem, Residual, Response, Workspace, resolve};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus};
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
        "| problem | contacts | ours ms | warm ms | steps | residual | clarabel ms | residual | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, make) in families {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut costs = vec![];
        for size in [10, 100, 1_000, 5_000, 20_000] {
            let problem = make(size);
            let contacts = problem.contacts().len();
            let ours = time_ours(&problem);
            let peer = time_clarabel(&problem);
            println!(
                "| {name} | {contacts} | {:.3} | {:.3} | {} | {:.1e} | {:.3} | {:.1e} | {:.1} |",
                ours.0 * 1e3,
                ours.1 * 1e3,
                ours.2,
                ours.3,
                peer.0 * 1e3,
                peer.1,
                peer.0 / ours.0
            );
            costs.push((contacts as f64, ours.0));
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

/// Seconds for one call: the mean over as many calls as fill a tenth of a second.
fn time(mut call: impl FnMut()) -> f64 {
    let start = seconds();
    let mut calls = 0.0;
    while seconds() - start < 0.1 {
        call();
        calls += 1.0;
    }
    (seconds() - start) / calls
}

/// Cold (a fresh workspace each time), warm, Newton steps and residual.
fn time_ours(problem: &ContactProblem) -> (f64, f64, u64, f64) {
    let response = Response::VELOCITY_PROJECTION;
    let cold = time(|| {
        resolve(problem, &response, &mut Workspace::new());
    });
    let mut workspace = Workspace::new();
    let resolution = resolve(problem, &response, &mut workspace).clone();
    let residual = residual(problem, &resolution.impulses, &resolution.velocity);
    let warm = time(|| {
        resolve(problem, &response, &mut workspace);
    });
    (cold, warm, resolution.iterations, residual.worst())
}

fn residual(problem: &ContactProblem, impulses: &[f64], velocity: &[f64]) -> Residual {
    let mut worst = Residual::default();
    for (contact, &impulse) in problem.contacts().iter().zip(impulses) {
        let speed = contact.gap_speed(velocity);
        let stiffness = contact.normal.coupling(&contact.normal);
        worst = worst.max(Residual {
            penetration_speed: -speed,
            negative_impulse: -impulse,
            complementarity: (impulse * stiffness).min(speed),
            friction: 0.0,
        });
    }
    worst
}

/// min ½vᵀMv − vᵀMq subject to −Nᵀv + s = 0, s ≥ 0, at the tightest tolerance that converges.
fn time_clarabel(problem: &ContactProblem) -> (f64, f64) {
    let n = problem.dof_count();
    let m = problem.contacts().len();
    let mass = CscMatrix::new(n, n, (0..=n).collect(), (0..n).collect(), problem.mass.diagonal.clone());
    let linear: Vec<f64> = problem.velocity.iter().zip(&problem.mass.diagonal).map(|(v, m)| -v * m).collect();
    let (mut i, mut j, mut values) = (vec![], vec![], vec![]);
    for (k, contact) in problem.contacts().iter().enumerate() {
        for (dof, eta, _) in contact.normal.entries() {
            i.push(k);
            j.push(dof.0 as usize);
            values.push(-eta);
        }
    }
    let rows = CscMatrix::new_from_triplets(m, n, i, j, values);
    for tolerance in [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8] {
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: tolerance,
            tol_gap_rel: tolerance,
            tol_feas: tolerance,
            max_threads: 1,
            ..DefaultSettings::default()
        };
        let solve = || {
            let cones = [NonnegativeConeT(m)];
            let mut solver =
                DefaultSolver::new(&mass, &linear, &rows, &vec![0.0; m], &cones, settings.clone())
                    .expect("the problem is well formed");
            solver.solve();
            solver.solution
        };
        let solution = solve();
        if solution.status == SolverStatus::Solved {
            let seconds = time(|| {
                solve();
            });
            return (seconds, residual(problem, &solution.z, &solution.x).worst());
        }
    }
    (f64::NAN, f64::NAN)
}

/// Processor time of this thread where the system tells it (a busy machine then does not count), else the clock.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()))
        .map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
