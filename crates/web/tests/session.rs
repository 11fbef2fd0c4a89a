//! A page's conversation, without a page: requests as text, answers as bytes.

use carom_web::Session;
use serde_json::{Value, json};
use std::path::Path;

/// An answer as the page reads it.
struct Answer {
    head: Value,
    numbers: Vec<f64>,
}

impl Answer {
    fn read(bytes: &[u8]) -> Answer {
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let numbers = bytes[(4 + length).next_multiple_of(8)..].chunks_exact(8);
        Answer {
            head: serde_json::from_slice(&bytes[4..4 + length]).unwrap(),
            numbers: numbers.map(|eight| f64::from_le_bytes(eight.try_into().unwrap())).collect(),
        }
    }

    fn array(&self, name: &str) -> &[f64] {
        let place = |k: usize| self.head["arrays"][name][k].as_u64().unwrap() as usize;
        &self.numbers[place(0)..place(0) + place(1)]
    }
}

fn ask(session: &mut Session, request: Value) -> Answer {
    Answer::read(&session.handle(&request.to_string(), &mut || false))
}

fn scene(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    std::fs::read_to_string(folder.join(format!("{name}.xml"))).unwrap()
}

#[test]
fn a_scene_is_opened_run_and_gone_back_in() {
    let mut session = Session::new();
    let open = ask(&mut session, json!({ "do": "open", "id": 3, "text": scene("break-discs") }));
    assert_eq!((&open.head["ok"], &open.head["id"]), (&json!(true), &json!(3)), "{}", open.head);
    let bodies = open.head["drawing"]["bodies"].as_array().unwrap().len();
    assert_eq!(open.array("positions").len(), 3 * bodies);
    assert_eq!(open.head["response"], "gr-lcp");
    assert!(open.head["responses"].as_array().unwrap().contains(&json!("impulse")));
    let layers = json!({ "velocities": true, "contacts": true, "islands": true });
    // The cue ball starts 2.1 m before the rack at 5 m/s: they meet by step 900.
    let mut touched = None;
    for to in 800..900 {
        let frame = ask(&mut session, json!({ "do": "advance", "to": to, "layers": layers }));
        assert_eq!(frame.head["step"], to);
        if frame.array("contacts").chunks(15).any(|contact| contact[10] > 0.0) {
            touched = Some(frame);
            break;
        }
    }
    let touched = touched.expect("the balls meet");
    assert_eq!(
        touched.array("contacts").len(),
        15 * touched.head["diagnostics"]["contacts"].as_u64().unwrap() as usize
    );
    let diagnostics = &touched.head["diagnostics"];
    let number = |name: &str| diagnostics[name].as_f64().unwrap();
    assert!(number("rows") >= number("active") && number("active") > 0.0, "{diagnostics}");
    assert!((number("kineticAfter") / number("kineticBefore") - 1.0).abs() < 1e-10, "{diagnostics}");
    assert!(
        number("kineticBefore") > 0.0 && diagnostics["momentumChange"][0].as_f64().unwrap().abs() < 1e-10
    );
    assert_eq!((touched.array("velocities").len(), touched.array("islands").len()), (3 * bodies, bodies));
    assert!(touched.array("islands").contains(&0.0));
    let back = ask(&mut session, json!({ "do": "seek", "step": 0 }));
    assert_eq!(back.array("positions"), open.array("positions"));
}

#[test]
fn methods_can_be_changed_and_every_one_of_them_runs_or_says_why() {
    let mut session = Session::new();
    let text = scene("carom");
    let open = ask(&mut session, json!({ "do": "open", "text": text }));
    for what in ["response", "integrator"] {
        for name in open.head[format!("{what}s")].as_array().unwrap() {
            let other = ask(&mut session, json!({ "do": "open", "text": text, what: name }));
            if other.head["ok"] == true {
                assert_eq!(&other.head[what], name);
                let frame = ask(&mut session, json!({ "do": "advance", "to": 3 }));
                assert!(
                    frame.head["step"] == 3 || frame.head["failure"].is_string(),
                    "{name}: {}",
                    frame.head
                );
            } else {
                assert!(other.head["message"].is_string());
            }
        }
    }
}

#[test]
fn a_body_is_held_pushed_and_inspected() {
    let mut session = Session::new();
    ask(&mut session, json!({ "do": "open", "text": scene("break-discs") }));
    let inspected = ask(&mut session, json!({ "do": "inspect", "body": 4 })).head["inspection"].clone();
    assert_eq!(
        (&inspected["mass"], &inspected["speed"], &inspected["kinetic"]),
        (&json!(1.0), &json!(5.0), &json!(12.5))
    );
    let pushed = json!({ "do": "push", "body": 4, "velocity": [-5.0, 1.0, 0.0], "spin": [0.0, 0.0, 2.0], "layers": { "velocities": true } });
    let frame = ask(&mut session, pushed);
    assert_eq!(&frame.array("velocities")[12..15], [0.0, 1.0, 2.0]);
    assert_eq!(frame.head["quantities"]["kinetic"], 0.5 + 0.5 * 4.0 * 0.5 * 0.04);
    let hold = |body: usize| json!({ "do": "hold", "body": body, "local": [0.0, 0.0, 0.0], "target": [-2.0, 1.0, 0.0] });
    assert_eq!(ask(&mut session, hold(4)).head["ok"], true);
    assert_eq!(ask(&mut session, hold(0)).head["ok"], false);
    assert_eq!(ask(&mut session, json!({ "do": "release" })).head["ok"], true);
    assert_eq!(ask(&mut session, json!({ "do": "inspect", "body": 400 })).head["ok"], false);
}

#[test]
fn nonsense_is_answered_in_words() {
    let mut session = Session::new();
    for request in [
        "",
        "{",
        "[]",
        "{\"do\":\"fly\"}",
        "{\"do\":\"advance\"}",
        "{\"do\":\"advance\",\"to\":-1}",
        "\u{0}",
        "{\"do\":\"look\"}",
    ] {
        let answer = Answer::read(&session.handle(request, &mut || false));
        assert_eq!(answer.head["ok"], false, "{request}");
        assert!(answer.head["message"].as_str().unwrap().len() > 10);
    }
    let wrong = ask(&mut session, json!({ "do": "open", "text": "<scene><duration tme=\"1\"/></scene>" }));
    assert_eq!(wrong.head["ok"], false);
    assert!(wrong.head["report"]["errors"].as_u64().unwrap() > 0);
    assert_eq!(
        ask(&mut session, json!({ "do": "advance", "to": 1 })).head["ok"],
        false,
        "the wrong scene is not open"
    );
    let huge = ask(&mut session, json!({ "do": "open", "text": " ".repeat(33 << 20) }));
    assert!(huge.head["message"].as_str().unwrap().contains("MiB"));
}

#[test]
fn hashes_are_those_that_are_pinned() {
    let pins = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/hashes.txt"))
        .unwrap();
    let mut session = Session::new();
    for name in ["figure-eight", "seesaw"] {
        let pinned = pins.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
        let answer = ask(&mut session, json!({ "do": "hash", "text": scene(name), "steps": 400 }));
        assert_eq!(answer.head["hash"], pinned);
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let six = |chunk: &[u8], k: usize| {
        let word =
            chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        DIGITS[(word >> (18 - 6 * k)) as usize & 63] as char
    };
    let mut text: String =
        bytes.chunks(3).flat_map(|chunk| (0..=chunk.len()).map(move |k| six(chunk, k))).collect();
    text.extend(std::iter::repeat_n('=', (3 - bytes.len() % 3) % 3));
    text
}

/// The file at the end of an answer.
fn file_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let length = Answer::read(bytes).head["file"].as_u64()? as usize;
    Some(bytes[bytes.len() - length..].to_vec())
}

#[test]
fn a_run_is_made_into_files_and_a_file_is_compared() {
    let mut session = Session::new();
    let text = scene("bernoulli");
    ask(&mut session, json!({ "do": "open", "text": text }));
    ask(&mut session, json!({ "do": "advance", "to": 5 }));
    let record = |session: &mut Session, format: &str| {
        let request = json!({ "do": "record", "format": format, "to": 40, "name": "bernoulli" }).to_string();
        for _ in 0..100 {
            // Time is out after every frame: the file grows over many requests.
            let bytes = session.handle(&request, &mut || true);
            assert_eq!(Answer::read(&bytes).head["ok"], true, "{}", Answer::read(&bytes).head);
            if let Some(file) = file_of(&bytes) {
                return file;
            }
        }
        panic!("the file is never whole");
    };
    let carom = record(&mut session, "carom");
    assert!(carom.starts_with(&carom_trajectory::journal::MAGIC));
    let mut run = carom_trajectory::open_bytes(&carom, None).unwrap();
    assert_eq!(run.frame_count().unwrap(), 41);
    assert!(record(&mut session, "npz").starts_with(b"PK"));
    assert!(record(&mut session, "csv").starts_with(b"PK"));
    let refused = ask(&mut session, json!({ "do": "record", "format": "glb", "to": 2 }));
    assert_eq!(refused.head["ok"], false, "planar bodies have no glTF");

    let good = ask(&mut session, json!({ "do": "compare", "text": text, "file": base64(&carom) }));
    assert_eq!(good.head["verdict"]["pass"], true, "{}", good.head);
    assert_eq!(good.array("distances").len(), 40);
    let npz = record(&mut session, "npz");
    let good = ask(&mut session, json!({ "do": "compare", "text": text, "file": base64(&npz) }));
    assert_eq!(good.head["verdict"]["pass"], true, "{}", good.head);
    let other = text.replacen("vx=\"", "vx=\"1", 1);
    assert_ne!(other, text);
    let bad = ask(&mut session, json!({ "do": "compare", "text": other, "file": base64(&carom) }));
    assert_eq!(bad.head["verdict"]["pass"], false, "{}", bad.head);
    for file in ["", "AAAA", "!"] {
        let answer = ask(&mut session, json!({ "do": "compare", "text": text, "file": file }));
        let fails = answer.head["ok"] == false || answer.head["verdict"]["pass"] == false;
        assert!(fails, "{}", answer.head);
    }
}
