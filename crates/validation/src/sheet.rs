//! What a case found.

use crate::scenes::{Kind, Method};
use carom::Frame;

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

/// All that a case found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// In the order of the methods.
    pub findings: Vec<Finding>,
    /// Of the first run.
    pub picture: Option<Picture>,
}

impl Sheet {
    pub(crate) fn check(&mut self, method: Method, quantity: &str, numbers: [f64; 2], tolerance: f64) {
        self.note(&method.words(), quantity, numbers, tolerance);
    }

    pub(crate) fn note(&mut self, method: &str, quantity: &str, [right, ours]: [f64; 2], tolerance: f64) {
        let (method, quantity) = (method.to_owned(), quantity.to_owned());
        self.findings.push(Finding { method, quantity, right, ours, tolerance, failure: None });
    }

    pub(crate) fn fail(&mut self, method: Method, reason: String) {
        self.findings.push(Finding {
            method: method.words(),
            quantity: "the run".to_owned(),
            right: 0.0,
            ours: f64::NAN,
            tolerance: 0.0,
            failure: Some(reason),
        });
    }
}

impl Method {
    fn words(self) -> String {
        let kind = match self.kind {
            Kind::Particles => "particles",
            Kind::Planar => "2D",
            Kind::Spatial => "3D",
        };
        format!("{kind} {}", self.response)
    }
}
