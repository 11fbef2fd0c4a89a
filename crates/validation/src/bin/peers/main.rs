//! Rapier under the cases of `carom validate --peers`: a question a line on standard input, an
//! answer a line on standard output.
//!
//! The first line names the engines. A question is a scene in plain numbers (`carom-cli`'s
//! `validate/peers.rs` writes it), an answer `{"frames": …}`, `{"cannot": …}` or `{"error": …}`.
#![allow(clippy::print_stdout, reason = "a program that answers another one")]

mod planar;
mod spatial;

use serde_json::{Value, json};
use std::io::{BufRead, Write};

const DEFAULTS: &str = "its defaults but for dt: 4 solver iterations, allowed penetration 0.005 m, contacts predicted within 0.02 m, at most 400 m/s, no continuous detection; sleeping off";

/// A body of a scene.
pub(crate) struct Body {
    pub(crate) shape: String,
    pub(crate) half: [f64; 2],
    pub(crate) at: [f64; 2],
    pub(crate) angle: f64,
    pub(crate) velocity: [f64; 2],
    pub(crate) spin: f64,
    pub(crate) mass: f64,
    pub(crate) fixed: bool,
    pub(crate) driven: bool,
}

/// A scene: what is said beside its bodies, and they.
pub(crate) struct Scene {
    pub(crate) gravity: [f64; 2],
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) dt: f64,
    pub(crate) steps: u64,
    pub(crate) bodies: Vec<Body>,
}

/// x, height, angle and their rates, of every body of every frame.
pub(crate) type Frames = Vec<Vec<[f64; 6]>>;

fn main() -> std::io::Result<()> {
    let names = ["rapier2d-f64 0.36", "rapier3d-f64 0.36"];
    let engine = |k: usize, kind: &str| json!({ "name": names[k], "kind": kind, "defaults": DEFAULTS });
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", json!({ "peers": [engine(0, "planar"), engine(1, "spatial")] }))?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let answer =
            match serde_json::from_str::<Value>(&line?).ok().and_then(|question| answer(&question, names)) {
                Some(frames) => json!({ "frames": frames }),
                None => json!({ "error": "a question that cannot be read" }),
            };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(question: &Value, [planar, _]: [&str; 2]) -> Option<Frames> {
    let scene = scene(question)?;
    Some(if question["peer"] == planar { planar::run(&scene) } else { spatial::run(&scene) })
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    Some([value[0].as_f64()?, value[1].as_f64()?])
}

fn scene(question: &Value) -> Option<Scene> {
    let body = |value: &Value| {
        Some(Body {
            shape: value["shape"].as_str()?.to_owned(),
            half: pair(&value["half"])?,
            at: pair(&value["at"])?,
            angle: value["angle"].as_f64()?,
            velocity: pair(&value["velocity"])?,
            spin: value["spin"].as_f64()?,
            mass: value["mass"].as_f64()?,
            fixed: value["fixed"].as_bool()?,
            driven: value["driven"].as_bool()?,
        })
    };
    Some(Scene {
        gravity: pair(&question["gravity"])?,
        restitution: question["restitution"].as_f64()?,
        friction: question["friction"].as_f64()?,
        dt: question["dt"].as_f64()?,
        steps: question["steps"].as_u64()?,
        bodies: question["bodies"].as_array()?.iter().map(body).collect::<Option<_>>()?,
    })
}
