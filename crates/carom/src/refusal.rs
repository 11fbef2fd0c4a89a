//! Where in a scene's text the reason stands why a scene that was read cannot be run.

use crate::build::BuildError;
use crate::meshes::MeshError;
use carom_scene::{Problem, Scene, Severity, SourceMap, System};

/// The problem of a scene that a world refuses, at the body that is to blame; nothing where no
/// single body is.
pub fn build_problem(scene: &Scene, map: &SourceMap, error: &BuildError) -> Option<Problem> {
    match error {
        BuildError::Shape { body, error } => body_problem(scene, map, *body, &error.to_string()),
        BuildError::MeshFile { body, .. } => body_problem(scene, map, *body, &error.to_string()),
        BuildError::SpatialBodies(carom_rigid3d::ModelError::Body { body, fault }) => {
            body_problem(scene, map, *body, &fault.to_string())
        }
        BuildError::RigidBodies(carom_rigid2d::ModelError::Body { body, fault }) => {
            body_problem(scene, map, *body, &fault.to_string())
        }
        _ => None,
    }
}

/// The problem of a scene that names a file which is no body.
pub fn mesh_problem(scene: &Scene, map: &SourceMap, error: &MeshError) -> Option<Problem> {
    body_problem(scene, map, error.body, &error.to_string())
}

fn body_problem(scene: &Scene, map: &SourceMap, body: usize, message: &str) -> Option<Problem> {
    let (tag, ordinal) = match &scene.system {
        System::Particles(_) => None,
        System::RigidBodies(system) => system.tag_of(body),
        System::SpatialBodies(system) => system.tag_of(body),
    }?;
    let attribute = ["file", "p"].into_iter().find(|name| map.values(tag, ordinal, name).next().is_some());
    let span = map.span(tag, ordinal, attribute)?;
    Some(Problem::new(Severity::Error, span, message).label(format!("body {body}")).at(tag, attribute))
}
