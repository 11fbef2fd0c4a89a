//! `carom solve`: a contact problem from a file.

use crate::arguments::Solve;
use anyhow::{Context, Result};
use carom::contact_problem::{read_problem, write_solution};
use carom::coulomb::{Answer, Problem, Settings, Solver, SolverStatus};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn run(options: &Solve) -> Result<ExitCode> {
    anyhow::ensure!(
        options.tolerance >= 0.0 && options.tolerance.is_finite(),
        "--tolerance must be a finite number of at least 0, not {}",
        options.tolerance
    );
    let path = &options.problem;
    let problem = read_problem(path).with_context(|| format!("{} is no contact problem", path.display()))?;
    let mut solver = Solver::new(Settings::to_tolerance(options.tolerance));
    let mut impulses = vec![0.0; problem.rows()];
    let answer = solver.solve(&problem, &mut impulses);
    if let Some(output) = &options.output
        && answer.status != SolverStatus::Infeasible
    {
        write_solution(output, &impulses, solver.velocity())?;
    }
    let printed =
        if options.json { print_json(&problem, &solver, &answer) } else { print(&problem, &solver, &answer) };
    crate::unless_unread(printed)?;
    Ok(if answer.status == SolverStatus::Solved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn words(status: SolverStatus) -> &'static str {
    match status {
        SolverStatus::Solved => "solved",
        SolverStatus::AlmostSolved => "almost solved",
        SolverStatus::Infeasible => "infeasible",
        SolverStatus::Limit => "limit",
    }
}

fn print(problem: &Problem, solver: &Solver, answer: &Answer) -> Result<()> {
    let (c, e) = (&answer.certificate, &answer.effort);
    let mut out = crate::terminal::stdout();
    if let Some(proof) = solver.proof().filter(|_| answer.status == SolverStatus::Infeasible) {
        writeln!(
            out,
            "infeasible: contacts press against each other (margin {:.1e} m/s, every impulse below {:.1e} N s is excluded)",
            proof.margin, proof.excluded_impulse
        )?;
        return Ok(());
    }
    writeln!(
        out,
        "{}: residual {:.1e}, violation {:.1e} m/s; {} contacts, {} islands, {} sweeps, {} Newton, {} interior point iterations",
        words(answer.status),
        c.residual,
        c.violation,
        problem.len(),
        e.islands,
        e.sweeps,
        e.newton,
        e.interior
    )?;
    Ok(())
}

fn print_json(problem: &Problem, solver: &Solver, answer: &Answer) -> Result<()> {
    let (c, e) = (&answer.certificate, &answer.effort);
    let proof = solver.proof().filter(|_| answer.status == SolverStatus::Infeasible).map(|proof| {
        json!({
            "multipliers": proof.multipliers,
            "margin": proof.margin,
            "excluded_impulse": proof.excluded_impulse,
        })
    });
    let value = json!({
        "status": words(answer.status),
        "contacts": problem.len(),
        "rows": problem.rows(),
        "residual": c.residual,
        "natural_map": c.natural_map,
        "velocity_error": c.velocity_error,
        "violation": c.violation,
        "dual_violation": c.dual_violation,
        "complementarity": c.complementarity,
        "cone_distance": c.cone_distance,
        "work": c.work,
        "worst_contact": c.worst_contact,
        "islands": e.islands,
        "sweeps": e.sweeps,
        "newton_iterations": e.newton,
        "interior_iterations": e.interior,
        "proof": proof,
    });
    writeln!(crate::terminal::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
    Ok(())
}
