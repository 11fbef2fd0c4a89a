//! Ten steps of a box of particles at equal density, under each method, with the grid and with all
//! pairs in the same run.
//!
//! `cargo bench -p carom-particles --bench collisions`. Divide the time at 100,000 by that at
//! 10,000: the logarithm to base ten is the exponent.

use carom_particles::{
    BroadPhaseMethod, CollisionSettings, HalfPlane, Model, Particle, ParticleSettings, Penalty, Response,
    State, World,
};
use divan::Bencher;
use glam::DVec2;

fn main() {
    divan::main();
}

const PENALTY: Penalty = Penalty { stiffness: 100.0, thickness: 0.01 };

/// A lattice with random offsets, radii and velocities between four half-planes; about a third of
/// the particles touch a neighbour.
fn crowd(count: usize, response: Response, broad_phase: BroadPhaseMethod) -> World {
    let side = (1..).find(|s| s * s >= count).expect("there is a square");
    let mut seed = 12_345_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut model = Model::default();
    let mut state = State::default();
    for k in 0..count {
        model.particles.push(Particle { mass: 1.0, radius: 0.4 + 0.2 * random(), fixed: false });
        let cell = DVec2::new((k % side) as f64, (k / side) as f64);
        state.positions.push(cell + 0.3 * DVec2::new(random(), random()));
        state.velocities.push(4.0 * DVec2::new(random(), random()));
    }
    let (low, high) = (DVec2::splat(-1.0), DVec2::splat(side as f64));
    for (point, normal) in [(low, DVec2::X), (low, DVec2::Y), (high, -DVec2::X), (high, -DVec2::Y)] {
        model.half_planes.push(HalfPlane::at_rest(point, normal));
    }
    let collision =
        CollisionSettings { response, restitution: 0.8, broad_phase, ..CollisionSettings::default() };
    // one pass over the pairs, as the course's program makes
    let settings = ParticleSettings { course: true, collision, ..ParticleSettings::with_time_step(0.01) };
    World::new(model, state, settings).expect("the scene is sound")
}

fn ten_steps(bencher: Bencher, count: usize, response: Response, broad_phase: BroadPhaseMethod) {
    bencher
        .with_inputs(|| {
            let mut world = crowd(count, response, broad_phase);
            world.step(); // buffers are there
            world
        })
        .bench_local_values(|mut world| {
            for _ in 0..10 {
                divan::black_box(world.step());
            }
        });
}

#[divan::bench(args = [1_000, 2_000, 10_000, 100_000], sample_count = 5, sample_size = 1)]
fn simple(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::Simple, BroadPhaseMethod::Grid);
}

#[divan::bench(args = [1_000, 2_000, 10_000], sample_count = 3, sample_size = 1)]
fn simple_all_pairs(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::Simple, BroadPhaseMethod::AllPairs);
}

#[divan::bench(args = [1_000, 10_000], sample_count = 3, sample_size = 1)]
fn simple_sweep_and_prune(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::Simple, BroadPhaseMethod::SweepAndPrune);
}

#[divan::bench(args = [1_000, 10_000, 16_000, 100_000], sample_count = 5, sample_size = 1)]
fn penalty(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::Penalty(PENALTY), BroadPhaseMethod::Grid);
}

#[divan::bench(args = [1_000, 10_000], sample_count = 3, sample_size = 1)]
fn penalty_all_pairs(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::Penalty(PENALTY), BroadPhaseMethod::AllPairs);
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5, sample_size = 1)]
fn continuous_time(bencher: Bencher, count: usize) {
    ten_steps(bencher, count, Response::ContinuousTime, BroadPhaseMethod::Grid);
}
