//! Pictures, movies and plots of frames.

use crate::errors;
use crate::frames::FramesCore;
use crate::scene::SceneCore;
use carom::{Frame, Scene};
use carom_render::movie::{Job, Numbered, Target, record};
use carom_render::output::png;
use carom_render::plot::history::{self, History, Topic};
use carom_render::plot::{self as charts, Theme};
use carom_render::{Canvas, DisplayList, Extent, Options, Painter, Timing, Trails, View, svg};
use carom_scene::System;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// A picture that takes its shape from the run is at most this many times as wide as high, or as
/// high as wide.
const LONGEST_SHAPE: f64 = 16.0 / 9.0;

/// What pictures show, and how large they are.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Look {
    size: Option<[u32; 2]>,
    side: f64,
    layers: Vec<String>,
    camera: Option<Eye>,
    fps: f64,
    speed: f64,
    start: f64,
    stop: f64,
    threads: usize,
}

/// Where the eye is, what it looks at, and the angle of view.
type Eye = ([f64; 3], [f64; 3], f64);

impl Look {
    fn options(&self) -> Result<Options, String> {
        let mut options = Options::default();
        for layer in &self.layers {
            let shown = match layer.as_str() {
                "velocities" => &mut options.velocities,
                "contacts" => &mut options.contacts,
                "islands" => &mut options.islands,
                "broad_phase" => &mut options.broad_phase,
                "energy" => &mut options.energy,
                "time" => &mut options.time,
                other => return Err(format!("no layer `{other}`")),
            };
            *shown = true;
        }
        Ok(options)
    }

    fn view(&self, scene: &Scene, extent: &Extent) -> Result<View, String> {
        let [width, height] = self.size.unwrap_or_else(|| fitted_size(scene, extent, self.side));
        Canvas::new(width, height).map_err(|error| error.to_string())?;
        let view = View::new(scene, extent, width, height);
        match self.camera {
            None => Ok(view),
            Some((eye, target, angle)) => {
                let finite = eye.iter().chain(&target).all(|number| number.is_finite());
                if !finite || eye == target || !(1.0..=179.0).contains(&angle) {
                    return Err("a camera has an eye, another point that it looks at, \
                                and an angle from 1 to 179 degrees"
                        .to_owned());
                }
                Ok(view.seen_from(eye, target, angle))
            }
        }
    }

    fn timing(&self) -> Result<Timing, String> {
        let timing =
            Timing { fps: self.fps, speed: self.speed, from: self.start, to: self.stop, every_frame: false };
        timing.check().map(|()| timing).map_err(|error| error.to_string())
    }
}

/// As many pixels as a square of this side, in the shape of the run.
fn fitted_size(scene: &Scene, extent: &Extent, side: f64) -> [u32; 2] {
    let has_viewport = !matches!(scene.system, System::SpatialBodies(_))
        && scene.general.viewport.is_some_and(|viewport| viewport.size > 0.0);
    let shape = match if has_viewport { None } else { extent.size() } {
        Some([width, height]) if width.max(height) > 0.0 => {
            (width / height).clamp(1.0 / LONGEST_SHAPE, LONGEST_SHAPE).sqrt()
        }
        _ => 1.0,
    };
    // movies need even sizes
    let round = |length: f64| ((length / 8.0).round() * 8.0) as u32;
    [round(side * shape), round(side / shape)]
}

/// The frames that can be drawn.
fn finite(frames: &[Frame]) -> Result<(), String> {
    for frame in frames {
        let mut numbers = frame.positions.iter().chain(&frame.velocities);
        if numbers.any(|number| !number.is_finite()) {
            return Err(format!("step {} has a position or velocity that is not finite", frame.step));
        }
    }
    if frames.is_empty() { Err("there is no frame to show".to_owned()) } else { Ok(()) }
}

/// Draws frames to a file: `mp4`, `gif`, or a folder of `png` or `svg`. Gives the number of
/// pictures.
#[pyfunction]
pub(crate) fn movie(
    py: Python<'_>,
    scene: &SceneCore,
    frames: &FramesCore,
    path: PathBuf,
    kind: &str,
    look: Look,
) -> PyResult<u64> {
    let draw = || {
        finite(&frames.frames)?;
        let target = match kind {
            "mp4" => Target::Mp4(path),
            "gif" => Target::Gif(path),
            "png" => Target::Pngs(Numbered::course_png(path)),
            "svg" => Target::Svgs(Numbered::course_png(path)),
            other => return Err(format!("unknown movie format `{other}`; mp4, gif, png and svg are made")),
        };
        let scene = &scene.scene;
        let extent = Extent::of_frames(scene, &frames.frames);
        let painter = Painter::new(scene, look.view(scene, &extent)?, look.options()?);
        let cancel = AtomicBool::new(false);
        let timing = look.timing()?;
        let job = Job { painter: &painter, timing, target, threads: look.threads, cancel: &cancel };
        let source = frames.frames.iter().map(|frame| Ok::<Frame, Infallible>(frame.clone()));
        let recorded = record(&job, source, |_| ()).map_err(|error| error.to_string())?;
        Ok(recorded.pictures)
    };
    py.detach(draw).map_err(|words| errors::argument(py, words))
}

/// One picture, of the last frame, as `png` or `svg`.
#[pyfunction]
pub(crate) fn still<'py>(
    py: Python<'py>,
    scene: &SceneCore,
    frames: &FramesCore,
    kind: &str,
    look: Look,
) -> PyResult<Bound<'py, PyBytes>> {
    let draw = || {
        finite(&frames.frames)?;
        let scene = &scene.scene;
        let extent = Extent::of_frames(scene, &frames.frames);
        let painter = Painter::new(scene, look.view(scene, &extent)?, look.options()?);
        let mut trails = Trails::new(scene);
        frames.frames.iter().for_each(|frame| trails.push(scene, frame));
        let last = frames.frames.last().ok_or("there is no frame to show")?;
        let picture = painter.paint(last, &trails).map_err(|error| error.to_string())?;
        encoded(&picture, kind)
    };
    let bytes = py.detach(draw).map_err(|words: String| errors::argument(py, words))?;
    Ok(PyBytes::new(py, &bytes))
}

/// A plot of runs over time, as `png` or `svg`.
#[pyfunction]
pub(crate) fn plot<'py>(
    py: Python<'py>,
    runs: Vec<(String, PyRef<'py, FramesCore>)>,
    topics: Vec<String>,
    size: [u32; 2],
    dark: bool,
    kind: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let wrong = |words: String| errors::argument(py, words);
    let topic = |name: &String| {
        let found = Topic::ALL.into_iter().find(|topic| topic.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Topic::ALL.iter().map(|topic| topic.name()).collect();
            wrong(format!("no topic `{name}`; there are {}", names.join(", ")))
        })
    };
    let topics: Vec<Topic> = topics.iter().map(topic).collect::<PyResult<_>>()?;
    Canvas::new(size[0], size[1]).map_err(|error| wrong(error.to_string()))?;
    let runs: Vec<(&str, &FramesCore)> = runs.iter().map(|(label, run)| (label.as_str(), &**run)).collect();
    let draw = || {
        let histories: Vec<(&str, History)> =
            runs.iter().map(|(label, run)| (*label, History::of(&run.frames))).collect();
        let histories: Vec<(&str, &History)> = histories.iter().map(|(l, h)| (*l, h)).collect();
        let drawn: Vec<charts::Chart> = topics.iter().map(|t| history::chart(*t, &histories)).collect();
        let names: Vec<&str> = histories.iter().map(|(label, _)| *label).collect();
        let theme = if dark { Theme::DARK } else { Theme::LIGHT };
        encoded(&charts::stacked(&names.join(", "), &drawn, size[0], size[1], &theme), kind)
    };
    let bytes = py.detach(draw).map_err(wrong)?;
    Ok(PyBytes::new(py, &bytes))
}

fn encoded(picture: &DisplayList, kind: &str) -> Result<Vec<u8>, String> {
    match kind {
        "svg" => Ok(svg::document(picture).into_bytes()),
        "png" => {
            let canvas = Canvas::of(picture).map_err(|error| error.to_string())?;
            let mut bytes = Vec::new();
            png::write(&canvas, png::Effort::Small, &mut bytes).map_err(|error| error.to_string())?;
            Ok(bytes)
        }
        other => Err(format!("unknown picture format `{other}`; png and svg are made")),
    }
}
