//! What is written reads back equal, in both modes.

use crate::generator;

use carom_scene::description::particles::{ParticleMethod, Response};
use carom_scene::description::rigid;
use carom_scene::{ParticleScene, ReadOptions, RigidScene, Scene, System, read, render, write};
use proptest::prelude::*;

/// What the course's program makes of a scene.
#[derive(PartialEq)]
enum Course {
    /// The same scene.
    Same,
    /// Another scene, or none: it passes over tags and attributes that it does not know.
    Other,
    /// It refuses a name that it does not know.
    Refused,
}

fn course(scene: &Scene) -> Course {
    match &scene.system {
        System::Particles(scene) => particles_in_course(scene),
        System::RigidBodies(scene) => bodies_in_course(scene),
        System::SpatialBodies(_) => Course::Refused,
    }
}

fn particles_in_course(scene: &ParticleScene) -> Course {
    use ParticleMethod::{DormandPrince, RungeKutta4, VelocityVerlet};
    use Response::{ContinuousTime, Hybrid, None, Penalty, Simple};
    let known =
        matches!(scene.collision.response, None | Simple | Penalty(_) | ContinuousTime | Hybrid { .. });
    match scene.integrator.method {
        VelocityVerlet | RungeKutta4 | DormandPrince { .. } => Course::Refused,
        _ if !known => Course::Refused,
        _ if scene.collision.friction != 0.0 => Course::Other,
        _ if scene.half_planes.iter().any(|plane| plane.velocity != [0.0; 2]) => Course::Other,
        _ => Course::Same,
    }
}

fn bodies_in_course(scene: &RigidScene) -> Course {
    use rigid::{CollisionHandling, Response, Shape};
    let response = scene.contact.map(|contact| contact.response);
    let unknown = matches!(response, Some(Response::Impulse | Response::Penalty { .. }));
    if unknown || scene.integrator.method == rigid::PlanarMethod::VelocityVerlet {
        return Course::Refused;
    }
    let plain = scene.contact == response.map(CollisionHandling::new)
        && scene.keys.is_empty()
        && scene.motions.is_empty()
        && scene.bodies.iter().all(|body| matches!(body.shape, Shape::Hollow { .. }));
    if plain { Course::Same } else { Course::Other }
}

/// Without surfaces, timed forces, drag and damping, which the course's program passes over.
fn without_ours(mut scene: Scene) -> Scene {
    match &mut scene.system {
        System::Particles(system) => {
            system.surfaces.clear();
            system.forces.timed.clear();
        }
        System::RigidBodies(system) => {
            system.surfaces.clear();
            system.timed.clear();
            system.drags.clear();
            system.springs.iter_mut().for_each(|spring| spring.damping = 0.0);
        }
        System::SpatialBodies(_) => {}
    }
    scene
}

/// Equal bit for bit: `==` does not tell the two zeros apart.
fn same_bits(one: &Scene, other: &Scene) -> bool {
    format!("{one:?}") == format!("{other:?}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_scenes_read_back_equal(scene in generator::scene()) {
        let text = write(&scene);
        let reading = read(&text, &ReadOptions { course: false, strict: true });
        prop_assert!(reading.problems.is_empty(), "{}", render(&reading.problems, "scene", &text, false));
        let again = reading.scene.unwrap();
        prop_assert!(same_bits(&again, &scene), "{again:#?}\n{scene:#?}");
        prop_assert_eq!(write(&again), text);
    }

    #[test]
    fn the_course_reads_what_it_knows_the_same(scene in generator::scene().prop_map(without_ours)) {
        let text = write(&scene);
        let reading = read(&text, &ReadOptions { course: true, strict: false });
        if course(&scene) == Course::Refused {
            prop_assert!(reading.scene.is_none());
        } else if course(&scene) == Course::Same {
            // Colours of bodies go by their order there, so only their number is compared.
            let mut again = reading.scene;
            // Knobs have no effect, and the course's program passes them over.
            if let Some(again) = &mut again {
                again.general.knobs.clone_from(&scene.general.knobs);
                again.general.wrap = scene.general.wrap;
            }
            if let (Some(System::RigidBodies(again)), System::RigidBodies(scene)) =
                (again.as_mut().map(|scene| &mut scene.system), &scene.system)
            {
                again.body_colors.clone_from(&scene.body_colors);
            }
            let too_many_colors = matches!(&scene.system, System::RigidBodies(s) if s.body_colors.len() > s.bodies.len());
            prop_assert!(
                too_many_colors || again.as_ref().is_some_and(|again| same_bits(again, &scene)),
                "{}", render(&reading.problems, "scene", &text, false)
            );
        }
    }
}

#[test]
fn what_is_left_out_is_what_the_shorthands_say() {
    use carom_scene::description::particles::{Edge, Integrator, Particle};
    let mut system = ParticleScene::new(Integrator { method: ParticleMethod::ExplicitEuler, dt: 0.5 });
    system.particles.push(Particle::new(2.0, [0.0, 1.0], [3.0, 4.0]));
    system.particles.push(Particle::new(2.0, [5.0, 1.0], [3.0, 4.0]));
    system.edges.push(Edge::new(0, 1));
    let text = r#"<scene><duration time="1"/><integrator type="explicit-euler" dt="0.5"/><edge i="0" j="1"/>
        <particle m="2" px="0" py="1" vx="3" vy="4" fixed="0"/><particle m="2" px="5" py="1" vx="3" vy="4" fixed="0"/></scene>"#;
    assert_eq!(read(text, &ReadOptions::default()).scene, Some(Scene::particles(1.0, system)));
}

#[test]
fn scenes_made_in_code_are_checked() {
    use carom_scene::check;
    use carom_scene::description::particles::{Integrator, Particle};
    let scene = |mass: f64, x: f64| {
        let mut system = ParticleScene::new(Integrator { method: ParticleMethod::RungeKutta4, dt: 0.5 });
        system.particles.push(Particle::new(mass, [x, 0.0], [0.0, 0.0]));
        Scene::particles(1.0, system)
    };
    assert!(check(&scene(1.0, 1e300), &ReadOptions::default()).is_ok());
    for (mass, x) in [(0.0, 0.0), (1.0, f64::NAN), (1.0, f64::INFINITY), (f64::NEG_INFINITY, 0.0)] {
        assert!(check(&scene(mass, x), &ReadOptions::default()).is_err(), "{mass} {x}");
    }
}
