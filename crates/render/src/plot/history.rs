//! Quantities of a run over time, gathered frame by frame in bounded memory.

pub use super::quantity::{Quantity, Topic};

use super::quantity::QUANTITIES;
use super::{Axis, Chart};
use carom_trajectory::Frame;

/// Intervals of time that are kept; when full, neighbours are joined.
const MOST_BUCKETS: usize = 4096;

/// One run, as far as plots need it. A run of any length takes the same memory: peaks are kept,
/// time is coarser.
#[derive(Debug, Clone, Default)]
pub struct History {
    buckets: Vec<Bucket>,
    per_bucket: u64,
    in_last: u64,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    first: f64,
    last: f64,
    low: [f64; QUANTITIES],
    high: [f64; QUANTITIES],
}

impl Bucket {
    fn of(frame: &Frame) -> Bucket {
        let values = Quantity::ALL.map(|quantity| quantity.of(frame));
        Bucket { first: frame.time, last: frame.time, low: values, high: values }
    }

    /// Both together; what is not a number gives way.
    fn join(&mut self, later: &Bucket) {
        self.last = later.last;
        for k in 0..self.low.len() {
            self.low[k] = self.low[k].min(later.low[k]);
            self.high[k] = self.high[k].max(later.high[k]);
        }
    }
}

impl History {
    /// Of frames that are in memory.
    pub fn of<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> History {
        let mut history = History::default();
        for frame in frames {
            history.push(frame);
        }
        history
    }

    /// Adds a frame; frames come in the order of their times.
    pub fn push(&mut self, frame: &Frame) {
        let new = Bucket::of(frame);
        match self.buckets.last_mut() {
            Some(last) if self.in_last < self.per_bucket => {
                last.join(&new);
                self.in_last += 1;
            }
            _ => {
                if self.buckets.len() >= MOST_BUCKETS {
                    self.halve();
                }
                self.buckets.push(new);
                self.in_last = 1;
                self.per_bucket = self.per_bucket.max(1);
            }
        }
    }

    fn halve(&mut self) {
        let joined = self.buckets.chunks(2).map(|pair| {
            let mut first = pair[0];
            if let Some(second) = pair.get(1) {
                first.join(second);
            }
            first
        });
        self.buckets = joined.collect();
        self.per_bucket *= 2;
    }

    /// The curve of a quantity. Where several frames share a place, their lowest and highest value
    /// are there.
    pub fn curve(&self, quantity: Quantity) -> Vec<[f64; 2]> {
        let k = quantity as usize;
        let mut points = Vec::with_capacity(self.buckets.len());
        for bucket in &self.buckets {
            points.push([bucket.first, bucket.low[k]]);
            if bucket.low[k] != bucket.high[k] && bucket.high[k].is_finite() {
                points.push([bucket.last, bucket.high[k]]);
            }
        }
        points
    }

    /// Whether any frame knows a quantity.
    fn knows(&self, quantity: Quantity) -> bool {
        self.buckets.iter().any(|bucket| bucket.low[quantity as usize].is_finite())
    }
}

/// The chart of a topic for one or more runs, each with its label. With several runs, or one
/// quantity, curves are named by the run. Curves that no frame knows are left out.
pub fn chart(topic: Topic, runs: &[(&str, &History)]) -> Chart {
    let (title, axis) = topic.title_and_axis();
    let mut chart = Chart::new(title, Axis::new("time", "s"), axis);
    for (name, history) in runs {
        let known: Vec<Quantity> = topic.quantities().iter().copied().filter(|q| history.knows(*q)).collect();
        for quantity in &known {
            let label = match (runs.len(), known.len()) {
                (1, 1) if matches!(quantity, Quantity::AngularMomentum | Quantity::AngularMomentumChange) => {
                    "about the origin".to_owned()
                }
                (1, _) => quantity.label().to_owned(),
                (_, 1) => (*name).to_owned(),
                _ => format!("{name}: {}", quantity.label()),
            };
            chart.add(label, history.curve(*quantity));
        }
    }
    chart
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_trajectory::{Contact, ContactKind, Impact};

    fn frame(step: u32) -> Frame {
        let mut frame = Frame { time: 0.1 * f64::from(step), step: u64::from(step), ..Frame::default() };
        frame.quantities.kinetic = f64::from(step);
        frame.quantities.potential = -f64::from(step);
        frame
    }

    #[test]
    fn short_runs_are_kept_frame_by_frame() {
        let frames: Vec<Frame> = (0..100).map(frame).collect();
        let curve = History::of(&frames).curve(Quantity::Kinetic);
        assert_eq!(curve.len(), 100);
        assert_eq!(curve[7][1], 7.0);
        assert!(History::of(&frames).curve(Quantity::Total).iter().all(|point| point[1] == 0.0));
    }

    #[test]
    fn momentum_has_the_directions_that_the_run_has() {
        let labels = |topic, frame: &Frame| {
            let history = History::of([frame]);
            chart(topic, &[("run", &history)])
                .series
                .iter()
                .map(|curve| curve.label.clone())
                .collect::<Vec<_>>()
        };
        let mut frame = frame(1);
        (frame.positions, frame.velocities) = (vec![0.0; 3], vec![0.0; 3]);
        assert_eq!(labels(Topic::Momentum, &frame), ["along x", "along y"]);
        assert_eq!(labels(Topic::AngularMomentum, &frame), ["about the origin"]);
        (frame.positions, frame.velocities) = (vec![0.0; 7], vec![0.0; 6]);
        assert_eq!(labels(Topic::Momentum, &frame), ["along x", "along y", "along z"]);
        assert_eq!(labels(Topic::AngularMomentum, &frame), ["about x", "about y", "about z"]);
    }

    #[test]
    fn kinetic_energy_parts_at_an_impact_and_is_that_of_the_frame_elsewhere() {
        let mut frames = [frame(1), frame(2), frame(3)];
        frames[0].diagnostics.impact = Impact::None;
        frames[1].diagnostics.impact = Impact::Happened {
            kinetic_before: 5.0,
            kinetic_after: 2.0,
            momentum_change: [0.0, 3.0, 0.0],
            angular_momentum_change: [0.0; 3],
        };
        let history = History::of(&frames);
        let values = |quantity| history.curve(quantity).iter().map(|point| point[1]).collect::<Vec<_>>();
        let (before, after) = (values(Quantity::KineticBefore), values(Quantity::KineticAfter));
        assert_eq!((&before[..2], &after[..2]), (&[1.0, 5.0][..], &[1.0, 2.0][..]));
        assert!(before[2].is_nan() && after[2].is_nan(), "what a frame does not know is not drawn");
        assert_eq!(values(Quantity::MomentumChangeY)[..2], [0.0, 3.0]);
        let titles = |topic| chart(topic, &[("run", &history)]).series.len();
        assert_eq!((titles(Topic::MomentumChange), titles(Topic::ProblemSize)), (2, 0));
    }

    /// A pair of particles that was pushed three times used to count as three that touch.
    #[test]
    fn a_pair_that_is_pushed_again_touches_once() {
        let contact = |kind, first, second| Contact {
            kind,
            first,
            second,
            point: [0.0; 3],
            normal: [1.0, 0.0, 0.0],
            time: 0.0,
            impulse: 1.0,
            gap: 0.0,
            friction: [0.0; 3],
        };
        let mut frame = frame(1);
        for second in [1, 2, 1, 1] {
            frame.contacts.push(contact(ContactKind::ParticleParticle, 0, second));
        }
        frame.contacts.push(contact(ContactKind::ParticleEdge, 0, 1));
        assert_eq!(Quantity::Contacts.of(&frame), 3.0);
        frame.contacts = vec![contact(ContactKind::BodyBody, 0, 1); 2];
        assert_eq!(Quantity::Contacts.of(&frame), 2.0, "a block stands on two corners");
    }

    #[test]
    fn long_runs_keep_their_peaks_and_their_memory() {
        let mut history = History::default();
        for step in 0..100_000 {
            let mut frame = frame(step);
            frame.quantities.kinetic = if step == 54_321 { 9.0 } else { 1.0 };
            history.push(&frame);
        }
        assert!(history.buckets.len() <= MOST_BUCKETS);
        let curve = history.curve(Quantity::Kinetic);
        assert_eq!(curve.iter().map(|point| point[1]).fold(0.0, f64::max), 9.0);
        assert!((curve.last().unwrap()[0] - 9999.9).abs() < 5.0);
        assert!(curve.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "time goes on");
    }

    #[test]
    fn runs_are_named_where_there_are_several() {
        let history = History::of(&[frame(0), frame(1)]);
        let one = chart(Topic::Energy, &[("a", &history)]);
        assert_eq!(one.series[0].label, "kinetic");
        let two = chart(Topic::Energy, &[("a", &history), ("b", &history)]);
        assert_eq!(two.series[3].label, "b: kinetic");
        let single = chart(Topic::Penetration, &[("a", &history), ("b", &history)]);
        assert_eq!(single.series[1].label, "b");
    }

    #[test]
    fn what_no_frame_knows_is_left_out() {
        let mut first = frame(0);
        first.quantities.potential = f64::NAN;
        let chart = chart(Topic::Energy, &[("a", &History::of(&[first]))]);
        let labels: Vec<_> = chart.series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!(labels, ["kinetic"]);
    }
}
