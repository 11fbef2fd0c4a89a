//! Scenes written once and built for every kind of body: x to the right, the second coordinate up.

use std::fmt::Write;

/// Gravity of every scene that has some.
pub(crate) const GRAVITY: f64 = 9.81;

/// The kinds of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Particles,
    Planar,
    Spatial,
}

/// A response of a kind: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) kind: Kind,
    pub(crate) response: &'static str,
}

/// A turn in the plane, with its cosine and sine: no trigonometry needed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) angle: f64,
    pub(crate) cos: f64,
    pub(crate) sin: f64,
}

pub(crate) const UPRIGHT: Turn = Turn { angle: 0.0, cos: 1.0, sin: 0.0 };
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// A particle, a disc or a sphere.
    Ball(f64),
    /// A box, given by half of its sides. Particles have none.
    Box([f64; 2]),
    /// A fixed or driven bar, given by half of its length and of its thickness: an edge, a stick, a plate.
    Bar([f64; 2]),
    /// Everything behind a plane with this normal.
    Wall([f64; 2]),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Body {
    pub(crate) shape: Shape,
    pub(crate) at: [f64; 2],
    pub(crate) velocity: [f64; 2],
    pub(crate) spin: f64,
    pub(crate) turn: Turn,
    pub(crate) mass: f64,
    pub(crate) fixed: bool,
    /// Moves at its velocity, whatever it meets.
    pub(crate) driven: bool,
}

impl Body {
    fn new(shape: Shape, at: [f64; 2]) -> Self {
        let fixed = matches!(shape, Shape::Bar(_) | Shape::Wall(_));
        Self { shape, at, velocity: [0.0; 2], spin: 0.0, turn: UPRIGHT, mass: 1.0, fixed, driven: false }
    }

    pub(crate) fn moving(self, velocity: [f64; 2]) -> Self {
        Self { velocity, ..self }
    }

    pub(crate) fn spinning(self, spin: f64) -> Self {
        Self { spin, ..self }
    }

    pub(crate) fn weighing(self, mass: f64) -> Self {
        Self { mass, ..self }
    }

    pub(crate) fn driven(self, velocity: [f64; 2]) -> Self {
        Self { velocity, driven: true, fixed: false, ..self }
    }
}

pub(crate) fn ball(at: [f64; 2], radius: f64) -> Body {
    Body::new(Shape::Ball(radius), at)
}

pub(crate) fn cube(at: [f64; 2], side: f64) -> Body {
    Body::new(Shape::Box([side / 2.0; 2]), at)
}

pub(crate) fn slab(at: [f64; 2], half: [f64; 2]) -> Body {
    Body::new(Shape::Box(half), at)
}

pub(crate) fn bar(at: [f64; 2], half: [f64; 2]) -> Body {
    Body::new(Shape::Bar(half), at)
}

pub(crate) fn floor() -> Body {
    Body::new(Shape::Wall([0.0, 1.0]), [0.0; 2])
}

/// A wall at x, facing left (−1) or right (1).
pub(crate) fn wall(x: f64, facing: f64) -> Body {
    Body::new(Shape::Wall([facing, 0.0]), [x, 0.0])
}

/// What is said of a scene beside its bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) gravity: [f64; 2],
    pub(crate) dt: f64,
    pub(crate) duration: f64,
    pub(crate) integrator: &'static str,
    /// The length of the scene: that of walls goes with it.
    pub(crate) length: f64,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            restitution: 0.0,
            friction: 0.0,
            gravity: [0.0, -GRAVITY],
            dt: 1.0 / 60.0,
            duration: 10.0,
            integrator: "symplectic-euler",
            length: 1.0,
        }
    }
}

/// The tags of a scene and what counts them.
#[derive(Default)]
pub(crate) struct Tags {
    pub(crate) text: String,
    pub(crate) bodies: usize,
    pub(crate) vertices: usize,
}

impl Tags {
    pub(crate) fn push(&mut self, tag: std::fmt::Arguments<'_>) {
        self.text.write_fmt(tag).expect("a string takes everything");
    }
}

/// The scene as text. Bodies that move come first, so that their indices are those of the list.
pub(crate) fn scene(method: Method, setting: &Setting, bodies: &[Body]) -> String {
    let mut tags = Tags::default();
    tags.push(format_args!("<scene><duration time=\"{:?}\"/>", setting.duration));
    match method.kind {
        Kind::Particles => crate::tags::particles(method.response, setting, bodies, &mut tags),
        Kind::Planar => crate::tags::planar(method.response, setting, bodies, &mut tags),
        Kind::Spatial => crate::tags::spatial(method.response, setting, bodies, &mut tags),
    }
    tags.text + "</scene>"
}
