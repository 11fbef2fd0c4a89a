//! The parts of a family that are word for word the same in 2D and in 3D: types differ,
//! text does not.

/// The part of [`crate::Mechanics`] that planar and spatial bodies answer alike.
#[macro_export]
macro_rules! rigid_mechanics {
    () => {
        fn body_count(&self) -> usize {
            self.model.bodies.len()
        }

        fn is_free(&self, body: usize) -> bool {
            self.model.bodies[body].motion.is_free()
        }

        fn bounding_radius(&self, body: usize) -> f64 {
            self.detector.extent(body)
        }

        fn carriers(&self, shape: u32) -> [u32; 2] {
            [shape; 2]
        }

        fn extent(&self, [a, b]: $crate::Pair) -> f64 {
            self.detector.extent(a as usize).min(self.detector.extent(b as usize))
        }

        fn tolerance(&self, pair: $crate::Pair) -> f64 {
            self.contact_tolerance() * self.extent(pair)
        }

        fn touch(&self, contact: &Self::Contact) -> $crate::ContactGap {
            let [a, b] = contact.features.map(|feature| feature.code());
            let key = ContactKey([contact.first.0, contact.second.0, a, b]);
            $crate::ContactGap { gap: contact.gap, tolerance: contact.tolerance, extent: contact.extent, key }
        }

        fn open(contact: &mut Self::Contact, by: f64) {
            contact.gap += by;
        }

        fn potential(&self) -> f64 {
            Totals::of(&self.model, &self.state.bodies).potential
        }
    };
}

/// What a world of rigid bodies can be asked, in 2D and in 3D alike.
#[macro_export]
macro_rules! rigid_world {
    ($settings:ty) => {
        /// Gives single bodies surfaces of their own, in the order of the bodies: restitution,
        /// friction and the groups that they pass through. The settings of contact become the
        /// greatest of all.
        pub fn set_surfaces(&mut self, surfaces: Vec<$crate::Surface>) {
            let contact = self.bodies.settings.contact.as_mut();
            self.bodies.detector.surfaces = $crate::Surfaces::new(surfaces, contact);
        }

        pub(crate) fn surfaces(&self) -> &$crate::Surfaces {
            &self.bodies.detector.surfaces
        }

        /// What the world is made of.
        pub fn model(&self) -> &Model {
            &self.bodies.model
        }

        /// Where everything is.
        pub fn state(&self) -> &State {
            &self.bodies.state
        }

        /// How it is stepped.
        pub fn settings(&self) -> &$settings {
            &self.bodies.settings
        }

        /// Seconds since the start.
        pub fn time(&self) -> f64 {
            self.bodies.state.step as f64 * self.bodies.settings.dt
        }

        /// Energy and momentum of the free bodies.
        pub fn totals(&self) -> Totals {
            Totals::of(&self.bodies.model, &self.bodies.state.bodies)
        }

        /// The impulse cache of the contact solver, as plain numbers. A world with the same state
        /// and cache goes on to the same bits.
        pub fn memory(&self) -> Vec<f64> {
            self.stepper.workspace().memory()
        }

        /// The same into room that is there already.
        pub fn write_memory(&self, numbers: &mut Vec<f64>) {
            self.stepper.workspace().write_memory(numbers);
        }

        /// Puts back what [`World::memory`] gave, after [`World::set_state`].
        pub fn restore_memory(&mut self, memory: &[f64]) {
            self.stepper.workspace_mut().restore_memory(memory);
        }
    };
}
