//! What keeps large problems cheap, counted instead of timed: steps of the sparse solver, each of
//! which is about one factorization.

use crate::scenes;

use carom_contact::{ContactProblem, Response, Status, Workspace, resolve};

/// Steps of a first answer, which must be exact.
fn steps(problem: &ContactProblem) -> u64 {
    let mut workspace = Workspace::new();
    let resolution = resolve(problem, &Response::VELOCITY_PROJECTION, &mut workspace);
    assert_eq!(resolution.status, Status::Solved);
    assert!(resolution.residual.worst() < 1e-12, "residual {:.1e}", resolution.residual.worst());
    resolution.iterations
}

/// Counted on the problems of the benchmark: 6, 3, 5 and 5 steps at 1,000 contacts, and in the
/// piles 5 at every size. The even pile took 7 there, 8 at 5,000 and 9 at 20,000 when interior
/// points did not start from where the first Newton step leads.
#[test]
fn steps_hardly_grow_with_the_problem() {
    for (name, make, most) in [
        ("tree", scenes::tree as fn(usize) -> ContactProblem, 9),
        ("closing packing", scenes::closing, 5),
        ("pile", |n| scenes::pile(n, 0.0), 6),
        ("pile, uneven", |n| scenes::pile(n, 0.02), 6),
    ] {
        let (small, large) = (steps(&make(1_000)), steps(&make(8_000)));
        assert!(small <= most && large <= most, "{name}: {small} steps, then {large}");
        assert!(large <= small + 3, "{name}: {small} steps, then {large}");
    }
}

/// The same problem again, from the impulses that it ended with.
#[test]
fn a_pile_at_rest_needs_no_step() {
    let problem = scenes::pile(2_000, 0.02);
    let mut workspace = Workspace::new();
    resolve(&problem, &Response::VELOCITY_PROJECTION, &mut workspace);
    let again = resolve(&problem, &Response::VELOCITY_PROJECTION, &mut workspace);
    assert_eq!((again.status, again.iterations), (Status::Solved, 0));
}
