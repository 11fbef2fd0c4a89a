//! What frames report of impacts: the size of the contact problem, energy before and after, and
//! what became of the momentum. Closed forms.

use carom::{Frame, Options, Simulation};
use carom_trajectory::Impact;

fn simulation(text: &str) -> Simulation {
    Simulation::new(&carom::read_scene(text).unwrap(), Options::default()).unwrap()
}

fn rigid(tags: &str) -> Simulation {
    simulation(&format!("<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/>{tags}</scene>"))
}

fn spatial(tags: &str) -> Simulation {
    simulation(&format!("<scene><simtype type=\"rigid-body-3d\"/><duration time=\"1\"/>{tags}</scene>"))
}

fn particles(tags: &str) -> Simulation {
    simulation(&format!("<scene><duration time=\"1\"/>{tags}</scene>"))
}

/// Steps until something is pushed; the frame of that step.
fn impact_of(simulation: &mut Simulation, name: &str) -> Frame {
    for _ in 0..200 {
        simulation.step().unwrap();
        let frame = simulation.frame();
        if frame.diagnostics.active_contacts > 0 {
            return frame;
        }
    }
    panic!("{name}: nothing was pushed");
}

fn near(found: f64, wanted: f64, name: &str) {
    assert!((found - wanted).abs() <= 1e-12 * (1.0 + wanted.abs()), "{name}: {found:e}, not {wanted:e}");
}

/// Masses 2 and 3 that meet head on at 1.5 and −0.5.
const MASSES: [f64; 2] = [2.0, 3.0];
const SPEEDS: [f64; 2] = [1.5, -0.5];

/// ½ m₁ v₁² + ½ m₂ v₂², and the same less ½ (1 − e²) m₁m₂/(m₁ + m₂) (v₁ − v₂)².
fn energies(restitution: f64) -> [f64; 2] {
    let [m1, m2] = MASSES;
    let before = 0.5 * (m1 * SPEEDS[0] * SPEEDS[0] + m2 * SPEEDS[1] * SPEEDS[1]);
    let (reduced, closing) = (m1 * m2 / (m1 + m2), SPEEDS[0] - SPEEDS[1]);
    [before, before - 0.5 * (1.0 - restitution * restitution) * reduced * closing * closing]
}

fn check_free_pair(frame: &Frame, restitution: f64, name: &str) {
    let [before, after] = frame.diagnostics.impact.kinetic();
    let wanted = energies(restitution);
    near(before, wanted[0], name);
    near(after, wanted[1], name);
    near(frame.quantities.kinetic, wanted[1], name);
    let change = frame.diagnostics.impact.momentum_change();
    let scale: f64 = MASSES.iter().zip(SPEEDS).map(|(m, v)| m * v.abs()).sum();
    assert!(change.iter().all(|x| x.abs() <= 1e-14 * scale), "{name}: momentum changed by {change:?}");
}

#[test]
fn two_discs_keep_their_momentum_and_lose_the_energy_of_the_formula() {
    let discs = "<rigidbodydisc x=\"0\" y=\"0.25\" radius=\"0.5\" m=\"2\" vx=\"1.5\"/>\
        <rigidbodydisc x=\"1.05\" y=\"0.25\" radius=\"0.5\" m=\"3\" vx=\"-0.5\"/>";
    for integrator in ["explicit-euler", "symplectic-euler", "velocity-verlet"] {
        let integrator = format!("<rigidbodyintegrator type=\"{integrator}\" dt=\"0.01\"/>");
        for response in ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"] {
            for restitution in [0.0, 0.5, 1.0] {
                let tag = format!(
                    "<rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\" COR=\"{restitution}\"/>"
                );
                let name = format!("{integrator}, {response}, COR {restitution}");
                let mut simulation = rigid(&format!("{integrator}{discs}{tag}"));
                let island = (response != "impulse").then_some(1);
                if restitution > 0.0 {
                    // An impact is an instant: one step has all of it.
                    let frame = impact_of(&mut simulation, &name);
                    check_free_pair(&frame, restitution, &name);
                    let turn = frame.diagnostics.impact.angular_momentum_change()[2];
                    assert!(turn.abs() <= 1e-14, "{name}: angular momentum changed by {turn:e}");
                    let sizes = (frame.diagnostics.contact_rows, frame.diagnostics.largest_island);
                    assert_eq!(sizes, (Some(1), island), "{name}");
                    continue;
                }
                // What does not bounce closes its gap in one step and stops in the next.
                let (mut total, mut momentum) = (0.0, 0.0);
                for _ in 0..10 {
                    simulation.step().unwrap();
                    let impact = simulation.diagnostics().impact;
                    total += impact.kinetic_change();
                    momentum += impact.momentum_change()[0];
                    assert!(impact.angular_momentum_change()[2].abs() <= 1e-14, "{name}");
                }
                let [before, after] = energies(restitution);
                near(total, after - before, &name);
                near(simulation.frame().quantities.kinetic, after, &name);
                // Rounding of ten steps.
                assert!(momentum.abs() < 1e-13, "{name}: {momentum:e}");
            }
        }
    }
}

#[test]
fn two_spheres_keep_their_momentum_and_lose_the_energy_of_the_formula() {
    let spheres = "<rigidbody3dsphere x=\"0\" y=\"0.25\" z=\"1\" radius=\"0.5\" m=\"2\" vx=\"1.5\"/>\
        <rigidbody3dsphere x=\"1.05\" y=\"0.25\" z=\"1\" radius=\"0.5\" m=\"3\" vx=\"-0.5\"/>";
    for response in ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"] {
        for restitution in [0.0, 1.0] {
            let tag =
                format!("<rigidbody3dcollisionhandling response=\"{response}\" COR=\"{restitution}\"/>");
            let name = format!("{response}, COR {restitution}");
            let mut simulation = spatial(&format!(
                "<rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/>{spheres}{tag}"
            ));
            let mut total = 0.0;
            let mut momentum = [0.0; 3];
            let mut rows = 0;
            for _ in 0..60 {
                simulation.step().unwrap();
                let d = simulation.diagnostics();
                total += d.impact.kinetic_change();
                momentum.iter_mut().zip(d.impact.momentum_change()).for_each(|(sum, x)| *sum += x);
                rows = rows.max(d.contact_rows.unwrap());
            }
            let [before, after] = energies(restitution);
            assert!((total - (after - before)).abs() < 1e-12, "{name}: {total} of {}", after - before);
            assert!(momentum.iter().all(|x| x.abs() < 1e-14), "{name}: {momentum:?}");
            assert_eq!(rows, 1, "{name}");
        }
    }
}

/// Impulses one after the other know no islands: that used to read 0 in steps without contact, not
/// known in the others, and the size of the island of what rests in 3D. Now it follows from the
/// response alone.
#[test]
fn an_island_is_known_in_every_step_of_a_run_or_in_none() {
    let floor = "<rigidbodyvertex x=\"-9\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"9\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>";
    for (response, known) in [("impulse", false), ("lcp", true), ("gr-lcp", true)] {
        let planar = rigid(&format!(
            "<rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>{floor}\
             <rigidbodydisc x=\"0\" y=\"0.65\" radius=\"0.5\" m=\"2\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\" COR=\"0\"/>"
        ));
        let space = spatial(&format!(
            "<rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
             <rigidbody3dhalfspace nz=\"1\"/><rigidbody3dsphere x=\"0\" y=\"0\" z=\"0.55\" radius=\"0.5\" m=\"2\"/>\
             <rigidbody3dgravityforce fx=\"0\" fy=\"0\" fz=\"-10\"/>\
             <rigidbody3dcollisionhandling response=\"{response}\" COR=\"0\"/>"
        ));
        for (family, mut simulation) in [("planar", planar), ("space", space)] {
            let mut rows = [0, 0];
            for step in 1..=60 {
                simulation.step().unwrap();
                let d = simulation.diagnostics();
                assert_eq!(d.largest_island.is_some(), known, "{family} {response}, step {step}: {d:?}");
                rows[d.contact_rows.expect("rows are always known").min(1) as usize] += 1;
            }
            assert!(rows[0] > 0 && rows[1] > 20, "{family} {response} flies, falls and rests: {rows:?}");
        }
    }
}

#[test]
fn two_particles_keep_their_momentum_under_every_method_with_impulses() {
    let balls = "<particle m=\"2\" px=\"0\" py=\"0.25\" vx=\"1.5\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>\
        <particle m=\"3\" px=\"1.05\" py=\"0.25\" vx=\"-0.5\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>";
    for (method, solves) in [
        ("simple", false),
        ("continuous-time", false),
        ("back-up", false),
        ("simultaneous", false),
        ("elastic", false),
        ("lcp", true),
        ("velocity-projection", true),
        ("gr-lcp", true),
    ] {
        for restitution in [0.5, 1.0] {
            let name = format!("{method}, COR {restitution}");
            let mut simulation = particles(&format!(
                "<integrator type=\"symplectic-euler\" dt=\"0.01\"/>{balls}<collision type=\"{method}\" COR=\"{restitution}\"/>"
            ));
            let frame = impact_of(&mut simulation, &name);
            check_free_pair(&frame, restitution, &name);
            let rows = solves.then_some(1);
            assert_eq!(
                (frame.diagnostics.contact_rows, frame.diagnostics.largest_island),
                (rows, rows),
                "{name}"
            );
        }
    }
}

/// What a fixed thing is hit with: m (1 + e) v along its normal, and x times that about the origin.
#[test]
fn a_fixed_floor_gives_exactly_the_impulse_of_the_contact() {
    let restitution = 0.5;
    let wanted = 2.0 * (1.0 + restitution) * 3.0;
    let floor = "<rigidbodyvertex x=\"-9\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"9\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>";
    let disc = "<rigidbodydisc x=\"0.75\" y=\"0.625\" radius=\"0.5\" m=\"2\" vy=\"-3\"/>";
    let planar = |integrator: &str, attributes: &str| {
        rigid(&format!(
            "<rigidbodyintegrator type=\"{integrator}\" dt=\"0.015625\"/>{floor}{disc}\
             <rigidbodycollisionhandling detection=\"all-pairs\" COR=\"0.5\" {attributes}/>"
        ))
    };
    let ball = |method: &str| {
        particles(&format!(
            "<integrator type=\"symplectic-euler\" dt=\"0.015625\"/><collision type=\"{method}\" COR=\"0.5\"/>\
             <particle m=\"2\" px=\"0.75\" py=\"0.525\" vx=\"0\" vy=\"-3\" fixed=\"0\" radius=\"0.5\"/>\
             <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/>"
        ))
    };
    let runs = [
        ("gr-lcp", planar("explicit-euler", "response=\"gr-lcp\"")),
        ("impulse", planar("explicit-euler", "response=\"impulse\"")),
        ("time of contact", planar("symplectic-euler", "response=\"gr-lcp\"")),
        ("simple", ball("simple")),
        ("continuous-time", ball("continuous-time")),
        ("particles, gr-lcp", ball("gr-lcp")),
    ];
    for (name, mut simulation) in runs {
        let mut change = [0.0; 3];
        let mut turn = 0.0;
        let mut pushed = 0.0;
        for _ in 0..10 {
            simulation.step().unwrap();
            let frame = simulation.frame();
            let impact = frame.diagnostics.impact;
            change.iter_mut().zip(impact.momentum_change()).for_each(|(sum, x)| *sum += x);
            turn += impact.angular_momentum_change()[2];
            pushed += frame.contacts.iter().map(|contact| contact.impulse).sum::<f64>();
        }
        assert_eq!(change, [0.0, wanted, 0.0], "{name}: all numbers of this impact are exact");
        assert_eq!(turn, 0.75 * wanted, "{name}");
        if name != "time of contact" {
            assert_eq!(pushed, wanted, "{name}: the contacts of the frames say the same");
        }
    }
}

/// A disc that a large step sends to and fro between two walls: all its impacts are in the one
/// frame.
#[test]
fn all_impacts_of_a_step_are_summed() {
    let wall = |from: u32, x: f64| {
        format!(
            "<rigidbodyvertex x=\"{x}\" y=\"-9\" m=\"1\"/><rigidbodyvertex x=\"{x}\" y=\"9\" m=\"1\"/>\
             <rigidbody p=\"{from}\" p=\"{}\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>",
            from + 1
        )
    };
    for (cor, wanted) in [(1.0, [2.0, 2.0, 4.0]), (0.5, [2.0, 0.125, 2.25])] {
        let mut simulation = rigid(&format!(
            "<rigidbodyintegrator type=\"symplectic-euler\" dt=\"1\"/>{}{}\
             <rigidbodydisc x=\"0\" y=\"0\" radius=\"0.4\" m=\"1\" vx=\"2\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" response=\"gr-lcp\" COR=\"{cor}\"/>",
            wall(0, -1.0),
            wall(2, 1.0)
        ));
        simulation.step().unwrap();
        let frame = simulation.frame();
        let Impact::Happened { kinetic_before, kinetic_after, .. } = frame.diagnostics.impact else {
            panic!("nothing happened: {:?}", frame.diagnostics)
        };
        near(kinetic_before, wanted[0], "before");
        // 0.5 m to the right wall at 2 m/s, then 1 m back at 2 e
        if cor == 1.0 {
            near(kinetic_after, wanted[1], "after");
            near(frame.diagnostics.impact.momentum_change()[0], -4.0 + wanted[2], "two elastic impacts");
        } else {
            near(kinetic_after, 0.5, "after one impact at 2 m/s with half of the speed left");
            near(frame.diagnostics.impact.momentum_change()[0], -3.0, "one impact");
        }
    }
}

#[test]
fn where_nothing_touches_the_frame_says_so() {
    let far = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"0.5\" m=\"1\"/><rigidbodydisc x=\"50\" y=\"0\" radius=\"0.5\" m=\"1\"/>\
        <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>";
    let handled =
        rigid(&format!("{far}<rigidbodycollisionhandling detection=\"all-pairs\" response=\"lcp\"/>"));
    let ball = "<integrator type=\"symplectic-euler\" dt=\"0.01\"/><particle m=\"1\" px=\"0\" py=\"0\" vx=\"1\" vy=\"0\" fixed=\"0\"/>";
    for (mut simulation, rows) in
        [(handled, Some(0)), (particles(&format!("{ball}<collision type=\"simple\" COR=\"1\"/>")), None)]
    {
        assert_eq!(simulation.diagnostics().impact, Impact::Unknown, "no step led to the start");
        simulation.step().unwrap();
        let frame = simulation.frame();
        assert_eq!((frame.diagnostics.impact, frame.diagnostics.contact_rows), (Impact::None, rows));
        assert_eq!(frame.diagnostics.impact.momentum_change(), [0.0; 3]);
        assert!(frame.diagnostics.impact.kinetic()[0].is_nan());
    }
}

#[test]
fn methods_without_impulses_do_not_claim_that_nothing_was_changed() {
    let discs = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"0.5\" m=\"1\"/><rigidbodydisc x=\"0.9\" y=\"0\" radius=\"0.5\" m=\"1\"/>\
        <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>";
    let penalty = "<rigidbodycollisionhandling detection=\"all-pairs\" response=\"penalty\" k=\"100\" thickness=\"0.1\"/>";
    let balls = "<integrator type=\"symplectic-euler\" dt=\"0.01\"/>\
        <particle m=\"1\" px=\"0\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>\
        <particle m=\"1\" px=\"0.9\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>";
    let runs = [
        rigid(discs),
        rigid(&format!("{discs}{penalty}")),
        particles(balls),
        particles(&format!("{balls}<collision type=\"penalty\" k=\"100\" thickness=\"0.1\"/>")),
    ];
    for mut simulation in runs {
        simulation.step().unwrap();
        let d = simulation.diagnostics();
        assert_eq!((d.impact, d.contact_rows, d.largest_island), (Impact::Unknown, None, None));
    }
}

/// The course's records of `hybrid` list no collisions; the impulses were there all the same.
#[test]
fn impulses_without_a_record_are_reported() {
    let text = "<scene><duration time=\"1\"/><integrator type=\"forward-backward-euler\" dt=\"0.01\"/>\
        <particle m=\"2\" px=\"0\" py=\"0.25\" vx=\"1.5\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>\
        <particle m=\"3\" px=\"1.05\" py=\"0.25\" vx=\"-0.5\" vy=\"0\" fixed=\"0\" radius=\"0.5\"/>\
        <collision type=\"hybrid\" k=\"1e-9\" thickness=\"1e-9\" maxiters=\"10\" COR=\"1\"/></scene>";
    for course in [false, true] {
        let mut simulation =
            Simulation::new(&carom::read_scene(text).unwrap(), Options::course(course)).unwrap();
        let mut frames = Vec::new();
        for _ in 0..20 {
            simulation.step().unwrap();
            frames.push(simulation.frame());
        }
        let happened = |frame: &&Frame| matches!(frame.diagnostics.impact, Impact::Happened { .. });
        let impacts: Vec<&Frame> = frames.iter().filter(happened).collect();
        assert_eq!(impacts.len(), 1, "course {course}: one step has the impact");
        check_free_pair(impacts[0], 1.0, "hybrid");
        assert_eq!(impacts[0].contacts.is_empty(), course);
        assert!(frames.iter().all(|frame| frame.diagnostics.impact != Impact::Unknown));
    }
}
