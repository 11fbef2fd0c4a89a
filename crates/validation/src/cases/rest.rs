//! What stands, stands; what cannot stand, falls.

use super::{Case, all, rigid};
use crate::scenes::{Body, Kind, Setting, TestedResponse, ball, cube, floor, slab, wall};
use crate::sheet::{Sheet, run};

pub(super) const CASES: &[Case] = &[
    Case::new("stack", "Five on each other, 10 s: nothing moves.", stack),
    Case::new("heavy-on-light", "1000 kg on 1 kg on 1 kg, 10 s: nothing moves.", heavy_on_light),
    Case::new("corner", "A box that gravity presses into a corner stays there.", corner),
    Case::new(
        "overhang",
        "Four bricks reach out by 1/2, 1/4, 1/6 of a length: the harmonic series. A little less stands, a little more falls.",
        overhang,
    ),
    Case::new(
        "tipping",
        "A slab on a ramp with much friction tips where its centre is beyond its edge: tan θ against width over height.",
        tipping,
    ),
];

/// A pile of boxes, or of balls where there are no boxes.
fn piled(kind: Kind, masses: &[f64]) -> Vec<Body> {
    let height = |k: usize| 0.2 + 0.4 * k as f64;
    let body = |k: usize| match kind {
        Kind::Particles => ball([0.0, height(k)], 0.2),
        _ => cube([0.0, height(k)], 0.4),
    };
    masses.iter().enumerate().map(|(k, &mass)| body(k).weighing(mass)).collect()
}

fn stays(sheet: &mut Sheet, method: TestedResponse, masses: &[f64]) {
    let mut bodies = piled(method.kind, masses);
    bodies.push(floor());
    let friction = if method.kind == Kind::Particles { 0.0 } else { 0.5 };
    let setting = Setting { friction, ..Setting::default() };
    let Some(track) = run(sheet, method, &setting, &bodies) else { return };
    sheet.check(method, "way in 10 s (m)", [0.0, track.moved(&bodies[..masses.len()])], 1e-6);
}

fn stack(sheet: &mut Sheet) {
    all().filter(|method| method.response != "elastic").for_each(|method| stays(sheet, method, &[1.0; 5]));
}

fn heavy_on_light(sheet: &mut Sheet) {
    let methods = all().filter(|method| method.response != "elastic");
    methods.for_each(|method| stays(sheet, method, &[1.0, 1.0, 1000.0]));
}

fn corner(sheet: &mut Sheet) {
    for method in rigid() {
        let bodies = [cube([0.2, 0.2], 0.4), floor(), wall(0.0, 1.0)];
        let setting = Setting { gravity: [-3.0, -9.0], ..Setting::default() };
        let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
        sheet.check(method, "way in 10 s (m)", [0.0, track.moved(&bodies[..1])], 1e-6);
    }
}

/// Bricks of length 1 and height 0.2. The edges of planar ones are round, so the length that
/// carries is less.
fn bricks(round: bool, part: f64) -> Vec<Body> {
    let carries = if round { 1.0 - 2.0 * 0.04 * 0.1 } else { 1.0 };
    let mut bodies = Vec::new();
    let mut x = 0.0;
    for k in 0..4 {
        bodies.push(slab([x, 0.1 + 0.2 * f64::from(k)], [0.5, 0.1]));
        // From the top the k-th brick may reach out by 1/2k: below the top of four by 1/6, 1/4,
        // 1/2.
        x += part * carries / (2.0 * f64::from(3 - k).max(1.0));
    }
    bodies
}

fn overhang(sheet: &mut Sheet) {
    for method in rigid() {
        for (part, stands) in [(0.98, true), (1.05, false)] {
            let mut bodies = bricks(sheet.rounds(method.kind), part);
            bodies.push(floor());
            let setting = Setting { friction: 0.5, duration: 3.0, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
            let moved = track.moved(&bodies[..4]);
            if stands {
                sheet.check(method, "98 % of the harmonic reach: way (m)", [0.0, moved], 1e-4);
            } else {
                let fell = f64::from(u8::from(moved > 0.05));
                sheet.check(method, "105 %: falls", [1.0, fell], 0.0);
            }
        }
    }
}

fn tipping(sheet: &mut Sheet) {
    for method in rigid() {
        // Planar outlines are rounded by 4 % of the smaller half: they stand on less.
        let foot = if sheet.rounds(method.kind) { 0.1 - 0.004 } else { 0.1 };
        for (part, tips) in [(0.95, false), (1.05, true)] {
            let slope: f64 = part * foot / 0.3;
            let down = 9.81 / (1.0 + slope * slope).sqrt();
            let bodies = [slab([0.0, 0.3], [0.1, 0.3]), floor()];
            let gravity = [slope * down, -down];
            let setting = Setting { friction: 1.0, gravity, duration: 3.0, ..Setting::default() };
            let Some(track) = run(sheet, method, &setting, &bodies) else { continue };
            let moved = track.moved(&bodies[..1]);
            let tipped = f64::from(u8::from(moved > 0.05));
            let name = format!("{part} of the slope: tips");
            sheet.check(method, &name, [f64::from(u8::from(tips)), tipped], 0.0);
        }
    }
}
