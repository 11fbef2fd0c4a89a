//! A semicircular arch of stones without mortar, under its own weight, as one contact problem.

use carom_contact::coulomb::{Cone, Problem, Settings, Solver, SolverStatus, Triplet};
use carom_numerics::elementary::{cos, sin};
use std::f64::consts::PI;

/// Speeds below this part of what gravity adds are rounding.
const STILL: f64 = 1e-8;

/// An arch of mean radius 1; each joint has a contact at its inner and its outer edge.
#[derive(Clone, Copy)]
pub(crate) struct Arch {
    pub(crate) stones: usize,
    /// Thickness over radius.
    pub(crate) thickness: f64,
    pub(crate) mu: f64,
}

/// How the arch starts to move under gravity 1 in a step of 1.
pub(crate) struct Motion {
    pub(crate) status: SolverStatus,
    /// Largest speed of a contact.
    pub(crate) speed: f64,
    /// Whether contacts that push slide.
    pub(crate) slides: bool,
    /// Whether joints open at one of their edges.
    pub(crate) hinges: bool,
}

impl Arch {
    pub(crate) fn motion(&self) -> Motion {
        let problem = self.problem();
        let mut solver = Solver::new(Settings::default());
        let mut r = vec![0.0; problem.rows()];
        let status = solver.solve(&problem, &mut r).status;
        let u = solver.velocity();
        let speed = u.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        let contacts = || r.chunks_exact(2).zip(u.chunks_exact(2));
        Motion {
            status,
            speed,
            slides: contacts().any(|(r, u)| r[0] > STILL && u[1].abs() > STILL),
            hinges: contacts().any(|(_, u)| u[0] > STILL),
        }
    }

    fn problem(&self) -> Problem {
        let &Arch { stones, thickness, mu } = self;
        let (inner, outer) = (1.0 - thickness / 2.0, 1.0 + thickness / 2.0);
        let wedge = PI / stones as f64;
        // Per unit of depth and density: area and centroid of a ring sector, and its inertia.
        let area = 0.5 * (outer * outer - inner * inner) * wedge;
        let centroid = (2.0 / 3.0) * (outer.powi(3) - inner.powi(3)) / (outer * outer - inner * inner)
            * sin(wedge / 2.0)
            / (wedge / 2.0);
        let polar = 0.25 * (outer.powi(4) - inner.powi(4)) * wedge;
        let inertia = polar - area * centroid * centroid;
        let (mut mass, mut momentum): (Vec<Triplet>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut centers = Vec::new();
        for i in 0..stones {
            let angle = (i as f64 + 0.5) * wedge;
            centers.push([centroid * cos(angle), centroid * sin(angle)]);
            for (k, m) in [area, area, inertia].into_iter().enumerate() {
                mass.push((3 * i + k, 3 * i + k, m));
            }
            momentum.extend([0.0, -area, 0.0]);
        }
        let mut jacobian: Vec<Triplet> = Vec::new();
        let mut contacts = 0;
        for joint in 0..=stones {
            let angle = joint as f64 * wedge;
            for radius in [inner, outer] {
                let point = [radius * cos(angle), radius * sin(angle)];
                // The stone after the joint opens along +θ; the one before is the other side.
                let normal = [-sin(angle), cos(angle)];
                let tangent = [cos(angle), sin(angle)];
                for (stone, sign) in [(joint.checked_sub(1), -1.0), ((joint < stones).then_some(joint), 1.0)]
                {
                    let Some(stone) = stone else { continue };
                    let arm = [point[0] - centers[stone][0], point[1] - centers[stone][1]];
                    for (row, axis) in [normal, tangent].into_iter().enumerate() {
                        let turn = arm[0] * axis[1] - arm[1] * axis[0];
                        for (k, h) in [axis[0], axis[1], turn].into_iter().enumerate() {
                            jacobian.push((3 * stone + k, 2 * contacts + row, sign * h));
                        }
                    }
                }
                contacts += 1;
            }
        }
        let cones = vec![Cone::SecondOrder { dim: 2, mu }; contacts];
        Problem::from_mass(cones, &mass, &jacobian, &momentum, &vec![0.0; 2 * contacts])
            .expect("the stones have weight")
    }
}
