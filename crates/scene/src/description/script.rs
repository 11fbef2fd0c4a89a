//! Bodies that go where a scene says, in two and three dimensions.

use super::table::{Value, attributes};
use crate::reader::Fields;
use crate::schema::{Attribute, Limit, Target};
use crate::writer::ElementWriter;

/// Where a kinematic body is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Key<P, R> {
    /// Which body.
    pub body: usize,
    /// Seconds since the start, above 0; rising from key to key of a body.
    pub time: f64,
    /// Displacement of the centre of mass from the start.
    pub displacement: P,
    /// Turn from the start in radians: an angle, or axis times angle in world axes.
    pub rotation: R,
}

const DISPLACEMENT: &str = "Displacement of its centre of mass from the start.";
const TURN: &str = "Turn from the start: axis times angle, in world axes.";
const TIME: Attribute = Attribute::number("t", Limit::Positive, "s", "Time since the start.").ours();

attributes! {
    Key<[f64; 2], f64> {
        body: [Attribute::index("body", Target::Body, "The body; it must not be fixed.").ours()],
        time: [TIME],
        displacement: [
            Attribute::real("x", "m", DISPLACEMENT).or("0.0").ours(),
            Attribute::real("y", "m", DISPLACEMENT).or("0.0").ours(),
        ],
        rotation: [
            Attribute::real("theta", "rad", "Turn from the start, counter-clockwise positive.").or("0.0").ours(),
        ],
    }
}

attributes! {
    Key<[f64; 3], [f64; 3]> {
        body: [Attribute::index("body", Target::SpatialBody, "The body; it must not be fixed.").ours()],
        time: [TIME],
        displacement: [
            Attribute::zero("x", "m", DISPLACEMENT),
            Attribute::zero("y", "m", DISPLACEMENT),
            Attribute::zero("z", "m", DISPLACEMENT),
        ],
        rotation: [
            Attribute::zero("rx", "rad", TURN),
            Attribute::zero("ry", "rad", TURN),
            Attribute::zero("rz", "rad", TURN),
        ],
    }
}

/// A motion of a kinematic body for all times.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion<P, R> {
    /// Which body.
    pub body: usize,
    /// How it moves from where it starts.
    pub path: Path<P, R>,
}

/// The paths of [`Motion`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Path<P, R> {
    /// `rigidbodyuniformmotion`, `rigidbody3duniformmotion`: at constant speed, about a constant
    /// axis.
    Uniform {
        /// Velocity of the centre of mass.
        velocity: P,
        /// Angular velocity in radians a second, in world axes.
        angular_velocity: R,
    },
    /// `rigidbodyoscillation`, `rigidbody3doscillation`: amplitude · (sin(rate t + phase) − sin
    /// phase).
    Oscillation {
        /// Amplitude of the centre of mass.
        displacement: P,
        /// Amplitude of the turn in radians: an angle, or axis times angle in world axes.
        rotation: R,
        /// Angular frequency in radians a second.
        rate: f64,
        /// Phase at time 0 in radians.
        phase: f64,
    },
}

/// What every motion says of its body.
const ONE_SCRIPT: &str = "The body; it must not be fixed and must have no other script.";
const VELOCITY: &str = "Velocity of its centre of mass.";
const SPIN: &str = "Angular velocity, counter-clockwise positive.";
const SPATIAL_SPIN: &str = "Angular velocity in world axes.";
const SWING: &str = "Amplitude of its centre of mass.";
const SPATIAL_SWING: &str = "Amplitude of its turn: axis times angle, in world axes.";
const RATE: Attribute = Attribute::real("rate", "rad/s", "Angular frequency.").ours();
const PHASE: Attribute = Attribute::real("phase", "rad", "Phase at the start.").or("0.0").ours();

/// A family whose bodies can move by themselves: how its tags are called, and their attributes.
pub(crate) trait Kinematic {
    const UNIFORM_TAG: &'static str;
    const OSCILLATION_TAG: &'static str;
    const UNIFORM: &'static [Attribute];
    const OSCILLATION: &'static [Attribute];
    /// Numbers of a place.
    const NUMBERS: usize;
}

impl Kinematic for Path<[f64; 2], f64> {
    const UNIFORM_TAG: &'static str = "rigidbodyuniformmotion";
    const OSCILLATION_TAG: &'static str = "rigidbodyoscillation";
    const NUMBERS: usize = 2;
    const UNIFORM: &'static [Attribute] = &[
        Attribute::index("body", Target::Body, ONE_SCRIPT).ours(),
        Attribute::real("vx", "m/s", VELOCITY).or("0.0").ours(),
        Attribute::real("vy", "m/s", VELOCITY).or("0.0").ours(),
        Attribute::real("omega", "rad/s", SPIN).or("0.0").ours(),
    ];
    const OSCILLATION: &'static [Attribute] = &[
        Attribute::index("body", Target::Body, ONE_SCRIPT).ours(),
        Attribute::real("x", "m", SWING).or("0.0").ours(),
        Attribute::real("y", "m", SWING).or("0.0").ours(),
        Attribute::real("theta", "rad", "Amplitude of its turn, counter-clockwise positive.")
            .or("0.0")
            .ours(),
        RATE,
        PHASE,
    ];
}

impl Kinematic for Path<[f64; 3], [f64; 3]> {
    const UNIFORM_TAG: &'static str = "rigidbody3duniformmotion";
    const OSCILLATION_TAG: &'static str = "rigidbody3doscillation";
    const NUMBERS: usize = 3;
    const UNIFORM: &'static [Attribute] = &[
        Attribute::index("body", Target::SpatialBody, ONE_SCRIPT).ours(),
        Attribute::zero("vx", "m/s", VELOCITY),
        Attribute::zero("vy", "m/s", VELOCITY),
        Attribute::zero("vz", "m/s", VELOCITY),
        Attribute::zero("omegax", "rad/s", SPATIAL_SPIN),
        Attribute::zero("omegay", "rad/s", SPATIAL_SPIN),
        Attribute::zero("omegaz", "rad/s", SPATIAL_SPIN),
    ];
    const OSCILLATION: &'static [Attribute] = &[
        Attribute::index("body", Target::SpatialBody, ONE_SCRIPT).ours(),
        Attribute::zero("x", "m", SWING),
        Attribute::zero("y", "m", SWING),
        Attribute::zero("z", "m", SWING),
        Attribute::zero("rx", "rad", SPATIAL_SWING),
        Attribute::zero("ry", "rad", SPATIAL_SWING),
        Attribute::zero("rz", "rad", SPATIAL_SWING),
        RATE,
        PHASE,
    ];
}

#[expect(private_bounds, reason = "only the two families have tags of motions")]
impl<P: Value, R: Value> Motion<P, R>
where
    Path<P, R>: Kinematic,
{
    pub(crate) fn read_uniform(fields: &mut Fields) -> Self {
        let [velocity, angular] = halves::<P, R>(<Path<P, R> as Kinematic>::UNIFORM);
        let velocity = P::read(fields, velocity);
        let path = Path::Uniform { velocity, angular_velocity: R::read(fields, angular) };
        Motion { body: fields.index("body"), path }
    }

    pub(crate) fn read_oscillation(fields: &mut Fields) -> Self {
        let [displacement, turn] = halves::<P, R>(<Path<P, R> as Kinematic>::OSCILLATION);
        let displacement = P::read(fields, displacement);
        let rotation = R::read(fields, turn);
        let (rate, phase) = (fields.real("rate"), fields.real("phase"));
        Motion { body: fields.index("body"), path: Path::Oscillation { displacement, rotation, rate, phase } }
    }

    pub(crate) fn write<'a>(&self, element: ElementWriter<'a>) -> ElementWriter<'a> {
        let element = element.index("body", self.body);
        match &self.path {
            Path::Uniform { velocity, angular_velocity } => {
                let [along, about] = halves::<P, R>(<Path<P, R> as Kinematic>::UNIFORM);
                angular_velocity.write(velocity.write(element, along), about)
            }
            Path::Oscillation { displacement, rotation, rate, phase } => {
                let [along, about] = halves::<P, R>(<Path<P, R> as Kinematic>::OSCILLATION);
                let element = rotation.write(displacement.write(element, along), about);
                element.real("rate", *rate).real("phase", *phase)
            }
        }
    }
}

/// The attributes of a place and of a turn; the body is before them.
fn halves<P, R>(attributes: &[Attribute]) -> [&[Attribute]; 2]
where
    Path<P, R>: Kinematic,
{
    let (place, turn) = attributes[1..].split_at(<Path<P, R> as Kinematic>::NUMBERS);
    [place, turn]
}

#[expect(private_bounds, reason = "only the two families have tags of motions")]
impl<P, R> Path<P, R>
where
    Path<P, R>: Kinematic,
{
    /// Its tag in scene files.
    pub fn tag(&self) -> &'static str {
        match self {
            Path::Uniform { .. } => <Self as Kinematic>::UNIFORM_TAG,
            Path::Oscillation { .. } => <Self as Kinematic>::OSCILLATION_TAG,
        }
    }
}
