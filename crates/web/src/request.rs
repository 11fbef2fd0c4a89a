//! What a page can ask for. The words of the JSON are the names here, with dashes.

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
    /// `contacts`: kind, first, second, point (3), vector (3), time, impulse for each.
    pub contacts: bool,
    /// `islands`: a number for each body, −1 for none.
    pub islands: bool,
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
    /// The present moment once more, with other layers.
    Look,
    /// The numbers of a body.
    Inspect {
        /// Which body.
        body: usize,
    },
    /// The hash of a run from the start, as files and tests have it.
    Hash {
        /// The scene.
        text: String,
        /// How many steps.
        steps: u64,
    },
}
