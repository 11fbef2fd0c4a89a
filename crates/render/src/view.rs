//! Which part of the plane a picture shows, and where a point of it lands.

mod space;

use carom_scene::description::Viewport;
use carom_scene::{Scene, System};
use carom_trajectory::Frame;

use crate::display_list::Point;
use crate::picture::focus::Focus;
use crate::picture::shapes::reach;
use crate::spatial::Camera;
use crate::spatial::camera::Look;
pub(crate) use space::Space;
use space::SpaceExtent;

/// Share of the picture that is left free on each side when the view is fitted.
const FIT_MARGIN: f64 = 0.06;
/// Points kept of a run to judge where its bodies are; when full, every second one is dropped.
const MOST_SAMPLES: usize = 1 << 15;
/// Share of the samples at each end that may lie outside the view when a few bodies fly far away.
const FAR_SHARE: f64 = 0.02;
/// The view follows far bodies until it is this many times as large as what the others need.
const FAR_FACTOR: f64 = 2.0;

/// From the plane (y up) to a picture (y down), one scale for both axes; or from space, by a
/// camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    center: Point,
    pixels_per_unit: f64,
    width: u32,
    height: u32,
    space: Option<Space>,
}

impl View {
    /// The part of the plane that the scene asks for, or else a fit to `extent`.
    ///
    /// A `viewport` is a square around its centre with half side `size`: as the course's viewer
    /// takes it, a picture as wide as high shows exactly that square, and the longer side of
    /// another picture shows more. A `size` of zero or less means a fit.
    ///
    /// 3D scenes are seen by the camera that they ask for, or else by one that sees all of
    /// `extent`.
    pub fn new(scene: &Scene, extent: &Extent, width: u32, height: u32) -> View {
        if let System::SpatialBodies(scene) = &scene.system {
            let space = match &extent.space {
                Some(extent) => extent.space(width, height),
                None => SpaceExtent::new(scene).space(width, height),
            };
            return View { center: [0.0; 2], pixels_per_unit: 1.0, width, height, space: Some(space) };
        }
        match scene.general.viewport {
            Some(Viewport { center, size }) if is_usable(center, size) => {
                let shorter = f64::from(width.min(height).max(1));
                View { center, pixels_per_unit: shorter / (2.0 * size), width, height, space: None }
            }
            _ => View::fitted(extent, width, height),
        }
    }

    /// Everything in `extent` with a margin. An extent without size gets one unit of room.
    pub fn fitted(extent: &Extent, width: u32, height: u32) -> View {
        let nothing = Bounds { low: [-0.5, -0.5], high: [0.5, 0.5] };
        let Bounds { low, high } = extent.bounds().unwrap_or(nothing);
        let room = 1.0 - 2.0 * FIT_MARGIN;
        let scale = |pixels: u32, size: f64| f64::from(pixels.max(1)) * room / size;
        let largest = (high[0] - low[0]).max(high[1] - low[1]);
        // An extent without size still needs a scale; one unit is as good as any.
        let floor = if largest > 0.0 { largest * 1e-6 } else { 1.0 };
        let size = [(high[0] - low[0]).max(floor), (high[1] - low[1]).max(floor)];
        View {
            center: [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])],
            pixels_per_unit: scale(width, size[0]).min(scale(height, size[1])),
            width,
            height,
            space: None,
        }
    }

    /// A square of the plane in the middle of the picture, as large as it fits.
    pub fn around(focus: &Focus, width: u32, height: u32) -> View {
        let shorter = f64::from(width.min(height).max(1));
        View {
            center: focus.center,
            pixels_per_unit: shorter / (2.0 * focus.half),
            width,
            height,
            space: None,
        }
    }

    /// The same part of the plane in a picture of another size, at most this wide and high.
    pub(crate) fn within(&self, width: u32, height: u32) -> View {
        let factor = (f64::from(width) / f64::from(self.width.max(1)))
            .min(f64::from(height) / f64::from(self.height.max(1)));
        let side = |length: u32| ((f64::from(length) * factor).round() as u32).max(1);
        View {
            pixels_per_unit: self.pixels_per_unit * factor,
            width: side(self.width),
            height: side(self.height),
            ..*self
        }
    }

    /// The same view of a 3D scene from another place, by a camera of this angle in degrees;
    /// a view of the plane stays as it is.
    pub fn seen_from(self, eye: [f64; 3], target: [f64; 3], angle: f64) -> View {
        let [eye, target] = [eye, target].map(glam::DVec3::from_array);
        let moved = |space: Space| {
            let look = Look { eye, target, up: space.up, field_of_view: angle };
            Space { camera: Camera::new(look, self.width, self.height), ..space }
        };
        View { space: self.space.map(moved), ..self }
    }

    /// The camera of a 3D scene.
    pub fn camera(&self) -> Option<&Camera> {
        self.space.as_ref().map(|space| &space.camera)
    }

    /// Where a point lands; not a number when a camera does not see it. Views of the plane pass the
    /// third coordinate over.
    pub fn spot(&self, point: [f64; 3]) -> Point {
        match &self.space {
            Some(space) => space.camera.project(point.into()).unwrap_or([f64::NAN; 2]),
            None => self.place([point[0], point[1]]),
        }
    }

    /// A direction in the picture, as seen from a point: as long as 1, or shorter where it runs
    /// towards a camera or away from it. Absent when it has no length.
    pub fn direction(&self, at: [f64; 3], along: [f64; 3]) -> Option<Point> {
        let Some(space) = &self.space else {
            let length = libm::hypot(along[0], along[1]);
            return (length.is_finite() && length > 0.0).then(|| [along[0] / length, -along[1] / length]);
        };
        let along = glam::DVec3::from_array(along).try_normalize()?;
        let pixel = 1.0 / space.camera.pixels(1.0, at.into());
        let [from, to] = [self.spot(at), self.spot((glam::DVec3::from_array(at) + pixel * along).to_array())];
        Some([to[0] - from[0], to[1] - from[1]])
    }

    /// A length in pixels, at a point.
    pub fn scale_at(&self, length: f64, at: [f64; 3]) -> f64 {
        self.space.as_ref().map_or(self.scale(length), |space| space.camera.pixels(length, at.into()))
    }

    pub(crate) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }

    /// Where a point of the plane lands.
    pub fn place(&self, point: Point) -> Point {
        [
            0.5 * f64::from(self.width) + (point[0] - self.center[0]) * self.pixels_per_unit,
            0.5 * f64::from(self.height) - (point[1] - self.center[1]) * self.pixels_per_unit,
        ]
    }

    /// A length of the plane in pixels.
    pub fn scale(&self, length: f64) -> f64 {
        length * self.pixels_per_unit
    }

    /// Size of the picture.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }
}

fn is_usable(center: Point, size: f64) -> bool {
    center.iter().all(|c| c.is_finite()) && size.is_finite() && size > 0.0
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    low: Point,
    high: Point,
}

impl Bounds {
    fn around(point: Point, reach: f64) -> Bounds {
        Bounds { low: [point[0] - reach, point[1] - reach], high: [point[0] + reach, point[1] + reach] }
    }

    fn joined(a: Option<Bounds>, b: Bounds) -> Bounds {
        a.map_or(b, |a| Bounds {
            low: [a.low[0].min(b.low[0]), a.low[1].min(b.low[1])],
            high: [a.high[0].max(b.high[0]), a.high[1].max(b.high[1])],
        })
    }
}

/// Where the bodies of a run are, gathered frame by frame in bounded memory.
///
/// The fit shows all of it, unless a few bodies (2 % of all places at each side) fly so far that
/// the rest would shrink to less than half; then it shows the start and the rest.
#[derive(Debug, Clone, Default)]
pub struct Extent {
    start: Option<Bounds>,
    all: Option<Bounds>,
    samples: Vec<Point>,
    largest_reach: f64,
    stride: usize,
    seen: usize,
    space: Option<SpaceExtent>,
}

impl Extent {
    /// Of the scene alone, before anything moves; enough when only one picture is made.
    pub fn of_frame(scene: &Scene, frame: &Frame) -> Extent {
        let mut extent = Extent::default();
        extent.include(scene, frame);
        extent
    }

    /// Of a whole run.
    pub fn of_frames<'a>(scene: &Scene, frames: impl IntoIterator<Item = &'a Frame>) -> Extent {
        let mut extent = Extent::default();
        for frame in frames {
            extent.include(scene, frame);
        }
        extent
    }

    /// Adds one frame; the first one counts in full. Bodies whose place is not finite are passed
    /// over.
    pub fn include(&mut self, scene: &Scene, frame: &Frame) {
        if let System::SpatialBodies(scene) = &scene.system {
            self.space.get_or_insert_with(|| SpaceExtent::new(scene)).include(scene, frame);
            return;
        }
        let first = self.seen == 0;
        for (place, reach) in reach(scene, frame) {
            if !(place[0].is_finite() && place[1].is_finite() && reach.is_finite()) {
                continue;
            }
            let around = Bounds::around(place, reach);
            self.all = Some(Bounds::joined(self.all, around));
            if first {
                self.start = Some(Bounds::joined(self.start, around));
            }
            self.sample(place, reach);
        }
    }

    /// Width and height of what a fitted view shows, without its margin; `None` when nothing is
    /// finite.
    pub fn size(&self) -> Option<[f64; 2]> {
        if let Some(space) = &self.space {
            return space.shape();
        }
        let Bounds { low, high } = self.bounds()?;
        Some([high[0] - low[0], high[1] - low[1]])
    }

    fn sample(&mut self, place: Point, reach: f64) {
        self.largest_reach = self.largest_reach.max(reach);
        if self.seen.is_multiple_of(self.stride.max(1)) {
            self.samples.push(place);
        }
        self.seen += 1;
        if self.samples.len() >= MOST_SAMPLES {
            let mut keep = false;
            self.samples.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride = 2 * self.stride.max(1);
        }
    }

    fn bounds(&self) -> Option<Bounds> {
        let (all, start) = (self.all?, self.start?);
        let middle = Bounds::joined(Some(start), self.without_the_far()?);
        let size = |b: Bounds| (b.high[0] - b.low[0]).max(b.high[1] - b.low[1]);
        Some(if size(all) <= FAR_FACTOR * size(middle) { all } else { middle })
    }

    fn without_the_far(&self) -> Option<Bounds> {
        let mut low = [0.0; 2];
        let mut high = [0.0; 2];
        for axis in 0..2 {
            let mut values: Vec<f64> = self.samples.iter().map(|p| p[axis]).collect();
            values.sort_by(f64::total_cmp);
            let cut = (values.len() as f64 * FAR_SHARE) as usize;
            low[axis] = values.get(cut)? - self.largest_reach;
            high[axis] = values.get(values.len() - 1 - cut)? + self.largest_reach;
        }
        Some(Bounds { low, high })
    }
}
