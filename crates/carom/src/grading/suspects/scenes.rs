//! Suspects that are Carom's own step of a changed scene.

use super::bench::{Bench, Motion};
use super::forces::{FACTORS, FORCES, left_out, reversed, scaled};
use super::{Suspect, Trial};
use crate::Scene;
use carom_scene::System;
use carom_scene::description::particles::{ParticleMethod, ParticleScene, Response};
use carom_scene::description::rigid::{self, RigidScene};

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let mut changes = Vec::new();
    let mut add = |suspect, detail: Option<&str>, scene: Option<Scene>| {
        if let Some(scene) = scene.filter(|scene| scene != bench.scene) {
            changes.push((suspect, detail.map(str::to_owned), scene));
        }
    };
    add(Suspect::NoResponse, None, Some(super::bench::without_response(bench.scene)));
    match &bench.scene.system {
        System::Particles(_) => of_particles(bench.scene, &mut add),
        System::RigidBodies(_) => of_bodies(bench.scene, &mut add),
        System::SpatialBodies(_) => {}
    }
    let mut trials: Vec<Trial> = changes
        .into_iter()
        .filter_map(|(suspect, detail, scene)| {
            Some(Trial { suspect, detail, predicted: bench.steps_of(&scene)? })
        })
        .collect();
    trials.extend(forces_after(bench));
    trials.extend(fixed_moves(bench));
    trials
}

/// Forces move fixed bodies, which are fixed all the same where collisions are answered.
fn fixed_moves(bench: &Bench<'_>) -> Option<Trial> {
    let looks_once = looks_once(bench);
    let mut scene = super::bench::without_response(bench.scene);
    match &mut scene.system {
        System::Particles(system) => system.particles.iter_mut().for_each(|p| p.fixed = false),
        System::RigidBodies(system) => system.bodies.iter_mut().for_each(|b| b.fixed = false),
        System::SpatialBodies(_) => {}
    }
    let moved = looks_once.then(|| bench.steps_of(&scene))??;
    Some(Trial { suspect: Suspect::FixedMoves, detail: None, predicted: bench.respond_at(&moved)? })
}

/// Whether collisions are looked for once in a step, at its end.
fn looks_once(bench: &Bench<'_>) -> bool {
    match &bench.scene.system {
        System::Particles(system) => system.collision.response == Response::Simple,
        System::RigidBodies(system) => system.contact.is_some() && bench.options.course,
        System::SpatialBodies(_) => false,
    }
}

/// What takes a suspect, a detail and the scene in which it would be right.
type Add<'a> = &'a mut dyn FnMut(Suspect, Option<&str>, Option<Scene>);

fn of_particles(scene: &Scene, add: Add<'_>) {
    let with = |change: &dyn Fn(&mut ParticleScene)| {
        let mut scene = scene.clone();
        if let System::Particles(system) = &mut scene.system {
            change(system);
        }
        Some(scene)
    };
    add(Suspect::RestitutionFactorMissing, None, with(&|s| s.collision.restitution = 1.0));
    add(
        Suspect::RestitutionAsFactor,
        None,
        with(&|s| s.collision.restitution = 2.0 * s.collision.restitution - 1.0),
    );
    add(Suspect::RestitutionSign, None, with(&|s| s.collision.restitution = -s.collision.restitution));
    add(Suspect::MassesIgnored, None, with(&|s| s.particles.iter_mut().for_each(|p| p.mass = 1.0)));
    add(Suspect::FrictionLeftOut, None, with(&|s| s.collision.friction = 0.0));
    for (factor, name) in [(2.0, "twice as large"), (0.5, "half as large")] {
        let resize = |s: &mut ParticleScene| {
            s.particles.iter_mut().for_each(|p| p.radius *= factor);
            s.edges.iter_mut().for_each(|e| e.radius *= factor);
        };
        add(Suspect::RadiusFactor, Some(name), with(&resize));
    }
    let no_radius = |s: &mut ParticleScene| s.particles.iter_mut().for_each(|p| p.radius = 0.0);
    let no_edge_radius = |s: &mut ParticleScene| s.edges.iter_mut().for_each(|e| e.radius = 0.0);
    add(Suspect::RadiusLeftOut, Some("that of edges"), with(&no_edge_radius));
    add(Suspect::RadiusLeftOut, Some("that of particles"), with(&no_radius));
    add(
        Suspect::RadiusLeftOut,
        Some("all of them"),
        with(&|s| {
            no_radius(s);
            no_edge_radius(s);
        }),
    );
    let integrators = [
        ParticleMethod::ExplicitEuler,
        ParticleMethod::SymplecticEuler,
        ParticleMethod::LinearizedImplicitEuler,
        ParticleMethod::ImplicitEuler,
    ];
    for method in integrators {
        add(Suspect::OtherIntegrator, Some(method.name()), with(&|s| s.integrator.method = method));
    }
    add(
        Suspect::GravityWithoutMass,
        None,
        with(&|s| {
            let gravities = std::mem::take(&mut s.forces.gravities);
            s.forces.constants.extend(gravities);
        }),
    );
    let undamped = |s: &mut ParticleScene| s.forces.springs.iter_mut().for_each(|x| x.damping = 0.0);
    add(Suspect::DampingLeftOut, None, with(&undamped));
    for (name, change) in left_out() {
        add(Suspect::ForceLeftOut, Some(name), with(&change));
    }
    for (name, change) in reversed() {
        add(Suspect::ForceSign, Some(name), with(&change));
    }
    for (factor, word) in FACTORS {
        for force in FORCES {
            let detail = format!("{force}: yours is {word} the right one");
            add(Suspect::ForceFactor, Some(&detail), with(&|s| scaled(s, force, factor)));
        }
    }
    let slack = |s: &mut ParticleScene| s.forces.springs.iter_mut().for_each(|x| x.rest_length = 0.0);
    add(Suspect::RestLengthLeftOut, None, with(&slack));
    if let Response::Penalty(_) | Response::Hybrid { .. } = kept(scene) {
        // of a negative radius nothing is within reach
        let no_edges = |s: &mut ParticleScene| s.edges.iter_mut().for_each(|e| e.radius = -1e100);
        add(Suspect::KindLeftOut, Some("particle–edge"), with(&no_edges));
        add(Suspect::KindLeftOut, Some("particle–half-plane"), with(&|s| s.half_planes.clear()));
    }
    add(
        Suspect::ThicknessLeftOut,
        None,
        with(&|s| {
            if let Response::Penalty(penalty) | Response::Hybrid { penalty, .. } = &mut s.collision.response {
                penalty.thickness = 0.0;
            }
        }),
    );
    let all_free = |s: &mut ParticleScene| s.particles.iter_mut().for_each(|p| p.fixed = false);
    add(Suspect::FixedMoves, None, with(&all_free));
}

/// How a scene of particles answers collisions.
fn kept(scene: &Scene) -> Response {
    match &scene.system {
        System::Particles(system) => system.collision.response,
        _ => Response::None,
    }
}

fn of_bodies(scene: &Scene, add: Add<'_>) {
    let with = |change: &dyn Fn(&mut RigidScene)| {
        let mut scene = scene.clone();
        if let System::RigidBodies(system) = &mut scene.system {
            change(system);
        }
        Some(scene)
    };
    for (part, name) in [(0.5, "only one of the two counts"), (1e-9, "neither counts")] {
        let smaller = |s: &mut RigidScene| s.bodies.iter_mut().for_each(|b| b.radius *= part);
        add(Suspect::RadiusLeftOut, Some(name), with(&smaller));
    }
    for method in [rigid::PlanarMethod::ExplicitEuler, rigid::PlanarMethod::SymplecticEuler] {
        add(Suspect::OtherIntegrator, Some(method.name()), with(&|s| s.integrator.method = method));
    }
    add(
        Suspect::WrongElasticity,
        None,
        with(&|s| {
            if let Some(contact) = &mut s.contact {
                contact.response = match contact.response {
                    rigid::Response::Lcp => rigid::Response::ReflectionLcp,
                    rigid::Response::ReflectionLcp => rigid::Response::Lcp,
                    rigid::Response::VelocityProjection => rigid::Response::ReflectionVelocityProjection,
                    rigid::Response::ReflectionVelocityProjection => rigid::Response::VelocityProjection,
                    other => other,
                };
            }
        }),
    );
    add(Suspect::ForceLeftOut, Some("gravity"), with(&|s| s.gravities.clear()));
    add(Suspect::ForceLeftOut, Some("springs"), with(&|s| s.springs.clear()));
    add(Suspect::ForceLeftOut, Some("wind"), with(&|s| s.winds.clear()));
    add(
        Suspect::ForceSign,
        Some("gravity"),
        with(&|s| s.gravities.iter_mut().for_each(|g| *g = [-g[0], -g[1]])),
    );
    let pushing = |s: &mut RigidScene| s.springs.iter_mut().for_each(|x| x.stiffness = -x.stiffness);
    add(Suspect::ForceSign, Some("springs"), with(&pushing));
    let against = |s: &mut RigidScene| s.winds.iter_mut().for_each(|w| w.coefficient = -w.coefficient);
    add(Suspect::ForceSign, Some("wind"), with(&against));
    for (factor, word) in FACTORS {
        let detail = |force: &str| format!("{force}: yours is {word} the right one");
        let heavier = |s: &mut RigidScene| s.gravities.iter_mut().flatten().for_each(|g| *g *= factor);
        add(Suspect::ForceFactor, Some(&detail("gravity")), with(&heavier));
        let stiffer = |s: &mut RigidScene| s.springs.iter_mut().for_each(|x| x.stiffness *= factor);
        add(Suspect::ForceFactor, Some(&detail("springs")), with(&stiffer));
        let windier = |s: &mut RigidScene| s.winds.iter_mut().for_each(|w| w.coefficient *= factor);
        add(Suspect::ForceFactor, Some(&detail("wind")), with(&windier));
    }
    let slack = |s: &mut RigidScene| s.springs.iter_mut().for_each(|x| x.rest_length = 0.0);
    add(Suspect::RestLengthLeftOut, None, with(&slack));
    let smooth = |s: &mut RigidScene| s.contact.iter_mut().for_each(|c| c.friction = 0.0);
    add(Suspect::FrictionLeftOut, None, with(&smooth));
    let twice = |s: &mut RigidScene| s.bodies.iter_mut().for_each(|b| b.radius *= 2.0);
    add(Suspect::RadiusFactor, Some("twice as large"), with(&twice));
    add(Suspect::FixedMoves, None, with(&|s| s.bodies.iter_mut().for_each(|b| b.fixed = false)));
}

/// Collisions answered before forces act: at the start of the step, or at its end with the
/// velocities of its start.
fn forces_after(bench: &Bench<'_>) -> Vec<Trial> {
    if !looks_once(bench) {
        return Vec::new();
    }
    let starts: Vec<Option<Motion>> =
        bench.samples.iter().map(|sample| Some(Motion::of(&sample.step.before))).collect();
    let mut trials = Vec::new();
    let mut add = |predicted: Option<Vec<Option<Motion>>>| {
        let suspect = Suspect::ForcesAfter;
        trials.extend(predicted.map(|predicted| Trial { suspect, detail: None, predicted }));
    };
    add(answer_then_step(bench, &starts));
    add(step_then_answer_old(bench, &starts));
    trials
}

fn answer_then_step(bench: &Bench<'_>, starts: &[Option<Motion>]) -> Option<Vec<Option<Motion>>> {
    let answered = bench.respond_at(starts)?;
    let scene = super::bench::without_response(bench.scene);
    let mut simulation = crate::Simulation::new(&scene, bench.options).ok()?;
    let ends = answered.iter().zip(&bench.samples).map(|(motion, sample)| {
        let motion = motion.as_ref()?;
        let mut frame = crate::Frame { step: sample.step.before.step, ..Default::default() };
        frame.positions.clone_from(&motion.positions);
        frame.velocities.clone_from(&motion.velocities);
        simulation.restore(&frame).ok()?;
        simulation.step().ok()?;
        Some(Motion::of(&simulation.frame()))
    });
    Some(ends.collect())
}

fn step_then_answer_old(bench: &Bench<'_>, starts: &[Option<Motion>]) -> Option<Vec<Option<Motion>>> {
    let moved: Vec<Option<Motion>> = bench
        .free
        .iter()
        .zip(starts)
        .map(|(free, start)| {
            let (free, start) = (free.as_ref()?, start.as_ref()?);
            Some(Motion { positions: free.positions.clone(), velocities: start.velocities.clone() })
        })
        .collect();
    let mut answered = bench.respond_at(&moved)?;
    for ((answer, free), start) in answered.iter_mut().zip(&bench.free).zip(starts) {
        let (Some(answer), Some(free), Some(start)) = (answer, free, start) else { continue };
        let pushed = free.velocities.iter().zip(&start.velocities).map(|(after, before)| after - before);
        answer.velocities.iter_mut().zip(pushed).for_each(|(v, push)| *v += push);
    }
    Some(answered)
}
