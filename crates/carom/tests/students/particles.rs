//! A student's program of Theme 2 Milestone 1, written from the hand-out and with the errors that
//! students make. It shares no code with Carom.

use super::Bug;
use carom_scene::description::particles::{ParticleMethod, ParticleScene, Response};
use carom_trajectory::course::{CourseLayout, CourseRecords, CourseWriter};
use carom_trajectory::{Contact, ContactKind, Frame};
use glam::DVec2;
use std::path::Path;

pub(crate) struct Student<'a> {
    scene: &'a ParticleScene,
    bug: Option<Bug>,
    x: Vec<DVec2>,
    v: Vec<DVec2>,
    /// Velocities that impulses are computed from, where they are not the present ones.
    seen: Option<Vec<DVec2>>,
    found: Vec<Contact>,
}

impl<'a> Student<'a> {
    /// The file that the program writes.
    pub(crate) fn file(scene: &'a ParticleScene, steps: usize, bug: Option<Bug>) -> (Vec<u8>, CourseLayout) {
        let mut student = Student {
            scene,
            bug,
            x: scene.particles.iter().map(|p| p.position.into()).collect(),
            v: scene.particles.iter().map(|p| p.velocity.into()).collect(),
            seen: None,
            found: Vec::new(),
        };
        let simple = scene.collision.response == Response::Simple;
        let records = if simple { CourseRecords::Simple } else { CourseRecords::Plain };
        let layout = CourseLayout::new(records, scene.particles.len() as u64, scene.integrator.dt);
        let mut bytes = Vec::new();
        let mut writer = CourseWriter::new(&mut bytes, Path::new("mine.bin"), layout, &[], &[]).unwrap();
        for step in 0..=steps {
            // where a frame is written twice, no step is taken before the second
            if step > 0 && !(student.has(Bug::FrameRepeated) && step == 5) {
                student.step();
            }
            if student.has(Bug::FramesSkipped) && step > 0 {
                student.step();
            }
            writer.write(&student.frame()).unwrap();
        }
        drop(writer);
        (bytes, layout)
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    fn frame(&self) -> Frame {
        let flat = |list: &[DVec2]| list.iter().flat_map(|p| [p.x, p.y]).collect();
        let mut contacts = self.found.clone();
        for contact in &mut contacts {
            let [x, y, _] = contact.normal;
            if self.has(Bug::ListedNormalUnit) {
                let length = (x * x + y * y).sqrt();
                contact.normal = [x / length, y / length, 0.0];
            }
            if self.has(Bug::ListedNormalSign) {
                contact.normal = [-x, -y, 0.0];
            }
            if self.has(Bug::ListedIndicesSwapped) && contact.kind == ContactKind::ParticleParticle {
                std::mem::swap(&mut contact.first, &mut contact.second);
            }
        }
        if self.has(Bug::NotListed) {
            contacts.clear();
        }
        Frame { positions: flat(&self.x), velocities: flat(&self.v), contacts, ..Frame::default() }
    }

    fn step(&mut self) {
        self.found.clear();
        let dt = self.scene.integrator.dt * if self.has(Bug::WrongTimeStep) { 0.5 } else { 1.0 };
        if self.has(Bug::ForcesAfter) {
            self.collide();
        }
        let a = self.accelerations();
        let explicit = match self.scene.integrator.method {
            ParticleMethod::ExplicitEuler => !self.has(Bug::OtherIntegrator),
            _ => self.has(Bug::OtherIntegrator),
        };
        for k in 0..self.x.len() {
            if explicit {
                self.x[k] += dt * self.v[k];
                self.v[k] += dt * a[k];
            } else {
                self.v[k] += dt * a[k];
                self.x[k] += dt * self.v[k];
            }
        }
        let is_simple = self.scene.collision.response == Response::Simple;
        if is_simple && !self.has(Bug::ForcesAfter) && !self.has(Bug::NoResponse) {
            self.collide();
        }
        if self.has(Bug::SinglePrecision) {
            let numbers = self.x.iter_mut().chain(&mut self.v);
            numbers.for_each(|p| *p = p.as_vec2().as_dvec2());
        }
    }

    fn accelerations(&self) -> Vec<DVec2> {
        let mut force = vec![DVec2::ZERO; self.x.len()];
        for g in &self.scene.forces.gravities {
            for (f, particle) in force.iter_mut().zip(&self.scene.particles) {
                let mass = if self.has(Bug::GravityWithoutMass) { 1.0 } else { self.weight(particle.mass) };
                *f += DVec2::from(*g) * mass * if self.has(Bug::ForceFactor) { 2.0 } else { 1.0 };
            }
        }
        for spring in &self.scene.forces.springs {
            let edge = self.scene.edges[spring.edge];
            let (i, j) = (edge.start, edge.end);
            let apart = self.x[j] - self.x[i];
            let n = apart / apart.length();
            let b = if self.has(Bug::DampingLeftOut) { 0.0 } else { spring.damping };
            let rest = if self.has(Bug::RestLengthLeftOut) { 0.0 } else { spring.rest_length };
            let size = spring.stiffness * (apart.length() - rest) + b * (self.v[j] - self.v[i]).dot(n);
            force[i] += size * n;
            force[j] -= size * n;
        }
        self.penalty(&mut force);
        let particles = self.scene.particles.iter().zip(force);
        let stays = |fixed: bool| fixed && !self.has(Bug::FixedFalls);
        particles.map(|(p, f)| if stays(p.fixed) { DVec2::ZERO } else { f / self.weight(p.mass) }).collect()
    }

    /// −k (‖n‖ − r₁ − r₂ − T) (∇n)ᵀ n̂ of every pair that is near enough.
    fn penalty(&self, force: &mut [DVec2]) {
        let Response::Penalty(penalty) = self.scene.collision.response else { return };
        let mut push = |n: DVec2, reach: f64, on: &[(usize, f64)]| {
            let depth = n.length() - reach - penalty.thickness;
            if depth > 0.0 || self.has(Bug::NoResponse) {
                return;
            }
            let sign = if self.has(Bug::ImpulseSign) { -1.0 } else { 1.0 };
            let on = if self.has(Bug::OneSided) { &on[..1] } else { on };
            for (k, share) in on {
                force[*k] += sign * penalty.stiffness * -depth * *share * self.unit(n);
            }
        };
        for i in 0..self.x.len() {
            let own = self.scene.particles[i].radius;
            for j in i + 1..self.x.len() {
                let other = self.scene.particles[j].radius;
                let reach = if self.has(Bug::FirstRadiusOnly) { own } else { own + other };
                push(self.x[j] - self.x[i], reach, &[(i, -1.0), (j, 1.0)]);
            }
            for edge in &self.scene.edges {
                let (a, b) = (edge.start, edge.end);
                if a == i || b == i || self.has(Bug::KindLeftOut) {
                    continue;
                }
                let along = self.x[b] - self.x[a];
                let mut alpha = (self.x[i] - self.x[a]).dot(along) / along.length_squared();
                if !self.has(Bug::ClampForgotten) {
                    alpha = alpha.clamp(0.0, 1.0);
                }
                let n = self.x[a] + alpha * along - self.x[i];
                let q = if self.has(Bug::AlphaSwapped) { 1.0 - alpha } else { alpha };
                let reach = if self.has(Bug::FirstRadiusOnly) { own } else { own + edge.radius };
                push(n, reach, &[(i, -1.0), (a, 1.0 - q), (b, q)]);
            }
            for plane in &self.scene.half_planes {
                let nh = DVec2::from(plane.normal);
                let n = (DVec2::from(plane.point) - self.x[i]).dot(nh) / nh.length_squared() * nh;
                push(n, own, &[(i, -1.0)]);
            }
        }
    }

    fn collide(&mut self) {
        let count = self.x.len();
        self.seen = self.has(Bug::AllAtOnce).then(|| self.v.clone());
        if self.has(Bug::ResponseOrder) {
            // the half-planes of all particles first
            (0..count).for_each(|i| self.half_planes(i));
            for i in 0..count {
                self.particles(i);
                self.edges(i);
            }
            return;
        }
        for i in 0..count {
            self.particles(i);
            if !self.has(Bug::KindLeftOut) {
                self.edges(i);
            }
            self.half_planes(i);
        }
    }

    fn weight(&self, mass: f64) -> f64 {
        if self.has(Bug::MassesIgnored) { 1.0 } else { mass }
    }

    fn radius(&self, radius: f64) -> f64 {
        radius * if self.has(Bug::RadiusFactor) { 2.0 } else { 1.0 }
    }

    fn velocity(&self, k: usize) -> DVec2 {
        self.seen.as_ref().map_or(self.v[k], |seen| seen[k])
    }

    fn particles(&mut self, i: usize) {
        for j in i + 1..self.x.len() {
            let n = self.x[j] - self.x[i];
            let [a, b] = [i, j].map(|k| self.radius(self.scene.particles[k].radius));
            let reach = match self.bug {
                Some(Bug::RadiusLeftOut) => 0.0,
                Some(Bug::OneRadius) => b,
                Some(Bug::FirstRadiusOnly) => a,
                _ => a + b,
            };
            if n.length() >= reach || !self.approaches((self.velocity(i) - self.velocity(j)).dot(n)) {
                if n.length() < reach && self.has(Bug::ListedTooMany) {
                    self.note(ContactKind::ParticleParticle, i, j, n);
                }
                continue;
            }
            self.note(ContactKind::ParticleParticle, i, j, n);
            let unit = self.unit(n);
            let (mut m1, mut m2) = (self.mass(i), self.mass(j));
            if self.has(Bug::MassesSwapped) {
                (m1, m2) = (m2, m1);
            }
            let w = self.strength() * (self.velocity(j) - self.velocity(i)).dot(unit);
            if self.has(Bug::FixedPushedByImpulse) {
                self.push_all(w * unit, &[(i, 1.0), (j, -1.0)]);
                continue;
            }
            self.push(i, w / (1.0 + m1 / m2) * unit);
            if !self.has(Bug::OneSided) {
                self.push(j, -w / (m2 / m1 + 1.0) * unit);
            }
        }
    }

    fn edges(&mut self, i: usize) {
        for (e, edge) in self.scene.edges.iter().enumerate() {
            let (a, b) = (edge.start, edge.end);
            if a == i || b == i {
                continue;
            }
            let along = self.x[b] - self.x[a];
            let mut alpha = (self.x[i] - self.x[a]).dot(along) / along.length_squared();
            if !self.has(Bug::ClampForgotten) {
                alpha = alpha.clamp(0.0, 1.0);
            }
            let n = self.x[a] + alpha * along - self.x[i];
            let r =
                if self.has(Bug::RadiusLeftOut) { 0.0 } else { self.radius(self.scene.particles[i].radius) };
            let seen = if self.has(Bug::AlphaSwappedThroughout) { 1.0 - alpha } else { alpha };
            let nearest = self.velocity(a) + seen * (self.velocity(b) - self.velocity(a));
            let thickness = if self.has(Bug::FirstRadiusOnly) { 0.0 } else { self.radius(edge.radius) };
            if n.length() >= r + thickness || !self.approaches((self.velocity(i) - nearest).dot(n)) {
                continue;
            }
            self.note(ContactKind::ParticleEdge, i, e, n);
            let unit = self.unit(n);
            let w = self.strength() * (nearest - self.velocity(i)).dot(unit);
            let q = if self.has(Bug::AlphaSwapped) { 1.0 - alpha } else { seen };
            let p = 1.0 - q;
            if self.has(Bug::FixedPushedByImpulse) {
                self.push_all(w * unit, &[(i, 1.0), (a, -p), (b, -q)]);
                continue;
            }
            let [m1, m2, m3] = [i, a, b].map(|k| self.mass(k));
            self.push(i, w / (1.0 + p * p * m1 / m2 + q * q * m1 / m3) * unit);
            if !self.has(Bug::OneSided) {
                if m2.is_finite() {
                    self.push(a, -p * w / (m2 / m1 + p * p + q * q * m2 / m3) * unit);
                }
                if m3.is_finite() {
                    self.push(b, -q * w / (m3 / m1 + p * p * m3 / m2 + q * q) * unit);
                }
            }
        }
    }

    fn half_planes(&mut self, i: usize) {
        for (h, plane) in self.scene.half_planes.iter().enumerate() {
            let nh = DVec2::from(plane.normal);
            let n = (DVec2::from(plane.point) - self.x[i]).dot(nh) / nh.length_squared() * nh;
            let r =
                if self.has(Bug::RadiusLeftOut) { 0.0 } else { self.radius(self.scene.particles[i].radius) };
            if n.length() >= r || !self.approaches(self.velocity(i).dot(n)) {
                if n.length() < r && self.has(Bug::ListedTooMany) {
                    self.note(ContactKind::ParticleHalfPlane, i, h, n);
                }
                continue;
            }
            self.note(ContactKind::ParticleHalfPlane, i, h, n);
            let unit = self.unit(n);
            let w = self.strength() * self.velocity(i).dot(unit);
            self.v[i] -= w * unit;
        }
    }

    fn approaches(&self, speed: f64) -> bool {
        match self.bug {
            Some(Bug::NormalSign) => speed < 0.0,
            Some(Bug::ApproachNotTested) => true,
            _ => speed > 0.0,
        }
    }

    fn unit(&self, n: DVec2) -> DVec2 {
        if self.has(Bug::NormalNotUnit) { n } else { n / n.length() }
    }

    /// 2 (1 + COR)/2, or what the student makes of it.
    fn strength(&self) -> f64 {
        let cor = self.scene.collision.restitution;
        match self.bug {
            Some(Bug::RestitutionFactorMissing) => 2.0,
            Some(Bug::RestitutionAsFactor) => 2.0 * cor,
            Some(Bug::ListedNotAnswered) => 0.0,
            Some(Bug::RestitutionSign) => 1.0 - cor,
            Some(Bug::RestitutionValue) => 1.0 + 0.45,
            Some(Bug::ImpulseSign) => -(1.0 + cor),
            Some(Bug::ImpulseTwice) => 2.0 * (1.0 + cor),
            _ => 1.0 + cor,
        }
    }

    fn mass(&self, k: usize) -> f64 {
        let particle = &self.scene.particles[k];
        let counts = self.has(Bug::FixedMassUsed) || self.has(Bug::FixedPushed);
        let mass = if self.has(Bug::ImpulsesWithoutMass) { 1.0 } else { self.weight(particle.mass) };
        if particle.fixed && !counts { f64::INFINITY } else { mass }
    }

    /// The impulse is right, and divided by the mass of whoever gets it.
    fn push_all(&mut self, w: DVec2, on: &[(usize, f64)]) {
        let yielding: f64 = on.iter().map(|(k, share)| share * share / self.mass(*k)).sum();
        if yielding > 0.0 {
            for (k, share) in on {
                self.v[*k] += share * w / yielding / self.scene.particles[*k].mass;
            }
        }
    }

    fn push(&mut self, k: usize, change: DVec2) {
        if !self.scene.particles[k].fixed || self.has(Bug::FixedPushed) {
            self.v[k] += change;
        }
    }

    fn note(&mut self, kind: ContactKind, first: usize, second: usize, n: DVec2) {
        let normal = [n.x, n.y, 0.0];
        let (first, second, point) = (first as u32, second as u32, [f64::NAN; 3]);
        self.found.push(Contact {
            kind,
            first,
            second,
            point,
            normal,
            gap: 0.0,
            time: 0.0,
            impulse: 0.0,
            friction: [0.0; 3],
        });
    }
}
