//! One sweep over chosen rows.

use super::packed::Packed;
use super::state::State;

/// What a sweep did.
#[derive(Clone, Copy, Default)]
pub(super) struct Swept {
    /// Largest change of a λ times aₖₖ.
    pub(super) largest: f64,
    /// Change of f.
    pub(super) fall: f64,
    /// What changes may be, times aₖₖ, and how many were larger.
    limit: f64,
    pub(super) larger: u32,
}

impl Swept {
    #[inline(always)]
    fn add(&mut self, change: f64, gap: f64, inverse_mass: f64) {
        let as_speed = change * inverse_mass;
        self.largest = if as_speed.abs() > self.largest { as_speed.abs() } else { self.largest };
        self.larger += u32::from(as_speed.abs() > self.limit);
        self.fall += change * (gap + 0.5 * as_speed);
    }
}

impl State {
    /// Sweeps forth or back over the chosen rows; counts the changes above a limit.
    pub(super) fn sweep<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        back: bool,
        limit: f64,
    ) -> Swept {
        let mut swept = Swept { limit, ..Swept::default() };
        let mut place = Place { lambda: &mut self.lambda, u: &mut self.u };
        if back {
            self.near.iter().rev().for_each(|&k| place.visit(rows, k as usize, &mut swept));
        } else {
            self.near.iter().for_each(|&k| place.visit(rows, k as usize, &mut swept));
        }
        swept
    }
}

/// Where a sweep stands.
struct Place<'a> {
    lambda: &'a mut [f64],
    u: &'a mut [f64],
}

impl Place<'_> {
    /// One row. In line with both loops: sums stay in registers.
    #[inline(always)]
    fn visit<const RUNS: usize, const H: usize>(
        &mut self,
        rows: &[Packed<RUNS, H>],
        k: usize,
        swept: &mut Swept,
    ) {
        let row = &rows[k];
        let before = self.lambda[k];
        let gap = row.gap(self.u);
        let next = (before - gap * row.inverse).max(0.0);
        let change = next - before;
        if change != 0.0 {
            row.push(self.u, change);
            self.lambda[k] = next;
            swept.add(change, gap, row.inverse_mass);
        }
    }
}
