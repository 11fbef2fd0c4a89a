//! Taking a body out of a scene: what was fastened to it goes too, and all others keep their order.

use super::{IndexedColor, ParticleScene, RigidScene, Scene, SpatialScene, System};
use super::{particles, rigid, spatial};

impl Scene {
    /// Takes a particle or body out, with everything that names it: edges, springs, forces, scripts and colours.
    /// Bodies behind it move up by one. False, and nothing is changed, where there is no such body.
    ///
    /// ```
    /// use carom_scene::description::particles::{Edge, Integrator, Method, Particle};
    /// use carom_scene::{ParticleScene, Scene, System};
    ///
    /// let mut system = ParticleScene::new(Integrator { method: Method::SymplecticEuler, dt: 0.01 });
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

/// Springs that are lost with a body, from the last to the first.
fn lost_springs<S>(springs: &[S], names: impl Fn(&S) -> bool) -> Vec<usize> {
    (0..springs.len()).rev().filter(|&k| names(&springs[k])).collect()
}

fn remove_planar(scene: &mut RigidScene, body: usize) -> bool {
    if body >= scene.bodies.len() {
        return false;
    }
    scene.bodies.remove(body);
    let holds =
        |anchor: rigid::Anchor| matches!(anchor, rigid::Anchor::Body { body: held, .. } if held == body);
    for spring in lost_springs(&scene.springs, |s| holds(s.start) || holds(s.end)) {
        keep_colors(&mut scene.spring_colors, spring);
    }
    keep(&mut scene.springs, body, |spring| {
        [&mut spring.start, &mut spring.end].into_iter().filter_map(planar_body).collect()
    });
    keep(&mut scene.keys, body, |key| vec![&mut key.body]);
    keep(&mut scene.motions, body, |motion| vec![&mut motion.body]);
    keep(&mut scene.timed, body, |force| vec![&mut force.body]);
    keep(&mut scene.surfaces, body, |surface| vec![&mut surface.index]);
    keep_colors(&mut scene.body_colors, body);
    true
}

fn planar_body(anchor: &mut rigid::Anchor) -> Option<&mut usize> {
    match anchor {
        rigid::Anchor::World(_) => None,
        rigid::Anchor::Body { body, .. } => Some(body),
    }
}

fn remove_spatial(scene: &mut SpatialScene, body: usize) -> bool {
    if body >= scene.bodies.len() {
        return false;
    }
    scene.bodies.remove(body);
    let holds =
        |anchor: spatial::Anchor| matches!(anchor, spatial::Anchor::Body { body: held, .. } if held == body);
    for spring in lost_springs(&scene.springs, |s| holds(s.start) || holds(s.end)) {
        keep_colors(&mut scene.spring_colors, spring);
    }
    keep(&mut scene.springs, body, |spring| {
        [&mut spring.start, &mut spring.end].into_iter().filter_map(spatial_body).collect()
    });
    keep(&mut scene.pushes, body, |push| vec![&mut push.body]);
    keep(&mut scene.keys, body, |key| vec![&mut key.body]);
    keep(&mut scene.motions, body, |motion| vec![&mut motion.body]);
    keep(&mut scene.timed, body, |force| vec![&mut force.body]);
    keep(&mut scene.surfaces, body, |surface| vec![&mut surface.index]);
    keep_colors(&mut scene.body_colors, body);
    true
}

fn spatial_body(anchor: &mut spatial::Anchor) -> Option<&mut usize> {
    match anchor {
        spatial::Anchor::World(_) => None,
        spatial::Anchor::Body { body, .. } => Some(body),
    }
}
