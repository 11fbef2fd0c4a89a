//! Components of a sweep: approaching contacts that share a moving degree of freedom, solved
//! together.

use super::{ReflectionScratch, Simultaneous, Task, simultaneous};
use crate::resolution::Status;
use crate::workspace::Island;
use carom_numerics::lcp::LcpStatus;
use carom_numerics::qp::mass::OffDiagonal;

/// No index.
pub(super) const NONE: u32 = u32::MAX;

impl ReflectionScratch {
    /// Groups the approaching contacts that share a degree of freedom: `members` lists them group
    /// by group, groups in the order of their first contact, and `parent` names each member's
    /// group.
    pub(super) fn find_components(&mut self, island: &Island) {
        let count = self.approaching.len();
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.owned.clear();
        for at in 0..count {
            let mut root = at as u32;
            for &d in island.rows.row(self.approaching[at] as usize).column {
                let owner = self.owner[d as usize];
                if owner == NONE {
                    self.owner[d as usize] = at as u32;
                    self.owned.push(d);
                } else {
                    let other = self.root(owner);
                    let (low, high) = (root.min(other), root.max(other));
                    self.parent[high as usize] = low;
                    root = low;
                }
            }
        }
        for &d in &self.owned {
            self.owner[d as usize] = NONE;
        }
        for at in 0..count as u32 {
            let root = self.root(at);
            self.parent[at as usize] = root;
        }
        self.members.clear();
        self.members.extend(0..count as u32);
        let parent = &self.parent;
        self.members.sort_unstable_by_key(|&at| (parent[at as usize], at));
    }

    fn root(&mut self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            let grandparent = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = grandparent;
            at = grandparent;
        }
        at
    }

    pub(super) fn solve_component(
        &mut self,
        inner: Simultaneous,
        island: &mut Island,
        range: std::ops::Range<usize>,
        iterations: &mut u64,
    ) -> Status {
        self.component.clear();
        self.component.extend(self.members[range.clone()].iter().map(|&at| self.approaching[at as usize]));
        self.gather_component(island);
        self.b.clear();
        for at in 0..self.component.len() {
            self.b.push(self.demand(island, self.component[at] as usize));
        }
        let task = Task { rows: &self.rows, mass: &self.mass, b: &self.b, guess: &[] };
        let outcome = island.simultaneous.solve(inner, &task, &mut self.lambda, &mut self.u);
        for (&at, &impulse) in self.members[range].iter().zip(&self.lambda) {
            self.sweep_impulse[at as usize] = impulse;
        }
        *iterations += outcome.iterations;
        self.operations += outcome.operations;
        // The next sweep corrects a slightly inaccurate one; only infeasibility sets the status.
        if outcome.status != LcpStatus::Infeasible {
            return Status::Solved;
        }
        let fastest = island.velocity.iter().chain(&island.bias).fold(0.0f64, |m, v| m.max(v.abs()));
        let rounding = outcome.residual.violation <= simultaneous::ROUNDING * fastest;
        if rounding { Status::Solved } else { Status::Infeasible }
    }

    /// The rows of the component, in degrees of freedom of its own.
    pub(super) fn gather_component(&mut self, island: &Island) {
        self.number_dofs(island);
        self.rows.clear(self.component_dofs.len());
        for &k in &self.component {
            let row = island.rows.row(k as usize);
            for ((&d, &eta), &scaled) in row.column.iter().zip(row.eta).zip(row.scaled) {
                self.rows.push_entry(self.local[d as usize], eta, scaled);
            }
            self.rows.end_row();
        }
        for &d in &self.component_dofs {
            self.local[d as usize] = NONE;
        }
    }

    /// Numbers the component's degrees of freedom in rising order and gathers their mass.
    fn number_dofs(&mut self, island: &Island) {
        self.component_dofs.clear();
        for &k in &self.component {
            self.component_dofs.extend_from_slice(island.rows.row(k as usize).column);
        }
        self.component_dofs.sort_unstable();
        self.component_dofs.dedup();
        self.mass.clear();
        for (local, &d) in self.component_dofs.iter().enumerate() {
            self.local[d as usize] = local as u32;
            self.mass.diagonal.push(island.mass.diagonal[d as usize]);
        }
        if island.mass.off_diagonal.is_empty() {
            return;
        }
        for entry in &island.mass.off_diagonal {
            let (row, column) = (self.local[entry.row as usize], self.local[entry.column as usize]);
            if row != NONE && column != NONE {
                self.mass.off_diagonal.push(OffDiagonal { row, column, value: entry.value });
            }
        }
    }
}
