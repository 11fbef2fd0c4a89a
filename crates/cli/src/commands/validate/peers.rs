//! Other engines under the same cases. They are no part of this program: Rapier is asked through
//! `carom-peers` (`cargo install --path crates/validation --features peers`), engines with Python
//! interfaces through `python3`.

use anyhow::{Context, Result, bail};
use carom_validation::scenes::{Body, Kind, Setting, Shape};
use carom_validation::{Case, Peer, Sheet};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

const SCRIPT: &str = include_str!("peers.py");

/// A program that runs scenes in other engines: a question a line, an answer a line.
struct Helper {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Helper {
    fn start(mut command: Command) -> Result<(Helper, Value)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("no pipes");
        };
        let mut helper = Helper { child, questions, answers: BufReader::new(answers) };
        let names = helper.answer()?;
        Ok((helper, names))
    }

    fn answer(&mut self) -> Result<Value> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line).context("no answer")?;
        anyhow::ensure!(read > 0, "the helper ended");
        Ok(serde_json::from_str(&line)?)
    }

    fn ask(&mut self, question: &Value) -> Result<Value> {
        writeln!(self.questions, "{question}")?;
        self.questions.flush()?;
        self.answer()
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// One engine behind a helper.
struct Engine {
    name: String,
    kind: Kind,
    helper: Rc<RefCell<Helper>>,
}

impl Peer for Engine {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn run(&self, setting: &Setting, bodies: &[Body]) -> Result<Option<Vec<Vec<[f64; 6]>>>, String> {
        let steps = (setting.duration / setting.dt).round() as u64;
        let question = json!({
            "peer": self.name, "gravity": setting.gravity, "restitution": setting.restitution,
            "friction": setting.friction, "dt": setting.dt, "steps": steps,
            "bodies": bodies.iter().map(body).collect::<Vec<_>>(),
        });
        let answer = self.helper.borrow_mut().ask(&question).map_err(|error| error.to_string())?;
        if let Some(error) = answer["error"].as_str() {
            return Err(error.to_owned());
        }
        if answer["cannot"].is_string() {
            return Ok(None);
        }
        serde_json::from_value(answer["frames"].clone()).map(Some).map_err(|error| error.to_string())
    }
}

fn body(body: &Body) -> Value {
    let (shape, half) = match body.shape {
        Shape::Ball(radius) => ("ball", [radius; 2]),
        Shape::Box(half) => ("box", half),
        Shape::Bar(half) => ("bar", half),
        Shape::Wall(normal) | Shape::HalfPlane(normal) => ("wall", normal),
    };
    json!({
        "shape": shape, "half": half, "at": body.at, "angle": body.turn.angle, "velocity": body.velocity,
        "spin": body.spin, "mass": body.mass, "fixed": body.fixed, "driven": body.driven,
    })
}

/// What one engine found in all cases.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) defaults: String,
    /// Of every case, in order; without numbers where it cannot be asked.
    pub(super) sheets: Vec<Sheet>,
}

/// Asks every engine that is found. Gives the columns, and what was not found.
pub(super) fn ask(cases: &[Case]) -> (Vec<Column>, Vec<String>) {
    let named = |name: &str, usual: &str| std::env::var_os(name).unwrap_or_else(|| usual.into());
    let rapier = Command::new(named("CAROM_PEERS", "carom-peers"));
    let mut python = Command::new(named("CAROM_PYTHON", "python3"));
    python.args(["-c", SCRIPT]);
    let (mut columns, mut missing) = (Vec::new(), Vec::new());
    let hint = "Rapier: no `carom-peers`; cargo install --path crates/validation --features peers";
    for (command, hint) in [(rapier, hint), (python, "Python: no `python3`")] {
        let Ok((helper, names)) = Helper::start(command) else {
            missing.push(hint.to_owned());
            continue;
        };
        let helper = Rc::new(RefCell::new(helper));
        let found = names["peers"].as_array().cloned().unwrap_or_default();
        for wanted in if hint.starts_with("Python") { &["pymunk", "Box2D", "MuJoCo"][..] } else { &[] } {
            if !found.iter().any(|peer| peer["name"].as_str().is_some_and(|name| name.starts_with(wanted))) {
                missing.push(format!("{wanted}: Python does not find it"));
            }
        }
        for peer in found {
            let kind = if peer["kind"] == "spatial" { Kind::Spatial } else { Kind::Planar };
            let text = |key: &str| peer[key].as_str().unwrap_or_default().to_owned();
            let engine: Rc<dyn Peer> =
                Rc::new(Engine { name: text("name"), kind, helper: Rc::clone(&helper) });
            let sheets = cases.iter().map(|case| case.run_by(Rc::clone(&engine))).collect();
            columns.push(Column { name: text("name"), defaults: text("defaults"), sheets });
        }
    }
    (columns, missing)
}
