//! Bodies that had too many impacts wait for the next step.

use super::Bounces;
use crate::mechanics::{Mechanics, Vector};
use crate::neighbours::Carriers;
use crate::report::StepReport;
use crate::step::Stepper;
use carom_contact::Status;

/// The part of its way to a body that waits that another one goes.
const BEFORE_WAITING: f64 = 0.9;

impl<M: Mechanics> Stepper<M> {
    /// What would run into a body that waits does not: it waits too, a little before. Where three
    /// touch at once, one between two others, nobody knows who bounces.
    pub(super) fn meets_who_waits(
        &mut self,
        bodies: &M,
        pair: usize,
        time: f64,
        report: &mut StepReport,
    ) -> bool {
        let [a, b] = self.neighbours.pairs[pair].map(|shape| bodies.carriers(shape));
        let carriers = Carriers::of(a, b);
        let bounces = &mut self.bounces;
        if !carriers.as_slice().iter().any(|&body| bounces.tracks[body as usize].waits) {
            return false;
        }
        report.early_impacts += 1;
        bounces.changed.clear();
        for &body in carriers.as_slice() {
            let k = body as usize;
            if bodies.is_free(k) && !bounces.tracks[k].waits {
                let begun = bounces.tracks[k].time;
                bounces.move_to(bodies, k, begun + BEFORE_WAITING * (time - begun));
                let track = &mut bounces.tracks[k];
                (track.waits, track.divided) = (true, true);
                track.version += 1;
                bounces.changed.push(body);
            }
        }
        bounces.divided = true;
        true
    }

    /// Nobody who may meet somebody goes on: who is where at that time is known.
    pub(super) fn let_all_wait(&mut self, bodies: &M, time: f64, report: &mut StepReport) {
        report.status = report.status.max(Status::LimitReached);
        for body in (0..bodies.body_count()).filter(|&body| bodies.is_free(body)) {
            if self.neighbours.of(body as u32).next().is_none() {
                continue;
            }
            if !self.bounces.tracks[body].waits {
                report.early_impacts += 1;
                self.bounces.move_to(bodies, body, time);
            }
            let track = &mut self.bounces.tracks[body];
            (track.waits, track.divided) = (true, true);
        }
        self.bounces.divided = true;
    }

    /// Whether an obstacle of the cluster moves: what it squeezes bounces without end.
    pub(super) fn is_driven(&self, bodies: &M) -> bool {
        let driven = |body: usize| {
            !bodies.is_free(body) && self.bounces.tracks[body].motion.velocity != Vector::default()
        };
        self.cluster.numbering.bodies().iter().any(|&body| driven(body as usize))
    }

    /// The most impacts of a body of the cluster.
    pub(super) fn most_impacts(&self) -> u32 {
        let bodies = self.cluster.numbering.bodies().iter();
        bodies.map(|&body| self.bounces.tracks[body as usize].impacts).max().unwrap_or(0)
    }

    /// Bodies that had too many impacts stay where they are until the next step, with all that
    /// touches them: places do not change, so energy is kept. They lose time instead of
    /// restitution.
    pub(super) fn let_wait(&mut self, bodies: &M, report: &mut StepReport) {
        let Bounces { tracks, changed, .. } = &mut self.bounces;
        report.early_impacts += 1;
        for &body in changed.iter().filter(|&&body| bodies.is_free(body as usize)) {
            let track = &mut tracks[body as usize];
            (track.waits, track.divided) = (true, true);
        }
    }
}
