//! A simulation with a past that can be gone back to, and with bodies that can be held and pushed.

use crate::grip::{Grip, Place, Push, Touch};
use crate::history::History;
use crate::motion::Motion;
use crate::report::Report;
use carom::{Frame, Options, Scene, Simulation};
use carom_trajectory::Family;
use serde_json::Value;

/// A scene in motion, with its past.
#[derive(Debug)]
pub struct Engine {
    scene: Scene,
    simulation: Simulation,
    /// The present moment, once it is fresh.
    frame: Frame,
    /// Whether the frame is that of the simulation: steps that nobody looks at have none.
    fresh: bool,
    scratch: Frame,
    history: History,
    grip: Option<Grip>,
    /// Why the run cannot go on from where it is.
    failure: Option<String>,
    free: Vec<bool>,
    masses: (Vec<f64>, Vec<f64>),
    /// Contacts that pushed in the last step, and the first step since the last answer in which more did than before.
    active: u32,
    struck: Option<u64>,
}

/// Why a scene could not be opened.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenError {
    /// The text has errors; these are all of them.
    Findings(Value),
    /// One sentence about what cannot be done.
    Refused(String),
}

impl Engine {
    /// Opens a scene, under another response or integrator than its own where one is named.
    pub fn open(text: &str, response: Option<&str>, integrator: Option<&str>) -> Result<Engine, OpenError> {
        let report = Report::of(text);
        let Some(mut scene) = report.scene else { return Err(OpenError::Findings(report.findings)) };
        if let Some(name) = response {
            scene = chosen(carom::methods::responses(&scene), "response", name)?;
        }
        if let Some(name) = integrator {
            scene = chosen(carom::methods::integrators(&scene), "integrator", name)?;
        }
        Engine::new(scene)
    }

    /// An engine at the start of a scene.
    pub fn new(scene: Scene) -> Result<Engine, OpenError> {
        let simulation = Simulation::new(&scene, Options::default())
            .map_err(|error| OpenError::Refused(error.to_string()))?;
        let frame = simulation.frame();
        Ok(Engine {
            history: History::new(&frame, simulation.body_count()),
            free: scene.movable(),
            masses: simulation.mass_properties(),
            fresh: true,
            scratch: Frame::default(),
            grip: None,
            failure: None,
            active: 0,
            struck: None,
            scene,
            simulation,
            frame,
        })
    }

    /// Steps until a step is reached or time is out; at least one step is tried. A step that could not be taken ends the run here, and
    /// [`Engine::failure`] says why.
    pub fn advance(&mut self, to: u64, out_of_time: &mut dyn FnMut() -> bool) {
        while self.simulation.step_count() < to && self.failure.is_none() {
            if let Err(failure) = self.step() {
                self.failure = Some(failure);
            }
            if out_of_time() {
                break;
            }
        }
        self.refresh();
    }

    /// Goes to an earlier or later step, as near as time allows: to the last kept moment before it and on from there.
    pub fn seek(&mut self, step: u64, out_of_time: &mut dyn FnMut() -> bool) {
        let here = self.simulation.step_count();
        let step = step.max(self.history.since());
        let kept = self.history.before(step);
        if let Some(kept) = kept.filter(|kept| here > step || kept.step > here) {
            self.frame.clone_from(kept);
            self.fresh = true;
            self.failure = self.simulation.restore(&self.frame).err().map(|error| error.to_string());
            self.apply_noted_touches();
        }
        if self.simulation.step_count() < step {
            self.advance(step, out_of_time);
        }
    }

    /// Takes hold of a body, or moves what is held; says whether the body can be held.
    pub fn hold(&mut self, grip: Grip) -> bool {
        let numbers = grip.local.iter().chain(&grip.target);
        let can = self.free.get(grip.body).copied().unwrap_or(false) && numbers.copied().all(f64::is_finite);
        self.grip = can.then_some(grip);
        can
    }

    /// Lets go of what is held: it flies on as it was.
    pub fn release(&mut self) {
        self.grip = None;
    }

    /// Changes the velocities of a body now; says whether that could be done.
    pub fn push(&mut self, push: Push) -> bool {
        if !push.is_finite() || !self.free.get(push.body).copied().unwrap_or(false) {
            return false;
        }
        self.do_by_hand(Touch::Push(push));
        true
    }

    /// Puts a body somewhere now; says whether that could be done.
    pub fn place(&mut self, place: Place) -> bool {
        if !place.is_finite() || !self.free.get(place.body).copied().unwrap_or(false) {
            return false;
        }
        self.do_by_hand(Touch::Place(place));
        true
    }

    /// Takes back the last thing that a hand did at this step; says whether there was one.
    pub fn take_back(&mut self) -> bool {
        let here = self.simulation.step_count();
        if !self.history.take_back(here) {
            return false;
        }
        // The kept frame of this step, or the last one before it: frames are from before hands.
        let Some(kept) = self.history.before(here) else { return false };
        self.frame.clone_from(kept);
        self.fresh = true;
        self.failure = self.simulation.restore(&self.frame).err().map(|error| error.to_string());
        self.apply_noted_touches();
        self.advance(here, &mut || false);
        true
    }

    /// The same bodies from where they are, under another text: its numbers and methods hold from now on. What was before this moment
    /// cannot be gone back to.
    pub fn retune(
        &mut self,
        text: &str,
        response: Option<&str>,
        integrator: Option<&str>,
    ) -> Result<(), OpenError> {
        self.refresh();
        let mut next = Engine::open(text, response, integrator)?;
        if next.family() != self.family() || next.body_count() != self.body_count() {
            let sentence = "the other text has other bodies: it can only be run from its start";
            return Err(OpenError::Refused(sentence.to_owned()));
        }
        let mut frame = self.frame.clone();
        // Another dt counts the same time in other steps.
        frame.step = (frame.time / next.dt()).round().max(0.0) as u64;
        frame.time = frame.step as f64 * next.dt();
        frame.memory.clear();
        next.simulation.restore(&frame).map_err(|error| OpenError::Refused(error.to_string()))?;
        next.simulation.write_frame(&mut next.frame);
        next.history = History::new(&next.frame, next.body_count());
        next.grip = self.grip;
        *self = next;
        Ok(())
    }

    /// The first step that can be gone back to.
    pub fn since(&self) -> u64 {
        self.history.since()
    }

    fn do_by_hand(&mut self, touch: Touch) {
        // A frame that hands did not touch is what going back starts from.
        if self.history.before(self.simulation.step_count()).is_none() {
            self.refresh();
            self.history.keep(&self.frame);
        }
        self.apply(touch);
        self.history.note(self.simulation.step_count(), touch);
        self.failure = None;
    }

    /// The first step since this was last asked in which more contacts pushed than in the step before: an impact.
    pub fn take_struck(&mut self) -> Option<u64> {
        self.struck.take()
    }

    /// The present moment.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Why the run cannot go on.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The scene, with the methods that were chosen.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The kind of system.
    pub fn family(&self) -> Family {
        self.simulation.family()
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.free.len()
    }

    /// Length of a step in seconds.
    pub fn dt(&self) -> f64 {
        self.simulation.dt()
    }

    /// Steps that the scene's duration asks for.
    pub fn planned_steps(&self) -> u64 {
        self.simulation.planned_steps()
    }

    /// The simulation, for who records it.
    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Masses, and moments of inertia where bodies have them.
    pub fn mass_properties(&self) -> (&[f64], &[f64]) {
        (&self.masses.0, &self.masses.1)
    }

    fn step(&mut self) -> Result<(), String> {
        if let Some(grip) = self.grip {
            self.refresh();
            let family = self.family();
            if let Some(motion) = Motion::of(family, &self.frame, grip.body) {
                let (masses, inertias) = &self.masses;
                let mass = masses.get(grip.body).copied().unwrap_or(1.0);
                let inertia =
                    if inertias.len() == masses.len() { inertias.get(grip.body).copied() } else { None };
                self.push(grip.push(&motion, mass, inertia, self.simulation.dt()));
            }
        }
        self.simulation.step().map_err(|failure| failure.to_string())?;
        self.fresh = false;
        let step = self.simulation.step_count();
        let active = self.simulation.diagnostics().active_contacts;
        if active > self.active {
            self.struck.get_or_insert(step);
        }
        self.active = active;
        if self.history.wants(step) {
            self.refresh();
            self.history.keep(&self.frame);
        }
        self.apply_noted_touches();
        Ok(())
    }

    /// Brings the frame up to the simulation.
    fn refresh(&mut self) {
        if !self.fresh {
            self.simulation.write_frame(&mut self.frame);
            self.fresh = true;
        }
    }

    /// Does again what was done to the bodies at this step: kept frames are from before it.
    fn apply_noted_touches(&mut self) {
        for touch in self.history.touches(self.simulation.step_count()).to_vec() {
            self.apply(touch);
        }
    }

    fn apply(&mut self, touch: Touch) {
        self.refresh();
        let family = self.family();
        match touch {
            Touch::Push(push) => {
                Motion::add(family, &mut self.frame, push.body, push.velocity, push.spin);
            }
            Touch::Place(place) => Motion::set(family, &mut self.frame, &place),
        }
        if let Err(error) = self.simulation.restore(&self.frame) {
            self.failure = Some(error.to_string());
        }
        // What touched in the step that led here is still what touched; energy and momentum are others.
        self.simulation.write_frame(&mut self.scratch);
        let overlap = self.frame.quantities.deepest_penetration;
        self.frame.quantities.clone_from(&self.scratch.quantities);
        self.frame.quantities.deepest_penetration = overlap;
        self.frame.memory.clone_from(&self.scratch.memory);
    }
}

fn chosen(variants: Vec<(&'static str, Scene)>, what: &str, name: &str) -> Result<Scene, OpenError> {
    let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
    let found = variants.iter().position(|(known, _)| *known == name);
    match found {
        Some(place) => {
            Ok(variants.into_iter().nth(place).map(|(_, scene)| scene).expect("it was found there"))
        }
        None => Err(OpenError::Refused(format!(
            "there is no {what} `{name}` for this scene; there are {}",
            names.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: fn() -> bool = || false;

    fn gallery(name: &str) -> String {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        std::fs::read_to_string(folder.join(format!("{name}.xml"))).unwrap()
    }

    fn open(name: &str) -> Engine {
        Engine::open(&gallery(name), None, None).unwrap()
    }

    #[test]
    fn going_back_and_on_again_gives_the_same_bits() {
        for name in ["break-discs", "pyramid", "net", "carom"] {
            let mut engine = open(name);
            engine.advance(60, &mut NEVER.clone());
            let there = engine.frame().clone();
            for detour in [0, 37, 59] {
                engine.seek(detour, &mut NEVER.clone());
                assert_eq!(engine.frame().step, detour);
                engine.seek(60, &mut NEVER.clone());
                assert_eq!(engine.frame(), &there, "{name} by way of {detour}");
            }
        }
    }

    #[test]
    fn what_was_done_by_hand_is_done_again() {
        let mut engine = open("break-discs");
        engine.advance(10, &mut NEVER.clone());
        assert!(engine.push(Push { body: 6, velocity: [0.0, 3.0, 0.0], spin: [0.0, 0.0, 1.0] }));
        engine.advance(20, &mut NEVER.clone());
        assert!(engine.hold(Grip { body: 8, local: [0.1, 0.0, 0.0], target: [-1.0, 1.0, 0.0] }));
        engine.advance(45, &mut NEVER.clone());
        engine.release();
        engine.advance(60, &mut NEVER.clone());
        let there = engine.frame().clone();
        assert!(there.velocities[3 * 8].abs() > 0.1, "the hand moved it");
        for detour in [0, 10, 33, 50] {
            engine.seek(detour, &mut NEVER.clone());
            engine.seek(60, &mut NEVER.clone());
            assert_eq!(engine.frame(), &there, "by way of {detour}");
        }
        // A push in the past makes another future.
        engine.seek(30, &mut NEVER.clone());
        assert!(engine.push(Push { body: 6, velocity: [5.0, 0.0, 0.0], spin: [0.0; 3] }));
        engine.seek(60, &mut NEVER.clone());
        assert_ne!(engine.frame().positions, there.positions);
    }

    #[test]
    fn a_body_is_placed_taken_back_and_placed_again_when_gone_back_to() {
        let mut engine = open("break-discs");
        engine.advance(7, &mut NEVER.clone());
        let before = engine.frame().clone();
        let place = Place { body: 6, position: Some([-1.2, 0.4, 0.0]), angle: Some(0.5), ..Place::default() };
        assert!(engine.place(place));
        assert_eq!(engine.frame().positions[18..21], [-1.2, 0.4, 0.5]);
        assert!(engine.place(Place { body: 6, velocity: Some([0.0, 2.0, 0.0]), ..Place::default() }));
        assert!(engine.take_back());
        assert_eq!(engine.frame().positions[18..21], [-1.2, 0.4, 0.5]);
        assert_eq!(engine.frame().velocities, before.velocities);
        engine.advance(30, &mut NEVER.clone());
        let there = engine.frame().clone();
        engine.seek(0, &mut NEVER.clone());
        engine.seek(30, &mut NEVER.clone());
        assert_eq!(engine.frame(), &there);
        engine.seek(7, &mut NEVER.clone());
        assert!(engine.take_back() && !engine.take_back());
        assert_eq!(engine.frame().positions, before.positions);
        assert!(!engine.place(Place { body: 0, ..place }), "a cushion is fixed");
        assert!(!engine.place(Place { angle: Some(f64::NAN), ..place }));
    }

    #[test]
    fn numbers_are_turned_while_the_bodies_move() {
        let text = gallery("break");
        let mut engine = Engine::open(&text, None, None).unwrap();
        engine.advance(100, &mut NEVER.clone());
        let before = engine.frame().clone();
        let other = text.replace("COR=\"0.96\"", "COR=\"0\"").replace("dt=\"0.002\"", "dt=\"0.001\"");
        assert_ne!(other, text);
        engine.retune(&other, None, None).unwrap();
        assert_eq!((engine.frame().step, engine.since()), (200, 200), "the same time in shorter steps");
        assert_eq!(engine.frame().time, before.time);
        assert_eq!(engine.frame().positions, before.positions);
        engine.seek(3, &mut NEVER.clone());
        assert_eq!(engine.frame().step, 200, "what was before is another run");
        engine.advance(400, &mut NEVER.clone());
        let there = engine.frame().clone();
        engine.seek(250, &mut NEVER.clone());
        engine.seek(400, &mut NEVER.clone());
        assert_eq!(engine.frame(), &there);
        assert!(engine.retune(&gallery("net"), None, None).is_err(), "other bodies");
        assert_eq!(engine.frame(), &there, "and nothing happened");
    }

    #[test]
    fn a_held_body_comes_to_the_pointer_and_fixed_ones_stay() {
        let mut engine = open("break-discs");
        let target = [-1.0, 1.5, 0.0];
        assert!(engine.hold(Grip { body: 4, local: [0.0; 3], target }));
        engine.advance(1000, &mut NEVER.clone());
        let x = &engine.frame().positions[12..14];
        assert!((x[0] - target[0]).abs() < 0.05 && (x[1] - target[1]).abs() < 0.05, "{x:?}");
        assert!(!engine.hold(Grip { body: 0, local: [0.0; 3], target }), "a cushion is fixed");
        assert!(!engine.hold(Grip { body: 999, local: [0.0; 3], target }));
        assert!(!engine.push(Push { body: 4, velocity: [f64::NAN, 0.0, 0.0], spin: [0.0; 3] }));
    }

    #[test]
    fn a_run_that_leaves_the_finite_numbers_stops_with_a_reason_and_can_be_gone_back_in() {
        let text = r#"<scene><duration time="1000"/><integrator type="explicit-euler" dt="10"/>
            <particle m="1" px="0" py="0" vx="0" vy="0" fixed="1"/><particle m="1e-3" px="2" py="0" vx="0" vy="1" fixed="0"/>
            <edge i="0" j="1"/><springforce edge="0" k="1e9" l0="1"/></scene>"#;
        let mut engine = Engine::open(text, None, None).unwrap();
        engine.advance(1000, &mut NEVER.clone());
        let failed_at = engine.frame().step;
        assert!(
            failed_at < 1000 && engine.failure().is_some_and(|f| f.contains("finite")),
            "{:?}",
            engine.failure()
        );
        engine.seek(1, &mut NEVER.clone());
        assert_eq!((engine.frame().step, engine.failure()), (1, None));
        engine.seek(1000, &mut NEVER.clone());
        assert_eq!(engine.frame().step, failed_at);
    }

    #[test]
    fn time_bounds_an_advance() {
        let mut engine = open("net");
        let mut calls = 0;
        engine.advance(1000, &mut || {
            calls += 1;
            calls == 7
        });
        assert_eq!(engine.frame().step, 7);
    }

    #[test]
    fn methods_are_chosen_by_name() {
        let engine = Engine::open(&gallery("break-discs"), Some("impulse"), Some("velocity-verlet")).unwrap();
        assert_eq!(
            (engine.scene().response_name(), engine.scene().integrator_name()),
            ("impulse", "velocity-verlet")
        );
        let refused = Engine::open(&gallery("break-discs"), Some("magic"), None).unwrap_err();
        assert!(matches!(refused, OpenError::Refused(text) if text.contains("gr-lcp")));
        assert!(matches!(Engine::open("<scene", None, None), Err(OpenError::Findings(_))));
    }
}
