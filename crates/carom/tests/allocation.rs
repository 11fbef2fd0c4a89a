//! Steps and frames of a heap that lies allocate nothing once everything has its size.

use carom::{Frame, Options, Simulation};

/// Discs in a box, square upon square: each touches the one below.
fn heap() -> Simulation {
    let mut text = String::from(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <rigidbodycollisionhandling detection=\"all-pairs\" response=\"velocity-projection\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>\
         <rigidbodyvertex x=\"-1\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"13\" y=\"0\" m=\"1\"/>\
         <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.5\" fixed=\"1\"/>",
    );
    for k in 0..100 {
        let (x, y) = (f64::from(k % 10), 1.0 + f64::from(k / 10));
        text += &format!("<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"0.5\" m=\"1\"/>");
    }
    Simulation::new(&carom::read_scene(&(text + "</scene>")).unwrap(), Options::default()).unwrap()
}

/// Every step used to copy the memory of the solver into new room, and to look for overlaps whether
/// anyone asked or not.
#[test]
fn a_heap_that_lies_allocates_nothing() {
    let mut simulation = heap();
    let mut frame = Frame::default();
    for _ in 0..20 {
        simulation.step().unwrap();
        simulation.write_frame(&mut frame);
    }
    assert!(frame.contacts.len() >= 100 && !frame.memory.is_empty(), "{} contacts", frame.contacts.len());
    let counted = allocation_counter::measure(|| {
        for _ in 0..20 {
            simulation.step().unwrap();
            simulation.write_frame(&mut frame);
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// An overlap is that of the bodies where they are, whoever asked before.
#[test]
fn overlaps_are_those_of_the_frame_whether_asked_for_in_every_step_or_not() {
    let (mut often, mut rarely) = (heap(), heap());
    for _ in 0..30 {
        often.step().unwrap();
        rarely.step().unwrap();
        often.frame();
    }
    let copy = rarely.clone();
    assert_eq!(often.frame(), rarely.frame());
    assert_eq!(often.frame(), copy.frame());
    assert_eq!(often.frame(), often.frame());
}
