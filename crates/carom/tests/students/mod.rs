//! Programs of students, the errors planted in them, and the scenes that show them.

pub(crate) mod bodies;
pub(crate) mod particles;

use carom::grading::suspects::Suspect;

/// An error that is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    NoResponse,
    ListedNotAnswered,
    RestitutionFactorMissing,
    RestitutionAsFactor,
    FixedMassUsed,
    FixedPushed,
    NormalSign,
    ImpulseSign,
    ClampForgotten,
    RadiusLeftOut,
    OneRadius,
    ApproachNotTested,
    ResponseOrder,
    AllAtOnce,
    ForcesAfter,
    NormalNotUnit,
    OneSided,
    ImpulseTwice,
    MassesSwapped,
    AlphaSwapped,
    OtherIntegrator,
    GravityWithoutMass,
    DampingLeftOut,
    ListedNormalUnit,
    ListedNormalSign,
    ListedIndicesSwapped,
    WrongElasticity,
    OneSweep,
    ImpulsesMayPull,
    TorqueLeftOut,
    BodyAxes,
    PositionsNotMoved,
    RestitutionSign,
    RestitutionValue,
    KindLeftOut,
    RadiusFactor,
    MassesIgnored,
    RestLengthLeftOut,
    ForceFactor,
    WrongTimeStep,
    FramesSkipped,
    FrameRepeated,
    SinglePrecision,
    NotListed,
    ListedTooMany,
    WrongInertia,
    OneWayDetection,
    FirstRadiusOnly,
    FixedPushedByImpulse,
    FixedFalls,
    ImpulsesWithoutMass,
    AlphaSwappedThroughout,
    VertexRadiusOnly,
}

pub(crate) const PARTICLE_BUGS: &[(Bug, Suspect)] = &[
    (Bug::NoResponse, Suspect::NoResponse),
    (Bug::ListedNotAnswered, Suspect::NoResponse),
    (Bug::RestitutionFactorMissing, Suspect::RestitutionFactorMissing),
    (Bug::RestitutionAsFactor, Suspect::RestitutionAsFactor),
    (Bug::FixedMassUsed, Suspect::FixedMassUsed),
    (Bug::FixedPushed, Suspect::FixedPushed),
    (Bug::NormalSign, Suspect::NormalSign),
    (Bug::ImpulseSign, Suspect::ImpulseSign),
    (Bug::ClampForgotten, Suspect::ClampForgotten),
    (Bug::RadiusLeftOut, Suspect::RadiusLeftOut),
    (Bug::OneRadius, Suspect::RadiusLeftOut),
    (Bug::ApproachNotTested, Suspect::ApproachNotTested),
    (Bug::ResponseOrder, Suspect::ResponseOrder),
    (Bug::AllAtOnce, Suspect::AllAtOnce),
    (Bug::ForcesAfter, Suspect::ForcesAfter),
    (Bug::NormalNotUnit, Suspect::NormalNotUnit),
    (Bug::OneSided, Suspect::OneSided),
    (Bug::ImpulseTwice, Suspect::ImpulseTwice),
    (Bug::MassesSwapped, Suspect::MassesSwapped),
    (Bug::AlphaSwapped, Suspect::AlphaSwapped),
    (Bug::OtherIntegrator, Suspect::OtherIntegrator),
    (Bug::GravityWithoutMass, Suspect::GravityWithoutMass),
    (Bug::DampingLeftOut, Suspect::DampingLeftOut),
    (Bug::ListedNormalUnit, Suspect::ListedNormalUnit),
    (Bug::ListedNormalSign, Suspect::NormalSign),
    (Bug::ListedIndicesSwapped, Suspect::ListedIndicesSwapped),
    (Bug::RestitutionSign, Suspect::RestitutionSign),
    (Bug::RestitutionValue, Suspect::RestitutionValue),
    (Bug::KindLeftOut, Suspect::KindLeftOut),
    (Bug::RadiusFactor, Suspect::RadiusFactor),
    (Bug::MassesIgnored, Suspect::MassesIgnored),
    (Bug::RestLengthLeftOut, Suspect::RestLengthLeftOut),
    (Bug::ForceFactor, Suspect::ForceFactor),
    (Bug::WrongTimeStep, Suspect::WrongTimeStep),
    (Bug::FramesSkipped, Suspect::FramesSkipped),
    (Bug::FrameRepeated, Suspect::FrameRepeated),
    (Bug::SinglePrecision, Suspect::SinglePrecision),
    (Bug::NotListed, Suspect::NotListed),
    (Bug::ListedTooMany, Suspect::ListedTooMany),
    (Bug::FirstRadiusOnly, Suspect::RadiusLeftOut),
    (Bug::FixedPushedByImpulse, Suspect::FixedPushed),
    (Bug::FixedFalls, Suspect::FixedMoves),
    (Bug::ImpulsesWithoutMass, Suspect::MassesIgnored),
    (Bug::AlphaSwappedThroughout, Suspect::AlphaSwapped),
];

/// Of programs with the penalty force.
pub(crate) const PENALTY_BUGS: &[(Bug, Suspect)] = &[
    (Bug::ClampForgotten, Suspect::ClampForgotten),
    (Bug::AlphaSwapped, Suspect::AlphaSwapped),
    (Bug::OneSided, Suspect::OneSided),
    (Bug::NormalNotUnit, Suspect::NormalNotUnit),
    (Bug::FirstRadiusOnly, Suspect::RadiusLeftOut),
    (Bug::KindLeftOut, Suspect::KindLeftOut),
    (Bug::ImpulseSign, Suspect::ForceSign),
    (Bug::NoResponse, Suspect::ForceLeftOut),
    (Bug::OtherIntegrator, Suspect::OtherIntegrator),
];

pub(crate) const BODY_BUGS: &[(Bug, Suspect)] = &[
    (Bug::NoResponse, Suspect::NoResponse),
    (Bug::FixedMassUsed, Suspect::FixedMassUsed),
    (Bug::NormalSign, Suspect::NormalSign),
    (Bug::ImpulseSign, Suspect::ImpulseSign),
    (Bug::RadiusLeftOut, Suspect::RadiusLeftOut),
    (Bug::ForcesAfter, Suspect::ForcesAfter),
    (Bug::ImpulseTwice, Suspect::ImpulseTwice),
    (Bug::OtherIntegrator, Suspect::OtherIntegrator),
    (Bug::WrongElasticity, Suspect::WrongElasticity),
    (Bug::ImpulsesMayPull, Suspect::ImpulsesMayPull),
    (Bug::TorqueLeftOut, Suspect::TorqueLeftOut),
    (Bug::BodyAxes, Suspect::BodyAxes),
    (Bug::WrongInertia, Suspect::WrongInertia),
    (Bug::OneWayDetection, Suspect::OneWayDetection),
    (Bug::WrongTimeStep, Suspect::WrongTimeStep),
    (Bug::ForceFactor, Suspect::ForceFactor),
    (Bug::FrameRepeated, Suspect::FrameRepeated),
    (Bug::RadiusFactor, Suspect::RadiusFactor),
    (Bug::VertexRadiusOnly, Suspect::RadiusLeftOut),
];

/// Balls, pegs, nets and floors: every error shows in at least two of them.
pub(crate) const PARTICLE_SCENES: [(&str, &str); 4] = [
    (
        "pegs",
        r#"<scene>
  <duration time="0.8"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <collision type="simple" COR="0.6"/>
  <simplegravity fx="0.0" fy="-9.81"/>
  <particle m="1.0" px="0.0" py="1.0" vx="0.3" vy="-2.0" fixed="0" radius="0.15"/>
  <particle m="3.0" px="0.35" py="1.05" vx="-1.0" vy="-1.0" fixed="0" radius="0.12"/>
  <particle m="2.0" px="0.1" py="0.6" vx="0.0" vy="0.0" fixed="1" radius="0.1"/>
  <particle m="0.5" px="-0.6" py="0.35" vx="0.0" vy="0.0" fixed="0" radius="0.05"/>
  <particle m="1.5" px="0.9" py="0.45" vx="0.0" vy="0.0" fixed="0" radius="0.05"/>
  <particle m="0.7" px="-0.75" py="0.9" vx="0.2" vy="-1.0" fixed="0" radius="0.1"/>
  <edge i="3" j="4" radius="0.03"/>
  <halfplane px="0.0" py="0.0" nx="0.2" ny="2.0"/>
</scene>"#,
    ),
    (
        "net",
        r#"<scene>
  <duration time="0.6"/>
  <integrator type="explicit-euler" dt="0.01"/>
  <collision type="simple" COR="0.3"/>
  <simplegravity fx="0.0" fy="-5.0"/>
  <particle m="2.0" px="-1.0" py="0.0" vx="0.0" vy="0.0" fixed="1" radius="0.05"/>
  <particle m="0.8" px="0.0" py="0.05" vx="0.1" vy="0.2" fixed="0" radius="0.05"/>
  <particle m="1.1" px="1.0" py="0.0" vx="0.0" vy="0.0" fixed="1" radius="0.05"/>
  <particle m="1.7" px="-0.35" py="0.3" vx="0.0" vy="-1.5" fixed="0" radius="0.2"/>
  <particle m="0.6" px="0.6" py="0.25" vx="-0.4" vy="-2.0" fixed="0" radius="0.15"/>
  <particle m="1.2" px="-1.2" py="0.45" vx="0.5" vy="-2.0" fixed="0" radius="0.15"/>
  <edge i="0" j="1" radius="0.04"/>
  <edge i="1" j="2" radius="0.04"/>
  <springforce edge="0" k="40" l0="0.9" b="1.5"/>
  <springforce edge="1" k="40" l0="0.9" b="1.5"/>
  <halfplane px="0.0" py="-0.5" nx="0.0" ny="0.5"/>
</scene>"#,
    ),
    (
        "heap",
        r#"<scene>
  <duration time="0.5"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <collision type="simple" COR="0.8"/>
  <simplegravity fx="0.5" fy="-9.81"/>
  <particle m="1.0" px="0.0" py="0.25" vx="0.0" vy="-1.0" fixed="0" radius="0.2"/>
  <particle m="2.0" px="0.42" py="0.28" vx="-0.5" vy="-1.0" fixed="0" radius="0.2"/>
  <particle m="0.4" px="0.2" py="0.62" vx="0.0" vy="-3.0" fixed="0" radius="0.2"/>
  <particle m="5.0" px="-0.45" py="0.3" vx="0.0" vy="0.0" fixed="1" radius="0.2"/>
  <particle m="1.4" px="0.9" py="0.7" vx="-1.0" vy="-0.5" fixed="0" radius="0.08"/>
  <particle m="0.9" px="1.4" py="0.5" vx="-1.0" vy="-0.5" fixed="0" radius="0.08"/>
  <edge i="4" j="5" radius="0.05"/>
  <springforce edge="0" k="30" l0="0.6" b="2.0"/>
  <halfplane px="0.0" py="0.0" nx="0.0" ny="3.0"/>
  <halfplane px="1.6" py="0.0" nx="-1.0" ny="0.3"/>
</scene>"#,
    ),
    (
        "ends",
        r#"<scene>
  <duration time="0.5"/>
  <integrator type="explicit-euler" dt="0.005"/>
  <collision type="simple" COR="0.5"/>
  <simplegravity fx="0.0" fy="-3.0"/>
  <particle m="1.0" px="0.0" py="0.0" vx="0.0" vy="0.0" fixed="0" radius="0.02"/>
  <particle m="2.0" px="1.0" py="0.1" vx="0.0" vy="0.0" fixed="0" radius="0.02"/>
  <particle m="1.5" px="1.3" py="0.35" vx="-0.2" vy="-2.0" fixed="0" radius="0.1"/>
  <particle m="0.7" px="-0.5" py="0.3" vx="0.3" vy="-2.5" fixed="0" radius="0.1"/>
  <particle m="0.9" px="0.5" py="0.4" vx="0.0" vy="-2.0" fixed="0" radius="0.1"/>
  <particle m="4.0" px="0.55" py="-0.45" vx="0.0" vy="0.0" fixed="1" radius="0.15"/>
  <edge i="0" j="1" radius="0.05"/>
  <halfplane px="0.0" py="-0.6" nx="0.1" ny="0.7"/>
</scene>"#,
    ),
];

/// Boxes and rods on fixed ground.
pub(crate) const BODY_SCENES: [(&str, &str); 6] = [
    (
        "box on ground",
        r#"<scene><simtype type="rigid-body"/><duration time="1.0"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.02"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <rigidbodyvertex x="-3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-1" m="1"/><rigidbodyvertex x="-3" y="-1" m="1"/>
  <rigidbodyvertex x="-0.5" y="1.4" m="1"/><rigidbodyvertex x="0.4" y="1.9" m="2"/><rigidbodyvertex x="0.9" y="1.1" m="1"/><rigidbodyvertex x="0.0" y="0.5" m="1"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" p="7" vx="0.5" vy="-1" omega="0.7" r="0.1"/>
</scene>"#,
    ),
    (
        "two boxes meet",
        r#"<scene><simtype type="rigid-body"/><duration time="1.0"/>
  <rigidbodyintegrator type="explicit-euler" dt="0.02"/>
  <rigidbodycollisionhandling detection="all-pairs" response="gr-lcp"/>
  <rigidbodygravityforce fx="0" fy="-2"/>
  <rigidbodyvertex x="-3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-1" m="1"/><rigidbodyvertex x="-3" y="-1" m="1"/>
  <rigidbodyvertex x="-2" y="0.2" m="1"/><rigidbodyvertex x="-1" y="0.4" m="1"/><rigidbodyvertex x="-0.9" y="-0.2" m="1"/>
  <rigidbodyvertex x="0.1" y="0.1" m="1"/><rigidbodyvertex x="1" y="0.6" m="2"/><rigidbodyvertex x="1" y="-0.1" m="1"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" vx="2" vy="0" omega="0.3" r="0.1"/>
  <rigidbody p="7" p="8" p="9" vx="-1" vy="0" omega="-0.5" r="0.15"/>
</scene>"#,
    ),
    (
        "rod on a peg",
        r#"<scene><simtype type="rigid-body"/><duration time="1.0"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="velocity-projection"/>
  <rigidbodygravityforce fx="0" fy="-5"/>
  <rigidbodyvertex x="0" y="0" m="1"/><rigidbodyvertex x="0.3" y="-0.5" m="1"/><rigidbodyvertex x="-0.3" y="-0.5" m="1"/>
  <rigidbodyvertex x="-0.8" y="0.5" m="1"/><rigidbodyvertex x="1.2" y="0.6" m="1.5"/>
  <rigidbodyvertex x="-4" y="-1" m="2"/><rigidbodyvertex x="4" y="-1" m="2"/><rigidbodyvertex x="0" y="-3" m="2"/>
  <rigidbody p="0" p="1" p="2" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="3" p="4" vx="0" vy="-1" omega="0.4" r="0.1"/>
  <rigidbody p="5" p="6" p="7" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
</scene>"#,
    ),
    (
        "flat box, tilted box",
        r#"<scene><simtype type="rigid-body"/><duration time="0.8"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <rigidbodyvertex x="-3" y="0" m="1"/><rigidbodyvertex x="3" y="0" m="1"/><rigidbodyvertex x="3" y="-1" m="1"/><rigidbodyvertex x="-3" y="-1" m="1"/>
  <rigidbodyvertex x="-0.5" y="1.2" m="1"/><rigidbodyvertex x="0.5" y="1.2" m="1"/><rigidbodyvertex x="0.5" y="0.21" m="1"/><rigidbodyvertex x="-0.5" y="0.23" m="1"/>
  <rigidbodyvertex x="0.1" y="1.9" m="1"/><rigidbodyvertex x="1.1" y="2.3" m="2"/><rigidbodyvertex x="0.9" y="1.6" m="1"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" p="7" vx="0" vy="-0.5" omega="0" r="0.1"/>
  <rigidbody p="8" p="9" p="10" vx="0" vy="-1" omega="-1" r="0.1"/>
</scene>"#,
    ),
    (
        "elastic pair",
        r#"<scene><simtype type="rigid-body"/><duration time="1.2"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.02"/>
  <rigidbodycollisionhandling detection="all-pairs" response="gr-velocity-projection"/>
  <rigidbodygravityforce fx="0" fy="-4"/>
  <rigidbodyvertex x="-3" y="-0.5" m="2"/><rigidbodyvertex x="3" y="-0.5" m="2"/><rigidbodyvertex x="3" y="-1" m="2"/><rigidbodyvertex x="-3" y="-1" m="2"/>
  <rigidbodyvertex x="-0.5" y="0.9" m="1"/><rigidbodyvertex x="0.5" y="1.1" m="1"/><rigidbodyvertex x="0.4" y="0.1" m="2"/><rigidbodyvertex x="-0.4" y="0.0" m="1"/>
  <rigidbodyvertex x="-0.2" y="1.8" m="1"/><rigidbodyvertex x="0.9" y="2.2" m="1"/><rigidbodyvertex x="0.6" y="1.5" m="3"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" p="7" vx="0" vy="-1" omega="0.2" r="0.1"/>
  <rigidbody p="8" p="9" p="10" vx="0" vy="-2" omega="-0.4" r="0.1"/>
</scene>"#,
    ),
    (
        "over the edge",
        r#"<scene><simtype type="rigid-body"/><duration time="0.6"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="velocity-projection"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <rigidbodyvertex x="-3" y="0" m="1"/><rigidbodyvertex x="0" y="0" m="1"/><rigidbodyvertex x="0" y="-1" m="1"/><rigidbodyvertex x="-3" y="-1" m="1"/>
  <rigidbodyvertex x="-0.6" y="1.2" m="1"/><rigidbodyvertex x="1.6" y="1.2" m="4"/><rigidbodyvertex x="1.6" y="0.19" m="4"/><rigidbodyvertex x="-0.6" y="0.19" m="1"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" p="7" vx="0" vy="-0.1" omega="0" r="0.1"/>
</scene>"#,
    ),
];
