//! One run, measured: what a sweep keeps of it.

use crate::run::{Observer, Plan, RunEnd, run};
use crate::simulation::Simulation;
use crate::summary::Summary;
use carom_frames::Frame;
use carom_trajectory::RunHash;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Energies, momenta, overlaps, contacts and what the solver left.
    pub summary: Summary,
    /// Why the run ended.
    pub end: RunEnd,
    /// The hash over the frames of the plan: that of `carom run` with the same plan.
    pub hash: RunHash,
    /// Simulated time after the first step with a contact.
    pub first_contact: Option<f64>,
    /// Simulated time from which nothing moved faster than the speed of rest, up to the end.
    pub rest: Option<f64>,
    /// Where it ended.
    pub last: Frame,
}

/// Runs to the last step of a plan and measures on the way. `rest_speed` bounds every entry of a
/// velocity at rest, linear and angular alike.
///
/// ```
/// use carom::{Options, Plan, Simulation, survey};
///
/// # let scene = carom::read_scene(r#"<scene><duration time="1"/><integrator type="rk4" dt="0.25"/>
/// #   <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0"/></scene>"#)?;
/// let mut simulation = Simulation::new(&scene, Options::default())?;
/// let found = survey(&mut simulation, Plan { last_step: 4, every: 1 }, 1e-3, &mut || false);
/// assert_eq!((found.first_contact, found.rest), (None, None), "it flies on and meets nothing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn survey(
    simulation: &mut Simulation,
    plan: Plan,
    rest_speed: f64,
    should_stop: &mut impl FnMut() -> bool,
) -> Survey {
    let mut surveyor = Surveyor {
        summary: Summary::default(),
        hash: RunHash::default(),
        first_contact: None,
        rest: None,
        rest_speed,
    };
    let end = match run(simulation, plan, &mut surveyor, should_stop) {
        Ok(end) => end,
        Err(never) => match never {},
    };
    let Surveyor { summary, hash, first_contact, rest, .. } = surveyor;
    Survey { summary, end, hash, first_contact, rest, last: simulation.frame() }
}

struct Surveyor {
    summary: Summary,
    hash: RunHash,
    first_contact: Option<f64>,
    rest: Option<f64>,
    rest_speed: f64,
}

impl Observer<Infallible> for Surveyor {
    fn step(&mut self, simulation: &Simulation) {
        self.summary.add_step(simulation);
        if self.first_contact.is_none() && simulation.contact_count() > 0 {
            self.first_contact = Some(simulation.time());
        }
    }

    fn observe(&mut self, frame: &Frame) -> Result<ControlFlow<()>, Infallible> {
        self.summary.add(frame);
        self.hash = self.hash.with_frame(frame);
        let rests = frame.velocities.iter().all(|speed| speed.abs() <= self.rest_speed);
        self.rest = if rests { self.rest.or(Some(frame.time)) } else { None };
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    const FALL: &str = r#"<scene><duration time="2"/><integrator type="symplectic-euler" dt="0.01"/>
        <particle m="1" px="0" py="1" vx="0" vy="0" fixed="0" radius="0.5"/>
        <particle m="1" px="9" py="9" vx="0" vy="0" fixed="1"/>
        <halfplane px="0" py="0" nx="0" ny="1"/>
        <simplegravity fx="0" fy="-10"/><collision type="lcp" COR="0"/></scene>"#;

    fn simulation() -> Simulation {
        Simulation::new(&crate::read_scene(FALL).unwrap(), Options::default()).unwrap()
    }

    #[test]
    fn a_fall_of_half_a_metre_touches_and_rests_in_time() {
        let mut falling = simulation();
        let plan = Plan { last_step: 200, every: 1 };
        let found = survey(&mut falling, plan, 1e-3, &mut || false);
        assert_eq!(found.end, RunEnd::Finished);
        // sqrt(2 h / g) = 0.316 s
        let touched = found.first_contact.unwrap();
        assert!((0.30..0.34).contains(&touched), "{touched}");
        assert!(found.rest.is_some_and(|time| time >= touched && time < 0.4), "{:?}", found.rest);
        assert_eq!(found.last.step, 200);
        let frames = (0..=200).scan(simulation(), |moving, step| {
            while moving.step_count() < step {
                moving.step().unwrap();
            }
            Some(moving.frame())
        });
        let hash = frames.fold(RunHash::default(), |hash, frame| hash.with_frame(&frame));
        assert_eq!(found.hash, hash);
    }
}
