//! Bodies that can influence each other through contacts: union-find over the contacts of a frame.

use carom::Frame;
use carom_scene::{Scene, System};
use carom_trajectory::ContactKind;

/// The island of each body, numbered in the order of their first body; nothing for a body that touches none that moves, and for fixed
/// ones: two piles on one floor are two islands.
pub(crate) fn of(scene: &Scene, frame: &Frame) -> Vec<Option<usize>> {
    let free = free_bodies(scene);
    let mut parent: Vec<usize> = (0..free.len()).collect();
    let mut touched = vec![false; free.len()];
    for contact in &frame.contacts {
        let mut first = None;
        for body in partners(scene, contact) {
            if !free.get(body).copied().unwrap_or(false) {
                continue;
            }
            touched[body] = true;
            let root = find(&mut parent, body);
            match first {
                None => first = Some(root),
                Some(other) => {
                    let (low, high) = (root.min(other), root.max(other));
                    parent[high] = low;
                    first = Some(low);
                }
            }
        }
    }
    let mut label = vec![None; free.len()];
    let mut count = 0;
    (0..free.len())
        .map(|body| {
            if !touched[body] {
                return None;
            }
            let root = find(&mut parent, body);
            let number = *label[root].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
            Some(number)
        })
        .collect()
}

/// Which bodies can be moved by contacts.
pub(crate) fn free_bodies(scene: &Scene) -> Vec<bool> {
    match &scene.system {
        System::Particles(system) => system.particles.iter().map(|particle| !particle.fixed).collect(),
        System::RigidBodies(system) => {
            let mut free: Vec<bool> = system.bodies.iter().map(|body| !body.fixed).collect();
            for key in &system.keys {
                if let Some(body) = free.get_mut(key.body) {
                    *body = false;
                }
            }
            free
        }
        System::SpatialBodies(system) => {
            let mut free: Vec<bool> = system.bodies.iter().map(|body| !body.fixed).collect();
            for key in &system.keys {
                if let Some(body) = free.get_mut(key.body) {
                    *body = false;
                }
            }
            free
        }
    }
}

/// The bodies that a contact joins; an edge stands for its two particles.
pub(crate) fn partners(
    scene: &Scene,
    contact: &carom_trajectory::Contact,
) -> impl Iterator<Item = usize> + use<> {
    let (first, second) = (contact.first as usize, contact.second as usize);
    let others = match (contact.kind, &scene.system) {
        (ContactKind::ParticleEdge, System::Particles(system)) => {
            system.edges.get(second).map_or([None; 2], |edge| [Some(edge.start), Some(edge.end)])
        }
        (ContactKind::ParticleHalfPlane, _) => [None; 2],
        _ => [Some(second), None],
    };
    std::iter::once(first).chain(others.into_iter().flatten())
}

fn find(parent: &mut [usize], mut body: usize) -> usize {
    while parent[body] != body {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_trajectory::Contact;

    #[test]
    fn a_fixed_body_does_not_join_two_piles() {
        let body = |k: usize, fixed: u8| {
            format!(r#"<rigidbodydisc x="{k}" y="0" radius="0.4" m="1" fixed="{fixed}"/>"#)
        };
        let bodies: String =
            [0, 0, 1, 0, 0, 0].iter().enumerate().map(|(k, fixed)| body(k, *fixed)).collect();
        let text = format!(
            r#"<scene><simtype type="rigid-body"/><duration time="1"/><rigidbodyintegrator type="symplectic-euler" dt="0.1"/>{bodies}</scene>"#
        );
        let scene = carom::read_scene(&text).unwrap();
        let touch = |first, second| Contact {
            kind: ContactKind::BodyBody,
            first,
            second,
            point: [0.0; 3],
            normal: [0.0; 3],
            time: 0.0,
            impulse: 0.0,
        };
        let frame =
            Frame { contacts: vec![touch(3, 4), touch(0, 1), touch(1, 2), touch(2, 3)], ..Frame::default() };
        assert_eq!(of(&scene, &frame), [Some(0), Some(0), None, Some(1), Some(1), None]);
    }
}
