//! A steady state allocates nothing: the second call on the same pattern reuses every buffer of the
//! workspace.

use crate::scenes;

use carom_contact::{ContactProblem, ContactRow, Response, Workspace, resolve};

fn allocations(problem: &ContactProblem, response: &Response) -> u64 {
    let mut workspace = Workspace::new();
    for _ in 0..2 {
        resolve(problem, response, &mut workspace);
    }
    allocation_counter::measure(|| {
        resolve(problem, response, &mut workspace);
    })
    .count_total
}

#[test]
fn steady_steps_do_not_allocate() {
    let elastic = |problem: &ContactProblem| {
        let mut other = problem.clone();
        other.clear_contacts();
        for contact in problem.contacts() {
            other.push_contact(ContactRow { restitution: 1.0, ..contact }, &[]);
        }
        other
    };
    for problem in [scenes::tree(20), scenes::closing(30), scenes::pile(30, 0.02), scenes::pile(1_000, 0.02)]
    {
        for response in [Response::LCP, Response::VELOCITY_PROJECTION, Response::Impulses] {
            assert_eq!(
                allocations(&problem, &response),
                0,
                "{response:?}, {} contacts",
                problem.contact_count()
            );
        }
    }
    let bounce = elastic(&scenes::tree(20));
    assert_eq!(allocations(&bounce, &Response::GENERALIZED_REFLECTION), 0);
}
