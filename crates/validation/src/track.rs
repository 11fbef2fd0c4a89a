//! A run with default settings, and what is asked of it.

use crate::scenes::{Body, Kind, Method, Setting, scene};
use crate::sheet::{Picture, Sheet};
use carom::{Frame, Options, Simulation};

/// Moments of a run that a picture shows.
const MOMENTS: usize = 40;

/// What every frame of a run says.
pub(crate) struct Track {
    kind: Kind,
    pub(crate) dt: f64,
    pub(crate) frames: Vec<Frame>,
}

/// Runs a scene to its end. A scene that is refused, a step that is not taken and numbers that are not
/// finite are failures, and stand on the sheet.
pub(crate) fn run(sheet: &mut Sheet, method: Method, setting: &Setting, bodies: &[Body]) -> Option<Track> {
    let text = scene(method, setting, bodies);
    match frames_of(&text) {
        Ok(frames) => {
            if sheet.picture.is_none() {
                let every = frames.len().div_ceil(MOMENTS).max(1);
                let frames = frames.iter().step_by(every).chain(frames.last()).cloned().collect();
                sheet.picture = Some(Picture { scene: text, frames });
            }
            Some(Track { kind: method.kind, dt: setting.dt, frames })
        }
        Err(reason) => {
            sheet.fail(method, reason);
            None
        }
    }
}

/// All frames of a scene.
pub(crate) fn frames_of(text: &str) -> Result<Vec<Frame>, String> {
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
    pub(crate) fn places(&self, body: usize) -> impl DoubleEndedIterator<Item = [f64; 2]> + '_ {
        let (axes, [size, _]) = self.layout();
        self.frames.iter().map(move |frame| axes.map(|axis| frame.positions[body * size + axis]))
    }

    /// The same of its velocity.
    pub(crate) fn velocities(&self, body: usize) -> impl DoubleEndedIterator<Item = [f64; 2]> + '_ {
        let (axes, [_, size]) = self.layout();
        self.frames.iter().map(move |frame| axes.map(|axis| frame.velocities[body * size + axis]))
    }

    pub(crate) fn heights(&self, body: usize) -> Vec<f64> {
        self.places(body).map(|[_, height]| height).collect()
    }

    pub(crate) fn last_place(&self, body: usize) -> [f64; 2] {
        self.places(body).next_back().unwrap_or([f64::NAN; 2])
    }

    pub(crate) fn last_velocity(&self, body: usize) -> [f64; 2] {
        self.velocities(body).next_back().unwrap_or([f64::NAN; 2])
    }

    /// Spin in the end, counter-clockwise with x to the right and the second coordinate up.
    pub(crate) fn last_spin(&self, body: usize) -> f64 {
        let Some(frame) = self.frames.last() else { return f64::NAN };
        match self.kind {
            Kind::Particles => 0.0,
            Kind::Planar => frame.velocities[3 * body + 2],
            Kind::Spatial => -frame.velocities[6 * body + 4],
        }
    }

    /// The farthest that any of the first bodies gets from where it was laid.
    pub(crate) fn moved(&self, bodies: &[Body]) -> f64 {
        let mut farthest: f64 = 0.0;
        for (index, body) in bodies.iter().enumerate() {
            for place in self.places(index) {
                farthest = farthest.max((place[0] - body.at[0]).abs()).max((place[1] - body.at[1]).abs());
            }
        }
        farthest
    }

    /// Kinetic energy of all bodies, frame by frame.
    pub(crate) fn kinetic(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.quantities.kinetic).collect()
    }

    /// Momentum along x and up of all bodies at a frame.
    pub(crate) fn momentum(&self, frame: &Frame) -> [f64; 2] {
        let p = frame.quantities.momentum;
        if self.kind == Kind::Spatial { [p[0], p[2]] } else { [p[0], p[1]] }
    }
}

pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
