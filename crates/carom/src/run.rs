//! The run loop: step, show, stop when asked to.

use crate::failure::StepFailure;
use crate::simulation::Simulation;
use carom_frames::Frame;
use std::ops::ControlFlow;

/// How far a run goes and what is shown of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plan {
    /// The last step.
    pub last_step: u64,
    /// Frames are shown every so many steps; the first and the last always are. 0: at the frame
    /// rate of the scene, where it has one.
    pub every: u64,
}

impl Plan {
    /// Whether the frame of a step is due, be it the last or not.
    pub fn is_due(&self, simulation: &Simulation, step: u64) -> bool {
        if self.every == 0 { simulation.is_output_step(step) } else { step.is_multiple_of(self.every) }
    }
}

/// Sees the frames of a run. Any closure of the right shape is one.
///
/// An observer that breaks ends the run after the present step.
pub trait Observer<E> {
    /// Sees every step, also those whose frames are not shown. Does nothing unless it is written.
    fn step(&mut self, simulation: &Simulation) {
        let _nothing_to_see = simulation;
    }

    /// Sees one frame.
    fn observe(&mut self, frame: &Frame) -> Result<ControlFlow<()>, E>;
}

impl<E, F: FnMut(&Frame) -> Result<ControlFlow<()>, E>> Observer<E> for F {
    fn observe(&mut self, frame: &Frame) -> Result<ControlFlow<()>, E> {
        self(frame)
    }
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// The last step of the plan was reached.
    Finished,
    /// The observer, or `should_stop`, ended it.
    Stopped,
    /// A step could not be taken. Every frame before it was shown.
    Failed(StepFailure),
}

/// A step that was ended from outside stops a run as a wish between two steps does.
fn ended_by(failure: StepFailure) -> RunEnd {
    if failure.interrupted { RunEnd::Stopped } else { RunEnd::Failed(failure) }
}

/// Runs to the last step of the plan. Frame 0 is shown only when the simulation is at its start, so
/// that a resumed run does not show a frame twice. `should_stop` is asked before every step; when
/// it returns true, the frame reached is shown and the run ends.
///
/// ```
/// use carom::{Options, Plan, RunEnd, Simulation};
/// use std::convert::Infallible;
/// use std::ops::ControlFlow;
///
/// # let scene = carom::read_scene(r#"<scene><duration time="1"/><integrator type="rk4" dt="0.25"/>
/// #   <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0"/></scene>"#)?;
/// let mut simulation = Simulation::new(&scene, Options::default())?;
/// let mut times = Vec::new();
/// let end = carom::run(
///     &mut simulation,
///     Plan { last_step: 4, every: 3 },
///     &mut |frame: &carom::Frame| {
///         times.push(frame.time);
///         Ok::<_, Infallible>(ControlFlow::Continue(()))
///     },
///     &mut || false,
/// )?;
/// assert_eq!(end, RunEnd::Finished);
/// assert_eq!(times, [0.0, 0.75, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<E>(
    simulation: &mut Simulation,
    plan: Plan,
    observer: &mut impl Observer<E>,
    should_stop: &mut impl FnMut() -> bool,
) -> Result<RunEnd, E> {
    let mut frame = Frame::default();
    let mut shown = simulation.step_count();
    if shown == 0 {
        simulation.write_frame(&mut frame);
        if observer.observe(&frame)?.is_break() {
            return Ok(RunEnd::Stopped);
        }
    }
    while simulation.step_count() < plan.last_step {
        let end = if should_stop() { Some(RunEnd::Stopped) } else { simulation.step().err().map(ended_by) };
        if end.is_none() {
            observer.step(simulation);
        }
        let step = simulation.step_count();
        let is_due = plan.is_due(simulation, step) || step == plan.last_step || end.is_some();
        if is_due && step > shown {
            shown = step;
            simulation.write_frame(&mut frame);
            if observer.observe(&frame)?.is_break() {
                return Ok(end.unwrap_or(RunEnd::Stopped));
            }
        }
        if let Some(end) = end {
            return Ok(end);
        }
    }
    Ok(RunEnd::Finished)
}
