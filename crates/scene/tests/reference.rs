//! The reference page is the one that the schema prints, and its examples are scenes.

use carom_scene::schema::{self, Presence, SystemKind, Tag};
use carom_scene::{ReadOptions, read, render};
use std::path::Path;

#[test]
fn the_committed_page_is_the_printed_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scene-format.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == schema::reference_page(),
        "docs/scene-format.md is not what the schema says: run `cargo xtask docs` and commit the page"
    );
}

#[test]
fn the_whole_scenes_of_the_page_are_sound() {
    let page = schema::reference_page();
    let scenes: Vec<&str> = page
        .split("```xml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| block.starts_with("<scene>"))
        .collect();
    assert_eq!(scenes.len(), 3);
    for scene in scenes {
        let reading = read(scene, &ReadOptions { course: false, strict: true });
        assert!(reading.problems.is_empty(), "{}", render(&reading.problems, "page", scene, false));
    }
}

/// A scene in which the example of any tag makes sense.
fn around(tag: &Tag) -> String {
    let system = if tag.system == SystemKind::SpatialBodies {
        r#"<simtype type="rigid-body-3d"/><rigidbody3dintegrator type="rk4" dt="0.1"/>
        <rigidbody3dsphere radius="1" m="1"/>
        <rigidbody3dvertex x="0" y="0" z="0"/><rigidbody3dvertex x="1" y="0" z="0"/>
        <rigidbody3dvertex x="0" y="1" z="0"/><rigidbody3dvertex x="0" y="0" z="1"/>
        <rigidbody3dspringforce i="-1" j="0" pjx="1" k="1" l0="1"/>"#
    } else if tag.system == SystemKind::RigidBodies || tag.name == "simtype" {
        r#"<simtype type="rigid-body"/><rigidbodyintegrator type="explicit-euler" dt="0.1"/>
        <rigidbodyvertex x="3" y="0" m="1"/><rigidbodyvertex x="4" y="0" m="1"/><rigidbodyvertex x="4" y="1" m="1"/>
        <rigidbody p="0" p="1" vx="0" vy="0" omega="0" r="1"/>
        <rigidbodyspringforce i="-1" pix="0" piy="0" j="0" pjx="1" pjy="1" k="1" l0="1"/>"#
    } else {
        r#"<integrator type="explicit-euler" dt="0.1"/>
        <particle m="1" px="5" py="0" vx="0" vy="0" fixed="0"/><particle m="1" px="6" py="0" vx="0" vy="0" fixed="0"/>
        <edge i="0" j="1"/><halfplane px="0" py="0" nx="0" ny="1"/>"#
    };
    // The example comes first, so that it is the one that counts.
    format!("<scene>{}\n{system}\n<duration time=\"1\"/></scene>", tag.example)
}

#[test]
fn every_example_is_read() {
    for tag in schema::tags() {
        let text = around(tag);
        let reading = read(&text, &ReadOptions::default());
        assert_eq!(reading.problems.errors(), 0, "{}", render(&reading.problems, tag.name, &text, false));
        let unexpected = reading.problems.iter().find(|problem| !problem.message.starts_with("a second"));
        assert!(unexpected.is_none(), "{}: {unexpected:?}", tag.name);
        assert!(tag.example.starts_with(&format!("<{} ", tag.name)));
    }
}

#[test]
fn every_required_attribute_is_missed() {
    for tag in schema::tags() {
        for attribute in tag.attributes.iter().filter(|attribute| attribute.presence == Presence::Required) {
            let wrong = tag.example.replace(&format!(" {}=\"", attribute.name), " nothing=\"");
            let text = around(tag).replace(tag.example, &wrong);
            let reading = read(&text, &ReadOptions::default());
            let named = |problem: &carom_scene::Problem| {
                problem.message == format!("`{}` lacks the attribute `{}`", tag.name, attribute.name)
            };
            assert!(reading.problems.iter().any(named), "{} {}", tag.name, attribute.name);
        }
    }
}
