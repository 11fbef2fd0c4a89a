//! Work of friction.

use super::FrictionScratch;

impl FrictionScratch {
    /// Impulses of the tangents with their rows and the speeds of obstacles along them.
    fn of_tangents(&self) -> impl Iterator<Item = (f64, usize, f64)> + '_ {
        let tangents = self.tangent.iter().zip(&self.bias);
        tangents.map(|(&(_, row), &rest)| (self.cones.r[row as usize], row as usize, rest))
    }

    /// Work of friction: ½ λₜᵀTᵀ(v⁻ + v⁺).
    pub(crate) fn work(&self, before: &[f64], after: &[f64]) -> f64 {
        self.of_tangents().fold(0.0, |sum, (impulse, row, _)| {
            let row = self.cones.rows.row(row);
            sum + 0.5 * impulse * (row.dot(before) + row.dot(after))
        })
    }

    /// Work of friction against moving obstacles.
    pub(crate) fn against_obstacles(&self) -> f64 {
        self.of_tangents().fold(0.0, |sum, (impulse, _, rest)| sum + impulse * rest)
    }

    /// Work of friction with every term counted as positive.
    pub(crate) fn work_scale(&self, before: &[f64], after: &[f64]) -> f64 {
        self.of_tangents().fold(0.0, |sum, (impulse, row, rest)| {
            let row = self.cones.rows.row(row);
            sum + impulse.abs() * (row.dot(before).abs() + row.dot(after).abs() + rest.abs())
        })
    }
}
