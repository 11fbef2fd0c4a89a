//! Islands: bodies that can influence each other through the contacts of the step that led to a
//! frame.
//!
//! A frame holds its contacts, and a contact joins the bodies in it that can move: nothing else is
//! needed. Those that cannot do not join islands, as for the solvers: two piles on one floor are
//! two islands.

use crate::frame::{Contact, ContactKind};

/// Which island each body belongs to: the lowest index of a body in it. Bodies that touch nothing,
/// or cannot move, have none. Which can move, and which particles an edge has, the scene knows.
pub fn islands(
    contacts: &[Contact],
    movable: &[bool],
    edge_ends: impl Fn(usize) -> Option<[usize; 2]>,
) -> Vec<Option<usize>> {
    let mut parent: Vec<usize> = (0..movable.len()).collect();
    let mut touched = vec![false; movable.len()];
    for contact in contacts {
        let mut first = None;
        for body in contact.members(&edge_ends).filter(|&body| movable.get(body) == Some(&true)) {
            touched[body] = true;
            let root = root(&mut parent, body);
            let joined = first.map_or(root, |first: usize| first.min(root));
            for old in [root, first.unwrap_or(root)] {
                parent[old] = joined;
            }
            first = Some(joined);
        }
    }
    (0..movable.len()).map(|body| touched[body].then(|| root(&mut parent, body))).collect()
}

impl Contact {
    /// The particles or bodies of a contact, in range or not, as files may hold anything; an edge
    /// stands for its two particles.
    pub fn members(&self, edge_ends: impl Fn(usize) -> Option<[usize; 2]>) -> impl Iterator<Item = usize> {
        let second = self.second as usize;
        let others = match self.kind {
            ContactKind::ParticleParticle | ContactKind::BodyBody => [Some(second), None],
            ContactKind::ParticleEdge => edge_ends(second).map_or([None; 2], |ends| ends.map(Some)),
            ContactKind::ParticleHalfPlane => [None; 2],
        };
        std::iter::once(self.first as usize).chain(others.into_iter().flatten())
    }
}

/// The lowest body that is joined with a body; paths are halved on the way (Tarjan and van Leeuwen
/// 1984).
fn root(parent: &mut [usize], mut body: usize) -> usize {
    while parent[body] != body {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(kind: ContactKind, first: u32, second: u32) -> Contact {
        Contact {
            kind,
            first,
            second,
            point: [0.0; 3],
            normal: [0.0; 3],
            gap: 0.0,
            time: 0.0,
            impulse: 0.0,
            friction: [0.0; 3],
        }
    }

    #[test]
    fn a_fixed_body_does_not_join_two_piles() {
        let contacts = [(3, 4), (0, 1), (1, 2), (2, 3)].map(|(a, b)| touch(ContactKind::BodyBody, a, b));
        let movable = [true, true, false, true, true, true];
        let found = islands(&contacts, &movable, |_| None);
        assert_eq!(found, [Some(0), Some(0), None, Some(3), Some(3), None]);
    }

    #[test]
    fn an_edge_joins_its_ends_and_a_half_plane_nothing() {
        let ends = |edge: usize| [[2, 3]].get(edge).copied();
        let movable = [true; 6];
        let edge = touch(ContactKind::ParticleEdge, 1, 0);
        let wall = touch(ContactKind::ParticleHalfPlane, 5, 4);
        let found = islands(&[edge, wall], &movable, ends);
        assert_eq!(found, [None, Some(1), Some(1), Some(1), None, Some(5)]);
        // an edge and a body that are not there
        let strange = [touch(ContactKind::ParticleEdge, 0, 7), touch(ContactKind::BodyBody, 9, 2)];
        assert_eq!(islands(&strange, &movable, ends), [Some(0), None, Some(2), None, None, None]);
    }

    #[test]
    fn islands_that_meet_late_become_one() {
        let contacts =
            [(4, 5), (2, 3), (3, 4), (0, 1), (1, 5)].map(|(a, b)| touch(ContactKind::ParticleParticle, a, b));
        assert_eq!(islands(&contacts, &[true; 6], |_| None), [Some(0); 6]);
    }
}
