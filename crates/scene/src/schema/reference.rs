//! The reference page, printed from the table.

use super::{Attribute, Choice, Kind, Occurs, Presence, SystemKind, Tag, Target, retired, tags};
use crate::problem::MAX_PROBLEMS;
use crate::reader::{MAX_DEPTH, MEMORY_PER_BYTE};
use crate::source::MAX_TEXT_BYTES;
use std::fmt::Write;

/// The text of `docs/scene-format.md`, printed from the schema.
pub fn reference_page() -> String {
    let mut page = String::from(HEAD);
    contents(&mut page);
    page.push_str(RULES);
    limits(&mut page);
    for (kind, title, text) in SECTIONS {
        write!(page, "\n## {title}\n\n{text}\n").expect(TO_STRING);
        for tag in tags().filter(|tag| tag.system == kind) {
            describe(&mut page, tag);
        }
    }
    page
}

/// Why a write cannot fail.
const TO_STRING: &str = "writing to a string does not fail";

const SECTIONS: [(SystemKind, &str, &str); 4] = [
    (SystemKind::Any, "Tags of every scene", "These stand in scenes of every kind."),
    (
        SystemKind::Particles,
        "Tags of particle systems",
        "These count when `simtype` is `particle-system` or is left out. Several forces of a kind add up.",
    ),
    (
        SystemKind::RigidBodies,
        "Tags of planar rigid bodies",
        "These count when `simtype` is `rigid-body`. Several forces of a kind add up.",
    ),
    (
        SystemKind::SpatialBodies,
        "Tags of spatial rigid bodies",
        "These count when `simtype` is `rigid-body-3d`; the course has no such scenes. Several forces of a kind add up. The spheres, boxes, \
         polyhedra and half-spaces of a file are numbered together, in the order of the file. Rotations are given as an axis times an \
         angle in radians. z is up by custom: nothing but pictures without a camera depends on it.",
    ),
];

const HEAD: &str = r#"# The scene format

<!-- Printed from the schema in crates/scene/src/schema. Change it there, then run `cargo xtask docs`. -->

A scene is an XML file: one root `scene`, and inside it one tag for each thing that the scene has. This is a whole scene, a ball
thrown over a floor:

```xml
<scene>
  <description text="A ball thrown over a floor."/>
  <duration time="3.0"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <particle m="1.0" px="-2.0" py="1.0" vx="1.5" vy="2.0" fixed="0" radius="0.2"/>
  <halfplane px="0.0" py="0.0" nx="0.0" ny="1.0"/>
  <simplegravity fx="0.0" fy="-9.81"/>
  <collision type="simple" COR="0.8"/>
</scene>
```

And this is a scene of rigid bodies, a stick that falls onto another one, which is fixed:

```xml
<scene>
  <simtype type="rigid-body"/>
  <duration time="3.0"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodyvertex x="-1.0" y="2.0" m="1.0"/>
  <rigidbodyvertex x="0.5" y="2.5" m="1.0"/>
  <rigidbody p="0" p="1" vx="0.0" vy="0.0" omega="0.0" r="0.1"/>
  <rigidbodyvertex x="-3.0" y="0.0" m="1.0"/>
  <rigidbodyvertex x="3.0" y="0.0" m="1.0"/>
  <rigidbody p="2" p="3" vx="0.0" vy="0.0" omega="0.0" r="0.1" fixed="1"/>
  <rigidbodygravityforce fx="0.0" fy="-9.81"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp"/>
</scene>
```

And this is a spatial scene, a die that falls onto a floor:

```xml
<scene>
  <simtype type="rigid-body-3d"/>
  <duration time="3.0"/>
  <rigidbody3dintegrator type="symplectic-euler" dt="0.005"/>
  <rigidbody3dhalfspace nz="1.0"/>
  <rigidbody3dbox z="1.0" a="0.2" b="0.2" c="0.2" rx="0.5" ry="0.3" omegay="4.0" density="1000.0"/>
  <rigidbody3dgravityforce fz="-9.81"/>
  <rigidbody3dcollisionhandling response="lcp" mu="0.4"/>
</scene>
```

`carom check scene.xml` reports everything that is wrong with a file at once, with the place of each problem.

## All tags

"Once" means once or not at all.

| tag | how often | what it says |
|---|---|---|
"#;

const RULES: &str = r#"
## Rules

- Only tags directly inside `scene` count. Their order does not matter, except that things of a kind are numbered from 0 in the
  order of the file; a thing may stand after what refers to it.
- Names and values are case-sensitive. Values stand in single or double quotes.
- A **number** is written like `1`, `-0.5`, `.5`, `5.` or `1e-3`, with blanks around it if you like. It must be finite, and nothing may
  follow it: `0.5s` and `0,5` are errors.
- A **whole number** has digits only, with a sign if you like. An **index** is a whole number that counts things of one kind from 0, and
  the thing must exist.
- **Text** follows XML: write `&amp;` for `&`, `&lt;` for `<`, `&quot;` for `"`, and `&#10;` for a line break. A bare line break becomes
  a blank.
- Units are those of the international system, as a convention: any consistent set of units gives the same numbers.
- Of a tag that may stand once, and of an attribute, the first one is used, with a warning if there are more. Only `p` of
  `rigidbody` and of `rigidbody3dpolyhedron` is meant to be repeated.
- Unknown tags and attributes, and tags of another kind of system, are errors: the scene would run without what they say. Only those about looks (colours, cameras)
  are ignored with a warning. With `--strict`, everything in a file that has no effect is an error.
- Remarks are written `<!-- like this -->`. XML declarations and document types are skipped.
- The files of the Columbia course are read as they are, with attributes that touch (`vx="0"vy="0"`) too. With `--course` a file is read
  exactly as the course's program reads it; [course-compatibility.md](course-compatibility.md) lists the differences.
"#;

fn limits(page: &mut String) {
    let mebibytes = MAX_TEXT_BYTES / (1024 * 1024);
    write!(
        page,
        "
## Limits of a file

A file has at most {mebibytes} MiB and tags nested at most {MAX_DEPTH} deep. Reading takes time in proportion to the size of the file, and at
most {MEMORY_PER_BYTE} bytes of memory for each byte of it. Of the problems of a file the first {MAX_PROBLEMS} errors and the first {MAX_PROBLEMS} warnings are shown, and the
others are counted. The number of steps, duration divided by time step, is at most 2^53.
"
    )
    .expect(TO_STRING);
}

fn contents(page: &mut String) {
    for tag in tags() {
        let first_sentence = tag.meaning.split_inclusive(". ").next().unwrap_or(tag.meaning).trim_end();
        let often = match tag.occurs {
            Occurs::Required => "exactly once",
            Occurs::Optional => "once",
            Occurs::Many => "any number",
        };
        let name = tag.name;
        writeln!(page, "| [`{name}`](#{name}) | {often} | {first_sentence} |").expect(TO_STRING);
    }
}

fn describe(page: &mut String, tag: &Tag) {
    let often = match tag.occurs {
        Occurs::Required => "Exactly once.",
        Occurs::Optional => "Once or not at all.",
        Occurs::Many => "Any number of times.",
    };
    write!(page, "\n### `{}`\n\n{} {often}\n\n```xml\n{}\n```\n\n", tag.name, tag.meaning, tag.example)
        .expect(TO_STRING);
    page.push_str(
        "| attribute | meaning | unit | type | if left out | limits |\n|---|---|---|---|---|---|\n",
    );
    for attribute in tag.attributes {
        row(page, attribute);
    }
    for attribute in tag.attributes {
        if let Kind::Choice(choices) = attribute.kind {
            list_choices(page, attribute, choices);
        }
    }
    let kept: Vec<String> = retired::of(tag.name).map(|retired| format!("`{}`", retired.name)).collect();
    if !kept.is_empty() {
        let names = kept.join(", ");
        writeln!(page, "\nOf older scenes {names} are passed over with a warning: they do nothing any more.")
            .expect(TO_STRING);
    }
}

fn row(page: &mut String, attribute: &Attribute) {
    let ours = if attribute.course { "" } else { " (not in the course)" };
    let absent = match attribute.presence {
        Presence::Required => "an error".to_owned(),
        Presence::Default(default) => format!("`{default}`"),
        Presence::Optional(otherwise) => otherwise.to_owned(),
        Presence::Repeated(0) => "none".to_owned(),
        Presence::Repeated(at_least) => format!("an error: at least {at_least} are needed"),
    };
    writeln!(
        page,
        "| `{}` | {}{ours} | {} | {} | {absent} | {} |",
        attribute.name,
        attribute.meaning,
        attribute.unit,
        type_words(attribute),
        limit_words(attribute)
    )
    .expect(TO_STRING);
}

fn type_words(attribute: &Attribute) -> String {
    match attribute.kind {
        Kind::Real(_) => "number".to_owned(),
        Kind::Integer(..) | Kind::Count => "whole number".to_owned(),
        Kind::Index(Target::SpatialBody | Target::SpatialBodyOrWorld) => "index of a body".to_owned(),
        Kind::Index(target) => format!("index of [`{0}`](#{0})", target.tag()),
        Kind::Flag => "0 or 1".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Choice(_) => "one of the names below".to_owned(),
    }
}

fn limit_words(attribute: &Attribute) -> String {
    match attribute.kind {
        Kind::Flag | Kind::Text | Kind::Choice(_) => String::new(),
        Kind::Real(limit) => limit.words().to_owned(),
        Kind::Integer(low, high) => format!("from {low} to {high}"),
        Kind::Count => "0 or greater".to_owned(),
        Kind::Index(Target::BodyOrWorld) => "must exist, or −1 for the plane".to_owned(),
        Kind::Index(Target::SpatialBodyOrWorld) => "must exist, or −1 for fixed space".to_owned(),
        Kind::Index(_) => "must exist".to_owned(),
    }
}

fn list_choices(page: &mut String, attribute: &Attribute, choices: &[Choice]) {
    write!(page, "\nValues of `{}`:\n\n", attribute.name).expect(TO_STRING);
    for choice in choices {
        let ours = if choice.course { "" } else { " (not in the course)" };
        writeln!(page, "- `{}`: {}{ours}", choice.name, choice.meaning).expect(TO_STRING);
    }
}
