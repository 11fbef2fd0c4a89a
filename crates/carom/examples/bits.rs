//! One hash for each gallery scene and each of 200 random worlds: `cargo xtask matrix` compares
//! them across ways to build and run. With a folder as argument, the scenes are written there too,
//! for engines that are no program: those in a browser.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::{Frame, Options, Simulation};
use carom_trajectory::RunHash;
use std::error::Error;
use std::path::Path;

const STEPS: u64 = 60;
const WORLDS: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let kept = std::env::args_os().nth(1);
    let tell = |name: &str, text: &str| -> Result<(), Box<dyn Error>> {
        println!("{name} {}", hash_of(text)?);
        if let Some(folder) = &kept {
            std::fs::write(Path::new(folder).join(format!("{name}.xml")), text)?;
        }
        Ok(())
    };
    let folder = Path::new("scenes");
    let mut paths: Vec<_> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "xml")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tell(&name, &std::fs::read_to_string(path)?)?;
    }
    for seed in 0..WORLDS {
        tell(&format!("world-{seed}"), &world(seed))?;
    }
    Ok(())
}

fn hash_of(text: &str) -> Result<RunHash, Box<dyn Error>> {
    let scene = carom::read_scene(text)?;
    let mut simulation = Simulation::new(&scene, Options::default())?;
    let (mut frame, mut hash) = (Frame::default(), RunHash::default());
    for _ in 0..STEPS.min(simulation.planned_steps()) {
        if simulation.step().is_err() {
            break;
        }
        simulation.write_frame(&mut frame);
        hash = hash.with_frame(&frame);
    }
    Ok(hash)
}

/// Bodies that fall on a floor and on each other; kind and response by the seed.
fn world(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    let kind = KINDS[(seed % 4) as usize];
    let response = ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"]
        [(seed / 4 % 5) as usize];
    // Particles have no response of that name.
    let response =
        if kind == Kind::Particles && response == "impulse" { "continuous-time" } else { response };
    let rest = format!("COR=\"{}\" mu=\"{}\"/>", (seed % 3) as f64 / 2.0, next());
    let mut text = String::from("<scene><duration time=\"1\"/>");
    text += &match kind {
        Kind::Boxes3d => format!(
            "<simtype type=\"rigid-body-3d\"/><rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.0125\"/>\
             <rigidbody3dgravityforce fz=\"-9.81\"/><rigidbody3dcollisionhandling response=\"{response}\" {rest}\
             <rigidbody3dhalfspace nz=\"1\"/>"
        ),
        Kind::Discs | Kind::Polygons => format!(
            "<simtype type=\"rigid-body\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.0125\"/>\
             <rigidbodygravityforce fx=\"0\" fy=\"-9.81\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\" {rest}\
             <rigidbodydisc x=\"0\" y=\"-50\" radius=\"50\" m=\"1\" fixed=\"1\"/>"
        ),
        Kind::Particles => format!(
            "<integrator type=\"symplectic-euler\" dt=\"0.0125\"/><simplegravity fx=\"0\" fy=\"-9.81\"/>\
             <collision type=\"{response}\" {rest}<halfplane px=\"0\" py=\"0\" nx=\"0.1\" ny=\"1\"/>"
        ),
    };
    for k in 0..30 {
        let (x, y) = (6.0 * next() - 3.0, 0.5 + 4.0 * next());
        let (size, v) = (0.1 + 0.2 * next(), 6.0 * next() - 3.0);
        text += &match kind {
            Kind::Boxes3d => format!(
                "<rigidbody3dbox x=\"{x}\" z=\"{y}\" a=\"{size}\" b=\"{size}\" c=\"{size}\" m=\"1\" vx=\"{v}\" omegay=\"{v}\"/>"
            ),
            Kind::Discs => {
                format!("<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"{size}\" m=\"1\" vx=\"{v}\"/>")
            }
            Kind::Polygons => triangle(k, [x, y], size, v),
            Kind::Particles => format!(
                "<particle m=\"1\" px=\"{x}\" py=\"{y}\" vx=\"{v}\" vy=\"0\" fixed=\"0\" radius=\"{size}\"/>"
            ),
        };
    }
    text + "</scene>"
}

const KINDS: [Kind; 4] = [Kind::Discs, Kind::Boxes3d, Kind::Polygons, Kind::Particles];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Discs,
    Boxes3d,
    Polygons,
    Particles,
}

/// A rounded triangle that turns.
fn triangle(k: usize, [x, y]: [f64; 2], size: f64, v: f64) -> String {
    let corners = [[-1.0, -0.6], [1.0, -0.6], [0.0, 1.0]];
    let mut text = String::new();
    for [a, b] in corners {
        let (x, y) = (x + size * a, y + size * b);
        text += &format!("<rigidbodyvertex x=\"{x}\" y=\"{y}\" m=\"1\"/>");
    }
    let [a, b, c] = [3 * k, 3 * k + 1, 3 * k + 2];
    text + &format!("<rigidbody p=\"{a}\" p=\"{b}\" p=\"{c}\" vx=\"{v}\" vy=\"0\" omega=\"{v}\" r=\"0.02\"/>")
}
