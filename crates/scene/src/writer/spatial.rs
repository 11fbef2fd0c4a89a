//! The tags of rigid bodies in space. What holds when it is left out is left out.

use super::element::{ElementWriter, Writer};
use super::{colors, surfaces};
use crate::description::spatial::{
    Anchor, Body, Contact, FRAME_RATE, Integrator, Method, Motion, Orientation, Path, Shape, SpatialScene,
    Weight,
};

pub(super) fn write(writer: &mut Writer, scene: &SpatialScene) {
    integrator(writer, scene.integrator);
    if let Some(one) = &scene.contact {
        contact(writer, one);
    }
    if scene.frame_rate.to_bits() != FRAME_RATE.to_bits() {
        writer.element("rigidbody3doutput").real("fps", scene.frame_rate).end();
    }
    for vertex in &scene.vertices {
        let [x, y, z] = *vertex;
        writer.element("rigidbody3dvertex").real("x", x).real("y", y).real("z", z).end();
    }
    for one in &scene.bodies {
        body(writer, one);
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        if let Some(Weight::Given { inertia: [ixx, iyy, izz, ixy, iyz, izx], .. }) = body.weight {
            let element = writer.element("rigidbody3dinertia").index("body", index).real("ixx", ixx);
            let element = element.real("iyy", iyy).real("izz", izz);
            element.triple(["ixy", "iyz", "izx"], [ixy, iyz, izx]).end();
        }
    }
    for key in &scene.keys {
        let element = writer.element("rigidbody3dscript").index("body", key.body).real("t", key.time);
        element.triple(["x", "y", "z"], key.displacement).triple(["rx", "ry", "rz"], key.rotation).end();
    }
    for one in &scene.motions {
        motion(writer, one);
    }
    forces(writer, scene);
    if let Some(camera) = &scene.camera {
        let [x, y, z] = camera.eye;
        let element = writer.element("rigidbody3dcamera").real("x", x).real("y", y).real("z", z);
        let element = element.triple(["tx", "ty", "tz"], camera.target);
        let [ux, uy, uz] = camera.up;
        let element = element.real("ux", ux).real("uy", uy).real("uz", uz);
        element.real("fov", camera.field_of_view).end();
    }
    surfaces(writer, "rigidbody3dsurface", "body", &scene.surfaces);
    colors(writer, "rigidbody3dcolor", "body", &scene.body_colors);
    colors(writer, "rigidbody3dspringcolor", "spring", &scene.spring_colors);
}

fn motion(writer: &mut Writer, motion: &Motion) {
    let element = writer.element(motion.path.tag()).index("body", motion.body);
    match motion.path {
        Path::Uniform { velocity, angular_velocity } => {
            let element = element.triple(["vx", "vy", "vz"], velocity);
            element.triple(["omegax", "omegay", "omegaz"], angular_velocity).end();
        }
        Path::Oscillation { displacement, rotation, rate, phase } => {
            let element = element.triple(["x", "y", "z"], displacement);
            let element = element.triple(["rx", "ry", "rz"], rotation).real("rate", rate);
            element.real("phase", phase).end();
        }
    }
}

fn integrator(writer: &mut Writer, integrator: Integrator) {
    let method = integrator.method;
    let mut element = writer.element("rigidbody3dintegrator").text("type", method.name());
    element = element.real("dt", integrator.dt);
    if integrator.orientation != Orientation::Quaternion {
        element = element.text("orientation", integrator.orientation.name());
    }
    if let Method::DormandPrince { tolerance } = method {
        element = element.real("tolerance", tolerance);
    }
    element.end();
}

fn contact(writer: &mut Writer, contact: &Contact) {
    let mut element =
        writer.element("rigidbody3dcollisionhandling").text("response", contact.response.name());
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
    let place = ["x", "y", "z"];
    let mut element = match &body.shape {
        Shape::HalfSpace { normal } => {
            let element = writer.element("rigidbody3dhalfspace").triple(place, body.position);
            element.triple(["nx", "ny", "nz"], *normal).end();
            return;
        }
        Shape::Sphere { radius } => {
            writer.element("rigidbody3dsphere").triple(place, body.position).real("radius", *radius)
        }
        Shape::Box { sides: [a, b, c] } => {
            let element = writer.element("rigidbody3dbox").triple(place, body.position);
            element.real("a", *a).real("b", *b).real("c", *c)
        }
        Shape::Polyhedron { corners } => {
            let mut element = writer.element("rigidbody3dpolyhedron");
            for corner in corners {
                element = element.index("p", corner);
            }
            element.triple(place, body.position)
        }
        Shape::File { name } => {
            writer.element("rigidbody3dpolyhedron").text("file", name).triple(place, body.position)
        }
    };
    element = moving(element, body);
    element = match body.weight {
        Some(Weight::Density(density)) => element.real("density", density),
        Some(Weight::Mass(mass) | Weight::Given { mass, .. }) => element.real("m", mass),
        None => element,
    };
    if body.fixed {
        element = element.flag("fixed", true);
    }
    element.end();
}

fn moving<'a>(element: ElementWriter<'a>, body: &Body) -> ElementWriter<'a> {
    let element = element.triple(["rx", "ry", "rz"], body.rotation);
    let element = element.triple(["vx", "vy", "vz"], body.velocity);
    element.triple(["omegax", "omegay", "omegaz"], body.angular_velocity)
}

fn forces(writer: &mut Writer, scene: &SpatialScene) {
    let force = ["fx", "fy", "fz"];
    for gravity in &scene.gravities {
        writer.element("rigidbody3dgravityforce").triple(force, *gravity).end();
    }
    for spring in &scene.springs {
        let element =
            anchor(writer.element("rigidbody3dspringforce"), "i", ["pix", "piy", "piz"], spring.start);
        let element = anchor(element, "j", ["pjx", "pjy", "pjz"], spring.end);
        element.real("k", spring.stiffness).real("l0", spring.rest_length).nonzero("b", spring.damping).end();
    }
    for timed in &scene.timed {
        let element = writer.element("rigidbody3dtimedforce").index("body", timed.body);
        let element = element.triple(force, timed.force).triple(["tx", "ty", "tz"], timed.torque);
        element.timing(timed.rate, timed.phase, timed.from, timed.until).end();
    }
    for drag in &scene.drags {
        writer.element("rigidbody3ddragforce").real("b", drag.linear).real("angular", drag.angular).end();
    }
    for push in &scene.pushes {
        let element = writer.element("rigidbody3dpushforce").index("body", push.body);
        element.triple(force, push.force).triple(["tx", "ty", "tz"], push.torque).end();
    }
}

fn anchor<'a>(element: ElementWriter<'a>, body: &str, names: [&str; 3], anchor: Anchor) -> ElementWriter<'a> {
    match anchor {
        Anchor::World(point) => element.index(body, -1).triple(names, point),
        Anchor::Body { body: index, offset } => element.index(body, index).triple(names, offset),
    }
}
