//! Contact problems of planar bodies that are set up wrongly, each in one way.
//!
//! The contacts are those that Carom found. With η the column of a contact (hand-out, section 5)
//! the velocities after are v + M⁻¹ N λ; an error changes η, M, which λ are allowed, or what
//! becomes of them.

use super::bench::{Bench, Motion};
use super::{Suspect, Trial};
use crate::Simulation;
use crate::grading::Sample;
use crate::grading::explanation::body_features;
use carom_contact::{
    ContactProblem, ContactRow, Dof, JacobianRow, Reflection, Response, Simultaneous, Workspace, resolve,
};
use carom_numerics::dense::FullPivotLu;
use carom_rigid2d::rotation::Rotation;
use carom_scene::System;
use carom_scene::description::rigid;
use carom_trajectory::Contact;
use glam::DVec2;

const ERRORS: [(Suspect, usize); 10] = [
    (Suspect::RadiusLeftOut, 4),
    (Suspect::OneWayDetection, 2),
    (Suspect::FixedMassUsed, 1),
    (Suspect::NormalSign, 1),
    (Suspect::ImpulseSign, 1),
    (Suspect::ImpulseTwice, 1),
    (Suspect::OneSided, 2),
    (Suspect::ImpulsesMayPull, 1),
    (Suspect::TorqueLeftOut, 1),
    (Suspect::BodyAxes, 1),
];

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let System::RigidBodies(scene) = &bench.scene.system else { return Vec::new() };
    let (Some(contact), true) = (scene.contact, bench.options.course) else { return Vec::new() };
    let elastic = match contact.response {
        rigid::Response::Lcp | rigid::Response::VelocityProjection => false,
        rigid::Response::ReflectionLcp | rigid::Response::ReflectionVelocityProjection => true,
        rigid::Response::Impulse | rigid::Response::Penalty { .. } => return Vec::new(),
    };
    let Ok(simulation) = Simulation::new(bench.scene, bench.options) else { return Vec::new() };
    let (masses, inertias) = simulation.mass_properties();
    let counts_fixed = matches!(contact.response, rigid::Response::Lcp | rigid::Response::ReflectionLcp);
    let setup = Setup { scene, elastic, counts_fixed, masses, inertias };
    let right: Vec<Option<Motion>> = predict(bench, &setup, None, 0);
    let is_right = right.iter().zip(&bench.samples).all(|(predicted, sample)| {
        predicted.as_ref().is_some_and(|p| p.is_near(&Motion::of(&sample.step.expected)))
    });
    if !is_right {
        return Vec::new();
    }
    let mut errors = ERRORS.to_vec();
    if elastic {
        errors.push((Suspect::OneSweep, 1));
    }
    let variants = errors.into_iter().flat_map(|(error, count)| (0..count).map(move |k| (error, k)));
    let trial = |(suspect, variant)| {
        let predicted = predict(bench, &setup, Some(suspect), variant);
        Trial { suspect, detail: None, predicted }
    };
    let mut trials: Vec<Trial> = variants.map(trial).collect();
    for (name, inertias) in setup.wrong_inertias() {
        let setup = Setup { inertias, ..setup.clone() };
        let (suspect, detail) = (Suspect::WrongInertia, Some(name.to_owned()));
        trials.push(Trial { suspect, detail, predicted: predict(bench, &setup, None, 0) });
    }
    trials
}

fn predict(
    bench: &Bench<'_>,
    setup: &Setup<'_>,
    error: Option<Suspect>,
    variant: usize,
) -> Vec<Option<Motion>> {
    let ends = bench.samples.iter().zip(&bench.free).map(|(sample, free)| {
        let mut motion = free.clone()?;
        motion.velocities = setup.respond(sample, &motion, error, variant)?;
        Some(motion)
    });
    ends.collect()
}

/// What all contact problems of a scene share.
#[derive(Clone)]
struct Setup<'a> {
    scene: &'a rigid::RigidScene,
    elastic: bool,
    counts_fixed: bool,
    masses: Vec<f64>,
    inertias: Vec<f64>,
}

impl Setup<'_> {
    /// Moments of inertia that are computed wrongly, with what they are.
    fn wrong_inertias(&self) -> Vec<(&'static str, Vec<f64>)> {
        let bodies = self.scene.bodies.iter().enumerate();
        let around_origin = bodies.clone().map(|(body, _)| {
            let x = self.scene.center_of_mass(body).map_or(DVec2::ZERO, DVec2::from);
            self.inertias[body] + self.masses[body] * x.length_squared()
        });
        let unweighted = bodies.map(|(body, description)| {
            let x = self.scene.center_of_mass(body).map_or(DVec2::ZERO, DVec2::from);
            let corners = description.outline();
            let place = |k: &usize| DVec2::from(self.scene.vertices[*k].position);
            corners.iter().map(|k| (place(k) - x).length_squared()).sum()
        });
        let times = |factor: f64| self.inertias.iter().map(|i| factor * i).collect();
        vec![
            ("the mass stands in its place", self.masses.clone()),
            ("it is taken about the origin of the scene", around_origin.collect()),
            ("the masses of vertices are left out", unweighted.collect()),
            ("it is half of the right one", times(0.5)),
            ("it is twice the right one", times(2.0)),
        ]
    }

    /// The velocities after a response with an error.
    fn respond(
        &self,
        sample: &Sample,
        free: &Motion,
        error: Option<Suspect>,
        variant: usize,
    ) -> Option<Vec<f64>> {
        let mut contacts = sample.step.expected.contacts.clone();
        if error == Some(Suspect::OneWayDetection) {
            contacts.retain(|contact| {
                let features = body_features(self.scene, contact, &sample.step.expected);
                let looking = if variant == 0 { contact.first } else { contact.second };
                features.is_none_or(|(own, _)| own == looking as usize)
            });
        }
        if error == Some(Suspect::RadiusLeftOut) {
            // in course mode a normal is as long as the distance of the outlines
            contacts.retain(|contact| {
                let (first, second) = (contact.first as usize, contact.second as usize);
                let features = body_features(self.scene, contact, &sample.step.expected);
                let own = features.map_or(first, |(own, _)| own);
                let counted = match variant {
                    0 => own,
                    1 => first + second - own,
                    2 => first,
                    _ => second,
                };
                DVec2::new(contact.normal[0], contact.normal[1]).length() < self.scene.bodies[counted].radius
            });
        }
        if contacts.is_empty() {
            return Some(free.velocities.clone());
        }
        let mut problem = ContactProblem::new();
        for (body, v) in free.velocities.chunks_exact(3).enumerate() {
            let fixed = self.scene.bodies[body].fixed;
            let heavy = fixed && error != Some(Suspect::FixedMassUsed);
            let at_rest = fixed && !self.counts_fixed;
            for (axis, &velocity) in v.iter().enumerate() {
                let mass = if axis < 2 { self.masses[body] } else { self.inertias[body] };
                let velocity = if at_rest { 0.0 } else { velocity };
                problem.push_dof(velocity, if heavy { f64::INFINITY } else { mass });
            }
        }
        for contact in &contacts {
            problem.push_contact(self.row(contact, free, error)?, &[]);
        }
        let after = match error {
            Some(Suspect::ImpulsesMayPull) => self.without_signs(&problem)?,
            // twice the inelastic impulses: the solution of the complementarity problem grows with
            // b
            Some(Suspect::OneSweep) => {
                resolve(&problem, &Response::LCP, &mut Workspace::new()).velocity.clone()
            }
            _ => resolve(&problem, &self.response(), &mut Workspace::new()).velocity.clone(),
        };
        Some(self.take_back(free, &after, error, (variant, &contacts)))
    }

    fn response(&self) -> Response {
        if self.elastic {
            Response::GeneralizedReflection(Reflection { inner: Simultaneous::Lcp, ..Reflection::COURSE })
        } else {
            Response::LCP
        }
    }

    fn row(&self, contact: &Contact, free: &Motion, error: Option<Suspect>) -> Option<ContactRow> {
        let sign = if error == Some(Suspect::NormalSign) { -1.0 } else { 1.0 };
        let n = sign * DVec2::new(contact.normal[0], contact.normal[1]).try_normalize()?;
        let between = DVec2::new(contact.normal[0], contact.normal[1]);
        let point = DVec2::new(contact.point[0], contact.point[1]);
        // the surfaces are half a gap before and behind the point between them
        let bodies = [contact.first as usize, contact.second as usize];
        let radii: f64 = bodies.iter().map(|&body| self.scene.bodies[body].radius).sum();
        let half = 0.5 * (between.length() - radii) * between.normalize_or_zero();
        let mut direction = JacobianRow::EMPTY;
        for (body, along, surface) in [(bodies[0], -n, point - half), (bodies[1], n, point + half)] {
            let x = &free.positions[3 * body..3 * body + 3];
            let mut arm = surface - DVec2::new(x[0], x[1]);
            if error == Some(Suspect::BodyAxes) {
                arm = Rotation::by(-x[2]).apply(arm);
            }
            let turn = if error == Some(Suspect::TorqueLeftOut) { 0.0 } else { arm.perp_dot(along) };
            let still = self.scene.bodies[body].fixed && error != Some(Suspect::FixedMassUsed);
            let (mass, inertia) =
                if still { (0.0, 0.0) } else { (1.0 / self.masses[body], 1.0 / self.inertias[body]) };
            for (axis, (eta, inverse)) in
                [along.x, along.y, turn].into_iter().zip([mass, mass, inertia]).enumerate()
            {
                direction.push(Dof((3 * body + axis) as u32), eta, inverse * eta).ok()?;
            }
        }
        let bounces = self.elastic && error != Some(Suspect::OneSweep);
        let restitution = if bounces { 1.0 } else { 0.0 };
        Some(ContactRow { restitution, ..ContactRow::new(direction) })
    }

    /// What the bodies are left with.
    fn take_back(
        &self,
        free: &Motion,
        after: &[f64],
        error: Option<Suspect>,
        (variant, contacts): (usize, &[Contact]),
    ) -> Vec<f64> {
        let times = match error {
            Some(Suspect::ImpulseSign) => -1.0,
            Some(Suspect::ImpulseTwice | Suspect::OneSweep) => 2.0,
            _ => 1.0,
        };
        let spared = |body: usize| {
            error == Some(Suspect::OneSided)
                && contacts.iter().all(|contact| {
                    let [first, second] = [contact.first, contact.second].map(|k| k as usize);
                    if variant == 0 { body != first } else { body != second }
                })
        };
        let bodies = self.scene.bodies.iter().enumerate();
        let mut velocities = free.velocities.clone();
        for (body, _) in bodies.filter(|(body, description)| !description.fixed && !spared(*body)) {
            for k in 3 * body..3 * body + 3 {
                velocities[k] += times * (after[k] - free.velocities[k]);
            }
        }
        velocities
    }

    /// Every contact stops, or bounces, exactly: A λ = −b, pull or push.
    fn without_signs(&self, problem: &ContactProblem) -> Option<Vec<f64>> {
        let count = problem.contact_count();
        let velocity = self.velocity_before(problem);
        let times = if self.elastic { 2.0 } else { 1.0 };
        let mut delassus = FullPivotLu::default();
        delassus.factor(count, |i, j| problem.normal(i).delassus(problem.normal(j)));
        if delassus.rank() < count {
            return None;
        }
        let mut lambda: Vec<f64> = (0..count).map(|i| -times * problem.gap_speed(i, &velocity)).collect();
        delassus.solve(&mut lambda);
        Some(problem.velocity_after(&lambda))
    }

    fn velocity_before(&self, problem: &ContactProblem) -> Vec<f64> {
        problem.velocity_after(&vec![0.0; problem.contact_count()])
    }
}
