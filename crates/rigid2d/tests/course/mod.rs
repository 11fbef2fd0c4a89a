//! The course's scenes and trajectories, read just well enough for tests.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

pub(crate) mod corpus;
pub(crate) mod xml;

use carom_rigid2d::{
    Anchor, BodyIndex, BodyState, ContactSettings, DVec2, Forces, Integrator, Model, Motion, Placed,
    PlanarSettings, PointMass, Response, Spring, State, Wind, World,
};
use xml::Element;

/// A world of a scene of the corpus, in course mode.
pub(crate) fn world(text: &str) -> World {
    world_in(text, true)
}

/// A world of a scene of the corpus.
pub(crate) fn world_in(text: &str, course: bool) -> World {
    let elements = xml::elements(text);
    let vertices: Vec<PointMass> = of(&elements, "rigidbodyvertex")
        .map(|e| PointMass { position: DVec2::new(e.number("x"), e.number("y")), mass: e.number("m") })
        .collect();
    let mut model = Model { bodies: Vec::new(), forces: forces(&elements) };
    let mut state = State::default();
    for e in of(&elements, "rigidbody") {
        let points: Vec<_> = e.all("p").map(|p| vertices[p.parse::<usize>().unwrap()]).collect();
        let motion = if e.get("fixed") == Some("1") { Motion::Fixed } else { Motion::Free };
        let Placed { body, center } = Placed::point_masses(&points, e.number("r"), motion);
        model.bodies.push(body);
        state.bodies.push(BodyState {
            position: center,
            angle: 0.0,
            velocity: DVec2::new(e.number("vx"), e.number("vy")),
            angular_velocity: e.number("omega"),
        });
    }
    World::new(model, state, settings(&elements, course)).unwrap()
}

fn of<'a>(elements: &'a [Element], name: &'a str) -> impl Iterator<Item = &'a Element> {
    elements.iter().filter(move |e| e.name == name)
}

fn settings(elements: &[Element], course: bool) -> PlanarSettings {
    let method = of(elements, "rigidbodyintegrator").next().unwrap();
    let integrator = match method.get("type") {
        Some("explicit-euler") => Integrator::ExplicitEuler,
        Some("symplectic-euler") => Integrator::SymplecticEuler,
        other => panic!("integrator {other:?}"),
    };
    let contact = of(elements, "rigidbodycollisionhandling").next().map(|e| {
        let response = match e.get("response") {
            Some("lcp") => Response::Lcp,
            Some("velocity-projection") => Response::VelocityProjection,
            Some("gr-lcp") => Response::ReflectionLcp,
            Some("gr-velocity-projection") => Response::ReflectionVelocityProjection,
            other => panic!("response {other:?}"),
        };
        ContactSettings::new(response)
    });
    PlanarSettings { contact, course, ..PlanarSettings::new(method.number("dt"), integrator) }
}

fn forces(elements: &[Element]) -> Forces {
    let vector = |e: &Element| DVec2::new(e.number("fx"), e.number("fy"));
    let anchor = |e: &Element, index: &str, x: &str, y: &str| {
        let offset = DVec2::new(e.number(x), e.number(y));
        match e.number(index) as i64 {
            -1 => Anchor::World(offset),
            body => Anchor::Body(BodyIndex(body as u32), offset),
        }
    };
    Forces {
        gravities: of(elements, "rigidbodygravityforce").map(vector).collect(),
        springs: of(elements, "rigidbodyspringforce")
            .map(|e| Spring {
                start: anchor(e, "i", "pix", "piy"),
                end: anchor(e, "j", "pjx", "pjy"),
                stiffness: e.number("k"),
                rest_length: e.number("l0"),
            })
            .collect(),
        winds: of(elements, "rigidbodywindforce")
            .map(|e| Wind {
                coefficient: e.number("beta"),
                velocity: vector(e),
                points_per_edge: e.number("pointsperedge") as u32,
            })
            .collect(),
        ..Forces::default()
    }
}
