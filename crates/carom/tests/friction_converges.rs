//! Friction of the gallery's arch and pyramid used to circle for seven steps each while blocks land
//! and wedge: the rounds of normals and friction ran to their limit. Every step now ends at a
//! solution.

use carom::{Options, Simulation};

fn statuses(scene: &str, steps: u64) -> Vec<(u64, u32)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(scene);
    let scene = carom::read_scene(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
    let mut not_solved = vec![];
    let mut contacts = 0;
    for step in 0..steps {
        simulation.step().unwrap();
        contacts = contacts.max(simulation.contact_count());
        let status = simulation.diagnostics().status;
        if status != 0 {
            not_solved.push((step, status));
        }
    }
    assert!(contacts > 20, "only {contacts} contacts: nothing was tried");
    not_solved
}

#[test]
fn the_arch_lands_with_a_solution_in_every_step() {
    assert_eq!(statuses("arch.xml", 130), []);
}

#[test]
fn the_pyramid_falls_with_a_solution_in_every_step() {
    assert_eq!(statuses("pyramid.xml", 200), []);
}
