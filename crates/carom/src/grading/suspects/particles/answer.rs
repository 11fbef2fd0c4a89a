//! The answer to one collision, by equations 1 and 2 of the hand-out, with the errors of a program
//! in it.

use super::Program;
use crate::grading::suspects::Suspect;
use glam::DVec2;

/// What a particle meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    Particle(usize),
    Edge(usize),
    HalfPlane(usize),
}

impl Other {
    /// In the order of the course.
    pub(super) fn kind(self) -> usize {
        match self {
            Other::Particle(_) => 0,
            Other::Edge(_) => 1,
            Other::HalfPlane(_) => 2,
        }
    }
}

/// A collision to be answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct PredictedContact {
    pub(super) i: usize,
    pub(super) other: Other,
    /// The shortest vector to the other.
    pub(super) n: DVec2,
    pub(super) alpha: f64,
}

/// Who changes its velocity, and by how much.
pub(super) type Changes = [Option<(usize, DVec2)>; 3];

/// The changes of velocity of at most three particles.
pub(super) fn answer(
    program: &Program<'_>,
    hit: &PredictedContact,
    velocity: impl Fn(usize) -> DVec2,
) -> Changes {
    let n = if program.makes(Suspect::NormalNotUnit) { hit.n } else { hit.n * (1.0 / hit.n.length()) };
    let times = match program.error {
        Some(Suspect::ImpulseSign) => -1.0,
        Some(Suspect::ImpulseTwice) => 2.0,
        _ => 1.0,
    };
    let c = times * 0.5 * (1.0 + program.scene.collision.restitution);
    let changes = match hit.other {
        Other::Particle(j) => pair(program, (hit.i, j), 2.0 * c * (velocity(j) - velocity(hit.i)).dot(n) * n),
        Other::Edge(e) => {
            let edge = program.scene.edges[e];
            let (a, b) = (edge.start, edge.end);
            let nearest = velocity(a) + program.seen_share(hit.alpha) * (velocity(b) - velocity(a));
            let w = 2.0 * c * (nearest - velocity(hit.i)).dot(n) * n;
            let q = if program.makes(Suspect::AlphaSwapped) { 1.0 - hit.alpha } else { hit.alpha };
            with_edge(program, [hit.i, a, b], q, w)
        }
        Other::HalfPlane(h) => {
            let moving =
                if program.course { DVec2::ZERO } else { program.scene.half_planes[h].velocity.into() };
            let w = 2.0 * c * (velocity(hit.i) - moving).dot(n) * n;
            let moves = program.course || !program.scene.particles[hit.i].fixed;
            [moves.then_some((hit.i, -w)), None, None]
        }
    };
    one_sided(program, hit, changes)
}

/// The mass that counts in the formulas.
fn mass(program: &Program<'_>, k: usize) -> f64 {
    let particle = &program.scene.particles[k];
    let counts = !particle.fixed
        || program.makes(Suspect::FixedMassUsed)
        || (program.makes(Suspect::FixedPushed) && program.variant == 0);
    match (counts, program.makes(Suspect::MassesIgnored)) {
        (false, _) => f64::INFINITY,
        (true, true) => 1.0,
        (true, false) => particle.mass,
    }
}

/// Of a program that computes impulses with an infinite mass, then divides them by the mass of the
/// fixed particle.
fn fixed_pushed(program: &Program<'_>, shares: [(usize, f64); 3], mut changes: Changes) -> Changes {
    if !(program.makes(Suspect::FixedPushed) && program.variant == 1) {
        return changes;
    }
    let particles = &program.scene.particles;
    // the impulse for each unit of share, from one that can move and has a share
    let pushed = shares.iter().zip(&changes).find_map(|(&(k, share), change)| {
        let (_, change) = change.filter(|_| !particles[k].fixed && share != 0.0)?;
        Some(particles[k].mass * change / share)
    });
    let Some(impulse) = pushed else { return changes };
    for (&(k, share), change) in shares.iter().zip(&mut changes) {
        if change.is_some() && particles[k].fixed {
            *change = Some((k, share * impulse / particles[k].mass));
        }
    }
    changes
}

/// Whether a particle is given its share.
fn is_pushed(program: &Program<'_>, k: usize) -> bool {
    !program.scene.particles[k].fixed || program.makes(Suspect::FixedPushed)
}

fn pair(program: &Program<'_>, (i, j): (usize, usize), w: DVec2) -> Changes {
    let (mut m1, mut m2) = (mass(program, i), mass(program, j));
    if program.makes(Suspect::MassesSwapped) {
        std::mem::swap(&mut m1, &mut m2);
    }
    let changes = [
        is_pushed(program, i).then(|| (i, w / (1.0 + m1 / m2))),
        is_pushed(program, j).then(|| (j, -w / (m2 / m1 + 1.0))),
        None,
    ];
    fixed_pushed(program, [(i, 1.0), (j, -1.0), (j, 0.0)], changes)
}

fn with_edge(program: &Program<'_>, [i, a, b]: [usize; 3], q: f64, w: DVec2) -> Changes {
    let p = 1.0 - q;
    let [mut m1, mut m2, mut m3] = [i, a, b].map(|k| mass(program, k));
    if program.makes(Suspect::MassesSwapped) && program.variant == 1 {
        (m1, m2, m3) = (m2, m1, m3);
    }
    // a share of no weight is none, whatever the masses
    let share = |weight: f64, part: f64| if weight == 0.0 { 0.0 } else { part };
    let changes = [
        is_pushed(program, i).then(|| (i, w / (1.0 + share(p, p * p * m1 / m2) + share(q, q * q * m1 / m3)))),
        is_pushed(program, a).then(|| (a, -p * w / (m2 / m1 + p * p + share(q, q * q * m2 / m3)))),
        is_pushed(program, b).then(|| (b, -q * w / (m3 / m1 + share(p, p * p * m3 / m2) + q * q))),
    ];
    fixed_pushed(program, [(i, 1.0), (a, -p), (b, -q)], changes)
}

fn one_sided(program: &Program<'_>, hit: &PredictedContact, mut changes: Changes) -> Changes {
    if program.makes(Suspect::OneSided) && !matches!(hit.other, Other::HalfPlane(_)) {
        if program.variant == 0 {
            changes[1] = None;
            changes[2] = None;
        } else {
            changes[0] = None;
        }
    }
    changes
}
