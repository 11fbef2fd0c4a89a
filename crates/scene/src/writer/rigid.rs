//! The tags of planar rigid bodies, in the order of the file.

use super::element::Writer;
use super::{colors, records, surfaces, values};
use crate::description::force::GRAVITY;
use crate::description::rigid::RigidScene;

pub(super) fn write(writer: &mut Writer, scene: &RigidScene) {
    records(writer, "rigidbodyintegrator", &[scene.integrator]);
    if let Some(contact) = &scene.contact {
        contact.write(writer);
    }
    records(writer, "rigidbodyvertex", &scene.vertices);
    for body in &scene.bodies {
        body.write(writer);
    }
    records(writer, "rigidbodyscript", &scene.keys);
    for motion in &scene.motions {
        motion.write(writer.element(motion.path.tag())).end();
    }
    values(writer, "rigidbodygravityforce", &GRAVITY, &scene.gravities);
    records(writer, "rigidbodyspringforce", &scene.springs);
    records(writer, "rigidbodydragforce", &scene.drags);
    records(writer, "rigidbodytimedforce", &scene.timed);
    records(writer, "rigidbodywindforce", &scene.winds);
    surfaces(writer, "rigidbodysurface", "body", &scene.surfaces);
    colors(writer, "rigidbodycolor", "body", &scene.body_colors);
    colors(writer, "rigidbodyspringcolor", "spring", &scene.spring_colors);
}
