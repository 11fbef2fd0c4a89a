//! Requests in, answers out. One session holds one engine.

use crate::engine::{Engine, OpenError};
use crate::grip::{Grip, Place, Push};
use crate::recorder::Recorder;
use crate::reply::Reply;
use crate::report::SceneReport;
use crate::request::{Action, Layers, Request};
use crate::{drawing, inspection, islands, validation, verdict};
use carom::watch::{self, Watch};
use carom::{Frame, Options, Simulation, StepStatus};
use carom_trajectory::RunHash;
use serde_json::{Value, json};

/// Largest scene text that a page may open, in bytes.
pub const MOST_TEXT_BYTES: usize = 32 << 20;
/// Most bodies that a page may open.
pub const MOST_BODIES: usize = 200_000;

/// A conversation with a page.
#[derive(Debug, Default)]
pub struct Session {
    engine: Option<Engine>,
    /// A file in the making; any other request but looking ends it.
    recorder: Option<Recorder>,
    /// Who may end its work inside a step.
    watch: Option<Watch>,
}

impl Session {
    /// A session without a scene.
    pub fn new() -> Session {
        Session::default()
    }

    /// A session whose work can be ended from outside, and is bounded. What it answers once it was
    /// ended is worth nothing.
    pub fn watched(watch: Watch) -> Session {
        Session { watch: Some(watch), ..Session::default() }
    }

    /// Answers one request. `out_of_time` is asked after every step and ends what takes too long;
    /// what is left can be asked for again. No request is a panic: one that cannot be understood or
    /// done is answered with `ok: false` and a `message`.
    pub fn handle(&mut self, request: &str, out_of_time: &mut dyn FnMut() -> bool) -> Vec<u8> {
        watch::during(self.watch.clone(), || self.answer(request, out_of_time))
    }

    fn answer(&mut self, request: &str, out_of_time: &mut dyn FnMut() -> bool) -> Vec<u8> {
        let mut reply = Reply::default();
        match serde_json::from_str::<Request>(request) {
            Ok(request) => {
                reply.set("id", request.id);
                match self.perform(request, &mut reply, out_of_time) {
                    Ok(()) => reply.set("ok", true),
                    Err(message) => {
                        reply.set("ok", false);
                        reply.set("message", message);
                    }
                }
            }
            Err(error) => {
                reply.set("ok", false);
                reply.set("message", format!("a request that cannot be read: {error}"));
            }
        }
        reply.into_bytes()
    }

    fn perform(
        &mut self,
        request: Request,
        reply: &mut Reply,
        out_of_time: &mut dyn FnMut() -> bool,
    ) -> Result<(), String> {
        let Request { action, layers, .. } = request;
        if !matches!(
            action,
            Action::Record { .. } | Action::Check { .. } | Action::Inspect { .. } | Action::Touches
        ) {
            self.recorder = None;
        }
        match action {
            Action::Check { text } => {
                check_size(&text)?;
                reply.set("report", SceneReport::of(&text).findings);
                return Ok(());
            }
            Action::Hash { text, steps } => {
                check_size(&text)?;
                reply.set("hash", hash_of_run(&text, steps, out_of_time)?);
                return Ok(());
            }
            Action::Validate { .. } if self.watch.is_some() => {
                return Err("cases are validated in the page itself, or by `carom validate`".to_owned());
            }
            Action::Validate { case } => return validation::validate(case.as_deref(), reply),
            Action::Open { text, response, integrator } => {
                // The old one goes first: two big scenes may not fit.
                self.engine = None;
                self.engine = Some(open(&text, response.as_deref(), integrator.as_deref(), reply)?);
            }
            Action::Advance { to } => self.engine()?.advance(to, out_of_time),
            Action::Seek { step } => self.engine()?.seek(step, out_of_time),
            Action::Hold { body, local, target } => {
                if !self.engine()?.hold(Grip { body, local, target }) {
                    return Err(format!("body {body} is fixed, or there is none: it cannot be held"));
                }
            }
            Action::Release => self.engine()?.release(),
            Action::Push { body, velocity, spin } => {
                if !self.engine()?.push(Push { body, velocity, spin }) {
                    return Err(format!("body {body} is fixed, or there is none: it cannot be pushed"));
                }
            }
            Action::Place { body, position, angle, velocity, spin, again } => {
                let place = Place { body, position, angle, velocity, spin };
                if !self.engine()?.place(place, again.unwrap_or(false)) {
                    return Err(format!("body {body} is fixed, or there is none: it cannot be placed"));
                }
            }
            Action::TakeBack => {
                if !self.engine()?.take_back() {
                    return Err("nothing was done by hand at this step".to_owned());
                }
            }
            Action::Touches => {
                let touches = serde_json::to_value(self.engine()?.touches());
                reply.set("touches", touches.map_err(|error| error.to_string())?);
                return Ok(());
            }
            Action::Repeat { touches } => {
                if !self.engine()?.repeat(&touches) {
                    return Err("what was done by hand does not fit this scene".to_owned());
                }
            }
            Action::Retune { text, response, integrator } => {
                check_size(&text)?;
                let retuned = self.engine()?.retune(&text, response.as_deref(), integrator.as_deref());
                retuned.map_err(|error| refusal(error, reply))?;
                describe(self.engine()?, reply);
            }
            Action::Record { format, to, every, name } => {
                let engine = self.engine.as_mut().ok_or("no scene is open")?;
                let wish = (format, to, every.unwrap_or(1).max(1));
                let recorder = match self.recorder.take() {
                    Some(recorder) if recorder.wish == wish => recorder,
                    _ => Recorder::start(engine, wish, name.as_deref().unwrap_or("scene.xml"))?,
                };
                match recorder.go_on(engine, out_of_time)? {
                    Ok(file) => reply.file(file),
                    Err(unfinished) => self.recorder = Some(unfinished),
                }
            }
            Action::Compare { text, file, course } => {
                check_size(&text)?;
                verdict::compare(&text, &file, course.unwrap_or(false), reply)?;
                return Ok(());
            }
            Action::Look => {}
            Action::Inspect { body } => {
                let found = inspection::of_body(self.engine()?, body);
                reply.set("inspection", found.ok_or_else(|| format!("there is no body {body}"))?);
                return Ok(());
            }
        }
        write_frame(self.engine()?, layers, reply);
        Ok(())
    }

    fn engine(&mut self) -> Result<&mut Engine, String> {
        self.engine.as_mut().ok_or_else(|| "no scene is open".to_owned())
    }
}

fn check_size(text: &str) -> Result<(), String> {
    if text.len() <= MOST_TEXT_BYTES {
        return Ok(());
    }
    let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
    Err(format!(
        "the scene has {} MiB; a page opens at most {} MiB. The program has no such limit: carom run",
        mebibytes(text.len()),
        mebibytes(MOST_TEXT_BYTES)
    ))
}

fn open(
    text: &str,
    response: Option<&str>,
    integrator: Option<&str>,
    reply: &mut Reply,
) -> Result<Engine, String> {
    check_size(text)?;
    let engine = Engine::open(text, response, integrator).map_err(|error| refusal(error, reply))?;
    describe(&engine, reply);
    Ok(engine)
}

/// Why a scene could not be opened, in a sentence; what is wrong with its text goes into the
/// answer.
fn refusal(error: OpenError, reply: &mut Reply) -> String {
    match error {
        OpenError::Refused(sentence) => sentence,
        OpenError::Findings(findings) => {
            let counted = || format!("the scene has {}", findings["summary"].as_str().unwrap_or("errors"));
            let sentence = findings["build_error"].as_str().map_or_else(counted, str::to_owned);
            reply.set("report", findings);
            sentence
        }
    }
}

/// What a page must know about a scene to show it.
fn describe(engine: &Engine, reply: &mut Reply) {
    let names = |variants: Vec<(&'static str, carom::Scene)>| -> Vec<&'static str> {
        variants.into_iter().map(|(name, _)| name).collect()
    };
    let scene = engine.scene();
    reply.set("drawing", drawing::describe(scene));
    reply.set("dt", engine.dt());
    reply.set("plannedSteps", engine.planned_steps());
    reply.set("response", scene.response_name());
    reply.set("integrator", scene.integrator_name());
    reply.set("responses", names(carom::methods::responses(scene)));
    reply.set("integrators", names(carom::methods::integrators(scene)));
    let knobs = scene.general.knobs.iter().map(|knob| {
        json!({ "label": knob.label, "target": knob.target.to_string(), "min": knob.min, "max": knob.max, "step": knob.step })
    });
    reply.set("knobs", knobs.collect::<Vec<_>>());
    let (masses, inertias) = engine.mass_properties();
    reply.array("masses", masses.iter().copied());
    reply.array("inertias", inertias.iter().copied());
}

fn write_frame(engine: &mut Engine, layers: Layers, reply: &mut Reply) {
    reply.set("struck", engine.take_struck());
    let frame = engine.frame();
    let (quantities, diagnostics) = (&frame.quantities, &frame.diagnostics);
    reply.set("step", frame.step);
    reply.set("time", frame.time);
    reply.set("since", engine.since());
    reply.set("failure", engine.failure());
    reply.set("quantities", quantities_json(quantities));
    let status = StepStatus::from_code(diagnostics.status);
    let words = (status != StepStatus::Solved).then(|| status.describe());
    let [before, after] = diagnostics.impact.kinetic();
    reply.set(
        "diagnostics",
        json!({
            "status": diagnostics.status, "words": words, "iterations": diagnostics.iterations,
            "residual": diagnostics.residual, "active": diagnostics.active_contacts, "contacts": frame.contacts.len(),
            "rows": diagnostics.contact_rows, "largestIsland": diagnostics.largest_island,
            "kineticBefore": before, "kineticAfter": after,
            "momentumChange": diagnostics.impact.momentum_change(),
            "angularMomentumChange": diagnostics.impact.angular_momentum_change(),
        }),
    );
    reply.array("positions", frame.positions.iter().copied());
    if layers.velocities {
        reply.array("velocities", frame.velocities.iter().copied());
    }
    if layers.contacts {
        reply.array(
            "contacts",
            frame.contacts.iter().flat_map(|contact| {
                let [px, py, pz] = contact.point;
                let [nx, ny, nz] = contact.normal;
                let [fx, fy, fz] = contact.friction;
                let [kind, first, second] =
                    [contact.kind.code(), contact.first, contact.second].map(f64::from);
                let place = [kind, first, second, px, py, pz, nx, ny, nz, contact.time];
                place.into_iter().chain([contact.impulse, fx, fy, fz, contact.gap])
            }),
        );
    }
    if layers.islands {
        let islands = islands::of(engine.scene(), frame).into_iter();
        reply.array("islands", islands.map(|island| island.map_or(-1.0, |island| island as f64)));
    }
}

fn quantities_json(quantities: &carom_trajectory::Quantities) -> Value {
    json!({
        "kinetic": quantities.kinetic, "potential": quantities.potential, "momentum": quantities.momentum,
        "angularMomentum": quantities.angular_momentum, "penetration": quantities.deepest_penetration,
    })
}

/// The hash that `scenes/hashes.txt` pins: over the frames of all steps after the start.
fn hash_of_run(text: &str, steps: u64, out_of_time: &mut dyn FnMut() -> bool) -> Result<String, String> {
    let scene = carom::read_scene(text).map_err(|error| error.to_string())?;
    let mut simulation = Simulation::new(&scene, Options::default()).map_err(|error| error.to_string())?;
    let (mut frame, mut hash) = (Frame::default(), RunHash::default());
    for _ in 0..steps.min(simulation.planned_steps()) {
        simulation.step().map_err(|failure| failure.to_string())?;
        simulation.write_frame(&mut frame);
        hash = hash.with_frame(&frame);
        if out_of_time() {
            return Err(format!("time ran out at step {} of the hash", frame.step));
        }
    }
    Ok(hash.to_string())
}
