//! Light: a sun with shadows, a sky above and a pale ground below, a little from the camera; and
//! colours as amounts of light.

use std::sync::OnceLock;

use glam::DVec3;

use crate::color::Rgba;

/// Where light comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Towards the sun, of unit length.
    pub sun: DVec3,
    /// Up, of unit length: the sky is brighter than the ground.
    pub up: DVec3,
}

/// Shares of the light that a white surface sends back. A face turned to the sun from above comes
/// out in its own colour.
const SUN: f64 = 0.62;
const SKY: f64 = 0.40;
const BELOW: f64 = 0.20;
const CAMERA: f64 = 0.06;
/// Share of the light that the blackest surface sends back.
const BLACKEST: f64 = 0.015;

impl Light {
    /// A high sun, behind the camera and to its left: faces to the right are in the shade, and
    /// shadows fall away from the viewer.
    pub fn for_view(up: DVec3, forward: DVec3) -> Light {
        let up = up.try_normalize().unwrap_or(DVec3::Z);
        let level = forward - forward.dot(up) * up;
        let level = level.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
        let left = up.cross(level);
        Light { sun: (1.0 * up - 0.25 * level + 0.55 * left).normalize(), up }
    }

    /// The share of light that a white surface sends back; `sunlight` is 0 in the shadow.
    pub(super) fn on(&self, normal: DVec3, to_camera: DVec3, sunlight: f64) -> f64 {
        let sky = 0.5 + 0.5 * normal.dot(self.up);
        let sun = normal.dot(self.sun).max(0.0);
        SUN * sunlight * sun + BELOW + (SKY - BELOW) * sky + CAMERA * normal.dot(to_camera).max(0.0)
    }
}

/// Amounts of red, green and blue light, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Linear(pub(super) DVec3);

/// Steps of the table from amounts of light to bytes.
const STEPS: usize = 4096;

impl Linear {
    pub(super) fn of(color: Rgba) -> Linear {
        Linear::of_bytes([color.red, color.green, color.blue])
    }

    /// What a surface of this colour sends back. No paint is black: its shading is still seen.
    pub(super) fn surface(color: Rgba) -> Linear {
        Linear(Linear::of(color).0 * (1.0 - BLACKEST) + DVec3::splat(BLACKEST))
    }

    pub(super) fn of_bytes([red, green, blue]: [u8; 3]) -> Linear {
        static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
        let table = TABLE.get_or_init(|| (0..=255).map(|byte| to_linear(f64::from(byte) / 255.0)).collect());
        let [red, green, blue] = [red, green, blue].map(|byte| table[usize::from(byte)]);
        Linear(DVec3::new(red, green, blue))
    }

    pub(super) fn bytes(self) -> [u8; 3] {
        static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
        let table = TABLE.get_or_init(|| {
            let byte = |k: usize| (255.0 * to_srgb(k as f64 / STEPS as f64)).round() as u8;
            (0..=STEPS).map(byte).collect()
        });
        let entry = |amount: f64| table[(amount.clamp(0.0, 1.0) * STEPS as f64 + 0.5) as usize];
        [entry(self.0.x), entry(self.0.y), entry(self.0.z)]
    }

    pub(super) fn mixed_with(self, other: Linear, share: f64) -> Linear {
        Linear(self.0 + share * (other.0 - self.0))
    }
}

/// IEC 61966-2-1 (sRGB), both ways.
fn to_linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

fn to_srgb(amount: f64) -> f64 {
    if amount <= 0.003_130_8 { 12.92 * amount } else { 1.055 * libm::pow(amount, 1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_go_to_light_and_back() {
        for byte in 8..=255 {
            let bytes = [byte, 255 - byte, 40];
            let back = Linear::of_bytes(bytes).bytes();
            // The table is coarse in the dark.
            assert!(bytes.iter().zip(back).all(|(a, b)| a.abs_diff(b) <= 1 || *a < 12), "{bytes:?} {back:?}");
        }
    }

    #[test]
    fn turned_to_the_sun_is_brighter_than_away_and_shadow_is_darker() {
        let light = Light::for_view(DVec3::Z, DVec3::Y);
        let lit = light.on(DVec3::Z, DVec3::Z, 1.0);
        assert!(lit > 0.9 && lit < 1.1, "{lit}");
        assert!(light.on(DVec3::Z, DVec3::Z, 0.0) < 0.55 * lit);
        assert!(light.on(-DVec3::Z, DVec3::Z, 1.0) < 0.3 * lit);
        // The camera looks along +y: the sun is above, at negative x and behind it.
        assert!(light.sun.z > 0.7 && light.sun.x < -0.2 && light.sun.y < 0.0, "{:?}", light.sun);
    }
}
