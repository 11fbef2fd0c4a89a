//! Energies and momenta of planar bodies, as the course's files hold them: arithmetic on a frame,
//! no physics of its own.

/// What does not change during a run of rigid bodies.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyConstants {
    /// Mass of each body.
    pub masses: Vec<f64>,
    /// Centre of mass of each body at the start, x y for each.
    pub centres: Vec<f64>,
    /// Moment of inertia of each body about its centre of mass.
    pub inertias: Vec<f64>,
}

/// Energies and momenta of each body at one moment; fixed bodies count like the others.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyQuantities {
    /// Linear momentum P = M V, x y for each body.
    pub momenta: Vec<f64>,
    /// Angular momentum of the centre of mass about the origin, Lcm = M (X.x V.y − X.y V.x).
    pub orbital: Vec<f64>,
    /// Angular momentum about the centre of mass, Lspin = I ω.
    pub spin: Vec<f64>,
    /// Kinetic energy of the centre of mass, Tcm = ½ M |V|².
    pub translational: Vec<f64>,
    /// Kinetic energy of the rotation, Tspin = ½ I ω².
    pub rotational: Vec<f64>,
    /// Potential energy of the whole system.
    pub potential: f64,
}

impl BodyQuantities {
    /// Computes the quantities of a frame (`x y θ` and `vx vy ω` for each body) into memory that is
    /// there already.
    ///
    /// The order of operations is that of the course's program, so that files agree to the last
    /// bit. Bodies beyond the shortest of the lists are left out.
    pub fn derive(
        &mut self,
        positions: &[f64],
        velocities: &[f64],
        masses: &[f64],
        inertias: &[f64],
        potential: f64,
    ) {
        self.clear();
        self.potential = potential;
        let states = positions.chunks_exact(3).zip(velocities.chunks_exact(3));
        for ((x, v), (&mass, &inertia)) in states.zip(masses.iter().zip(inertias)) {
            self.momenta.extend([mass * v[0], mass * v[1]]);
            self.orbital.push(mass * (x[0] * v[1] - x[1] * v[0]));
            self.spin.push(inertia * v[2]);
            self.translational.push(0.5 * mass * (v[0] * v[0] + v[1] * v[1]));
            self.rotational.push(0.5 * inertia * v[2] * v[2]);
        }
    }

    /// Empties the lists and keeps their memory.
    pub fn clear(&mut self) {
        for list in self.lists() {
            list.clear();
        }
    }

    /// The five lists in the order of the file.
    pub fn lists(&mut self) -> [&mut Vec<f64>; 5] {
        [&mut self.momenta, &mut self.orbital, &mut self.spin, &mut self.translational, &mut self.rotational]
    }

    /// The five lists by name, in the order of the file, with the numbers that each body has in
    /// them.
    pub fn named(&self) -> [(&'static str, usize, &[f64]); 5] {
        [
            ("P", 2, &self.momenta),
            ("Lcm", 1, &self.orbital),
            ("Lspin", 1, &self.spin),
            ("Tcm", 1, &self.translational),
            ("Tspin", 1, &self.rotational),
        ]
    }
}
