//! Free flight and free fall with bodies of every kind, and their laws of conservation.

use super::{Case, all, rigid};
use crate::scenes::{GRAVITY, Setting, ball, cube};
use crate::sheet::{Sheet, run};

pub(super) const CASES: &[Case] = &[
    Case::new(
        "free-fall",
        "A body that nothing touches falls as symplectic Euler says, to rounding: g t (t + dt)/2.",
        free_fall,
    ),
    Case::new(
        "angular-momentum",
        "Two bodies collide off centre with friction: angular momentum about the origin stays.",
        angular_momentum,
    ),
    Case::new(
        "off-centre",
        "A ball meets the end of a free box: momentum and spin of the box are those of the impulse.",
        off_centre,
    ),
];

fn free_fall(sheet: &mut Sheet) {
    for method in all() {
        let dt = 0.01;
        let setting = Setting { dt, duration: 1.0, ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &[ball([0.0, 5.0], 0.2).moving([1.0, 0.0])]) else {
            continue;
        };
        let time = dt * (track.frames.len() - 1) as f64;
        // Others may have another integrator of the first order: they fall as Galileo says, within
        // it.
        let (step, allowed) =
            if sheet.is_of_a_peer() { (0.0, 0.51 * GRAVITY * time * dt) } else { (dt, 1e-12) };
        let right = 5.0 - 0.5 * GRAVITY * time * (time + step);
        sheet.check(method, "height after 1 s (m)", [right, track.last_place(0)[1]], allowed);
        sheet.check(method, "way after 1 s (m)", [time, track.last_place(0)[0]], 1e-12);
    }
}

fn angular_momentum(sheet: &mut Sheet) {
    for method in rigid() {
        let setting = Setting {
            restitution: 0.5,
            friction: 0.4,
            gravity: [0.0; 2],
            dt: 0.01,
            duration: 1.5,
            ..Setting::default()
        };
        let bodies =
            [ball([-1.0, 0.1], 0.2).moving([2.0, 0.0]).spinning(3.0), cube([0.3, 0.0], 0.4).weighing(2.0)];
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let total = |frame: Option<&carom::Frame>| {
            frame.map_or([f64::NAN; 3], |frame| frame.quantities.angular_momentum)
        };
        let (before, after) = (total(track.frames.first()), total(track.frames.last()));
        for axis in 0..3 {
            if before[axis] != 0.0 || after[axis] != 0.0 {
                sheet.check(method, "angular momentum (kg m²/s)", [before[axis], after[axis]], 1e-9);
            }
        }
    }
}

fn off_centre(sheet: &mut Sheet) {
    for method in rigid() {
        let setting =
            Setting { restitution: 1.0, gravity: [0.0; 2], dt: 0.01, duration: 0.6, ..Setting::default() };
        // The ball comes from above, 0.3 right of the centre of a box of mass 2 with half sides 0.5
        // and 0.1.
        let bodies = [
            ball([0.3, 1.0], 0.1).moving([0.0, -2.0]),
            crate::scenes::slab([0.0, 0.0], [0.5, 0.1]).weighing(2.0),
        ];
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        let kinetic = track.kinetic();
        sheet.check(method, "energy (J)", [2.0, kinetic[kinetic.len() - 1]], 1e-9);
        let (ball_speed, box_speed) = (track.last_velocity(0)[1], track.last_velocity(1)[1]);
        sheet.check(method, "momentum (kg m/s)", [-2.0, ball_speed + 2.0 * box_speed], 1e-9);
        // The point of the box that was hit leaves the ball as fast as the ball came.
        let spin = track.last_spin(1);
        let apart = ball_speed - (box_speed + 0.3 * spin);
        sheet.check(method, "speed apart (m/s)", [2.0, apart], 1e-9);
    }
}
