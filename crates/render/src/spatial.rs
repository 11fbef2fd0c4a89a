//! 3D solids, drawn by a small renderer of our own: a z-buffer with nine samples a pixel, one
//! sun with shadows, light from the sky.
//!
//! A [`Stage`] is plain data: a camera, solids with their poses, the light. It stands in a display
//! list as one item. The raster draws it in pixels; SVG holds those pixels as an image, with
//! everything else (arrows, contacts, words) as shapes over it.
//!
//! A plane in space has an inverse depth that is linear in the picture, so faces need no
//! interpolation and half-spaces no size: a face is a convex polygon of the picture with such a
//! plane, a half-space is the plane alone. Spheres are met by rays, exactly.

pub mod camera;
mod face;
mod light;
pub mod mesh;
mod prepared;
mod shade;
mod shadow;
mod zbuffer;

use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::color::Rgba;
pub use camera::Camera;
pub use light::Light;
pub use mesh::Mesh;

/// Everything that one picture of solids needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Who looks, from where.
    pub camera: Camera,
    /// Where light comes from.
    pub light: Light,
    /// Colour behind everything; far ground fades into it.
    pub background: Rgba,
    /// What is seen.
    pub solids: Vec<Solid>,
    /// About how large the scene is: sets the spacing of the lines on the ground and where it
    /// fades.
    pub size: f64,
    /// The middle of the scene: the ground fades around it.
    pub center: DVec3,
    /// Lines along the edges of faces.
    pub edges: bool,
}

/// A solid body with its pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// What it is, in body axes.
    pub form: Form,
    /// Where its origin is.
    pub position: DVec3,
    /// Body axes to world axes; of unit length.
    pub orientation: DQuat,
    /// Colour.
    pub color: Rgba,
}

/// The form of a solid, in body axes about its origin.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A ball; alternate eighths are a little lighter, so that its turning is seen.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// Flat faces.
    Mesh(Arc<Mesh>),
    /// Everything behind a plane through the origin. Seen only from its front; casts no shadow.
    HalfSpace {
        /// Out of the solid; of unit length.
        normal: DVec3,
    },
}

impl Solid {
    /// Whether every number is one that can be drawn.
    pub fn is_finite(&self) -> bool {
        let form = match &self.form {
            Form::Sphere { radius } => radius.is_finite() && *radius >= 0.0,
            Form::Mesh(mesh) => mesh.reach().is_finite(),
            Form::HalfSpace { normal } => normal.is_finite(),
        };
        form && self.position.is_finite() && self.orientation.is_finite()
    }

    /// Greatest distance of a point of it from its origin; infinite for a half-space.
    pub fn reach(&self) -> f64 {
        match &self.form {
            Form::Sphere { radius } => *radius,
            Form::Mesh(mesh) => mesh.reach(),
            Form::HalfSpace { .. } => f64::INFINITY,
        }
    }
}

/// A surface in less than full light: `share` is of the bytes, so that steps look even.
pub(crate) fn shade(color: Rgba, share: f64) -> Rgba {
    let full = light::Linear::surface(color).bytes();
    let [red, green, blue] = full.map(|byte| (f64::from(byte) * share).round() as u8);
    Rgba::opaque(red, green, blue)
}

/// Draws a stage over pixels: rows from the top, four bytes each.
pub(crate) fn draw(stage: &Stage, pixels: &mut [u8], [width, height]: [u32; 2]) {
    let prepared = prepared::Prepared::new(stage);
    let shadows = shadow::ShadowMap::new(stage, &prepared);
    let shader = shade::Shader::new(stage, &shadows);
    zbuffer::draw(&prepared, &shader, pixels, [width as usize, height as usize]);
}
