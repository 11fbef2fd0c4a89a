//! Contact problems as files, in the arrays of the research community's FCLIB.
//!
//! Local: `dim` (2 or 3), `mu` (one for each contact), `q`, and the Delassus matrix as triplets
//! `W_row`, `W_col`, `W`. Global: `M_row`, `M_col`, `M`, `H_row`, `H_col`, `H`, `H_shape`, `f`,
//! `w`, with W = HᵀM⁻¹H and q = HᵀM⁻¹f + w. The first entry of a contact is normal. A solution has
//! the impulses `r` and the velocities `u`.

use std::path::Path;

use carom_contact::coulomb::{Cone, Problem, ProblemError, Triplet};
use carom_trajectory::TrajectoryError;
use carom_trajectory::arrays::{Array, Arrays, Numbers, read_arrays, write_arrays};

/// Why a file is no contact problem.
#[derive(Debug, thiserror::Error)]
pub enum ProblemFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] TrajectoryError),
    /// An array is missing.
    #[error("no array {0}; a local problem has dim, mu, q, W_row, W_col, W; a global one M, H, f, w")]
    Missing(String),
    /// An array has the wrong kind of numbers.
    #[error("array {name} {what}")]
    Array {
        /// Its name.
        name: String,
        /// What is wrong.
        what: &'static str,
    },
    /// The numbers are no contact problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// Reads a problem from an `.npz` file.
pub fn read_problem(path: &Path) -> Result<Problem, ProblemFileError> {
    problem_from_arrays(&read_arrays(path)?)
}

/// Makes a problem of arrays.
pub fn problem_from_arrays(arrays: &Arrays) -> Result<Problem, ProblemFileError> {
    let dim = match whole(arrays, "dim")? {
        [2] => 2,
        [3] => 3,
        _ => return Err(wrong("dim", "must be 2 or 3")),
    };
    let cones = float(arrays, "mu")?.iter().map(|&mu| Cone::SecondOrder { dim, mu }).collect();
    if arrays.contains_key("W") {
        let w = triplets(arrays, "W")?;
        return Ok(Problem::from_delassus(cones, &w, float(arrays, "q")?.to_vec())?);
    }
    if !arrays.contains_key("M") {
        return Err(ProblemFileError::Missing("W or M".into()));
    }
    let (mass, jacobian) = (triplets(arrays, "M")?, triplets(arrays, "H")?);
    let (f, w) = (float(arrays, "f")?, float(arrays, "w")?);
    match whole(arrays, "H_shape")? {
        &[rows, columns] if rows as usize == f.len() && columns as usize == w.len() => {}
        _ => return Err(wrong("H_shape", "does not fit f and w")),
    }
    Ok(Problem::from_mass(cones, &mass, &jacobian, f, w)?)
}

/// Writes a local problem. All contacts must have friction cones of the same dimension (a contact
/// without friction has μ = 0); others are refused.
pub fn write_problem(path: &Path, problem: &Problem) -> Result<(), ProblemFileError> {
    let mut mu = Vec::new();
    let mut dim = None;
    for cone in problem.cones() {
        let Cone::SecondOrder { dim: d, mu: m } = *cone else {
            return Err(wrong("mu", "cannot hold a cone other than of friction"));
        };
        if dim.is_some_and(|dim| dim != d) {
            return Err(wrong("dim", "must be the same for all contacts"));
        }
        dim = Some(d);
        mu.push(m);
    }
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (row, column, value) in problem.triplets() {
        rows.push(row as i64);
        columns.push(column as i64);
        values.push(value);
    }
    let arrays = [
        ("dim", Array::whole(i64::from(dim.unwrap_or(3)))),
        ("mu", Array::vector(mu)),
        ("q", Array::vector(problem.q().to_vec())),
        ("W_row", Array::whole_vector(rows)),
        ("W_col", Array::whole_vector(columns)),
        ("W", Array::vector(values)),
    ];
    let arrays: Arrays = arrays.into_iter().map(|(name, array)| (name.to_owned(), array)).collect();
    Ok(write_arrays(path, &arrays)?)
}

/// Writes impulses and velocities.
pub fn write_solution(path: &Path, impulses: &[f64], velocities: &[f64]) -> Result<(), TrajectoryError> {
    let mut arrays = Arrays::new();
    arrays.insert("r".into(), Array::vector(impulses.to_vec()));
    arrays.insert("u".into(), Array::vector(velocities.to_vec()));
    write_arrays(path, &arrays)
}

fn wrong(name: &str, what: &'static str) -> ProblemFileError {
    ProblemFileError::Array { name: name.into(), what }
}

fn find<'a>(arrays: &'a Arrays, name: &str) -> Result<&'a Array, ProblemFileError> {
    arrays.get(name).ok_or_else(|| ProblemFileError::Missing(name.into()))
}

fn float<'a>(arrays: &'a Arrays, name: &str) -> Result<&'a [f64], ProblemFileError> {
    match &find(arrays, name)?.numbers {
        Numbers::Float(numbers) => Ok(numbers),
        Numbers::Whole(_) => Err(wrong(name, "must have floating-point numbers")),
    }
}

fn whole<'a>(arrays: &'a Arrays, name: &str) -> Result<&'a [i64], ProblemFileError> {
    match &find(arrays, name)?.numbers {
        Numbers::Whole(numbers) => Ok(numbers),
        Numbers::Float(_) => Err(wrong(name, "must have whole numbers")),
    }
}

fn triplets(arrays: &Arrays, name: &str) -> Result<Vec<Triplet>, ProblemFileError> {
    let values = float(arrays, name)?;
    let (row_name, column_name) = (format!("{name}_row"), format!("{name}_col"));
    let (rows, columns) = (whole(arrays, &row_name)?, whole(arrays, &column_name)?);
    if rows.len() != values.len() || columns.len() != values.len() {
        return Err(wrong(name, "has another length than its rows or columns"));
    }
    let index = |i: i64| usize::try_from(i).map_err(|_| wrong(name, "has a negative row or column"));
    let entries = rows.iter().zip(columns).zip(values);
    entries.map(|((&row, &column), &value)| Ok((index(row)?, index(column)?, value))).collect()
}
