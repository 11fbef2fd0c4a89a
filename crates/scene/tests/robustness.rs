//! No text makes the reader panic, hang or take more than its share of memory.

use crate::generator;

use carom_scene::{
    MAX_DEPTH, MAX_PROBLEMS, MEMORY_PER_BYTE, ReadOptions, Reading, Severity, diagnostics, read, render,
    write,
};
use proptest::prelude::*;

const MODES: [ReadOptions; 4] = [
    ReadOptions { course: false, strict: false },
    ReadOptions { course: false, strict: true },
    ReadOptions { course: true, strict: false },
    ReadOptions { course: true, strict: true },
];

/// Reads in every mode, renders, and checks what holds for every text.
fn survive(text: &str) {
    for options in &MODES {
        let reading = read(text, options);
        assert_eq!(reading.scene.is_some(), reading.problems.errors() == 0);
        for problem in &reading.problems {
            assert!(text.get(problem.span.clone()).is_some(), "{:?} cuts {text:?}", problem);
            assert!(problem.message.len() < 400 && problem.label.len() < 400, "{problem:?}");
        }
        let rendered = render(&reading.problems, "scene.xml", text, false);
        assert_eq!(rendered.is_empty(), reading.problems.is_empty());
        assert_eq!(diagnostics(&reading.problems, text).len(), reading.problems.iter().count());
    }
}

/// Pieces that make interesting texts when they are strung together.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "<scene>",
            "</scene>",
            "<scene/>",
            "<particle ",
            "<edge ",
            "<rigidbody ",
            "<collision ",
            "/>",
            ">",
            "<",
            "\"",
            "'",
            "=",
            "&",
            "&amp;",
            "&#10;",
            "&bogus;",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<?xml?>",
            "<!DOCTYPE x>",
            "\n",
            "\r\n",
            "\t",
            " ",
            "\u{feff}",
            "é",
            "\u{2028}",
            "\0",
            "m=\"1\"",
            "px='0'",
            "p=\"0\"p=\"1\"",
            "i=\"0\"",
            "type=\"hybrid\"",
            "<duration time=\"1\"/>",
            "<integrator type=\"rk4\" dt=\"0.1\"/>",
            "<simtype type=\"rigid-body\"/>",
            "1e",
            "-",
            "nan",
            "<rigidbodyvertex x=\"0\" y=\"0\" m=\"1\"/>",
            "<particle m=\"1\" px=\"0\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\"/>",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ]
}

/// A scene that was written, with bytes cut out, repeated or replaced.
fn damaged_scene() -> impl Strategy<Value = String> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, piece()), 1..6);
    (generator::scene(), damage).prop_map(|(scene, damage)| {
        let mut text = write(&scene);
        for (place, kind, piece) in damage {
            if text.is_empty() {
                break;
            }
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = *place.get(&places);
            match kind {
                0 => text.insert_str(at, &piece),
                1 => drop(text.remove(at)),
                2 => text.truncate(at),
                _ => {
                    let end = text.floor_char_boundary((at + 40).min(text.len()));
                    text.replace_range(at..end, &piece);
                }
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        survive(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces(pieces in prop::collection::vec(piece(), 0..30)) {
        survive(&pieces.concat());
        survive(&format!("<scene>{}</scene>", pieces.concat()));
    }

    #[test]
    fn damaged_scenes(text in damaged_scene()) {
        survive(&text);
    }
}

/// Texts of about this many bytes, each hard in its own way.
fn hard_texts(bytes: usize) -> Vec<(&'static str, String)> {
    let filled = |unit: &str| format!("<scene>{}</scene>", unit.repeat(bytes / unit.len()));
    let inside =
        |start: &str, unit: &str, end: &str| format!("{start}{}{end}", unit.repeat(bytes / unit.len()));
    vec![
        ("blank lines", "\n".repeat(bytes)),
        ("nested tags", "<a>".repeat(bytes / 3)),
        ("closing tags", "</a>".repeat(bytes / 4)),
        ("roots", "<a/>".repeat(bytes / 4)),
        ("unknown tags", filled("<a/>")),
        ("different unknown tags", {
            let tags: String = (0..bytes / 10).map(|k| format!("<t{k}/>")).collect();
            format!("<scene>{tags}</scene>")
        }),
        ("empty particles", filled("<particle/>")),
        ("empty edges", filled("<edge/>")),
        ("empty bodies", filled("<rigidbody/>")),
        ("empty rigid bodies", format!("<scene><simtype type=\"rigid-body\"/>{}", filled("<rigidbody/>"))),
        ("empty colours", filled("<edgecolor/>")),
        ("durations", filled("<duration/>")),
        ("bad indices", filled("<edge i=\"x\"j=\"9999999999\"/>")),
        ("corners", inside("<scene><simtype type=\"rigid-body\"/><rigidbody ", "p=\"\"", "/></scene>")),
        (
            "corners far away",
            inside("<scene><simtype type=\"rigid-body\"/><rigidbody ", "p=\"7\"", "/></scene>"),
        ),
        ("the same attribute", inside("<scene><particle ", "m=\"\"", "/></scene>")),
        ("unknown attributes", inside("<scene><particle ", "a=\"\"", "/></scene>")),
        ("a long name", inside("<scene><", "a", "/></scene>")),
        ("a long attribute", inside("<scene><particle ", "a", "=\"1\"/></scene>")),
        ("a long number", inside("<scene><duration time=\"", "1", "\"/></scene>")),
        ("a long text", inside("<scene><description text=\"", "&amp;", "\"/></scene>")),
        ("entities", inside("<scene>", "&a;", "</scene>")),
        ("open quote", inside("<scene><particle m=\"", "1 ", "")),
        ("open comment", inside("<scene><!--", "-", "")),
        ("open brackets", "<".repeat(bytes)),
        ("a document type", inside("<!DOCTYPE a [", "<!ENTITY a \"aaaa\">", "]><scene/>")),
        ("byte order marks", inside("\n", "\u{feff}", "<scene>text</scene>")),
        ("text", inside("<scene>", "word ", "</scene>")),
    ]
}

#[test]
fn hard_texts_take_memory_in_proportion() {
    const BYTES: usize = 200_000;
    for (what, text) in hard_texts(BYTES) {
        for options in &MODES {
            let mut reading: Option<Reading> = None;
            let used = allocation_counter::measure(|| reading = Some(read(&text, options)));
            let allowed = (MEMORY_PER_BYTE * text.len() + 200_000) as u64;
            assert!(used.bytes_max <= allowed, "{what} {options:?}: {} of {allowed} bytes", used.bytes_max);
            let reading = reading.unwrap();
            assert!(reading.scene.is_none(), "{what}: accepted");
            assert!(reading.problems.iter().count() <= 2 * MAX_PROBLEMS);
        }
        survive(&text);
    }
}

#[test]
fn a_million_nested_tags_are_refused() {
    let text = format!("<scene>{}", "<a>".repeat(1_000_000));
    let reading = read(&text, &ReadOptions::default());
    let error = |problem: &carom_scene::Problem| {
        problem.severity == Severity::Error
            && problem.message == format!("tags are nested more than {MAX_DEPTH} deep")
    };
    assert!(reading.problems.iter().any(error));
    let level = |depth: usize| format!("<scene>{}{}</scene>", "<a>".repeat(depth), "</a>".repeat(depth));
    let nested = |depth: usize| {
        let text = level(depth);
        read(&text, &ReadOptions::default())
            .problems
            .iter()
            .any(|problem| problem.message.starts_with("tags are nested"))
    };
    assert!(!nested(MAX_DEPTH - 1) && nested(MAX_DEPTH));
}

#[test]
fn a_text_that_is_too_large_is_refused_unread() {
    let text = " ".repeat(usize::try_from(carom_scene::MAX_TEXT_BYTES).unwrap() + 1);
    let reading = read(&text, &ReadOptions::default());
    assert_eq!(
        reading.problems.iter().next().unwrap().message,
        "the scene has 257 MiB; at most 256 MiB are read"
    );
    assert!(!render(&reading.problems, "scene.xml", &text, false).is_empty());
}

#[test]
fn a_hundred_thousand_particles_are_read() {
    let particle = |k: usize| {
        format!(
            "<particle m=\"1.5\" px=\"{}\" py=\"0.25\" vx=\"-1e-3\" vy=\"0\" fixed=\"0\" radius=\"0.05\"/>\n",
            k
        )
    };
    let particles: String = (0..100_000).map(particle).collect();
    let text = format!(
        "<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.1\"/>\n{particles}</scene>"
    );
    for course in [false, true] {
        let reading = read(&text, &ReadOptions { course, strict: false });
        assert!(reading.problems.is_empty());
        let last = reading.source_map.span("particle", 99_999, Some("px")).unwrap();
        assert_eq!(&text[last], "99999");
    }
}
