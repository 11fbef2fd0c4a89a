//! Runs to be shown: a scene that is run now, or a stored trajectory with its scene.

use crate::arguments::Reading;
use crate::interrupt;
use crate::scene_file::{self, SceneFile, Warnings};
use crate::table;
use crate::trajectory_file::{self, Completion, Kind};
use anyhow::{Context, Result, bail, ensure};
use carom::{Frame, Options, Plan, RunEnd, Scene, Simulation};
use carom_scene::System;
use carom_trajectory::Trajectory;
use std::ops::ControlFlow;
use std::path::Path;

/// A run with its scene.
pub(crate) struct Footage {
    pub(crate) file: SceneFile,
    /// Whether the course's errors are reproduced.
    pub(crate) course: bool,
    /// Its frames; a scene has none yet.
    pub(crate) stored: Option<Stored>,
}

/// Frames in a file.
pub(crate) struct Stored {
    trajectory: Trajectory,
    /// Course files leave energies out; they are computed from the states.
    completion: Option<Completion>,
}

impl Footage {
    /// Opens a scene or a trajectory. `None` when its scene has errors, which were printed.
    pub(crate) fn open(
        path: &Path,
        scene: Option<&Path>,
        reading: Reading,
        warnings: Warnings,
    ) -> Result<Option<Footage>> {
        match trajectory_file::kind_of(path)? {
            Kind::Scene => {
                let file = scene_file::load(path, reading, warnings)?;
                Ok(file.map(|file| Footage { file, course: reading.course, stored: None }))
            }
            Kind::Journal => {
                let trajectory = carom_trajectory::open(path, None)?;
                let course = trajectory.header().is_some_and(|header| header.options.course);
                let file = match scene {
                    Some(scene) => scene_file::load(scene, Reading { course, ..reading }, Warnings::Hide)?,
                    None => Some(scene_inside(&trajectory, path)?),
                };
                let stored = Some(Stored { trajectory, completion: None });
                Ok(file.map(|file| Footage { file, course, stored }))
            }
            Kind::Unknown => {
                let Some(file) = trajectory_file::scene_for(path, scene, reading)? else { return Ok(None) };
                let layout = trajectory_file::layout_of(&file, reading)?;
                let trajectory = carom_trajectory::open(path, Some(layout))?;
                let completion = Some(Completion::new(&file, reading)?);
                let stored = Some(Stored { trajectory, completion });
                Ok(Some(Footage { file, course: reading.course, stored }))
            }
        }
    }

    /// A simulation of the scene.
    pub(crate) fn simulation(&self) -> Result<Simulation> {
        Simulation::new(&self.file.scene, Options::course(self.course))
            .with_context(|| format!("{} cannot be run", self.file.name))
    }

    /// Shows every frame, of the whole run or of the file. Ends early when `stop` returns true.
    pub(crate) fn watch(
        &mut self,
        observe: &mut dyn FnMut(&Frame) -> Result<()>,
        stop: &dyn Fn() -> bool,
    ) -> Result<RunEnd> {
        if let Some(stored) = &mut self.stored {
            return stored.watch(observe, stop);
        }
        let mut simulation = self.simulation()?;
        let plan = Plan { last_step: simulation.planned_steps(), every: 1 };
        let mut show = |frame: &Frame| -> Result<ControlFlow<()>> {
            observe(frame)?;
            Ok(ControlFlow::Continue(()))
        };
        interrupt::during(|| carom::run(&mut simulation, plan, &mut show, &mut || stop()))
    }
}

impl Stored {
    /// A journal of Carom.
    pub(crate) fn journal(path: &Path) -> Result<Stored> {
        Ok(Stored { trajectory: carom_trajectory::open(path, None)?, completion: None })
    }

    /// Number of frames.
    pub(crate) fn count(&mut self) -> Result<u64> {
        Ok(self.trajectory.frame_count()?)
    }

    /// The hash of a finished run.
    pub(crate) fn hash(&self) -> Option<String> {
        self.trajectory.run_hash().map(|hash| hash.to_string())
    }

    /// Simulated time of the last frame.
    pub(crate) fn last_time(&mut self) -> Result<f64> {
        let count = self.count()?;
        if count == 0 { Ok(0.0) } else { Ok(self.trajectory.frame(count - 1)?.time) }
    }

    /// The frames in order.
    pub(crate) fn frames(&mut self) -> impl Iterator<Item = Result<Frame>> {
        let completion = &mut self.completion;
        self.trajectory.frames().map(move |frame| {
            let frame = frame?;
            Ok(match completion {
                Some(completion) => completion.whole(&frame).clone(),
                None => frame,
            })
        })
    }

    fn watch(
        &mut self,
        observe: &mut dyn FnMut(&Frame) -> Result<()>,
        stop: &dyn Fn() -> bool,
    ) -> Result<RunEnd> {
        let mut frames = self.trajectory.frames();
        while let Some(frame) = frames.next_frame()? {
            if stop() {
                return Ok(RunEnd::Stopped);
            }
            match &mut self.completion {
                Some(completion) => observe(completion.whole(frame))?,
                None => observe(frame)?,
            }
        }
        Ok(RunEnd::Finished)
    }
}

/// Refuses a frame in which a position or velocity is not a number: what is drawn of it would look
/// right and not be.
pub(crate) fn check_numbers(scene: &Scene, frame: &Frame) -> Result<()> {
    let family = carom_render::picture::family(scene);
    let lists = [
        ("position", &frame.positions, family.coordinates()),
        ("velocity", &frame.velocities, family.degrees_of_freedom()),
    ];
    for (name, numbers, width) in lists {
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            bail!(
                "at step {} ({} s) the {name} of body {} is not a number ({}); --skip-nan shows the rest",
                frame.step,
                table::number(frame.time),
                place / width,
                numbers[place]
            );
        }
    }
    Ok(())
}

/// Refuses a scene with nothing in it.
pub(crate) fn check_not_empty(file: &SceneFile) -> Result<()> {
    let things = match &file.scene.system {
        System::Particles(system) => system.particles.len() + system.half_planes.len(),
        System::RigidBodies(system) => system.bodies.len(),
        System::SpatialBodies(system) => system.bodies.len(),
    };
    ensure!(things > 0, "there is nothing to show: {} has no bodies", file.name);
    Ok(())
}

/// The scene that a journal carries.
fn scene_inside(trajectory: &Trajectory, path: &Path) -> Result<SceneFile> {
    let header = trajectory.header().context("a journal has a header")?;
    let options = carom_scene::ReadOptions { course: header.options.course, strict: false };
    let scene = carom_scene::read(&header.scene, &options).scene.with_context(|| {
        format!(
            "the scene inside {} cannot be read by this version; name it with --scene SCENE",
            path.display()
        )
    })?;
    Ok(SceneFile { scene, text: header.scene.clone(), name: header.scene_name.clone() })
}
