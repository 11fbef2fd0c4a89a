//! What a person sees, and what a program gets, for typical mistakes. Read the snapshots as a
//! newcomer would.

use carom_scene::{Problem, ReadOptions, Severity, diagnostics, read, render, render_problem};

fn page(text: &str) -> String {
    page_with(text, ReadOptions::default())
}

fn page_with(text: &str, options: ReadOptions) -> String {
    let reading = read(text, &options);
    format!("{}{}\n", render(&reading.problems, "scene.xml", text, false), reading.problems.summary())
}

#[test]
fn misspelt_names() {
    insta::assert_snapshot!(page(
        r#"<scene>
  <duration time="10.0"/>
  <integrator type="implicit" dt="0.01"/>
  <partcile m="1.0" px="0.0" py="0.0" vx="0.0" vy="0.0" fixed="0"/>
  <particle m="1.0" px="0.0" py="0.0" vx="0.0" vy="0.0" fixed="false" raduis="0.5"/>
  <particle m="1.0" px="1.0" py="0.0" vx="0.0" vy="0.0" fixed="0" raduis="0.5" color="red"/>
  <colision type="simple"/>
</scene>
"#
    ));
}

#[test]
fn wrong_numbers() {
    insta::assert_snapshot!(page(
        r#"<scene>
  <duration time="10,5"/>
  <integrator type="explicit-euler" dt="0"/>
  <particle m="-1" px="0.5m" py="" vx="1e999" vy="fast" fixed="2"/>
  <particle m="1" px="0" py="0" vx="0" vy="0" fixed="0" px="3"/>
  <edge i="0" j="2"/>
  <edge i="1" j="1"/>
  <edge i="0.0" j="1000000000"/>
  <halfplane px="0" py="0" nx="0" ny="0"/>
  <particlecolor i="0" r="255" g="0" b="0"/>
</scene>
"#
    ));
}

#[test]
fn missing_parts() {
    insta::assert_snapshot!(page("<scene>\n  <particle m=\"1.0\"/>\n  <rigidbody p=\"0\"/>\n</scene>\n"));
}

/// A `simtype` that is no kind used to be followed by complaints as if the scene were one of
/// particles.
#[test]
fn a_wrong_simtype_is_the_only_error() {
    for (tags, count) in [
        (
            r#"<rigidbodyintegrator type="symplectic-euler" dt="0.01"/><rigidbodydisc x="0" y="0" radius="1" m="1"/>"#,
            1,
        ),
        (r#"<rigidbody3dintegrator type="rk4" dt="0.01"/><rigidbody3dsphere radius="1" m="0"/>"#, 2),
        (r#"<integrator type="rk4" dt="0.01"/>"#, 1),
    ] {
        let text = format!("<scene>\n<simtype type=\"rigid\"/>\n<duration time=\"1\"/>\n{tags}</scene>");
        let reading = read(&text, &ReadOptions::default());
        let found = diagnostics(&reading.problems, &text);
        assert!(
            found[0].message.contains("`rigid` is not a value of `type`") && found[0].line == 2,
            "{found:?}"
        );
        assert_eq!(found.len(), count, "{found:?}");
    }
}

#[test]
fn a_rigid_scene_without_simtype() {
    insta::assert_snapshot!(page(
        r#"<scene>
  <duration time="1"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodyvertex x="0" y="0" m="1"/>
  <rigidbodyvertex x="1" y="0" m="1"/>
  <rigidbody p="0" p="1" vx="0" vy="0" omega="0" r="0.1"/>
</scene>
"#
    ));
}

#[test]
fn springs_without_length() {
    insta::assert_snapshot!(page(
        r#"<scene>
  <duration time="1"/>
  <integrator type="explicit-euler" dt="0.01"/>
  <particle m="1" px="0" py="0" vx="0" vy="0" fixed="1"/>
  <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0"/>
  <edge i="0" j="1"/>
  <springforce edge="0" k="10" l0="1"/>
</scene>
"#
    ));
}

#[test]
fn not_xml() {
    let start = "<scene>\n  <duration time=\"1\"/>\n  <integrator type=\"rk4\" dt=\"0.01\"/>\n";
    let mut all = String::new();
    for (what, text) in [
        ("nothing", String::new()),
        ("no tag", "hello\n".to_owned()),
        ("no end", start.to_owned()),
        ("a tag without an end", format!("{start}  <dragdamping b=\"1\">\n</scene>\n")),
        ("a bracket missing", format!("{start}  <dragdamping b=\"1\"\n  <dragdamping b=\"2\"/>\n</scene>\n")),
        ("quotes missing", format!("{start}  <dragdamping b=1/>\n</scene>\n")),
        ("one quote missing", format!("{start}  <simplegravity fx=\"0 fy=\"1\"/>\n</scene>\n")),
        (
            "two quotes missing",
            format!("{start}  <simplegravity fx=\"0 fy=\"1/>\n  <dragdamping b=\"1\"/>\n</scene>\n"),
        ),
        ("a comment without an end", format!("{start}  <!-- oh\n</scene>\n")),
        ("two roots", format!("{start}</scene>\n<scene/>\nmore\n")),
        ("text", format!("{start}  one particle\n</scene>\n")),
        ("another root", "<Scenes/>\n".to_owned()),
    ] {
        all.push_str(&format!("=== {what}\n{}\n", page(&text)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn course_mode_tells_what_it_swallows() {
    let text = r#"<scene>
  <duration time="-1"/>
  <integrator type="explicit-euler" dt="0.01s"/>
  <particle
m="1" px="0" py="0" vx="0" vy="0" fixed="0"/>
  <particle m="0" px="0" py="0" vx="0" vy="0" fixed="1.5"></paricle>
  <collision type="simple" k="many"/>
</scene>
"#;
    insta::assert_snapshot!(page_with(text, ReadOptions { course: true, strict: false }));
}

#[test]
fn very_long_lines_are_trimmed() {
    let text = format!("<scene>{}<edgee/>{}</scene>", " ".repeat(50_000), " ".repeat(50_000));
    let page = page(&text);
    assert!(page.contains("scene.xml:1:50009"), "{page}");
    assert!(page.lines().all(|line| line.len() < 250), "{page}");
}

#[test]
fn the_same_warning_is_given_once_and_many_errors_are_cut_off() {
    let particle = r#"<particle m="1" px="0" py="0" vx="0" vy="0" fixed="0" colour="1"/>"#;
    let edge = r#"<edge i="x" j="0"/>"#;
    let text = format!("<scene>{}{}</scene>", particle.repeat(500), edge.repeat(500));
    let reading = read(&text, &ReadOptions::default());
    // The edges, and the missing duration and integrator.
    assert_eq!((reading.problems.errors(), reading.problems.warnings()), (502, 500));
    let errors = reading.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    assert_eq!(errors, carom_scene::MAX_PROBLEMS);
    let page = render(&reading.problems, "scene.xml", &text, false);
    assert!(page.contains("the same 499 times more in this file"));
    assert!(page.ends_with("and 402 more\n"));
}

#[test]
fn programs_get_lines_columns_and_names() {
    let text =
        "<scene>\n<duration time=\"1\"/>\n<integrator type=\"explicit-euler\" dt=\"0,1\" é=\"1\"/></scene>";
    let reading = read(text, &ReadOptions::default());
    insta::assert_debug_snapshot!(diagnostics(&reading.problems, text));
}

#[test]
fn colour_is_only_there_when_asked_for() {
    let reading = read("<scene/>", &ReadOptions::default());
    assert!(!render(&reading.problems, "scene.xml", "<scene/>", false).contains('\u{1b}'));
    assert!(render(&reading.problems, "scene.xml", "<scene/>", true).contains('\u{1b}'));
}

#[test]
fn a_run_can_point_into_the_file() {
    let text = r#"<scene>
  <duration time="1"/>
  <integrator type="explicit-euler" dt="0.01"/>
  <particle m="1" px="0" py="0" vx="0" vy="0" fixed="1"/>
  <particle m="1" px="2" py="0" vx="1" vy="0" fixed="0"/>
</scene>
"#;
    let reading = read(text, &ReadOptions::default());
    let map = &reading.source_map;
    assert_eq!(&text[map.span("particle", 1, Some("px")).unwrap()], "2");
    assert_eq!(&text[map.span("particle", 1, Some("radius")).unwrap()], "particle");
    assert_eq!(&text[map.span("integrator", 0, Some("dt")).unwrap()], "0.01");
    assert_eq!(map.span("particle", 2, None), None);
    assert_eq!(map.span("no such tag", 0, None), None);
    assert_eq!(map.count("particle"), 2);
    let span = map.span("particle", 1, Some("vx")).unwrap();
    let problem = Problem::new(Severity::Error, span, "particle 1 has left the range of numbers at t = 0.3");
    insta::assert_snapshot!(render_problem(&problem.label("started here"), "scene.xml", text, false));
}
