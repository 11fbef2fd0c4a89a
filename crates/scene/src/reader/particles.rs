//! The tags of particle systems.

use super::Reader;
use super::document::Element;
use super::general::Draft;
use crate::description::particles::{Collision, HalfPlane, Integrator, ParticleMethod, ParticleScene};
use crate::description::table::Named;
use crate::description::{IndexedColor, Surface};
use crate::problem::Problem;

impl Reader<'_> {
    pub(super) fn particle_scene(&mut self, elements: &[Element], draft: &mut Draft) -> ParticleScene {
        let unknown = Integrator { method: ParticleMethod::ExplicitEuler, dt: f64::NAN };
        let mut scene = ParticleScene::new(unknown);
        scene.particles.reserve_exact(self.count_of("particle") as usize);
        scene.edges.reserve_exact(self.count_of("edge") as usize);
        scene.half_planes.reserve_exact(self.count_of("halfplane") as usize);
        scene.forces.springs.reserve_exact(self.count_of("springforce") as usize);
        for &element in elements {
            let (forces, appearance) = (&mut scene.forces, &mut scene.appearance);
            match self.tag_of(element).name {
                "integrator" => scene.integrator = Integrator::read(self, element),
                "particle" => scene.particles.push(self.record(element)),
                "edge" => scene.edges.push(self.record(element)),
                "halfplane" => scene.half_planes.push(self.half_plane(element)),
                "collision" => scene.collision = Collision::read(self, element),
                "collisiondetection" => scene.detection = Named::named(self.fields(element).choice("type")),
                "springforce" => forces.springs.push(self.record(element)),
                "simplegravity" => forces.gravities.push(self.whole(element)),
                "gravitationalforce" => forces.gravitations.push(self.record(element)),
                "constantforce" => forces.constants.push(self.whole(element)),
                "dragdamping" => forces.drags.push(self.whole(element)),
                "vortexforce" => forces.vortices.push(self.record(element)),
                "timedforce" => forces.timed.push(self.record(element)),
                "particlesurface" => scene.surfaces.push(Surface::read(&mut self.fields(element), "i")),
                "particlecolor" => {
                    appearance.particle_colors.push(IndexedColor::read(&mut self.fields(element), "i"));
                }
                "edgecolor" => {
                    appearance.edge_colors.push(IndexedColor::read(&mut self.fields(element), "i"))
                }
                "halfplanecolor" => {
                    appearance.half_plane_colors.push(IndexedColor::read(&mut self.fields(element), "i"));
                }
                "particlepath" => appearance.paths.push(self.record(element)),
                _ => self.general_element(element, draft),
            }
        }
        self.check_edges(&scene);
        self.check_half_planes(&scene);
        self.check_springs(&scene);
        self.check_pairs(&scene);
        scene
    }

    /// The course's program knows no moving ones.
    fn half_plane(&mut self, element: Element) -> HalfPlane {
        let plane: HalfPlane = self.record(element);
        if self.options.course { HalfPlane { velocity: [0.0; 2], ..plane } } else { plane }
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
