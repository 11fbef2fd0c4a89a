//! Which frames of a run a movie shows.

use std::collections::VecDeque;

use carom_trajectory::Frame;

/// Times nearer than this share of a picture's time are one time: sums of steps are not exact.
const SAME: f64 = 1e-6;

/// Which frames are shown, and how long.
///
/// Picture k shows the moment `from + k · speed / fps` of the run, up to and including `to`: the
/// stored frame that is nearest to that moment, the earlier one of two that are equally near. Where
/// frames are sparse one is held for several pictures; where they are dense some are passed over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Pictures a second of the movie.
    pub fps: f64,
    /// Seconds of the run in a second of the movie.
    pub speed: f64,
    /// First moment shown, in seconds of the run.
    pub from: f64,
    /// Last moment shown, if the run lasts that long.
    pub to: f64,
    /// Show every stored frame once, whatever its time; `fps` is then only how fast they play.
    pub every_frame: bool,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { fps: 30.0, speed: 1.0, from: 0.0, to: f64::INFINITY, every_frame: false }
    }
}

/// A timing that shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TimingError {
    /// Pictures a second.
    #[error("a movie needs between 0.01 and 1000 pictures a second, not {0}")]
    Fps(f64),
    /// Speed.
    #[error("the speed of a movie must be greater than 0, not {0}")]
    Speed(f64),
    /// An empty stretch.
    #[error("a movie from {from} s to {to} s shows nothing")]
    Empty {
        /// Its start.
        from: f64,
        /// Its end.
        to: f64,
    },
}

impl Timing {
    /// Every stored frame once.
    pub fn every_frame(fps: f64) -> Timing {
        Timing { fps, every_frame: true, ..Timing::default() }
    }

    /// Refuses what shows nothing.
    pub fn check(&self) -> Result<(), TimingError> {
        if !(0.01..=1000.0).contains(&self.fps) {
            return Err(TimingError::Fps(self.fps));
        }
        if !(self.speed > 0.0 && self.speed.is_finite()) {
            return Err(TimingError::Speed(self.speed));
        }
        if self.from <= self.to && self.from.is_finite() {
            Ok(())
        } else {
            Err(TimingError::Empty { from: self.from, to: self.to })
        }
    }

    /// How many pictures a run has whose last frame is at `end`; not known when every frame is
    /// shown.
    pub fn pictures(&self, end: f64) -> Option<u64> {
        let last = end.min(self.to);
        if self.every_frame || !last.is_finite() {
            return None;
        }
        let steps = (last - self.from) / self.interval() + SAME;
        Some(if steps < 0.0 { 0 } else { steps as u64 + 1 })
    }

    /// Seconds of the run between two pictures.
    fn interval(&self) -> f64 {
        self.speed / self.fps
    }
}

/// Passes through the frames of a run and picks those that are shown. Frames come in with
/// [`Selection::push`]; each is either passed over or comes out, once for every picture that shows
/// it.
#[derive(Debug)]
pub struct Selection {
    timing: Timing,
    shown: u64,
    previous: Option<Frame>,
}

/// What to do next, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// This frame is part of the run up to here, shown or not.
    Seen(Box<Frame>),
    /// Show the frame that was seen last, this many times.
    Show(u64),
}

impl Selection {
    /// Nothing shown yet.
    pub fn new(timing: Timing) -> Selection {
        Selection { timing, shown: 0, previous: None }
    }

    /// Takes the next frame of the run.
    pub fn push(&mut self, frame: Frame) -> VecDeque<Step> {
        let mut steps = VecDeque::new();
        if self.timing.every_frame {
            let inside = frame.time >= self.timing.from && frame.time <= self.timing.to;
            steps.push_back(Step::Seen(Box::new(frame)));
            if inside {
                steps.push_back(Step::Show(1));
            }
            return steps;
        }
        if let Some(previous) = self.previous.replace(frame) {
            // Pictures nearer to the previous frame than to the new one.
            let new = self.previous.as_ref().map_or(f64::NAN, |frame| frame.time);
            let count = self.due(0.5 * (previous.time + new));
            steps.push_back(Step::Seen(Box::new(previous)));
            if count > 0 {
                steps.push_back(Step::Show(count));
            }
        }
        steps
    }

    /// The run is over.
    pub fn finish(mut self) -> VecDeque<Step> {
        let mut steps = VecDeque::new();
        if let Some(last) = self.previous.take() {
            let count = self.due(last.time);
            steps.push_back(Step::Seen(Box::new(last)));
            if count > 0 {
                steps.push_back(Step::Show(count));
            }
        }
        steps
    }

    /// Pictures whose moment is not after `until`.
    fn due(&mut self, until: f64) -> u64 {
        let all = self.timing.pictures(until).unwrap_or(0);
        let count = all.saturating_sub(self.shown);
        self.shown = self.shown.max(all);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of the frames that are shown, one for each picture.
    fn shown(timing: Timing, times: &[f64]) -> Vec<f64> {
        let mut selection = Selection::new(timing);
        let mut all = VecDeque::new();
        for time in times {
            all.extend(selection.push(Frame { time: *time, ..Frame::default() }));
        }
        all.extend(selection.finish());
        let (mut pictures, mut seen) = (Vec::new(), f64::NAN);
        for step in all {
            match step {
                Step::Seen(frame) => seen = frame.time,
                Step::Show(count) => pictures.extend((0..count).map(|_| seen)),
            }
        }
        pictures
    }

    fn times(dt: f64, count: u32) -> Vec<f64> {
        (0..count).map(|k| dt * f64::from(k)).collect()
    }

    #[test]
    fn dense_frames_are_passed_over() {
        let timing = Timing { fps: 10.0, ..Timing::default() };
        let pictures = shown(timing, &times(0.01, 101));
        assert_eq!(pictures.len(), 11);
        assert_eq!(timing.pictures(1.0), Some(11));
        for (k, time) in pictures.iter().enumerate() {
            assert!((time - 0.1 * k as f64).abs() < 1e-12, "{k}: {time}");
        }
    }

    #[test]
    fn sparse_frames_are_held_until_the_next_is_nearer() {
        let timing = Timing { fps: 10.0, ..Timing::default() };
        assert_eq!(shown(timing, &[0.0, 0.4]), [0.0, 0.0, 0.0, 0.4, 0.4]);
    }

    #[test]
    fn speed_and_ends_count() {
        let timing = Timing { fps: 10.0, speed: 2.0, from: 0.5, to: 1.1, every_frame: false };
        let pictures = shown(timing, &times(0.1, 30));
        assert_eq!(pictures.len(), 4);
        assert!((pictures[0] - 0.5).abs() < 1e-12 && (pictures[3] - 1.1).abs() < 1e-12, "{pictures:?}");
    }

    #[test]
    fn a_run_of_one_frame_has_one_picture() {
        assert_eq!(shown(Timing::default(), &[0.0]), [0.0]);
        assert_eq!(shown(Timing { from: 1.0, ..Timing::default() }, &[0.0]), [0.0; 0]);
    }

    #[test]
    fn every_frame_means_every_frame() {
        assert_eq!(shown(Timing::every_frame(24.0), &[0.0, 0.3, 0.31]), [0.0, 0.3, 0.31]);
    }

    #[test]
    fn times_that_are_no_numbers_show_nothing_and_end() {
        assert_eq!(shown(Timing::default(), &[0.0, f64::NAN, f64::INFINITY]).len(), 0);
    }

    #[test]
    fn bad_timings_are_refused() {
        assert!(Timing { fps: 0.0, ..Timing::default() }.check().is_err());
        assert!(Timing { speed: f64::NAN, ..Timing::default() }.check().is_err());
        assert!(Timing { from: 2.0, to: 1.0, ..Timing::default() }.check().is_err());
        assert!(Timing::default().check().is_ok());
    }
}
