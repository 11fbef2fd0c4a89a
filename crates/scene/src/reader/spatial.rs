//! The tags of rigid bodies in space.

use super::Reader;
use super::document::Element;
use super::general::{Draft, indexed_color, surface};
use super::values::Fields;
use crate::description::spatial::{
    Anchor, Body, Camera, Contact, Drag, Integrator, Key, Method, Motion, Orientation, Path, Push, Response,
    Shape, SpatialScene, Spring, TimedForce, Weight,
};
use crate::problem::Problem;

/// A body of the file, to be found again when all is read: its tag and which one of it.
type Place = (&'static str, usize);

impl Reader<'_> {
    pub(super) fn spatial_scene(&mut self, elements: &[Element], draft: &mut Draft) -> SpatialScene {
        let integrator =
            Integrator { method: Method::ExplicitEuler, dt: f64::NAN, orientation: Orientation::Quaternion };
        let mut scene = SpatialScene::new(integrator);
        scene.vertices.reserve_exact(self.count_of("rigidbody3dvertex") as usize);
        let mut places: Vec<Place> = Vec::new();
        let mut inertias: Vec<(usize, [f64; 6])> = Vec::new();
        for &element in elements {
            let name = self.tag_of(element).name;
            match name {
                "rigidbody3dintegrator" => scene.integrator = self.spatial_integrator(element),
                "rigidbody3dcollisionhandling" => scene.contact = Some(self.spatial_contact(element)),
                "rigidbody3doutput" => scene.frame_rate = self.fields(element).real("fps"),
                "rigidbody3dvertex" => scene.vertices.push(self.fields(element).triple(["x", "y", "z"])),
                "rigidbody3dsphere" | "rigidbody3dbox" | "rigidbody3dpolyhedron" | "rigidbody3dhalfspace" => {
                    let body = self.spatial_body(name, element);
                    places.push((name, self.map.count(name) - 1));
                    scene.bodies.push(body);
                }
                "rigidbody3dinertia" => inertias.push(inertia(&self.fields(element))),
                "rigidbody3dscript" => scene.keys.push(key(&self.fields(element))),
                "rigidbody3duniformmotion" => scene.motions.push(uniform_motion(&self.fields(element))),
                "rigidbody3doscillation" => scene.motions.push(oscillation(&self.fields(element))),
                "rigidbody3dgravityforce" => {
                    scene.gravities.push(self.fields(element).triple(["fx", "fy", "fz"]));
                }
                "rigidbody3dspringforce" => scene.springs.push(spring(&self.fields(element))),
                "rigidbody3ddragforce" => scene.drags.push(drag(&self.fields(element))),
                "rigidbody3dtimedforce" => scene.timed.push(timed(&self.fields(element))),
                "rigidbody3dsurface" => scene.surfaces.push(surface(&self.fields(element), "body")),
                "rigidbody3dpushforce" => scene.pushes.push(push(&self.fields(element))),
                "rigidbody3dcamera" => scene.camera = Some(self.camera(element)),
                "rigidbody3dcolor" => scene.body_colors.push(indexed_color(&self.fields(element), "body")),
                "rigidbody3dspringcolor" => {
                    scene.spring_colors.push(indexed_color(&self.fields(element), "spring"));
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

    fn spatial_integrator(&mut self, element: Element) -> Integrator {
        let fields = self.fields(element);
        let method = match fields.choice("type") {
            "symplectic-euler" => Method::SymplecticEuler,
            "midpoint" => Method::Midpoint,
            "rk4" => Method::RungeKutta4,
            "dormand-prince" => Method::DormandPrince { tolerance: fields.real("tolerance") },
            "lie-midpoint" => Method::LieMidpoint,
            _ => Method::ExplicitEuler,
        };
        if fields.given("tolerance") && !matches!(method, Method::DormandPrince { .. }) {
            let why = format!("with `{}`", method.name());
            self.without_effect(("rigidbody3dintegrator", 0, "tolerance"), &why);
        }
        let orientation = match fields.choice("orientation") {
            "matrix" => Orientation::Matrix,
            _ => Orientation::Quaternion,
        };
        Integrator { method, dt: fields.real("dt"), orientation }
    }

    fn spatial_contact(&mut self, element: Element) -> Contact {
        const TAG: &str = "rigidbody3dcollisionhandling";
        let fields = self.fields(element);
        let response = match fields.choice("response") {
            "velocity-projection" => Response::VelocityProjection,
            "gr-lcp" => Response::ReflectionLcp,
            "gr-velocity-projection" => Response::ReflectionVelocityProjection,
            "impulse" => Response::Impulse,
            _ => Response::Lcp,
        };
        if !matches!(response, Response::Lcp | Response::VelocityProjection) && fields.given("tolerance") {
            self.without_effect((TAG, 0, "tolerance"), &format!("with `{}`", response.name()));
        }
        Contact {
            response,
            restitution: fields.optional_real("COR"),
            friction: fields.real("mu"),
            tolerance: fields.optional_real("tolerance"),
        }
    }

    fn spatial_body(&mut self, tag: &'static str, element: Element) -> Body {
        let mut fields = self.fields(element);
        let ordinal = self.map.count(tag) - 1;
        let position = fields.triple(["x", "y", "z"]);
        if tag == "rigidbody3dhalfspace" {
            let normal = fields.triple(["nx", "ny", "nz"]);
            if normal == [0.0; 3] {
                let problem = Problem::error(self.span(tag, ordinal, "nx"), "a half-space without a normal");
                let problem = problem.label("`nx`, `ny` and `nz` are all 0").at(tag, Some("nx"));
                self.problems.push(problem.help("for a floor with z up add `nz=\"1.0\"`"));
            }
            return Body::half_space(position, normal);
        }
        let shape = match tag {
            "rigidbody3dsphere" => Shape::Sphere { radius: fields.real("radius") },
            "rigidbody3dbox" => Shape::Box { sides: fields.triple(["a", "b", "c"]) },
            _ => self.polyhedron(&mut fields, (tag, ordinal)),
        };
        let weight = match (fields.optional_real("m"), fields.optional_real("density")) {
            (Some(mass), None) => Some(Weight::Mass(mass)),
            (None, Some(density)) => Some(Weight::Density(density)),
            (Some(mass), Some(_)) => {
                let problem =
                    Problem::error(self.span(tag, ordinal, "density"), "a body with both `m` and `density`");
                let problem = problem.label("only one of them").at(tag, Some("density"));
                self.problems.push(problem.related(self.span(tag, ordinal, "m"), "the mass"));
                Some(Weight::Mass(mass))
            }
            (None, None) => None,
        };
        Body {
            shape,
            position,
            rotation: fields.triple(["rx", "ry", "rz"]),
            velocity: fields.triple(["vx", "vy", "vz"]),
            angular_velocity: fields.triple(["omegax", "omegay", "omegaz"]),
            weight,
            fixed: fields.flag("fixed"),
        }
    }

    fn polyhedron(&mut self, fields: &mut Fields, (tag, ordinal): Place) -> Shape {
        let mut corners = std::mem::take(&mut fields.list);
        corners.shrink_to_fit();
        let file = fields.text("file");
        if let Some(name) = file {
            if !corners.is_empty() {
                let problem =
                    Problem::error(self.span(tag, ordinal, "file"), "a polyhedron with both `file` and `p`");
                let problem = problem.related(self.span(tag, ordinal, "p"), "the first vertex");
                self.problems.push(problem.label("only one of them").at(tag, Some("file")));
            }
            return Shape::File { name };
        }
        if corners.len() < 4 {
            let problem = Problem::error(
                self.span(tag, ordinal, "p"),
                "a polyhedron needs at least four vertices `p`, or a `file`",
            );
            self.problems.push(problem.label(format!("found {}", corners.len())).at(tag, Some("p")));
        }
        Shape::Polyhedron { corners }
    }

    fn camera(&mut self, element: Element) -> Camera {
        const TAG: &str = "rigidbody3dcamera";
        let fields = self.fields(element);
        let camera = Camera {
            eye: fields.triple(["x", "y", "z"]),
            target: fields.triple(["tx", "ty", "tz"]),
            up: fields.triple(["ux", "uy", "uz"]),
            field_of_view: fields.real("fov"),
        };
        let sight = [0, 1, 2].map(|k| camera.target[k] - camera.eye[k]);
        let across = cross(sight, camera.up);
        if across == [0.0; 3] {
            let problem = Problem::error(self.span(TAG, 0, "x"), "a camera that sees nothing")
                .label("`up` and the line from the eye to `tx`, `ty`, `tz` must be two directions");
            self.problems.push(problem.at(TAG, Some("x")));
        }
        if camera.field_of_view >= 180.0 {
            let problem = Problem::error(self.span(TAG, 0, "fov"), "`fov` must be below 180 degrees")
                .label(format!("found {}", camera.field_of_view));
            self.problems.push(problem.at(TAG, Some("fov")));
        }
        camera
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
        for ((body, scripted), &(tag, ordinal)) in scene.bodies.iter().zip(scene.scripted()).zip(places) {
            if !body.fixed && !scripted && body.weight.is_none() {
                let problem = Problem::error(self.span(tag, ordinal, "m"), "a free body without weight");
                self.problems.push(problem.label("expected `m` or `density`").at(tag, Some("m")));
            }
        }
    }

    /// A push on what cannot move has no effect.
    fn check_pushes(&mut self, scene: &SpatialScene) {
        let scripted = scene.scripted();
        for (ordinal, push) in scene.pushes.iter().enumerate() {
            let Some(body) = scene.bodies.get(push.body) else { continue };
            let why = match scripted[push.body] {
                true => "follows a script",
                false if body.fixed => "is fixed",
                false => continue,
            };
            let why = format!("on body {}, which {why}", push.body);
            self.tag_without_effect(("rigidbody3dpushforce", ordinal, "body"), &why);
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn inertia(fields: &Fields) -> (usize, [f64; 6]) {
    let [ixx, iyy, izz] = fields.triple(["ixx", "iyy", "izz"]);
    let [ixy, iyz, izx] = fields.triple(["ixy", "iyz", "izx"]);
    (fields.index("body"), [ixx, iyy, izz, ixy, iyz, izx])
}

fn key(fields: &Fields) -> Key {
    Key {
        body: fields.index("body"),
        time: fields.real("t"),
        displacement: fields.triple(["x", "y", "z"]),
        rotation: fields.triple(["rx", "ry", "rz"]),
    }
}

fn uniform_motion(fields: &Fields) -> Motion {
    let path = Path::Uniform {
        velocity: fields.triple(["vx", "vy", "vz"]),
        angular_velocity: fields.triple(["omegax", "omegay", "omegaz"]),
    };
    Motion { body: fields.index("body"), path }
}

fn oscillation(fields: &Fields) -> Motion {
    let path = Path::Oscillation {
        displacement: fields.triple(["x", "y", "z"]),
        rotation: fields.triple(["rx", "ry", "rz"]),
        rate: fields.real("rate"),
        phase: fields.real("phase"),
    };
    Motion { body: fields.index("body"), path }
}

fn anchor(fields: &Fields, body: &str, offset: [f64; 3]) -> Anchor {
    match fields.integer(body) {
        -1 => Anchor::World(offset),
        _ => Anchor::Body { body: fields.index(body), offset },
    }
}

fn spring(fields: &Fields) -> Spring {
    Spring {
        start: anchor(fields, "i", fields.triple(["pix", "piy", "piz"])),
        end: anchor(fields, "j", fields.triple(["pjx", "pjy", "pjz"])),
        stiffness: fields.real("k"),
        rest_length: fields.real("l0"),
        damping: fields.real("b"),
    }
}

fn timed(fields: &Fields) -> TimedForce {
    TimedForce {
        body: fields.index("body"),
        force: fields.triple(["fx", "fy", "fz"]),
        torque: fields.triple(["tx", "ty", "tz"]),
        rate: fields.real("rate"),
        phase: fields.real("phase"),
        from: fields.real("from"),
        until: fields.optional_real("until"),
    }
}

fn drag(fields: &Fields) -> Drag {
    Drag { linear: fields.real("b"), angular: fields.real("angular") }
}

fn push(fields: &Fields) -> Push {
    Push {
        body: fields.index("body"),
        force: fields.triple(["fx", "fy", "fz"]),
        torque: fields.triple(["tx", "ty", "tz"]),
    }
}
