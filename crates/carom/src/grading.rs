//! The grader's job: every step from the reference's previous frame.

use carom_scene::description::particles::Response;
use carom_scene::{Scene, System};
use carom_trajectory::course::CourseRecords;

/// How the course's program lays out the file of a scene; `None` for scenes that it cannot run.
pub fn course_records(scene: &Scene) -> Option<CourseRecords> {
    match &scene.system {
        System::RigidBodies(_) => Some(CourseRecords::RigidBodies),
        System::Particles(system) => match system.collision.response {
            Response::None | Response::Penalty(_) => Some(CourseRecords::Plain),
            Response::Simple => Some(CourseRecords::Simple),
            Response::ContinuousTime => Some(CourseRecords::ContinuousTime),
            Response::Hybrid { .. } => Some(CourseRecords::Hybrid),
        },
    }
}
