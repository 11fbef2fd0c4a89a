//! A run with default settings, and what is asked of it.

use crate::scenes::{Body, Kind, Setting, TestedResponse, scene};
use carom::{Frame, Options, Simulation};

/// What every frame of a run says.
#[derive(Debug, Clone)]
pub struct Track {
    kind: Kind,
    /// Time between two frames.
    pub dt: f64,
    /// From the start to the end.
    pub frames: Vec<Frame>,
}

/// Runs a scene to its end. A scene that is refused, a step that is not taken and numbers that are
/// not finite are failures.
pub fn run(method: TestedResponse, setting: &Setting, bodies: &[Body]) -> Result<Track, String> {
    let frames = frames_of(&scene(method, setting, bodies))?;
    Ok(Track { kind: method.kind, dt: setting.dt, frames })
}

/// All frames of a scene.
pub fn frames_of(text: &str) -> Result<Vec<Frame>, String> {
    let scene = carom::read_scene(text).map_err(|error| error.to_string())?;
    let mut simulation = Simulation::new(&scene, Options::default()).map_err(|error| error.to_string())?;
    let mut frames = vec![simulation.frame()];
    while simulation.step_count() < simulation.planned_steps() {
        simulation.step().map_err(|error| error.to_string())?;
        let mut frame = simulation.frame();
        // Only numbers of bodies are asked for: minutes of contacts would fill the memory.
        frame.contacts = Vec::new();
        frame.memory = Vec::new();
        if !frame.positions.iter().chain(&frame.velocities).all(|number| number.is_finite()) {
            return Err(format!("not finite at {} s", frame.time));
        }
        frames.push(frame);
    }
    Ok(frames)
}

impl Track {
    /// Of frames that are there already.
    pub(crate) fn new(kind: Kind, dt: f64, frames: Vec<Frame>) -> Self {
        Self { kind, dt, frames }
    }

    /// Where a body's x and height are among the positions, and how many numbers each body has in
    /// positions and in velocities.
    fn layout(&self) -> ([usize; 2], [usize; 2]) {
        match self.kind {
            Kind::Particles => ([0, 1], [2, 2]),
            Kind::Planar => ([0, 1], [3, 3]),
            Kind::Spatial => ([0, 2], [7, 6]),
        }
    }

    /// x and height of a body, frame by frame.
    pub fn places(&self, body: usize) -> impl DoubleEndedIterator<Item = [f64; 2]> + '_ {
        let (axes, [size, _]) = self.layout();
        self.frames.iter().map(move |frame| axes.map(|axis| frame.positions[body * size + axis]))
    }

    /// The same of its velocity.
    pub fn velocities(&self, body: usize) -> impl DoubleEndedIterator<Item = [f64; 2]> + '_ {
        let (axes, [_, size]) = self.layout();
        self.frames.iter().map(move |frame| axes.map(|axis| frame.velocities[body * size + axis]))
    }

    /// Height of a body, frame by frame.
    pub fn heights(&self, body: usize) -> Vec<f64> {
        self.places(body).map(|[_, height]| height).collect()
    }

    /// Where a body is in the end.
    pub fn last_place(&self, body: usize) -> [f64; 2] {
        self.places(body).next_back().unwrap_or([f64::NAN; 2])
    }

    /// Velocity of a body in the end.
    pub fn last_velocity(&self, body: usize) -> [f64; 2] {
        self.velocities(body).next_back().unwrap_or([f64::NAN; 2])
    }

    /// Spin in the end, counter-clockwise with x to the right and the second coordinate up.
    pub fn last_spin(&self, body: usize) -> f64 {
        let Some(frame) = self.frames.last() else { return f64::NAN };
        match self.kind {
            Kind::Particles => 0.0,
            Kind::Planar => frame.velocities[3 * body + 2],
            Kind::Spatial => -frame.velocities[6 * body + 4],
        }
    }

    /// The farthest that any of the first bodies gets from where it was laid.
    pub fn moved(&self, bodies: &[Body]) -> f64 {
        let mut farthest: f64 = 0.0;
        for (index, body) in bodies.iter().enumerate() {
            for place in self.places(index) {
                farthest = farthest.max((place[0] - body.at[0]).abs()).max((place[1] - body.at[1]).abs());
            }
        }
        farthest
    }

    /// Kinetic energy of all bodies, frame by frame.
    pub fn kinetic(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.quantities.kinetic).collect()
    }

    /// Kinetic and potential energy of all bodies, frame by frame.
    pub fn energy(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.quantities.kinetic + frame.quantities.potential).collect()
    }

    /// How deep the deepest overlap of the run is.
    pub fn deepest_overlap(&self) -> f64 {
        // The first frames may show how the scene was laid out.
        self.frames.iter().skip(2).map(|frame| frame.quantities.deepest_penetration).fold(0.0, f64::max)
    }

    /// Momentum along x and up of all bodies at a frame.
    pub fn momentum(&self, frame: &Frame) -> [f64; 2] {
        let p = frame.quantities.momentum;
        if self.kind == Kind::Spatial { [p[0], p[2]] } else { [p[0], p[1]] }
    }
}

/// The middle of some numbers; NaN where there are none.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
