//! Contact problems of the field, solved by Carom and by Siconos on the same machine.
//!
//! `cargo bench -p carom-bench --bench siconos -- [--seconds LIMIT] PROBLEM.npz...`
//!
//! Siconos (Debian: libsiconos-numerics-dev) is compiled in with `cc`; without it, or without
//! problems, the benchmark prints that and ends. Each problem is given to several of its solvers;
//! the fastest one that solves counts. Carom's certificate judges all of them alike: the natural
//! map over |q|, or Carom's residual, at most 1e-10. Times are of the solvers alone, without files.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark for people at a terminal")]

use carom::contact_problem::read_problem;
use carom::coulomb::{Certificate, Cone, Problem, Settings, Solver};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What counts as solved.
const TOLERANCE: f64 = 1e-10;
/// Solvers of Siconos (Friction_cst.h): in 2D Gauss–Seidel and Lemke; in 3D Gauss–Seidel,
/// Newton after Alart and Curnier, the proximal point method and ADMM.
const PLANAR: [(u32, &str); 2] = [(400, "NSGS"), (404, "Lemke")];
const SPATIAL: [(u32, &str); 4] = [(500, "NSGS"), (504, "NSN_AC"), (502, "PROX"), (523, "ADMM")];

fn main() {
    let mut seconds = 20;
    let mut problems: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = arguments.next() {
        if word == "--seconds" {
            seconds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(seconds);
        } else {
            problems.push(word.into());
        }
    }
    if problems.is_empty() {
        println!(
            "siconos: no problems given; skipped (cargo bench -p carom-bench --bench siconos -- PROBLEM.npz...)"
        );
        return;
    }
    let folder = std::env::temp_dir().join(format!("carom-siconos-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    match compile(&folder) {
        Some(program) => compare(&program, &folder, &problems, Duration::from_secs(seconds)),
        None => println!("siconos: Siconos is not installed (Debian: libsiconos-numerics-dev); skipped"),
    }
    let _the_system_cleans_up_too = std::fs::remove_dir_all(&folder);
}

fn compile(folder: &Path) -> Option<PathBuf> {
    let program = folder.join("siconos");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/siconos/siconos.c");
    let mut compiler = Command::new("cc");
    compiler.arg("-O2").arg("-I/usr/include/siconos").arg("-I/usr/include/siconos/numerics");
    compiler.arg("-I/usr/include/siconos/externals").arg(source).arg("-o").arg(&program);
    compiler.args(["-lsiconos_numerics", "-lsiconos_externals"]).stderr(Stdio::null());
    compiler.status().is_ok_and(|status| status.success()).then_some(program)
}

#[derive(Default)]
struct Sums {
    carom_solved: u32,
    siconos_solved: u32,
    carom_seconds: f64,
    siconos_seconds: f64,
    both: u32,
}

fn compare(program: &Path, folder: &Path, problems: &[PathBuf], limit: Duration) {
    println!(
        "{:42} {:>9} {:>12} {:>9} {:>12} {:>9}  by",
        "problem", "contacts", "Carom s", "error", "Siconos s", "error"
    );
    let mut sums = Sums::default();
    for path in problems {
        let problem = match read_problem(path) {
            Ok(problem) => problem,
            Err(error) => {
                println!("{}: {error}", path.display());
                continue;
            }
        };
        let mut r = vec![0.0; problem.rows()];
        let start = Instant::now();
        let answer = Solver::new(Settings::default()).solve(&problem, &mut r);
        let carom_time = start.elapsed().as_secs_f64();
        let carom_error = error(&answer.certificate);
        let siconos = best_of_siconos(program, folder, &problem, limit);
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (time, siconos_error, by) = siconos.unwrap_or((f64::NAN, f64::NAN, "none"));
        println!(
            "{name:42} {:9} {carom_time:12.6} {carom_error:9.1e} {time:12.6} {siconos_error:9.1e}  {by}",
            problem.len()
        );
        let (a, b) = (carom_error <= TOLERANCE, siconos_error <= TOLERANCE);
        sums.carom_solved += u32::from(a);
        sums.siconos_solved += u32::from(b);
        if a && b {
            sums.both += 1;
            sums.carom_seconds += carom_time;
            sums.siconos_seconds += time;
        }
    }
    println!(
        "solved of {}: Carom {}, Siconos {} (best of its solvers, {} s each); the {} that both solve: Carom {:.3} s, Siconos {:.3} s",
        problems.len(),
        sums.carom_solved,
        sums.siconos_solved,
        limit.as_secs(),
        sums.both,
        sums.carom_seconds,
        sums.siconos_seconds
    );
}

fn error(certificate: &Certificate) -> f64 {
    certificate.natural_map.min(certificate.residual)
}

/// Time, error and name of the fastest solver that solves; else those of the best error.
fn best_of_siconos(
    program: &Path,
    folder: &Path,
    problem: &Problem,
    limit: Duration,
) -> Option<(f64, f64, &'static str)> {
    let (input, output) = (folder.join("problem"), folder.join("impulses"));
    let dim = problem.cones().first()?.dim();
    std::fs::write(&input, bytes(problem, dim)).ok()?;
    let solvers: &[(u32, &'static str)] = if dim == 2 { &PLANAR } else { &SPATIAL };
    let mut best: Option<(f64, f64, &'static str)> = None;
    for &(id, name) in solvers {
        let _none_before_the_first = std::fs::remove_file(&output);
        // A hundredth of the tolerance: its own measure stops a little early on some problems.
        let Some(time) = run(program, id, TOLERANCE * 0.1, (&input, &output), limit) else { continue };
        let Ok(bytes) = std::fs::read(&output) else { continue };
        let (chunks, _) = bytes.as_chunks::<8>();
        let r: Vec<f64> = chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
        if r.len() != problem.rows() {
            continue;
        }
        let mut u = vec![0.0; r.len()];
        let error = error(&problem.certify(&r, &mut u));
        let better = match best {
            None => true,
            Some((t, e, _)) if e <= TOLERANCE => error <= TOLERANCE && time < t,
            Some((_, e, _)) => error < e,
        };
        if better {
            best = Some((time, error, name));
        }
    }
    best
}

fn run(
    program: &Path,
    id: u32,
    tolerance: f64,
    (input, output): (&Path, &Path),
    limit: Duration,
) -> Option<f64> {
    let mut command = Command::new(program);
    command.arg(id.to_string()).arg(format!("{tolerance:e}")).arg(input).arg(output);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(_)) => break,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _it_may_have_ended = child.kill();
                let _no_zombie = child.wait();
                return None;
            }
        }
    }
    let text = child.wait_with_output().ok()?.stdout;
    let text = String::from_utf8_lossy(&text);
    text.lines().last()?.split_whitespace().next()?.parse().ok()
}

/// What siconos.c reads.
fn bytes(problem: &Problem, dim: usize) -> Vec<u8> {
    let entries: Vec<_> = problem.triplets().collect();
    let mut out = Vec::new();
    for number in [dim, problem.len(), entries.len()] {
        out.extend((number as i32).to_le_bytes());
    }
    for cone in problem.cones() {
        let mu = if let Cone::SecondOrder { mu, .. } = cone { *mu } else { 0.0 };
        out.extend(mu.to_le_bytes());
    }
    problem.q().iter().for_each(|q| out.extend(q.to_le_bytes()));
    entries.iter().for_each(|entry| out.extend((entry.0 as i32).to_le_bytes()));
    entries.iter().for_each(|entry| out.extend((entry.1 as i32).to_le_bytes()));
    entries.iter().for_each(|entry| out.extend(entry.2.to_le_bytes()));
    out
}
