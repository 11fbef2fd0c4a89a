//! Frames of spatial bodies in every format, and their comparison.

use carom_trajectory::compare::{Comparison, Grader};
use carom_trajectory::export::{Solid, write_csv, write_glb, write_npz};
use carom_trajectory::{Family, Frame, Header, JournalWriter, RunHash, open};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const FRAMES: u64 = 49;
const DT: f64 = 0.03;

/// The quaternion (w, z) of a turn about z, by 4 arctan of twice the time.
fn turned(time: f64) -> (f64, f64) {
    let s = 2.0 * time;
    ((1.0 - s * s) / (1.0 + s * s), 2.0 * s / (1.0 + s * s))
}

/// Body 0 stays; body 1 moves along x and turns about z, its quaternion with another sign at every
/// step.
fn frame(step: u64) -> Frame {
    let time = DT * step as f64;
    let (w, z) = turned(time);
    let sign = if step.is_multiple_of(2) { 1.0 } else { -1.0 };
    Frame {
        step,
        time,
        positions: vec![
            0.0,
            0.0,
            -1.0,
            1.0,
            0.0,
            0.0,
            0.0, //
            time,
            2.0,
            3.0,
            sign * w,
            0.0,
            0.0,
            sign * z,
        ],
        velocities: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 10.0],
        memory: vec![0.25; 12],
        ..Frame::default()
    }
}

fn run(folder: &Path) -> PathBuf {
    let path = folder.join("run.carom");
    let mut header = Header::new(Family::SpatialBodies, 2, DT, "two.xml", "<scene/>");
    header.masses = vec![1.0, 2.0];
    header.inertias = (0..12).map(f64::from).collect();
    let mut writer = JournalWriter::create(&path, &header).unwrap();
    (0..FRAMES).for_each(|step| writer.append(&frame(step)).unwrap());
    let hash = writer.finish().unwrap();
    let expected = (0..FRAMES).fold(RunHash::default(), |hash, step| hash.with_frame(&frame(step)));
    assert_eq!(hash, expected);
    path
}

#[test]
fn journals_hold_seven_and_six_numbers_a_body() {
    let folder = tempfile::tempdir().unwrap();
    let path = run(folder.path());
    let mut journal = open(&path, None).unwrap();
    assert_eq!((journal.family(), journal.frame_count().unwrap()), (Family::SpatialBodies, FRAMES));
    assert_eq!(journal.frame(7).unwrap(), frame(7));
    let fields = journal.header().unwrap().fields.clone();
    let place = |name: &str| fields.iter().find(|f| f.name == name).map(|f| (f.offset, f.count));
    assert_eq!(place("positions"), Some((280, 14)));
    assert_eq!(place("velocities"), Some((280 + 8 * 14, 12)));
    assert!(journal.course_layout().is_none(), "the course has no such files");
    let mut misfit = JournalWriter::create(
        &folder.path().join("other.carom"),
        &Header::new(Family::SpatialBodies, 2, DT, "two.xml", "<scene/>"),
    )
    .unwrap();
    let wrong = Frame { velocities: vec![0.0; 14], ..frame(0) };
    assert!(misfit.append(&wrong).is_err(), "as many velocities as positions are no frame");
}

#[test]
fn tables_and_arrays_have_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = run(folder.path());
    let csv = folder.path().join("run.csv");
    write_csv(&mut open(&path, None).unwrap(), &csv).unwrap();
    let states = fs::read_to_string(folder.path().join("run.states.csv")).unwrap();
    let mut lines = states.lines();
    assert_eq!(lines.next(), Some("step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,omegax,omegay,omegaz"));
    assert_eq!(lines.next(), Some("0,0.0,0,0.0,0.0,-1.0,1.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0"));
    assert_eq!(lines.count() as u64, 2 * FRAMES - 1);
    let npz = folder.path().join("run.npz");
    write_npz(&mut open(&path, None).unwrap(), &npz).unwrap();
    let mut archive = zip::ZipArchive::new(fs::File::open(&npz).unwrap()).unwrap();
    for (name, shape) in [
        ("positions", "(49, 2, 7)"),
        ("velocities", "(49, 2, 6)"),
        ("inertias", "(2, 6)"),
        ("masses", "(2,)"),
    ] {
        let mut bytes = Vec::new();
        let mut entry = archive.by_name(&format!("{name}.npy")).unwrap();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        let head = String::from_utf8_lossy(&bytes[..128]).into_owned();
        assert!(head.contains(&format!("'shape': {shape}")), "{name}: {head}");
    }
}

#[test]
fn a_quaternion_and_its_negative_are_the_same() {
    let (expected, mut got) = (frame(3), frame(3));
    got.positions[10..14].iter_mut().for_each(|q| *q = -*q);
    let mut comparison = Comparison::new(Family::SpatialBodies, 1e-12);
    comparison.add(&expected, &got);
    assert!(comparison.passes() && !comparison.identical, "equal orientations, other bits");
    let mut grader = Grader::new(Family::SpatialBodies);
    grader.add_state(3, &expected, &got);
    assert!(grader.passes());
    got.positions[13] += 1e-3;
    grader.add_state(4, &expected, &got);
    comparison.add(&expected, &got);
    assert!(!grader.passes() && !comparison.passes());
    let first = comparison.first.unwrap();
    assert_eq!((first.quantity, first.body), ("qz", Some(1)));
    got.velocities[11] += 1.0;
    let mut comparison = Comparison::new(Family::SpatialBodies, 0.5);
    comparison.add(&expected, &got);
    assert_eq!(comparison.first.unwrap().quantity, "omegaz");
}

/// A corner of a box.
fn solid(color: f64) -> Solid {
    Solid {
        name: "corner".to_owned(),
        color: [color, 0.5, 1.0],
        points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 3],
        triangles: vec![[0, 1, 2]],
    }
}

/// A .glb file taken apart: JSON, and the numbers of an accessor.
struct Glb {
    json: Value,
    bytes: Vec<u8>,
}

impl Glb {
    fn read(path: &Path) -> Glb {
        let file = fs::read(path).unwrap();
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        assert_eq!((&file[..4], word(4), word(8) as usize), (&b"glTF"[..], 2, file.len()));
        let length = word(12) as usize;
        assert_eq!(&file[16..20], b"JSON");
        let json = serde_json::from_slice(&file[20..20 + length]).unwrap();
        let start = 20 + length;
        assert_eq!(&file[start + 4..start + 8], b"BIN\0");
        assert_eq!(word(start) as usize, file.len() - start - 8);
        Glb { json, bytes: file[start + 8..].to_vec() }
    }

    fn words(&self, accessor: &Value) -> Vec<[u8; 4]> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let (start, length) =
            (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap() as usize);
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        assert_eq!(length as u64, 4 * width * accessor["count"].as_u64().unwrap());
        self.bytes[start..start + length].chunks_exact(4).map(|w| w.try_into().unwrap()).collect()
    }

    fn floats(&self, accessor: &Value) -> Vec<f32> {
        self.words(accessor).into_iter().map(f32::from_le_bytes).collect()
    }
}

#[test]
fn a_glb_file_holds_the_meshes_and_the_motion() {
    let folder = tempfile::tempdir().unwrap();
    let path = run(folder.path());
    let out = folder.path().join("run.glb");
    let solids = [solid(0.25), solid(1.0)];
    let written = write_glb(&mut open(&path, None).unwrap(), &solids, 24.0, &out).unwrap();
    // 49 steps of 0.03 s at 24 frames a second: moments 0 to 35, each with its nearest step.
    assert_eq!(written, 36);
    let glb = Glb::read(&out);
    let json = &glb.json;
    assert_eq!(json["asset"]["version"], "2.0");
    let root = json["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
    assert_eq!(json["nodes"][root]["children"], serde_json::json!([0, 1]));
    // z up becomes y up: the quarter turn about −x takes (0, 0, 1) to (0, 1, 0).
    let turn: Vec<f64> =
        json["nodes"][root]["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let (x, w) = (turn[0], turn[3]);
    assert!((-2.0 * x * w - 1.0).abs() < 1e-6 && (1.0 - 2.0 * x * x).abs() < 1e-6);
    assert_eq!(json["nodes"][0]["translation"], serde_json::json!([0.0, 0.0, -1.0]));
    let mesh = &json["meshes"][json["nodes"][1]["mesh"].as_u64().unwrap() as usize]["primitives"][0];
    assert_eq!(glb.floats(&mesh["attributes"]["POSITION"]), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let corners: Vec<u32> = glb.words(&mesh["indices"]).into_iter().map(u32::from_le_bytes).collect();
    assert_eq!(corners, [0, 1, 2]);
    let material = &json["materials"][mesh["material"].as_u64().unwrap() as usize];
    assert_eq!(material["pbrMetallicRoughness"]["baseColorFactor"], serde_json::json!([1.0, 0.25, 1.0, 1.0]));

    let animation = &json["animations"][0];
    let channels = animation["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 2, "body 0 does not move");
    for channel in channels {
        assert_eq!(channel["target"]["node"], 1);
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = glb.floats(&sampler["input"]);
        let values = glb.floats(&sampler["output"]);
        assert_eq!(times.len(), 36);
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        // The run ends before its last moment, by less than half a frame.
        let off = |k: usize| (times[k] - k as f32 / 24.0).abs();
        assert!((0..35).all(|k| off(k) <= 0.5 * DT as f32 + 1e-6) && off(35) < 0.5 / 24.0);
        if channel["target"]["path"] == "translation" {
            assert!(values.chunks_exact(3).zip(&times).all(|(x, t)| x == [*t, 2.0, 3.0]));
        } else {
            let quaternions: Vec<&[f32]> = values.chunks_exact(4).collect();
            for pair in quaternions.windows(2) {
                let along: f32 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
                assert!(along > 0.0, "viewers take the short way");
            }
            for (q, t) in quaternions.iter().zip(&times) {
                let (w, z) = turned(f64::from(*t));
                let along = f64::from(q[2]) * z + f64::from(q[3]) * w;
                assert!((along.abs() - 1.0).abs() < 1e-5, "x y z w, up to its sign");
            }
        }
    }
}

#[test]
fn what_cannot_be_a_glb_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = run(folder.path());
    let out = folder.path().join("run.glb");
    let error = write_glb(&mut open(&path, None).unwrap(), &[solid(0.0)], 24.0, &out).unwrap_err();
    assert!(error.to_string().contains("1 shapes for 2 bodies"), "{error}");
    let flat = folder.path().join("flat.carom");
    let header = Header::new(Family::Particles, 1, DT, "one.xml", "<scene/>");
    let mut writer = JournalWriter::create(&flat, &header).unwrap();
    let frame = Frame { positions: vec![0.0; 2], velocities: vec![0.0; 2], ..Frame::default() };
    writer.append(&frame).unwrap();
    writer.finish().unwrap();
    let error = write_glb(&mut open(&flat, None).unwrap(), &[solid(0.0)], 24.0, &out).unwrap_err();
    assert!(error.to_string().contains("for spatial bodies"), "{error}");
    let far = folder.path().join("far.carom");
    let header = Header::new(Family::SpatialBodies, 1, DT, "one.xml", "<scene/>");
    let mut writer = JournalWriter::create(&far, &header).unwrap();
    let positions = vec![1e300, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    writer.append(&Frame { positions, velocities: vec![0.0; 6], ..Frame::default() }).unwrap();
    writer.finish().unwrap();
    let error = write_glb(&mut open(&far, None).unwrap(), &[solid(0.0)], 24.0, &out).unwrap_err();
    assert!(error.to_string().contains("glTF cannot hold"), "{error}");
    assert!(!out.exists(), "a file appears whole or not at all");
}
