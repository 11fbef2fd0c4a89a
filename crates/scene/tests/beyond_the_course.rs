//! What scenes of rigid bodies can say beyond the course: read, checked, and passed over in course
//! mode.

use carom_scene::description::rigid::{
    Body, CollisionHandling, Key, Motion, Path, PlanarMethod, Response, RigidScene, Shape, Weight,
};
use carom_scene::{ReadOptions, Reading, System, read, render};

fn right(text: &str) -> Reading {
    read(text, &ReadOptions::default())
}

fn course(text: &str) -> Reading {
    read(text, &ReadOptions { course: true, strict: false })
}

/// A rigid scene with a triangle as body 0, these tags after it, and this method.
fn with(tags: &str) -> String {
    format!(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.1\"/>
        <rigidbodyvertex x=\"0\" y=\"0\" m=\"5\"/><rigidbodyvertex x=\"3\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"0\" y=\"3\" m=\"1\"/>
        <rigidbody p=\"0\" p=\"1\" p=\"2\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>{tags}</scene>"
    )
}

fn handling(attributes: &str) -> String {
    with(&format!("<rigidbodycollisionhandling detection=\"all-pairs\" {attributes}/>"))
}

#[track_caller]
fn scene(text: &str, reading: Reading) -> RigidScene {
    let page = render(&reading.problems, "scene", text, false);
    match reading.scene.map(|scene| scene.system) {
        Some(System::RigidBodies(scene)) => scene,
        _ => panic!("{page}"),
    }
}

#[track_caller]
fn says(text: &str, reading: &Reading, message: &str) {
    let page = render(&reading.problems, "scene", text, false);
    assert!(page.contains(message), "{page}");
}

#[track_caller]
fn refused(text: &str, reading: &Reading, message: &str) {
    says(text, reading, &format!("error: {message}"));
    assert!(reading.scene.is_none());
}

#[test]
fn contact_is_what_the_course_says_by_default() {
    let text = handling("response=\"gr-lcp\"");
    assert_eq!(scene(&text, right(&text)).contact, Some(CollisionHandling::new(Response::ReflectionLcp)));
    let text = handling("response=\"lcp\" COR=\"0.5\" mu=\"0.3\" tolerance=\"0.05\"");
    let reported = CollisionHandling {
        response: Response::Lcp,
        restitution: Some(0.5),
        friction: 0.3,
        tolerance: Some(0.05),
    };
    assert!(right(&text).problems.is_empty());
    assert_eq!(scene(&text, right(&text)).contact, Some(reported));
    says(&text, &course(&text), "warning: `rigidbodycollisionhandling` has no attribute `mu`");
    assert_eq!(scene(&text, course(&text)).contact, Some(CollisionHandling::new(Response::Lcp)));
}

#[test]
fn new_names_are_refused_by_the_course() {
    for response in ["impulse", "penalty"] {
        let text = handling(&format!("response=\"{response}\""));
        assert!(right(&text).problems.is_empty());
        refused(&text, &course(&text), &format!("the course's program does not know `{response}`"));
    }
    let text = with("").replace("symplectic-euler", "velocity-verlet");
    assert_eq!(scene(&text, right(&text)).integrator.method, PlanarMethod::VelocityVerlet);
    refused(&text, &course(&text), "the course's program does not know `velocity-verlet`");
}

#[test]
fn contact_numbers_keep_their_limits() {
    for (attributes, message) in [
        ("response=\"lcp\" COR=\"1.1\"", "`COR` must be from 0 to 1"),
        ("response=\"lcp\" mu=\"-0.1\"", "`mu` must be 0 or greater"),
        ("response=\"lcp\" tolerance=\"0\"", "`tolerance` must be greater than 0"),
        ("response=\"penalty\" k=\"-1\"", "`k` must be 0 or greater"),
        ("response=\"penalty\" thickness=\"-1\"", "`thickness` must be 0 or greater"),
    ] {
        let text = handling(attributes);
        refused(&text, &right(&text), message);
    }
}

#[test]
fn what_a_response_does_not_use_is_a_warning() {
    for (attributes, message) in [
        ("response=\"lcp\" k=\"1\"", "`k` has no effect with `lcp`"),
        ("response=\"gr-lcp\" tolerance=\"1\"", "`tolerance` has no effect with `gr-lcp`"),
        ("response=\"penalty\" mu=\"1\"", "`mu` has no effect with `penalty`"),
    ] {
        let text = handling(attributes);
        says(&text, &right(&text), &format!("warning: {message}"));
    }
}

#[test]
fn options_of_older_scenes_do_nothing_and_say_so() {
    // They used to choose between steps; there is one step now.
    for (attribute, instead) in [
        ("order=\"move-first\"", "`order` no longer does anything: every step chooses velocities"),
        ("overlap=\"leave\"", "`overlap` no longer does anything: every step moves apart"),
        ("timeofcontact=\"1\"", "`timeofcontact` no longer does anything: every step answers impacts"),
        // what does nothing may say anything
        ("order=\"sideways\"", "`order` no longer does anything"),
    ] {
        let text = handling(&format!("response=\"lcp\" {attribute}"));
        let reading = right(&text);
        says(&text, &reading, &format!("warning: {instead}"));
        says(&text, &reading, "help: remove it");
        assert_eq!(reading.problems.iter().count(), 1);
        let at = text.find(attribute).expect("it is in the text");
        assert_eq!(reading.problems.iter().next().map(|problem| problem.span.start), Some(at));
        assert_eq!(scene(&text, reading).contact, Some(CollisionHandling::new(Response::Lcp)));
        let strict = read(&text, &ReadOptions { strict: true, course: false });
        refused(&text, &strict, instead);
        says(&text, &course(&text), "warning: `rigidbodycollisionhandling` has no attribute");
        says(&text, &course(&text), "help: it has `detection`, `response`\n");
    }
}

#[test]
fn a_solid_body_needs_a_density_and_an_area() {
    let solid = |attributes: &str| with("").replace("r=\"0.1\"", &format!("r=\"0.1\" {attributes}"));
    let text = solid("solid=\"1\" density=\"2\"");
    let read = scene(&text, right(&text));
    assert_eq!(read.bodies[0].shape, Shape::Solid { outline: vec![0, 1, 2], density: 2.0 });
    assert_eq!(read.center_of_mass(0), Some([1.0, 1.0]), "the heavy vertex does not count");
    let hollow = scene(&text, course(&text));
    assert_eq!(hollow.bodies[0].shape, Shape::Hollow { outline: vec![0, 1, 2] });
    assert_eq!(hollow.center_of_mass(0), Some([3.0 / 7.0, 3.0 / 7.0]));
    let text = solid("solid=\"1\"");
    refused(&text, &right(&text), "a solid body without `density`");
    let text = solid("solid=\"1\" density=\"0\"");
    refused(&text, &right(&text), "`density` must be greater than 0");
    let text = solid("solid=\"1\" density=\"1\"").replace("p=\"2\"", "");
    refused(&text, &right(&text), "a solid body of two vertices has no area");
    let text = solid("density=\"1\"");
    says(&text, &right(&text), "warning: `density` has no effect without `solid=\"1\"`");
}

#[test]
fn discs_are_numbered_with_the_other_bodies() {
    let text = with(
        "<rigidbodydisc x=\"5\" y=\"1\" radius=\"0.5\" m=\"2\" vx=\"1\" omega=\"-1\"/>
        <rigidbodydisc x=\"7\" y=\"1\" radius=\"0.5\" density=\"2\" fixed=\"1\"/>
        <rigidbodycolor body=\"2\" r=\"1\" g=\"0\" b=\"0\"/>",
    );
    let read = scene(&text, right(&text));
    let disc = |x: f64, weight| Shape::Disc { center: [x, 1.0], weight };
    let first = Body {
        shape: disc(5.0, Weight::Mass(2.0)),
        velocity: [1.0, 0.0],
        angular_velocity: -1.0,
        radius: 0.5,
        fixed: false,
    };
    assert_eq!(read.bodies[1], first);
    assert_eq!((&read.bodies[2].shape, read.bodies[2].fixed), (&disc(7.0, Weight::Density(2.0)), true));
    assert_eq!(read.center_of_mass(1), Some([5.0, 1.0]));
    // The course's program has no discs, so there is no body 2 either.
    refused(&text, &course(&text), "there is no `rigidbody` 2");
    says(&text, &course(&text), "warning: unknown tag `rigidbodydisc`");
    let text = with("<rigidbodycolor body=\"1\" r=\"1\" g=\"0\" b=\"0\"/>");
    refused(&text, &right(&text), "there is no `rigidbody` 1");
}

#[test]
fn half_planes_are_bodies_and_fixed_unless_a_script_moves_them() {
    let text =
        with("<rigidbodyhalfplane x=\"1\" ny=\"2\"/><rigidbodycolor body=\"1\" r=\"1\" g=\"0\" b=\"0\"/>");
    let read = scene(&text, right(&text));
    assert_eq!(read.bodies[1], Body::half_plane([1.0, 0.0], [0.0, 2.0]));
    assert!(read.bodies[1].fixed && read.center_of_mass(1) == Some([1.0, 0.0]));
    says(&text, &course(&text), "warning: unknown tag `rigidbodyhalfplane`");
    let text = with(
        "<rigidbodyhalfplane ny=\"1\"/><rigidbodyuniformmotion body=\"1\" vx=\"0\" vy=\"1\" omega=\"0\"/>",
    );
    assert!(!scene(&text, right(&text)).bodies[1].fixed);
    let text = with("<rigidbodyhalfplane x=\"1\"/>");
    refused(&text, &right(&text), "a half-plane without a normal");
}

#[test]
fn a_disc_has_one_weight_and_a_size() {
    for (attributes, message) in [
        ("radius=\"1\"", "a disc without weight"),
        ("radius=\"1\" m=\"1\" density=\"1\"", "a disc with both `m` and `density`"),
        ("radius=\"0\" m=\"1\"", "`radius` must be greater than 0"),
        ("radius=\"1\" m=\"0\"", "`m` must be greater than 0"),
        ("m=\"1\"", "`rigidbodydisc` lacks the attribute `radius`"),
    ] {
        let text = with(&format!("<rigidbodydisc x=\"0\" y=\"0\" {attributes}/>"));
        refused(&text, &right(&text), message);
    }
}

#[test]
fn scripts_rise_in_time_and_move_no_fixed_body() {
    let key =
        |body: usize, t: &str| format!("<rigidbodyscript body=\"{body}\" t=\"{t}\" x=\"1\" theta=\"2\"/>");
    let text = with(&key(0, "0.5"));
    let read = scene(&text, right(&text));
    assert_eq!(read.keys, [Key { body: 0, time: 0.5, displacement: [1.0, 0.0], rotation: 2.0 }]);
    assert!(scene(&text, course(&text)).keys.is_empty());
    for (keys, message) in [
        (key(0, "0"), "`t` must be greater than 0"),
        (key(1, "1"), "there is no `rigidbody` 1"),
        (key(0, "1") + &key(0, "1"), "the keys of a body must rise in time"),
    ] {
        let text = with(&keys);
        refused(&text, &right(&text), message);
    }
    let text = with(&key(0, "1")).replace("r=\"0.1\"", "r=\"0.1\" fixed=\"1\"");
    refused(&text, &right(&text), "a fixed body cannot follow a script");
}

#[test]
fn motions_are_read_and_stand_alone() {
    let uniform = "<rigidbodyuniformmotion body=\"0\" vx=\"1\" omega=\"-2\"/>";
    let swing = "<rigidbodyoscillation body=\"0\" y=\"0.5\" theta=\"3\" rate=\"4\" phase=\"1\"/>";
    let key = "<rigidbodyscript body=\"0\" t=\"1\" x=\"1\"/>";
    let motions = |tag: &str| scene(&with(tag), right(&with(tag))).motions;
    let path = Path::Uniform { velocity: [1.0, 0.0], angular_velocity: -2.0 };
    assert_eq!(motions(uniform), [Motion { body: 0, path }]);
    let path = Path::Oscillation { displacement: [0.0, 0.5], rotation: 3.0, rate: 4.0, phase: 1.0 };
    assert_eq!(motions(swing), [Motion { body: 0, path }]);
    assert!(scene(&with(swing), course(&with(swing))).motions.is_empty());
    for (tags, message) in [
        (format!("{uniform}{uniform}"), "a body cannot follow two scripts"),
        (format!("{swing}{uniform}"), "a body cannot follow two scripts"),
        (format!("{swing}{key}"), "a body cannot follow two scripts"),
        (swing.replace("rate=\"4\"", ""), "`rigidbodyoscillation` lacks the attribute `rate`"),
        (swing.replace("body=\"0\"", "body=\"1\""), "there is no `rigidbody` 1"),
    ] {
        let text = with(&tags);
        refused(&text, &right(&text), message);
    }
    let text = with(uniform).replace("r=\"0.1\"", "r=\"0.1\" fixed=\"1\"");
    refused(&text, &right(&text), "a fixed body cannot follow a script");
}

#[test]
fn knobs_name_numbers_that_are_there() {
    let knob = |target: &str, range: &str| with(&format!("<knob label=\"K\" target=\"{target}\" {range}/>"));
    let text = knob("rigidbodyvertex[2].m", "min=\"0.5\" max=\"3\" step=\"0.5\"");
    let general = right(&text).scene.expect("it is right").general;
    assert_eq!(general.knobs[0].target.to_string(), "rigidbodyvertex[2].m");
    assert_eq!((general.knobs[0].min, general.knobs[0].max, general.knobs[0].step), (0.5, 3.0, Some(0.5)));
    for (target, range, message) in [
        ("rigidbodyvertex[3].m", "min=\"0\" max=\"1\"", "is not in this scene"),
        ("rigidbodyintegrator.type", "min=\"0\" max=\"1\"", "names no number"),
        ("nothing.m", "min=\"0\" max=\"1\"", "names no number"),
        ("rigidbodyvertex[a].m", "min=\"0\" max=\"1\"", "names no number"),
        ("rigidbodyvertex.m", "min=\"1\" max=\"1\"", "without a range"),
    ] {
        let text = knob(target, range);
        says(&text, &right(&text), message);
        assert!(right(&text).scene.is_none());
    }
}
