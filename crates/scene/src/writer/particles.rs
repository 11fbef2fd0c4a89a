//! The tags of particle systems, in the order of the file.

use super::element::Writer;
use super::{colors, records, surfaces, values};
use crate::description::force::GRAVITY;
use crate::description::particles::{CONSTANT, DRAG, Detection, ParticleScene};

pub(super) fn write(writer: &mut Writer, scene: &ParticleScene) {
    scene.integrator.write(writer);
    records(writer, "particle", &scene.particles);
    records(writer, "edge", &scene.edges);
    records(writer, "halfplane", &scene.half_planes);
    records(writer, "springforce", &scene.forces.springs);
    values(writer, "simplegravity", &GRAVITY, &scene.forces.gravities);
    records(writer, "gravitationalforce", &scene.forces.gravitations);
    values(writer, "constantforce", &CONSTANT, &scene.forces.constants);
    values(writer, "dragdamping", &DRAG, &scene.forces.drags);
    records(writer, "timedforce", &scene.forces.timed);
    records(writer, "vortexforce", &scene.forces.vortices);
    scene.collision.write(writer);
    if scene.detection != Detection::AllPairs {
        writer.element("collisiondetection").text("type", scene.detection.name()).end();
    }
    surfaces(writer, "particlesurface", "i", &scene.surfaces);
    colors(writer, "particlecolor", "i", &scene.appearance.particle_colors);
    colors(writer, "edgecolor", "i", &scene.appearance.edge_colors);
    colors(writer, "halfplanecolor", "i", &scene.appearance.half_plane_colors);
    records(writer, "particlepath", &scene.appearance.paths);
}
