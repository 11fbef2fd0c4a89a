//! The course's scenes of theme 3 against its own program: free runs, and step by step.

#![allow(clippy::print_stderr, reason = "tests say which scenes they met, and which they skipped")]

use crate::course;

use carom_rigid2d::{BodyQuantities, World, energy};

#[test]
fn free_runs_without_contact_meet_the_course() {
    free_runs_meet_the_course("t3m1");
}

fn free_runs_meet_the_course(prefix: &str) {
    for entry in course::corpus::entries(prefix) {
        let mut world = course::world(&entry.scene);
        let mut same_bits = true;
        for (k, frame) in entry.frames.iter().take(entry.free_frames).enumerate() {
            let (state, quantities) = (numbers(&world), quantities(&world));
            same_bits &= state == frame.state;
            let off = worst(&state, &frame.state);
            assert!(off <= entry.tolerance, "{} frame {k}: state off by {off:e}", entry.name);
            for (ours, theirs) in quantities.iter().zip(&frame.quantities) {
                let off = (ours - theirs).abs() / theirs.abs().max(1.0);
                assert!(off <= entry.tolerance, "{} frame {k}: {ours} for {theirs}", entry.name);
            }
            world.step();
        }
        eprintln!("{} {}", entry.name, if same_bits { "bit for bit" } else { "within tolerance" });
    }
}

#[test]
fn single_steps_without_contact_meet_the_course() {
    steps_meet_the_course("t3m1");
}

#[test]
fn free_runs_with_contact_meet_the_course() {
    free_runs_meet_the_course("t3m2");
}

#[test]
fn single_steps_with_contact_meet_the_course() {
    steps_meet_the_course("t3m2");
}

/// From every frame of the course one step of ours, as its grader does: 1e-8 at most anywhere, 1e-6
/// in all.
fn steps_meet_the_course(prefix: &str) {
    for entry in course::corpus::entries(prefix) {
        let mut world = course::world(&entry.scene);
        let mut sum = 0.0;
        for k in 0..entry.frames.len() - 1 {
            world.set_state(entry.state(k)).unwrap();
            world.step();
            let off = worst(&numbers(&world), &entry.frames[k + 1].state);
            assert!(off < 1e-8, "{} step {k}: off by {off:e}", entry.name);
            sum += off;
        }
        assert!(sum < 1e-6, "{}: off by {sum:e} in all", entry.name);
    }
}

fn numbers(world: &World) -> Vec<f64> {
    let bodies = world.state().bodies.iter();
    bodies
        .flat_map(|b| [b.position.x, b.position.y, b.angle, b.velocity.x, b.velocity.y, b.angular_velocity])
        .collect()
}

fn quantities(world: &World) -> Vec<f64> {
    let (model, states) = (world.model(), &world.state().bodies);
    let own: Vec<_> = model.bodies.iter().zip(states).map(|(b, s)| BodyQuantities::of(b, s)).collect();
    let mut all: Vec<f64> = own.iter().flat_map(|q| [q.momentum.x, q.momentum.y]).collect();
    all.extend(own.iter().map(|q| q.orbital_angular_momentum));
    all.extend(own.iter().map(|q| q.spin_angular_momentum));
    all.extend(own.iter().map(|q| q.translational_energy));
    all.extend(own.iter().map(|q| q.rotational_energy));
    all.push(energy::course_potential_energy(model, states));
    all
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (x, y)| worst.max((x - y).abs()))
}
