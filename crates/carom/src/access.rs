//! What a program asks of a simulation while it runs: bodies by their handles, forces on them,
//! contacts.

use crate::handle::{Handle, Turning};
use crate::simulation::Simulation;
use carom_frames::Contact;

impl Simulation {
    /// The handle of the body with this number in the scene, or in a frame; `None` where there is
    /// none of that kind.
    ///
    /// ```
    /// use carom::{BodyHandle, Options, ParticleHandle, Simulation};
    ///
    /// let scene = carom::read_scene(r#"<scene><duration time="1"/><integrator type="rk4" dt="0.1"/>
    ///   <particle m="1" px="2" py="3" vx="1" vy="0" fixed="0"/></scene>"#)?;
    /// let simulation = Simulation::new(&scene, Options::default())?;
    /// let particle: ParticleHandle = simulation.handle(0).unwrap();
    /// assert_eq!(simulation.position(particle), Some([2.0, 3.0]));
    /// assert!(simulation.handle::<BodyHandle>(0).is_none(), "it is no rigid body");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle<H: Handle>(&self, index: usize) -> Option<H> {
        let name = self.names.name(index).filter(|_| self.family() == H::FAMILY)?;
        Some(H::of(name))
    }

    /// The number of a body in frames and contacts; `None` for one that is not there.
    pub fn index<H: Handle>(&self, handle: H) -> Option<usize> {
        self.names.index(handle.name()).filter(|_| self.family() == H::FAMILY)
    }

    /// Where a particle, or the centre of mass of a body, is.
    pub fn position<H: Handle>(&self, handle: H) -> Option<H::Vector> {
        self.index(handle).map(|index| H::vector(&self.world.coordinates(index)))
    }

    /// How fast it moves.
    pub fn velocity<H: Handle>(&self, handle: H) -> Option<H::Vector> {
        self.index(handle).map(|index| H::vector(&self.world.speeds(index)))
    }

    /// How it is turned.
    pub fn orientation<H: Turning>(&self, handle: H) -> Option<H::Orientation> {
        self.index(handle).map(|index| H::orientation(&self.world.coordinates(index)))
    }

    /// How fast it turns.
    pub fn angular_velocity<H: Turning>(&self, handle: H) -> Option<H::Spin> {
        self.index(handle).map(|index| H::spin(&self.world.speeds(index)))
    }

    /// Pushes it with a force during the next step. Several forces add up; fixed and kinematic
    /// bodies do not feel them. False where there is no such body.
    ///
    /// ```
    /// use carom::PlanarBuilder;
    ///
    /// let mut build = PlanarBuilder::new(0.25);
    /// let disc = build.rigidbodydisc([0.0, 0.0], 1.0, 2.0);
    /// let mut simulation = build.simulation()?;
    /// simulation.add_force(disc, [8.0, 0.0]);
    /// simulation.step()?;
    /// assert_eq!(simulation.velocity(disc), Some([1.0, 0.0]), "F Δt / m");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_force<H: Handle>(&mut self, handle: H, force: H::Vector) -> bool {
        let Some(index) = self.index(handle) else { return false };
        self.push(index, H::spatial(force), [0.0; 3])
    }

    /// Turns it with a torque during the next step, as [`Simulation::add_force`] pushes.
    pub fn add_torque<H: Turning>(&mut self, handle: H, torque: H::Spin) -> bool {
        let Some(index) = self.index(handle) else { return false };
        self.push(index, [0.0; 3], H::torque(torque))
    }

    /// What touched in the last step, with impulses. [`crate::ContactEvents`] tells what began and
    /// what ended.
    ///
    /// ```
    /// use carom::{SpatialBuilder, scene::description::spatial::Response};
    ///
    /// let mut build = SpatialBuilder::new(0.01);
    /// build.rigidbody3dhalfspace([0.0; 3], [0.0, 0.0, 1.0]);
    /// build.rigidbody3dsphere([0.0, 0.0, 0.5], 0.5, 2.0);
    /// build.rigidbody3dgravityforce([0.0, 0.0, -10.0]).rigidbody3dcollisionhandling(Response::Lcp, 0.0, 0.0);
    /// let mut simulation = build.simulation()?;
    /// simulation.step()?;
    /// // The floor holds the weight m g for the time of the step.
    /// assert!((simulation.contacts()[0].impulse - 2.0 * 10.0 * 0.01).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&self) -> &[Contact] {
        self.world.contacts()
    }
}
