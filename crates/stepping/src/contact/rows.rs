//! Rows and velocities of the contact problem.

use crate::mechanics::{Flight, Mechanics, Motion, Vector};
use crate::track::added;

/// A row of the contact problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<C> {
    pub(crate) pair: u32,
    pub(crate) contact: C,
    pub(crate) gap: Gap,
}

/// What a row knows of its gap.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Gap {
    /// As it is at the start.
    Start,
    /// It closes at this time of the mean path, if nothing is done.
    Meeting(f64),
    /// It closes at this time of the motion that was chosen last.
    Found(f64),
    /// As it is at the end of a divided path.
    End,
    /// The same at the end of the motion that was chosen last.
    FoundAtEnd,
    /// The same of a body that turned far.
    Turned,
    /// Approach that is harmless for the mean velocity, and for the stored one.
    Bias(f64, f64),
}

/// Rows and velocities of the contact problem.
#[derive(Debug, Clone)]
pub(crate) struct Rows<M: Mechanics> {
    pub(crate) rows: Vec<Row<M::Contact>>,
    /// Mean and stored velocities without contact.
    pub(crate) mean: Vec<Vector>,
    pub(crate) stored: Vec<Vector>,
    /// The same with contact.
    pub(crate) new_mean: Vec<Vector>,
    pub(crate) new_stored: Vec<Vector>,
    /// Where bodies with impacts end without contact.
    pub(super) ends: Vec<Option<M::Pose>>,
    /// Bodies that wait because of too many impacts, and those around them: contact decides from
    /// the start how much of their way they go; their velocities are those after the impacts.
    pub(super) crowd: Vec<bool>,
    /// Whether contact changed the velocity of a body.
    pub(crate) changed: Vec<bool>,
    /// Whether this round's solve changed it.
    pub(crate) moved: Vec<bool>,
    /// Whether a row is new in this round, or written anew.
    pub(crate) is_fresh: Vec<bool>,
    /// To what speed the last round was solved, if islands may keep its answers.
    pub(crate) kept_from: Option<f64>,
    /// The mean velocities of the last round.
    pub(crate) last_mean: Vec<Vector>,
    /// How often the problem was solved again.
    pub(crate) round: usize,
    /// To what speed it was solved; 0 for solver precision.
    pub(crate) roughness: f64,
    /// Approach of contacts without a row that is within what is asked for, in m/s.
    pub(crate) slack: f64,
    /// Whether stored velocities are not the mean ones, and have a problem of their own.
    pub(crate) is_twofold: bool,
    /// Whether the step ends with overlap that solving again did not open.
    pub(crate) ends_inside: bool,
}

impl<M: Mechanics> Rows<M> {
    /// Nobody has a row, and no flight is changed.
    pub(crate) fn forget(&mut self) {
        self.rows.clear();
        self.changed.clear();
        self.ends_inside = false;
    }

    /// Whether a body had impacts in this step.
    pub(crate) fn is_divided(&self, body: usize) -> bool {
        self.ends[body].is_some()
    }

    /// Puts rows in the order of pairs. Unstable because a stable sort allocates.
    pub(crate) fn sort(&mut self, bodies: &M) {
        self.rows.sort_unstable_by_key(|row| (row.pair, bodies.touch(&row.contact).key));
    }

    /// Where a body ends and the velocity that is stored for it; none where its flight is not
    /// changed.
    pub(crate) fn end_of(
        &self,
        bodies: &M,
        flight: &Flight<M::Pose>,
        body: usize,
        dt: f64,
    ) -> Option<(M::Pose, Vector)> {
        let changed = *self.changed.get(body)?;
        if let Some(end) = self.ends[body] {
            if !changed {
                return Some((end, self.stored[body]));
            }
            let push = added::<M>(&self.new_mean[body], -1.0, &self.mean[body]);
            let by = added::<M>(&Vector::default(), dt, &push);
            return Some((bodies.displaced(body, &end, &by), self.new_stored[body]));
        }
        if !changed && !self.crowd[body] {
            return None;
        }
        let velocity = if changed { self.new_mean[body] } else { self.mean[body] };
        let acceleration = Vector::default();
        let along = Motion { pose: flight.start[body].pose, velocity, acceleration };
        let end = bodies.drift(body, &along, dt);
        let stored = match (changed, self.is_twofold) {
            (false, _) => self.stored[body],
            (true, true) => self.new_stored[body],
            (true, false) => end.velocity,
        };
        Some((end.pose, stored))
    }
}

impl<M: Mechanics> Default for Rows<M> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            mean: Vec::new(),
            stored: Vec::new(),
            new_mean: Vec::new(),
            new_stored: Vec::new(),
            ends: Vec::new(),
            crowd: Vec::new(),
            changed: Vec::new(),
            moved: Vec::new(),
            is_fresh: Vec::new(),
            kept_from: None,
            last_mean: Vec::new(),
            round: 0,
            roughness: 0.0,
            slack: 0.0,
            is_twofold: false,
            ends_inside: false,
        }
    }
}
