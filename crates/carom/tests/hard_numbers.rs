//! Numbers of absurd size in scenes.

use carom::{Options, Simulation};

fn spatial(tags: &str) -> Simulation {
    let text = format!("<scene><simtype type=\"rigid-body-3d\"/><duration time=\"1\"/>\n{tags}</scene>");
    Simulation::new(&carom::read_scene(&text).unwrap(), Options::default()).unwrap()
}

/// The square of such a normal is 0 or infinite: the scene used to be refused, "must have length
/// 1".
#[test]
fn the_length_of_a_normal_does_not_matter() {
    let bounce = |normal: &str| {
        let mut simulation = spatial(&format!(
            "<rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/><rigidbody3dhalfspace {normal}/>\
             <rigidbody3dsphere z=\"1.05\" x=\"1\" radius=\"0.5\" vz=\"-3\" m=\"1\"/>\
             <rigidbody3dcollisionhandling response=\"gr-lcp\"/>"
        ));
        (0..60).for_each(|_| simulation.step().unwrap());
        simulation.frame().positions
    };
    let expected = bounce("nx=\"1\" nz=\"1\"");
    assert!(expected[7] > 1.1, "it bounced to the side: {expected:?}");
    for size in ["1e-320", "1e-200", "1e200", "1e308"] {
        let found = bounce(&format!("nx=\"{size}\" nz=\"{size}\""));
        let far = found.iter().zip(&expected).any(|(x, y)| (x - y).abs() > 1e-12);
        assert!(!far, "{size}: {found:?}, not {expected:?}");
    }
}

/// The square of such a momentum is infinite; the drift was too, with no word about it.
#[test]
fn drifts_of_large_momenta_are_numbers() {
    let text = "<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.1\"/>\
        <particle m=\"1\" px=\"0\" py=\"0\" vx=\"1e150\" vy=\"1e10\" fixed=\"0\"/><constantforce fx=\"0\" fy=\"1e10\"/></scene>";
    let mut simulation = Simulation::new(&carom::read_scene(text).unwrap(), Options::default()).unwrap();
    let mut summary = carom::Summary::default();
    summary.add(&simulation.frame());
    for _ in 0..5 {
        simulation.step().unwrap();
        summary.add_step(&simulation);
        summary.add(&simulation.frame());
    }
    assert!(
        summary.angular_momentum_drift.is_finite() && summary.angular_momentum_drift > 1e155,
        "{summary:?}"
    );
}
