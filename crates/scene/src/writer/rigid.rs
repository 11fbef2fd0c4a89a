//! The tags of planar rigid bodies.

use super::colors;
use super::element::{ElementWriter, Writer};
use crate::description::rigid::{Anchor, Body, RigidScene};

pub(super) fn write(writer: &mut Writer, scene: &RigidScene) {
    let method = scene.integrator.method.name();
    writer.element("rigidbodyintegrator").text("type", method).real("dt", scene.integrator.dt).end();
    if let Some(contact) = scene.contact {
        let response = contact.response.name();
        let element = writer.element("rigidbodycollisionhandling").text("detection", "all-pairs");
        element.text("response", response).end();
    }
    for vertex in &scene.vertices {
        writer.element("rigidbodyvertex").pair("x", "y", vertex.position).real("m", vertex.mass).end();
    }
    for one in &scene.bodies {
        body(writer, one);
    }
    forces(writer, scene);
    colors(writer, "rigidbodycolor", "body", &scene.body_colors);
    colors(writer, "rigidbodyspringcolor", "spring", &scene.spring_colors);
}

fn body(writer: &mut Writer, body: &Body) {
    let mut element = writer.element("rigidbody");
    for vertex in &body.outline {
        element = element.index("p", vertex);
    }
    element = element.pair("vx", "vy", body.velocity).real("omega", body.angular_velocity);
    element.real("r", body.radius).flag("fixed", body.fixed).end();
}

fn forces(writer: &mut Writer, scene: &RigidScene) {
    for gravity in &scene.gravities {
        writer.element("rigidbodygravityforce").pair("fx", "fy", *gravity).end();
    }
    for spring in &scene.springs {
        let element = anchor(writer.element("rigidbodyspringforce"), ["i", "pix", "piy"], spring.start);
        let element = anchor(element, ["j", "pjx", "pjy"], spring.end);
        element.real("k", spring.stiffness).real("l0", spring.rest_length).end();
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
