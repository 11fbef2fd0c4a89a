//! The Delassus matrix W = HᵀM⁻¹H of a mass matrix and a Jacobian.

use super::problem::Triplet;
use super::{Cone, Problem, ProblemError};
use carom_numerics::sparse::frontal::{FrontalLu, Pattern};

impl Problem {
    /// A problem with mass M (symmetric, positive definite, entries of the same place are added),
    /// Jacobian H (a column for each row of a contact), generalized momentum f and bias w:
    /// W = HᵀM⁻¹H and q = HᵀM⁻¹f + w. Two contacts have a block of W only if a body, or bodies that
    /// M couples, has both.
    pub fn from_mass(
        cones: Vec<Cone>,
        mass: &[Triplet],
        jacobian: &[Triplet],
        f: &[f64],
        w: &[f64],
    ) -> Result<Self, ProblemError> {
        let dofs = f.len();
        let rows = w.len();
        for (what, array) in [("f", f), ("w", w)] {
            if array.iter().any(|x| !x.is_finite()) {
                return Err(ProblemError::NotFinite(what));
            }
        }
        check("M", mass, dofs, dofs)?;
        check("H", jacobian, dofs, rows)?;
        let mut problem = Self::with_cones(cones, w.to_vec())?;
        let mut solver = Mass::factor(mass, dofs)?;
        let columns = by_column(jacobian, rows);
        let component = &solver.component;
        // Contacts of each component of M.
        let mut touched: Vec<Vec<u32>> = vec![Vec::new(); solver.components];
        for i in 0..problem.len() {
            for column in problem.range(i) {
                for &(dof, _) in &columns[column] {
                    let contacts = &mut touched[component[dof] as usize];
                    if contacts.last() != Some(&(i as u32)) {
                        contacts.push(i as u32);
                    }
                }
            }
        }
        let pairs: usize = touched.iter().map(|contacts| contacts.len().saturating_mul(contacts.len())).sum();
        if pairs > super::problem::MOST_BLOCKS {
            return Err(ProblemError::TooLarge);
        }
        let mut joined = Vec::with_capacity(pairs);
        for contacts in &touched {
            for &i in contacts {
                joined.extend(contacts.iter().map(|&j| (i, j)));
            }
        }
        problem.set_pattern(joined)?;
        // M⁻¹f, then a column of M⁻¹H at a time.
        let mut velocity = f.to_vec();
        solver.solve(&mut velocity, None);
        for (q, column) in problem.q.iter_mut().zip(&columns) {
            *q += column.iter().map(|&(dof, h)| h * velocity[dof]).sum::<f64>();
        }
        if problem.q.iter().any(|q| !q.is_finite()) {
            return Err(ProblemError::NotFinite("q"));
        }
        let mut x = vec![0.0; dofs];
        for j in 0..problem.len() {
            for (c, column) in problem.range(j).enumerate() {
                column_of(&mut solver, &columns[column], &mut x);
                for entry in problem.pattern.row(j) {
                    let i = problem.pattern.columns[entry] as usize;
                    let place = problem.blocks[problem.pattern.mirror[entry] as usize] as usize;
                    let width = problem.cones[j].dim();
                    for (r, row) in problem.range(i).enumerate() {
                        problem.values[place + r * width + c] =
                            columns[row].iter().map(|&(dof, h)| h * x[dof]).sum::<f64>();
                    }
                }
                solver.clear(&columns[column], &mut x);
            }
        }
        problem.symmetrize();
        if problem.values.iter().any(|w| !w.is_finite()) {
            return Err(ProblemError::NotFinite("W"));
        }
        problem.check_diagonal()?;
        Ok(problem)
    }

    fn symmetrize(&mut self) {
        for i in 0..self.len() {
            for entry in self.pattern.row(i) {
                let j = self.pattern.columns[entry] as usize;
                if j < i {
                    continue;
                }
                let other = self.blocks[self.pattern.mirror[entry] as usize] as usize;
                let at = self.blocks[entry] as usize;
                let (rows, columns) = (self.cones[i].dim(), self.cones[j].dim());
                for r in 0..rows {
                    for c in 0..columns {
                        let (a, b) = (at + r * columns + c, other + c * rows + r);
                        let mean = 0.5 * (self.values[a] + self.values[b]);
                        (self.values[a], self.values[b]) = (mean, mean);
                    }
                }
            }
        }
    }
}

fn column_of(solver: &mut Mass, column: &[(usize, f64)], x: &mut [f64]) {
    column.iter().for_each(|&(dof, h)| x[dof] += h);
    solver.solve(x, Some(column));
}

fn check(what: &'static str, matrix: &[Triplet], rows: usize, columns: usize) -> Result<(), ProblemError> {
    for &(row, column, value) in matrix {
        if row >= rows || column >= columns {
            let (index, size) = if row >= rows { (row, rows) } else { (column, columns) };
            return Err(ProblemError::IndexOutOfRange { index, size });
        }
        if !value.is_finite() {
            return Err(ProblemError::NotFinite(what));
        }
    }
    Ok(())
}

fn by_column(matrix: &[Triplet], columns: usize) -> Vec<Vec<(usize, f64)>> {
    let mut out = vec![Vec::new(); columns];
    for &(row, column, value) in matrix {
        if value != 0.0 {
            out[column].push((row, value));
        }
    }
    out
}

/// A mass matrix by its connected components: bodies, mostly. Those of up to three degrees of
/// freedom and all others go through the same sparse factors.
struct Mass {
    component: Vec<u32>,
    components: usize,
    members: Vec<Vec<u32>>,
    /// Factors of each component.
    factors: Vec<FrontalLu>,
    buffer: Vec<f64>,
}

impl Mass {
    fn factor(mass: &[Triplet], dofs: usize) -> Result<Self, ProblemError> {
        let mut component: Vec<u32> = (0..dofs as u32).collect();
        for &(row, column, value) in mass {
            if value != 0.0 {
                let (a, b) = (find(&mut component, row as u32), find(&mut component, column as u32));
                component[a.max(b) as usize] = a.min(b);
            }
        }
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut number = vec![u32::MAX; dofs];
        let mut place = vec![0u32; dofs];
        for dof in 0..dofs {
            let root = find(&mut component, dof as u32) as usize;
            if number[root] == u32::MAX {
                number[root] = members.len() as u32;
                members.push(Vec::new());
            }
            let list = &mut members[number[root] as usize];
            place[dof] = list.len() as u32;
            list.push(dof as u32);
        }
        let component: Vec<u32> =
            (0..dofs).map(|dof| number[find(&mut component, dof as u32) as usize]).collect();
        let mut entries: Vec<Vec<(u32, u32, f64)>> = vec![Vec::new(); members.len()];
        for &(row, column, value) in mass {
            let half = 0.5 * value;
            let list = &mut entries[component[row] as usize];
            if value != 0.0 {
                list.extend([(place[row], place[column], half), (place[column], place[row], half)]);
            }
        }
        let mut factors = Vec::with_capacity(members.len());
        for (list, members) in entries.iter_mut().zip(&members) {
            factors.push(factor_component(list, members.len())?);
        }
        Ok(Self { components: members.len(), component, members, factors, buffer: Vec::new() })
    }

    /// x = M⁻¹ x, in the components that a column touches or in all.
    fn solve(&mut self, x: &mut [f64], column: Option<&[(usize, f64)]>) {
        let mut done: Vec<u32> = match column {
            Some(column) => column.iter().map(|&(dof, _)| self.component[dof]).collect(),
            None => (0..self.components as u32).collect(),
        };
        done.sort_unstable();
        done.dedup();
        for component in done {
            let members = &self.members[component as usize];
            self.buffer.clear();
            self.buffer.extend(members.iter().map(|&dof| x[dof as usize]));
            self.factors[component as usize].solve(&mut self.buffer);
            members.iter().zip(&self.buffer).for_each(|(&dof, &value)| x[dof as usize] = value);
        }
    }

    /// Zeroes what a column wrote.
    fn clear(&self, column: &[(usize, f64)], x: &mut [f64]) {
        for &(dof, _) in column {
            for &member in &self.members[self.component[dof] as usize] {
                x[member as usize] = 0.0;
            }
        }
    }
}

fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

/// Factors one component and checks that it is positive definite by its pivots' existence and a
/// positive diagonal.
fn factor_component(entries: &mut Vec<(u32, u32, f64)>, size: usize) -> Result<FrontalLu, ProblemError> {
    entries.extend((0..size as u32).map(|i| (i, i, 0.0)));
    entries.sort_unstable_by_key(|&(row, column, _)| (row, column));
    let mut pattern = Pattern { starts: vec![0; size + 1], ..Pattern::default() };
    let mut values: Vec<f64> = Vec::new();
    let mut last = None;
    for &(row, column, value) in entries.iter() {
        if last == Some((row, column)) {
            *values.last_mut().expect("an entry was pushed before") += value;
            continue;
        }
        last = Some((row, column));
        pattern.starts[row as usize + 1] += 1;
        pattern.columns.push(column);
        values.push(value);
    }
    (0..size).for_each(|i| pattern.starts[i + 1] += pattern.starts[i]);
    pattern.find_mirrors();
    for i in 0..size {
        let positive = pattern.row(i).any(|e| pattern.columns[e] as usize == i && values[e] > 0.0);
        if !positive {
            return Err(ProblemError::MassNotDefinite);
        }
    }
    let mut lu = FrontalLu::default();
    lu.analyze(&pattern);
    lu.factor(&pattern, &vec![1; size], 1e-14, |_, _, entry, block| block[0] = values[entry]);
    if lu.replaced_pivots() > 0 { Err(ProblemError::MassNotDefinite) } else { Ok(lu) }
}
