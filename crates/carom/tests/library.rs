//! What every user of an engine looks for, in every family, by closed forms.

use carom::scene::description::rigid::{Anchor, Response};
use carom::{
    BodyHandle, Frame, Options, Particle, ParticleBuilder, ParticleHandle, PlanarBuilder, Simulation,
    read_scene,
};

fn simulation(text: &str) -> Simulation {
    Simulation::new(&read_scene(text).unwrap(), Options::default()).unwrap()
}

fn run(mut simulation: Simulation, steps: usize) -> Frame {
    (0..steps).for_each(|_| simulation.step().unwrap());
    simulation.frame()
}

/// Two things of 1 kg at the same distance from a wall each, on their way to it at 1 m/s: own COR
/// 0.6 and 0.1, mu 0.8 and none, under one response. The scene has COR 0.2. Velocities along the
/// way, of both.
fn rebound(family: &str, response: &str) -> [f64; 2] {
    match family {
        "particles" => {
            let frame = run(
                simulation(&format!(
                    r#"<scene><duration time="1"/><integrator type="symplectic-euler" dt="0.01"/>
                    <collision type="{response}" COR="0.2"/><halfplane px="0" py="0" nx="0" ny="1"/>
                    <particle m="1" px="0" py="0.6" vx="0" vy="-1" fixed="0" radius="0.1"/>
                    <particle m="1" px="5" py="0.6" vx="0" vy="-1" fixed="0" radius="0.1"/>
                    <particlesurface i="0" COR="0.6"/><particlesurface i="1" COR="0.1"/></scene>"#
                )),
                100,
            );
            [frame.velocities[1], frame.velocities[3]]
        }
        "planar" => {
            let frame = run(
                simulation(&format!(
                    r#"<scene><simtype type="rigid-body"/><duration time="1"/>
                    <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
                    <rigidbodycollisionhandling detection="all-pairs" response="{response}" COR="0.2"/>
                    <rigidbodydisc x="0" y="0" radius="1" m="1" fixed="1"/>
                    <rigidbodydisc x="5" y="0" radius="1" m="1" fixed="1"/>
                    <rigidbodydisc x="0" y="1.6" radius="0.1" m="1" vy="-1"/>
                    <rigidbodydisc x="5" y="1.6" radius="0.1" m="1" vy="-1"/>
                    <rigidbodysurface body="2" COR="0.6"/><rigidbodysurface body="3" COR="0.1"/></scene>"#
                )),
                100,
            );
            [frame.velocities[7], frame.velocities[10]]
        }
        _ => {
            let frame = run(
                simulation(&format!(
                    r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
                    <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
                    <rigidbody3dcollisionhandling response="{response}" COR="0.2"/>
                    <rigidbody3dhalfspace nz="1"/>
                    <rigidbody3dsphere z="0.6" radius="0.1" m="1" vz="-1"/>
                    <rigidbody3dsphere x="5" z="0.6" radius="0.1" m="1" vz="-1"/>
                    <rigidbody3dsurface body="1" COR="0.6"/><rigidbody3dsurface body="2" COR="0.1"/></scene>"#
                )),
                100,
            );
            [frame.velocities[8], frame.velocities[14]]
        }
    }
}

#[test]
fn the_greater_restitution_of_two_bodies_counts() {
    let solvers = ["lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
    let particles = ["back-up", "simultaneous", "elastic", "continuous-time"];
    let all = solvers.iter().flat_map(|&r| ["particles", "planar", "spatial"].map(|family| (family, r)));
    let more =
        particles.iter().map(|&r| ("particles", r)).chain([("planar", "impulse"), ("spatial", "impulse")]);
    for (family, response) in all.chain(more) {
        let [bouncy, dull] = rebound(family, response);
        assert!((bouncy - 0.6).abs() < 1e-9, "{family} {response}: {bouncy}");
        assert!((dull - 0.2).abs() < 1e-9, "{family} {response}: {dull}");
    }
}

/// μ is √(0.8 · 0.2) = 0.4, so 4 m/s become 2 m/s in half a second at g = 10.
#[test]
fn the_geometric_mean_of_two_frictions_counts() {
    let particle = run(
        simulation(
            r#"<scene><duration time="1"/><integrator type="symplectic-euler" dt="0.01"/>
            <collision type="lcp" COR="0" mu="0.2"/><halfplane px="0" py="0" nx="0" ny="1"/>
            <simplegravity fx="0" fy="-10"/><particlesurface i="0" mu="0.8"/>
            <particle m="1" px="0" py="0.1" vx="4" vy="0" fixed="0" radius="0.1"/></scene>"#,
        ),
        50,
    );
    assert!((particle.velocities[0] - 2.0).abs() < 1e-6, "{}", particle.velocities[0]);
    let spatial = run(
        simulation(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
            <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/><rigidbody3dgravityforce fz="-10"/>
            <rigidbody3dcollisionhandling response="lcp" COR="0" mu="0.2"/><rigidbody3dhalfspace nz="1"/>
            <rigidbody3dbox z="0.1" a="1" b="1" c="0.2" m="2" vx="4"/><rigidbody3dsurface body="1" mu="0.8"/></scene>"#,
        ),
        50,
    );
    assert!((spatial.velocities[6] - 2.0).abs() < 1e-6, "{}", spatial.velocities[6]);
}

#[test]
fn groups_pass_through_each_other_in_every_family() {
    let particles = |ignores: &str| {
        let text = format!(
            r#"<scene><duration time="1"/><integrator type="symplectic-euler" dt="0.01"/>
            <collision type="gr-lcp" COR="1"/><particlesurface i="0" group="3" {ignores}/>
            <particle m="1" px="-1" py="0" vx="1" vy="0" fixed="0" radius="0.25"/>
            <particle m="1" px="0" py="0" vx="0" vy="0" fixed="0" radius="0.25"/></scene>"#
        );
        let frame = run(simulation(&text), 100);
        assert_eq!(frame.quantities.deepest_penetration, 0.0, "what passes through does not overlap");
        frame.velocities[0]
    };
    assert_eq!(particles(r#"ignores="0""#), 1.0);
    assert!(particles("").abs() < 1e-12, "without it they exchange their velocities");
    let spatial = |ignores: &str| {
        let text = format!(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
            <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
            <rigidbody3dcollisionhandling response="gr-lcp"/>
            <rigidbody3dsphere x="-1" radius="0.25" m="1" vx="1"/><rigidbody3dsphere radius="0.25" m="1"/>
            <rigidbody3dsurface body="1" group="7"/><rigidbody3dsurface body="0" {ignores}/></scene>"#
        );
        run(simulation(&text), 100).velocities[0]
    };
    assert_eq!(spatial(r#"ignores="5" ignores="7""#), 1.0);
    assert!(spatial(r#"ignores="5""#).abs() < 1e-12);
}

#[test]
fn drag_of_planar_bodies_takes_the_same_part_in_every_step() {
    let mut build = PlanarBuilder::new(0.01);
    let disc = build.rigidbodydisc([0.0, 0.0], 1.0, 2.0);
    build.get(disc).unwrap().velocity = [3.0, 0.0];
    build.get(disc).unwrap().angular_velocity = 5.0;
    build.rigidbodydragforce(0.8, 0.5);
    let mut simulation = build.simulation().unwrap();
    (0..100).for_each(|_| simulation.step().unwrap());
    // symplectic Euler: v (1 − c h / m) a step, ω (1 − d h / I) with I = m r² / 2
    let [v, w] = [3.0 * (1.0 - 0.8 * 0.01 / 2.0_f64).powi(100), 5.0 * (1.0 - 0.5 * 0.01 / 1.0_f64).powi(100)];
    assert!((simulation.velocity(disc).unwrap()[0] - v).abs() < 1e-12);
    assert!((simulation.angular_velocity(disc).unwrap() - w).abs() < 1e-12);
}

#[test]
fn damping_of_springs_takes_relative_speed_and_no_momentum() {
    let mut build = PlanarBuilder::new(0.01);
    let discs = [-1.0, 1.0].map(|x| build.rigidbodydisc([x, 0.0], 0.1, 2.0));
    build.get(discs[0]).unwrap().velocity = [1.0, 0.0];
    let ends = discs.map(|disc| build.anchor(disc, [0.0, 0.0]));
    build.rigidbodyspringforce(ends, 0.0, 1.0, 0.7);
    let mut simulation = build.simulation().unwrap();
    (0..50).for_each(|_| simulation.step().unwrap());
    let [a, b] = discs.map(|disc| simulation.velocity(disc).unwrap()[0]);
    // the reduced mass is 1: the relative speed has 1 − b h a step
    assert!(((a - b) - (1.0 - 0.7 * 0.01_f64).powi(50)).abs() < 1e-12, "{a} {b}");
    assert!((a + b - 1.0).abs() < 1e-12);
    let text = r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
        <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
        <rigidbody3dsphere x="-1" radius="0.1" m="2" vx="1"/><rigidbody3dsphere x="1" radius="0.1" m="2"/>
        <rigidbody3dspringforce i="0" j="1" k="0" l0="1" b="0.7"/></scene>"#;
    let frame = run(self::simulation(text), 50);
    assert!((frame.velocities[0] - a).abs() < 1e-12 && (frame.velocities[6] - b).abs() < 1e-12);
}

#[test]
fn timed_forces_give_their_integral_whatever_the_step() {
    // ∫ cos(2 t + 1) from 0.25 to 0.75, of 3 N on 2 kg and of 0.5 N m on 1 kg m² (a disc of radius
    // 1 has m / 2)
    let integral = 0.5 * (2.5_f64.sin_of() - 1.5_f64.sin_of());
    for steps in [10, 333] {
        let dt = 1.0 / steps as f64;
        let planar = format!(
            r#"<scene><simtype type="rigid-body"/><duration time="1"/>
            <rigidbodyintegrator type="symplectic-euler" dt="{dt}"/><rigidbodydisc x="0" y="0" radius="1" m="2"/>
            <rigidbodytimedforce body="0" fx="3" torque="0.5" rate="2" phase="1" from="0.25" until="0.75"/></scene>"#
        );
        let frame = run(simulation(&planar), steps);
        assert!((frame.velocities[0] - 1.5 * integral).abs() < 1e-12, "{steps}");
        assert!((frame.velocities[2] - 0.5 * integral).abs() < 1e-12, "{steps}");
        let spatial = format!(
            r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
            <rigidbody3dintegrator type="rk4" dt="{dt}"/><rigidbody3dsphere radius="1" m="2"/>
            <rigidbody3dtimedforce body="0" fz="3" rate="2" phase="1" from="0.25" until="0.75"/></scene>"#
        );
        let frame = run(simulation(&spatial), steps);
        assert!((frame.velocities[2] - 1.5 * integral).abs() < 1e-12, "{steps}");
    }
}

/// Sines for expected values, as the engine has them.
trait SinOf {
    fn sin_of(self) -> f64;
}

impl SinOf for f64 {
    fn sin_of(self) -> f64 {
        carom_numerics::elementary::sin(self)
    }
}

#[test]
fn forces_push_particles_and_handles_know_their_kind() {
    let mut build = ParticleBuilder::new(0.1);
    let particle = build.particle(Particle::new(2.0, [0.0, 0.0], [0.0, 0.0]));
    let mut simulation = build.simulation().unwrap();
    assert!(simulation.add_force(particle, [3.0, 4.0]));
    simulation.step().unwrap();
    let velocity = simulation.velocity(particle).unwrap();
    assert!((velocity[0] - 0.15).abs() < 1e-15 && (velocity[1] - 0.2).abs() < 1e-15);
    simulation.step().unwrap();
    assert_eq!(simulation.velocity(particle), Some(velocity), "a force lasts for one step");
    assert!(simulation.handle::<BodyHandle>(0).is_none());
    let mut build = PlanarBuilder::new(0.1);
    let disc = build.rigidbodydisc([0.0, 0.0], 1.0, 1.0);
    assert!(!simulation.add_force(disc, [1.0, 0.0]), "a body of another kind is not there");
}

/// A falling row on a floor that stands still, with a far stone that nothing touches.
fn row() -> (Simulation, ParticleHandle, ParticleHandle) {
    let mut build = ParticleBuilder::new(0.01);
    let far = build.particle(Particle::new(1.0, [50.0, 9.0], [1.0, 3.0]));
    let near = build.particle(Particle::new(1.0, [0.0, 1.0], [0.2, 0.0]).with_radius(0.3));
    build.particle(Particle::new(1.0, [0.5, 2.0], [-0.2, 0.0]).with_radius(0.3));
    build.halfplane([0.0, 0.0], [0.1, 1.0]);
    build.simplegravity([0.0, -10.0]);
    build.collision(carom::scene::description::particles::Response::VelocityProjection, 0.3, 0.4);
    (build.simulation().unwrap(), far, near)
}

#[test]
fn bodies_come_and_go_with_the_same_bits() {
    let with_changes = || {
        let (mut simulation, far, near) = row();
        let mut frames = Vec::new();
        let mut visitor = None;
        for step in 0..120 {
            if step == 30 {
                let new = Particle::new(2.0, [0.2, 3.0], [0.0, -1.0]).with_radius(0.3);
                visitor = Some(simulation.edit(|b: &mut ParticleBuilder| b.particle(new)).unwrap());
            }
            if step == 70 {
                simulation.remove(near).unwrap();
            }
            simulation.step().unwrap();
            frames.push(simulation.frame());
        }
        assert_eq!((simulation.position(near), simulation.body_count()), (None, 3));
        assert!(simulation.position(visitor.unwrap()).is_some());
        (frames, simulation.position(far).unwrap())
    };
    let ((once, far), (twice, _)) = (with_changes(), with_changes());
    assert_eq!(once, twice);
    let (mut unchanged, stone, _) = row();
    (0..120).for_each(|_| unchanged.step().unwrap());
    assert_eq!(
        unchanged.position(stone),
        Some(far),
        "what touches nothing goes on as if nothing had happened"
    );
}

#[test]
fn a_change_that_cannot_be_is_refused_and_nothing_changes() {
    let (mut simulation, far, _) = row();
    simulation.step().unwrap();
    let before = simulation.frame();
    let heavy = Particle::new(-1.0, [0.0, 9.0], [0.0, 0.0]);
    assert!(simulation.edit(|b: &mut ParticleBuilder| b.particle(heavy)).is_err());
    assert!(simulation.edit(|b: &mut PlanarBuilder| b.rigidbodydisc([0.0, 0.0], 1.0, 1.0)).is_err());
    assert!(simulation.edit(|b: &mut ParticleBuilder| b.system().particles.clear()).is_err());
    assert_eq!(simulation.frame(), before);
    simulation.remove(far).unwrap();
    assert!(simulation.remove(far).is_err());
}

#[test]
fn planar_bodies_go_with_their_springs() {
    let mut build = PlanarBuilder::new(0.01);
    let discs = [0.0, 3.0, 6.0].map(|x| build.rigidbodydisc([x, 0.0], 0.5, 1.0));
    let ends = [build.anchor(discs[0], [0.0, 0.0]), build.anchor(discs[1], [0.0, 0.0])];
    build.rigidbodyspringforce(ends, 10.0, 1.0, 0.0);
    let other = [build.anchor(discs[2], [0.0, 0.0]), Anchor::World([8.0, 0.0])];
    build.rigidbodyspringforce(other, 10.0, 1.0, 0.0);
    build.rigidbodycollisionhandling(Response::Lcp, 0.0, 0.0);
    let mut simulation = build.simulation().unwrap();
    simulation.step().unwrap();
    let speed = simulation.velocity(discs[0]).unwrap();
    simulation.remove(discs[1]).unwrap();
    simulation.step().unwrap();
    assert_eq!(simulation.velocity(discs[0]), Some(speed), "its spring went with the other end");
    assert!(simulation.velocity(discs[2]).unwrap()[0] > 0.15, "the other spring pulls on");
}
