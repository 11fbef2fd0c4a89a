//! The step itself: worlds that bytes describe, under every response, judged by `oracle`.

use crate::bytes::Numbers;
use crate::hash;
use crate::oracle::{self, World};
use carom::{Options, Simulation};
use std::fmt::Write;

/// Bodies of a world at most, and steps that it takes.
const MOST_BODIES: usize = 24;
const STEPS: usize = 4;
const GRAVITY: f64 = 9.81;

const RESPONSES: [&str; 5] = ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
/// Of particles. The lecture's warnings (`simple`, `penalty`) may gain, and `hybrid` repels by
/// design.
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

/// Runs the world of some bytes: particles, planar or spatial bodies, overlaps, mass ratios of a
/// million, fast spins; with or without gravity, a floor and fixed bodies.
pub(crate) fn step(input: &[u8]) -> u64 {
    let mut numbers = Numbers::new(input);
    let (kind, choice) = (numbers.byte() % 3, usize::from(numbers.byte()));
    let response = if kind == 2 { OF_PARTICLES[choice % 8] } else { RESPONSES[choice % 5] };
    let restitution = f64::from(numbers.byte() % 5) / 4.0;
    let friction = f64::from(numbers.byte() % 5) / 4.0;
    let dt = [0.01, 1.0 / 60.0, 0.1][numbers.below(3)];
    let count = 1 + numbers.below(MOST_BODIES);
    let flags = numbers.byte();
    let (falls, floor, apart, fixes) = (flags & 1 > 0, flags & 2 > 0, flags & 4 > 0, flags & 8 > 0);
    let gravity = if falls { -GRAVITY } else { 0.0 };
    let mut text = head(kind, response, [restitution, friction, dt], gravity);
    if floor {
        text += FLOORS[usize::from(kind)];
    }
    let (mut mass, mut size, mut vertices, mut tumbles) = (0.0, f64::MAX, if floor { 2 } else { 0 }, false);
    for k in 0..count {
        let mut body = Body::read(&mut numbers);
        if apart {
            // In a grid whose cells are larger than any body: nothing overlaps.
            body.at =
                [1.6 * (k % 5) as f64 - 3.2 + 0.1 * body.at[0], 1.6 * (k / 5) as f64 + 0.1 * body.at[1]];
        }
        if fixes && k % 4 == 1 {
            // What is fixed and has a velocity is an obstacle that moves, and gives energy.
            (body.fixed, body.velocity, body.spin) = (true, [0.0; 2], 0.0);
        }
        tumbles |= kind == 1 && body.shape == 2;
        mass += if body.fixed { 0.0 } else { body.mass };
        size = size.min(body.size);
        body.write(kind, &mut vertices, &mut text);
    }
    let (free, promises) = (!floor && !fixes, response != "impulse");
    run(&(text + "</scene>"), &World { mass, size, gravity, dt, friction, free, tumbles, promises })
}

/// Height 1.5 below the lowest row of bodies that are apart.
const FLOORS: [&str; 3] = [
    "<rigidbodyvertex x=\"-60\" y=\"-1.6\" m=\"1\"/><rigidbodyvertex x=\"60\" y=\"-1.6\" m=\"1\"/>\
     <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>",
    "<rigidbody3dhalfspace z=\"-1.5\" nz=\"1\"/>",
    "<halfplane px=\"0\" py=\"-1.5\" nx=\"0\" ny=\"1\"/>",
];

struct Body {
    at: [f64; 2],
    velocity: [f64; 2],
    spin: f64,
    mass: f64,
    size: f64,
    shape: u8,
    fixed: bool,
}

impl Body {
    fn read(numbers: &mut Numbers<'_>) -> Self {
        Self {
            at: [3.0 * numbers.signed(), 3.0 * numbers.signed()],
            velocity: [10.0 * numbers.signed(), 10.0 * numbers.signed()],
            spin: 30.0 * numbers.signed(),
            mass: numbers.scale(),
            size: 0.1 + 0.4 * numbers.signed().abs(),
            shape: numbers.byte() % 3,
            fixed: false,
        }
    }

    fn write(&self, kind: u8, vertices: &mut usize, text: &mut String) {
        let ([x, y], [vx, vy], spin) = (self.at, self.velocity, self.spin);
        let (mass, size, fixed) = (self.mass, self.size, u8::from(self.fixed));
        let tag = match (kind, self.shape) {
            (0, 0) => format!(
                "<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vy=\"{vy}\" \
                 omega=\"{spin}\" fixed=\"{fixed}\"/>"
            ),
            (0, shape) => {
                let corners: &[[f64; 2]] = if shape == 1 {
                    &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
                } else {
                    &[[-1.0, -0.6], [1.0, -0.6], [0.0, 1.0]]
                };
                let (half, part) = (0.65 * size, mass / corners.len() as f64);
                let mut points = String::new();
                for [a, b] in corners {
                    let (x, y) = (x + half * a, y + half * b);
                    let _written = write!(text, "<rigidbodyvertex x=\"{x}\" y=\"{y}\" m=\"{part}\"/>");
                    let _written = write!(points, " p=\"{vertices}\"");
                    *vertices += 1;
                }
                let r = 0.05 * size;
                format!(
                    "<rigidbody{points} vx=\"{vx}\" vy=\"{vy}\" omega=\"{spin}\" r=\"{r}\" fixed=\"{fixed}\"/>"
                )
            }
            (2, _) => format!(
                "<particle px=\"{x}\" py=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vy=\"{vy}\" fixed=\"{fixed}\"/>"
            ),
            (_, 0) => format!(
                "<rigidbody3dsphere x=\"{x}\" z=\"{y}\" radius=\"{size}\" m=\"{mass}\" vx=\"{vx}\" vz=\"{vy}\" \
                 omegay=\"{spin}\" fixed=\"{fixed}\"/>"
            ),
            (_, shape) => {
                // A cube, or a plate that turns about an axis that is no principal one.
                let (b, other) = if shape == 1 { (size, 0.0) } else { (0.3 * size, 0.5 * spin) };
                format!(
                    "<rigidbody3dbox x=\"{x}\" z=\"{y}\" a=\"{size}\" b=\"{b}\" c=\"{size}\" m=\"{mass}\" vx=\"{vx}\" \
                     vz=\"{vy}\" omegay=\"{spin}\" omegax=\"{other}\" fixed=\"{fixed}\"/>"
                )
            }
        };
        *text += &tag;
    }
}

fn head(kind: u8, response: &str, [restitution, friction, dt]: [f64; 3], gravity: f64) -> String {
    let rest = format!("COR=\"{restitution}\" mu=\"{friction}\"/>");
    let inner = match kind {
        2 => format!(
            "<integrator type=\"symplectic-euler\" dt=\"{dt}\"/><simplegravity fx=\"0\" fy=\"{gravity}\"/>\
             <collision type=\"{response}\" {rest}"
        ),
        0 => format!(
            "<simtype type=\"rigid-body\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"{dt}\"/>\
             <rigidbodygravityforce fx=\"0\" fy=\"{gravity}\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\" {rest}"
        ),
        _ => format!(
            "<simtype type=\"rigid-body-3d\"/><rigidbody3dintegrator type=\"symplectic-euler\" dt=\"{dt}\"/>\
             <rigidbody3dgravityforce fz=\"{gravity}\"/><rigidbody3dcollisionhandling response=\"{response}\" {rest}"
        ),
    };
    format!("<scene><duration time=\"1\"/>{inner}")
}

fn run(text: &str, world: &World) -> u64 {
    let Ok(scene) = carom::read_scene(text) else { return 1 };
    let Ok(mut simulation) = Simulation::new(&scene, Options::default()) else { return 2 };
    let mut outcome = Vec::new();
    let mut before = simulation.frame();
    for _ in 0..STEPS {
        if simulation.step().is_err() {
            outcome.push(u8::MAX);
            break;
        }
        let after = simulation.frame();
        if let Err(problem) = oracle::judge(world, &before, &after) {
            panic!("step {}: {problem} in {text}", after.step);
        }
        outcome.push(after.diagnostics.status as u8);
        outcome.push(after.contacts.len().min(16) as u8);
        before = after;
    }
    hash(&outcome)
}
