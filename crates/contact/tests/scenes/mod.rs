//! Contact problems of any size: a tree, a closing hexagonal packing, a pile under gravity.
#![allow(dead_code, reason = "the benchmark uses all of its scenes, the tests some")]

use carom_contact::{ContactKey, ContactProblem, ContactRow, Dof, JacobianRow};

/// A small generator with a fixed seed (splitmix64), so that every run times the same problems.
pub(crate) struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Uniform in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in −1..1.
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}

/// Discs in 2D, two degrees of freedom each.
struct Discs {
    problem: ContactProblem,
    centres: Vec<[f64; 2]>,
    masses: Vec<f64>,
}

impl Discs {
    fn new() -> Discs {
        Discs { problem: ContactProblem::new(), centres: vec![], masses: vec![] }
    }

    fn add(&mut self, centre: [f64; 2], velocity: [f64; 2], mass: f64) {
        self.problem.push_dof(velocity[0], mass);
        self.problem.push_dof(velocity[1], mass);
        self.centres.push(centre);
        self.masses.push(mass);
    }

    fn touch(&mut self, i: usize, j: usize) {
        let (dx, dy) = (self.centres[j][0] - self.centres[i][0], self.centres[j][1] - self.centres[i][1]);
        let length = (dx * dx + dy * dy).sqrt();
        let (nx, ny) = (dx / length, dy / length);
        let dof = |body: usize, axis: usize| Dof((2 * body + axis) as u32);
        let (wi, wj) = (1.0 / self.masses[i], 1.0 / self.masses[j]);
        let normal = JacobianRow::new(&[
            (dof(i, 0), -nx, -nx * wi),
            (dof(i, 1), -ny, -ny * wi),
            (dof(j, 0), nx, nx * wj),
            (dof(j, 1), ny, ny * wj),
        ])
        .expect("four entries fit");
        let key = ContactKey([i as u32, j as u32, 0, 0]);
        self.problem.push_contact(ContactRow { key, ..ContactRow::new(normal) }, &[]);
    }

    fn touch_wall(&mut self, i: usize, normal: [f64; 2]) {
        let w = 1.0 / self.masses[i];
        let dof = |axis: usize| Dof((2 * i + axis) as u32);
        let direction =
            JacobianRow::new(&[(dof(0), normal[0], normal[0] * w), (dof(1), normal[1], normal[1] * w)])
                .expect("two fit");
        let key = ContactKey([i as u32, u32::MAX, normal[0] as i32 as u32, normal[1] as i32 as u32]);
        self.problem.push_contact(ContactRow { key, ..ContactRow::new(direction) }, &[]);
    }
}

/// A random tree of discs, each touching an earlier one, with random velocities: A is regular.
pub(crate) fn tree(contacts: usize) -> ContactProblem {
    let mut random = Random::new(1);
    let mut discs = Discs::new();
    discs.add([0.0, 0.0], [random.signed(), random.signed()], 1.0);
    for i in 1..=contacts {
        let parent = ((i as f64) * random.unit()) as usize;
        let (dx, dy) = (random.signed(), random.signed());
        let length = (dx * dx + dy * dy).sqrt().max(1e-3);
        let p = discs.centres[parent];
        let mass = 0.5 + 1.5 * random.unit();
        discs.add([p[0] + dx / length, p[1] + dy / length], [random.signed(), random.signed()], mass);
        discs.touch(parent, i);
    }
    discs.problem
}

/// Rows of a hexagonal packing about `columns` wide, with all near pairs in contact; `jitter` moves
/// the centres.
fn hexagonal(
    columns: usize,
    rows: usize,
    jitter: f64,
    velocity: impl Fn([f64; 2], &mut Random) -> [f64; 2],
) -> Discs {
    let mut random = Random::new(2);
    let mut discs = Discs::new();
    let height = 0.75f64.sqrt();
    for r in 0..rows {
        for c in 0..columns {
            let shift = if r % 2 == 1 { 0.5 } else { 0.0 };
            let x = c as f64 + shift + jitter * random.signed();
            let y = r as f64 * height + jitter * random.signed();
            let v = velocity([x, y], &mut random);
            discs.add([x, y], v, 1.0);
        }
    }
    let index = |r: usize, c: usize| r * columns + c;
    for r in 0..rows {
        for c in 0..columns {
            if c + 1 < columns {
                discs.touch(index(r, c), index(r, c + 1));
            }
            if r + 1 < rows {
                let (left, right) = if r % 2 == 1 { (Some(c), c + 1) } else { (c.checked_sub(1), c) };
                if let Some(left) = left {
                    discs.touch(index(r, c), index(r + 1, left));
                }
                if right < columns {
                    discs.touch(index(r, c), index(r + 1, right));
                }
            }
        }
    }
    discs
}

/// A hexagonal packing in which everything runs to the middle: every contact approaches, A is
/// singular.
pub(crate) fn closing(contacts: usize) -> ContactProblem {
    let side = ((contacts as f64 / 3.0).sqrt() + 0.8).round().max(2.0) as usize;
    let middle = [side as f64 / 2.0, side as f64 * 0.433];
    let speed = 1.0 / side as f64;
    hexagonal(side, side, 0.0, |x, random| {
        [
            (middle[0] - x[0]) * speed + 1e-3 * random.signed(),
            (middle[1] - x[1]) * speed + 1e-3 * random.signed(),
        ]
    })
    .problem
}

/// A pile in a box under gravity: every disc starts with g Δt downwards; A is singular.
pub(crate) fn pile(contacts: usize, jitter: f64) -> ContactProblem {
    let side = ((contacts as f64 / 3.0).sqrt() + 0.3).round().max(2.0) as usize;
    let mut discs = hexagonal(side, side, jitter, |_, _| [0.0, -0.1]);
    for c in 0..side {
        discs.touch_wall(c, [0.0, 1.0]);
    }
    for r in 0..side {
        discs.touch_wall(r * side, [1.0, 0.0]);
        discs.touch_wall((r + 1) * side - 1, [-1.0, 0.0]);
    }
    discs.problem
}
