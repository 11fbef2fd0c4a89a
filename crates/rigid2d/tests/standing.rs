//! What stands: towers to any tolerance up to what gravity adds in a step, heavy on light, and a
//! pile that does not know who flies by.

use crate::build::{Build, FREE, SOLVED, v};
use carom_rigid2d::{ContactSettings, DVec2, Placed, Response, Status, World};

const GRAVITY: f64 = 9.81;
const DT: f64 = 1.0 / 60.0;
/// Steps of a minute.
const MINUTE: usize = 3600;

fn rough(response: Response, tolerance: Option<f64>) -> ContactSettings {
    ContactSettings { friction: 0.5, tolerance, ..ContactSettings::with_restitution(response, 0.0) }
}

/// Solid boxes of side 1 on each other; the floor is the last body.
fn tower(masses: &[f64]) -> Build {
    let mut build = Build::gravity(v(0.0, -GRAVITY));
    for (place, &mass) in masses.iter().enumerate() {
        let center = v(0.0, 0.5 + place as f64);
        let corners = [v(-0.49, -0.49), v(0.49, -0.49), v(0.49, 0.49), v(-0.49, 0.49)].map(|c| center + c);
        build.add(Placed::solid(&corners, mass / (0.98 * 0.98), 0.01, FREE), DVec2::ZERO);
    }
    build.floor(0.0);
    build
}

/// How far the boxes of a tower are from where they started.
fn moved(world: &World, boxes: usize) -> f64 {
    let states = world.state().bodies[..boxes].iter().enumerate();
    states.map(|(k, state)| (state.position - v(0.0, 0.5 + k as f64)).length()).fold(0.0, f64::max)
}

/// A thousand and a million times its own weight on a box, for a minute, under every response.
#[test]
fn a_light_box_carries_a_heavy_one_for_a_minute() {
    for response in SOLVED {
        for ratio in [1e3, 1e6] {
            let mut world = tower(&[1.0, ratio]).with(DT, rough(response, None));
            (0..MINUTE).for_each(|_| {
                world.step();
            });
            let off = moved(&world, 2);
            assert!(off < 1e-6, "{response:?} {ratio:e}: moved by {off:e}");
        }
    }
}

/// Ten boxes, and heavy ones on light ones, for a minute at tolerances up to what gravity adds in a
/// step.
#[test]
#[cfg_attr(debug_assertions, ignore = "half a minute without optimization")]
fn towers_stand_to_any_tolerance_up_to_a_step_of_gravity() {
    for part in [1.0 / 16.0, 0.25, 1.0] {
        let heavy_on_ten = [[1.0; 10].as_slice(), &[1e3]].concat();
        for masses in [&[1.0; 10][..], &[1.0, 1e3], &[1.0, 1e6], &heavy_on_ten] {
            let tolerance = part * GRAVITY * DT;
            let mut world = tower(masses).with(DT, rough(Response::VelocityProjection, Some(tolerance)));
            for step in 0..MINUTE {
                let report = world.step();
                let worst = report.residual.worst().max(report.residual.friction);
                let place = format!("{part} g dt, {} boxes, step {step}", masses.len());
                assert_eq!(report.status, Status::Solved, "{place}: {report:?}");
                assert!(worst <= tolerance, "{place}: {:?}", report.residual);
            }
            let off = moved(&world, masses.len());
            assert!(off < 0.02, "{part} g dt, {} boxes: moved by {off:e}", masses.len());
        }
    }
}

/// Sixty discs that fall between walls, and far away one that flies by.
fn heap(passer_by: Option<f64>) -> Build {
    let mut build = Build::gravity(v(0.0, -GRAVITY));
    build.floor(0.0);
    for x in [-7.0, 7.0] {
        build.block(v(x, 6.0), v(1.4, 6.0), 0.1, crate::build::FIXED);
    }
    for k in 0..60 {
        let (row, column) = (f64::from(k / 10), f64::from(k % 10));
        let place = v(column - 4.5 + 0.01 * f64::from(k / 10 % 3), 0.5 + 1.02 * row);
        build.disc(place, 0.45 + 0.03 * f64::from(k * 7 % 3), DVec2::ZERO);
    }
    if let Some(speed) = passer_by {
        build.disc(v(-1e5, 1e3), 0.5, v(speed, 0.0));
    }
    build
}

/// "Solved" is measured on what pushes: a body that passes at any speed changes no bit of a pile.
#[test]
fn what_flies_by_changes_no_bit_of_a_pile() {
    for (friction, tolerance) in [(0.0, None), (0.5, None), (0.0, Some(0.02)), (0.5, Some(0.02))] {
        let run = |passer_by: Option<f64>| {
            let contact = ContactSettings { friction, ..rough(Response::VelocityProjection, tolerance) };
            let mut world = heap(passer_by).with(0.01, contact);
            let residual = (0..120).map(|_| world.step().residual.worst()).fold(0.0, f64::max);
            (residual, world.state().bodies[..63].to_vec())
        };
        let alone = run(None);
        for speed in [1e2, 1e6] {
            assert!(alone == run(Some(speed)), "friction {friction}, {tolerance:?}, at {speed:e} m/s");
        }
    }
}
