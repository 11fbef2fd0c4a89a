//! Exports and the one way in: numpy's arrays, tables, course files; atomic files.

use crate::support;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use carom_trajectory::course::{CourseLayout, CourseRecords};
use carom_trajectory::export::{companion_paths, write_course, write_csv, write_journal, write_npz};
use carom_trajectory::{Impact, JournalWriter, Quantities, Trajectory, TrajectoryError, atomic, open};
use support::{bits, header, plain_frame};

const FRAMES: u64 = 5;

/// A finished journal of two particles in a new folder.
fn run() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let mut header = header(2);
    header.course_records = Some(CourseRecords::ContinuousTime);
    header.masses = vec![1.0, 2.5];
    let mut writer = JournalWriter::create(&path, &header).unwrap();
    (0..FRAMES).for_each(|step| writer.append(&plain_frame(step)).unwrap());
    writer.finish().unwrap();
    (folder, path)
}

/// The entry of an archive without its header, and the header's text.
fn array(path: &Path, name: &str) -> (String, Vec<u8>) {
    let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let mut bytes = Vec::new();
    archive.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
    let length = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    (String::from_utf8_lossy(&bytes[10..length]).to_string(), bytes[length..].to_vec())
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

#[test]
fn numpy_arrays_hold_what_the_frames_hold() {
    let (folder, path) = run();
    let out = folder.path().join("run.npz");
    assert_eq!(write_npz(&mut open(&path, None).unwrap(), &out).unwrap(), FRAMES);
    let (head, data) = array(&out, "positions");
    assert!(head.contains("'descr': '<f8'") && head.contains("'shape': (5, 2, 2)"), "{head}");
    let expected: Vec<f64> = (0..FRAMES).flat_map(|step| plain_frame(step).positions).collect();
    assert_eq!(numbers(&data), expected);
    let (head, data) = array(&out, "contact_normal");
    assert!(head.contains("'shape': (2, 3)"), "{head}");
    assert_eq!(numbers(&data), [1.0, 1.0, 0.0, 1.0, 4.0, 0.0]);
    assert_eq!(array(&out, "contact_frame").1, [1u64.to_le_bytes(), 4u64.to_le_bytes()].concat());
    let counts = |name: &str| -> Vec<i64> {
        let (head, data) = array(&out, name);
        assert!(head.contains("'<i8'"), "{head}");
        data.chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect()
    };
    assert_eq!(counts("contact_rows"), [-1, 9, 0, -1, 9], "-1 where it is not known");
    assert_eq!(counts("largest_island"), [-1, 4, -1, -1, 4]);
    let before = numbers(&array(&out, "kinetic_before").1);
    assert_eq!((before[1], before[4]), (4.0, 7.0));
    assert!([0, 2, 3].iter().all(|&k: &usize| before[k].is_nan()), "{before:?}");
    let (head, data) = array(&out, "momentum_change");
    assert!(head.contains("'shape': (5, 3)"), "{head}");
    let change = numbers(&data);
    assert_eq!((&change[3..6], &change[6..9]), (&[0.5, -1.0, 0.0][..], &[0.0; 3][..]));
    assert!(change[..3].iter().all(|x| x.is_nan()), "the first frame does not know");
    assert_eq!(numbers(&array(&out, "angular_momentum_change").1)[14], 0.4);
    let (head, data) = array(&out, "scene");
    let text: String =
        data.chunks(4).map(|c| char::from_u32(u32::from_le_bytes(c.try_into().unwrap())).unwrap()).collect();
    assert!(head.contains("'<U16'"), "{head}");
    assert_eq!(text, "<scene>\u{3b8}</scene>");
    assert_eq!(numbers(&array(&out, "dt").1), [0.1]);
    let again = folder.path().join("again.npz");
    write_npz(&mut open(&path, None).unwrap(), &again).unwrap();
    assert!(fs::read(&out).unwrap() == fs::read(&again).unwrap(), "two exports of one run differ");
}

#[test]
fn tables_have_a_title_and_a_row_for_each_thing() {
    let (folder, path) = run();
    let out = folder.path().join("run.csv");
    assert_eq!(write_csv(&mut open(&path, None).unwrap(), &out).unwrap(), FRAMES);
    let (states, contacts) = companion_paths(&out);
    let rows = |path: &Path| -> Vec<Vec<String>> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| line.split(',').map(str::to_string).collect()).collect()
    };
    for path in [&out, &states, &contacts] {
        let table = rows(path);
        assert!(table.iter().all(|row| row.len() == table[0].len()), "{}: ragged rows", path.display());
    }
    assert_eq!((rows(&out).len(), rows(&states).len(), rows(&contacts).len()), (6, 11, 3));
    let cell = |row: usize, name: &str| {
        let table = rows(&out);
        let column = table[0].iter().position(|title| title == name).unwrap();
        table[row][column].parse::<f64>().unwrap()
    };
    let frame = plain_frame(3);
    assert_eq!(cell(4, "step"), 3.0);
    assert_eq!(cell(4, "time").to_bits(), frame.time.to_bits(), "numbers read back to the same bits");
    assert_eq!(cell(4, "energy"), frame.quantities.kinetic + frame.quantities.potential);
    assert_eq!(cell(4, "residual"), 1e-12);
    let text = |row: usize, name: &str| {
        let table = rows(&out);
        table[row][table[0].iter().position(|title| title == name).unwrap()].clone()
    };
    assert_eq!((cell(5, "contact_rows"), cell(5, "largest_island")), (9.0, 4.0));
    assert_eq!((cell(5, "kinetic_before"), cell(5, "kinetic_after")), (7.0, 2.0));
    assert_eq!((cell(5, "momentum_change_y"), cell(5, "angular_momentum_change_z")), (-4.0, 0.4));
    assert_eq!(text(4, "contact_rows"), "", "nothing is there where nothing is known");
    assert_eq!((text(3, "kinetic_before"), cell(3, "momentum_change_x")), (String::new(), 0.0));
    assert_eq!((text(4, "kinetic_after"), text(4, "momentum_change_x")), (String::new(), String::new()));
    assert_eq!(rows(&states)[2], ["0", "0.0", "1", "0.0", "-0.0", "-0.0", "0.25"]);
    assert_eq!(rows(&contacts)[1][2..5], ["particle-particle", "0", "1"]);
}

/// Tables used to say `NaN` for some values that are not known and nothing for others, and `NaN`
/// for numbers that are none as well.
#[test]
fn tables_tell_what_is_not_known_from_what_is_not_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let mut writer = JournalWriter::create(&path, &header(2)).unwrap();
    // A plane's momentum ends in 0 even where the state is lost.
    let lost = Quantities {
        kinetic: f64::NAN,
        potential: f64::NAN,
        momentum: [f64::NAN, f64::NAN, 0.0],
        angular_momentum: [0.0, 0.0, f64::NAN],
        deepest_penetration: 0.0,
    };
    let happened = Impact::Happened {
        kinetic_before: 1.0,
        kinetic_after: f64::NAN,
        momentum_change: [f64::NAN, 0.0, 0.0],
        angular_momentum_change: [0.0; 3],
    };
    for (step, (quantities, impact)) in
        [(Quantities::UNKNOWN, Impact::Unknown), (lost, happened)].into_iter().enumerate()
    {
        let mut frame = plain_frame(1);
        (frame.step, frame.quantities, frame.diagnostics.impact) = (step as u64, quantities, impact);
        frame.contacts[0].point = if step == 0 { [f64::NAN; 3] } else { [f64::NAN, 1.0, 0.0] };
        writer.append(&frame).unwrap();
    }
    writer.finish().unwrap();
    let out = folder.path().join("run.csv");
    write_csv(&mut open(&path, None).unwrap(), &out).unwrap();
    let row =
        |path: &Path, row: usize| fs::read_to_string(path).unwrap().lines().nth(row + 1).unwrap().to_owned();
    let frames =
        [row(&out, 0), row(&out, 1)].map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(frames[0][2..12], [""; 10].map(str::to_owned), "energies, momenta, overlap");
    assert_eq!(frames[0][19..27], [""; 8].map(str::to_owned), "the impact");
    assert_eq!(frames[1][2..12].join(","), "NaN,NaN,NaN,NaN,NaN,0.0,0.0,0.0,NaN,0.0");
    assert_eq!(frames[1][19..27].join(","), "1.0,NaN,NaN,0.0,0.0,0.0,0.0,0.0");
    let contacts = companion_paths(&out).1;
    assert!(row(&contacts, 0).contains("particle-particle,0,1,,,,"), "{}", row(&contacts, 0));
    assert!(row(&contacts, 1).contains("particle-particle,0,1,NaN,1.0,0.0,"), "{}", row(&contacts, 1));
}

#[test]
fn a_course_file_of_a_journal_reads_back_and_can_become_a_journal_again() {
    let (folder, path) = run();
    let out = folder.path().join("run.bin");
    assert_eq!(
        write_course(&mut open(&path, None).unwrap(), &mut |_| Default::default(), &out).unwrap(),
        FRAMES
    );
    let layout = CourseLayout::new(CourseRecords::ContinuousTime, 2, 0.1);
    let mut course = open(&out, Some(layout)).unwrap();
    assert!(matches!(course, Trajectory::Course(_)));
    assert_eq!(course.frame_count().unwrap(), FRAMES);
    for step in 0..FRAMES {
        assert_eq!(course.frame(step).unwrap().positions, plain_frame(step).positions);
    }
    let copy = folder.path().join("copy.carom");
    let hash = write_journal(&mut course, &header(2), &copy).unwrap();
    let original = open(&path, None).unwrap().run_hash();
    assert_eq!(Some(hash), original, "the same states have the same hash whatever file they came from");
    assert_eq!(open(&copy, None).unwrap().frame_count().unwrap(), FRAMES);
}

#[test]
fn frames_come_in_order_any_number_of_times() {
    let (_folder, path) = run();
    let mut trajectory = open(&path, None).unwrap();
    for _ in 0..2 {
        let read: Vec<_> = trajectory.frames().map(|frame| bits(&frame.unwrap())).collect();
        assert_eq!(read, (0..FRAMES).map(|step| bits(&plain_frame(step))).collect::<Vec<_>>());
    }
    let beyond = trajectory.frame(FRAMES).unwrap_err();
    assert!(matches!(beyond, TrajectoryError::NoSuchFrame { frames: FRAMES, .. }), "{beyond}");
}

#[test]
fn files_of_another_kind_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.xml");
    fs::write(&path, "<scene></scene>\n\n\n").unwrap();
    let text = open(&path, None).unwrap_err().to_string();
    assert!(text.contains("scene.xml") && text.contains("not a Carom trajectory"), "{text}");
    assert!(open(folder.path(), None).is_err(), "a folder is no trajectory");
    assert!(open(&folder.path().join("none.carom"), None).is_err());
    // A damaged file of ours is not read as a course file.
    let damaged = folder.path().join("run.carom");
    fs::write(&damaged, vec![0; 64]).unwrap();
    let layout = CourseLayout::new(CourseRecords::Plain, 2, 0.1);
    assert!(matches!(open(&damaged, Some(layout)), Err(TrajectoryError::NotATrajectory { .. })));
}

#[test]
fn a_failed_write_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.txt");
    fs::write(&path, "before").unwrap();
    let failed = atomic::write_whole(&path, |out| {
        out.write_all(b"half")?;
        Err::<(), _>(std::io::Error::other("no more"))
    });
    assert!(failed.unwrap_err().to_string().contains("out.txt"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary file is gone");
    atomic::write_whole(&path, |out| out.write_all(b"after")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "after");
}

#[test]
fn folders_and_missing_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &Path| atomic::write_whole(path, |out| out.write_all(b"x"));
    assert!(matches!(write(folder.path()), Err(TrajectoryError::NotAFile { .. })));
    let error = write(&folder.path().join("none/out.txt")).unwrap_err().to_string();
    assert!(error.contains("none") && error.contains("folder exists"), "{error}");
}

#[cfg(unix)]
#[test]
fn links_stay_permissions_stay_and_devices_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.txt"), folder.path().join("link.txt"));
    fs::write(&real, "before").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.txt", &link).unwrap();
    atomic::write_whole(&link, |out| out.write_all(b"after")).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "after");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    let device = Path::new("/dev/null");
    let refused = atomic::write_whole(device, |out| out.write_all(b"x"));
    assert!(matches!(refused, Err(TrajectoryError::NotAFile { .. })));
    // A new file is as readable as any other program's.
    let (ours, theirs) = (folder.path().join("ours.txt"), folder.path().join("theirs.txt"));
    atomic::write_whole(&ours, |out| out.write_all(b"x")).unwrap();
    fs::write(&theirs, "x").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&theirs));
}
