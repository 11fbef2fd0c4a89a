//! The colour of a primitive at a point of the picture.

use glam::DVec3;

use super::Stage;
use super::light::Linear;
use super::prepared::{Ball, Face, Plane, Primitive};
use super::shadow::ShadowMap;

/// Thickness in pixels of the line along an edge on each of its faces, and around a sphere.
const LINE: f64 = 1.1;
/// Share of a surface's own light that a line on it keeps; dark surfaces get light lines instead.
const LINE_SHARE: f64 = 0.30;
const DARK: f64 = 0.03;
const LIGHT_LINE: f64 = 0.22;
/// Alternate eighths of a sphere are this much lighter and darker.
const EIGHTHS: f64 = 0.16;
/// Half of the thickness in pixels of the lines on the ground, and how dark they are.
const GRID_HALF: f64 = 0.55;
const GRID: f64 = 0.14;
/// The ground begins to fade at this many times the size of the scene from its middle, and is gone
/// at that many.
const FADE: [f64; 2] = [1.2, 5.0];

/// Shades primitives of one stage.
pub(super) struct Shader<'a> {
    stage: &'a Stage,
    shadows: &'a ShadowMap,
    background: Linear,
    spacing: f64,
}

impl<'a> Shader<'a> {
    pub(super) fn new(stage: &'a Stage, shadows: &'a ShadowMap) -> Shader<'a> {
        Shader { stage, shadows, background: Linear::of(stage.background), spacing: spacing(stage.size) }
    }

    /// The ray through a point of the picture.
    #[inline]
    pub(super) fn ray(&self, at: [f64; 2]) -> DVec3 {
        self.stage.camera.ray(at)
    }

    pub(super) fn color(&self, primitive: &Primitive, at: [f64; 2]) -> Linear {
        match primitive {
            Primitive::Face(face) => self.face(face, at),
            Primitive::Ball(ball) => self.ball(ball, at),
            Primitive::Plane(plane) => self.plane(plane, at),
        }
    }

    fn face(&self, face: &Face, at: [f64; 2]) -> Linear {
        let point = self.point(face.inverse, at);
        let light = self.light(point, face.normal);
        let color = Linear(face.color.0 * light);
        if self.stage.edges { with_line(color, line_share(face, at)) } else { color }
    }

    fn ball(&self, ball: &Ball, at: [f64; 2]) -> Linear {
        let camera = &self.stage.camera;
        let ray = self.ray(at);
        // A sample at the very rim may miss it by rounding: the nearest point of the ray stands in.
        let depth = ball.depth(ray).unwrap_or_else(|| ray.dot(ball.center) / ray.length_squared());
        let local = ray * depth;
        let point = camera.world(local);
        let normal = (point - camera.world(ball.center)).normalize_or(-camera.forward());
        let body = ball.turn * normal;
        let eighth = if (body.x * body.y * body.z) > 0.0 { 1.0 + EIGHTHS } else { 1.0 - EIGHTHS };
        let color = Linear(ball.color.0 * (self.light(point, normal) * eighth));
        let facing = (normal.dot((camera.eye() - point).normalize_or_zero())).clamp(0.0, 1.0);
        let pixels = ball.radius * camera.focal() / depth;
        let rim = pixels * (1.0 - (1.0 - facing * facing).sqrt());
        if self.stage.edges { with_line(color, (LINE + 0.5 - rim).clamp(0.0, 1.0)) } else { color }
    }

    fn plane(&self, plane: &Plane, at: [f64; 2]) -> Linear {
        let point = self.point(plane.inverse, at);
        let away = (point - self.stage.center).length() / self.stage.size;
        let gone = ((away - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
        if gone >= 1.0 || !away.is_finite() {
            return self.background;
        }
        let lit = plane.color.0 * self.light(point, plane.normal);
        let (right, below) = (
            self.point(plane.inverse, [at[0] + 1.0, at[1]]),
            self.point(plane.inverse, [at[0], at[1] + 1.0]),
        );
        let first = square_to(plane.normal);
        let mut line: f64 = 0.0;
        for axis in [first, plane.normal.cross(first)] {
            let along = axis.dot(point);
            let pixel = axis.dot(right - point).abs() + axis.dot(below - point).abs();
            let off = (along - (along / self.spacing).round() * self.spacing).abs();
            let cover = ((GRID_HALF + 0.5) - off / pixel).clamp(0.0, 1.0);
            // Lines that run together in the distance fade before they shimmer.
            line = line.max(cover * (1.0 - 3.0 * pixel / self.spacing).clamp(0.0, 1.0));
        }
        let color = Linear(lit * (1.0 - GRID * line));
        color.mixed_with(self.background, gone * gone * (3.0 - 2.0 * gone))
    }

    /// The point of a plane that is seen.
    fn point(&self, [a, b, c]: [f64; 3], at: [f64; 2]) -> DVec3 {
        let inverse = a * at[0] + b * at[1] + c;
        self.stage.camera.world(self.ray(at) / inverse)
    }

    fn light(&self, point: DVec3, normal: DVec3) -> f64 {
        let light = &self.stage.light;
        let sunlight = if normal.dot(light.sun) > 0.0 { self.shadows.sunlight(point, normal) } else { 0.0 };
        let to_camera = (self.stage.camera.eye() - point).normalize_or_zero();
        light.on(normal, to_camera, sunlight)
    }
}

/// How much of a pixel the lines along the edges of a face cover.
fn line_share(face: &Face, at: [f64; 2]) -> f64 {
    let mut nearest = f64::INFINITY;
    for (k, &a) in face.points.iter().enumerate() {
        if !face.creases[k] {
            continue;
        }
        let b = face.points[(k + 1) % face.points.len()];
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let across = (at[0] - a[0]) * along[1] - (at[1] - a[1]) * along[0];
        nearest = nearest.min(if length > 0.0 { across.abs() / length } else { f64::INFINITY });
    }
    (LINE + 0.5 - nearest).clamp(0.0, 1.0)
}

fn with_line(color: Linear, share: f64) -> Linear {
    let line = if color.0.max_element() < DARK {
        Linear(color.0 + DVec3::splat(LIGHT_LINE))
    } else {
        Linear(color.0 * LINE_SHARE)
    };
    color.mixed_with(line, share)
}

/// A direction in a plane: along x where that is possible.
fn square_to(normal: DVec3) -> DVec3 {
    let along = if normal.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    (along - along.dot(normal) * normal).normalize_or(DVec3::Z)
}

/// One, two or five times a power of ten, near a sixth of the size.
fn spacing(size: f64) -> f64 {
    let wanted = size / 6.0;
    if !(wanted.is_finite() && wanted > 0.0) {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::log10(wanted).floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs())).unwrap_or(1.0)
}
