//! The tags of spatial rigid bodies.

use super::Reader;
use super::document::Element;
use super::general::Draft;
use crate::description::spatial::{
    Body, Camera, CollisionHandling, Integrator, Motion, Orientation, SpatialMethod, SpatialScene, Weight,
    read_inertia,
};
use crate::description::{IndexedColor, Surface};
use crate::problem::Problem;

/// A body of the file, to be found again when all is read: its tag and which one of it.
type Place = (&'static str, usize);

impl Reader<'_> {
    pub(super) fn spatial_scene(&mut self, elements: &[Element], draft: &mut Draft) -> SpatialScene {
        let integrator = Integrator {
            method: SpatialMethod::ExplicitEuler,
            dt: f64::NAN,
            orientation: Orientation::Quaternion,
        };
        let mut scene = SpatialScene::new(integrator);
        scene.vertices.reserve_exact(self.count_of("rigidbody3dvertex") as usize);
        let mut places: Vec<Place> = Vec::new();
        let mut inertias: Vec<(usize, [f64; 6])> = Vec::new();
        for &element in elements {
            let name = self.tag_of(element).name;
            match name {
                "rigidbody3dintegrator" => scene.integrator = Integrator::read(self, element),
                "rigidbody3dcollisionhandling" => {
                    scene.contact = Some(CollisionHandling::read(self, element))
                }
                "rigidbody3doutput" => scene.frame_rate = self.whole(element),
                "rigidbody3dvertex" => scene.vertices.push(self.whole(element)),
                "rigidbody3dsphere" | "rigidbody3dbox" | "rigidbody3dpolyhedron" | "rigidbody3dhalfspace" => {
                    let body = Body::read(self, name, element);
                    places.push((name, self.map.count(name) - 1));
                    scene.bodies.push(body);
                }
                "rigidbody3dinertia" => inertias.push(read_inertia(&self.fields(element))),
                "rigidbody3dscript" => scene.keys.push(self.record(element)),
                "rigidbody3duniformmotion" => {
                    scene.motions.push(Motion::read_uniform(&mut self.fields(element)));
                }
                "rigidbody3doscillation" => {
                    scene.motions.push(Motion::read_oscillation(&mut self.fields(element)));
                }
                "rigidbody3dgravityforce" => scene.gravities.push(self.whole(element)),
                "rigidbody3dspringforce" => scene.springs.push(self.record(element)),
                "rigidbody3ddragforce" => scene.drags.push(self.record(element)),
                "rigidbody3dtimedforce" => scene.timed.push(self.record(element)),
                "rigidbody3dsurface" => scene.surfaces.push(Surface::read(&mut self.fields(element), "body")),
                "rigidbody3dpushforce" => scene.pushes.push(self.record(element)),
                "rigidbody3dcamera" => scene.camera = Some(Camera::read_checked(self, element)),
                "rigidbody3dcolor" => {
                    scene.body_colors.push(IndexedColor::read(&mut self.fields(element), "body"))
                }
                "rigidbody3dspringcolor" => {
                    scene.spring_colors.push(IndexedColor::read(&mut self.fields(element), "spring"));
                }
                _ => self.general_element(element, draft),
            }
        }
        self.give_inertias(&mut scene, &inertias);
        self.check_spatial_scripts(&mut scene);
        self.check_weights(&scene, &places);
        self.check_pushes(&scene);
        scene
    }

    /// Inertias go to bodies that have a mass.
    fn give_inertias(&mut self, scene: &mut SpatialScene, inertias: &[(usize, [f64; 6])]) {
        const TAG: &str = "rigidbody3dinertia";
        for (ordinal, &(body, inertia)) in inertias.iter().enumerate() {
            let Some(one) = scene.bodies.get_mut(body) else { continue };
            match one.weight {
                Some(Weight::Mass(mass) | Weight::Given { mass, .. }) => {
                    one.weight = Some(Weight::Given { mass, inertia });
                }
                _ => {
                    let problem = Problem::error(
                        self.span(TAG, ordinal, "body"),
                        "an inertia for a body whose mass is not given",
                    );
                    let problem = problem.label(format!("body {body} has no `m`")).at(TAG, Some("body"));
                    self.problems.push(problem.help("a density gives the inertia as well"));
                }
            }
        }
    }

    /// A free body has a weight.
    fn check_weights(&mut self, scene: &SpatialScene, places: &[Place]) {
        for ((body, kinematic), &(tag, ordinal)) in scene.bodies.iter().zip(scene.kinematic()).zip(places) {
            if !body.fixed && !kinematic && body.weight.is_none() {
                let problem = Problem::error(self.span(tag, ordinal, "m"), "a free body without weight");
                self.problems.push(problem.label("expected `m` or `density`").at(tag, Some("m")));
            }
        }
    }

    /// A push on what cannot move has no effect.
    fn check_pushes(&mut self, scene: &SpatialScene) {
        let kinematic = scene.kinematic();
        for (ordinal, push) in scene.pushes.iter().enumerate() {
            let Some(body) = scene.bodies.get(push.body) else { continue };
            let why = match kinematic[push.body] {
                true => "follows a script",
                false if body.fixed => "is fixed",
                false => continue,
            };
            let why = format!("on body {}, which {why}", push.body);
            self.tag_without_effect(("rigidbody3dpushforce", ordinal, "body"), &why);
        }
    }
}
