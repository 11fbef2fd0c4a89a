//! Particles behind the façade: steps, frames, and back.

use crate::failure::{INTERRUPTED, too_many};
use crate::status::StepStatus;
use crate::watch;
use crate::world::FamilyWorld;
use carom_contact::ContactProblem;
use carom_frames::{Contact, ContactKind, Diagnostics, Family, Frame, Impact, Polynomials, Quantities};
use carom_particles::{
    Exchange, FallbackLevel, IntegrationStatus, Pair, ParticleIndex, Response, State, World,
};
use glam::DVec2;

#[derive(Debug, Clone)]
pub(crate) struct ParticleWorld {
    world: World,
    /// Who touched in the last step that could be taken.
    contacts: Vec<Contact>,
    /// Buffer: the state that a frame is turned into.
    incoming: State,
    /// What warm starts remembered before a step that is watched.
    memory_before: Vec<f64>,
    /// Frames hold no energies, momenta and overlaps.
    states_only: bool,
}

impl ParticleWorld {
    pub(crate) fn new(world: World) -> Self {
        Self {
            world,
            contacts: Vec::new(),
            incoming: State::default(),
            memory_before: Vec::new(),
            states_only: false,
        }
    }

    pub(crate) fn shows_states_only(&self) -> bool {
        self.states_only
    }

    pub(crate) fn show_states_only(&mut self) {
        self.states_only = true;
    }

    fn quantities(&self) -> Quantities {
        let (invariants, penetration) = self.world.invariants_and_penetration();
        let momentum = invariants.linear_momentum;
        Quantities {
            kinetic: invariants.kinetic_energy,
            potential: invariants.potential_energy,
            momentum: [momentum.x, momentum.y, 0.0],
            angular_momentum: [0.0, 0.0, invariants.angular_momentum],
            deepest_penetration: penetration,
        }
    }

    /// Undoes a step.
    fn step_back(&mut self, status: StepStatus, reason: String) -> (StepStatus, String) {
        // The course's way of running goes on with states that are not finite; they are not put
        // back.
        if self.world.set_state(&self.incoming).is_ok() {
            self.world.restore_memory(&self.memory_before);
        }
        (status, reason)
    }

    pub(crate) fn log_conditions(&mut self, wanted: bool) {
        self.world.log_conditions(wanted);
    }

    /// The polynomials of the last step: those of its first stage, and all.
    pub(crate) fn polynomials(&self) -> Option<[Polynomials; 2]> {
        let log = self.world.conditions()?;
        let part = |(count, coefficients): (usize, usize)| Polynomials {
            lengths: log.lengths[..count].to_vec(),
            coefficients: log.coefficients[..coefficients].to_vec(),
        };
        Some([part(log.first_stage), part((log.lengths.len(), log.coefficients.len()))])
    }
}

impl FamilyWorld for ParticleWorld {
    fn family(&self) -> Family {
        Family::Particles
    }

    fn step(&mut self) -> Result<Diagnostics, (StepStatus, String)> {
        self.incoming.copy_from(self.world.state());
        if watch::is_set() {
            self.memory_before = self.world.memory();
        }
        let report = self.world.step();
        if watch::is_over() {
            return Err(self.step_back(StepStatus::NotConverged, INTERRUPTED.to_owned()));
        }
        if report.collisions.refused_pairs > 0 {
            return Err(self.step_back(StepStatus::LimitReached, too_many(report.collisions.refused_pairs)));
        }
        let status = match report.status {
            IntegrationStatus::Completed => match report.collisions.fallback {
                FallbackLevel::None => StepStatus::of_contact(report.collisions.status),
                FallbackLevel::Inelastic => StepStatus::Inelastic,
                FallbackLevel::Stopped => StepStatus::Stopped,
                FallbackLevel::Repelled => StepStatus::Repelled,
                FallbackLevel::ImpactZones => StepStatus::ImpactZones,
            },
            IntegrationStatus::NotConverged { .. } => StepStatus::NotConverged,
            IntegrationStatus::NonFinite { particle } if !report.taken => {
                let reason = format!(
                    "particle {} became non-finite; a smaller dt or a stabler integrator may help",
                    particle.0
                );
                return Err((StepStatus::NonFinite, reason));
            }
            IntegrationStatus::NonFinite { .. } => StepStatus::NonFinite,
            IntegrationStatus::SubstepsExhausted { elapsed } => {
                let reason = format!(
                    "the adaptive method ran out of substeps after {elapsed} s of the step; \
                     looser tolerances or a smaller dt may help"
                );
                return Err((StepStatus::NotConverged, reason));
            }
        };
        self.contacts.clear();
        self.contacts.extend(self.world.contacts().iter().map(contact));
        let response = self.world.settings().collision.response;
        let rows = matches!(response, Response::Contact(_));
        Ok(Diagnostics {
            status: status.code(),
            iterations: report.iterations,
            residual: report.residual.max(report.collisions.residual),
            active_contacts: self.contacts.iter().filter(|c| c.impulse != 0.0).count() as u32,
            contact_rows: rows.then_some(report.collisions.contact_rows as u32),
            largest_island: rows.then_some(report.collisions.largest_island as u32),
            impact: impact(response.has_impulses(), report.collisions.exchange),
        })
    }

    fn write_frame(&self, frame: &mut Frame) {
        let state = self.world.state();
        write_pairs(&state.positions, &mut frame.positions);
        write_pairs(&state.velocities, &mut frame.velocities);
        frame.quantities = if self.states_only { Quantities::UNKNOWN } else { self.quantities() };
        frame.memory = self.world.memory();
        frame.contacts.clone_from(&self.contacts);
        // Before the first step there is no state inside a step.
        let inner = self.world.intermediate().filter(|inner| inner.positions.len() == state.positions.len());
        frame.intermediate = inner.map(|inner| {
            let mut intermediate = frame.intermediate.take().unwrap_or_default();
            write_pairs(&inner.positions, &mut intermediate.positions);
            write_pairs(&inner.velocities, &mut intermediate.velocities);
            intermediate
        });
    }

    fn restore(&mut self, frame: &Frame) -> Result<(), String> {
        read_pairs(&frame.positions, &mut self.incoming.positions);
        read_pairs(&frame.velocities, &mut self.incoming.velocities);
        self.incoming.step = frame.step;
        self.world.set_state(&self.incoming).map_err(|e| e.to_string())?;
        self.world.restore_memory(&frame.memory);
        self.contacts.clone_from(&frame.contacts);
        Ok(())
    }

    fn push(&mut self, particle: usize, force: [f64; 3], _: [f64; 3]) -> bool {
        let there = particle < self.body_count();
        if there {
            self.world.apply(ParticleIndex(particle), DVec2::new(force[0], force[1]));
        }
        there
    }

    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn coordinates(&self, index: usize) -> [f64; 7] {
        let DVec2 { x, y } = self.world.state().positions[index];
        [x, y, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    fn speeds(&self, index: usize) -> [f64; 6] {
        let DVec2 { x, y } = self.world.state().velocities[index];
        [x, y, 0.0, 0.0, 0.0, 0.0]
    }

    fn contact_problem(&self) -> Option<&ContactProblem> {
        self.world.contact_problem()
    }

    fn step_count(&self) -> u64 {
        self.world.state().step
    }

    fn body_count(&self) -> usize {
        self.world.model().particles.len()
    }

    fn mass_properties(&self) -> (Vec<f64>, Vec<f64>) {
        (self.world.model().particles.iter().map(|p| p.mass).collect(), Vec::new())
    }
}

/// What the answers to collisions did, where the method has any.
fn impact(has_impulses: bool, exchange: Option<Exchange>) -> Impact {
    match exchange {
        Some(exchange) => Impact::Happened {
            kinetic_before: exchange.kinetic_before,
            kinetic_after: exchange.kinetic_after,
            momentum_change: [exchange.momentum_change.x, exchange.momentum_change.y, 0.0],
            angular_momentum_change: [0.0, 0.0, exchange.angular_momentum_change],
        },
        None if has_impulses => Impact::None,
        None => Impact::Unknown,
    }
}

fn contact(contact: &carom_particles::ParticleContact) -> Contact {
    let (kind, first, second) = match contact.pair {
        Pair::ParticleParticle(a, b) => (ContactKind::ParticleParticle, a.0, b.0),
        Pair::ParticleEdge(a, e) => (ContactKind::ParticleEdge, a.0, e.0),
        Pair::ParticleHalfPlane(a, h) => (ContactKind::ParticleHalfPlane, a.0, h.0),
    };
    Contact {
        kind,
        first: first as u32,
        second: second as u32,
        point: [contact.point.x, contact.point.y, 0.0],
        normal: [contact.vector.x, contact.vector.y, 0.0],
        gap: contact.gap,
        time: contact.time,
        impulse: contact.impulse,
        friction: [contact.friction.x, contact.friction.y, 0.0],
    }
}

fn write_pairs(from: &[DVec2], to: &mut Vec<f64>) {
    to.clear();
    to.extend(from.iter().flat_map(|p| [p.x, p.y]));
}

fn read_pairs(from: &[f64], to: &mut Vec<DVec2>) {
    to.clear();
    to.extend(from.chunks_exact(2).map(|p| DVec2::new(p[0], p[1])));
}
