//! The tags of particle systems.

use super::Reader;
use super::document::Element;
use super::general::{Draft, color, indexed_color, surface};
use super::values::Fields;
use crate::description::particles::{
    Appearance, Collision, Detection, Edge, Forces, Gravitation, HalfPlane, Integrator, Method, Particle,
    ParticlePath, ParticleScene, Penalty, Response, Spring, TimedForce, Vortex,
};
use crate::problem::Problem;

/// Attributes of `collision` that a type does not use.
pub(super) fn unused_collision_attributes(kind: &str) -> &'static [&'static str] {
    match kind {
        "hybrid" => &["maxevents"],
        "penalty" => &["maxiters", "maxevents", "mu"],
        "simultaneous" | "elastic" => &["k", "thickness", "maxevents"],
        "back-up" => &["k", "thickness", "maxiters"],
        _ => &["k", "thickness", "maxiters", "maxevents"],
    }
}

impl Reader<'_> {
    pub(super) fn particle_scene(&mut self, elements: &[Element], draft: &mut Draft) -> ParticleScene {
        let unknown = Integrator { method: Method::ExplicitEuler, dt: f64::NAN };
        let mut scene = ParticleScene::new(unknown);
        scene.particles.reserve_exact(self.count_of("particle") as usize);
        scene.edges.reserve_exact(self.count_of("edge") as usize);
        scene.half_planes.reserve_exact(self.count_of("halfplane") as usize);
        scene.forces.springs.reserve_exact(self.count_of("springforce") as usize);
        for &element in elements {
            match self.tag_of(element).name {
                "integrator" => scene.integrator = self.integrator(element),
                "particle" => scene.particles.push(particle(&mut self.fields(element))),
                "edge" => scene.edges.push(edge(&self.fields(element))),
                "halfplane" => scene.half_planes.push(self.half_plane(element)),
                "collision" => scene.collision = self.collision(element),
                "collisiondetection" => scene.detection = detection(&self.fields(element)),
                "springforce" | "simplegravity" | "gravitationalforce" | "constantforce" | "dragdamping"
                | "vortexforce" | "timedforce" => self.force(element, &mut scene.forces),
                "particlesurface" => scene.surfaces.push(surface(&self.fields(element), "i")),
                "particlecolor" | "edgecolor" | "halfplanecolor" | "particlepath" => {
                    self.appearance(element, &mut scene.appearance);
                }
                _ => self.general_element(element, draft),
            }
        }
        self.check_edges(&scene);
        self.check_half_planes(&scene);
        self.check_springs(&scene);
        self.check_pairs(&scene);
        scene
    }

    fn integrator(&mut self, element: Element) -> Integrator {
        let fields = self.fields(element);
        let method = match fields.choice("type") {
            "forward-backward-euler" | "symplectic-euler" => Method::SymplecticEuler,
            "linearized-implicit-euler" => Method::LinearizedImplicitEuler,
            "implicit-euler" => Method::ImplicitEuler,
            "velocity-verlet" => Method::VelocityVerlet,
            "rk4" => Method::RungeKutta4,
            "dormand-prince" => Method::DormandPrince {
                relative_tolerance: fields.real("rtol"),
                absolute_tolerance: fields.real("atol"),
            },
            _ => Method::ExplicitEuler,
        };
        if !matches!(method, Method::DormandPrince { .. }) {
            self.unused_attributes("integrator", &fields, &["rtol", "atol"]);
        }
        Integrator { method, dt: fields.real("dt") }
    }

    fn collision(&mut self, element: Element) -> Collision {
        let fields = self.fields(element);
        let kind = fields.choice("type");
        let penalty = |stiffness, thickness| Penalty {
            stiffness: fields.optional_real("k").unwrap_or(stiffness),
            thickness: fields.optional_real("thickness").unwrap_or(thickness),
        };
        let response = match kind {
            "simple" => Response::Simple,
            "penalty" => Response::Penalty(penalty(100.0, 0.01)),
            "continuous-time" => Response::ContinuousTime,
            "hybrid" => {
                Response::Hybrid { penalty: penalty(10.0, 0.1), max_iterations: fields.count("maxiters") }
            }
            "back-up" => Response::BackUp { max_events: fields.count("maxevents") },
            "simultaneous" => Response::Simultaneous { max_iterations: fields.count("maxiters") },
            "elastic" => Response::Elastic { max_iterations: fields.count("maxiters") },
            "lcp" => Response::Lcp,
            "velocity-projection" => Response::VelocityProjection,
            "gr-lcp" => Response::ReflectionLcp,
            "gr-velocity-projection" => Response::ReflectionVelocityProjection,
            _ => Response::None,
        };
        if !kind.is_empty() {
            self.unused_attributes("collision", &fields, unused_collision_attributes(kind));
        }
        let friction = if self.options.course { 0.0 } else { fields.real("mu") };
        Collision { response, restitution: fields.real("COR"), friction }
    }

    fn unused_attributes(&mut self, tag: &'static str, fields: &Fields, unused: &[&'static str]) {
        for name in unused.iter().filter(|name| fields.given(name)) {
            let span = self.span(tag, 0, name);
            let message = format!("`{name}` has no effect with `{}`", fields.choice("type"));
            self.problems.push(
                Problem::new(self.options.ignored(), span, message).label("ignored").at(tag, Some(name)),
            );
        }
    }

    fn half_plane(&mut self, element: Element) -> HalfPlane {
        let fields = self.fields(element);
        // the course's program knows no moving ones
        let velocity = if self.options.course { [0.0; 2] } else { fields.pair("vx", "vy") };
        HalfPlane { point: fields.pair("px", "py"), normal: fields.pair("nx", "ny"), velocity }
    }

    fn force(&mut self, element: Element, forces: &mut Forces) {
        let name = self.tag_of(element).name;
        let fields = self.fields(element);
        match name {
            "springforce" => forces.springs.push(Spring {
                edge: fields.index("edge"),
                stiffness: fields.real("k"),
                rest_length: fields.real("l0"),
                damping: fields.real("b"),
            }),
            "simplegravity" => forces.gravities.push(fields.pair("fx", "fy")),
            "gravitationalforce" => forces.gravitations.push(Gravitation {
                first: fields.index("i"),
                second: fields.index("j"),
                constant: fields.real("G"),
            }),
            "constantforce" => forces.constants.push(fields.pair("fx", "fy")),
            "dragdamping" => forces.drags.push(fields.real("b")),
            "timedforce" => forces.timed.push(TimedForce {
                particle: fields.index("i"),
                force: fields.pair("fx", "fy"),
                rate: fields.real("rate"),
                phase: fields.real("phase"),
                from: fields.real("from"),
                until: fields.optional_real("until"),
            }),
            _ => forces.vortices.push(Vortex {
                first: fields.index("i"),
                second: fields.index("j"),
                biot_savart: fields.real("kbs"),
                viscosity: fields.real("kvc"),
            }),
        }
    }

    fn appearance(&mut self, element: Element, appearance: &mut Appearance) {
        let name = self.tag_of(element).name;
        let fields = self.fields(element);
        match name {
            "particlecolor" => appearance.particle_colors.push(indexed_color(&fields, "i")),
            "edgecolor" => appearance.edge_colors.push(indexed_color(&fields, "i")),
            "halfplanecolor" => appearance.half_plane_colors.push(indexed_color(&fields, "i")),
            _ => appearance.paths.push(ParticlePath {
                index: fields.index("i"),
                duration: fields.real("duration"),
                color: color(&fields),
            }),
        }
    }

    fn check_edges(&mut self, scene: &ParticleScene) {
        for (ordinal, edge) in scene.edges.iter().enumerate() {
            if edge.start == edge.end && edge.start < scene.particles.len() {
                let span = self.span("edge", ordinal, "j");
                let problem = Problem::error(span, "an edge from a particle to itself")
                    .label("expected another particle than `i`")
                    .at("edge", Some("j"));
                self.degenerate(problem);
            }
        }
    }

    fn check_half_planes(&mut self, scene: &ParticleScene) {
        for (ordinal, plane) in scene.half_planes.iter().enumerate() {
            let square = plane.normal[0] * plane.normal[0] + plane.normal[1] * plane.normal[1];
            if square == 0.0 || square == f64::INFINITY {
                let span = self.span("halfplane", ordinal, "nx");
                let (message, label) = if plane.normal == [0.0, 0.0] {
                    ("the normal of a half-plane is zero", "expected a direction")
                } else {
                    ("the length of this normal is outside the range of numbers", "expected a length near 1")
                };
                let problem = Problem::error(span, message).label(label).at("halfplane", Some("nx"));
                self.degenerate(problem);
            }
        }
    }

    /// A spring has no direction while its ends are at the same point.
    fn check_springs(&mut self, scene: &ParticleScene) {
        for (ordinal, spring) in scene.forces.springs.iter().enumerate() {
            let Some(edge) = scene.edges.get(spring.edge) else { continue };
            // An edge from a particle to itself has had its message.
            if edge.start != edge.end && coincide(scene, edge.start, edge.end) {
                let span = self.span("springforce", ordinal, "edge");
                let edge_span = self.map.span("edge", spring.edge, None).unwrap_or(0..0);
                let problem = Problem::error(span, "a spring of length zero has no direction")
                    .label(format!("particles {} and {} start at the same point", edge.start, edge.end))
                    .related(edge_span, "the edge")
                    .at("springforce", Some("edge"));
                self.degenerate(problem);
            }
        }
    }

    /// A force between two particles has no direction while they are at the same point.
    fn check_pairs(&mut self, scene: &ParticleScene) {
        let gravitations = scene.forces.gravitations.iter().map(|force| (force.first, force.second));
        let vortices = scene.forces.vortices.iter().map(|force| (force.first, force.second));
        let pairs = gravitations.enumerate().map(|pair| ("gravitationalforce", pair));
        for (tag, (ordinal, (first, second))) in
            pairs.chain(vortices.enumerate().map(|pair| ("vortexforce", pair)))
        {
            if coincide(scene, first, second) {
                let span = self.span(tag, ordinal, "j");
                let label = if first == second {
                    "expected another particle than `i`".to_owned()
                } else {
                    format!("particles {first} and {second} start at the same point")
                };
                let problem =
                    Problem::error(span, "a force between two points at the same place has no direction");
                self.degenerate(problem.label(label).at(tag, Some("j")));
            }
        }
    }
}

fn coincide(scene: &ParticleScene, first: usize, second: usize) -> bool {
    match (scene.particles.get(first), scene.particles.get(second)) {
        (Some(first), Some(second)) => first.position == second.position,
        _ => false,
    }
}

fn particle(fields: &mut Fields) -> Particle {
    Particle {
        mass: fields.real("m"),
        position: fields.pair("px", "py"),
        velocity: fields.pair("vx", "vy"),
        fixed: fields.flag("fixed"),
        radius: fields.real("radius"),
        tag: fields.text("tag"),
    }
}

fn edge(fields: &Fields) -> Edge {
    Edge { start: fields.index("i"), end: fields.index("j"), radius: fields.real("radius") }
}

fn detection(fields: &Fields) -> Detection {
    if fields.choice("type") == "contest" { Detection::Contest } else { Detection::AllPairs }
}
