//! One sweep: the contacts that approach, their impulses, and who approaches after it.

use super::components::NONE;
use super::{ReflectionScratch, Simultaneous};
use crate::problem::ContactProblem;
use crate::resolution::Status;
use crate::workspace::Island;

impl ReflectionScratch {
    /// Lists the contacts of every degree of freedom.
    pub(super) fn start(&mut self, island: &Island) {
        let (dofs, count) = (island.dofs.len(), island.rows.len());
        self.touching_start.clear();
        self.touching_start.resize(dofs + 2, 0);
        for k in 0..count {
            for &d in island.rows.row(k).column {
                self.touching_start[d as usize + 2] += 1;
            }
        }
        for d in 2..dofs + 2 {
            self.touching_start[d] += self.touching_start[d - 1];
        }
        self.touching.clear();
        self.touching.resize(self.touching_start[dofs + 1] as usize, 0);
        for k in 0..count {
            for &d in island.rows.row(k).column {
                let cursor = &mut self.touching_start[d as usize + 1];
                self.touching[*cursor as usize] = k as u32;
                *cursor += 1;
            }
        }
        self.owner.clear();
        self.owner.resize(dofs, NONE);
        self.local.clear();
        self.local.resize(dofs, NONE);
        for marks in [&mut self.is_candidate, &mut self.pushed, &mut self.held] {
            marks.clear();
            marks.resize(count, false);
        }
    }

    /// Solves the approaching contacts, component by component; leaves the impulses in
    /// `sweep_impulse`.
    pub(super) fn sweep(&mut self, inner: Simultaneous, island: &mut Island, iterations: &mut u64) -> Status {
        self.find_components(island);
        self.sweep_impulse.clear();
        self.sweep_impulse.resize(self.approaching.len(), 0.0);
        let mut status = Status::Solved;
        let mut done = 0;
        while done < self.members.len() {
            let root = self.parent[self.members[done] as usize];
            let mut end = done + 1;
            while end < self.members.len() && self.parent[self.members[end] as usize] == root {
                end += 1;
            }
            if end == done + 1 {
                let at = self.members[done] as usize;
                let k = self.approaching[at] as usize;
                let row = island.rows.row(k);
                let inverse_mass = row.delassus(&row);
                *iterations += 1;
                if inverse_mass > 0.0 {
                    self.sweep_impulse[at] = (-self.demand(island, k) / inverse_mass).max(0.0);
                }
            } else {
                status = status.max(self.solve_component(inner, island, done..end, iterations));
            }
            done = end;
        }
        status
    }

    /// The entry of b: twice the gap speed, to be reflected, or once for a contact that is held.
    pub(super) fn demand(&self, island: &Island, k: usize) -> f64 {
        let times = if self.held[k] { 1.0 } else { 2.0 };
        times * island.gap_speed[k]
    }

    /// Fastest approach of the contacts that approach.
    pub(super) fn fastest_approach(&self, island: &Island) -> f64 {
        self.approaching.iter().map(|&k| -island.gap_speed[k as usize]).fold(0.0, f64::max)
    }

    /// Applies the impulses of the sweep; false if no velocity changed.
    pub(super) fn apply(&mut self, island: &mut Island) -> bool {
        let mut changed = false;
        for (&k, &impulse) in self.approaching.iter().zip(&self.sweep_impulse) {
            if impulse == 0.0 {
                continue;
            }
            island.impulses[k as usize] += impulse;
            self.pushed[k as usize] = true;
            let row = island.rows.row(k as usize);
            for (&d, &scaled) in row.column.iter().zip(row.scaled) {
                let v = &mut island.velocity[d as usize];
                let after = *v + impulse * scaled;
                changed |= after != *v;
                *v = after;
            }
        }
        changed
    }

    /// Looks again at the contacts of this sweep and at all that share a degree of freedom with
    /// them.
    pub(super) fn find_approaching(&mut self, problem: &ContactProblem, island: &mut Island, tolerance: f64) {
        self.candidates.clear();
        for &k in &self.approaching {
            for &d in island.rows.row(k as usize).column {
                let range =
                    self.touching_start[d as usize] as usize..self.touching_start[d as usize + 1] as usize;
                for &other in &self.touching[range] {
                    if !self.is_candidate[other as usize] {
                        self.is_candidate[other as usize] = true;
                        self.candidates.push(other);
                    }
                }
            }
        }
        self.candidates.sort_unstable();
        self.approaching.clear();
        for &k in &self.candidates {
            self.is_candidate[k as usize] = false;
            let contact = problem.parameters(island.contacts[k as usize] as usize);
            if contact.speculative_bias > 0.0 {
                continue;
            }
            let speed = island.bias[k as usize] + island.rows.row(k as usize).dot(&island.velocity);
            island.gap_speed[k as usize] = speed;
            if speed < -tolerance {
                self.approaching.push(k);
            }
        }
    }
}
