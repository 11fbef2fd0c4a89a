//! Contact problems of numpy arrays.

use crate::errors;
use carom::coulomb::{Cone, Problem, Settings, Solver, SolverStatus};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Solves u = W r + q for contacts with Coulomb friction; W as triplets. Gives r, u and a
/// certificate as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arrays of a sparse matrix")]
#[expect(clippy::type_complexity, reason = "two arrays and a text")]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray1<'py, i64>,
    columns: PyReadonlyArray1<'py, i64>,
    values: PyReadonlyArray1<'py, f64>,
    q: PyReadonlyArray1<'py, f64>,
    mu: PyReadonlyArray1<'py, f64>,
    guess: Option<PyReadonlyArray1<'py, f64>>,
    tolerance: f64,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, String)> {
    let wrong = |words: String| errors::argument(py, words);
    let list = |array: &PyReadonlyArray1<'py, f64>| array.as_array().iter().copied().collect::<Vec<f64>>();
    let (values, q, mu) = (list(&values), list(&q), list(&mu));
    let size = q.len();
    let dim = match (size, mu.len()) {
        (0, 0) => 3,
        (size, contacts) if contacts > 0 && (size == 2 * contacts || size == 3 * contacts) => size / contacts,
        (size, contacts) => {
            let words = format!("q has {size} entries for {contacts} contacts; each has 2 or 3");
            return Err(wrong(words));
        }
    };
    if !(tolerance >= 0.0 && tolerance.is_finite()) {
        return Err(wrong(format!("tolerance must be a finite number of at least 0, not {tolerance}")));
    }
    let whole = |array: &PyReadonlyArray1<'py, i64>| {
        let index = |&i: &i64| usize::try_from(i).map_err(|_| wrong("W has a negative index".to_owned()));
        array.as_array().iter().map(index).collect::<PyResult<Vec<usize>>>()
    };
    let (rows, columns) = (whole(&rows)?, whole(&columns)?);
    if rows.len() != values.len() || columns.len() != values.len() {
        return Err(wrong("W has rows, columns and values of different lengths".to_owned()));
    }
    let guess = guess.as_ref().map_or_else(|| vec![0.0; size], list);
    if guess.len() != size || !guess.iter().all(|number| number.is_finite()) {
        return Err(wrong(format!("the guess must have {size} finite numbers")));
    }
    let answer = py.detach(|| {
        let cones = mu.iter().map(|&mu| Cone::SecondOrder { dim: dim as u8, mu }).collect();
        let triplets: Vec<(usize, usize, f64)> =
            rows.into_iter().zip(columns).zip(values).map(|((row, column), w)| (row, column, w)).collect();
        let problem = Problem::from_delassus(cones, &triplets, q).map_err(|error| error.to_string())?;
        let mut solver = Solver::new(Settings::to_tolerance(tolerance));
        let mut impulses = guess;
        let answer = solver.solve(&problem, &mut impulses);
        let (c, e) = (&answer.certificate, &answer.effort);
        let status = match answer.status {
            SolverStatus::Solved => "solved",
            SolverStatus::AlmostSolved => "almost solved",
            SolverStatus::Infeasible => "infeasible",
            SolverStatus::Limit => "limit",
        };
        let certificate = serde_json::json!({
            "status": status,
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
        });
        Ok((impulses, solver.velocity().to_vec(), certificate.to_string()))
    });
    let (impulses, velocities, certificate) = answer.map_err(wrong)?;
    Ok((PyArray1::from_vec(py, impulses), PyArray1::from_vec(py, velocities), certificate))
}
