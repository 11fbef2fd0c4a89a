//! The tags of spatial rigid bodies, in the order of the file. What holds when it is left out is
//! left out.

use super::element::Writer;
use super::{colors, records, surfaces, values};
use crate::description::force::SPATIAL_GRAVITY;
use crate::description::spatial::{FRAME_RATE, OUTPUT, SpatialScene, VERTEX};

pub(super) fn write(writer: &mut Writer, scene: &SpatialScene) {
    scene.integrator.write(writer);
    if let Some(contact) = &scene.contact {
        contact.write(writer);
    }
    if scene.frame_rate.to_bits() != FRAME_RATE.to_bits() {
        values(writer, "rigidbody3doutput", &OUTPUT, &[scene.frame_rate]);
    }
    values(writer, "rigidbody3dvertex", VERTEX, &scene.vertices);
    for body in &scene.bodies {
        body.write(writer);
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        body.write_inertia(index, writer);
    }
    records(writer, "rigidbody3dscript", &scene.keys);
    for motion in &scene.motions {
        motion.write(writer.element(motion.path.tag())).end();
    }
    values(writer, "rigidbody3dgravityforce", &SPATIAL_GRAVITY, &scene.gravities);
    records(writer, "rigidbody3dspringforce", &scene.springs);
    records(writer, "rigidbody3dtimedforce", &scene.timed);
    records(writer, "rigidbody3ddragforce", &scene.drags);
    records(writer, "rigidbody3dpushforce", &scene.pushes);
    records(writer, "rigidbody3dcamera", scene.camera.as_slice());
    surfaces(writer, "rigidbody3dsurface", "body", &scene.surfaces);
    colors(writer, "rigidbody3dcolor", "body", &scene.body_colors);
    colors(writer, "rigidbody3dspringcolor", "spring", &scene.spring_colors);
}
