//! `carom solve`: contact problems from files.

use assert_cmd::Command;
use carom::contact_problem::{read_problem, write_problem};
use carom::coulomb::{Cone, Problem};
use carom_trajectory::arrays::{Array, Arrays, Numbers, read_arrays, write_arrays};
use std::path::Path;

fn carom(arguments: &[&str], folder: &Path) -> std::process::Output {
    Command::cargo_bin("carom").unwrap().args(arguments).current_dir(folder).output().unwrap()
}

fn sliding() -> Problem {
    let w = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)];
    Problem::from_delassus(vec![Cone::SecondOrder { dim: 3, mu: 0.5 }], &w, vec![-1.0, 3.0, 4.0]).unwrap()
}

#[test]
fn a_problem_is_solved_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let problem = folder.path().join("p.npz");
    write_problem(&problem, &sliding()).unwrap();
    assert_eq!(read_problem(&problem).unwrap(), sliding());
    let output = carom(&["solve", "p.npz", "-o", "s.npz", "--json"], folder.path());
    assert!(output.status.success());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["status"], "solved");
    assert!(report["residual"].as_f64().unwrap() <= 1e-10);
    let solution = read_arrays(&folder.path().join("s.npz")).unwrap();
    let Numbers::Float(r) = &solution["r"].numbers else { panic!("impulses are numbers") };
    for (r, expected) in r.iter().zip([1.0, -0.3, -0.4]) {
        assert!((r - expected).abs() < 1e-13);
    }
    assert!(solution.contains_key("u"));
}

#[test]
fn a_global_problem_has_the_same_answer() {
    // A mass of 2 with momentum (−2, 6, 8): W = I/2, q = (−1, 3, 4).
    let folder = tempfile::tempdir().unwrap();
    let mut arrays = Arrays::new();
    let diagonal = || Array::whole_vector(vec![0, 1, 2]);
    for (name, value) in [("M", 2.0), ("H", 1.0)] {
        arrays.insert(format!("{name}_row"), diagonal());
        arrays.insert(format!("{name}_col"), diagonal());
        arrays.insert(name.into(), Array::vector(vec![value; 3]));
    }
    arrays.insert("H_shape".into(), Array::whole_vector(vec![3, 3]));
    arrays.insert("f".into(), Array::vector(vec![-2.0, 6.0, 8.0]));
    arrays.insert("w".into(), Array::vector(vec![0.0; 3]));
    arrays.insert("mu".into(), Array::vector(vec![0.5]));
    arrays.insert("dim".into(), Array::whole(3));
    let path = folder.path().join("g.npz");
    write_arrays(&path, &arrays).unwrap();
    let problem = read_problem(&path).unwrap();
    assert_eq!(problem.q(), [-1.0, 3.0, 4.0]);
    assert!(carom(&["solve", "g.npz", "-o", "s.npz"], folder.path()).status.success());
    let solution = read_arrays(&folder.path().join("s.npz")).unwrap();
    let Numbers::Float(r) = &solution["r"].numbers else { panic!("impulses are numbers") };
    assert!((r[0] - 2.0).abs() < 1e-13 && (r[1] + 0.6).abs() < 1e-13);
}

#[test]
fn infeasible_problems_end_with_a_proof_and_no_solution() {
    let folder = tempfile::tempdir().unwrap();
    let mut w = Vec::new();
    for k in 0..2 {
        w.extend([(k, k, 1.0), (2 + k, 2 + k, 1.0), (k, 2 + k, -1.0), (2 + k, k, -1.0)]);
    }
    let cones = vec![Cone::SecondOrder { dim: 2, mu: 0.5 }; 2];
    let jammed = Problem::from_delassus(cones, &w, vec![-1.0, 0.0, -1.0, 0.0]).unwrap();
    write_problem(&folder.path().join("p.npz"), &jammed).unwrap();
    let output = carom(&["solve", "p.npz", "-o", "s.npz", "--json"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["status"], "infeasible");
    assert!(report["proof"]["margin"].as_f64().unwrap() > 1.0);
    assert!(!folder.path().join("s.npz").exists());
}

#[test]
fn files_that_are_no_problem_give_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("text.npz", b"not a zip");
    write("empty.npz", b"");
    let mut arrays = Arrays::new();
    arrays.insert("dim".into(), Array::whole(7));
    write_arrays(&folder.path().join("dim.npz"), &arrays).unwrap();
    arrays.insert("dim".into(), Array::whole(2));
    write_arrays(&folder.path().join("mu.npz"), &arrays).unwrap();
    for (file, words) in [
        ("text.npz", "npz"),
        ("empty.npz", "npz"),
        ("dim.npz", "2 or 3"),
        ("mu.npz", "no array mu"),
        ("none.npz", "read"),
    ] {
        let output = carom(&["solve", file], folder.path());
        assert_eq!(output.status.code(), Some(2), "{file}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(words) && !error.contains("panicked"), "{file}: {error}");
    }
}
