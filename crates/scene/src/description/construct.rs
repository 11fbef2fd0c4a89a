//! Shorthands for people who make scenes in code. What is not given is what the file format says when it is left out.

use super::particles::{
    Appearance, Collision, Detection, Edge, Forces, Integrator, Particle, ParticleScene, Response,
};
use super::rigid::{self, RigidScene};
use super::spatial::{self, SpatialScene};
use super::{General, Scene, System};

impl Scene {
    /// A particle scene that runs for so many seconds.
    ///
    /// ```
    /// use carom_scene::description::particles::{Integrator, Method, Particle};
    /// use carom_scene::{ParticleScene, ReadOptions, Scene, check, write};
    ///
    /// let mut system = ParticleScene::new(Integrator { method: Method::SymplecticEuler, dt: 0.01 });
    /// system.particles.push(Particle::new(1.0, [0.0, 2.0], [1.0, 0.0]));
    /// system.forces.gravities.push([0.0, -9.81]);
    /// let scene = Scene::particles(5.0, system);
    /// assert!(check(&scene, &ReadOptions::default()).is_ok());
    /// assert!(write(&scene).contains("<simplegravity"));
    /// ```
    pub fn particles(duration: f64, system: ParticleScene) -> Scene {
        Scene { general: General::new(duration), system: System::Particles(system) }
    }

    /// A scene of rigid bodies that runs for so many seconds.
    pub fn rigid_bodies(duration: f64, system: RigidScene) -> Scene {
        Scene { general: General::new(duration), system: System::RigidBodies(system) }
    }

    /// A scene of spatial bodies that runs for so many seconds.
    pub fn spatial_bodies(duration: f64, system: SpatialScene) -> Scene {
        Scene { general: General::new(duration), system: System::SpatialBodies(system) }
    }
}

impl General {
    /// A duration in seconds and nothing else.
    pub fn new(duration: f64) -> General {
        General {
            duration,
            description: None,
            tag: None,
            max_frequency: None,
            viewport: None,
            background: None,
            knobs: Vec::new(),
            wrap: None,
        }
    }
}

impl ParticleScene {
    /// No particles, no forces, no collisions.
    pub fn new(integrator: Integrator) -> ParticleScene {
        ParticleScene {
            integrator,
            particles: Vec::new(),
            edges: Vec::new(),
            half_planes: Vec::new(),
            forces: Forces::default(),
            collision: Collision { response: Response::None, restitution: 1.0, friction: 0.0 },
            detection: Detection::AllPairs,
            surfaces: Vec::new(),
            appearance: Appearance::default(),
        }
    }
}

impl Particle {
    /// A particle that is free to move, with the radius that the format gives by default.
    pub fn new(mass: f64, position: [f64; 2], velocity: [f64; 2]) -> Particle {
        Particle { mass, position, velocity, fixed: false, radius: 0.1, tag: None }
    }

    /// The same with another radius.
    pub fn with_radius(self, radius: f64) -> Particle {
        Particle { radius, ..self }
    }

    /// The same, held in place; with a velocity it moves along at it.
    pub fn held(self) -> Particle {
        Particle { fixed: true, ..self }
    }
}

impl Edge {
    /// An edge with the radius that the format gives by default.
    pub fn new(start: usize, end: usize) -> Edge {
        Edge { start, end, radius: 0.015 }
    }
}

impl RigidScene {
    /// No bodies, no forces, no contact.
    pub fn new(integrator: rigid::Integrator) -> RigidScene {
        RigidScene {
            integrator,
            vertices: Vec::new(),
            bodies: Vec::new(),
            gravities: Vec::new(),
            springs: Vec::new(),
            winds: Vec::new(),
            drags: Vec::new(),
            timed: Vec::new(),
            surfaces: Vec::new(),
            keys: Vec::new(),
            motions: Vec::new(),
            contact: None,
            body_colors: Vec::new(),
            spring_colors: Vec::new(),
        }
    }
}

impl rigid::Body {
    /// A free body at rest. `radius` is half of the thickness of its outline, or that of the disc.
    pub fn new(shape: rigid::Shape, radius: f64) -> rigid::Body {
        rigid::Body { shape, velocity: [0.0; 2], angular_velocity: 0.0, radius, fixed: false }
    }
}

impl SpatialScene {
    /// No bodies, no forces, no contact.
    pub fn new(integrator: spatial::Integrator) -> SpatialScene {
        SpatialScene {
            integrator,
            vertices: Vec::new(),
            bodies: Vec::new(),
            gravities: Vec::new(),
            springs: Vec::new(),
            drags: Vec::new(),
            pushes: Vec::new(),
            timed: Vec::new(),
            surfaces: Vec::new(),
            keys: Vec::new(),
            motions: Vec::new(),
            contact: None,
            frame_rate: spatial::FRAME_RATE,
            camera: None,
            body_colors: Vec::new(),
            spring_colors: Vec::new(),
        }
    }
}

impl spatial::Body {
    /// A free body at rest at a place, not turned.
    pub fn new(shape: spatial::Shape, position: [f64; 3], weight: spatial::Weight) -> spatial::Body {
        let nothing = [0.0; 3];
        spatial::Body {
            shape,
            position,
            rotation: nothing,
            velocity: nothing,
            angular_velocity: nothing,
            weight: Some(weight),
            fixed: false,
        }
    }

    /// Everything behind a plane through a point; it is fixed.
    pub fn half_space(point: [f64; 3], normal: [f64; 3]) -> spatial::Body {
        let shape = spatial::Shape::HalfSpace { normal };
        let weight = spatial::Weight::Density(1.0);
        spatial::Body { weight: None, fixed: true, ..spatial::Body::new(shape, point, weight) }
    }
}
