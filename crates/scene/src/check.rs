//! The checks of the reader for scenes that were made in code.

use crate::description::Scene;
use crate::problem::Problems;
use crate::reader::{ReadOptions, read};
use crate::render::render;
use crate::writer::write;

/// Checks a scene that was made in code by writing it and reading it back: every limit, index and
/// length that a file must keep.
///
/// ```
/// use carom_scene::description::rigid::{Body, Integrator, PlanarMethod, Shape};
/// use carom_scene::{ReadOptions, RigidScene, Scene, check};
///
/// let mut system = RigidScene::new(Integrator { method: PlanarMethod::SymplecticEuler, dt: 0.01 });
/// let shape = Shape::Hollow { outline: vec![0, 1] }; // vertices that are not there
/// system.bodies.push(Body { shape, velocity: [0.0; 2], angular_velocity: 0.0, radius: 0.1, fixed: false });
/// let refusal = check(&Scene::rigid_bodies(1.0, system), &ReadOptions::default()).unwrap_err();
/// assert!(refusal.to_string().contains("there is no `rigidbodyvertex` 0"));
/// ```
pub fn check(scene: &Scene, options: &ReadOptions) -> Result<(), Refusal> {
    let text = write(scene);
    let problems = read(&text, options).problems;
    if problems.errors() == 0 { Ok(()) } else { Err(Refusal { text, problems }) }
}

/// Why a scene that was made in code is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The scene as a file.
    pub text: String,
    /// What is wrong with it, with places in the text.
    pub problems: Problems,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&render(&self.problems, "scene", &self.text, false))
    }
}

impl std::error::Error for Refusal {}
