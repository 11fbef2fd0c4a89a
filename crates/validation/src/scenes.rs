//! Scenes written once and built for every kind of body: x to the right, the second coordinate up.

use std::fmt::Write;

/// Gravity of every scene that has some.
pub const GRAVITY: f64 = 9.81;

/// The kinds of bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Points with a radius, in 2D.
    Particles,
    /// Planar rigid bodies.
    Planar,
    /// Spatial rigid bodies.
    Spatial,
}

/// A response of a kind: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestedResponse {
    /// Of bodies.
    pub kind: Kind,
    /// Its name in scenes.
    pub response: &'static str,
}

impl TestedResponse {
    /// The lecture's warnings by name: shown, and required only where nothing touches.
    pub fn is_a_warning(self) -> bool {
        matches!(self.response, "simple" | "penalty")
    }
}

/// A planar rotation, with its cosine and sine: no trigonometry needed.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// In radians, counter-clockwise.
    pub angle: f64,
    /// Its cosine.
    pub cos: f64,
    /// Its sine.
    pub sin: f64,
}

/// No turn.
pub const UPRIGHT: Turn = Turn { angle: 0.0, cos: 1.0, sin: 0.0 };
/// The angle of the triangle with sides 3, 4 and 5.
pub const TILTED: Turn = Turn { angle: 0.643_501_108_793_284_4, cos: 0.8, sin: 0.6 };
/// An eighth of a turn.
pub const ON_CORNER: Turn = Turn {
    angle: std::f64::consts::FRAC_PI_4,
    cos: std::f64::consts::FRAC_1_SQRT_2,
    sin: std::f64::consts::FRAC_1_SQRT_2,
};

/// What a body looks like.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A particle, a disc or a sphere.
    Ball(f64),
    /// A box, given by half of its sides. Particles have none.
    Box([f64; 2]),
    /// A fixed or driven bar, given by half of its length and of its thickness: an edge, a stick, a
    /// plate.
    Bar([f64; 2]),
    /// Everything behind a plane with this normal; of planar bodies a stick, long compared with
    /// everything else.
    Wall([f64; 2]),
    /// The same without ends, of planar bodies too.
    HalfPlane([f64; 2]),
}

/// A body of a scene.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// What it looks like.
    pub shape: Shape,
    /// Where its centre is.
    pub at: [f64; 2],
    /// Of its centre.
    pub velocity: [f64; 2],
    /// Angular velocity, counter-clockwise.
    pub spin: f64,
    /// How it stands.
    pub turn: Turn,
    /// In kilograms.
    pub mass: f64,
    /// Nothing moves it.
    pub fixed: bool,
    /// Moves at its velocity, whatever it meets.
    pub driven: bool,
}

impl Body {
    fn new(shape: Shape, at: [f64; 2]) -> Self {
        let fixed = matches!(shape, Shape::Bar(_) | Shape::Wall(_) | Shape::HalfPlane(_));
        Self { shape, at, velocity: [0.0; 2], spin: 0.0, turn: UPRIGHT, mass: 1.0, fixed, driven: false }
    }

    /// With this velocity.
    pub fn moving(self, velocity: [f64; 2]) -> Self {
        Self { velocity, ..self }
    }

    /// With this angular velocity.
    pub fn spinning(self, spin: f64) -> Self {
        Self { spin, ..self }
    }

    /// Turned about its centre.
    pub fn turned(self, turn: Turn) -> Self {
        Self { turn, ..self }
    }

    /// With this mass instead of 1.
    pub fn weighing(self, mass: f64) -> Self {
        Self { mass, ..self }
    }

    /// Moved by nothing.
    pub fn fixed(self) -> Self {
        Self { fixed: true, ..self }
    }

    /// Moved by a script, at a constant velocity.
    pub fn driven(self, velocity: [f64; 2]) -> Self {
        Self { velocity, driven: true, fixed: false, ..self }
    }
}

/// A particle, a disc or a sphere.
pub fn ball(at: [f64; 2], radius: f64) -> Body {
    Body::new(Shape::Ball(radius), at)
}

/// A square or a cube.
pub fn cube(at: [f64; 2], side: f64) -> Body {
    Body::new(Shape::Box([side / 2.0; 2]), at)
}

/// A box by half of its sides.
pub fn slab(at: [f64; 2], half: [f64; 2]) -> Body {
    Body::new(Shape::Box(half), at)
}

/// A ball of radius `half`, or a box of the same height for kinds that have boxes.
pub fn block(kind: Kind, at: [f64; 2], half: f64) -> Body {
    if kind == Kind::Particles { ball(at, half) } else { cube(at, 2.0 * half) }
}

/// A fixed bar by half of its length and of its thickness.
pub fn bar(at: [f64; 2], half: [f64; 2]) -> Body {
    Body::new(Shape::Bar(half), at)
}

/// Everything below the height 0.
pub fn floor() -> Body {
    Body::new(Shape::Wall([0.0, 1.0]), [0.0; 2])
}

/// Everything below the height 0, in every way in which a kind of bodies can have it.
pub fn grounds(kind: Kind) -> Vec<Body> {
    let endless = Body::new(Shape::HalfPlane([0.0, 1.0]), [0.0; 2]);
    if kind == Kind::Planar { vec![floor(), endless] } else { vec![floor()] }
}

/// A wall at x, facing left (−1) or right (1).
pub fn wall(x: f64, facing: f64) -> Body {
    Body::new(Shape::Wall([facing, 0.0]), [x, 0.0])
}

/// What is said of a scene beside its bodies.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// `COR`.
    pub restitution: f64,
    /// `mu`.
    pub friction: f64,
    /// Along x and up.
    pub gravity: [f64; 2],
    /// In seconds.
    pub dt: f64,
    /// In seconds.
    pub duration: f64,
    /// Its name in scenes.
    pub integrator: &'static str,
    /// The length of the scene: that of walls goes with it.
    pub length: f64,
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
pub fn scene(method: TestedResponse, setting: &Setting, bodies: &[Body]) -> String {
    let mut tags = Tags::default();
    tags.push(format_args!("<scene><duration time=\"{:?}\"/>", setting.duration));
    match method.kind {
        Kind::Particles => crate::tags::particles(method.response, setting, bodies, &mut tags),
        Kind::Planar => crate::tags::planar(method.response, setting, bodies, &mut tags),
        Kind::Spatial => crate::tags::spatial(method.response, setting, bodies, &mut tags),
    }
    tags.text + "</scene>"
}
