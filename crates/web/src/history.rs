//! The past of a run: frames to go back to, and what was done to the bodies on the way.

use crate::grip::Touch;
use carom::Frame;
use std::collections::BTreeMap;

/// Most bytes of frames that are kept. When they are reached, every second frame is dropped; what
/// is between is simulated again.
const MOST_BYTES: usize = 64 << 20;

/// Frames at steps that are multiples of a stride, and all that hands did.
#[derive(Debug)]
pub(crate) struct History {
    frames: Vec<Frame>,
    stride: u64,
    bytes: usize,
    most_bytes: usize,
    touches: BTreeMap<u64, Vec<Touch>>,
}

impl History {
    /// Of a run that begins with this frame. Frames of many bodies are kept less often.
    pub(crate) fn new(start: &Frame, bodies: usize) -> History {
        let stride = ((bodies / 256).clamp(1, 16) as u64).next_power_of_two();
        let most_bytes = MOST_BYTES;
        let mut history =
            History { frames: Vec::new(), stride, bytes: 0, most_bytes, touches: BTreeMap::new() };
        history.keep(start);
        history
    }

    /// Whether the frame of a step is to be kept when the run comes there.
    pub(crate) fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.stride) && self.frames.last().is_none_or(|last| step > last.step)
    }

    /// Keeps the frame of a step that is wanted.
    pub(crate) fn keep(&mut self, frame: &Frame) {
        self.bytes += bytes_of(frame);
        self.frames.push(frame.clone());
        while self.bytes > self.most_bytes && self.frames.len() > 2 {
            self.stride *= 2;
            let stride = self.stride;
            let since = self.since();
            self.frames.retain(|frame| frame.step.is_multiple_of(stride) || frame.step == since);
            self.bytes = self.frames.iter().map(bytes_of).sum();
        }
    }

    /// The last frame that was kept at or before a step.
    pub(crate) fn before(&self, step: u64) -> Option<&Frame> {
        let later = self.frames.partition_point(|frame| frame.step <= step);
        self.frames.get(later.checked_sub(1)?)
    }

    /// What was done to the bodies at a step.
    pub(crate) fn touches(&self, step: u64) -> &[Touch] {
        self.touches.get(&step).map_or(&[], Vec::as_slice)
    }

    /// What was done to the bodies, in the order of the steps.
    pub(crate) fn all_touches(&self) -> impl Iterator<Item = (u64, Touch)> {
        self.touches.iter().flat_map(|(step, touches)| touches.iter().map(|touch| (*step, *touch)))
    }

    /// The first step that can be gone back to.
    pub(crate) fn since(&self) -> u64 {
        self.frames.first().map_or(0, |frame| frame.step)
    }

    /// Notes what was done at a step. What came later is no longer the future.
    pub(crate) fn note(&mut self, step: u64, touch: Touch) {
        self.forget_after(step);
        self.touches.entry(step).or_default().push(touch);
    }

    /// Notes what is to be done when the run comes to a step.
    pub(crate) fn note_ahead(&mut self, step: u64, touch: Touch) {
        self.touches.entry(step).or_default().push(touch);
    }

    /// Takes back the last thing that was done at a step; says whether there was one.
    pub(crate) fn take_back(&mut self, step: u64) -> bool {
        self.forget_after(step);
        self.touches.get_mut(&step).is_some_and(|touches| touches.pop().is_some())
    }

    /// Forgets the last thing that was done at a step, where it is of this kind: another takes its
    /// place.
    pub(crate) fn drop_last(&mut self, step: u64, is_meant: impl Fn(&Touch) -> bool) {
        if let Some(touches) = self.touches.get_mut(&step) {
            touches.pop_if(|touch| is_meant(touch));
        }
    }

    fn forget_after(&mut self, step: u64) {
        self.frames.retain(|frame| frame.step <= step);
        self.bytes = self.frames.iter().map(bytes_of).sum();
        self.touches.retain(|at, _| *at <= step);
    }
}

fn bytes_of(frame: &Frame) -> usize {
    let numbers = frame.positions.len() + frame.velocities.len() + frame.memory.len();
    size_of::<Frame>() + 8 * numbers + size_of_val(frame.contacts.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(step: u64) -> Frame {
        Frame { step, positions: vec![step as f64; 100], ..Frame::default() }
    }

    #[test]
    fn memory_is_bounded_and_the_start_is_never_lost() {
        let mut history = History::new(&frame(0), 1);
        history.most_bytes = 100_000;
        for step in 1..10_000 {
            if history.wants(step) {
                history.keep(&frame(step));
            }
            assert!(history.bytes <= history.most_bytes);
            let before = history.before(step).unwrap();
            assert!(before.step <= step && step - before.step < history.stride);
        }
        assert!(history.stride > 16);
        assert_eq!(history.before(history.stride - 1).unwrap().step, 0);
    }

    #[test]
    fn a_push_ends_the_known_future() {
        let mut history = History::new(&frame(0), 1);
        (1..10).for_each(|step| history.keep(&frame(step)));
        let push = Touch::Push(crate::grip::Push { body: 0, velocity: [1.0, 0.0, 0.0], spin: [0.0; 3] });
        history.note(7, push);
        history.note(4, push);
        assert_eq!(history.before(9).unwrap().step, 4);
        assert_eq!((history.touches(4).len(), history.touches(7).len()), (1, 0));
        assert!(history.wants(5));
        assert!(history.take_back(4) && !history.take_back(4));
    }
}
