//! What single bodies are like where they touch, and which bodies touch at all.

use crate::mechanics::{Material, Pair};
use crate::settings::ContactSettings;

/// What one body is like where it touches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Surface {
    /// Coefficient of restitution, 0 to 1; that of the settings when absent.
    pub restitution: Option<f64>,
    /// Coulomb's coefficient of friction, at least 0; that of the settings when absent.
    pub friction: Option<f64>,
    /// The group that it is in, below 32.
    pub group: u32,
    /// The groups that it passes through, one bit each.
    pub ignored: u32,
}

/// The surfaces of all bodies. Shapes beyond the list have what the settings say, and are in group
/// 0.
///
/// Two bodies combine by the rules that most engines have: the greater restitution, the geometric
/// mean of the coefficients of friction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surfaces {
    list: Vec<Surface>,
    restitution: f64,
    friction: f64,
}

impl Surfaces {
    /// Surfaces of bodies in their order. The settings become the greatest numbers that any pair
    /// can have, so that the step looks for bounce and friction wherever there is some; what a pair
    /// has is in its rows. Numbers out of range count as absent.
    pub fn new(mut list: Vec<Surface>, settings: Option<&mut ContactSettings>) -> Self {
        let mut base = ContactSettings { restitution: 0.0, ..ContactSettings::new(crate::Response::Lcp) };
        let settings = settings.unwrap_or(&mut base);
        let (restitution, friction) = (settings.restitution, settings.friction);
        for surface in &mut list {
            surface.restitution = surface.restitution.filter(|e| (0.0..=1.0).contains(e));
            surface.friction = surface.friction.filter(|mu| mu.is_finite() && *mu >= 0.0);
            settings.restitution = settings.restitution.max(surface.restitution.unwrap_or(0.0));
            settings.friction = settings.friction.max(surface.friction.unwrap_or(0.0));
        }
        let is_elastic = |surface: &Surface| surface.restitution.unwrap_or(restitution) == 1.0;
        let elastic = restitution == 1.0 && list.iter().all(is_elastic);
        if !elastic && !list.is_empty() {
            // Where some pair loses energy its impacts need not come to an end: the step must not
            // count on it.
            settings.restitution = settings.restitution.min(1.0 - f64::EPSILON);
        }
        Self { list, restitution, friction }
    }

    /// Whether every body is as the settings say.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn of(&self, shape: u32) -> Surface {
        self.list.get(shape as usize).copied().unwrap_or_default()
    }

    /// Whether two shapes touch at all: neither ignores the group of the other.
    pub fn meet(&self, [a, b]: Pair) -> bool {
        if self.list.is_empty() {
            return true;
        }
        let (a, b) = (self.of(a), self.of(b));
        let ignores =
            |one: Surface, other: Surface| one.ignored.checked_shr(other.group).unwrap_or(0) & 1 == 1;
        !ignores(a, b) && !ignores(b, a)
    }

    /// What a pair has where the settings gave this. Bounce and friction that the step left out
    /// stay out.
    pub fn material(&self, [a, b]: Pair, mut material: Material) -> Material {
        if self.list.is_empty() {
            return material;
        }
        let (a, b) = (self.of(a), self.of(b));
        if material.restitution > 0.0 {
            let own = |surface: Surface| surface.restitution.unwrap_or(self.restitution);
            material.restitution = own(a).max(own(b));
        }
        if material.friction > 0.0 {
            let own = |surface: Surface| surface.friction.unwrap_or(self.friction);
            let (a, b) = (own(a), own(b));
            // The root of a square would round.
            material.friction = if a == b { a } else { a.sqrt() * b.sqrt() };
        }
        material
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Response;

    const BOTH: Material = Material { restitution: 1.0, friction: 1.0, bias: 0.0 };

    fn surfaces() -> (Surfaces, ContactSettings) {
        let mut settings =
            ContactSettings { friction: 0.25, ..ContactSettings::with_restitution(Response::Lcp, 0.5) };
        let list = vec![
            Surface::default(),
            Surface { restitution: Some(0.75), friction: Some(1.0), group: 2, ignored: 1 << 2 },
            Surface { restitution: Some(0.0), friction: Some(0.0), group: 2, ..Surface::default() },
            Surface { restitution: Some(f64::NAN), friction: Some(-1.0), group: 40, ignored: 0 },
        ];
        (Surfaces::new(list, Some(&mut settings)), settings)
    }

    #[test]
    fn pairs_combine_by_the_greater_bounce_and_the_mean_friction() {
        let (surfaces, settings) = surfaces();
        let of = |pair| {
            let Material { restitution, friction, .. } = surfaces.material(pair, BOTH);
            (restitution, friction)
        };
        assert_eq!(of([0, 1]), (0.75, 0.5));
        assert_eq!(of([0, 2]), (0.5, 0.0));
        assert_eq!(of([1, 2]), (0.75, 0.0));
        assert_eq!(of([0, 3]), (0.5, 0.25), "numbers out of range are not there");
        assert_eq!(of([0, 99]), (0.5, 0.25), "shapes beyond the list are as the settings say");
        assert_eq!((settings.restitution, settings.friction), (0.75, 1.0), "the greatest of all");
        let none = surfaces.material([1, 2], Material::default());
        assert_eq!((none.restitution, none.friction), (0.0, 0.0), "what is left out stays out");
    }

    #[test]
    fn only_what_is_elastic_everywhere_is_elastic() {
        let greatest = |base: f64, own: Option<f64>| {
            let mut settings = ContactSettings::with_restitution(Response::Lcp, base);
            let list = vec![Surface { restitution: own, ..Surface::default() }, Surface::default()];
            Surfaces::new(list, Some(&mut settings));
            settings.restitution
        };
        assert_eq!(greatest(1.0, None), 1.0);
        assert_eq!(greatest(1.0, Some(1.0)), 1.0);
        assert!(greatest(0.0, Some(1.0)) < 1.0 && greatest(1.0, Some(0.5)) < 1.0);
        assert!(greatest(0.0, Some(1.0)) > 0.99);
    }

    #[test]
    fn a_body_passes_through_the_groups_that_it_ignores() {
        let (surfaces, _) = surfaces();
        assert!(!surfaces.meet([1, 2]) && !surfaces.meet([2, 1]));
        assert!(surfaces.meet([0, 1]) && surfaces.meet([0, 2]) && surfaces.meet([1, 99]));
        assert!(surfaces.meet([1, 3]), "a group that is not there is ignored by none");
        assert!(Surfaces::default().meet([0, 1]));
    }
}
