//! What reading in both ways does alike: refusals, warnings, names.

use crate::modes::{PARTICLE, course, particles, refused, right, warned, with, with_body};
use carom_scene::{ReadOptions, read, render};

#[test]
fn what_crashes_the_course_is_refused_by_both() {
    for (tags, message) in [
        ("<edge i=\"0\" j=\"1\"/>", "there is no `particle` 1"),
        ("<edge i=\"0\" j=\"-1\"/>", "there is no `particle` -1"),
        ("<edge i=\"0\" j=\"1000000000\"/>", "there is no `particle` 1000000000"),
        ("<edge i=\"0\" j=\"99999999999999999999\"/>", "there is no `particle` 99999999999999999999"),
        ("<springforce edge=\"0\" k=\"1\" l0=\"1\"/>", "there is no `edge` 0"),
        ("<edgecolor i=\"0\" r=\"0\" g=\"0\" b=\"0\"/>", "there is no `edge` 0"),
        ("<halfplanecolor i=\"0\" r=\"0\" g=\"0\" b=\"0\"/>", "there is no `halfplane` 0"),
        ("<particlecolor i=\"1\" r=\"0\" g=\"0\" b=\"0\"/>", "there is no `particle` 1"),
        ("<gravitationalforce i=\"0\" j=\"5\" G=\"1\"/>", "there is no `particle` 5"),
        (
            "<particlepath i=\"0\" duration=\"-1\" r=\"0\" g=\"0\" b=\"0\"/>",
            "`duration` must be 0 or greater",
        ),
        ("<backgroundcolor r=\"2\" g=\"0\" b=\"0\"/>", "`r` must be from 0 to 1"),
        ("<simtype type=\"cloth\"/>", "`cloth` belongs to cloth, which Carom does not do"),
        ("<simtype type=\"jelly\"/>", "`jelly` is not a value of `type`"),
    ] {
        let text = with(&format!("{PARTICLE}{tags}"));
        refused(&text, &right(&text), message);
        refused(&text, &course(&text), message);
    }
    for (tags, message) in [
        (
            "<rigidbodyspringforce i=\"1\" pix=\"0\" piy=\"0\" j=\"-1\" pjx=\"1\" pjy=\"0\" k=\"1\" l0=\"0\"/>",
            "there is no `rigidbody` 1",
        ),
        (
            "<rigidbodyspringforce i=\"-2\" pix=\"0\" piy=\"0\" j=\"-1\" pjx=\"1\" pjy=\"0\" k=\"1\" l0=\"0\"/>",
            "there is no `rigidbody` -2",
        ),
        (
            "<rigidbody p=\"0\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"1\"/>",
            "`rigidbody` needs at least 2 attributes `p`",
        ),
        (
            "<rigidbody p=\"0\" p=\"2\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"1\"/>",
            "there is no `rigidbodyvertex` 2",
        ),
        ("<rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0\"/>", "`r` must be greater than 0"),
        (
            "<rigidbodywindforce beta=\"-1\" fx=\"0\" fy=\"0\" pointsperedge=\"2\"/>",
            "`beta` must be 0 or greater",
        ),
        (
            "<rigidbodywindforce beta=\"1\" fx=\"0\" fy=\"0\" pointsperedge=\"1\"/>",
            "`pointsperedge` must be from 2",
        ),
        (
            "<rigidbodycollisionhandling detection=\"all-pairs\" response=\"ground\"/>",
            "`ground` is not a value",
        ),
        (
            "<rigidbodycollisionhandling detection=\"allpairs\" response=\"lcp\"/>",
            "`allpairs` is not a value",
        ),
        (
            "<rigidbodyspringcolor spring=\"0\" r=\"0\" g=\"0\" b=\"0\"/>",
            "there is no `rigidbodyspringforce` 0",
        ),
    ] {
        let text = with_body(tags);
        refused(&text, &right(&text), message);
        refused(&text, &course(&text), message);
    }
    // A run without an end hangs the course's program.
    let text = with("").replace("dt=\"0.1\"", "dt=\"1e-300\"");
    refused(&text, &right(&text), "the run would never end");
    refused(&text, &course(&text), "the run would never end");
}

#[test]
fn both_take_what_strict_xml_refuses() {
    let text = with(&PARTICLE.replace("\" ", "\"").replace("particlem", "particle m"));
    assert!(text.contains("px=\"0\"py=\"0\""));
    let text =
        format!("\u{feff}<?xml version='1.0'?><!-- {{ -- }} -->{}", text.replace("px=\"0\"", "px='0'"));
    for reading in [right(&text), course(&text)] {
        assert!(reading.problems.is_empty(), "{}", render(&reading.problems, "scene", &text, false));
        assert_eq!(particles(reading.scene.unwrap()).particles.len(), 1);
    }
}

#[test]
fn the_first_one_wins_with_a_warning() {
    let text = with("<duration time=\"7\"/>");
    let text = text.replace("dt=\"0.1\"", "dt=\"0.1\" dt=\"0.2\"");
    for reading in [right(&text), course(&text)] {
        let scene = warned(&text, reading, "a second `duration`");
        assert_eq!(scene.general.duration, 1.0);
        assert_eq!(particles(scene).integrator.dt, 0.1);
    }
    let strict = read(&text, &ReadOptions { course: false, strict: true });
    refused(&text, &strict, "a second `duration`");
    refused(&text, &strict, "`integrator` has the attribute `dt` twice");
}

/// They used to be warnings, and the scene ran without them.
#[test]
fn names_that_are_not_known_are_errors_or_in_the_course_warnings() {
    for (tags, message) in [
        ("<partikle/>", "unknown tag `partikle`"),
        (
            "<halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\" mass=\"1\"/>",
            "`halfplane` has no attribute `mass`",
        ),
        ("<rigidbodygravityforce fx=\"0\" fy=\"1\"/>", "`rigidbodygravityforce` is ignored"),
    ] {
        let text = with(&format!("{PARTICLE}{tags}"));
        refused(&text, &right(&text), message);
        warned(&text, course(&text), message);
    }
}

#[test]
fn names_about_looks_are_warnings_or_with_strict_errors() {
    let text = with("<fogcolor/><particlepath i=\"0\" duration=\"1\" r=\"0\" g=\"0\" b=\"0\" width=\"1\"/>")
        .replace("</scene>", &format!("{PARTICLE}</scene>"));
    for reading in [right(&text), course(&text)] {
        assert_eq!(reading.problems.warnings(), 2);
        warned(&text, reading, "unknown tag `fogcolor`");
    }
    let strict = read(&text, &ReadOptions { course: false, strict: true });
    refused(&text, &strict, "unknown tag `fogcolor`");
    refused(&text, &strict, "`particlepath` has no attribute `width`");
}

/// Such scenes used to run without their forces, in either mode.
#[test]
fn scenes_of_other_themes_are_refused_by_their_names() {
    for (tags, theme) in [
        ("<elasticbodybendingforce i1=\"0\" i2=\"0\" i3=\"0\" alpha=\"1\"/>", "deformable bodies"),
        ("<triangle i=\"0\" j=\"0\" k=\"0\"/>", "deformable bodies"),
        ("<stablefluidsim rows=\"10\"/>", "fluids"),
        ("<simtype type=\"fluid\"/>", "fluids"),
    ] {
        let text = with(&format!("{PARTICLE}{tags}"));
        for reading in [right(&text), course(&text)] {
            let page = render(&reading.problems, "scene", &text, false);
            assert!(reading.scene.is_none(), "{text}");
            assert!(page.contains(&format!("belongs to {theme}, which Carom does not do")), "{page}");
        }
    }
    let text = with(&format!("{PARTICLE}<magneticforce B=\"1\"/>"));
    for reading in [right(&text), course(&text)] {
        refused(&text, &reading, "unknown tag `magneticforce`");
    }
}

#[test]
fn only_direct_children_count() {
    let text = with(&format!("<group>{PARTICLE}</group>"));
    let scene = warned(&text, course(&text), "`particle` inside `group` is ignored");
    assert_eq!(particles(scene).particles.len(), 0);
    refused(&text, &right(&text), "`particle` inside `group` is ignored");
}

#[test]
fn blanks_in_text_are_normalized_or_glued() {
    let text = with("<description text=\"a\nb\tc\"/>");
    assert_eq!(right(&text).scene.unwrap().general.description.as_deref(), Some("a b c"));
    assert_eq!(course(&text).scene.unwrap().general.description.as_deref(), Some("ab\tc"));
}

#[test]
fn a_view_without_size_is_no_view_in_the_course() {
    let text = with("<viewport cx=\"0\" cy=\"0\" size=\"-1\"/><maxsimfreq max=\"-1\"/>");
    let general = course(&text).scene.unwrap().general;
    assert_eq!((general.viewport, general.max_frequency), (None, None));
}
