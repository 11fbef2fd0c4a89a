//! Differences that are seen: the frames whose collisions, velocities or places differ, drawn, and
//! how far the two runs are apart over time.

use super::marks::{Lists, largest};
use crate::film;
use crate::picture_file;
use crate::scene_file::SceneFile;
use anyhow::{Context, Result, ensure};
use carom::grading::ComparedStep;
use carom_render::plot::{Axis, Chart, Theme};
use carom_render::{Extent, Options, Painter, View};
use carom_scene::Scene;
use carom_trajectory::Trajectory;
use std::fs;
use std::path::{Path, PathBuf};

/// Frames drawn; a wrong program differs in every frame, and the first ones tell why.
const MOST_FRAMES: u64 = 200;
/// Size of the plot in pixels.
const PLOT: [u32; 2] = [960, 400];
/// Points kept of each curve; when full, neighbours are joined and the larger stays.
const MOST_POINTS: usize = 4096;

/// Draws what differs into a folder.
pub(crate) struct Pictures<'a> {
    painter: Painter<'a>,
    /// Where pictures go; nowhere when only the curves are wanted.
    folder: Option<PathBuf>,
    /// Frames drawn, and frames that differ.
    drawn: u64,
    differing: u64,
    /// Largest distance of a body: positions, velocities, and positions of the free run.
    curves: [Peaks; 3],
    failure: Option<anyhow::Error>,
}

impl<'a> Pictures<'a> {
    /// Gets ready: the folder is made, and the picture fitted to the reference where the scene has
    /// no viewport.
    pub(super) fn new(
        file: &'a SceneFile,
        folder: Option<&Path>,
        reference: &mut Trajectory,
    ) -> Result<Pictures<'a>> {
        if let Some(folder) = folder {
            ensure!(!folder.is_file(), "{} is a file; pictures need a folder", folder.display());
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let extent = extent(&file.scene, reference);
        let [width, height] = film::fitted_size(&file.scene, &extent, film::SIDE);
        let view = View::new(&file.scene, &extent, width, height);
        let options = Options { time: true, ..Options::default() };
        Ok(Pictures {
            painter: Painter::new(&file.scene, view, options),
            folder: folder.map(Path::to_owned),
            drawn: 0,
            differing: 0,
            curves: Default::default(),
            failure: None,
        })
    }

    /// Takes a step into account; what goes wrong is reported in the end.
    pub(super) fn add(&mut self, step: &ComparedStep<'_>) {
        if self.failure.is_none()
            && let Err(error) = self.try_add(step)
        {
            self.failure = Some(error);
        }
    }

    fn try_add(&mut self, step: &ComparedStep<'_>) -> Result<()> {
        let (expected, got, time) = (step.expected, step.got, step.expected.time);
        self.curves[0].push(time, largest(&expected.positions, &got.positions));
        self.curves[1].push(time, largest(&expected.velocities, &got.velocities));
        if let Some(free) = step.free {
            self.curves[2].push(time, largest(&expected.positions, &free.positions));
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let lists = Lists::of(&self.painter, step);
        if lists.differences().is_empty() {
            return Ok(());
        }
        self.differing += 1;
        if self.differing > MOST_FRAMES {
            return Ok(());
        }
        let picture = self.painter.paint_close_up(expected, &lists.differences())?;
        picture_file::write(&folder.join(format!("frame{:05}.png", expected.step)), &picture)?;
        self.drawn += 1;
        Ok(())
    }

    /// The differences over time.
    pub(super) fn chart(&self) -> Chart {
        let y = Axis { logarithmic: true, ..Axis::new("largest difference", "m, m/s") };
        let mut chart = Chart::new("Differences", Axis::new("time", "s"), y);
        let labels = ["positions, step by step", "velocities, step by step", "positions, free run"];
        for (label, curve) in labels.into_iter().zip(&self.curves) {
            if curve.points.iter().any(|point| point[1] > 0.0) {
                chart.add(label, curve.points.clone());
            }
        }
        if chart.series.is_empty() {
            chart.title = "Differences: none, the same bits throughout".to_owned();
        }
        chart
    }

    /// Draws the plot. Gives a sentence about what is in the folder.
    pub(super) fn finish(self) -> Result<String> {
        let chart = self.chart();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let Some(folder) = &self.folder else { return Ok(String::new()) };
        let plot = chart.picture(PLOT[0], PLOT[1], &Theme::LIGHT);
        for ending in ["svg", "png"] {
            picture_file::write(&folder.join(format!("differences.{ending}")), &plot)?;
        }
        let first =
            if self.drawn < self.differing { format!("the first {} of ", self.drawn) } else { String::new() };
        let frames = match self.differing {
            1 => "1 frame that differs".to_owned(),
            several => format!("{several} frames that differ"),
        };
        Ok(format!("{}: {first}{frames}, and differences.svg", folder.display()))
    }
}

fn extent(scene: &Scene, reference: &mut Trajectory) -> Extent {
    let mut extent = Extent::default();
    if scene.general.viewport.is_none() {
        let mut frames = reference.frames();
        // a file that is cut off is fitted as far as it goes
        while let Ok(Some(frame)) = frames.next_frame() {
            extent.include(scene, frame);
        }
    }
    extent
}

/// A curve in bounded memory that keeps its peaks.
#[derive(Default)]
struct Peaks {
    points: Vec<[f64; 2]>,
    per_point: u64,
    in_last: u64,
}

impl Peaks {
    fn push(&mut self, time: f64, value: f64) {
        self.per_point = self.per_point.max(1);
        match self.points.last_mut() {
            Some(last) if self.in_last < self.per_point => {
                last[1] = last[1].max(value);
                self.in_last += 1;
            }
            _ => {
                if self.points.len() >= MOST_POINTS {
                    let joined = self.points.chunks(2).map(|pair| match pair {
                        [a, b] => [a[0], a[1].max(b[1])],
                        other => other[0],
                    });
                    self.points = joined.collect();
                    self.per_point *= 2;
                }
                self.points.push([time, value]);
                self.in_last = 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_keep_their_peaks_in_little_memory() {
        let mut peaks = Peaks::default();
        for k in 0..100_000_u32 {
            peaks.push(f64::from(k), if k == 77_777 { 5.0 } else { 1.0 });
        }
        assert!(peaks.points.len() <= MOST_POINTS);
        assert_eq!(peaks.points.iter().map(|p| p[1]).fold(0.0, f64::max), 5.0);
    }
}
