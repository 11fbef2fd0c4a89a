//! Filming: frames to a file, then to pictures. A live run is stored first, because where its
//! bodies go decides what is shown.

use crate::arguments::{CameraLook, Look};
use crate::footage::{self, Footage, Stored};
use crate::interrupt::{self, Interrupt};
use crate::output;
use crate::progress;
use crate::scene_file::SceneFile;
use anyhow::{Context, Result, anyhow, ensure};
use carom::{Frame, Plan, RunEnd};
use carom_render::movie::{self, Job, RecordError, Recorded, Target};
use carom_render::{Canvas, DisplayList, Extent, Options, Painter, Timing, Trails, View};
use carom_scene::System;
use carom_trajectory::atomic::TemporaryFolder;
use carom_trajectory::{JournalWriter, TrajectoryError};
use std::ops::ControlFlow;
use std::path::Path;

/// Side of a picture when nothing is said; one that is not square has as many pixels.
pub(crate) const SIDE: f64 = 720.0;
/// The same for GIFs, which are large for what they show.
const GIF_SIDE: f64 = 480.0;
/// A picture that takes its shape from the run is at most this many times as wide as high, or as
/// high as wide.
const LONGEST_SHAPE: f64 = 16.0 / 9.0;

/// A run that is ready to be drawn.
pub(crate) struct Film {
    pub(crate) file: SceneFile,
    pub(crate) stored: Stored,
    /// Simulated time of the last frame.
    pub(crate) last_time: f64,
    /// How the run ended.
    pub(crate) end: RunEnd,
    extent: Extent,
    /// Holds the frames of a live run until they are drawn.
    _folder: Option<TemporaryFolder>,
}

/// What is chosen about filming.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) timing: Timing,
    /// Where no viewport is given, the picture holds what the run shows between these times, and
    /// its start.
    pub(crate) fitted: [f64; 2],
    /// A live run is stored in this folder, in a file that is gone in the end.
    pub(crate) folder: &'a Path,
    /// No progress bars.
    pub(crate) hidden: bool,
    pub(crate) interrupt: Interrupt,
}

/// The layers to draw.
pub(crate) fn layers(look: &Look) -> Options {
    Options {
        velocities: look.velocities,
        contacts: look.contacts,
        islands: look.islands,
        broad_phase: look.broad_phase,
        energy: look.energy,
        time: look.time,
        paths: !look.no_paths,
        fills: !look.no_fills,
    }
}

impl Film {
    /// Gets a run ready: a live one is run, a stored one is looked through where the picture must
    /// be fitted. `watch` sees every frame.
    pub(crate) fn shoot(
        footage: Footage,
        setting: &Setting<'_>,
        watch: Option<&mut dyn FnMut(&Frame)>,
    ) -> Result<Film> {
        setting.timing.check()?;
        if footage.stored.is_some() {
            from_file(footage, setting, watch)
        } else {
            live(&footage, setting, watch)
        }
    }

    /// Width and height of the pictures: as asked for, else as long or high as the run itself.
    pub(crate) fn size(&self, look: &Look, is_gif: bool) -> [u32; 2] {
        if let Some(size) = look.size {
            return size;
        }
        fitted_size(&self.file.scene, &self.extent, if is_gif { GIF_SIDE } else { SIDE })
    }

    /// Whether Ctrl-C ended the run.
    pub(crate) fn is_stopped(&self) -> bool {
        self.end == RunEnd::Stopped
    }

    /// Draws the run. `None` when Ctrl-C was pressed; then nothing was written.
    pub(crate) fn record(
        &mut self,
        look: &Look,
        setting: &Setting<'_>,
        target: Target,
        threads: usize,
    ) -> Result<Option<Recorded>> {
        let view = self.view(look, self.size(look, matches!(target, Target::Gif(_))));
        let painter = Painter::new(&self.file.scene, view, layers(look));
        let bar = progress::pictures(setting.timing.pictures(self.last_time), setting.hidden);
        let scene = &self.file.scene;
        let Timing { from, to, .. } = setting.timing;
        let frames = self.stored.frames().map(|frame| {
            let frame = frame?;
            if !look.skip_nan && (from..=to).contains(&frame.time) {
                footage::check_numbers(scene, &frame)?;
            }
            Ok::<Frame, anyhow::Error>(frame)
        });
        let recorded = setting.interrupt.watched_by(|cancel| {
            let job = Job { painter: &painter, timing: setting.timing, target, threads, cancel };
            movie::record(&job, frames, |done| bar.set_position(done))
        });
        bar.finish_and_clear();
        match recorded {
            Err(RecordError::Cancelled) => Ok(None),
            other => Ok(Some(other?)),
        }
    }

    /// The picture of the frame nearest to the start of the timing.
    pub(crate) fn still(&mut self, look: &Look, setting: &Setting<'_>) -> Result<DisplayList> {
        let view = self.view(look, self.size(look, false));
        let painter = Painter::new(&self.file.scene, view, layers(look));
        let moment = setting.timing.from;
        let mut trails = Trails::new(&self.file.scene);
        let mut nearest: Option<Frame> = None;
        for frame in self.stored.frames() {
            let frame = frame?;
            let distance = (frame.time - moment).abs();
            if nearest.as_ref().is_some_and(|best| (best.time - moment).abs() <= distance) {
                break;
            }
            trails.push(&self.file.scene, &frame);
            nearest = Some(frame);
        }
        let frame = nearest.with_context(|| format!("{} has no frame to show", self.file.name))?;
        if !look.skip_nan {
            footage::check_numbers(&self.file.scene, &frame)?;
        }
        Ok(painter.paint(&frame, &trails)?)
    }

    fn view(&self, look: &Look, [width, height]: [u32; 2]) -> View {
        let view = View::new(&self.file.scene, &self.extent, width, height);
        match look.camera {
            Some(CameraLook { eye, target, angle }) => view.seen_from(eye, target, angle),
            None => view,
        }
    }
}

/// The size of pictures that take their shape from the run, with as many pixels as a square of this
/// side. A viewport is square.
pub(crate) fn fitted_size(scene: &carom::Scene, extent: &Extent, side: f64) -> [u32; 2] {
    let fitted = if has_viewport(scene) { None } else { extent.size() };
    let shape = match fitted {
        Some([width, height]) if width.max(height) > 0.0 => {
            (width / height).clamp(1.0 / LONGEST_SHAPE, LONGEST_SHAPE).sqrt()
        }
        _ => 1.0,
    };
    // Movies need even sizes; round ones are nicer too.
    let round = |length: f64| ((length / 8.0).round() * 8.0) as u32;
    [round(side * shape), round(side / shape)]
}

/// Makes sure that pictures of the size that was asked for can be made, before any work is done for
/// them.
pub(crate) fn check_size(look: &Look) -> Result<()> {
    if let Some([width, height]) = look.size {
        Canvas::new(width, height).context("no such picture can be made")?;
    }
    Ok(())
}

fn has_viewport(scene: &carom::Scene) -> bool {
    // The camera of a 3D scene is no viewport: how large the scene is must still be seen.
    !matches!(scene.system, System::SpatialBodies(_))
        && scene.general.viewport.is_some_and(|viewport| viewport.size > 0.0)
}

fn from_file(
    mut footage: Footage,
    setting: &Setting<'_>,
    watch: Option<&mut dyn FnMut(&Frame)>,
) -> Result<Film> {
    let mut extent = Extent::default();
    let mut end = RunEnd::Finished;
    let scene = footage.file.scene.clone();
    if watch.is_some() || !has_viewport(&scene) {
        let mut watch = watch;
        end = footage.watch(
            &mut |frame| {
                include(&mut extent, &scene, frame, setting.fitted);
                if let Some(watch) = &mut watch {
                    watch(frame);
                }
                Ok(())
            },
            &|| setting.interrupt.is_set(),
        )?;
    }
    let Footage { file, stored, .. } = footage;
    let mut stored = stored.context("a film from a file has its frames there")?;
    ensure!(stored.count()? > 0, "there is nothing to show: {} has no frames", file.name);
    let last_time = stored.last_time()?;
    Ok(Film { file, stored, last_time, end, extent, _folder: None })
}

fn live(footage: &Footage, setting: &Setting<'_>, mut watch: Option<&mut dyn FnMut(&Frame)>) -> Result<Film> {
    let mut simulation = footage.simulation()?;
    let timing = setting.timing;
    let last_step = if timing.to.is_finite() {
        simulation.planned_steps().min(simulation.steps_until(timing.to).saturating_add(1))
    } else {
        simulation.planned_steps()
    };
    let folder = TemporaryFolder::new_in(setting.folder)?;
    let journal = folder.path().join("frames.carom");
    let header = output::header(&footage.file, &simulation, footage.course, 1);
    let cannot_keep_frames = |error| cannot_keep(error, setting.folder);
    let mut writer = JournalWriter::create(&journal, &header).map_err(cannot_keep_frames)?;
    let scene = &footage.file.scene;
    let choice =
        Choice { timing, all: timing.every_frame || has_trails(scene), dt: simulation.dt(), last_step };
    let mut extent = Extent::default();
    let bar = progress::steps(last_step, setting.hidden);
    let mut keep = |frame: &Frame| -> Result<ControlFlow<()>> {
        if let Some(watch) = &mut watch {
            watch(frame);
        }
        include(&mut extent, scene, frame, setting.fitted);
        if choice.keeps(frame) {
            writer.append(frame).map_err(cannot_keep_frames)?;
        }
        bar.set_position(frame.step);
        Ok(ControlFlow::Continue(()))
    };
    let plan = Plan { last_step, every: 1 };
    let mut stop = || setting.interrupt.is_set();
    let end = interrupt::during(|| carom::run(&mut simulation, plan, &mut keep, &mut stop))?;
    bar.finish_and_clear();
    writer.finish().map_err(cannot_keep_frames)?;
    let mut stored = Stored::journal(&journal)?;
    let last_time = stored.last_time()?;
    let file = footage.file.clone();
    Ok(Film { file, stored, last_time, end, extent, _folder: Some(folder) })
}

/// Which frames of a live run are stored: those that will be shown, unless trails need the ones
/// between.
struct Choice {
    timing: Timing,
    all: bool,
    dt: f64,
    last_step: u64,
}

impl Choice {
    fn keeps(&self, frame: &Frame) -> bool {
        // Pictures whose moment is nearer to this frame than to the one before or after it.
        let until = |time: f64| self.timing.pictures(time).unwrap_or(0);
        self.all
            || frame.step == 0
            || frame.step == self.last_step
            || until(frame.time + 0.5 * self.dt) > until(frame.time - 0.5 * self.dt)
    }
}

/// The frames of a live run are in a hidden file, which is gone after an error: only its folder and
/// the reason are of use.
fn cannot_keep(error: TrajectoryError, folder: &Path) -> anyhow::Error {
    match error {
        TrajectoryError::Io { cause: source, .. } => {
            anyhow!(
                "the frames of the run cannot be kept in {} until they are drawn: {source}",
                folder.display()
            )
        }
        other => other.into(),
    }
}

/// The start, and every frame that is shown: the nearest to an end may lie beyond it by half a
/// step.
fn include(extent: &mut Extent, scene: &carom::Scene, frame: &Frame, [from, to]: [f64; 2]) {
    let dt = match &scene.system {
        System::Particles(system) => system.integrator.dt,
        System::RigidBodies(system) => system.integrator.dt,
        System::SpatialBodies(system) => system.integrator.dt,
    };
    if frame.step == 0 || (from - dt..=to + dt).contains(&frame.time) {
        extent.include(scene, frame);
    }
}

fn has_trails(scene: &carom::Scene) -> bool {
    match &scene.system {
        System::Particles(system) => !system.appearance.paths.is_empty(),
        System::RigidBodies(_) | System::SpatialBodies(_) => false,
    }
}
