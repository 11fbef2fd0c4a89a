//! The contact problem of a step, for researchers as a file and for students as matrices.

use crate::contact_problem::ProblemFileError;
use carom_contact::{ContactProblem, Dof, RowView};
use carom_trajectory::arrays::{Array, Arrays, write_arrays};
use std::fmt::{self, Write};
use std::path::Path;

/// Gaps that open faster than this, in m/s, are no contacts.
const NEVER: f64 = 1e100;

/// Which degrees of freedom can move, and how they are numbered without the others.
fn numbering(problem: &ContactProblem) -> Vec<Option<usize>> {
    let mut next = 0;
    let number = |dof: usize| {
        problem.is_movable(Dof(dof as u32)).then(|| {
            next += 1;
            next - 1
        })
    };
    (0..problem.dof_count()).map(number).collect()
}

/// The arrays of a global problem of FCLIB (see [`crate::contact_problem`]): M over what can move,
/// H, f = Mv and w, the part of relative velocities that obstacles and gaps make. None without
/// contacts.
///
/// What bodies do in a step is asked here without bounce: gap/dt + u ≥ 0, friction in its cone. A
/// contact without tangents has columns of zeros for them.
pub fn arrays_of_step(problem: &ContactProblem) -> Option<Arrays> {
    let number = numbering(problem);
    let freedoms = number.iter().flatten().count();
    let tangents = |k: usize| problem.tangent_range(k).len();
    let dim = 1 + (0..problem.contact_count()).map(tangents).max().unwrap_or(0).max(1);
    let (mut mu, mut w) = (Vec::new(), Vec::new());
    let mut h = Triplets::default();
    for k in 0..problem.contact_count() {
        let contact = problem.contact(k);
        let moves = problem.normal(k).entries().any(|(dof, ..)| problem.is_movable(dof));
        if !moves || contact.speculative_bias >= NEVER {
            continue;
        }
        let mut push = |line: Option<RowView<'_>>, own: f64| {
            let mut speed = own;
            for (dof, eta, _) in line.into_iter().flat_map(RowView::entries) {
                match number[dof.0 as usize] {
                    Some(row) => h.push(row, w.len(), eta),
                    None => speed += eta * problem.velocity[dof.0 as usize],
                }
            }
            w.push(speed);
        };
        push(Some(problem.normal(k)), contact.kinematic_speed + contact.speculative_bias);
        let mut lines = problem.tangent_range(k).map(|t| problem.tangent(t));
        (1..dim).for_each(|_| push(lines.next(), 0.0));
        mu.push(if tangents(k) == 0 { 0.0 } else { contact.friction });
    }
    if mu.is_empty() {
        return None;
    }
    let (mut m, mut f) = (Triplets::default(), vec![0.0; freedoms]);
    for (dof, &row) in number.iter().enumerate() {
        if let Some(row) = row {
            m.push(row, row, problem.mass.diagonal[dof]);
            f[row] += problem.mass.diagonal[dof] * problem.velocity[dof];
        }
    }
    for entry in &problem.mass.off_diagonal {
        let (i, j) = (entry.row as usize, entry.column as usize);
        if let (Some(row), Some(column)) = (number[i], number[j]) {
            m.push(row, column, entry.value);
            m.push(column, row, entry.value);
            f[row] += entry.value * problem.velocity[j];
            f[column] += entry.value * problem.velocity[i];
        }
    }
    let shape = vec![freedoms as i64, w.len() as i64];
    let mut arrays = Arrays::new();
    m.write("M", &mut arrays);
    h.write("H", &mut arrays);
    arrays.insert("dim".into(), Array::whole(dim as i64));
    arrays.insert("H_shape".into(), Array::whole_vector(shape));
    for (name, numbers) in [("mu", mu), ("f", f), ("w", w)] {
        arrays.insert(name.into(), Array::vector(numbers));
    }
    Some(arrays)
}

/// Writes the contact problem of a step; false without contacts.
pub fn write_step(path: &Path, problem: &ContactProblem) -> Result<bool, ProblemFileError> {
    match arrays_of_step(problem) {
        Some(arrays) => write_arrays(path, &arrays).map(|()| true).map_err(Into::into),
        None => Ok(false),
    }
}

#[derive(Default)]
struct Triplets {
    rows: Vec<i64>,
    columns: Vec<i64>,
    values: Vec<f64>,
}

impl Triplets {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row as i64);
        self.columns.push(column as i64);
        self.values.push(value);
    }

    fn write(self, name: &str, arrays: &mut Arrays) {
        arrays.insert(format!("{name}_row"), Array::whole_vector(self.rows));
        arrays.insert(format!("{name}_col"), Array::whole_vector(self.columns));
        arrays.insert(name.into(), Array::vector(self.values));
    }
}

/// A, b, M, −Mq̇ and N of a step as the hand-out of theme 3 milestone 2 prints them: normals only,
/// fixed bodies left out.
pub fn matrices_of_step(problem: &ContactProblem) -> String {
    let number = numbering(problem);
    let freedoms = number.iter().flatten().count();
    let contacts: Vec<usize> = (0..problem.contact_count())
        .filter(|&k| problem.speculative_bias(k) < NEVER && problem.normal(k).inverse_mass() > 0.0)
        .collect();
    let mut text = String::new();
    let delassus = |i: usize, j: usize| problem.normal(contacts[i]).delassus(problem.normal(contacts[j]));
    let b: Vec<f64> = contacts.iter().map(|&k| problem.gap_speed(k, &problem.velocity)).collect();
    let mut n = vec![vec![0.0; contacts.len()]; freedoms];
    for (column, &k) in contacts.iter().enumerate() {
        for (dof, eta, _) in problem.normal(k).entries() {
            if let Some(row) = number[dof.0 as usize] {
                n[row][column] = eta;
            }
        }
    }
    let mut m = vec![vec![0.0; freedoms]; freedoms];
    for (dof, &row) in number.iter().enumerate() {
        row.into_iter().for_each(|row| m[row][row] = problem.mass.diagonal[dof]);
    }
    for entry in &problem.mass.off_diagonal {
        if let (Some(row), Some(column)) = (number[entry.row as usize], number[entry.column as usize]) {
            m[row][column] = entry.value;
            m[column][row] = entry.value;
        }
    }
    let velocity: Vec<f64> =
        number.iter().zip(&problem.velocity).filter_map(|(row, &v)| row.map(|_| v)).collect();
    let product = |row: &Vec<f64>| -row.iter().zip(&velocity).map(|(m, v)| m * v).sum::<f64>();
    let momentum: Vec<f64> = m.iter().map(product).collect();
    let all = 0..contacts.len();
    let a = all.clone().map(|i| all.clone().map(|j| delassus(i, j)).collect::<Vec<_>>());
    // Writing to a string does not fail.
    let _: fmt::Result = (|| {
        write_matrix(&mut text, "A", a)?;
        write_matrix(&mut text, "b", b.iter().map(|&b| vec![b]))?;
        write_matrix(&mut text, "M", m.iter().cloned())?;
        write_matrix(&mut text, "-Mq'", momentum.iter().map(|&p| vec![p]))?;
        write_matrix(&mut text, "N", n.iter().cloned())
    })();
    text
}

fn write_matrix(text: &mut String, name: &str, rows: impl Iterator<Item = Vec<f64>>) -> fmt::Result {
    writeln!(text, "{name}:")?;
    for row in rows {
        for number in row {
            // Zero has no sign here.
            write!(text, " {:>12.6}", if number == 0.0 { 0.0 } else { number })?;
        }
        writeln!(text)?;
    }
    Ok(())
}
