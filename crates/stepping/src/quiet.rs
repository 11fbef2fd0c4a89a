//! Steps in which nothing can meet: bodies fly, and no contact is solved.

use crate::mechanics::{Flight, Mechanics, Pair, Vector};
use crate::neighbours::Carriers;
use crate::report::Touched;
use crate::step::{MARGIN, Stepper};
use crate::track::{added, clearance, linear_length};

/// What may come of the pairs of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outlook {
    /// Nothing, and none of them touch.
    Clear,
    /// Nothing, but some touch.
    Idle,
    /// They may meet.
    Active,
}

impl<M: Mechanics> Stepper<M> {
    /// Looks at all pairs, and notes those of which nothing comes.
    pub(crate) fn look_ahead(&mut self, bodies: &M, dt: f64) -> Outlook {
        let Self { idle, neighbours, flight, .. } = self;
        idle.clear();
        let mut all = Outlook::Clear;
        for &pair in &neighbours.pairs {
            let one = outlook(bodies, flight, pair, dt);
            idle.push(one < Outlook::Active);
            all = all.max(one);
        }
        all
    }

    /// Nothing but flight; what touches is reported.
    pub(crate) fn fly_by(&mut self, bodies: &M) {
        self.bounces.divided = false;
        self.rows.forget();
        let closed = self.near.iter().filter(|contact| bodies.touch(contact).is_closed());
        let touched = |&contact| Touched { contact, time: 0.0, impulse: 0.0, friction: [0.0; 2] };
        self.touched.extend(closed.map(touched));
        let key = |touched: &Touched<M::Contact>| bodies.touch(&touched.contact).key;
        if !self.touched.is_sorted_by_key(key) {
            self.touched.sort_unstable_by_key(key);
        }
    }
}

/// What may come of a pair as long as nothing else acts on it: nothing of separating balls without
/// forces, nor of bodies that are too far apart to meet.
fn outlook<M: Mechanics>(bodies: &M, flight: &Flight<M::Pose>, pair: Pair, dt: f64) -> Outlook {
    let carriers = Carriers::of(bodies.carriers(pair[0]), bodies.carriers(pair[1]));
    let &[a, b] = carriers.as_slice() else { return Outlook::Active };
    let (a, b) = (a as usize, b as usize);
    let open = clearance(bodies, flight, carriers);
    let tolerance = bodies.tolerance(pair);
    if bodies.is_round(a) && bodies.is_round(b) && is_free_of_forces::<M>(flight, [a, b]) {
        let [from, to] = [a, b].map(|body| M::position(&flight.start[body].pose));
        let separate = |va: &Vector, vb: &Vector| {
            (0..M::LINEAR).fold(0.0, |sum, axis| sum + (to[axis] - from[axis]) * (va[axis] - vb[axis])) <= 0.0
        };
        if separate(&flight.mean[a], &flight.mean[b]) && separate(&flight.end[a].1, &flight.end[b].1) {
            return if open > tolerance { Outlook::Clear } else { Outlook::Idle };
        }
    }
    let is_near = open <= tolerance + MARGIN * bodies.extent(pair);
    if !is_near && is_far(bodies, flight, carriers, dt) { Outlook::Clear } else { Outlook::Active }
}

/// Whether two bodies are too far apart to meet in free flight.
pub(crate) fn is_far<M: Mechanics>(
    bodies: &M,
    flight: &Flight<M::Pose>,
    carriers: Carriers,
    dt: f64,
) -> bool {
    let (&[a, b], Flight { start, mean, .. }) = (carriers.as_slice(), flight) else { return false };
    let (a, b) = (a as usize, b as usize);
    let bend = linear_length::<M>(&start[a].acceleration) + linear_length::<M>(&start[b].acceleration);
    // Resting contact may cancel forces, and stored velocities may be half a step apart.
    let nearer = dt * linear_length::<M>(&added::<M>(&mean[a], -1.0, &mean[b])) + 2.0 * dt * dt * bend;
    let margin = MARGIN * bodies.bounding_radius(a).min(bodies.bounding_radius(b));
    clearance(bodies, flight, carriers) > 1.01 * nearer + margin
}

fn is_free_of_forces<M: Mechanics>(flight: &Flight<M::Pose>, pair: [usize; 2]) -> bool {
    pair.iter().all(|&body| flight.start[body].acceleration[..M::LINEAR].iter().all(|&a| a == 0.0))
}
