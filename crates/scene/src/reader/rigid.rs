//! The tags of planar rigid bodies.

use super::Reader;
use super::document::Element;
use super::general::{Draft, color, indexed_color};
use super::values::Fields;
use crate::description::IndexedColor;
use crate::description::rigid::{
    Anchor, Body, Contact, Integrator, Method, Response, RigidScene, Spring, Vertex, Wind,
};
use crate::problem::Problem;

impl Reader<'_> {
    pub(super) fn rigid_scene(&mut self, elements: &[Element], draft: &mut Draft) -> RigidScene {
        let mut scene = RigidScene::new(Integrator { method: Method::ExplicitEuler, dt: f64::NAN });
        scene.vertices.reserve_exact(self.count_of("rigidbodyvertex") as usize);
        scene.bodies.reserve_exact(self.count_of("rigidbody") as usize);
        for &element in elements {
            match self.tag_of(element).name {
                "rigidbodyintegrator" => scene.integrator = integrator(&self.fields(element)),
                "rigidbodycollisionhandling" => scene.contact = Some(contact(&self.fields(element))),
                "rigidbodyvertex" => scene.vertices.push(vertex(&self.fields(element))),
                "rigidbody" => scene.bodies.push(body(self.fields(element))),
                "rigidbodygravityforce" => scene.gravities.push(self.fields(element).pair("fx", "fy")),
                "rigidbodyspringforce" => scene.springs.push(spring(&self.fields(element))),
                "rigidbodywindforce" => scene.winds.push(wind(&self.fields(element))),
                "rigidbodycolor" => {
                    let color = self.body_color(element, scene.body_colors.len());
                    scene.body_colors.push(color);
                }
                "rigidbodyspringcolor" => {
                    scene.spring_colors.push(indexed_color(&self.fields(element), "spring"));
                }
                _ => self.general_element(element, draft),
            }
        }
        self.check_outlines(&scene);
        self.check_rigid_springs(&scene);
        scene
    }

    /// The course's program gives the colour of the k-th `rigidbodycolor` to body k, whatever `body` says.
    fn body_color(&mut self, element: Element, ordinal: usize) -> IndexedColor {
        let fields = self.fields(element);
        if !self.options.course {
            return indexed_color(&fields, "body");
        }
        let span = self.span("rigidbodycolor", ordinal, "body");
        if ordinal >= self.count_of("rigidbody") as usize && self.complete {
            let problem = Problem::error(span, "more `rigidbodycolor` than bodies")
                .label("the course's program gives this to a body that is not there");
            self.problems.push(problem.at("rigidbodycolor", Some("body")));
        } else if fields.index("body") != ordinal {
            let problem = Problem::warning(span, format!("this colour is given to body {ordinal}"))
                .label("the course's program goes by the order of the tags");
            self.problems.push(problem.at("rigidbodycolor", Some("body")));
        }
        IndexedColor { index: ordinal, color: color(&fields) }
    }

    /// Two neighbours at the same point make an edge without direction.
    fn check_outlines(&mut self, scene: &RigidScene) {
        for (ordinal, body) in scene.bodies.iter().enumerate() {
            let count = body.outline.len();
            let zero = |k: &usize| {
                let ends = (body.outline[*k], body.outline[(*k + 1) % count]);
                match (scene.vertices.get(ends.0), scene.vertices.get(ends.1)) {
                    (Some(first), Some(second)) => first.position == second.position,
                    _ => false,
                }
            };
            if let Some(k) = (0..count).find(|k| count > 1 && zero(k)) {
                let span = self.map.values("rigidbody", ordinal, "p").nth(k).unwrap_or(0..0);
                let next = body.outline[(k + 1) % count];
                let problem = Problem::error(span, "an outline with an edge of length zero")
                    .label(format!("at the same point as the next one, vertex {next}"))
                    .at("rigidbody", Some("p"));
                self.degenerate(problem);
            }
        }
    }

    /// A spring with a rest length has no direction while its ends are at the same point.
    fn check_rigid_springs(&mut self, scene: &RigidScene) {
        for (ordinal, spring) in scene.springs.iter().enumerate() {
            if spring.rest_length == 0.0 {
                continue;
            }
            let ends = (position(scene, spring.start), position(scene, spring.end));
            if let (Some(start), Some(end)) = ends
                && start == end
            {
                let span = self.span("rigidbodyspringforce", ordinal, "l0");
                let problem = Problem::error(span, "a spring of length zero has no direction")
                    .label("both ends start at the same point; only a rest length of 0 allows that")
                    .at("rigidbodyspringforce", Some("l0"));
                self.degenerate(problem);
            }
        }
    }
}

/// Where an anchor is at the start.
fn position(scene: &RigidScene, anchor: Anchor) -> Option<[f64; 2]> {
    let (body, offset) = match anchor {
        Anchor::World(point) => return Some(point),
        Anchor::Body { body, offset } => (scene.bodies.get(body)?, offset),
    };
    let (mut mass, mut moment) = (0.0, [0.0, 0.0]);
    for vertex in &body.outline {
        let vertex = scene.vertices.get(*vertex)?;
        mass += vertex.mass;
        moment = [moment[0] + vertex.mass * vertex.position[0], moment[1] + vertex.mass * vertex.position[1]];
    }
    Some([moment[0] / mass + offset[0], moment[1] / mass + offset[1]])
}

fn integrator(fields: &Fields) -> Integrator {
    let method = match fields.choice("type") {
        "symplectic-euler" => Method::SymplecticEuler,
        _ => Method::ExplicitEuler,
    };
    Integrator { method, dt: fields.real("dt") }
}

fn contact(fields: &Fields) -> Contact {
    Contact {
        response: match fields.choice("response") {
            "velocity-projection" => Response::VelocityProjection,
            "gr-lcp" => Response::ReflectionLcp,
            "gr-velocity-projection" => Response::ReflectionVelocityProjection,
            _ => Response::Lcp,
        },
    }
}

fn vertex(fields: &Fields) -> Vertex {
    Vertex { position: fields.pair("x", "y"), mass: fields.real("m") }
}

fn body(mut fields: Fields) -> Body {
    let mut outline = std::mem::take(&mut fields.list);
    outline.shrink_to_fit();
    Body {
        outline,
        velocity: fields.pair("vx", "vy"),
        angular_velocity: fields.real("omega"),
        radius: fields.real("r"),
        fixed: fields.flag("fixed"),
    }
}

fn anchor(fields: &Fields, body: &str, offset: [f64; 2]) -> Anchor {
    match fields.integer(body) {
        -1 => Anchor::World(offset),
        _ => Anchor::Body { body: fields.index(body), offset },
    }
}

fn spring(fields: &Fields) -> Spring {
    Spring {
        start: anchor(fields, "i", fields.pair("pix", "piy")),
        end: anchor(fields, "j", fields.pair("pjx", "pjy")),
        stiffness: fields.real("k"),
        rest_length: fields.real("l0"),
    }
}

fn wind(fields: &Fields) -> Wind {
    Wind {
        coefficient: fields.real("beta"),
        velocity: fields.pair("fx", "fy"),
        points_per_edge: fields.count("pointsperedge"),
    }
}
