//! Differences that are seen: the frames whose collisions differ, drawn, and how far the two runs are apart over time.

use crate::film;
use crate::picture_file;
use crate::scene_file::SceneFile;
use anyhow::{Context, Result, ensure};
use carom::grading::ComparedStep;
use carom_render::picture::comparison::Differences;
use carom_render::plot::{Axis, Chart, Theme};
use carom_render::{Extent, Options, Painter, Trails, View};
use carom_scene::Scene;
use carom_trajectory::compare::{CollisionDifference, CollisionDifferences, CollisionProblem};
use carom_trajectory::{Contact, ContactKind, Frame, Trajectory};
use std::fs;
use std::path::{Path, PathBuf};

/// Frames drawn; a wrong program differs in every frame, and the first ones tell why.
const MOST_FRAMES: u64 = 200;
/// Size of the plot in pixels.
const PLOT: [u32; 2] = [960, 400];
/// Points kept of each curve; when full, neighbours are joined and the larger stays.
const MOST_POINTS: usize = 4096;

/// Draws what differs into a folder.
pub(super) struct Pictures<'a> {
    painter: Painter<'a>,
    folder: PathBuf,
    /// Frames drawn, and frames that differ.
    drawn: u64,
    differing: u64,
    /// Largest distance of a body: positions, velocities, and positions of the free run.
    curves: [Peaks; 3],
    failure: Option<anyhow::Error>,
}

impl<'a> Pictures<'a> {
    /// Gets ready: the folder is made, and the picture fitted to the reference where the scene has no viewport.
    pub(super) fn new(
        file: &'a SceneFile,
        folder: &Path,
        reference: &mut Trajectory,
    ) -> Result<Pictures<'a>> {
        ensure!(!folder.is_file(), "{} is a file; pictures need a folder", folder.display());
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let extent = extent(&file.scene, reference)?;
        let [width, height] = film::fitted_size(&file.scene, &extent, film::SIDE);
        let view = View::new(&file.scene, &extent, width, height);
        let options = Options { time: true, ..Options::default() };
        Ok(Pictures {
            painter: Painter::new(&file.scene, view, options),
            folder: folder.to_owned(),
            drawn: 0,
            differing: 0,
            curves: Default::default(),
            failure: None,
        })
    }

    /// Takes a step into account; what goes wrong is told in the end.
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
        if !step.has_collisions {
            return Ok(());
        }
        let mut found = CollisionDifferences::default();
        found.add(expected.step, &expected.contacts, &got.contacts);
        if found.passes() {
            return Ok(());
        }
        self.differing += 1;
        if self.differing > MOST_FRAMES {
            return Ok(());
        }
        let lists = Lists::new(&found.first, expected, got);
        let trails = Trails::new(self.painter.scene());
        let picture = self.painter.paint_differences(expected, &trails, &lists.differences())?;
        picture_file::write(&self.folder.join(format!("frame{:05}.png", expected.step)), &picture)?;
        self.drawn += 1;
        Ok(())
    }

    /// Draws the plot. Gives a sentence about what is in the folder.
    pub(super) fn finish(self) -> Result<String> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
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
        let plot = chart.picture(PLOT[0], PLOT[1], &Theme::LIGHT);
        for ending in ["svg", "png"] {
            picture_file::write(&self.folder.join(format!("differences.{ending}")), &plot)?;
        }
        let first =
            if self.drawn < self.differing { format!("the first {} of ", self.drawn) } else { String::new() };
        Ok(format!(
            "{}: {first}{} frames whose collisions differ, and differences.svg",
            self.folder.display(),
            self.differing
        ))
    }
}

fn extent(scene: &Scene, reference: &mut Trajectory) -> Result<Extent> {
    let mut extent = Extent::default();
    if scene.general.viewport.is_none() {
        let mut frames = reference.frames();
        while let Some(frame) = frames.next_frame()? {
            extent.include(scene, frame);
        }
    }
    Ok(extent)
}

/// Largest difference of two lists of numbers; NaN where either is none, so that the curve breaks.
fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, |m, d| if d.is_nan() || d > m { d } else { m })
}

/// The contacts behind the differences of one frame.
#[derive(Default)]
struct Lists {
    missed: Vec<Contact>,
    superfluous: Vec<Contact>,
    wrong_normals: Vec<(Contact, Contact)>,
}

impl Lists {
    fn new(found: &[CollisionDifference], expected: &Frame, got: &Frame) -> Lists {
        let mut lists = Lists::default();
        for difference in found {
            let key = (difference.kind, difference.first, difference.second);
            let right = contact(&expected.contacts, key);
            let wrong = contact(&got.contacts, key);
            match (difference.problem, right, wrong) {
                (CollisionProblem::Missed, Some(right), _) => lists.missed.push(right),
                (CollisionProblem::Superfluous, _, Some(wrong)) => lists.superfluous.push(wrong),
                (CollisionProblem::WrongNormal, Some(right), Some(wrong)) => {
                    lists.wrong_normals.push((wrong, right));
                }
                _ => {}
            }
        }
        lists
    }

    fn differences(&self) -> Differences<'_> {
        Differences {
            missed: &self.missed,
            superfluous: &self.superfluous,
            wrong_normals: &self.wrong_normals,
        }
    }
}

fn contact(list: &[Contact], key: (ContactKind, u32, u32)) -> Option<Contact> {
    list.iter().find(|c| (c.kind, c.first, c.second) == key).copied()
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

    #[test]
    fn differences_that_are_no_numbers_are_seen() {
        assert_eq!(largest(&[1.0, 2.0], &[1.5, 2.0]), 0.5);
        assert!(largest(&[f64::NAN, 2.0], &[1.5, 2.0]).is_nan());
    }
}
