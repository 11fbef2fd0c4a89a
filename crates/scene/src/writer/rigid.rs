//! The tags of planar rigid bodies.

use super::element::{ElementWriter, Writer};
use super::{colors, surfaces};
use crate::description::rigid::{Anchor, Body, Contact, Motion, Path, Response, RigidScene, Shape, Weight};

pub(super) fn write(writer: &mut Writer, scene: &RigidScene) {
    let method = scene.integrator.method.name();
    writer.element("rigidbodyintegrator").text("type", method).real("dt", scene.integrator.dt).end();
    if let Some(one) = &scene.contact {
        contact(writer, one);
    }
    for vertex in &scene.vertices {
        writer.element("rigidbodyvertex").pair("x", "y", vertex.position).real("m", vertex.mass).end();
    }
    for one in &scene.bodies {
        body(writer, one);
    }
    for key in &scene.keys {
        let element = writer.element("rigidbodyscript").index("body", key.body).real("t", key.time);
        element.pair("x", "y", key.displacement).real("theta", key.angle).end();
    }
    for one in &scene.motions {
        motion(writer, one);
    }
    forces(writer, scene);
    surfaces(writer, "rigidbodysurface", "body", &scene.surfaces);
    colors(writer, "rigidbodycolor", "body", &scene.body_colors);
    colors(writer, "rigidbodyspringcolor", "spring", &scene.spring_colors);
}

/// What holds when it is left out is left out.
fn contact(writer: &mut Writer, contact: &Contact) {
    let mut element = writer.element("rigidbodycollisionhandling").text("detection", "all-pairs");
    element = element.text("response", contact.response.name());
    if let Response::Penalty { stiffness, thickness } = contact.response {
        element = element.real("k", stiffness).real("thickness", thickness);
    }
    if let Some(restitution) = contact.restitution {
        element = element.real("COR", restitution);
    }
    if contact.friction != 0.0 {
        element = element.real("mu", contact.friction);
    }
    if let Some(tolerance) = contact.tolerance {
        element = element.real("tolerance", tolerance);
    }
    element.end();
}

fn body(writer: &mut Writer, body: &Body) {
    if let Shape::Disc { center, weight } = body.shape {
        let element = writer.element("rigidbodydisc").pair("x", "y", center).real("radius", body.radius);
        let element = match weight {
            Weight::Mass(mass) => element.real("m", mass),
            Weight::Density(density) => element.real("density", density),
        };
        moving(element, body).flag("fixed", body.fixed).end();
        return;
    }
    let mut element = writer.element("rigidbody");
    for vertex in body.outline() {
        element = element.index("p", vertex);
    }
    element = moving(element, body).real("r", body.radius).flag("fixed", body.fixed);
    if let Shape::Solid { density, .. } = body.shape {
        element = element.flag("solid", true).real("density", density);
    }
    element.end();
}

fn moving<'a>(element: ElementWriter<'a>, body: &Body) -> ElementWriter<'a> {
    element.pair("vx", "vy", body.velocity).real("omega", body.angular_velocity)
}

fn motion(writer: &mut Writer, motion: &Motion) {
    let element = writer.element(motion.path.tag()).index("body", motion.body);
    match motion.path {
        Path::Uniform { velocity, angular_velocity } => {
            element.pair("vx", "vy", velocity).real("omega", angular_velocity).end();
        }
        Path::Oscillation { displacement, angle, rate, phase } => {
            let element = element.pair("x", "y", displacement).real("theta", angle);
            element.real("rate", rate).real("phase", phase).end();
        }
    }
}

fn forces(writer: &mut Writer, scene: &RigidScene) {
    for gravity in &scene.gravities {
        writer.element("rigidbodygravityforce").pair("fx", "fy", *gravity).end();
    }
    for spring in &scene.springs {
        let element = anchor(writer.element("rigidbodyspringforce"), ["i", "pix", "piy"], spring.start);
        let element = anchor(element, ["j", "pjx", "pjy"], spring.end);
        element.real("k", spring.stiffness).real("l0", spring.rest_length).nonzero("b", spring.damping).end();
    }
    for drag in &scene.drags {
        writer.element("rigidbodydragforce").real("b", drag.linear).real("angular", drag.angular).end();
    }
    for force in &scene.timed {
        let element = writer.element("rigidbodytimedforce").index("body", force.body);
        let element = element.pair("fx", "fy", force.force).nonzero("torque", force.torque);
        element.timing(force.rate, force.phase, force.from, force.until).end();
    }
    for wind in &scene.winds {
        let element = writer.element("rigidbodywindforce").real("beta", wind.coefficient);
        element.pair("fx", "fy", wind.velocity).index("pointsperedge", wind.points_per_edge).end();
    }
}

fn anchor<'a>(element: ElementWriter<'a>, names: [&str; 3], anchor: Anchor) -> ElementWriter<'a> {
    match anchor {
        Anchor::World(point) => element.index(names[0], -1).pair(names[1], names[2], point),
        Anchor::Body { body, offset } => element.index(names[0], body).pair(names[1], names[2], offset),
    }
}
