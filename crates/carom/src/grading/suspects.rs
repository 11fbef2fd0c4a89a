//! Why a step is wrong: errors that students make are tried one after the other, and the one whose
//! step is the student's is named.
//!
//! A suspect predicts the end of a step from its start. It is believed when it predicts the first
//! wrong step of the file, at least half of the other wrong ones, and every right one: a program
//! has its error in all steps. Predictions are made by Carom itself with a changed scene
//! ([`scenes`]), by a small program of the `simple` handler with a switch for each error
//! ([`particles`]), and by contact problems that are set up wrongly ([`bodies`]).

mod bench;
mod bodies;
mod forces;
mod lists;
mod particles;
mod penalty;
mod scenes;
mod steps;

use bench::Bench;
pub use bench::Motion;

use super::{Grade, Sample};
use crate::{Frame, Options, Scene, Simulation};

/// Declares the suspects with their names and what is said of them.
macro_rules! suspects {
    ($($(#[doc = $doc:literal])* $suspect:ident, $name:literal, $words:literal;)*) => {
        /// An error that students make. The order is that of preference where several explain a
        /// file equally well.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Suspect {
            $($(#[doc = $doc])* $suspect,)*
        }

        impl Suspect {
            /// All of them.
            pub const ALL: &'static [Suspect] = &[$(Suspect::$suspect,)*];

            /// The name in tables.
            pub fn name(self) -> &'static str {
                match self {
                    $(Suspect::$suspect => $name,)*
                }
            }

            /// What is wrong, and where to look, in a sentence.
            pub fn words(self) -> &'static str {
                match self {
                    $(Suspect::$suspect => $words,)*
                }
            }
        }
    };
}

suspects! {
    /// Collisions have no effect.
    NoResponse, "no-response",
        "collisions are not answered: the velocities are those of the step without any impulse";
    /// The factor of restitution is missing.
    RestitutionFactorMissing, "restitution-factor-missing",
        "the factor (1 + COR)/2 is missing: impulses are those of COR = 1";
    /// COR stands where (1 + COR)/2 should.
    RestitutionAsFactor, "restitution-as-factor",
        "impulses are multiplied by COR instead of (1 + COR)/2";
    /// 1 − COR stands where 1 + COR should.
    RestitutionSign, "restitution-sign",
        "the sign of COR is wrong: (1 − COR)/2 stands where (1 + COR)/2 should";
    /// A fixed body takes part with its mass.
    FixedMassUsed, "fixed-mass-used",
        "the mass of a fixed body is used: it counts as infinite, its terms are left out";
    /// A fixed body is pushed.
    FixedPushed, "fixed-pushed",
        "an impulse or force changes the velocity of a fixed body, which must stay as it is";
    /// The normal points the wrong way.
    NormalSign, "normal-sign",
        "the sign of a normal is wrong: what approaches passes for separating, and the other way round (n points from the first to the second)";
    /// The impulse points the wrong way.
    ImpulseSign, "impulse-sign",
        "the sign of the impulse is wrong: it pulls where it should push";
    /// α is not limited to the edge.
    ClampForgotten, "clamp-forgotten",
        "the clamp of α to 0…1 is forgotten: beyond its ends an edge is touched on its line";
    /// The radius is left out.
    RadiusLeftOut, "radius-left-out",
        "a radius is left out of the distance at which things touch: both radii count, that of the edge too";
    /// A radius counts twice, or half.
    RadiusFactor, "radius-factor",
        "radii count with another size than in the scene";
    /// The approach is not asked for.
    ApproachNotTested, "approach-not-tested",
        "it is not tested whether the two approach: what touches and moves apart is answered too";
    /// One kind of pairs is not checked.
    KindLeftOut, "kind-left-out",
        "one kind of collisions is neither found nor answered";
    /// The pairs are answered in another order.
    ResponseOrder, "response-order",
        "collisions are answered in another order: for each particle the later particles, then the edges, then the half-planes";
    /// All impulses come from the velocities before.
    AllAtOnce, "all-at-once",
        "impulses are computed from the velocities before all of them: each must see what earlier ones left";
    /// Collisions come before forces.
    ForcesAfter, "forces-after",
        "forces act after the collisions instead of before: a step integrates first, then answers collisions";
    /// The normal is not of length 1.
    NormalNotUnit, "normal-not-unit",
        "the normal of the impulse is not of length 1";
    /// Only one of the two is pushed.
    OneSided, "one-sided",
        "only one of the two is pushed: the impulse acts on both, with opposite signs";
    /// Impulses are applied twice.
    ImpulseTwice, "impulse-twice",
        "the impulse is applied twice, or is twice as large as it should be";
    /// The masses stand in each other's place.
    MassesSwapped, "masses-swapped",
        "the masses of the two are swapped: the lighter one changes its velocity more";
    /// Masses are not used.
    MassesIgnored, "masses-ignored",
        "masses are not used: every particle counts as 1 kg";
    /// α and 1 − α stand in each other's place.
    AlphaSwapped, "alpha-swapped",
        "α and 1 − α are swapped: the end of an edge that is nearer gets the larger share";
    /// Another coefficient of restitution; it is fitted to the file, so what needs no fit comes
    /// before it.
    RestitutionValue, "restitution-value",
        "impulses are those of another COR than that of the scene";
    /// Only velocities change in a swept response.
    PositionsNotMoved, "positions-not-moved",
        "the response changes velocities only: the end position moves along, by the change times dt";
    /// Contact without bounce where there should be one, or the other way round.
    WrongElasticity, "wrong-elasticity",
        "an elastic response is inelastic, or the other way round: `gr-` reflects (N⁺ ≥ −N⁻), the others only stop (N⁺ ≥ 0)";
    /// One elastic solve instead of sweeps.
    OneSweep, "one-sweep",
        "Generalized Reflection is solved once over all contacts: only those that approach take part, and it is repeated until none does";
    /// Only the vertices of one of two bodies are checked.
    OneWayDetection, "one-way-detection",
        "of two bodies only the vertices of one are tested against the edges of the other: both ways are meant";
    /// Impulses may pull.
    ImpulsesMayPull, "impulses-may-pull",
        "impulses may pull: every λ must be 0 or more";
    /// Impulses do not turn bodies.
    TorqueLeftOut, "torque-left-out",
        "impulses do not turn the bodies: r × n is left out of N";
    /// Arms are in body axes.
    BodyAxes, "body-axes",
        "an arm is in body axes where world axes are meant: r must be turned by R(θ)";
    /// Another moment of inertia.
    WrongInertia, "wrong-inertia",
        "impulses turn bodies by another moment of inertia: I = Σ m |x − X|², about the centre of mass";
    /// Friction is left out.
    FrictionLeftOut, "friction-left-out",
        "friction is left out: the velocities are those of mu = 0";
    /// Another integrator.
    OtherIntegrator, "other-integrator",
        "the step is that of another integrator";
    /// Gravity does not grow with mass.
    GravityWithoutMass, "gravity-without-mass",
        "gravity is a force there, not an acceleration: it is multiplied by the mass";
    /// Springs are not damped.
    DampingLeftOut, "damping-left-out",
        "the damping of springs is left out";
    /// A force is left out.
    ForceLeftOut, "force-left-out",
        "a force is left out";
    /// A force points the wrong way.
    ForceSign, "force-sign",
        "the sign of a force is wrong";
    /// A force is a multiple of what it should be.
    ForceFactor, "force-factor",
        "a force is a simple multiple of the right one: a factor is missing or too many";
    /// Springs have no rest length.
    RestLengthLeftOut, "rest-length-left-out",
        "the rest length of springs is left out: the force is k (l − l0), not k l";
    /// The penalty's thickness is left out.
    ThicknessLeftOut, "thickness-left-out",
        "the thickness of the penalty force is left out";
    /// Fixed particles are moved by forces.
    FixedMoves, "fixed-moves",
        "a fixed body is moved by forces";
    /// Another time step.
    WrongTimeStep, "wrong-time-step",
        "steps are taken with another dt than that of the scene";
    /// Several steps in a frame.
    FramesSkipped, "frames-skipped",
        "every frame is two steps on: a frame is written after each step";
    /// A frame is that before it.
    FrameRepeated, "frame-repeated",
        "a frame is the one before it once more: it is written twice, or its step is not taken";
    /// Numbers with seven digits.
    SinglePrecision, "single-precision",
        "numbers have been through single precision (float): double is meant throughout";
    /// Collisions are answered and not listed.
    NotListed, "not-listed",
        "collisions are answered rightly and are not in the list";
    /// What does not collide is listed.
    ListedTooMany, "listed-too-many",
        "collisions are listed that are none, though the motion is right: only what touches and approaches counts";
    /// The listed normals have length 1.
    ListedNormalUnit, "listed-normal-unit",
        "the normals in the list of collisions have length 1: they are the shortest vectors, as long as the distance";
    /// Indices in the list are swapped.
    ListedIndicesSwapped, "listed-indices-swapped",
        "the two indices of a collision in the list are swapped: the lower one comes first";
    /// The file has no polynomials.
    PolynomialsMissing, "polynomials-missing",
        "the polynomials are not in the file: two for a pair of particles or a half-plane, four for an edge, of every pair that is tested";
    /// A quantity is a multiple of what it should be.
    QuantityFactor, "quantity-factor",
        "an energy or momentum is a constant multiple of the right one: a factor is missing or too many";
}

/// An error that explains a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// Which.
    pub suspect: Suspect,
    /// More about it: which force, which integrator.
    pub detail: Option<String>,
    /// How many of the wrong steps that were checked it predicts to the last digits.
    pub explained: usize,
    /// How many were checked.
    pub wrong: usize,
}

impl Diagnosis {
    /// The sentence, with its detail.
    pub fn words(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail})", self.suspect.words()),
            None => self.suspect.words().to_owned(),
        }
    }
}

/// Where a step from a frame ends if collisions are not answered.
pub(super) fn free_step(scene: &Scene, options: Options, before: &Frame) -> Option<Motion> {
    bench::step(&mut Simulation::new(&bench::without_response(scene), options).ok()?, before)
}

/// A prediction for every sample, by one variant of a suspect.
struct Trial {
    suspect: Suspect,
    detail: Option<String>,
    predicted: Vec<Option<Motion>>,
}

/// Suspects that explain a file, the best first. Empty for a right file, and where none fits.
pub fn diagnose(scene: &Scene, options: Options, grade: &Grade) -> Vec<Diagnosis> {
    let samples: Vec<&Sample> = grade.samples.iter().collect();
    if grade.wrong_step.is_none() {
        return lists::quantities(grade);
    }
    let mut found: Vec<Diagnosis> = lists::diagnose(&samples);
    found.extend(lists::single_precision(&samples));
    if let Some(bench) = Bench::new(scene, options, &samples) {
        let mut trials = scenes::trials(&bench);
        trials.extend(particles::trials(&bench));
        trials.extend(penalty::trials(&bench));
        trials.extend(bodies::trials(&bench));
        trials.extend(steps::trials(&bench));
        for suspect in Suspect::ALL {
            let own = trials.iter().filter(|trial| trial.suspect == *suspect);
            let best = own.filter_map(|trial| judge(trial, &samples)).max_by_key(|d| d.explained);
            found.extend(best);
        }
    }
    if found.is_empty() {
        found = lists::quantities(grade);
    }
    lists::hear(&samples, &mut found);
    let undetected = lists::misses_all(&samples);
    // who does not even list the collision does not only fail to answer it
    let late = |suspect: Suspect| undetected && suspect == Suspect::NoResponse;
    found.sort_by_key(|d| (usize::MAX - d.explained, late(d.suspect), d.suspect));
    found
}

/// Whether a trial explains the samples.
fn judge(trial: &Trial, samples: &[&Sample]) -> Option<Diagnosis> {
    let (mut explained, mut wrong) = (0, 0);
    for (sample, predicted) in samples.iter().zip(&trial.predicted) {
        let got = Motion::of(&sample.step.got);
        let agrees = predicted.as_ref().is_some_and(|predicted| predicted.is_near(&got));
        if sample.is_right {
            // where the suspect has nothing to say, the right step stands
            if predicted.is_some() && !agrees {
                return None;
            }
        } else {
            // it must predict something else than what is right
            let tells = predicted.as_ref().is_some_and(|p| !p.is_near(&Motion::of(&sample.step.expected)));
            let fits = agrees && tells;
            // where only the list of collisions is wrong, the motion speaks neither for nor against
            if agrees && !tells {
                continue;
            }
            if wrong == 0 && !fits {
                return None;
            }
            wrong += 1;
            explained += usize::from(fits);
        }
    }
    let is_believed = wrong > 0 && 2 * explained >= wrong;
    is_believed.then(|| Diagnosis { suspect: trial.suspect, detail: trial.detail.clone(), explained, wrong })
}
