//! What rests at the start of a step is held before anything bounces off it.

use super::Closed;
use crate::mechanics::Mechanics;
use crate::neighbours::Carriers;
use crate::report::StepReport;
use crate::settings::ContactSettings;
use crate::step::Stepper;
use crate::track::Track;
use carom_numerics::watch;

impl<M: Mechanics> Stepper<M> {
    /// Holds what rests and is met.
    pub(super) fn hold_what_is_met(
        &mut self,
        bodies: &mut M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) {
        while !self.bounces.met.is_empty() && !watch::is_over() {
            let mut met = std::mem::take(&mut self.bounces.met);
            std::mem::swap(&mut met, &mut self.bounces.looked_at);
            let all = std::mem::take(&mut self.bounces.looked_at);
            self.bounces.met = met;
            self.bounces.met.clear();
            if self.hold_those(bodies, settings, dt, &all, report) {
                self.renew_events(bodies, (dt, Closed::Count), report);
            }
            self.bounces.looked_at = all;
        }
    }

    /// Holds what rests at the start and has to do with the cluster, if that was not done yet. Then
    /// paths up to the instant are others, and the cluster is no longer what it was.
    pub(super) fn hold_what_rests(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        dt: f64,
        report: &mut StepReport,
    ) -> bool {
        let mut all = std::mem::take(&mut self.bounces.looked_at);
        all.clear();
        all.extend_from_slice(self.cluster.numbering.bodies());
        let held = self.hold_those(bodies, settings, dt, &all, report);
        self.bounces.looked_at = all;
        held
    }

    /// Holds what rests of some bodies, with all that it rests on or carries.
    fn hold_those(
        &mut self,
        bodies: &M,
        settings: &ContactSettings,
        dt: f64,
        all: &[u32],
        report: &mut StepReport,
    ) -> bool {
        self.bounces.changed.clear();
        if !self.bounces.forces {
            // Nothing presses: what lies stays on its path.
            return false;
        }
        for &body in all {
            let k = body as usize;
            if !bodies.is_free(k) || !self.bounces.rests[k] || self.bounces.tracks[k].held {
                continue;
            }
            self.gather_what_rests(bodies, dt, body);
            let (bounces, flight) = (&mut self.bounces, &self.flight);
            self.cluster.hold_from_start(bodies, bounces, flight, (settings, dt), report);
            self.bounces.changed.extend_from_slice(self.cluster.numbering.bodies());
        }
        !self.bounces.changed.is_empty()
    }

    /// Gathers what touches a body at the start, directly or through others, back at the start.
    fn gather_what_rests(&mut self, bodies: &M, dt: f64, body: u32) {
        let Self { cluster, bounces, neighbours, near, near_end, flight, .. } = self;
        cluster.start(bodies, neighbours);
        cluster.join(bodies, body);
        while let Some(body) = cluster.stack.pop() {
            for number in neighbours.of(body).map(|at| neighbours.member(at)) {
                if !cluster.is_new(number) {
                    continue;
                }
                let first = if number == 0 { 0 } else { near_end[number - 1] } as usize;
                let near = near[first..near_end[number] as usize].iter();
                let known = cluster.contacts.len();
                let closed = near.filter(|contact| bodies.touch(contact).is_closed());
                cluster.contacts.extend(closed.map(|&contact| (number as u32, contact)));
                if cluster.contacts.len() > known {
                    let [a, b] = neighbours.pairs[number].map(|shape| bodies.carriers(shape));
                    for &body in Carriers::of(a, b).as_slice() {
                        cluster.join(bodies, body);
                    }
                }
            }
        }
        cluster.sort(bodies);
        for &body in cluster.numbering.bodies() {
            let track = &mut bounces.tracks[body as usize];
            *track = Track { version: track.version, ..Track::start::<M>(flight, body as usize, dt) };
        }
    }
}
