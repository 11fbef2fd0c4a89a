//! A step in its steady state allocates nothing.

use super::scenes::*;
use carom_particles::*;

#[test]
fn collisions_allocate_nothing_after_the_first_steps() {
    let penalty = Penalty { stiffness: 100.0, thickness: 0.05 };
    for response in [
        Response::Simple,
        Response::Penalty(penalty),
        Response::ContinuousTime,
        Response::Hybrid { penalty, max_iterations: 2 },
        Response::BackUp { max_events: 30 },
        Response::Simultaneous { max_iterations: 10 },
        Response::Elastic { elastic_iterations: 2, max_iterations: 10 },
        Response::Contact(carom_contact::Response::LCP),
        Response::Contact(carom_contact::Response::VELOCITY_PROJECTION),
        Response::Contact(carom_contact::Response::GENERALIZED_REFLECTION),
    ] {
        let mut scene = Scene::default().half_plane(v(0.0, -0.6), v(0.0, 1.0)).gravity(v(0.0, -1.0));
        for k in 0..60 {
            let (x, y) = (f64::from(k % 10), f64::from(k / 10));
            scene =
                scene.particle(1.0, 0.45, v(x, y), v(1.0 - 0.4 * f64::from(k % 6), 0.3 * f64::from(k % 4)));
        }
        for k in (0..60).step_by(7) {
            scene = scene.edge(k, (k + 1) % 60, 0.1);
        }
        let mut world = scene.world(response, 0.6, steps_of(0.01));
        // the same steps again and again: whatever they need is there in the end
        let start = world.state().clone();
        for _ in 0..2 {
            for _ in 0..60 {
                world.step();
            }
            world.set_state(&start).expect("it is a state of this world");
        }
        let mut contacts = 0;
        let counted = allocation_counter::measure(|| {
            for _ in 0..60 {
                world.step();
                contacts += world.contacts().len();
            }
        });
        assert_eq!(counted.count_total, 0, "{response:?}");
        assert!(contacts > 0 || matches!(response, Response::Penalty(_)), "{response:?}: nothing touched");
    }
}
