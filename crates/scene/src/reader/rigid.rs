//! The tags of planar rigid bodies.

use super::Reader;
use super::document::Element;
use super::general::Draft;
use super::values::Fields;
use crate::description::rigid::{
    Anchor, Body, CollisionHandling, Integrator, Motion, PlanarMethod, RigidScene,
};
use crate::description::table::Record;
use crate::description::{IndexedColor, Surface};
use crate::problem::Problem;

impl Reader<'_> {
    pub(super) fn rigid_scene(&mut self, elements: &[Element], draft: &mut Draft) -> RigidScene {
        let mut scene = RigidScene::new(Integrator { method: PlanarMethod::ExplicitEuler, dt: f64::NAN });
        scene.vertices.reserve_exact(self.count_of("rigidbodyvertex") as usize);
        let bodies = ["rigidbody", "rigidbodydisc", "rigidbodyhalfplane"].map(|tag| self.count_of(tag));
        scene.bodies.reserve_exact(bodies.iter().sum::<u32>() as usize);
        for &element in elements {
            match self.tag_of(element).name {
                "rigidbodyintegrator" => scene.integrator = self.record(element),
                "rigidbodycollisionhandling" => scene.contact = Some(CollisionHandling::read(self, element)),
                "rigidbodyvertex" => scene.vertices.push(self.record(element)),
                "rigidbody" => scene.bodies.push(Body::read_outlined(self, element)),
                "rigidbodydisc" => scene.bodies.push(Body::read_disc(self, element)),
                "rigidbodyhalfplane" => scene.bodies.push(Body::read_half_plane(self, element)),
                "rigidbodyscript" => scene.keys.push(self.record(element)),
                "rigidbodyuniformmotion" => {
                    scene.motions.push(Motion::read_uniform(&mut self.fields(element)));
                }
                "rigidbodyoscillation" => {
                    scene.motions.push(Motion::read_oscillation(&mut self.fields(element)));
                }
                "rigidbodygravityforce" => scene.gravities.push(self.whole(element)),
                "rigidbodyspringforce" => scene.springs.push(self.record(element)),
                "rigidbodydragforce" => scene.drags.push(self.record(element)),
                "rigidbodytimedforce" => scene.timed.push(self.record(element)),
                "rigidbodysurface" => scene.surfaces.push(Surface::read(&mut self.fields(element), "body")),
                "rigidbodywindforce" => scene.winds.push(self.record(element)),
                "rigidbodycolor" => {
                    let color = self.body_color(element, scene.body_colors.len());
                    scene.body_colors.push(color);
                }
                "rigidbodyspringcolor" => {
                    scene.spring_colors.push(IndexedColor::read(&mut self.fields(element), "spring"));
                }
                _ => self.general_element(element, draft),
            }
        }
        self.check_outlines(&scene);
        self.check_rigid_springs(&scene);
        self.check_planar_scripts(&mut scene);
        scene
    }

    /// An attribute that was given for nothing.
    pub(crate) fn without_effect(
        &mut self,
        (tag, ordinal, name): (&'static str, usize, &'static str),
        why: &str,
    ) {
        self.ignored((tag, ordinal, name), format!("`{name}` has no effect {why}"));
    }

    /// Attributes that were given and that a choice does not use.
    pub(crate) fn unused_attributes(
        &mut self,
        tag: &'static str,
        fields: &Fields,
        unused: &[&'static str],
        choice: &str,
    ) {
        for name in unused.iter().filter(|name| fields.given(name)) {
            self.without_effect((tag, 0, name), &format!("with `{choice}`"));
        }
    }

    /// The same of a whole tag, shown at one of its attributes.
    pub(super) fn tag_without_effect(&mut self, place: (&'static str, usize, &'static str), why: &str) {
        self.ignored(place, format!("`{}` has no effect {why}", place.0));
    }

    fn ignored(&mut self, (tag, ordinal, name): (&'static str, usize, &'static str), message: String) {
        let problem = Problem::new(self.options.ignored(), self.span(tag, ordinal, name), message);
        self.problems.push(problem.label("ignored").at(tag, Some(name)));
    }

    /// The course's program gives the colour of the k-th `rigidbodycolor` to body k, whatever
    /// `body` says.
    fn body_color(&mut self, element: Element, ordinal: usize) -> IndexedColor {
        let mut fields = self.fields(element);
        if !self.options.course {
            return IndexedColor::read(&mut fields, "body");
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
        IndexedColor { index: ordinal, color: Record::read(&mut fields) }
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
