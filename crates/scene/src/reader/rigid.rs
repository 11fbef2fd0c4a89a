//! The tags of planar rigid bodies.

use super::Reader;
use super::document::Element;
use super::general::{Draft, color, indexed_color, surface};
use super::values::Fields;
use crate::description::IndexedColor;
use crate::description::rigid::{
    Anchor, Body, Contact, Drag, Integrator, Key, Method, Motion, Path, Response, RigidScene, Shape, Spring,
    TimedForce, Vertex, Weight, Wind,
};
use crate::problem::Problem;

impl Reader<'_> {
    pub(super) fn rigid_scene(&mut self, elements: &[Element], draft: &mut Draft) -> RigidScene {
        let mut scene = RigidScene::new(Integrator { method: Method::ExplicitEuler, dt: f64::NAN });
        scene.vertices.reserve_exact(self.count_of("rigidbodyvertex") as usize);
        let bodies = [self.count_of("rigidbody"), self.count_of("rigidbodydisc")];
        scene.bodies.reserve_exact(bodies.iter().sum::<u32>() as usize);
        for &element in elements {
            match self.tag_of(element).name {
                "rigidbodyintegrator" => scene.integrator = integrator(&self.fields(element)),
                "rigidbodycollisionhandling" => scene.contact = Some(self.contact(element)),
                "rigidbodyvertex" => scene.vertices.push(vertex(&self.fields(element))),
                "rigidbody" => scene.bodies.push(self.outlined_body(element)),
                "rigidbodydisc" => scene.bodies.push(self.disc(element)),
                "rigidbodyscript" => scene.keys.push(key(&self.fields(element))),
                "rigidbodyuniformmotion" => scene.motions.push(uniform_motion(&self.fields(element))),
                "rigidbodyoscillation" => scene.motions.push(oscillation(&self.fields(element))),
                "rigidbodygravityforce" => scene.gravities.push(self.fields(element).pair("fx", "fy")),
                "rigidbodyspringforce" => scene.springs.push(spring(&self.fields(element))),
                "rigidbodydragforce" => scene.drags.push(drag(&self.fields(element))),
                "rigidbodytimedforce" => scene.timed.push(timed(&self.fields(element))),
                "rigidbodysurface" => scene.surfaces.push(surface(&self.fields(element), "body")),
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
        self.check_planar_scripts(&scene);
        scene
    }

    fn contact(&mut self, element: Element) -> Contact {
        let fields = self.fields(element);
        let response = match fields.choice("response") {
            "velocity-projection" => Response::VelocityProjection,
            "gr-lcp" => Response::ReflectionLcp,
            "gr-velocity-projection" => Response::ReflectionVelocityProjection,
            "impulse" => Response::Impulse,
            "penalty" => {
                Response::Penalty { stiffness: fields.real("k"), thickness: fields.real("thickness") }
            }
            _ => Response::Lcp,
        };
        let unused: &[&str] = match response {
            Response::Penalty { .. } => &["COR", "mu", "tolerance"],
            Response::Lcp | Response::VelocityProjection => &["k", "thickness"],
            _ => &["tolerance", "k", "thickness"],
        };
        for name in unused.iter().filter(|name| fields.given(name)) {
            let why = format!("with `{}`", response.name());
            self.without_effect(("rigidbodycollisionhandling", 0, name), &why);
        }
        Contact {
            response,
            restitution: fields.optional_real("COR"),
            friction: fields.real("mu"),
            tolerance: fields.optional_real("tolerance"),
        }
    }

    fn outlined_body(&mut self, element: Element) -> Body {
        let mut fields = self.fields(element);
        let ordinal = self.map.count("rigidbody") - 1;
        let mut outline = std::mem::take(&mut fields.list);
        outline.shrink_to_fit();
        let solid = fields.flag("solid");
        let density = fields.optional_real("density");
        if solid && density.is_none() {
            let span = self.span("rigidbody", ordinal, "solid");
            let problem = Problem::error(span, "a solid body without `density`")
                .label("the masses of its vertices do not count")
                .at("rigidbody", Some("density"));
            self.problems.push(problem.help("add the mass for each unit of area: `density=\"1.0\"`"));
        }
        if solid && outline.len() == 2 {
            let span = self.span("rigidbody", ordinal, "solid");
            let problem = Problem::error(span, "a solid body of two vertices has no area");
            self.problems.push(problem.label("expected at least three `p`").at("rigidbody", Some("solid")));
        }
        if !solid && density.is_some() {
            self.without_effect(("rigidbody", ordinal, "density"), "without `solid=\"1\"`");
        }
        let shape = match solid {
            true => Shape::Solid { outline, density: density.unwrap_or(f64::NAN) },
            false => Shape::Hollow { outline },
        };
        Body {
            shape,
            velocity: fields.pair("vx", "vy"),
            angular_velocity: fields.real("omega"),
            radius: fields.real("r"),
            fixed: fields.flag("fixed"),
        }
    }

    fn disc(&mut self, element: Element) -> Body {
        let fields = self.fields(element);
        let ordinal = self.map.count("rigidbodydisc") - 1;
        let wrong = |span, message: &str, label: &str| {
            Problem::error(span, message).label(label).at("rigidbodydisc", Some("m"))
        };
        let weight = match (fields.optional_real("m"), fields.optional_real("density")) {
            (Some(mass), None) => Weight::Mass(mass),
            (None, Some(density)) => Weight::Density(density),
            (Some(mass), Some(_)) => {
                let span = self.span("rigidbodydisc", ordinal, "density");
                self.problems.push(
                    wrong(span, "a disc with both `m` and `density`", "only one of them")
                        .related(self.span("rigidbodydisc", ordinal, "m"), "the mass"),
                );
                Weight::Mass(mass)
            }
            (None, None) => {
                let span = self.span("rigidbodydisc", ordinal, "m");
                self.problems.push(wrong(span, "a disc without weight", "expected `m` or `density`"));
                Weight::Mass(f64::NAN)
            }
        };
        Body {
            shape: Shape::Disc { center: fields.pair("x", "y"), weight },
            velocity: fields.pair("vx", "vy"),
            angular_velocity: fields.real("omega"),
            radius: fields.real("radius"),
            fixed: fields.flag("fixed"),
        }
    }

    /// An attribute that was given for nothing.
    pub(super) fn without_effect(
        &mut self,
        (tag, ordinal, name): (&'static str, usize, &'static str),
        why: &str,
    ) {
        self.ignored((tag, ordinal, name), format!("`{name}` has no effect {why}"));
    }

    /// The same of a whole tag, shown at one of its attributes.
    pub(super) fn tag_without_effect(&mut self, place: (&'static str, usize, &'static str), why: &str) {
        self.ignored(place, format!("`{}` has no effect {why}", place.0));
    }

    fn ignored(&mut self, (tag, ordinal, name): (&'static str, usize, &'static str), message: String) {
        let problem = Problem::new(self.options.ignored(), self.span(tag, ordinal, name), message);
        self.problems.push(problem.label("ignored").at(tag, Some(name)));
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
        let outlines = scene.bodies.iter().map(Body::outline).filter(|outline| !outline.is_empty());
        for (ordinal, outline) in outlines.enumerate() {
            let count = outline.len();
            let zero = |k: &usize| {
                let ends = (outline[*k], outline[(*k + 1) % count]);
                match (scene.vertices.get(ends.0), scene.vertices.get(ends.1)) {
                    (Some(first), Some(second)) => first.position == second.position,
                    _ => false,
                }
            };
            if let Some(k) = (0..count).find(|k| count > 1 && zero(k)) {
                let span = self.map.values("rigidbody", ordinal, "p").nth(k).unwrap_or(0..0);
                let next = outline[(k + 1) % count];
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
    match anchor {
        Anchor::World(point) => Some(point),
        Anchor::Body { body, offset } => {
            let center = scene.center_of_mass(body)?;
            Some([center[0] + offset[0], center[1] + offset[1]])
        }
    }
}

fn integrator(fields: &Fields) -> Integrator {
    let method = match fields.choice("type") {
        "symplectic-euler" => Method::SymplecticEuler,
        "velocity-verlet" => Method::VelocityVerlet,
        _ => Method::ExplicitEuler,
    };
    Integrator { method, dt: fields.real("dt") }
}

fn vertex(fields: &Fields) -> Vertex {
    Vertex { position: fields.pair("x", "y"), mass: fields.real("m") }
}

fn key(fields: &Fields) -> Key {
    Key {
        body: fields.index("body"),
        time: fields.real("t"),
        displacement: fields.pair("x", "y"),
        angle: fields.real("theta"),
    }
}

fn uniform_motion(fields: &Fields) -> Motion {
    let path = Path::Uniform { velocity: fields.pair("vx", "vy"), angular_velocity: fields.real("omega") };
    Motion { body: fields.index("body"), path }
}

fn oscillation(fields: &Fields) -> Motion {
    let path = Path::Oscillation {
        displacement: fields.pair("x", "y"),
        angle: fields.real("theta"),
        rate: fields.real("rate"),
        phase: fields.real("phase"),
    };
    Motion { body: fields.index("body"), path }
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
        damping: fields.real("b"),
    }
}

fn drag(fields: &Fields) -> Drag {
    Drag { linear: fields.real("b"), angular: fields.real("angular") }
}

fn timed(fields: &Fields) -> TimedForce {
    TimedForce {
        body: fields.index("body"),
        force: fields.pair("fx", "fy"),
        torque: fields.real("torque"),
        rate: fields.real("rate"),
        phase: fields.real("phase"),
        from: fields.real("from"),
        until: fields.optional_real("until"),
    }
}

fn wind(fields: &Fields) -> Wind {
    Wind {
        coefficient: fields.real("beta"),
        velocity: fields.pair("fx", "fy"),
        points_per_edge: fields.count("pointsperedge"),
    }
}
