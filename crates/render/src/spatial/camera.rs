//! The camera: where points of space land, and how far it must stand off to see all of them.

use glam::{DMat3, DVec3};

/// Angle from the lower to the upper border of a picture, in degrees, when nothing is said: that of
/// a lens of about 50 mm.
pub const FIELD_OF_VIEW: f64 = 30.0;
/// Share of the picture that is left free on each side when the camera is fitted.
const FIT_MARGIN: f64 = 0.06;
/// Nothing nearer than this share of the distance to the target is drawn.
const NEAR_SHARE: f64 = 1e-3;
/// The camera of a fit looks down by this angle, and stands to the right of the middle by that one,
/// in degrees.
const FIT_DOWN: f64 = 22.0;
const FIT_ASIDE: f64 = 28.0;

/// A pinhole camera with its picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    eye: DVec3,
    /// World to camera axes: x to the right, y up, z towards the eye.
    axes: DMat3,
    /// Pixels of a unit at unit depth.
    focal: f64,
    width: u32,
    height: u32,
    near: f64,
}

/// How a camera stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Where it is.
    pub eye: DVec3,
    /// What lies in the middle of the picture.
    pub target: DVec3,
    /// What is up; need not be square to the line of sight.
    pub up: DVec3,
    /// Angle from the lower to the upper border of the picture, in degrees.
    pub field_of_view: f64,
}

impl Look {
    /// Whether it says where to look: finite numbers, an eye away from its target, an angle above 0
    /// and below 180.
    pub fn is_usable(&self) -> bool {
        let apart = (self.target - self.eye).length_squared();
        let finite = self.eye.is_finite() && self.target.is_finite() && self.up.is_finite();
        finite && apart.is_finite() && apart > 0.0 && self.field_of_view > 0.0 && self.field_of_view < 180.0
    }
}

impl Camera {
    /// A camera at a given place. One that is not usable looks at the origin from afar.
    pub fn new(look: Look, width: u32, height: u32) -> Camera {
        let look = if look.is_usable() { look } else { fallback(look.up) };
        let back = (look.eye - look.target).normalize();
        let half = 0.5 * look.field_of_view.to_radians();
        let focal = 0.5 * f64::from(height.max(1)) * libm::cos(half) / libm::sin(half);
        let near = NEAR_SHARE * (look.eye - look.target).length();
        Camera { eye: look.eye, axes: axes(back, look.up), focal, width, height, near }
    }

    /// A camera that looks a little down on the points and sees every one with the distance around
    /// it, with a margin.
    ///
    /// In camera axes a point p is left of the right border when p_x − e_x ≤ τ (e_z − p_z), with τ
    /// the tangent of half the angle of view; the greatest p_x + τ p_z of all points therefore
    /// bounds e_x + τ e_z from below, and the other three borders give as much. The eye is the
    /// nearest that meets all four.
    pub fn fitted(points: &[(DVec3, f64)], up: DVec3, width: u32, height: u32) -> Camera {
        let up = up.try_normalize().unwrap_or(DVec3::Z);
        let axes = axes(fit_direction(up), up);
        let half = 0.5 * FIELD_OF_VIEW.to_radians();
        let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
        let focal = 0.5 * h * libm::cos(half) / libm::sin(half);
        let room = 1.0 - 2.0 * FIT_MARGIN;
        let slopes = [0.5 * w * room / focal, 0.5 * h * room / focal];
        let mut most = [[f64::NEG_INFINITY; 2]; 2];
        let mut nearest = f64::NEG_INFINITY;
        for (point, reach) in points.iter().filter(|(p, r)| p.is_finite() && r.is_finite()) {
            let p = axes * *point;
            nearest = nearest.max(p.z + reach);
            for (axis, along) in [p.x, p.y].into_iter().enumerate() {
                let around = reach * (1.0 + slopes[axis] * slopes[axis]).sqrt();
                for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
                    most[axis][side] = most[axis][side].max(sign * along + slopes[axis] * p.z + around);
                }
            }
        }
        if !nearest.is_finite() {
            return Camera::new(fallback(up), width, height);
        }
        let depth = |axis: usize| (most[axis][0] + most[axis][1]) / (2.0 * slopes[axis]);
        let z = depth(0).max(depth(1));
        // Points without size still need a distance; one unit shows them.
        let z = if z - nearest > 1e-9 * nearest.abs() { z } else { nearest + 1.0 / slopes[1] };
        let eye = DVec3::new(0.5 * (most[0][0] - most[0][1]), 0.5 * (most[1][0] - most[1][1]), z);
        let near = NEAR_SHARE * (z - nearest).max(NEAR_SHARE);
        Camera { eye: axes.transpose() * eye, axes, focal, width, height, near }
    }

    /// Size of the picture.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The same view in a picture that is `factor` times as fine.
    pub fn scaled(&self, factor: u32) -> Camera {
        let (width, height) = (self.width.saturating_mul(factor), self.height.saturating_mul(factor));
        Camera { focal: self.focal * f64::from(factor), width, height, ..*self }
    }

    /// Where it stands.
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Where it looks, of unit length.
    pub fn forward(&self) -> DVec3 {
        -self.axes.transpose().z_axis
    }

    /// Up in its picture, of unit length.
    pub fn upward(&self) -> DVec3 {
        self.axes.transpose().y_axis
    }

    /// Where a point lands; absent when it is behind the camera or too near.
    pub fn project(&self, point: DVec3) -> Option<[f64; 2]> {
        let local = self.local(point);
        (-local.z > self.near).then(|| self.place(local))
    }

    /// Pixels of a length at a point that is in front of the camera.
    pub fn pixels(&self, length: f64, point: DVec3) -> f64 {
        length * self.focal / (-self.local(point).z).max(self.near)
    }

    /// A point in camera axes about the eye.
    pub(super) fn local(&self, point: DVec3) -> DVec3 {
        self.axes * (point - self.eye)
    }

    /// A direction in camera axes.
    pub(super) fn turned(&self, direction: DVec3) -> DVec3 {
        self.axes * direction
    }

    /// Back from camera axes.
    pub(super) fn world(&self, local: DVec3) -> DVec3 {
        self.eye + self.axes.transpose() * local
    }

    /// Where a point in camera axes lands; it must be in front.
    pub(super) fn place(&self, local: DVec3) -> [f64; 2] {
        let scale = self.focal / -local.z;
        [0.5 * f64::from(self.width) + scale * local.x, 0.5 * f64::from(self.height) - scale * local.y]
    }

    /// The ray through a point of the picture, in camera axes, of unit depth.
    pub(super) fn ray(&self, [x, y]: [f64; 2]) -> DVec3 {
        let (w, h) = (f64::from(self.width), f64::from(self.height));
        DVec3::new((x - 0.5 * w) / self.focal, (0.5 * h - y) / self.focal, -1.0)
    }

    /// Inverse depth of the plane n·p = d (camera axes) over the picture: a x + b y + c.
    pub(super) fn inverse_depth(&self, normal: DVec3, offset: f64) -> [f64; 3] {
        let (w, h) = (f64::from(self.width), f64::from(self.height));
        let a = normal.x / (self.focal * offset);
        let b = -normal.y / (self.focal * offset);
        [a, b, -normal.z / offset - 0.5 * w * a - 0.5 * h * b]
    }

    pub(super) fn near(&self) -> f64 {
        self.near
    }

    pub(super) fn focal(&self) -> f64 {
        self.focal
    }
}

/// Rows are the camera's axes.
fn axes(back: DVec3, up: DVec3) -> DMat3 {
    let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
    DMat3::from_cols(right, back.cross(right), back).transpose()
}

/// From the scene to the camera of a fit.
fn fit_direction(up: DVec3) -> DVec3 {
    // With z up the camera stands at negative y, so that x runs to the right.
    let toward = if up.z.abs() > 0.9 { -DVec3::Y } else { DVec3::Z };
    let front = (toward - toward.dot(up) * up).try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
    let aside = up.cross(front);
    let (down, turn) = (FIT_DOWN.to_radians(), FIT_ASIDE.to_radians());
    let level = libm::cos(turn) * front + libm::sin(turn) * aside;
    libm::cos(down) * level + libm::sin(down) * up
}

fn fallback(up: DVec3) -> Look {
    let up = up.try_normalize().unwrap_or(DVec3::Z);
    Look { eye: 10.0 * fit_direction(up), target: DVec3::ZERO, up, field_of_view: FIELD_OF_VIEW }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight() -> Camera {
        // Looks along −z from ten units away; the picture is 2·10·tan(45°) = 20 units high at the
        // target.
        let look =
            Look { eye: DVec3::new(0.0, 0.0, 10.0), target: DVec3::ZERO, up: DVec3::Y, field_of_view: 90.0 };
        Camera::new(look, 400, 200)
    }

    #[test]
    fn points_land_where_similar_triangles_put_them() {
        let camera = straight();
        let near = |a: [f64; 2], b: [f64; 2]| {
            assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} {b:?}");
        };
        near(camera.project(DVec3::ZERO).unwrap(), [200.0, 100.0]);
        // Ten pixels a unit at the target, twenty half-way.
        near(camera.project(DVec3::new(3.0, 4.0, 0.0)).unwrap(), [230.0, 60.0]);
        near(camera.project(DVec3::new(3.0, 4.0, 5.0)).unwrap(), [260.0, 20.0]);
        assert_eq!(camera.project(DVec3::new(0.0, 0.0, 11.0)), None);
    }

    #[test]
    fn rays_and_inverse_depths_lead_back_to_the_point() {
        let camera = Camera::fitted(&[(DVec3::new(1.0, 2.0, 0.5), 2.0)], DVec3::Z, 300, 200);
        let point = DVec3::new(1.3, 1.1, 0.2);
        let at = camera.project(point).unwrap();
        let local = camera.local(point);
        assert!((camera.ray(at) * -local.z - local).length() < 1e-9);
        let normal = DVec3::new(0.3, -0.5, 0.8).normalize();
        let [a, b, c] = camera.inverse_depth(camera.turned(normal), camera.turned(normal).dot(local));
        assert!((a * at[0] + b * at[1] + c - 1.0 / -local.z).abs() < 1e-12);
        assert!((camera.world(local) - point).length() < 1e-12);
    }

    #[test]
    fn a_fit_sees_every_point_and_wastes_no_room() {
        let points: Vec<(DVec3, f64)> = (0..50)
            .map(f64::from)
            .map(|k| (DVec3::new(libm::sin(k) * 3.0, libm::cos(1.7 * k), libm::sin(2.3 * k) * 0.5), 0.0))
            .collect();
        for (width, height) in [(400, 200), (200, 400), (300, 300)] {
            let camera = Camera::fitted(&points, DVec3::Z, width, height);
            let (w, h) = (f64::from(width), f64::from(height));
            let mut least = f64::INFINITY;
            for (point, _) in &points {
                let [x, y] = camera.project(*point).unwrap();
                let room = [x / w, 1.0 - x / w, y / h, 1.0 - y / h];
                least = room.into_iter().fold(least, f64::min);
            }
            assert!((least - FIT_MARGIN).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn what_cannot_be_fitted_or_looked_at_still_gives_a_camera() {
        let nothing = Camera::fitted(&[(DVec3::splat(f64::NAN), 1.0)], DVec3::Z, 10, 10);
        assert!(nothing.project(DVec3::ZERO).is_some());
        let one = Camera::fitted(&[(DVec3::ONE, 0.0)], DVec3::ZERO, 10, 10);
        assert!(one.project(DVec3::ONE).is_some());
        let look = Look { eye: DVec3::ONE, target: DVec3::ONE, up: DVec3::Z, field_of_view: 30.0 };
        assert!(Camera::new(look, 10, 10).project(DVec3::ZERO).is_some());
    }
}
