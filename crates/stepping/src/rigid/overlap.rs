//! How deep bodies overlap where they are, apart from any step.

/// A detector of its own and room for what it sees, so that the search changes no world.
#[derive(Debug, Clone)]
pub struct OverlapSearch<D, C> {
    detector: D,
    seen: Vec<C>,
}

impl<D, C> OverlapSearch<D, C> {
    /// More pairs than this are not checked: a step refuses them as well.
    pub const MOST_PAIRS: usize = 4_000_000;

    /// With a detector that knows the bodies.
    pub fn new(detector: D) -> Self {
        Self { detector, seen: Vec::new() }
    }

    /// How deep the deepest overlap is; 0 when none overlap. `detect` writes all contacts and says
    /// whether it gave up, which gives NaN.
    pub fn deepest(
        &mut self,
        detect: impl FnOnce(&mut D, &mut Vec<C>) -> bool,
        gap: impl Fn(&C) -> f64,
    ) -> f64 {
        if detect(&mut self.detector, &mut self.seen) {
            return f64::NAN;
        }
        self.seen.iter().map(|contact| -gap(contact)).fold(0.0, f64::max)
    }
}

/// The public finder of a family, from its function `detect`, which writes the contacts of a world
/// and returns whether it gave up.
#[macro_export]
macro_rules! overlap_finder {
    ($contact:ty) => {
        type Search = $crate::rigid::OverlapSearch<Detector, $contact>;

        /// Finds the deepest overlap of a world without changing the world. Keeps its memory from
        /// call to call.
        #[derive(Debug, Clone)]
        pub struct OverlapFinder(Search);

        impl OverlapFinder {
            /// For worlds of the same bodies as this one.
            pub fn new(world: &World) -> Self {
                let mut detector = Detector::new(world.model()).limited(Search::MOST_PAIRS);
                detector.surfaces.clone_from(world.surfaces());
                Self(Search::new(detector))
            }

            /// How deep the deepest overlap of two bodies is; 0 when none overlap, or when they
            /// pass through each other; NaN where too many pairs are near to be checked.
            pub fn deepest(&mut self, world: &World) -> f64 {
                self.0.deepest(|detector, seen| detect(world, detector, seen), |contact| contact.gap)
            }
        }
    };
}
