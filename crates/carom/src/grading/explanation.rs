//! The first wrong step in numbers: its contacts, what each should have got and what the file's
//! velocities imply.

use super::suspects::{self, Diagnosis};
use super::{Grade, WrongStep};
use crate::{Options, Scene, Simulation};
use carom_rigid2d::rotation::Rotation;
use carom_scene::System;
use carom_trajectory::{Contact, ContactKind, Frame};
use glam::DVec2;

/// Why a file is wrong, as far as the frames show.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The first wrong step.
    pub step: u64,
    /// When it ends, in seconds.
    pub time: f64,
    /// What touches in it.
    pub contacts: Vec<ContactAccount>,
    /// Errors that explain the file, the best first.
    pub diagnoses: Vec<Diagnosis>,
}

/// A contact of the first wrong step.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactAccount {
    /// As Carom finds it; in lists that it does not find, as the file has it.
    pub contact: Contact,
    /// Who touches whom, in words: `particle 3 – edge 0`.
    pub pair: String,
    /// Where on them: `α = 0.25 between particles 1 and 2`,
    /// `vertex 0 of body 1 on edge 2–3 of body 0`. May be empty.
    pub features: String,
    /// Of length 1, from the first to the second.
    pub normal: [f64; 2],
    /// Speed at which the two come nearer before the response: of particles, as earlier contacts of
    /// the step leave it.
    pub approach: f64,
    /// Impulse along the normal that it should have got, positive when it pushes apart.
    pub expected: f64,
    /// The impulse that the file's velocities imply: of all contacts together the one that is
    /// nearest to them.
    pub implied: f64,
    /// Whether the file has no such contact although it lists collisions.
    pub is_missed: bool,
    /// Whether only the file has it.
    pub is_superfluous: bool,
}

/// Explains the first wrong step of a grade; nothing where no step is wrong.
pub fn explain(scene: &Scene, options: Options, grade: &Grade) -> Option<Explanation> {
    if grade.failure.is_some() && grade.wrong_step.is_none() {
        return None; // nothing was compared that could be explained
    }
    let diagnoses = suspects::diagnose(scene, options, grade);
    let Some(wrong) = &grade.wrong_step else {
        let first = grade.grader.first.as_ref()?;
        let time = 0.0;
        return Some(Explanation { step: first.frame, time, contacts: Vec::new(), diagnoses });
    };
    let contacts = accounts(scene, options, grade, wrong).unwrap_or_default();
    Some(Explanation { step: wrong.got.step, time: wrong.got.time, contacts, diagnoses })
}

/// Most contacts that are reported.
const MOST: usize = 40;

fn accounts(
    scene: &Scene,
    options: Options,
    grade: &Grade,
    wrong: &WrongStep,
) -> Option<Vec<ContactAccount>> {
    let free = suspects::free_step(scene, options, &wrong.before)?;
    let simulation = Simulation::new(scene, options).ok()?;
    let (masses, inertias) = simulation.mass_properties();
    let (expected, got) = (&wrong.expected, &wrong.got);
    let key = |c: &Contact| (c.kind, c.first, c.second);
    let differs =
        |contact: &Contact, lists: &[Contact]| !lists.iter().any(|other| key(other) == key(contact));
    let lists_collisions = grade.grader.collisions.count() > 0;
    let mut contacts: Vec<(Contact, bool, bool)> = expected
        .contacts
        .iter()
        .map(|contact| (*contact, lists_collisions && differs(contact, &got.contacts), false))
        .collect();
    if lists_collisions {
        let own = got.contacts.iter().filter(|contact| differs(contact, &expected.contacts));
        contacts.extend(own.map(|contact| (*contact, false, true)));
    }
    contacts.truncate(MOST);
    let rows: Vec<Option<Push>> = contacts
        .iter()
        .map(|(contact, ..)| Push::of(scene, contact, expected, (&masses, &inertias)))
        .collect();
    // the change that the file's velocities show, and those that all contacts together can make of
    // it
    let change: Vec<f64> = got.velocities.iter().zip(&free.velocities).map(|(a, b)| a - b).collect();
    let implied = nearest_impulses(&rows, &change);
    // particles are answered one after the other: each contact sees what earlier ones leave
    let one_by_one = matches!(scene.system, System::Particles(_));
    let mut velocities = free.velocities.clone();
    let largest = contacts.iter().map(|(contact, ..)| contact.impulse.abs()).fold(0.0, f64::max);
    let mut accounts = Vec::new();
    for (k, (contact, is_missed, is_superfluous)) in contacts.into_iter().enumerate() {
        let Some(row) = &rows[k] else { continue };
        accounts.push(ContactAccount {
            pair: pair_of(&contact),
            features: features(scene, &contact, expected),
            normal: row.normal.to_array(),
            approach: -row.speed(&velocities),
            expected: if is_superfluous { 0.0 } else { contact.impulse },
            // what rounding leaves of nothing is nothing
            implied: if implied[k].abs() < 1e-12 * largest { 0.0 } else { implied[k] },
            is_missed,
            is_superfluous,
            contact,
        });
        if one_by_one && !is_superfluous {
            row.entries.iter().for_each(|&(k, _, change)| velocities[k] += contact.impulse * change);
        }
    }
    Some(accounts)
}

/// A unit push at a contact: what it does to velocities.
struct Push {
    normal: DVec2,
    /// Place among the velocities, entry of N, and the change that a unit impulse makes there.
    entries: Vec<(usize, f64, f64)>,
}

impl Push {
    fn of(
        scene: &Scene,
        contact: &Contact,
        frame: &Frame,
        (masses, inertias): (&[f64], &[f64]),
    ) -> Option<Push> {
        let n = DVec2::new(contact.normal[0], contact.normal[1]).try_normalize()?;
        let (i, j) = (contact.first as usize, contact.second as usize);
        let mut entries = Vec::new();
        match (&scene.system, contact.kind) {
            (System::Particles(system), kind) => {
                let mut push = |k: usize, weight: f64| {
                    let inverse = if system.particles[k].fixed { 0.0 } else { 1.0 / masses[k] };
                    for (axis, along) in [n.x, n.y].into_iter().enumerate() {
                        entries.push((2 * k + axis, weight * along, weight * along * inverse));
                    }
                };
                (i < system.particles.len()).then_some(())?;
                push(i, -1.0);
                match kind {
                    ContactKind::ParticleParticle => push((j < system.particles.len()).then_some(j)?, 1.0),
                    ContactKind::ParticleEdge => {
                        let edge = system.edges.get(j)?;
                        let alpha = alpha_of(frame, i, [edge.start, edge.end]);
                        push(edge.start, 1.0 - alpha);
                        push(edge.end, alpha);
                    }
                    _ => {}
                }
            }
            (System::RigidBodies(system), ContactKind::BodyBody) => {
                let point = DVec2::new(contact.point[0], contact.point[1]);
                for (body, along) in [(i, -n), (j, n)] {
                    let x = frame.positions.get(3 * body..3 * body + 2)?;
                    let turn = (point - DVec2::new(x[0], x[1])).perp_dot(along);
                    let still = system.bodies[body].fixed;
                    let (mass, inertia) =
                        if still { (0.0, 0.0) } else { (1.0 / masses[body], 1.0 / inertias[body]) };
                    let numbers = [(along.x, mass), (along.y, mass), (turn, inertia)];
                    for (axis, (eta, inverse)) in numbers.into_iter().enumerate() {
                        entries.push((3 * body + axis, eta, eta * inverse));
                    }
                }
            }
            _ => return None,
        }
        Some(Push { normal: n, entries })
    }

    /// How fast the gap opens.
    fn speed(&self, velocities: &[f64]) -> f64 {
        self.entries.iter().map(|&(k, eta, _)| eta * velocities.get(k).copied().unwrap_or(0.0)).sum()
    }

    fn delassus(&self, other: &Push) -> f64 {
        let mut sum = 0.0;
        for &(k, eta, _) in &self.entries {
            let theirs = other.entries.iter().filter(|entry| entry.0 == k);
            sum += theirs.map(|&(_, _, change)| eta * change).sum::<f64>();
        }
        sum
    }
}

/// Where on an edge a particle is nearest, from 0 to 1.
fn alpha_of(frame: &Frame, i: usize, [a, b]: [usize; 2]) -> f64 {
    let x = |k: usize| DVec2::new(frame.positions[2 * k], frame.positions[2 * k + 1]);
    let along = x(b) - x(a);
    let alpha = (x(i) - x(a)).dot(along) / along.length_squared();
    if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) }
}

/// Impulses whose change of velocity is nearest to the given one, weighed by mass: (Nᵀ M⁻¹ N) λ =
/// Nᵀ Δv, swept until it rests. Redundant contacts share.
fn nearest_impulses(rows: &[Option<Push>], change: &[f64]) -> Vec<f64> {
    const SWEEPS: usize = 200;
    let mut lambda = vec![0.0; rows.len()];
    let delassus = |i: usize, j: usize| match (&rows[i], &rows[j]) {
        (Some(a), Some(b)) => a.delassus(b),
        _ => 0.0,
    };
    let table: Vec<Vec<f64>> =
        (0..rows.len()).map(|i| (0..rows.len()).map(|j| delassus(i, j)).collect()).collect();
    for _ in 0..SWEEPS {
        for (i, row) in rows.iter().enumerate() {
            let Some(row) = row.as_ref().filter(|_| table[i][i] > 0.0) else { continue };
            let others: f64 = (0..rows.len()).filter(|&j| j != i).map(|j| table[i][j] * lambda[j]).sum();
            lambda[i] = (row.speed(change) - others) / table[i][i];
        }
    }
    lambda
}

fn pair_of(contact: &Contact) -> String {
    let (first, second) = match contact.kind {
        ContactKind::ParticleParticle => ("particle", "particle"),
        ContactKind::ParticleEdge => ("particle", "edge"),
        ContactKind::ParticleHalfPlane => ("particle", "half-plane"),
        ContactKind::BodyBody => ("body", "body"),
    };
    format!("{first} {} – {second} {}", contact.first, contact.second)
}

fn features(scene: &Scene, contact: &Contact, frame: &Frame) -> String {
    match &scene.system {
        System::Particles(system) if contact.kind == ContactKind::ParticleEdge => {
            let Some(edge) = system.edges.get(contact.second as usize) else { return String::new() };
            let ends = [edge.start, edge.end];
            let alpha = alpha_of(frame, contact.first as usize, ends);
            format!("α = {alpha:.4} between particles {} and {}", ends[0], ends[1])
        }
        System::RigidBodies(system) => {
            body_features(system, contact, frame).map(|(_, words)| words).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// The vertex and the edge that meet, in words, and whose vertex it is: that of either body that is
/// nearest to the line of contact, and the edge of the other that is.
pub(super) fn body_features(
    system: &carom_scene::RigidScene,
    contact: &Contact,
    frame: &Frame,
) -> Option<(usize, String)> {
    let point = DVec2::new(contact.point[0], contact.point[1]);
    let n = DVec2::new(contact.normal[0], contact.normal[1]);
    let mut best: Option<(f64, usize, String)> = None;
    let bodies = [contact.first as usize, contact.second as usize];
    for (own, other, towards) in [(bodies[0], bodies[1], n), (bodies[1], bodies[0], -n)] {
        let (corners, edges) = (outline(system, frame, own)?, outline(system, frame, other)?);
        for (k, corner) in corners.iter().enumerate() {
            // the vertex lies behind the point of contact, the edge before it
            let aside = (point - *corner).perp_dot(towards.normalize_or_zero()).abs();
            for e in 0..edges.len() {
                let (a, b) = (edges[e], edges[(e + 1) % edges.len()]);
                let along = b - a;
                let alpha = ((*corner - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                let off = (a + alpha * along - *corner - towards).length() + aside;
                if best.as_ref().is_none_or(|(least, ..)| off < *least) {
                    let to = (e + 1) % edges.len();
                    let words = format!("vertex {k} of body {own} on edge {e}–{to} of body {other}");
                    best = Some((off, own, words));
                }
            }
        }
    }
    best.map(|(_, own, words)| (own, words))
}

fn outline(system: &carom_scene::RigidScene, frame: &Frame, body: usize) -> Option<Vec<DVec2>> {
    let description = system.bodies.get(body)?;
    let center = DVec2::from(system.center_of_mass(body)?);
    let x = frame.positions.get(3 * body..3 * body + 3)?;
    let turn = Rotation::by(x[2]);
    let place = |index: &usize| {
        let own = DVec2::from(system.vertices[*index].position) - center;
        turn.apply(own) + DVec2::new(x[0], x[1])
    };
    let corners: Vec<DVec2> = description.outline().iter().map(place).collect();
    (!corners.is_empty()).then_some(corners)
}
