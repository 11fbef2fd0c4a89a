//! Every difference between reading rightly and reading as the course's program does, both ways.
//! Each has a line in docs/course-compatibility.md under "Reading scenes".

use carom_scene::description::particles::{ParticleScene, Response};
use carom_scene::description::rigid::RigidScene;
use carom_scene::{ReadOptions, Reading, Scene, System, read, render};

pub(crate) fn right(text: &str) -> Reading {
    read(text, &ReadOptions::default())
}

pub(crate) fn course(text: &str) -> Reading {
    read(text, &ReadOptions { course: true, strict: false })
}

/// A particle scene with these tags besides the required ones.
pub(crate) fn with(tags: &str) -> String {
    format!("<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.1\"/>{tags}</scene>")
}

/// A rigid scene with one body and these tags.
pub(crate) fn with_body(tags: &str) -> String {
    format!(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"explicit-euler\" dt=\"0.1\"/>
        <rigidbodyvertex x=\"0\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0\" m=\"1\"/>
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>{tags}</scene>"
    )
}

pub(crate) const PARTICLE: &str = r#"<particle m="1" px="0" py="0" vx="0" vy="0" fixed="0"/>"#;

#[track_caller]
pub(crate) fn refused(text: &str, reading: &Reading, message: &str) {
    let page = render(&reading.problems, "scene", text, false);
    assert!(reading.scene.is_none(), "accepted: {text}");
    assert!(page.contains(&format!("error: {message}")), "{page}");
}

#[track_caller]
pub(crate) fn warned(text: &str, reading: Reading, message: &str) -> Scene {
    let page = render(&reading.problems, "scene", text, false);
    assert!(page.contains(&format!("warning: {message}")), "{page}");
    reading.scene.unwrap_or_else(|| panic!("{page}"))
}

pub(crate) fn particles(scene: Scene) -> ParticleScene {
    match scene.system {
        System::Particles(scene) => scene,
        _ => panic!("not a particle scene"),
    }
}

fn bodies(scene: Scene) -> RigidScene {
    match scene.system {
        System::RigidBodies(scene) => scene,
        _ => panic!("not a rigid scene"),
    }
}

#[test]
fn a_number_is_whole_or_its_beginning() {
    for (value, taken, message) in [("0.5s", 0.5, "`0.5s`"), ("0,5", 0.0, "`0,5`"), ("0x10", 0.0, "`0x10`")] {
        let text = with(&PARTICLE.replace("px=\"0\"", &format!("px=\"{value}\"")));
        refused(&text, &right(&text), &format!("{message} is not a number"));
        let scene = warned(&text, course(&text), &format!("{message} is read as {taken}"));
        assert_eq!(particles(scene).particles[0].position[0], taken);
    }
}

#[test]
fn both_refuse_what_is_no_number() {
    for value in ["", "abc", "inf", "nan", "1e400", "."] {
        let text = with(&PARTICLE.replace("px=\"0\"", &format!("px=\"{value}\"")));
        assert!(right(&text).scene.is_none() && course(&text).scene.is_none(), "{value}");
    }
    // The course's program collects `1e` and cannot convert it; `1e-400` is 0 for everyone.
    let text = with(&PARTICLE.replace("px=\"0\"", "px=\"1e\""));
    assert!(right(&text).scene.is_none() && course(&text).scene.is_none());
    let text = with(&PARTICLE.replace("px=\"0\"", "px=\"1e-400\""));
    assert!(right(&text).problems.is_empty() && course(&text).problems.is_empty());
}

#[test]
fn an_index_is_whole_or_its_beginning() {
    let far = PARTICLE.replace("px=\"0\"", "px=\"5\"");
    let text = with(&format!("{PARTICLE}{far}<edge i=\"0\" j=\"1.7\"/>"));
    refused(&text, &right(&text), "`1.7` is not a whole number");
    assert_eq!(particles(warned(&text, course(&text), "`1.7` is read as 1")).edges[0].end, 1);
}

#[test]
fn a_flag_is_0_or_1_or_begins_so() {
    let text = with(&PARTICLE.replace("fixed=\"0\"", "fixed=\"1.5\""));
    refused(&text, &right(&text), "`1.5` is not a value of `fixed`");
    assert!(particles(warned(&text, course(&text), "`1.5` is read as 1")).particles[0].fixed);
    for value in ["2", "-1", "true"] {
        let text = with(&PARTICLE.replace("fixed=\"0\"", &format!("fixed=\"{value}\"")));
        refused(&text, &right(&text), &format!("`{value}` is not a value"));
        refused(&text, &course(&text), &format!("`{value}` is not a value"));
    }
}

#[test]
fn lines_are_glued_without_a_blank() {
    let text = with(&PARTICLE.replace("<particle ", "<particle\n"));
    assert_eq!(particles(right(&text).scene.unwrap()).particles.len(), 1);
    let scene = warned(&text, course(&text), "a line break right after `particle` loses the element");
    assert_eq!(particles(scene).particles.len(), 0);
    // With a carriage return or a blank before the line break nothing is lost, nor between
    // attributes.
    for blank in ["<particle\r\n", "<particle \n", "<particle\n "] {
        let text = with(&PARTICLE.replace("<particle ", blank).replace(" px", "\npx"));
        let scene = course(&text).scene.unwrap();
        assert_eq!(particles(scene).particles.len(), 1, "{blank:?}");
    }
    // Inside a value the line break vanishes too.
    let text = with(&PARTICLE.replace("px=\"0\"", "px=\"1\n2\""));
    refused(&text, &right(&text), "`1 2` is not a number");
    assert_eq!(particles(course(&text).scene.unwrap()).particles[0].position[0], 12.0);
}

#[test]
fn closing_names_are_compared_or_not() {
    let text = with(&PARTICLE.replace("/>", "></particel>"));
    refused(&text, &right(&text), "`particle` is closed by `</particel>`");
    let scene = warned(&text, course(&text), "`particle` is closed by `</particel>`");
    assert_eq!(particles(scene).particles.len(), 1);
}

#[test]
fn a_second_root_is_refused_or_ignored() {
    let text = with("") + "<scene/>";
    refused(&text, &right(&text), "a second root `scene`");
    warned(&text, course(&text), "a second root `scene`");
}

#[test]
fn time_steps_and_durations_must_make_sense_or_need_not() {
    for dt in ["0", "-0.1"] {
        let text = with("").replace("dt=\"0.1\"", &format!("dt=\"{dt}\""));
        refused(&text, &right(&text), "`dt` must be greater than 0");
        warned(&text, course(&text), "`dt` must be greater than 0");
    }
    let text = with("").replace("time=\"1\"", "time=\"-1\"");
    refused(&text, &right(&text), "`time` must be 0 or greater");
    assert_eq!(warned(&text, course(&text), "`time` must be 0 or greater").general.duration, -1.0);
}

#[test]
fn masses_and_sizes_must_make_sense_or_need_not() {
    for (from, to, message) in [
        ("m=\"1\"", "m=\"0\"", "`m` must be greater than 0"),
        ("m=\"1\"", "m=\"-1\"", "`m` must be greater than 0"),
        ("fixed=\"0\"", "fixed=\"0\" radius=\"-1\"", "`radius` must be 0 or greater"),
    ] {
        let text = with(&PARTICLE.replace(from, to));
        refused(&text, &right(&text), message);
        warned(&text, course(&text), message);
    }
    for (tag, message) in [
        ("<collision type=\"simple\" COR=\"2\"/>", "`COR` must be from 0 to 1"),
        ("<collision type=\"penalty\" k=\"-1\"/>", "`k` must be 0 or greater"),
        ("<collision type=\"penalty\" thickness=\"-1\"/>", "`thickness` must be 0 or greater"),
        ("<collision type=\"hybrid\" maxiters=\"-1\"/>", "`maxiters` must be 0 or greater"),
        ("<viewport cx=\"0\" cy=\"0\" size=\"0\"/>", "`size` must be greater than 0"),
        ("<maxsimfreq max=\"0\"/>", "`max` must be greater than 0"),
    ] {
        let text = with(tag);
        refused(&text, &right(&text), message);
        warned(&text, course(&text), message);
    }
    let far = PARTICLE.replace("px=\"0\"", "px=\"5\"");
    let text = with(&format!("{PARTICLE}{far}<edge i=\"0\" j=\"1\" radius=\"-1\"/>"));
    refused(&text, &right(&text), "`radius` must be 0 or greater");
    let scene = warned(&text, course(&text), "`radius` must be 0 or greater");
    assert_eq!(particles(scene).edges[0].radius, -1.0);
    let text = with_body("").replace("m=\"1\"", "m=\"0\"");
    refused(&text, &right(&text), "`m` must be greater than 0");
    warned(&text, course(&text), "`m` must be greater than 0");
}

#[test]
fn rest_lengths_must_make_sense_or_need_not() {
    let far = PARTICLE.replace("px=\"0\"", "px=\"5\"");
    let text =
        with(&format!("{PARTICLE}{far}<edge i=\"0\" j=\"1\"/><springforce edge=\"0\" k=\"-1\" l0=\"-1\"/>"));
    refused(&text, &right(&text), "`l0` must be 0 or greater");
    let scene = warned(&text, course(&text), "`l0` must be 0 or greater");
    assert_eq!(particles(scene).forces.springs[0].stiffness, -1.0);
    let text = with_body(
        "<rigidbodyspringforce i=\"0\" pix=\"0\" piy=\"0\" j=\"-1\" pjx=\"3\" pjy=\"0\" k=\"1\" l0=\"-0.5\"/>",
    );
    refused(&text, &right(&text), "`l0` must be 0 or greater");
    assert_eq!(
        bodies(warned(&text, course(&text), "`l0` must be 0 or greater")).springs[0].rest_length,
        -0.5
    );
}

#[test]
fn what_has_no_direction_is_refused_or_goes_on() {
    for (tags, message) in [
        ("<edge i=\"0\" j=\"0\"/>", "an edge from a particle to itself"),
        ("<edge i=\"0\" j=\"1\"/><springforce edge=\"0\" k=\"1\" l0=\"1\"/>", "a spring of length zero"),
        ("<gravitationalforce i=\"0\" j=\"1\" G=\"1\"/>", "a force between two points at the same place"),
        ("<gravitationalforce i=\"0\" j=\"0\" G=\"1\"/>", "a force between two points at the same place"),
        (
            "<vortexforce i=\"0\" j=\"1\" kbs=\"1\" kvc=\"1\"/>",
            "a force between two points at the same place",
        ),
        ("<halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"0\"/>", "the normal of a half-plane is zero"),
    ] {
        let text = with(&format!("{PARTICLE}{PARTICLE}{tags}"));
        refused(&text, &right(&text), message);
        warned(&text, course(&text), message);
    }
}

#[test]
fn bodies_without_extent_are_refused_or_go_on() {
    let twice = with_body("").replace("p=\"1\"", "p=\"1\" p=\"1\"");
    refused(&twice, &right(&twice), "an outline with an edge of length zero");
    warned(&twice, course(&twice), "an outline with an edge of length zero");
    let spring = "<rigidbodyspringforce i=\"0\" pix=\"0.5\" piy=\"0\" j=\"-1\" pjx=\"1\" pjy=\"0\" k=\"1\" l0=\"0.5\"/>";
    let text = with_body(spring);
    refused(&text, &right(&text), "a spring of length zero has no direction");
    warned(&text, course(&text), "a spring of length zero has no direction");
    let text = with_body(&spring.replace("l0=\"0.5\"", "l0=\"0\""));
    assert!(right(&text).problems.is_empty(), "a spring that wants to be of length zero may be");
}

#[test]
fn unused_attributes_of_a_collision_are_checked_or_not_even_read() {
    let text = with("<collision type=\"simple\" k=\"abc\"/>");
    refused(&text, &right(&text), "`abc` is not a number");
    warned(&text, course(&text), "`k` has no effect with `simple`");
    let text = with("<collision type=\"simple\" COR=\"abc\"/>");
    refused(&text, &course(&text), "`abc` is not a number");
    let text = with("<collision type=\"penalty\" k=\"abc\"/>");
    refused(&text, &course(&text), "`abc` is not a number");
    let text = with("<collision type=\"simple\" k=\"1\"/>");
    warned(&text, right(&text), "`k` has no effect with `simple`");
}

#[test]
fn iterations_are_counted_or_cut_off() {
    let iterations = |scene: Scene| match particles(scene).collision.response {
        Response::Hybrid { max_iterations, .. } => max_iterations,
        other => panic!("{other:?}"),
    };
    let text = with("<collision type=\"hybrid\" maxiters=\"2.7\"/>");
    refused(&text, &right(&text), "`2.7` is not a whole number");
    assert_eq!(iterations(warned(&text, course(&text), "`maxiters` is cut off to a whole number")), 2);
    let text = with("<collision type=\"hybrid\" maxiters=\"1e2\"/>");
    refused(&text, &right(&text), "`1e2` is not a whole number");
    assert_eq!(iterations(course(&text).scene.unwrap()), 100);
    let text = with("<collision type=\"hybrid\" maxiters=\"-3\"/>");
    assert_eq!(iterations(course(&text).scene.unwrap()), 0);
}

#[test]
fn colours_of_bodies_go_by_index_or_by_order() {
    let second = "<rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>";
    let text = with_body(&format!("{second}<rigidbodycolor body=\"1\" r=\"1\" g=\"0\" b=\"0\"/>"));
    assert_eq!(bodies(right(&text).scene.unwrap()).body_colors[0].index, 1);
    let scene = warned(&text, course(&text), "this colour is given to body 0");
    assert_eq!(bodies(scene).body_colors[0].index, 0);
    let color = "<rigidbodycolor body=\"0\" r=\"1\" g=\"0\" b=\"0\"/>";
    let text = with_body(&format!("{color}{color}"));
    assert!(right(&text).scene.is_some());
    refused(&text, &course(&text), "more `rigidbodycolor` than bodies");
}

#[test]
fn our_own_methods_are_unknown_to_the_course() {
    for method in ["velocity-verlet", "rk4", "dormand-prince"] {
        let text = with("").replace("explicit-euler", method);
        assert!(right(&text).problems.is_empty());
        refused(&text, &course(&text), &format!("the course's program does not know `{method}`"));
    }
}

#[test]
fn bare_ampersands_are_refused_or_kept() {
    let text = with("<description text=\"a & b\"/>");
    refused(&text, &right(&text), "a bare `&` in the value of `text`");
    assert_eq!(course(&text).scene.unwrap().general.description.as_deref(), Some("a & b"));
    let text = with("<description text=\"a &amp; b\"/>");
    for reading in [right(&text), course(&text)] {
        assert_eq!(reading.scene.unwrap().general.description.as_deref(), Some("a & b"));
    }
}
