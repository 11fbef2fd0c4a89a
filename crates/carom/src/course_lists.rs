//! The polynomials of a step, which the course's files of Theme 2 Milestone 2 list: those of every
//! pair that its program tests.
//!
//! Neither frames nor Carom's own files hold them, because their number grows with the square of
//! the particles. They are found again from the frame before: a step that starts there is the same
//! to the bit. They are the course's polynomials in either mode.

use crate::{Frame, Options, Scene, Simulation};
use carom_trajectory::Header;
use carom_trajectory::course::Polynomials;

/// Finds the polynomials of steps of a scene.
#[derive(Debug)]
pub struct CourseLists {
    simulation: Simulation,
    previous: Option<Frame>,
}

impl CourseLists {
    /// For a scene; `None` where the course's program cannot run it.
    pub fn new(scene: &Scene) -> Option<CourseLists> {
        let mut simulation = Simulation::new(scene, Options::course(true)).ok()?;
        simulation.log_polynomials(true);
        Some(CourseLists { simulation, previous: None })
    }

    /// For the run that a header describes, where its files hold polynomials.
    pub fn of_run(header: &Header) -> Option<CourseLists> {
        header.course_records.filter(|records| records.synced_pairs())?;
        let options = carom_scene::ReadOptions { course: header.options.course, strict: false };
        CourseLists::new(&carom_scene::read(&header.scene, &options).scene?)
    }

    /// The polynomials of the step from `previous` to the step of that number: those of its first
    /// record and of its second. Empty where the step cannot be taken.
    pub fn of_step(&mut self, previous: &Frame, step: u64) -> [Polynomials; 2] {
        if self.simulation.restore(previous).is_err() {
            return Default::default();
        }
        while self.simulation.step_count() < step {
            if self.simulation.step().is_err() {
                return Default::default();
            }
        }
        self.simulation.polynomials().unwrap_or_default()
    }

    /// The polynomials of the step that led to a frame, for frames that come one after the other.
    /// The first frame has none.
    pub fn next(&mut self, frame: &Frame) -> [Polynomials; 2] {
        let previous = self.previous.take();
        let lists = previous.as_ref().map(|previous| self.of_step(previous, frame.step));
        let mut kept = previous.unwrap_or_default();
        kept.clone_from(frame);
        self.previous = Some(kept);
        lists.unwrap_or_default()
    }
}
