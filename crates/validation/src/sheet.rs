//! What a case found.

use crate::peer::{Asked, Peer};
use crate::scenes::{Body, Kind, Setting, TestedResponse, scene};
use crate::track::{self, Track};
use carom::Frame;
use std::rc::Rc;

/// A number with a closed form, and what came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The kind of bodies and the response, or the integrator.
    pub method: String,
    /// What was measured, with its unit.
    pub quantity: String,
    /// The closed form.
    pub right: f64,
    /// What came out; NaN where the run failed.
    pub ours: f64,
    /// How far the two may be apart.
    pub tolerance: f64,
    /// Why there is no number, where there is none.
    pub failure: Option<String>,
}

impl Finding {
    /// Distance of the two numbers.
    pub fn error(&self) -> f64 {
        (self.ours - self.right).abs()
    }

    /// Whether the promise is kept.
    pub fn holds(&self) -> bool {
        self.error() <= self.tolerance
    }
}

/// A scene with some moments of its run, for a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The scene as text.
    pub scene: String,
    /// Moments from the first to the last.
    pub frames: Vec<Frame>,
}

/// Moments of a run that a picture shows.
const MOMENTS: usize = 40;

/// All that a case found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// In the order of the methods.
    pub findings: Vec<Finding>,
    /// Of the first run.
    pub picture: Option<Picture>,
    peer: Option<Asked>,
}

impl Sheet {
    /// A sheet for another engine.
    pub(crate) fn of(peer: Rc<dyn Peer>) -> Self {
        Self { peer: Some(Asked(peer)), ..Self::default() }
    }

    /// Whether another engine is asked: some cases cannot be put to one.
    pub(crate) fn is_of_a_peer(&self) -> bool {
        self.peer.is_some()
    }

    /// Whether boxes of this kind have rounded corners.
    pub(crate) fn rounds(&self, kind: Kind) -> bool {
        kind == Kind::Planar && self.peer.is_none()
    }

    fn words(&self, method: TestedResponse) -> String {
        self.peer.as_ref().map_or_else(|| method.words(), |peer| peer.0.name().to_owned())
    }

    /// Keeps moments of the first run for the picture.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String, frames: &[Frame]) {
        if self.picture.is_none() {
            let every = frames.len().div_ceil(MOMENTS).max(1);
            let frames = frames.iter().step_by(every).chain(frames.last()).cloned().collect();
            self.picture = Some(Picture { scene: text(), frames });
        }
    }

    pub(crate) fn check(
        &mut self,
        method: TestedResponse,
        quantity: &str,
        numbers: [f64; 2],
        tolerance: f64,
    ) {
        self.note(&self.words(method), quantity, numbers, tolerance);
    }

    pub(crate) fn note(&mut self, method: &str, quantity: &str, [right, ours]: [f64; 2], tolerance: f64) {
        let (method, quantity) = (method.to_owned(), quantity.to_owned());
        self.findings.push(Finding { method, quantity, right, ours, tolerance, failure: None });
    }

    pub(crate) fn fail(&mut self, method: TestedResponse, reason: String) {
        self.findings.push(Finding {
            method: self.words(method),
            quantity: "the run".to_owned(),
            right: 0.0,
            ours: f64::NAN,
            tolerance: 0.0,
            failure: Some(reason),
        });
    }
}

impl TestedResponse {
    fn words(self) -> String {
        let kind = match self.kind {
            Kind::Particles => "particles",
            Kind::Planar => "2D",
            Kind::Spatial => "3D",
        };
        format!("{kind} {}", self.response)
    }
}

/// Runs a scene to its end. Failures stand on the sheet.
pub(crate) fn run(
    sheet: &mut Sheet,
    method: TestedResponse,
    setting: &Setting,
    bodies: &[Body],
) -> Option<Track> {
    let answer = match sheet.peer.clone() {
        Some(peer) => peer.run(method, setting, bodies)?,
        None => track::run(method, setting, bodies),
    };
    match answer {
        Ok(track) => {
            sheet.show(|| scene(method, setting, bodies), &track.frames);
            Some(track)
        }
        Err(reason) => {
            sheet.fail(method, reason);
            None
        }
    }
}
