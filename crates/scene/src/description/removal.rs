//! Taking a body out of a scene: what was fastened to it goes too, and all others keep their order.

use super::force::{Anchor, Spring};
use super::{IndexedColor, ParticleScene, RigidScene, Scene, SpatialScene, System, particles};

impl Scene {
    /// Takes a particle or body out, with everything that names it: edges, springs, forces, scripts
    /// and colours. Bodies behind it move up by one. False, and nothing is changed, where there is
    /// no such body.
    ///
    /// ```
    /// use carom_scene::description::particles::{Edge, Integrator, ParticleMethod, Particle};
    /// use carom_scene::{ParticleScene, Scene, System};
    ///
    /// let mut system = ParticleScene::new(Integrator { method: ParticleMethod::SymplecticEuler, dt: 0.01 });
    /// system.particles.extend((0..3).map(|k| Particle::new(1.0, [k as f64, 0.0], [0.0; 2])));
    /// system.edges.extend([Edge::new(0, 1), Edge::new(1, 2)]);
    /// let mut scene = Scene::particles(1.0, system);
    /// assert!(scene.remove_body(0));
    /// let System::Particles(system) = &scene.system else { unreachable!() };
    /// assert_eq!(system.edges, [Edge::new(0, 1)]);
    /// ```
    pub fn remove_body(&mut self, body: usize) -> bool {
        match &mut self.system {
            System::Particles(scene) => remove_particle(scene, body),
            System::RigidBodies(scene) => remove_planar(scene, body),
            System::SpatialBodies(scene) => remove_spatial(scene, body),
        }
    }
}

/// Keeps what does not name the removed one; indices behind it move up by one.
fn keep<T>(list: &mut Vec<T>, removed: usize, mut names: impl FnMut(&mut T) -> Vec<&mut usize>) {
    list.retain_mut(|item| {
        let mut indices = names(item);
        if indices.iter().any(|index| **index == removed) {
            return false;
        }
        for index in &mut indices {
            if **index > removed {
                **index -= 1;
            }
        }
        true
    });
}

fn keep_colors(colors: &mut Vec<IndexedColor>, removed: usize) {
    keep(colors, removed, |color| vec![&mut color.index]);
}

fn remove_particle(scene: &mut ParticleScene, body: usize) -> bool {
    if body >= scene.particles.len() {
        return false;
    }
    scene.particles.remove(body);
    let lost = |edge: &particles::Edge| edge.start == body || edge.end == body;
    let edges: Vec<usize> = (0..scene.edges.len()).filter(|&k| lost(&scene.edges[k])).collect();
    for &edge in edges.iter().rev() {
        scene.edges.remove(edge);
        keep(&mut scene.forces.springs, edge, |spring| vec![&mut spring.edge]);
        keep_colors(&mut scene.appearance.edge_colors, edge);
    }
    keep(&mut scene.edges, body, |edge| vec![&mut edge.start, &mut edge.end]);
    keep(&mut scene.forces.gravitations, body, |force| vec![&mut force.first, &mut force.second]);
    keep(&mut scene.forces.vortices, body, |force| vec![&mut force.first, &mut force.second]);
    keep(&mut scene.forces.timed, body, |force| vec![&mut force.particle]);
    keep(&mut scene.surfaces, body, |surface| vec![&mut surface.index]);
    keep_colors(&mut scene.appearance.particle_colors, body);
    keep(&mut scene.appearance.paths, body, |path| vec![&mut path.index]);
    true
}

/// Everything of both kinds of bodies that names one of them.
macro_rules! remove_body {
    ($scene:expr, $body:expr) => {{
        let (scene, body) = ($scene, $body);
        if body >= scene.bodies.len() {
            return false;
        }
        scene.bodies.remove(body);
        remove_springs(&mut scene.springs, &mut scene.spring_colors, body);
        keep(&mut scene.keys, body, |key| vec![&mut key.body]);
        keep(&mut scene.motions, body, |motion| vec![&mut motion.body]);
        keep(&mut scene.timed, body, |force| vec![&mut force.body]);
        keep(&mut scene.surfaces, body, |surface| vec![&mut surface.index]);
        keep_colors(&mut scene.body_colors, body);
    }};
}

fn remove_planar(scene: &mut RigidScene, body: usize) -> bool {
    remove_body!(&mut *scene, body);
    true
}

fn remove_spatial(scene: &mut SpatialScene, body: usize) -> bool {
    remove_body!(&mut *scene, body);
    keep(&mut scene.pushes, body, |push| vec![&mut push.body]);
    true
}

/// Springs that are fastened to a body are lost with it, and their colours, from the last to the
/// first.
fn remove_springs<P>(springs: &mut Vec<Spring<P>>, colors: &mut Vec<IndexedColor>, body: usize) {
    let ends = |spring: &mut Spring<P>| {
        [&mut spring.start, &mut spring.end]
            .into_iter()
            .filter_map(Anchor::body_mut)
            .any(|held| *held == body)
    };
    for spring in (0..springs.len()).rev() {
        if ends(&mut springs[spring]) {
            keep_colors(colors, spring);
        }
    }
    keep(springs, body, |spring| {
        [&mut spring.start, &mut spring.end].into_iter().filter_map(Anchor::body_mut).collect()
    });
}
