//! Bodies that can influence each other through contacts, numbered for a page.

use carom::Frame;
use carom_scene::Scene;

/// The island of each body, numbered in the order of their first body; nothing for a body that
/// touches none that moves, and for those that cannot move.
pub(crate) fn of(scene: &Scene, frame: &Frame) -> Vec<Option<usize>> {
    let lowest = carom_trajectory::islands(&frame.contacts, &scene.movable(), |edge| scene.edge_ends(edge));
    let mut number = vec![0; lowest.len()];
    let firsts = (0..lowest.len()).filter(|&body| lowest[body] == Some(body));
    firsts.enumerate().for_each(|(count, body)| number[body] = count);
    lowest.into_iter().map(|island| island.map(|first| number[first])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_trajectory::{Contact, ContactKind};

    /// Bodies that are kinematic other than by keys, and half-spaces, used to count as free: they
    /// joined piles and could be gripped.
    #[test]
    fn what_cannot_move_does_not_join_two_piles() {
        let discs: String =
            (0..6).map(|k| format!(r#"<rigidbodydisc x="{k}" y="0" radius="0.4" m="1"/>"#)).collect();
        let planar = format!(
            r#"<scene><simtype type="rigid-body"/><duration time="1"/><rigidbodyintegrator type="symplectic-euler" dt="0.1"/>{discs}
            <rigidbodyuniformmotion body="2" vx="1"/></scene>"#
        );
        let ball = |k: usize| format!(r#"<rigidbody3dsphere x="{k}" z="0.4" radius="0.4" m="1"/>"#);
        let balls = |from: usize, to: usize| (from..to).map(ball).collect::<String>();
        let space = format!(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/><rigidbody3dintegrator type="symplectic-euler" dt="0.1"/>{}
            <rigidbody3dhalfspace nz="1"/>{}</scene>"#,
            balls(0, 2),
            balls(3, 6)
        );
        let touch = |(first, second)| Contact {
            kind: ContactKind::BodyBody,
            first,
            second,
            point: [0.0; 3],
            normal: [0.0; 3],
            time: 0.0,
            impulse: 0.0,
            gap: 0.0,
            friction: [0.0; 3],
        };
        let contacts = [(3, 4), (0, 1), (1, 2), (2, 3)].map(touch).to_vec();
        let frame = Frame { contacts, ..Frame::default() };
        for text in [planar, space] {
            let scene = carom::read_scene(&text).unwrap();
            assert_eq!(of(&scene, &frame), [Some(0), Some(0), None, Some(1), Some(1), None], "{text}");
        }
    }
}
