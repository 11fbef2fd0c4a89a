//! The tags of particle systems.

use super::element::Writer;
use super::{colors, surfaces};
use crate::description::particles::{
    Collision, Detection, Forces, Integrator, Method, Particle, ParticleScene, Penalty, Response,
};

pub(super) fn write(writer: &mut Writer, scene: &ParticleScene) {
    integrator(writer, scene.integrator);
    for one in &scene.particles {
        particle(writer, one);
    }
    for edge in &scene.edges {
        writer.element("edge").index("i", edge.start).index("j", edge.end).real("radius", edge.radius).end();
    }
    for plane in &scene.half_planes {
        let element =
            writer.element("halfplane").pair("px", "py", plane.point).pair("nx", "ny", plane.normal);
        if plane.velocity.map(f64::to_bits) == [0; 2] {
            element.end();
        } else {
            element.pair("vx", "vy", plane.velocity).end();
        }
    }
    forces(writer, &scene.forces);
    collision(writer, scene.collision);
    if scene.detection == Detection::Contest {
        writer.element("collisiondetection").text("type", "contest").end();
    }
    surfaces(writer, "particlesurface", "i", &scene.surfaces);
    colors(writer, "particlecolor", "i", &scene.appearance.particle_colors);
    colors(writer, "edgecolor", "i", &scene.appearance.edge_colors);
    colors(writer, "halfplanecolor", "i", &scene.appearance.half_plane_colors);
    for path in &scene.appearance.paths {
        let element = writer.element("particlepath").index("i", path.index);
        element.real("duration", path.duration).color(path.color).end();
    }
}

fn integrator(writer: &mut Writer, integrator: Integrator) {
    let name = integrator.method.name();
    let mut element = writer.element("integrator").text("type", name).real("dt", integrator.dt);
    if let Method::DormandPrince { relative_tolerance, absolute_tolerance } = integrator.method {
        element = element.real("rtol", relative_tolerance).real("atol", absolute_tolerance);
    }
    element.end();
}

fn particle(writer: &mut Writer, particle: &Particle) {
    let mut element = writer
        .element("particle")
        .real("m", particle.mass)
        .pair("px", "py", particle.position)
        .pair("vx", "vy", particle.velocity)
        .flag("fixed", particle.fixed)
        .real("radius", particle.radius);
    if let Some(tag) = &particle.tag {
        element = element.text("tag", tag);
    }
    element.end();
}

fn forces(writer: &mut Writer, forces: &Forces) {
    for spring in &forces.springs {
        let element = writer.element("springforce").index("edge", spring.edge).real("k", spring.stiffness);
        element.real("l0", spring.rest_length).real("b", spring.damping).end();
    }
    for gravity in &forces.gravities {
        writer.element("simplegravity").pair("fx", "fy", *gravity).end();
    }
    for force in &forces.gravitations {
        let element = writer.element("gravitationalforce").index("i", force.first).index("j", force.second);
        element.real("G", force.constant).end();
    }
    for force in &forces.constants {
        writer.element("constantforce").pair("fx", "fy", *force).end();
    }
    for coefficient in &forces.drags {
        writer.element("dragdamping").real("b", *coefficient).end();
    }
    for force in &forces.timed {
        let element = writer.element("timedforce").index("i", force.particle).pair("fx", "fy", force.force);
        element.timing(force.rate, force.phase, force.from, force.until).end();
    }
    for force in &forces.vortices {
        let element = writer.element("vortexforce").index("i", force.first).index("j", force.second);
        element.real("kbs", force.biot_savart).real("kvc", force.viscosity).end();
    }
}

fn collision(writer: &mut Writer, collision: Collision) {
    // What holds without the tag needs no tag.
    if collision == (Collision { response: Response::None, restitution: 1.0, friction: 0.0 }) {
        return;
    }
    let name = collision.response.name();
    let mut element = writer.element("collision").text("type", name).real("COR", collision.restitution);
    if collision.friction != 0.0 {
        element = element.real("mu", collision.friction);
    }
    match collision.response {
        Response::None
        | Response::Simple
        | Response::ContinuousTime
        | Response::Lcp
        | Response::VelocityProjection
        | Response::ReflectionLcp
        | Response::ReflectionVelocityProjection => element.end(),
        Response::BackUp { max_events } => element.index("maxevents", max_events).end(),
        Response::Simultaneous { max_iterations } | Response::Elastic { max_iterations } => {
            element.index("maxiters", max_iterations).end();
        }
        Response::Penalty(Penalty { stiffness, thickness }) => {
            element.real("k", stiffness).real("thickness", thickness).end();
        }
        Response::Hybrid { penalty, max_iterations } => {
            let element = element.real("k", penalty.stiffness).real("thickness", penalty.thickness);
            element.index("maxiters", max_iterations).end();
        }
    }
}
