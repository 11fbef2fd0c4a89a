//! Scenes made by hand for the tests of pictures.
#![allow(dead_code, reason = "each test file uses some of it")]

use carom_scene::description::particles::{
    Appearance, Collision, Detection, Edge, Forces, HalfPlane, Integrator, Particle, ParticleMethod,
    ParticleScene, Response,
};
use carom_scene::description::{Color, General, IndexedColor, Viewport, rigid};
use carom_scene::{Scene, System};
use carom_trajectory::Frame;

/// What every scene has: a viewport from −`half` to `half`.
pub(crate) fn general(half: f64) -> General {
    General {
        duration: 1.0,
        description: Some("A <test> & nothing else".to_owned()),
        tag: None,
        max_frequency: None,
        viewport: Some(Viewport { center: [0.0, 0.0], size: half }),
        background: None,
        knobs: Vec::new(),
        wrap: None,
    }
}

/// A particle at rest.
pub(crate) fn particle(x: f64, y: f64, radius: f64) -> Particle {
    Particle { mass: 1.0, position: [x, y], velocity: [0.0, 0.0], fixed: false, radius, tag: None }
}

/// A particle scene in a viewport from −1 to 1.
pub(crate) fn particles(particles: Vec<Particle>) -> ParticleScene {
    ParticleScene {
        integrator: Integrator { method: ParticleMethod::SymplecticEuler, dt: 0.01 },
        particles,
        edges: Vec::new(),
        half_planes: Vec::new(),
        forces: Forces::default(),
        collision: Collision { response: Response::None, restitution: 1.0, friction: 0.0 },
        detection: Detection::AllPairs,
        surfaces: Vec::new(),
        appearance: Appearance::default(),
    }
}

/// A scene of particles.
pub(crate) fn scene(particles: ParticleScene) -> Scene {
    Scene { general: general(1.0), system: System::Particles(particles) }
}

/// One red particle in the middle and one fixed at the upper right, an edge between them, and a
/// floor.
pub(crate) fn small_scene() -> Scene {
    let mut system = particles(vec![particle(0.0, 0.0, 0.25), particle(0.6, 0.6, 0.1)]);
    system.particles[1].fixed = true;
    system.edges.push(Edge { start: 0, end: 1, radius: 0.03 });
    system.half_planes.push(HalfPlane { point: [0.0, -0.5], normal: [0.0, 2.0], velocity: [0.0; 2] });
    let red = Color { red: 1.0, green: 0.0, blue: 0.0 };
    system.appearance.particle_colors.push(IndexedColor { index: 0, color: red });
    scene(system)
}

/// A square of side 1 with rounded corners, one fixed bar, one spring from the square to a point.
pub(crate) fn rigid_scene() -> Scene {
    let at = |x: f64, y: f64| rigid::Vertex { position: [x, y], mass: 1.0 };
    let system = rigid::RigidScene {
        integrator: rigid::Integrator { method: rigid::PlanarMethod::SymplecticEuler, dt: 0.01 },
        vertices: vec![
            at(-0.5, -0.5),
            at(0.5, -0.5),
            at(0.5, 0.5),
            at(-0.5, 0.5),
            at(-0.9, -0.9),
            at(0.9, -0.9),
        ],
        bodies: vec![
            rigid::Body {
                shape: rigid::Shape::Hollow { outline: vec![0, 1, 2, 3] },
                velocity: [0.0, 0.0],
                angular_velocity: 0.0,
                radius: 0.05,
                fixed: false,
            },
            rigid::Body {
                shape: rigid::Shape::Hollow { outline: vec![4, 5] },
                velocity: [0.0, 0.0],
                angular_velocity: 0.0,
                radius: 0.05,
                fixed: true,
            },
        ],
        gravities: Vec::new(),
        springs: vec![rigid::Spring {
            start: rigid::Anchor::World([0.0, 0.95]),
            end: rigid::Anchor::Body { body: 0, offset: [0.0, 0.5] },
            stiffness: 1.0,
            rest_length: 0.1,
            damping: 0.0,
        }],
        winds: Vec::new(),
        drags: Vec::new(),
        timed: Vec::new(),
        surfaces: Vec::new(),
        keys: Vec::new(),
        motions: Vec::new(),
        contact: None,
        body_colors: Vec::new(),
        spring_colors: Vec::new(),
    };
    Scene { general: general(1.0), system: System::RigidBodies(system) }
}

/// The first frame of a scene.
pub(crate) fn first_frame(scene: &Scene) -> Frame {
    let (positions, velocities) = match &scene.system {
        System::Particles(system) => (
            system.particles.iter().flat_map(|p| p.position).collect(),
            system.particles.iter().flat_map(|p| p.velocity).collect(),
        ),
        System::RigidBodies(system) => {
            let mut positions = Vec::new();
            for body in 0..system.bodies.len() {
                let [x, y] = system.center_of_mass(body).unwrap();
                positions.extend([x, y, 0.0]);
            }
            (positions, vec![0.0; 3 * system.bodies.len()])
        }
        System::SpatialBodies(_) => panic!("these are pictures of the plane"),
    };
    Frame { positions, velocities, ..Frame::default() }
}

/// A thousand particles on a grid with colours, in a box of four half-planes; `phase` moves them.
pub(crate) fn thousand(phase: f64) -> (Scene, Frame) {
    let mut system = particles(Vec::new());
    for k in 0..1000 {
        let (i, j) = (f64::from(k % 40), f64::from(k / 40));
        system.particles.push(particle(-0.95 + 0.0485 * i, -0.9 + 0.07 * j, 0.018));
        let color = Color { red: i / 40.0, green: j / 25.0, blue: 0.4 };
        system.appearance.particle_colors.push(IndexedColor { index: k as usize, color });
    }
    for normal in [[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]] {
        let point = [-0.97 * normal[0], -0.97 * normal[1]];
        system.half_planes.push(HalfPlane { point, normal, velocity: [0.0; 2] });
    }
    let scene = scene(system);
    let mut frame = first_frame(&scene);
    for (k, number) in frame.positions.iter_mut().enumerate() {
        *number += 0.02 * libm::sin(phase + 0.1 * k as f64);
    }
    (scene, frame)
}
