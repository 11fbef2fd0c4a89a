//! What a page can ask for. The words of the JSON are the names here, with dashes.

use crate::grip::Touched;
use serde::Deserialize;

/// A request: an action, a number to know the answer by, and what the answer is to hold.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Request {
    /// Comes back in the answer.
    #[serde(default)]
    pub id: u64,
    /// What to put into frames beside positions and numbers.
    #[serde(default)]
    pub layers: Layers,
    /// What to do.
    #[serde(flatten)]
    pub action: Action,
}

/// What frames hold beside positions and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Layers {
    /// `velocities`, laid out as the family says.
    pub velocities: bool,
    /// `contacts`: kind, first, second, point (3), vector (3), time, impulse, friction (3), gap for
    /// each.
    pub contacts: bool,
    /// `islands`: a number for each body, −1 for none.
    pub islands: bool,
}

/// Formats of a recorded run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Carom's own.
    Carom,
    /// Arrays for numpy.
    Npz,
    /// Three tables in an archive.
    Csv,
    /// Motion of 3D bodies, for viewers.
    Glb,
}

/// What to do. Answers of most are a frame.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Action {
    /// Only say what is wrong with a text.
    Check {
        /// The scene.
        text: String,
    },
    /// Open a scene: the answer holds the drawing and the methods, and is a frame.
    Open {
        /// The scene.
        text: String,
        /// Another collision response than its own.
        response: Option<String>,
        /// Another integrator than its own.
        integrator: Option<String>,
    },
    /// Step on until a step is reached or time is out.
    Advance {
        /// That step.
        to: u64,
    },
    /// Go to a step of the past or the future, as near as time allows.
    Seek {
        /// That step.
        step: u64,
    },
    /// Take hold of a body, or move what is held.
    Hold {
        /// Which body.
        body: usize,
        /// The held point from the centre, in body axes.
        local: [f64; 3],
        /// Where it is to go.
        target: [f64; 3],
    },
    /// Let go.
    Release,
    /// Add to the velocities of a body.
    Push {
        /// Which body.
        body: usize,
        /// Added to its velocity.
        velocity: [f64; 3],
        /// Added to its angular velocity.
        spin: [f64; 3],
    },
    /// Put a body somewhere: what is given is set.
    Place {
        /// Which body.
        body: usize,
        /// Where its centre goes.
        position: Option<[f64; 3]>,
        /// Its planar angle.
        angle: Option<f64>,
        /// Its velocity.
        velocity: Option<[f64; 3]>,
        /// Its angular velocity.
        spin: Option<[f64; 3]>,
        /// It goes on with the last place at this step: both are taken back as one.
        again: Option<bool>,
    },
    /// Take back the last push or place at this step.
    TakeBack,
    /// What hands did so far: the answer has `touches`.
    Touches,
    /// Do what hands did in another run of the scene, each at its step. Only at the start.
    Repeat {
        /// As `touches` gave them.
        touches: Vec<Touched>,
    },
    /// Go on from here under another text with the same bodies: the answer is that of `open`.
    Retune {
        /// The scene.
        text: String,
        /// Another collision response than its own.
        response: Option<String>,
        /// Another integrator than its own.
        integrator: Option<String>,
    },
    /// Run from the first step that is known and make a file of it. Sent again until the answer
    /// has `file`.
    Record {
        /// `carom`, `npz`, `csv` (an archive of three tables) or `glb`.
        format: Format,
        /// Last step in the file.
        to: u64,
        /// Every so many steps; 1 when it is left out.
        every: Option<u64>,
        /// The name of the scene.
        name: Option<String>,
    },
    /// Compare a scene with a trajectory, every step from the trajectory's step before, as
    /// `carom compare` does.
    Compare {
        /// The scene.
        text: String,
        /// A course file, a `.carom` file or an `.npz` of ours, in base 64.
        file: String,
        /// Read and run the scene as the course's program would.
        course: Option<bool>,
    },
    /// The present moment once more, with other layers.
    Look,
    /// The numbers of a body.
    Inspect {
        /// Which body.
        body: usize,
    },
    /// Run a case of `carom validate` and give its numbers; without a name, give the names of all.
    /// Only in the page: a program that serves others does not work for half a minute.
    Validate {
        /// Its name.
        case: Option<String>,
    },
    /// The hash of a run from the start, as files and tests have it.
    Hash {
        /// The scene.
        text: String,
        /// How many steps.
        steps: u64,
    },
}
