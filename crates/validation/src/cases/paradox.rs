//! Where friction and rigidity seem to contradict each other.

use super::{BODIES, Case, of};
use crate::scenes::{Body, GRAVITY, Kind, Setting, Turn, bar, floor, slab};
use crate::sheet::{Sheet, run};

pub(super) const CASES: &[Case] = &[Case::new(
    "painleve",
    "Painlevé's rod (1895) slides on its tip: below μ = (ρ² + x²)/xy it slides on, above it no force can hold it, and an \
     impulse stops the tip (Stewart 2000).",
    painleve,
)];

const DT: f64 = 1e-3;
const SPEED: f64 = 1.0;

/// A rod whose lower end is ahead, at an angle with the tangent 2 to the floor, of length 1. Gives
/// where the tip is from the centre, to the side and down, and the square of the radius of
/// gyration.
fn rod(kind: Kind) -> (Body, [f64; 2], f64) {
    let (cos, sin) = (1.0 / 5.0f64.sqrt(), 2.0 / 5.0f64.sqrt());
    let turn = Turn { angle: -carom_numerics::elementary::atan2(sin, cos), cos, sin: -sin };
    let thick = 0.01;
    let (shape, tip, gyration) = if kind == Kind::Planar {
        // A stick with half of its mass at either end, and round ends.
        (bar([0.0; 2], [0.5, thick]), [0.5 * cos, 0.5 * sin + thick], 0.25)
    } else {
        let tip = [0.5 * cos - thick * sin, 0.5 * sin + thick * cos];
        (slab([0.0; 2], [0.5, thick]), tip, (0.25 + thick * thick) / 3.0)
    };
    (Body { at: [0.0, tip[1]], turn, fixed: false, ..shape }.moving([SPEED, 0.0]), tip, gyration)
}

fn painleve(sheet: &mut Sheet) {
    if sheet.is_of_a_peer() {
        return;
    }
    for method in of(Kind::Planar, &BODIES).chain(of(Kind::Spatial, &BODIES)) {
        let (body, [x, y], gyration) = rod(method.kind);
        let critical = (gyration + x * x) / (x * y);
        // Where a 3D rod is stopped, it may also be stopped at one of its two corners: only in 2D
        // there is one answer.
        let parts = if method.kind == Kind::Planar { &[0.5, 0.9, 1.1, 2.0][..] } else { &[0.5, 0.9] };
        for &part in parts {
            let friction = part * critical;
            let setting = Setting { friction, dt: DT, duration: DT, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &[body, floor()]) else { continue };
            let fall = GRAVITY * DT;
            let right = if part < 1.0 {
                // The tip neither rises nor falls under a force at the angle of friction.
                let impulse = fall / (1.0 + (x * x - friction * x * y) / gyration);
                impulse * (x - friction * y) / gyration
            } else {
                // The tip stops: moments about it.
                (fall * x - SPEED * y) / (gyration + x * x + y * y)
            };
            let quantity = format!("spin after a step at {part} of the limit (1/s)");
            sheet.check(method, &quantity, [right, track.last_spin(0)], 1e-6);
        }
    }
}
