//! Islands that a problem has unchanged from the last call keep their answers: what newly meets
//! somewhere in a world is solved there.

use crate::islands::Islands;
use crate::problem::ContactProblem;
use crate::workspace::{Island, Report, Workspace};

/// The islands of the last call while those of the next are made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Last {
    islands: Islands,
    island: Vec<Island>,
}

impl Workspace {
    /// Finds islands anew. Those of which no contact `is_fresh` are taken over from the last call;
    /// none without `is_fresh`.
    pub(crate) fn find_islands(&mut self, problem: &ContactProblem, is_fresh: Option<&[bool]>) {
        let Self { islands, island, last, .. } = self;
        std::mem::swap(islands, &mut last.islands);
        islands.find(problem);
        if is_fresh.is_some() {
            std::mem::swap(island, &mut last.island);
        }
        if island.len() < islands.len() {
            island.resize_with(islands.len(), Island::default);
        }
        for (i, island) in island[..islands.len()].iter_mut().enumerate() {
            let contacts = islands.contacts(i);
            match is_fresh.and_then(|is_fresh| last.find(problem, contacts, is_fresh)) {
                Some(same) => {
                    std::mem::swap(island, &mut last.island[same]);
                    island.keep(contacts, problem);
                }
                None => island.start(contacts),
            }
        }
    }
}

impl Last {
    /// The number that an island had, if none of its contacts is fresh.
    fn find(&self, problem: &ContactProblem, contacts: &[u32], is_fresh: &[bool]) -> Option<usize> {
        if contacts.iter().any(|&k| is_fresh[k as usize]) {
            return None;
        }
        let mut dofs = problem.normal(contacts[0] as usize).entries().map(|(dof, ..)| dof);
        let same = self.islands.island_of_dof(dofs.find(|&dof| problem.is_movable(dof))?.0)?;
        (self.islands.contacts(same).len() == contacts.len()).then_some(same)
    }
}

impl Island {
    /// Keeps the answer under the new numbers of the same contacts.
    fn keep(&mut self, contacts: &[u32], problem: &ContactProblem) {
        self.is_kept = true;
        self.contacts.clear();
        self.contacts.extend_from_slice(contacts);
        self.friction.renumber(contacts, problem);
        self.report = Report { iterations: 0, operations: 0, sweeps: 0, fallbacks: 0, ..self.report };
    }
}

#[cfg(test)]
mod tests {
    use crate::response::{resolve, resolve_again};
    use crate::{ContactKey, ContactProblem, ContactRow, Dof, JacobianRow, Response, Workspace};

    /// Balls in two rows that are pushed against walls; the second row has a last contact or not.
    fn rows(with_last: bool) -> (ContactProblem, Vec<bool>) {
        let mut problem = ContactProblem::new();
        let wall = problem.push_dof(0.0, f64::INFINITY);
        let balls: Vec<Dof> = (0..6).map(|k| problem.push_dof(-1.0 - f64::from(k), 1.0)).collect();
        let mut is_fresh = Vec::new();
        let mut push = |a: Dof, b: Dof, fresh: bool| {
            let scaled = if a == wall { 0.0 } else { -1.0 };
            let row = JacobianRow::new(&[(a, -1.0, scaled), (b, 1.0, 1.0)]).unwrap();
            let key = ContactKey([0, a.0, b.0, 0]);
            problem.push_contact(ContactRow { key, ..ContactRow::new(row) }, &[]);
            is_fresh.push(fresh);
        };
        push(wall, balls[3], false);
        if with_last {
            push(balls[4], balls[5], true);
        }
        push(wall, balls[0], false);
        push(balls[0], balls[1], false);
        push(balls[1], balls[2], false);
        (problem, is_fresh)
    }

    #[test]
    fn unchanged_islands_keep_their_answers() {
        let (mut again, mut whole) = (Workspace::new(), Workspace::new());
        let response = Response::VELOCITY_PROJECTION;
        resolve(&rows(false).0, &response, &mut again);
        let (problem, is_fresh) = rows(true);
        let expected = resolve(&problem, &response, &mut whole).clone();
        let kept = resolve_again(&problem, &response, &mut again, &is_fresh);
        assert_eq!((&kept.velocity, &kept.impulses), (&expected.velocity, &expected.impulses));
        assert_eq!((kept.islands, kept.status), (expected.islands, expected.status));
        assert!(kept.iterations < expected.iterations, "what is as it was is not solved again");
        assert_eq!(again.memory(), whole.memory());
    }
}
