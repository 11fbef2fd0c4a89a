//! The step itself: worlds that bytes describe, under every response, with the balances of energy and momentum as oracles.

use crate::mutation::hash;
use carom::{Options, Simulation, Status};

/// Bodies of a world at most, and steps that it takes.
const MOST_BODIES: usize = 24;
const STEPS: usize = 4;
/// A step that is called solved gains no more than this part of the energy, for rounding.
const ROUNDING: f64 = 1e-6;

const RESPONSES: [&str; 5] = ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
/// Of particles. The lecture's warnings (`simple`, `penalty`) may gain, and `hybrid` repels by design.
const OF_PARTICLES: [&str; 8] = [
    "continuous-time",
    "back-up",
    "simultaneous",
    "elastic",
    "lcp",
    "velocity-projection",
    "gr-lcp",
    "gr-velocity-projection",
];

/// Takes numbers off the input; zeros once it is used up.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    /// From −1 to 1, in 2⁻⁷.
    fn signed(&mut self) -> f64 {
        f64::from(self.byte() as i8) / 128.0
    }

    /// A power of ten from 10⁻³ to 10³, or often 1.
    fn scale(&mut self) -> f64 {
        [1.0, 1.0, 1.0, 1.0, 1e-3, 0.1, 10.0, 1e3][usize::from(self.byte() % 8)]
    }
}

/// Runs the world of some bytes without forces: kinetic energy may only fall. Overlaps, mass ratios of a million, fast spins.
pub(crate) fn step(input: &[u8]) -> u64 {
    let mut numbers = Numbers(input.iter());
    let (kind, choice) = (numbers.byte() % 3, usize::from(numbers.byte()));
    let response = if kind == 2 { OF_PARTICLES[choice % 8] } else { RESPONSES[choice % 5] };
    let restitution = f64::from(numbers.byte() % 5) / 4.0;
    let friction = f64::from(numbers.byte() % 5) / 4.0;
    let dt = [0.01, 1.0 / 60.0, 0.1][usize::from(numbers.byte() % 3)];
    let mut text =
        format!("<scene><duration time=\"1\"/>{}", head(kind, response, [restitution, friction, dt]));
    let mut all = 0.0;
    let count = 1 + usize::from(numbers.byte()) % MOST_BODIES;
    for _ in 0..count {
        let (x, y) = (3.0 * numbers.signed(), 3.0 * numbers.signed());
        let (vx, vy, spin) = (10.0 * numbers.signed(), 10.0 * numbers.signed(), 30.0 * numbers.signed());
        let (mass, size) = (numbers.scale(), 0.1 + 0.4 * numbers.signed().abs());
        all += mass;
        text += &match (kind, numbers.byte() % 2) {
            (0, _) => format!(
                "<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vy=\"{vy}\" omega=\"{spin}\"/>"
            ),
            (2, _) => format!(
                "<particle px=\"{x}\" py=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vy=\"{vy}\" fixed=\"0\"/>"
            ),
            (_, 0) => format!(
                "<rigidbody3dsphere x=\"{x}\" z=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vz=\"{vy}\" omegay=\"{spin}\"/>"
            ),
            _ => format!(
                "<rigidbody3dbox x=\"{x}\" z=\"{y}\" a=\"{size}\" b=\"{size}\" c=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vz=\"{vy}\" omegay=\"{spin}\"/>"
            ),
        };
    }
    run(&(text + "</scene>"), all)
}

fn head(kind: u8, response: &str, [restitution, friction, dt]: [f64; 3]) -> String {
    let rest = format!("response=\"{response}\" COR=\"{restitution}\" mu=\"{friction}\"/>");
    if kind == 2 {
        format!(
            "<integrator type=\"symplectic-euler\" dt=\"{dt}\"/>\
             <collision type=\"{response}\" COR=\"{restitution}\" mu=\"{friction}\"/>"
        )
    } else if kind == 0 {
        format!(
            "<simtype type=\"rigid-body\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"{dt}\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" {rest}"
        )
    } else {
        format!(
            "<simtype type=\"rigid-body-3d\"/><rigidbody3dintegrator type=\"symplectic-euler\" dt=\"{dt}\"/>\
             <rigidbody3dcollisionhandling {rest}"
        )
    }
}

/// Runs a world of this mass in all.
fn run(text: &str, mass: f64) -> u64 {
    let Ok(scene) = carom::read_scene(text) else { return 1 };
    let Ok(mut simulation) = Simulation::new(&scene, Options::default()) else { return 2 };
    let mut outcome = Vec::new();
    let start = simulation.frame().quantities;
    let mut before = start.kinetic;
    // No sum of momenta can be more than √(2 m E).
    let most = (2.0 * mass * start.kinetic).sqrt();
    for _ in 0..STEPS {
        if simulation.step().is_err() {
            outcome.push(u8::MAX);
            break;
        }
        let frame = simulation.frame();
        let finite = frame.positions.iter().chain(&frame.velocities).all(|number| number.is_finite());
        assert!(finite, "numbers that are not finite were not told: {text}");
        let after = frame.quantities.kinetic;
        let status = Status::from_code(frame.diagnostics.status);
        assert!(
            status != Status::Solved || after <= before * (1.0 + ROUNDING) + f64::MIN_POSITIVE,
            "a step that is called solved gains energy: {before} to {after} in {text}"
        );
        for (was, is) in start.momentum.iter().zip(&frame.quantities.momentum) {
            assert!((is - was).abs() <= ROUNDING * most, "momentum {was} became {is} in {text}");
        }
        outcome.push(frame.diagnostics.status as u8);
        outcome.push(frame.contacts.len().min(16) as u8);
        before = after;
    }
    hash(&outcome)
}
