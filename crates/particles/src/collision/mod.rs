//! Collisions: what happens after particles moved as if nothing could touch.
//!
//! Each method is one file with a function `resolve` that looks at the states before and after the
//! free motion and changes the latter. `impulse.rs` is the law of a single impact; detection is a
//! module of its own. Penalty is a force and lives in `force/`.

mod back_up;
mod contact;
mod contact_rows;
mod continuous_time;
mod elastic;
mod exchange;
mod failsafe;
mod hybrid;
mod impact_zones;
pub(crate) mod impulse;
mod measure;
mod resting;
mod settings;
mod simple;
mod simultaneous;

pub use contact::{Pair, ParticleContact};
pub use exchange::Exchange;
pub use settings::{BroadPhaseMethod, CollisionSettings, Penalty, Response};

use crate::detection::boxes::Boxes;
use crate::detection::conditions_log::ConditionsLog;
use crate::detection::{Context, DetectedContact, Plane, place_planes};
use crate::energy::MotionTotals;
use crate::{Model, ParticleSettings, State};
use carom_geometry::plane::broad_phase::{BroadPhase, Candidates, KeptCandidates, LiveCandidates};
use glam::DVec2;
use impulse::Law;

/// How the collisions of a step were resolved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CollisionReport {
    /// Passes over all pairs, or events, or sweeps of a contact solver.
    pub passes: u32,
    /// How the contact solver ended, for methods that solve all contacts at once; solved for all
    /// others.
    pub status: carom_contact::Status,
    /// What the contact solver left, a speed or an impulse.
    pub residual: f64,
    /// The strongest fallback that was needed.
    pub fallback: FallbackLevel,
    /// Rows of the contact problem, the size of A, for methods that solve all contacts at once.
    pub contact_rows: usize,
    /// Rows of its largest group of particles that were solved together.
    pub largest_island: usize,
    /// What the answers did to the motion as a whole; nothing where nothing had to be answered.
    pub exchange: Option<Exchange>,
    /// More pairs than this overlap or come near, and nothing was checked; 0 where there were
    /// fewer.
    pub refused_pairs: usize,
}

impl CollisionReport {
    /// What a step of all families reports.
    pub(crate) fn of(report: &carom_stepping::StepReport) -> Self {
        let [x, y, _] = report.momentum_change;
        let exchange = (report.responses > 0).then_some(Exchange {
            kinetic_before: report.kinetic_before,
            kinetic_after: report.kinetic_after,
            momentum_change: DVec2::new(x, y),
            angular_momentum_change: report.angular_momentum_change[2],
        });
        Self {
            passes: u32::try_from(report.responses).unwrap_or(u32::MAX),
            status: report.status,
            residual: report.residual.worst(),
            fallback: FallbackLevel::None,
            contact_rows: report.contact_rows,
            largest_island: report.largest_island,
            exchange,
            refused_pairs: report.refused_pairs,
        }
    }
}

/// How far a method had to go to resolve a step, from the ordinary to the desperate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum FallbackLevel {
    /// The method itself was enough.
    #[default]
    None,
    /// Restitution was given up in the later passes.
    Inelastic,
    /// Impulses did not end within their cap, and groups of particles were moved rigidly.
    ImpactZones,
    /// Impulses did not end within their cap: what still touched stayed where it was, without
    /// velocity, or was carried along by an obstacle that moves.
    Stopped,
    /// Not even that helped: a penetration was accepted, with a velocity that leads out of it.
    Repelled,
}

/// A method with its buffers, which are kept from step to step; nothing in them outlives a step but
/// the memory of the contact solver.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handler {
    pub(crate) contacts: Vec<ParticleContact>,
    /// Positions and velocities between the stages of a step, where a method has stages.
    pub(crate) intermediate: Option<State>,
    /// The polynomials of the step's tests, where they are wanted.
    pub(crate) log: Option<ConditionsLog>,
    planes: Vec<Plane>,
    broad_phase: BroadPhase,
    candidates: Candidates,
    near: KeptCandidates,
    live: LiveCandidates,
    boxes: Boxes,
    hits: Vec<DetectedContact>,
    impulses: Vec<impulse::PairImpulse>,
    /// How much of the gap of each hit may close.
    gaps: Vec<f64>,
    solver: contact_rows::Solver,
    /// For problems that are solved afresh in every step.
    separation: carom_contact::Workspace,
    /// Mean velocities of a step, or displacements.
    means: Vec<DVec2>,
    /// The end of the step without contact.
    free: State,
    /// The pairs that have a row, sorted.
    known: Vec<carom_contact::ContactKey>,
    stopped: Vec<bool>,
    /// How far an obstacle carries each particle along.
    carried: Vec<Option<DVec2>>,
    velocities: Vec<DVec2>,
    /// The state and the half-planes at a moment within the step.
    moment: State,
    moment_planes: Vec<Plane>,
    zones: impact_zones::Zones,
    /// Whether paths met in so many pairs that none was checked.
    gave_up: bool,
    incidence: Incidence,
}

/// The states that a method works on.
pub(crate) struct Step<'a> {
    pub(crate) context: Context<'a>,
    pub(crate) start: &'a State,
    pub(crate) end: &'a mut State,
    /// The motion at the end before the first answer; nothing until there is one.
    pub(crate) before: Option<MotionTotals>,
}

impl Step<'_> {
    /// Keeps the motion as it is, unless an answer already changed it. Comes before every answer,
    /// so that a step without any costs nothing.
    pub(crate) fn note(&mut self) {
        if self.before.is_none() {
            self.before = Some(MotionTotals::of(self.context.model, self.end));
        }
    }
}

impl Handler {
    /// What the method remembers from step to step: warm starts of the contact solver.
    pub(crate) fn memory(&self) -> Vec<f64> {
        self.solver.memory()
    }

    /// Puts back what [`Handler::memory`] gave.
    pub(crate) fn restore_memory(&mut self, memory: &[f64]) {
        self.solver.restore_memory(memory);
    }

    pub(crate) fn new(model: &Model, settings: &ParticleSettings) -> Self {
        let hybrid = matches!(settings.collision.response, Response::Hybrid { .. });
        Self {
            broad_phase: BroadPhase::new(settings.collision.broad_phase),
            near: KeptCandidates::new(settings.collision.broad_phase),
            incidence: Incidence::new(model),
            intermediate: (hybrid && settings.course).then(State::default),
            ..Self::default()
        }
    }

    /// Whether the last step had more pairs than anyone looks at.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up || self.near.gave_up() || self.live.gave_up()
    }

    /// Changes `end` so that what met on the way from `start` bounces, sticks or slides.
    pub(crate) fn resolve(
        &mut self,
        model: &Model,
        settings: &ParticleSettings,
        start: &State,
        end: &mut State,
    ) -> CollisionReport {
        self.contacts.clear();
        self.gave_up = false;
        if let Some(log) = &mut self.log {
            log.start();
        }
        // such a step is taken back, and boxes that are not finite would be compared with all
        // others
        if !settings.course && end.first_non_finite().is_some() {
            return CollisionReport::default();
        }
        let mut planes = std::mem::take(&mut self.planes);
        place_planes(model, start.time(settings.time_step), settings.time_step, &mut planes);
        let mut step =
            Step { context: Context { model, settings, planes: &planes }, start, end, before: None };
        let mut report = match settings.collision.response {
            Response::None | Response::Penalty(_) => CollisionReport::default(),
            Response::Simple => {
                simple::resolve(self, &mut step);
                CollisionReport { passes: 1, ..CollisionReport::default() }
            }
            Response::ContinuousTime => continuous_time::resolve(self, &mut step),
            Response::Contact(response) if rests(&response, &settings.collision) => {
                resting::resolve(self, &mut step, response)
            }
            Response::Contact(response) => contact_rows::resolve(self, &mut step, response),
            Response::BackUp { max_events } => back_up::resolve(self, &mut step, max_events),
            Response::Simultaneous { max_iterations } => {
                simultaneous::resolve(self, &mut step, max_iterations)
            }
            Response::Elastic { elastic_iterations, max_iterations } => {
                elastic::resolve(self, &mut step, elastic_iterations, max_iterations)
            }
            Response::Hybrid { max_iterations, .. } => hybrid::resolve(self, &mut step, max_iterations),
        };
        report.exchange = step.before.map(|before| Exchange::since(before, model, step.end));
        self.planes = planes;
        report
    }
}

/// Whether contact is without bounce.
fn rests(response: &carom_contact::Response, settings: &CollisionSettings) -> bool {
    let reflects = matches!(response, carom_contact::Response::GeneralizedReflection { .. });
    !reflects && settings.restitution == 0.0
}

impl Law {
    fn of(settings: &CollisionSettings) -> Self {
        Self { restitution: settings.restitution, friction: settings.friction }
    }
}

/// The edges of each particle.
#[derive(Debug, Clone, Default)]
struct Incidence {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Incidence {
    fn new(model: &Model) -> Self {
        let mut pairs: Vec<(usize, u32)> = model
            .edges
            .iter()
            .enumerate()
            .flat_map(|(e, edge)| [(edge.start.0, e as u32), (edge.end.0, e as u32)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        let count = |i: usize| pairs.partition_point(|(k, _)| *k < i) as u32;
        Self {
            starts: (0..=model.particles.len()).map(count).collect(),
            edges: pairs.iter().map(|(_, e)| *e).collect(),
        }
    }

    fn of(&self, particle: usize) -> &[u32] {
        &self.edges[self.starts[particle] as usize..self.starts[particle + 1] as usize]
    }
}
