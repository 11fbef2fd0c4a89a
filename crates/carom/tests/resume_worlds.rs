//! A frame is enough to go on, in worlds of many kinds: every step is also taken by a fresh
//! simulation that was put into the frame before it, and both frames have the same bits.

use carom::{Frame, Options, Simulation};
use std::fmt::Write;

const STEPS: u64 = 50;
const OF_BODIES: [&str; 5] = ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
const OF_PARTICLES: [&str; 9] = [
    "continuous-time",
    "hybrid",
    "back-up",
    "simultaneous",
    "elastic",
    "lcp",
    "velocity-projection",
    "gr-lcp",
    "gr-velocity-projection",
];

/// Numbers of a seed (splitmix64).
struct Random(u64);

impl Random {
    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }
}

/// All numbers of a frame, as text: what is not a number is equal to itself in it.
fn text(frame: &Frame) -> String {
    let bits = |numbers: &[f64]| numbers.iter().map(|x| format!("{:x} ", x.to_bits())).collect::<String>();
    let (x, v, memory) = (bits(&frame.positions), bits(&frame.velocities), bits(&frame.memory));
    format!("{x}|{v}|{memory}|{:?}|{:?}", frame.contacts, frame.diagnostics)
}

fn check(name: &str, scene: &str) {
    let scene = carom::read_scene(scene).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let fresh = Simulation::new(&scene, Options::default()).unwrap();
    let (mut unbroken, mut touched) = (fresh.clone(), 0);
    for step in 1..=STEPS {
        let before = unbroken.frame();
        let mut taken_up = fresh.clone();
        taken_up.restore(&before).unwrap();
        unbroken.step().unwrap();
        taken_up.step().unwrap();
        let (expected, got) = (unbroken.frame(), taken_up.frame());
        touched += expected.contacts.len();
        assert!(
            text(&expected) == text(&got),
            "{name}: step {step}, taken up from the frame before, differs"
        );
    }
    assert!(touched > 0, "{name}: nothing touched");
}

/// Every response of a list with and without bounce, friction and a tolerance.
fn check_all(responses: &[&str], scene: impl Fn(&str, &str, u64) -> String) {
    for (seed, response) in responses.iter().flat_map(|response| [response; 2]).enumerate() {
        for (bounce, friction) in [("0", "0"), ("0.5", "0"), ("0", "0.4"), ("0.5", "0.4")] {
            for tolerance in ["", "tolerance=\"0.01\""] {
                let solves = responses == OF_BODIES && ["lcp", "velocity-projection"].contains(response);
                if !tolerance.is_empty() && !solves {
                    continue;
                }
                let own = match *response {
                    "hybrid" => format!("COR=\"{bounce}\" k=\"500\" thickness=\"0.01\""),
                    "elastic" | "simultaneous" if friction != "0" || bounce != "0" => continue,
                    "elastic" | "simultaneous" => String::new(),
                    "continuous-time" | "back-up" => format!("COR=\"{bounce}\""),
                    _ => format!("COR=\"{bounce}\" mu=\"{friction}\" {tolerance}"),
                };
                check(&format!("{response} {own}"), &scene(response, &own, seed as u64));
            }
        }
    }
}

#[test]
fn planar_worlds_go_on_from_every_frame() {
    check_all(&OF_BODIES, |response, own, seed| {
        let mut random = Random(seed);
        let (mut bodies, mut vertices) = (String::new(), 0);
        for k in 0..if seed % 4 == 3 { 28 } else { 12 } {
            let at = [0.55 * f64::from(k % 4) - 0.8, 0.3 + 0.5 * f64::from(k / 4)];
            let [x, y] = at.map(|x| x + 0.05 * random.signed());
            let [vx, vy, omega] = [2.0, 2.0, 5.0].map(|most| most * random.signed());
            if k % 3 == 0 {
                let _written = write!(
                    bodies,
                    r#"<rigidbodydisc x="{x}" y="{y}" radius="0.2" m="1" vx="{vx}" vy="{vy}" omega="{omega}"/>"#
                );
                continue;
            }
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let count = if k % 3 == 1 { 4 } else { 3 };
            for [a, b] in &corners[..count] {
                let [x, y] = [x + 0.18 * a, y + 0.18 * b];
                let _written = write!(bodies, r#"<rigidbodyvertex x="{x}" y="{y}" m="0.5"/>"#);
            }
            let points: String = (vertices..vertices + count).map(|p| format!(r#"p="{p}" "#)).collect();
            vertices += count;
            let _written =
                write!(bodies, r#"<rigidbody {points} vx="{vx}" vy="{vy}" omega="{omega}" r="0.02"/>"#);
        }
        let integrator = ["symplectic-euler", "velocity-verlet", "explicit-euler"][seed as usize % 3];
        format!(
            r#"<scene><simtype type="rigid-body"/><duration time="2"/>
            <rigidbodyintegrator type="{integrator}" dt="0.02"/>
            <rigidbodycollisionhandling detection="all-pairs" response="{response}" {own}/>
            <rigidbodygravityforce fx="0" fy="-9.81"/>
            <rigidbodyhalfplane nx="0.1" ny="1"/><rigidbodyhalfplane x="1.2" nx="-1"/>
            <rigidbodyhalfplane x="-1.2" nx="1"/>{bodies}
            <rigidbodyoscillation body="1" x="0.2" y="0" theta="0" rate="6"/></scene>"#
        )
    });
}

#[test]
fn spatial_worlds_go_on_from_every_frame() {
    check_all(&OF_BODIES, |response, own, seed| {
        let mut random = Random(seed);
        let mut bodies = String::new();
        let count = if seed % 4 == 3 { 16 } else { 8 };
        for k in 0..count {
            let at = [0.5 * f64::from(k % 2), 0.5 * f64::from(k / 2 % 2), 0.3 + 0.5 * f64::from(k / 4)];
            let [x, y, z] = at.map(|x| x + 0.05 * random.signed());
            let [vx, vy, vz, omega] = [2.0, 2.0, 2.0, 5.0].map(|most| most * random.signed());
            let rest = format!(
                r#"x="{x}" y="{y}" z="{z}" m="1" vx="{vx}" vy="{vy}" vz="{vz}" omegax="{omega}" omegaz="2""#
            );
            let _written = match k % 3 {
                0 => write!(bodies, r#"<rigidbody3dsphere radius="0.2" {rest}/>"#),
                1 => write!(bodies, r#"<rigidbody3dbox a="0.3" b="0.35" c="0.3" {rest}/>"#),
                _ => write!(bodies, r#"<rigidbody3dbox a="0.4" b="0.1" c="0.3" {rest}/>"#),
            };
        }
        let wall = count + 1;
        let integrator = if seed % 2 == 1 { "lie-midpoint" } else { "symplectic-euler" };
        format!(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="2"/>
            <rigidbody3dintegrator type="{integrator}" dt="0.02"/>
            <rigidbody3dcollisionhandling response="{response}" {own}/>
            <rigidbody3dgravityforce fz="-9.81"/>
            <rigidbody3dhalfspace nx="0.1" nz="1"/>{bodies}
            <rigidbody3dbox a="0.1" b="2" c="2" m="1" x="-0.6"/>
            <rigidbody3doscillation body="{wall}" x="0.2" rate="6"/></scene>"#
        )
    });
}

#[test]
fn particle_worlds_go_on_from_every_frame() {
    check_all(&OF_PARTICLES, |response, own, seed| {
        let mut random = Random(seed);
        let mut particles = String::new();
        for k in 0..16 {
            let at = [0.3 * f64::from(k % 4) - 0.4, 0.2 + 0.3 * f64::from(k / 4)];
            let [px, py] = at.map(|x| x + 0.02 * random.signed());
            let [vx, vy] = [random.signed(), random.signed()];
            let _written = write!(
                particles,
                r#"<particle m="1" px="{px}" py="{py}" vx="{vx}" vy="{vy}" fixed="0" radius="0.1"/>"#
            );
        }
        format!(
            r#"<scene><duration time="2"/><integrator type="symplectic-euler" dt="0.02"/>
            {particles}<edge i="0" j="1" radius="0.05"/><simplegravity fx="0" fy="-9.81"/>
            <halfplane px="0" py="0" nx="0.1" ny="1"/><halfplane px="0.7" py="0" nx="-1" ny="0"/>
            <collision type="{response}" {own}/></scene>"#
        )
    });
}
