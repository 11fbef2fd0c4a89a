//! Contacts that can influence each other, found by union-find over the degrees of freedom that can
//! move.
//!
//! Fixed objects do not join islands: two piles on one floor are two islands. Islands are ordered
//! by their first contact, contacts inside keep the problem's order, so the result has one form.

use crate::problem::ContactProblem;

const NONE: u32 = u32::MAX;

/// A partition of the contacts. Contacts without any movable degree of freedom belong to no island.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    parent: Vec<u32>,
    label_of_root: Vec<u32>,
    island_of_contact: Vec<u32>,
    start: Vec<u32>,
    members: Vec<u32>,
}

impl Islands {
    /// Finds the islands of a problem. Indices of the problem must be valid.
    pub fn find(&mut self, problem: &ContactProblem) {
        self.parent.clear();
        self.parent.extend(0..problem.dof_count() as u32);
        self.island_of_contact.clear();
        for k in 0..problem.contact_count() {
            let mut first = NONE;
            let rubbing = if problem.parameters(k).friction > 0.0 { problem.tangent_range(k) } else { 0..0 };
            let tangents = rubbing.map(|t| problem.tangent(t));
            for direction in std::iter::once(problem.normal(k)).chain(tangents) {
                for (dof, ..) in direction.entries() {
                    if problem.is_movable(dof) {
                        let root = self.root(dof.0);
                        first = if first == NONE { root } else { self.join(first, root) };
                    }
                }
            }
            self.island_of_contact.push(first);
        }
        self.label(problem.contact_count());
    }

    fn root(&mut self, mut dof: u32) -> u32 {
        while self.parent[dof as usize] != dof {
            let grandparent = self.parent[self.parent[dof as usize] as usize];
            self.parent[dof as usize] = grandparent;
            dof = grandparent;
        }
        dof
    }

    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
        low
    }

    /// Turns roots into island numbers in order of first contact, and gathers the members.
    fn label(&mut self, contact_count: usize) {
        self.label_of_root.clear();
        self.label_of_root.resize(self.parent.len(), NONE);
        self.start.clear();
        self.start.push(0);
        for k in 0..contact_count {
            if self.island_of_contact[k] == NONE {
                continue;
            }
            let root = self.root(self.island_of_contact[k]) as usize;
            if self.label_of_root[root] == NONE {
                self.label_of_root[root] = self.start.len() as u32 - 1;
                self.start.push(0);
            }
            let label = self.label_of_root[root];
            self.island_of_contact[k] = label;
            self.start[label as usize + 1] += 1;
        }
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.members.clear();
        self.members.resize(self.start[self.start.len() - 1] as usize, 0);
        // Fill from the back so that `start` itself serves as the cursor.
        for k in (0..contact_count).rev() {
            let label = self.island_of_contact[k];
            if label != NONE {
                let cursor = &mut self.start[label as usize + 1];
                *cursor -= 1;
                self.members[*cursor as usize] = k as u32;
            }
        }
        // Every cursor now stands at its island's first member: shift back by one place.
        self.start.remove(0);
        self.start.push(self.members.len() as u32);
    }

    /// Number of islands.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// True without islands.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The contacts of island `i`, rising.
    pub fn contacts(&self, i: usize) -> &[u32] {
        &self.members[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// The island of a degree of freedom, if it is in one.
    pub fn island_of_dof(&self, dof: u32) -> Option<usize> {
        let mut root = dof as usize;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        (self.label_of_root[root] != NONE).then(|| self.label_of_root[root] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactRow, Dof, JacobianRow};

    #[test]
    fn fixed_things_do_not_join_islands() {
        let mut problem = ContactProblem::new();
        let floor = problem.push_dof(0.0, f64::INFINITY);
        let bodies: Vec<Dof> = (0..5).map(|_| problem.push_dof(0.0, 1.0)).collect();
        let touch = |a: Dof, b: Dof, w: f64| {
            ContactRow::new(JacobianRow::new(&[(a, 1.0, w), (b, -1.0, -1.0)]).unwrap())
        };
        problem.push_contact(touch(floor, bodies[3], 0.0), &[]);
        problem.push_contact(touch(floor, bodies[0], 0.0), &[]);
        problem.push_contact(touch(bodies[3], bodies[4], 1.0), &[]);
        problem.push_contact(ContactRow::new(JacobianRow::new(&[(floor, 1.0, 0.0)]).unwrap()), &[]);
        problem.push_contact(touch(bodies[1], bodies[0], 1.0), &[]);
        let mut islands = Islands::default();
        islands.find(&problem);
        assert_eq!(islands.len(), 2);
        assert_eq!((islands.contacts(0), islands.contacts(1)), ([0, 2].as_slice(), [1, 4].as_slice()));
        assert_eq!(islands.island_of_dof(bodies[4].0), Some(0));
        assert_eq!(islands.island_of_dof(bodies[2].0), None);
        islands.find(&ContactProblem::new());
        assert!(islands.is_empty());
    }
}
