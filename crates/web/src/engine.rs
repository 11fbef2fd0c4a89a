//! A simulation with a past that can be gone back to, and with bodies that can be held and pushed.

use crate::grip::{Grip, Place, Push, Touch, Touched};
use crate::history::History;
use crate::motion::Motion;
use crate::report::SceneReport;
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
    /// Contacts that pushed in the last step, and the first step since the last answer in which
    /// more did than before.
    active: u32,
    struck: Option<u64>,
}

/// Most touches of another run that are repeated: a hand that held a body for five minutes.
const MOST_TOUCHES: usize = 20_000;

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
        let report = SceneReport::of(text);
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

    /// Steps until a step is reached or time is out; at least one step is tried. A step that could
    /// not be taken ends the run here, and [`Engine::failure`] says why.
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

    /// Goes to an earlier or later step, as near as time allows: to the last kept moment before it
    /// and on from there.
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

    /// Puts a body somewhere now; says whether that could be done. `again` goes on with the last
    /// place at this step, of the same body and the same numbers (a pointer that is dragged): both
    /// are taken back as one.
    pub fn place(&mut self, place: Place, again: bool) -> bool {
        if !place.is_finite() || !self.free.get(place.body).copied().unwrap_or(false) {
            return false;
        }
        if again {
            self.history.drop_last(self.simulation.step_count(), |last| last.is_same_kind(&place));
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

    /// The same bodies from where they are, under another text: its numbers and methods hold from
    /// now on. What was before this moment cannot be gone back to.
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

    /// All that hands did so far, with the steps at which they did it.
    pub fn touches(&self) -> Vec<Touched> {
        self.history.all_touches().map(|(step, touch)| Touched { step, touch }).collect()
    }

    /// Does at the start, and from there on when their steps come, what hands did in another run of
    /// this scene. False where the run has begun, or where a body cannot be moved so; then nothing
    /// is done.
    pub fn repeat(&mut self, touched: &[Touched]) -> bool {
        let can = |touch: &Touch| self.free.get(touch.body()).is_some_and(|free| *free) && touch.is_finite();
        let fits = touched.len() <= MOST_TOUCHES && touched.iter().all(|touched| can(&touched.touch));
        if self.simulation.step_count() != 0 || !fits {
            return false;
        }
        for Touched { step, touch } in touched {
            self.history.note_ahead(*step, *touch);
        }
        self.apply_noted_touches();
        true
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

    /// The first step since this was last asked in which more contacts pushed than in the step
    /// before: an impact.
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
        // What touched in the step that led here is still what touched; energy and momentum are
        // others.
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
mod tests;
