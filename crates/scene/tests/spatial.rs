//! Scenes of spatial bodies: read, checked with places, refused by the course.

use carom_scene::description::spatial::{
    Anchor, Body, Camera, CollisionHandling, Drag, Integrator, Key, Motion, Orientation, Path, Push,
    Response, Shape, SpatialMethod, SpatialScene, Spring, Weight,
};
use carom_scene::{ReadOptions, Reading, System, diagnostics, read, render};

/// A 3D scene with these tags.
fn with(tags: &str) -> String {
    format!(
        "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"1\"/>\n\
         <rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.1\"/>\n{tags}</scene>"
    )
}

fn right(text: &str) -> Reading {
    read(text, &ReadOptions::default())
}

#[track_caller]
fn scene(tags: &str) -> SpatialScene {
    let text = with(tags);
    let reading = right(&text);
    assert!(reading.problems.is_empty(), "{}", render(&reading.problems, "scene", &text, false));
    match reading.scene.map(|scene| scene.system) {
        Some(System::SpatialBodies(scene)) => scene,
        other => panic!("{other:?}"),
    }
}

/// The scene is refused, with this message at this line (the tags start in line 3) and attribute.
#[track_caller]
fn refused(tags: &str, message: &str, line: usize, attribute: &str) {
    let text = with(tags);
    let reading = right(&text);
    let page = render(&reading.problems, "scene", &text, false);
    assert!(reading.scene.is_none(), "{page}");
    let found = diagnostics(&reading.problems, &text);
    let reported = found
        .iter()
        .any(|d| d.message.contains(message) && d.line == line && d.attribute.as_deref() == Some(attribute));
    assert!(reported, "{page}");
}

/// It can be run, but a warning says that this attribute has no effect.
#[track_caller]
fn without_effect(tags: &str, message: &str) {
    let text = with(tags);
    let reading = right(&text);
    let page = render(&reading.problems, "scene", &text, false);
    assert!(reading.scene.is_some() && page.contains(message), "{page}");
    let strict = read(&text, &ReadOptions { course: false, strict: true });
    assert!(strict.scene.is_none(), "strict reading refuses what has no effect");
}

const BALL: &str = "<rigidbody3dsphere radius=\"1\" m=\"2\"/>";

#[test]
fn every_tag_says_what_it_should() {
    let text = "<rigidbody3dhalfspace x=\"1\" nz=\"2\"/>\
        <rigidbody3dsphere x=\"1\" y=\"2\" z=\"3\" radius=\"0.5\" density=\"7\" vx=\"4\" omegay=\"5\" rz=\"6\"/>\
        <rigidbody3dbox a=\"1\" b=\"2\" c=\"3\" m=\"4\"/>\
        <rigidbody3dpolyhedron p=\"0\" p=\"1\" p=\"2\" p=\"3\" fixed=\"1\" z=\"9\"/>\
        <rigidbody3dpolyhedron file=\"die.obj\" m=\"1\"/>\
        <rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/><rigidbody3dvertex x=\"1\" y=\"0\" z=\"0\"/>\
        <rigidbody3dvertex x=\"0\" y=\"1\" z=\"0\"/><rigidbody3dvertex x=\"0\" y=\"0\" z=\"1\"/>\
        <rigidbody3dinertia body=\"2\" ixx=\"1\" iyy=\"2\" izz=\"2.5\" iyz=\"0.5\"/>\
        <rigidbody3dscript body=\"1\" t=\"2\" y=\"3\" rx=\"4\"/>\
        <rigidbody3duniformmotion body=\"2\" vz=\"1\" omegax=\"2\"/><rigidbody3doscillation body=\"4\" z=\"1\" ry=\"2\" rate=\"3\"/>\
        <rigidbody3dgravityforce fz=\"-9.81\"/>\
        <rigidbody3dspringforce i=\"-1\" piz=\"2\" j=\"1\" pjx=\"3\" k=\"4\" l0=\"5\"/>\
        <rigidbody3ddragforce b=\"1\" angular=\"2\"/>\
        <rigidbody3dsphere radius=\"1\" m=\"1\"/><rigidbody3dpushforce body=\"5\" fy=\"1\" tz=\"2\"/>\
        <rigidbody3dcollisionhandling response=\"impulse\" COR=\"0.7\" mu=\"0.1\"/>\
        <rigidbody3doutput fps=\"60\"/>\
        <rigidbody3dcamera x=\"4\" y=\"5\" z=\"6\" tx=\"1\" fov=\"30\"/>";
    let found = scene(text);
    assert_eq!(found.bodies.len(), 6);
    assert_eq!(found.bodies[0], Body::half_space([1.0, 0.0, 0.0], [0.0, 0.0, 2.0]));
    let sphere = Body {
        rotation: [0.0, 0.0, 6.0],
        velocity: [4.0, 0.0, 0.0],
        angular_velocity: [0.0, 5.0, 0.0],
        ..Body::new(Shape::Sphere { radius: 0.5 }, [1.0, 2.0, 3.0], Weight::Density(7.0))
    };
    assert_eq!(found.bodies[1], sphere);
    let inertia = [1.0, 2.0, 2.5, 0.0, 0.5, 0.0];
    let cuboid = Shape::Box { sides: [1.0, 2.0, 3.0] };
    assert_eq!(found.bodies[2], Body::new(cuboid, [0.0; 3], Weight::Given { mass: 4.0, inertia }));
    assert_eq!(found.bodies[3].shape, Shape::Polyhedron { corners: vec![0, 1, 2, 3] });
    assert!(found.bodies[3].fixed && found.bodies[3].weight.is_none());
    assert_eq!(found.bodies[4].shape, Shape::File { name: "die.obj".to_owned() });
    assert_eq!(found.vertices[3], [0.0, 0.0, 1.0]);
    let spinning = Path::Uniform { velocity: [0.0, 0.0, 1.0], angular_velocity: [2.0, 0.0, 0.0] };
    let swinging =
        Path::Oscillation { displacement: [0.0, 0.0, 1.0], rotation: [0.0, 2.0, 0.0], rate: 3.0, phase: 0.0 };
    assert_eq!(found.motions, [Motion { body: 2, path: spinning }, Motion { body: 4, path: swinging }]);
    let key = Key { body: 1, time: 2.0, displacement: [0.0, 3.0, 0.0], rotation: [4.0, 0.0, 0.0] };
    assert_eq!(found.keys, [key]);
    let spring = Spring {
        start: Anchor::World([0.0, 0.0, 2.0]),
        end: Anchor::Body { body: 1, offset: [3.0, 0.0, 0.0] },
        stiffness: 4.0,
        rest_length: 5.0,
        damping: 0.0,
    };
    assert_eq!(found.springs, [spring]);
    assert_eq!(found.drags, [Drag { linear: 1.0, angular: 2.0 }]);
    assert_eq!(found.pushes, [Push { body: 5, force: [0.0, 1.0, 0.0], torque: [0.0, 0.0, 2.0] }]);
    assert_eq!(found.gravities, [[0.0, 0.0, -9.81]]);
    let contact = CollisionHandling {
        restitution: Some(0.7),
        friction: 0.1,
        ..CollisionHandling::new(Response::Impulse)
    };
    assert_eq!(found.contact, Some(contact));
    assert_eq!(found.frame_rate, 60.0);
    let camera =
        Camera { eye: [4.0, 5.0, 6.0], target: [1.0, 0.0, 0.0], up: [0.0, 0.0, 1.0], field_of_view: 30.0 };
    assert_eq!(found.camera, Some(camera));
}

#[test]
fn what_is_left_out_is_what_the_reference_says() {
    let found = scene("");
    assert_eq!((found.frame_rate, found.contact, found.camera), (24.0, None, None));
    let integrator =
        Integrator { method: SpatialMethod::SymplecticEuler, dt: 0.1, orientation: Orientation::Quaternion };
    assert_eq!(found.integrator, integrator);
    let text = with("").replace("symplectic-euler\"", "dormand-prince\" orientation=\"matrix\"");
    let System::SpatialBodies(found) = right(&text).scene.unwrap().system else { panic!("spatial bodies") };
    assert_eq!(found.integrator.method, SpatialMethod::DormandPrince { tolerance: 1e-9 });
    assert_eq!(found.integrator.orientation, Orientation::Matrix);
}

#[test]
fn what_is_wrong_is_reported_where_it_is() {
    refused("<rigidbody3dsphere radius=\"1\"/>", "a free body without weight", 3, "m");
    refused("<rigidbody3dsphere radius=\"0\" m=\"1\"/>", "must be greater than 0", 3, "radius");
    refused("\n<rigidbody3dbox a=\"1\" b=\"-1\" c=\"1\" m=\"1\"/>", "must be greater than 0", 4, "b");
    refused(
        "<rigidbody3dsphere radius=\"1\" m=\"1\" density=\"1\"/>",
        "both `m` and `density`",
        3,
        "density",
    );
    refused("<rigidbody3dhalfspace x=\"1\"/>", "a half-space without a normal", 3, "nx");
    refused("<rigidbody3dpolyhedron m=\"1\"/>", "at least four vertices", 3, "p");
    refused(
        "<rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/>\n<rigidbody3dpolyhedron p=\"0\" file=\"a.obj\" m=\"1\"/>",
        "both `file` and `p`",
        4,
        "file",
    );
    refused("<rigidbody3dpolyhedron p=\"0\" m=\"1\"/>", "there is no `rigidbody3dvertex` 0", 3, "p");
    refused(
        "<rigidbody3dsphere radius=\"1\" density=\"1\"/>\n<rigidbody3dinertia body=\"0\" ixx=\"1\" iyy=\"1\" izz=\"1\"/>",
        "whose mass is not given",
        4,
        "body",
    );
    refused(
        &format!("{BALL}\n<rigidbody3dcolor body=\"1\" r=\"0\" g=\"0\" b=\"0\"/>"),
        "there is no body 1",
        4,
        "body",
    );
    refused(
        &format!("{BALL}\n<rigidbody3dspringforce i=\"-2\" j=\"0\" k=\"1\" l0=\"1\"/>"),
        "there is no body -2",
        4,
        "i",
    );
    refused(
        "<rigidbody3dsphere radius=\"1\" fixed=\"1\"/>\n<rigidbody3dscript body=\"0\" t=\"1\"/>",
        "a fixed body cannot follow a script",
        4,
        "body",
    );
    refused(
        &format!("{BALL}<rigidbody3dscript body=\"0\" t=\"2\"/>\n<rigidbody3dscript body=\"0\" t=\"2\"/>"),
        "must rise in time",
        4,
        "t",
    );
    refused(
        &format!(
            "{BALL}<rigidbody3duniformmotion body=\"0\"/>\n<rigidbody3doscillation body=\"0\" rate=\"2\"/>"
        ),
        "a body cannot follow two scripts",
        4,
        "body",
    );
    refused("<rigidbody3dcamera x=\"0\" y=\"0\" z=\"5\"/>", "a camera that sees nothing", 3, "x");
    refused("<rigidbody3dcamera x=\"1\" y=\"0\" z=\"5\" fov=\"180\"/>", "below 180", 3, "fov");
    refused("<rigidbody3dcollisionhandling response=\"lpc\"/>", "`lpc` is not a value", 3, "response");
    refused("<rigidbody3doutput fps=\"0\"/>", "must be greater than 0", 3, "fps");
}

#[test]
fn what_has_no_effect_is_reported() {
    let push = "<rigidbody3dpushforce body=\"0\" fx=\"1\"/>";
    without_effect(
        &format!("<rigidbody3dsphere radius=\"1\" m=\"1\" fixed=\"1\"/>{push}"),
        "`rigidbody3dpushforce` has no effect on body 0, which is fixed",
    );
    without_effect(&format!("<rigidbody3dhalfspace nz=\"1\"/>{push}"), "which is fixed");
    without_effect(&format!("{BALL}<rigidbody3duniformmotion body=\"0\"/>{push}"), "which follows a script");
    for name in
        ["order", "overlap", "timeofcontact", "timetolerance", "depthtolerance", "threshold", "maxpasses"]
    {
        without_effect(
            &format!("<rigidbody3dcollisionhandling response=\"lcp\" {name}=\"1\"/>"),
            &format!("`{name}` no longer does anything: "),
        );
    }
    let text = with("").replace("dt=\"0.1\"", "dt=\"0.1\" tolerance=\"1e-6\"");
    let page = render(&right(&text).problems, "scene", &text, false);
    assert!(page.contains("`tolerance` has no effect"), "{page}");
}

#[test]
fn tags_of_another_kind_are_distinguished() {
    // Planar tags in a 3D scene, and the other way round.
    let text = with("<rigidbodygravityforce fx=\"0\" fy=\"1\"/>");
    let reading = right(&text);
    let page = render(&reading.problems, "scene", &text, false);
    assert!(page.contains("is ignored in a `rigid-body-3d` scene"), "{page}");
    assert!(reading.scene.is_none(), "it would run without that force");
    let text = format!("<scene><duration time=\"1\"/>{BALL}{BALL}{BALL}</scene>");
    let page = render(&right(&text).problems, "scene", &text, false);
    assert!(page.contains("add `<simtype type=\"rigid-body-3d\"/>`"), "{page}");
}

#[test]
fn the_course_refuses_bodies_in_space() {
    let text = with(BALL);
    let reading = read(&text, &ReadOptions { course: true, strict: false });
    assert!(reading.scene.is_none());
    let page = render(&reading.problems, "scene", &text, false);
    assert!(page.contains("the course's program does not know `rigid-body-3d`"), "{page}");
}
