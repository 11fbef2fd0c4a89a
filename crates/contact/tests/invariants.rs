//! What must hold for any impact: momentum, energy, one-sided impulses, no approach left, symmetry,
//! order, threads.

use crate::scenes;

use carom_contact::{
    ContactProblem, ContactRow, Dof, JacobianRow, Reflection, Resolution, Response, Simultaneous, Status,
    Workspace, resolve,
};
use proptest::prelude::*;

fn responses() -> Vec<Response> {
    let reflection = |inner| Response::GeneralizedReflection(Reflection { inner, ..Reflection::COURSE });
    vec![
        Response::LCP,
        Response::VELOCITY_PROJECTION,
        reflection(Simultaneous::Lcp),
        reflection(Simultaneous::VelocityProjection),
    ]
}

fn solve(problem: &ContactProblem, response: &Response) -> Resolution {
    resolve(problem, response, &mut Workspace::new()).clone()
}

/// Discs at grid places, some touching: positions, velocities, masses.
#[derive(Clone, Debug)]
struct Discs {
    place: Vec<[f64; 2]>,
    velocity: Vec<[f64; 2]>,
    mass: Vec<f64>,
    touching: Vec<(usize, usize)>,
}

impl Discs {
    fn problem(&self, restitution: f64) -> ContactProblem {
        let mut problem = ContactProblem::new();
        for (v, &m) in self.velocity.iter().zip(&self.mass) {
            problem.push_dof(v[0], m);
            problem.push_dof(v[1], m);
        }
        for &(i, j) in &self.touching {
            let d = [self.place[j][0] - self.place[i][0], self.place[j][1] - self.place[i][1]];
            let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
            let entry = |body: usize, axis: usize, sign: f64| {
                let eta = sign * d[axis] / length;
                (Dof((2 * body + axis) as u32), eta, eta / self.mass[body])
            };
            let normal =
                JacobianRow::new(&[entry(i, 0, -1.0), entry(i, 1, -1.0), entry(j, 0, 1.0), entry(j, 1, 1.0)])
                    .unwrap();
            problem.push_contact(ContactRow { restitution, ..ContactRow::new(normal) }, &[]);
        }
        problem
    }

    fn energy(&self, velocity: &[f64]) -> f64 {
        self.mass
            .iter()
            .enumerate()
            .fold(0.0, |sum, (i, m)| sum + 0.5 * m * (velocity[2 * i].powi(2) + velocity[2 * i + 1].powi(2)))
    }

    fn momentum(&self, velocity: &[f64]) -> [f64; 3] {
        self.mass.iter().enumerate().fold([0.0; 3], |sum, (i, m)| {
            let (x, v) = (self.place[i], [velocity[2 * i], velocity[2 * i + 1]]);
            [sum[0] + m * v[0], sum[1] + m * v[1], sum[2] + m * (x[0] * v[1] - x[1] * v[0])]
        })
    }
}

/// A patch of a hexagonal packing: many touching pairs, more contacts than degrees of freedom.
fn cluster(equal: bool) -> impl Strategy<Value = Discs> {
    (2usize..5, 2usize..5).prop_flat_map(move |(columns, rows)| {
        let count = columns * rows;
        let speeds = prop::collection::vec(prop::array::uniform2(-1.0..1.0f64), count);
        let masses = prop::collection::vec(if equal { 1.0..1.0001f64 } else { 0.2..5.0f64 }, count);
        (speeds, masses).prop_map(move |(velocity, mass)| {
            let place: Vec<[f64; 2]> = (0..count)
                .map(|i| {
                    let (r, c) = (i / columns, i % columns);
                    [c as f64 + 0.5 * (r % 2) as f64, r as f64 * 0.75f64.sqrt()]
                })
                .collect();
            let near = |i: usize, j: usize| {
                (place[i][0] - place[j][0]).powi(2) + (place[i][1] - place[j][1]).powi(2) < 1.01
            };
            let touching = (0..count)
                .flat_map(|i| (i + 1..count).map(move |j| (i, j)))
                .filter(|&(i, j)| near(i, j))
                .collect();
            Discs { place, velocity, mass, touching }
        })
    })
}

proptest! {
    #[test]
    fn simultaneous_bounces_never_gain_energy(discs in cluster(false), restitution in prop_oneof![Just(1.0), 0.0..1.0f64]) {
        let problem = discs.problem(restitution);
        for response in [Response::LCP, Response::VELOCITY_PROJECTION] {
            let resolution = solve(&problem, &response);
            let (before, after) = (discs.energy(&problem.velocity), discs.energy(&resolution.velocity));
            prop_assert!(after <= before * (1.0 + 1e-11), "{:?}: {} to {}", response, before, after);
            prop_assert!(problem.contacts().all(|contact| contact.gap_speed(&resolution.velocity) > -1e-9));
            for (p, q) in discs.momentum(&problem.velocity).into_iter().zip(discs.momentum(&resolution.velocity)) {
                prop_assert!((p - q).abs() < 1e-10, "momentum {} to {}", p, q);
            }
        }
    }

    #[test]
    fn momentum_energy_and_signs(discs in cluster(false), restitution in 0.0..=1.0f64) {
        for e in [0.0, 1.0, restitution] {
            let problem = discs.problem(e);
            for response in responses() {
                let result = solve(&problem, &response);
                prop_assert!(result.status <= Status::Stalled, "{:?} {:?}", response, result.status);
                let scale = discs.mass.iter().sum::<f64>() * 4.0;
                for (before, after) in
                    discs.momentum(&problem.velocity).iter().zip(discs.momentum(&result.velocity))
                {
                    prop_assert!((before - after).abs() < 1e-12 * scale);
                }
                let (before, after) = (discs.energy(&problem.velocity), discs.energy(&result.velocity));
                prop_assert!(after <= before * (1.0 + 1e-12), "{:?} e {}: {} {}", response, e, before, after);
                if e == 1.0 && matches!(response, Response::GeneralizedReflection(_)) {
                    prop_assert!((after - before).abs() < 1e-11 * before);
                }
                prop_assert!((result.energy_change - (after - before)).abs() < 1e-11 * before.max(after));
                prop_assert!(result.impulses.iter().all(|&l| l >= 0.0));
                for contact in problem.contacts() {
                    prop_assert!(contact.gap_speed(&result.velocity) > -1e-11, "{:?}", response);
                }
            }
        }
    }

    /// Both inner solvers and both orders of contacts and bodies give the same velocities.
    #[test]
    fn order_and_solver_do_not_matter(discs in cluster(true), seed in 0usize..1000) {
        let count = discs.mass.len();
        let mut order: Vec<usize> = (0..count).collect();
        let mut state = seed;
        for i in (1..count).rev() {
            state = state.wrapping_mul(25_214_903_917).wrapping_add(11);
            order.swap(i, (state >> 16) % (i + 1));
        }
        let mut shuffled = discs.clone();
        let mut new_place = vec![0; count];
        for (new, &old) in order.iter().enumerate() {
            new_place[old] = new;
            shuffled.place[new] = discs.place[old];
            shuffled.velocity[new] = discs.velocity[old];
            shuffled.mass[new] = discs.mass[old];
        }
        shuffled.touching = discs.touching.iter().rev().map(|&(i, j)| (new_place[i], new_place[j])).collect();
        // The inelastic answer is unique. (An elastic one may hang on whether a speed of rounding
        // size approaches.)
        let reference = solve(&discs.problem(0.0), &Response::VELOCITY_PROJECTION);
        for response in [Response::LCP, Response::VELOCITY_PROJECTION, Response::GENERALIZED_REFLECTION] {
            for (set, place) in [(&discs, (0..count).collect::<Vec<_>>()), (&shuffled, new_place.clone())] {
                let result = solve(&set.problem(0.0), &response);
                for old in 0..2 * count {
                    let other = result.velocity[2 * place[old / 2] + old % 2];
                    prop_assert!((reference.velocity[old] - other).abs() < 1e-9, "{:?}", response);
                }
            }
        }
    }
}

/// Three equal balls in a row at 1, 0 and 0.1, e = 1: the simultaneous bounce used to gain 6 % of
/// the energy, because the second contact, which opened already, was pushed.
#[test]
fn a_contact_that_opens_gives_no_energy() {
    let discs = Discs {
        place: vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]],
        velocity: vec![[1.0, 0.0], [0.0, 0.0], [0.1, 0.0]],
        mass: vec![1.0; 3],
        touching: vec![(0, 1), (1, 2)],
    };
    let problem = discs.problem(1.0);
    for response in [Response::LCP, Response::VELOCITY_PROJECTION] {
        let result = solve(&problem, &response);
        let (before, after) = (discs.energy(&problem.velocity), discs.energy(&result.velocity));
        assert!((after - before).abs() < 1e-14, "{before} {after}");
        assert!(result.impulses.iter().all(|&impulse| impulse > 0.0), "both push: {:?}", result.impulses);
        assert!(problem.contacts().all(|contact| contact.gap_speed(&result.velocity) > -1e-14));
    }
}

/// A mirror-symmetric break: a cue ball straight into a racked triangle of fifteen; the answer is
/// symmetric to rounding.
#[test]
fn a_symmetric_break_stays_symmetric() {
    let mut discs = Discs { place: vec![], velocity: vec![], mass: vec![], touching: vec![] };
    let mut add = |x: f64, y: f64, v: [f64; 2]| {
        discs.place.push([x, y]);
        discs.velocity.push(v);
        discs.mass.push(1.0);
    };
    add(-1.0, 0.0, [1.0, 0.0]);
    let mut mirror = vec![0];
    for row in 0..5usize {
        for k in 0..=row {
            add(row as f64 * 0.75f64.sqrt(), k as f64 - row as f64 / 2.0, [0.0, 0.0]);
            mirror.push(mirror.len() + row - 2 * k);
        }
    }
    for i in 0..discs.place.len() {
        for j in i + 1..discs.place.len() {
            let d = [discs.place[i][0] - discs.place[j][0], discs.place[i][1] - discs.place[j][1]];
            if d[0] * d[0] + d[1] * d[1] < 1.0 + 1e-9 {
                discs.touching.push((i, j));
            }
        }
    }
    assert_eq!(discs.touching.len(), 31);
    for response in &responses()[2..] {
        let result = solve(&discs.problem(1.0), response);
        assert_eq!(result.status, Status::Solved);
        for (i, &m) in mirror.iter().enumerate() {
            assert!((result.velocity[2 * i] - result.velocity[2 * m]).abs() < 1e-13, "ball {i}");
            assert!((result.velocity[2 * i + 1] + result.velocity[2 * m + 1]).abs() < 1e-13, "ball {i}");
        }
        let energy = discs.energy(&result.velocity);
        assert!((energy - 0.5).abs() < 1e-14, "{energy}");
    }
}

/// Compressed clusters in which every contact approaches: the course's program never returns here.
#[test]
fn compressed_clusters_end() {
    for contacts in [30, 300, 1_500] {
        let inelastic = scenes::closing(contacts);
        let mut elastic = inelastic.clone();
        elastic.clear_contacts();
        for contact in inelastic.contacts() {
            elastic.push_contact(ContactRow { restitution: 1.0, ..contact }, &[]);
        }
        for response in responses() {
            let result = solve(&inelastic, &response);
            assert_eq!(result.status, Status::Solved, "{response:?} {:?}", result.residual);
            assert!(result.residual.worst() < 1e-10);
            let result = solve(&elastic, &response);
            assert!(result.status <= Status::Stalled, "{response:?} {:?}", result.status);
            assert!(result.residual.penetration_speed < 1e-10);
        }
    }
}

/// The same bits for 1, 2 and 8 threads, with islands of all sizes.
#[test]
fn threads_do_not_change_a_bit() {
    let mut problem = ContactProblem::new();
    let mut random = scenes::Random::new(3);
    for island in 0..40usize {
        let small = if island == 7 { scenes::pile(700, 0.02) } else { scenes::tree(1 + island % 9) };
        let first = problem.dof_count() as u32;
        for (&v, &m) in small.velocity.iter().zip(&small.mass.diagonal) {
            problem.push_dof(v + 0.01 * random.signed(), m);
        }
        for contact in small.contacts() {
            let entries: Vec<_> =
                contact.normal.line().entries().map(|(d, eta, w)| (Dof(d.0 + first), eta, w)).collect();
            problem.push_contact(ContactRow::new(JacobianRow::new(&entries).unwrap()), &[]);
        }
    }
    for response in responses() {
        let results: Vec<Resolution> = [1, 2, 8]
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| solve(&problem, &response))
            })
            .to_vec();
        assert_eq!(results[0].islands, 40);
        assert!(results.iter().all(|r| r == &results[0]));
    }
}

/// Large and small solver agree: the same pile below and above the threshold has the same velocity
/// in its islands.
#[test]
fn the_sparse_solver_agrees_with_the_exact_one() {
    let problem = scenes::pile(60, 0.05);
    let sparse = solve(&problem, &Response::VELOCITY_PROJECTION);
    let mut rows = carom_numerics::lcp::SparseJacobian::default();
    rows.clear(problem.dof_count());
    let mut b = vec![];
    for contact in problem.contacts() {
        for (d, eta, scaled) in contact.normal.line().entries() {
            rows.push_entry(d.0, eta, scaled);
        }
        rows.end_row();
        b.push(contact.gap_speed(&problem.velocity));
    }
    let (mut lambda, mut u) = (vec![], vec![]);
    carom_numerics::qp::DualActiveSet::default().solve(&rows, &b, &mut lambda, &mut u);
    assert!(problem.contact_count() > 50);
    for (k, v) in sparse.velocity.iter().enumerate() {
        assert!((v - (problem.velocity[k] + u[k])).abs() < 1e-12);
    }
}

/// A pile that rests: the second step starts from the impulses of the first and needs no Newton
/// step; the velocities agree to rounding; a run resumed from the memory has the same bits.
#[test]
fn warm_starts_are_cheap_and_can_be_resumed() {
    let problem = scenes::pile(1_000, 0.02);
    let mut workspace = Workspace::new();
    let cold = resolve(&problem, &Response::VELOCITY_PROJECTION, &mut workspace).clone();
    let memory = workspace.memory();
    assert_eq!(memory.len(), 10 * problem.contact_count());
    let warm = resolve(&problem, &Response::VELOCITY_PROJECTION, &mut workspace).clone();
    assert!(cold.iterations > 3 && warm.iterations == 0, "{} {}", cold.iterations, warm.iterations);
    for (a, b) in cold.velocity.iter().zip(&warm.velocity) {
        assert!((a - b).abs() < 1e-13);
    }
    let mut softer = problem.clone();
    softer.velocity.iter_mut().for_each(|v| *v *= 0.97);
    let straight = resolve(&softer, &Response::VELOCITY_PROJECTION, &mut workspace).clone();
    let mut resumed = Workspace::new();
    resumed.restore_memory(&memory);
    resolve(&problem, &Response::VELOCITY_PROJECTION, &mut resumed);
    assert_eq!(resolve(&softer, &Response::VELOCITY_PROJECTION, &mut resumed), &straight);
    let fresh = solve(&softer, &Response::VELOCITY_PROJECTION);
    for (a, b) in fresh.velocity.iter().zip(&straight.velocity) {
        assert!((a - b).abs() < 1e-12);
    }
}
