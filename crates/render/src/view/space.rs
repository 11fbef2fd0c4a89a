//! Where the bodies of a 3D run are, and the camera that sees them.

use carom_scene::description::spatial::SpatialScene;
use carom_trajectory::Frame;
use glam::DVec3;

use super::{FAR_FACTOR, FAR_SHARE, MOST_SAMPLES};
use crate::color::Rgba;
use crate::picture::cast::{Cast, up};
use crate::spatial::Camera;
use crate::spatial::camera::Look;

/// A camera, and about where and how large the scene is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Space {
    pub(crate) camera: Camera,
    pub(crate) center: DVec3,
    pub(crate) size: f64,
    /// Against gravity.
    pub(crate) up: DVec3,
}

/// Where the bodies of a run are, gathered frame by frame in bounded memory, as [`super::Extent`]
/// does for the plane.
#[derive(Debug, Clone)]
pub(super) struct SpaceExtent {
    cast: Cast,
    up: DVec3,
    /// The camera that the scene asks for.
    given: Option<Look>,
    start: Vec<(DVec3, f64)>,
    samples: Vec<(DVec3, f64)>,
    all: Option<[DVec3; 2]>,
    stride: usize,
    seen: usize,
}

impl SpaceExtent {
    pub(super) fn new(scene: &SpatialScene) -> SpaceExtent {
        let cast = Cast::new(scene, Rgba::WHITE);
        let given = scene.camera.map(|camera| Look {
            eye: DVec3::from_array(camera.eye),
            target: DVec3::from_array(camera.target),
            up: DVec3::from_array(camera.up),
            field_of_view: camera.field_of_view,
        });
        let given = given.filter(Look::is_usable);
        let (start, samples) = (Vec::new(), Vec::new());
        SpaceExtent { cast, up: up(scene), given, start, samples, all: None, stride: 1, seen: 0 }
    }

    pub(super) fn include(&mut self, scene: &SpatialScene, frame: &Frame) {
        let places = self.cast.places(scene, frame);
        let places: Vec<_> = places.into_iter().filter(|(p, r)| p.is_finite() && r.is_finite()).collect();
        for &(place, reach) in &places {
            self.all = Some(joined(self.all, [place - reach, place + reach]));
            if self.seen.is_multiple_of(self.stride) {
                self.samples.push((place, reach));
            }
            self.seen += 1;
            if self.samples.len() >= MOST_SAMPLES {
                self.samples = self.samples.iter().step_by(2).copied().collect();
                self.stride *= 2;
            }
        }
        if self.start.is_empty() {
            self.start = places;
        }
    }

    /// What a fitted view holds: all of it, unless a few bodies fly far away; then the start and
    /// the rest.
    fn held(&self) -> Vec<(DVec3, f64)> {
        let every = self.start.iter().chain(&self.samples).copied();
        let (Some(all), Some(middle)) = (self.all, self.middle()) else { return every.collect() };
        let size = |[low, high]: [DVec3; 2]| (high - low).max_element();
        if size(all) <= FAR_FACTOR * size(middle) {
            return every.collect();
        }
        let inside = |(p, _): &(DVec3, f64)| p.cmpge(middle[0]).all() && p.cmple(middle[1]).all();
        every.filter(inside).collect()
    }

    /// The start, and where most are most of the time.
    fn middle(&self) -> Option<[DVec3; 2]> {
        let mut low = DVec3::ZERO;
        let mut high = DVec3::ZERO;
        for axis in 0..3 {
            let mut values: Vec<f64> = self.samples.iter().map(|(p, _)| p[axis]).collect();
            values.sort_by(f64::total_cmp);
            let cut = (values.len() as f64 * FAR_SHARE) as usize;
            low[axis] = *values.get(cut)?;
            high[axis] = *values.get(values.len() - 1 - cut)?;
        }
        let start = self.start.iter().fold(None, |all, (p, r)| Some(joined(all, [*p - *r, *p + *r])));
        Some(joined(start, [low, high]))
    }

    /// The camera that the scene asks for, or one that sees everything.
    pub(super) fn space(&self, width: u32, height: u32) -> Space {
        let held = self.held();
        let bounds = held.iter().fold(None, |all, (p, r)| Some(joined(all, [*p - *r, *p + *r])));
        let [low, high] = bounds.unwrap_or([DVec3::NEG_ONE, DVec3::ONE]);
        let camera = match self.given {
            Some(look) => Camera::new(look, width, height),
            None => Camera::fitted(&held, self.up, width, height),
        };
        let size = 0.5 * (high - low).length();
        Space { camera, center: 0.5 * (low + high), size: if size > 0.0 { size } else { 1.0 }, up: self.up }
    }

    /// Width and height of what the camera sees of it, in pixels of a square picture; absent when
    /// nothing is there.
    pub(super) fn shape(&self) -> Option<[f64; 2]> {
        let camera = self.space(1000, 1000).camera;
        let mut bounds: Option<[[f64; 2]; 2]> = None;
        for (place, reach) in self.held() {
            let Some(at) = camera.project(place) else { continue };
            let r = camera.pixels(reach, place);
            let [low, high] = bounds.unwrap_or([at, at]);
            bounds = Some([
                [low[0].min(at[0] - r), low[1].min(at[1] - r)],
                [high[0].max(at[0] + r), high[1].max(at[1] + r)],
            ]);
        }
        bounds.map(|[low, high]| [high[0] - low[0], high[1] - low[1]])
    }
}

fn joined(a: Option<[DVec3; 2]>, b: [DVec3; 2]) -> [DVec3; 2] {
    a.map_or(b, |a| [a[0].min(b[0]), a[1].max(b[1])])
}
