//! What frames report of contacts in every family: unit normal, gap, impulse and friction, by
//! closed forms; and pushes.

use carom::{Frame, Options, Simulation, read_scene};

fn simulation(text: &str) -> Simulation {
    Simulation::new(&read_scene(text).unwrap(), Options::default()).unwrap()
}

/// Something of 2 kg that touches the ground and moves along x at a speed, with μ = 0.5 and g = 10,
/// in each family. Whether the ground comes second in its contacts, and the axis that is up.
fn sliders(speed: f64) -> [(&'static str, Simulation, f64, usize); 4] {
    let particle = |collision: &str| {
        format!(
            "<scene><duration time=\"1\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/>\
             <collision type=\"{collision}\" COR=\"0\" mu=\"0.5\"/><simplegravity fx=\"0\" fy=\"-10\"/>\
             <particle m=\"2\" px=\"0\" py=\"0.5\" vx=\"{speed}\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>\
             <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/></scene>"
        )
    };
    let corners = |[x, y]: [f64; 2]| {
        [[-x, -y], [x, -y], [x, y], [-x, y]]
            .map(|[x, y]| format!("<rigidbodyvertex x=\"{x}\" y=\"{y}\" m=\"0.5\"/>"))
            .concat()
    };
    let planar = format!(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/>\
         <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>\
         <rigidbodycollisionhandling detection=\"all-pairs\" response=\"lcp\" COR=\"0\" mu=\"0.5\"/>{}{}\
         <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>\
         <rigidbody p=\"4\" p=\"5\" p=\"6\" p=\"7\" vx=\"{speed}\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"0\"/></scene>",
        corners([50.0, 1.0]),
        corners([0.5, 0.25]).replace("y=\"0.25\"", "y=\"1.5\"").replace("y=\"-0.25\"", "y=\"1.2\""),
    );
    let spatial = format!(
        "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"1\"/>\
         <rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/><rigidbody3dgravityforce fz=\"-10\"/>\
         <rigidbody3dcollisionhandling response=\"lcp\" COR=\"0\" mu=\"0.5\"/><rigidbody3dhalfspace nz=\"1\"/>\
         <rigidbody3dbox z=\"0.25\" a=\"1\" b=\"1\" c=\"0.5\" m=\"2\" vx=\"{speed}\"/></scene>"
    );
    [
        ("particle", simulation(&particle("lcp")), -1.0, 1),
        ("particle, simple", simulation(&particle("simple")), -1.0, 1),
        ("planar", simulation(&planar), 1.0, 1),
        ("spatial", simulation(&spatial), 1.0, 2),
    ]
}

/// Impulses along normals and of friction on what is not the ground.
fn sums(frame: &Frame, sign: f64) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    for contact in &frame.contacts {
        let length = contact.normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        for k in 0..3 {
            sums[0][k] += sign * contact.impulse * contact.normal[k] / length;
            sums[1][k] += sign * contact.friction[k];
        }
    }
    sums
}

fn near(found: [f64; 3], axis: usize, wanted: f64, of: &str) {
    let off = (0..3).map(|k| (found[k] - if k == axis { wanted } else { 0.0 }).abs()).fold(0.0, f64::max);
    assert!(off <= 1e-9, "{of}: {found:?}, not {wanted} along axis {axis}");
}

#[test]
fn what_slides_is_pushed_up_by_its_weight_and_back_by_mu_times_that() {
    for (name, mut simulation, sign, up) in sliders(3.0) {
        for step in 1..=5 {
            simulation.step().unwrap();
            let frame = simulation.frame();
            assert!(!frame.contacts.is_empty(), "{name}");
            // m g dt = 2 · 10 · 0.01
            let [along, across] = sums(&frame, sign);
            near(along, up, 0.2, name);
            near(across, 0, -0.1, name);
            for contact in &frame.contacts {
                // `simple` looks at the end of a step: v dt deep
                let deepest = if name.ends_with("simple") { 0.0011 * f64::from(step) } else { 1e-9 };
                assert!((-deepest..1e-9).contains(&contact.gap), "{name}: gap {}", contact.gap);
            }
        }
    }
}

#[test]
fn what_rests_is_held_by_as_much_friction_as_it_is_pushed() {
    // 6 N along x are less than μ m g = 10 N
    for (name, mut simulation, sign, up) in sliders(0.0) {
        if name.ends_with("simple") {
            continue; // it answers collisions only
        }
        let body = simulation.body_count() - 1;
        for _ in 0..5 {
            assert!(simulation.push(body, [6.0, 0.0, 0.0], [0.0; 3]));
            simulation.step().unwrap();
            let frame = simulation.frame();
            let [along, across] = sums(&frame, sign);
            near(along, up, 0.2, name);
            near(across, 0, -0.06, name);
        }
        let speed = simulation.frame().velocities[simulation.frame().velocities.len() / (body + 1) * body];
        assert!(speed.abs() < 1e-9, "{name}: {speed}");
    }
}

#[test]
fn a_frame_that_is_gone_back_to_shows_the_contacts_that_it_had() {
    // particles and 3D bodies used to show those of the step before
    for (name, mut simulation, ..) in sliders(3.0) {
        simulation.step().unwrap();
        let frame = simulation.frame();
        let last = simulation.frame().velocities.len();
        let mut apart = frame.clone();
        apart.contacts.clear();
        (apart.memory, apart.step) = (Vec::new(), 7);
        simulation.restore(&apart).unwrap();
        assert_eq!((simulation.frame().contacts.len(), simulation.contact_count()), (0, 0), "{name}");
        simulation.restore(&frame).unwrap();
        assert_eq!(simulation.frame().contacts, frame.contacts, "{name} {last}");
    }
}

#[test]
fn a_push_on_a_particle_is_a_constant_force_for_one_step_under_every_integrator() {
    let integrators = [
        "explicit-euler",
        "symplectic-euler",
        "linearized-implicit-euler",
        "implicit-euler",
        "velocity-verlet",
        "rk4",
        "dormand-prince",
    ];
    for integrator in integrators {
        let scene = |force: &str| {
            format!(
                "<scene><duration time=\"1\"/><integrator type=\"{integrator}\" dt=\"0.01\"/>{force}\
                 <particle m=\"2\" px=\"0\" py=\"0\" vx=\"1\" vy=\"0\" fixed=\"0\" radius=\"0.1\"/>\
                 <particle m=\"2\" px=\"0\" py=\"3\" vx=\"0\" vy=\"0\" fixed=\"1\" radius=\"0.1\"/></scene>"
            )
        };
        let mut forced = simulation(&scene("<constantforce fx=\"4\" fy=\"-2\"/>"));
        let mut pushed = simulation(&scene(""));
        for body in [0, 1, 0] {
            assert!(
                pushed.push(body, [2.0, -1.0, 9.0], [9.0; 3]),
                "two pushes add up, a fixed particle does not feel them"
            );
        }
        assert!(!pushed.push(2, [1.0; 3], [0.0; 3]), "it is not there");
        forced.step().unwrap();
        pushed.step().unwrap();
        let (forced, after) = (forced.frame(), pushed.frame());
        assert_eq!(forced.positions, after.positions, "{integrator}");
        assert_eq!(forced.velocities, after.velocities, "{integrator}");
        assert!((after.velocities[0] - 1.02).abs() < 1e-12, "{integrator}: {}", after.velocities[0]);
        pushed.step().unwrap();
        let again = pushed.frame().velocities;
        assert!(
            (again[0] - 1.02).abs() < 1e-12 && (again[1] + 0.01).abs() < 1e-12,
            "it lasts one step: {again:?}"
        );
    }
}
