//! A student's program of Theme 3 Milestone 2, written from the hand-out and with the errors that
//! students make. It shares nothing with Carom but the sine.

use super::Bug;
use carom_rigid2d::rotation::Rotation;
use carom_scene::description::rigid::{PlanarMethod, Response, RigidScene};
use carom_trajectory::Frame;
use carom_trajectory::course::{CourseLayout, CourseRecords, CourseWriter};
use glam::DVec2;
use std::path::Path;

pub(crate) struct Student<'a> {
    scene: &'a RigidScene,
    bug: Option<Bug>,
    bodies: Vec<Body>,
}

struct Body {
    m: f64,
    i: f64,
    corners: Vec<DVec2>,
    radius: f64,
    fixed: bool,
    x: DVec2,
    theta: f64,
    v: DVec2,
    omega: f64,
}

impl Body {
    fn world(&self, k: usize) -> DVec2 {
        self.x + self.turned(self.corners[k % self.corners.len()])
    }

    fn turned(&self, r: DVec2) -> DVec2 {
        Rotation::by(self.theta).apply(r)
    }

    fn turned_back(&self, r: DVec2) -> DVec2 {
        Rotation::by(-self.theta).apply(r)
    }
}

struct Touch {
    i: usize,
    j: usize,
    n: DVec2,
    ri: DVec2,
    rj: DVec2,
}

impl<'a> Student<'a> {
    pub(crate) fn file(scene: &'a RigidScene, steps: usize, bug: Option<Bug>) -> (Vec<u8>, CourseLayout) {
        let bodies = scene.bodies.iter().map(|body| {
            let points: Vec<_> = body.outline().iter().map(|&k| scene.vertices[k]).collect();
            let m: f64 = points.iter().map(|p| p.mass).sum();
            let x = points.iter().map(|p| p.mass * DVec2::from(p.position)).sum::<DVec2>() / m;
            let corners: Vec<DVec2> = points.iter().map(|p| DVec2::from(p.position) - x).collect();
            let i = points.iter().zip(&corners).map(|(p, r)| p.mass * r.length_squared()).sum();
            let (v, omega) = (body.velocity.into(), body.angular_velocity);
            Body { m, i, corners, radius: body.radius, fixed: body.fixed, x, theta: 0.0, v, omega }
        });
        let mut student = Student { scene, bug, bodies: bodies.collect() };
        let layout =
            CourseLayout::new(CourseRecords::RigidBodies, scene.bodies.len() as u64, scene.integrator.dt);
        let masses: Vec<f64> = student.bodies.iter().map(|b| b.m).collect();
        let inertias: Vec<f64> = student.bodies.iter().map(|b| b.i).collect();
        let mut bytes = Vec::new();
        let path = Path::new("mine.bin");
        let mut writer = CourseWriter::new(&mut bytes, path, layout, &masses, &inertias).unwrap();
        for step in 0..=steps {
            if step > 0 && !(student.has(Bug::FrameRepeated) && step == 5) {
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
        let mut frame = Frame::default();
        for b in &self.bodies {
            frame.positions.extend([b.x.x, b.x.y, b.theta]);
            frame.velocities.extend([b.v.x, b.v.y, b.omega]);
            for g in &self.scene.gravities {
                frame.quantities.potential -= b.m * DVec2::from(*g).dot(b.x);
            }
        }
        frame
    }

    fn step(&mut self) {
        let dt = self.scene.integrator.dt * if self.has(Bug::WrongTimeStep) { 2.0 } else { 1.0 };
        let explicit = match self.scene.integrator.method {
            PlanarMethod::ExplicitEuler => !self.has(Bug::OtherIntegrator),
            _ => self.has(Bug::OtherIntegrator),
        };
        let times = if self.has(Bug::ForceFactor) { 0.5 } else { 1.0 };
        let g: DVec2 = times * self.scene.gravities.iter().map(|g| DVec2::from(*g)).sum::<DVec2>();
        if self.has(Bug::ForcesAfter) {
            self.collide();
        }
        for b in self.bodies.iter_mut().filter(|b| !b.fixed) {
            if explicit {
                b.x += dt * b.v;
                b.v += dt * g;
            } else {
                b.v += dt * g;
                b.x += dt * b.v;
            }
            b.theta += dt * b.omega;
        }
        if !self.has(Bug::ForcesAfter) && !self.has(Bug::NoResponse) {
            self.collide();
        }
    }

    fn detect(&self) -> Vec<Touch> {
        let mut all: Vec<Touch> = Vec::new();
        for i in 0..self.bodies.len() {
            for j in i + 1..self.bodies.len() {
                let both = if self.has(Bug::OneWayDetection) { vec![(j, i)] } else { vec![(i, j), (j, i)] };
                for (p, e) in both {
                    for k in 0..self.bodies[p].corners.len() {
                        for l in 0..self.bodies[e].corners.len() {
                            let Some(touch) = self.touch(p, k, e, l) else { continue };
                            let same = |t: &Touch| {
                                t.i == touch.i
                                    && t.j == touch.j
                                    && (t.n - touch.n).length() < 1e-9
                                    && (t.ri - touch.ri).length() < 1e-9
                            };
                            if !all.iter().any(same) {
                                all.push(touch);
                            }
                        }
                    }
                }
            }
        }
        all
    }

    fn touch(&self, p: usize, k: usize, e: usize, l: usize) -> Option<Touch> {
        let (a, b) = (&self.bodies[p], &self.bodies[e]);
        let (x, x0, x1) = (a.world(k), b.world(l), b.world(l + 1));
        let alpha = ((x - x0).dot(x1 - x0) / (x1 - x0).length_squared()).clamp(0.0, 1.0);
        let c = x0 + alpha * (x1 - x0);
        let d = c - x;
        let reach = match self.bug {
            Some(Bug::RadiusLeftOut) => 0.5 * (a.radius + b.radius),
            Some(Bug::VertexRadiusOnly) => a.radius,
            _ => a.radius + b.radius,
        };
        let reach = reach * if self.has(Bug::RadiusFactor) { 2.0 } else { 1.0 };
        if d.length() >= reach {
            return None;
        }
        let mut n = d / d.length();
        let thick = if self.has(Bug::RadiusFactor) { 2.0 } else { 1.0 };
        let (mut ra, mut rb) = (x + thick * a.radius * n - a.x, c - thick * b.radius * n - b.x);
        if self.has(Bug::BodyAxes) {
            (ra, rb) = (a.turned_back(ra), b.turned_back(rb));
        }
        let (i, j, ri, rj) = if p < e { (p, e, ra, rb) } else { (e, p, rb, ra) };
        if p > e {
            n = -n;
        }
        Some(Touch { i, j, n: if self.has(Bug::NormalSign) { -n } else { n }, ri, rj })
    }

    /// Column of N: six numbers, of i and of j.
    fn column(&self, t: &Touch) -> [(usize, [f64; 3]); 2] {
        let cross =
            |r: DVec2, n: DVec2| if self.has(Bug::TorqueLeftOut) { 0.0 } else { r.x * n.y - r.y * n.x };
        [(t.i, [-t.n.x, -t.n.y, -cross(t.ri, t.n)]), (t.j, [t.n.x, t.n.y, cross(t.rj, t.n)])]
    }

    fn inverse(&self, body: usize) -> [f64; 3] {
        let b = &self.bodies[body];
        let i = if self.has(Bug::WrongInertia) { b.m } else { b.i };
        if b.fixed && !self.has(Bug::FixedMassUsed) { [0.0; 3] } else { [1.0 / b.m, 1.0 / b.m, 1.0 / i] }
    }

    fn collide(&mut self) {
        let elastic = match self.scene.contact.unwrap().response {
            Response::ReflectionLcp | Response::ReflectionVelocityProjection => {
                !self.has(Bug::WrongElasticity)
            }
            _ => self.has(Bug::WrongElasticity),
        };
        let touches = self.detect();
        let columns: Vec<_> = touches.iter().map(|t| self.column(t)).collect();
        if !elastic {
            self.solve(&columns, 1.0);
            return;
        }
        if self.has(Bug::OneSweep) {
            self.solve(&columns, 2.0);
            return;
        }
        for _ in 0..1000 {
            let approaching: Vec<_> =
                columns.iter().copied().filter(|c| self.gap_speed(c) < -1e-13).collect();
            if approaching.is_empty() {
                return;
            }
            self.solve(&approaching, 2.0);
        }
    }

    fn gap_speed(&self, column: &[(usize, [f64; 3]); 2]) -> f64 {
        let speed = |(body, eta): &(usize, [f64; 3])| {
            let b = &self.bodies[*body];
            eta[0] * b.v.x + eta[1] * b.v.y + eta[2] * b.omega
        };
        column.iter().map(speed).sum()
    }

    /// 0 ≤ λ ⊥ A λ + times b ≥ 0 by sweeps until nothing moves.
    fn solve(&mut self, columns: &[[(usize, [f64; 3]); 2]], times: f64) {
        let a = |c: &[(usize, [f64; 3]); 2], d: &[(usize, [f64; 3]); 2]| {
            let mut sum = 0.0;
            for (body, eta) in c {
                for (other, theta) in d.iter().filter(|(other, _)| other == body) {
                    let w = self.inverse(*other);
                    sum += (0..3).map(|k| eta[k] * w[k] * theta[k]).sum::<f64>();
                }
            }
            sum
        };
        let table: Vec<Vec<f64>> =
            columns.iter().map(|c| columns.iter().map(|d| a(c, d)).collect()).collect();
        let b: Vec<f64> = columns.iter().map(|c| times * self.gap_speed(c)).collect();
        let mut lambda = vec![0.0; columns.len()];
        for _ in 0..20_000 {
            let mut moved = 0.0f64;
            for k in 0..columns.len() {
                let w: f64 = b[k] + (0..columns.len()).map(|j| table[k][j] * lambda[j]).sum::<f64>();
                if table[k][k] <= 0.0 {
                    continue;
                }
                let mut next: f64 = lambda[k] - w / table[k][k];
                if !self.has(Bug::ImpulsesMayPull) {
                    next = next.max(0.0);
                }
                moved = moved.max((next - lambda[k]).abs());
                lambda[k] = next;
            }
            if moved < 1e-15 {
                break;
            }
        }
        let factor = match self.bug {
            Some(Bug::ImpulseSign) => -1.0,
            Some(Bug::ImpulseTwice) => 2.0,
            _ => 1.0,
        };
        for (column, lambda) in columns.iter().zip(lambda) {
            for (place, (body, eta)) in column.iter().enumerate() {
                let one_sided = self.has(Bug::OneSided) && place == 1;
                if self.bodies[*body].fixed || one_sided {
                    continue;
                }
                let w = self.inverse(*body);
                let body = &mut self.bodies[*body];
                body.v += factor * lambda * DVec2::new(eta[0] * w[0], eta[1] * w[1]);
                body.omega += factor * lambda * eta[2] * w[2];
            }
        }
    }
}
