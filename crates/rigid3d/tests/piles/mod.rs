//! The piles: loose cubes of boxes above a floor.

use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{
    BodyState, ContactSettings, DVec3, Integrator, Model, Motion, Orientation, OrientationKind, Placed,
    Response, SpatialSettings, State, World,
};

/// Gravity, and how far boxes of side 1 are from each other: 0.2 between neighbours and layers, 0.3
/// above the floor.
const GRAVITY: f64 = 9.81;
const PITCH: f64 = 1.2;
const LOWEST: f64 = 0.8;

/// What to drop.
pub(crate) struct Pile {
    pub(crate) boxes: usize,
    /// Whether every other layer is moved by half a box, so that each box comes to lie on four;
    /// otherwise boxes land as towers.
    pub(crate) in_bond: bool,
    pub(crate) friction: f64,
    /// The speed by which contacts may be wrong; as exact as can be when absent.
    pub(crate) tolerance: Option<f64>,
}

/// Steps of each part of a pile's life.
pub(crate) struct Parts {
    pub(crate) fall: usize,
    pub(crate) landing: usize,
    pub(crate) after: usize,
}

/// Boxes are turned: the first corner touches a little before its layer would.
const EARLY: f64 = 0.05;
/// Steps that a layer takes to lie down after its first touch, and steps that are measured after
/// that.
const LIES_DOWN: usize = 6;
const AFTER: usize = 40;

impl Parts {
    /// Layers fall freely until they land: layer k after the time in which a body falls by 0.3 +
    /// 0.2 k.
    pub(crate) fn of(pile: &Pile, dt: f64) -> Self {
        let steps = |drop: f64| ((2.0 * drop / GRAVITY).sqrt() / dt) as usize;
        let top = pile.places().last().map_or(0, |place| place.level);
        let fall = steps(LOWEST - 0.5 - EARLY);
        let last = steps(LOWEST - 0.5 + (PITCH - 1.0) * top as f64) + LIES_DOWN;
        Self { fall, landing: last - fall, after: AFTER }
    }
}

/// Where a box starts, in the numbering of the cube.
struct Place {
    center: DVec3,
    level: usize,
}

impl Pile {
    /// The first places of a cube that holds all boxes, layer by layer.
    fn places(&self) -> Vec<Place> {
        let side = (1..).find(|side: &usize| side.pow(3) >= self.boxes).unwrap_or(1);
        let layers = (0..).flat_map(|level: usize| {
            let moved = self.in_bond && level % 2 == 1;
            let (across, shift) = if moved { (side.max(2) - 1, 0.5 * PITCH) } else { (side, 0.0) };
            (0..across * across).map(move |k| Place {
                center: DVec3::new(
                    shift + PITCH * (k % across) as f64,
                    shift + PITCH * (k / across) as f64,
                    LOWEST + PITCH * level as f64,
                ),
                level,
            })
        });
        layers.take(self.boxes).collect()
    }

    /// The world in which the pile falls.
    pub(crate) fn world(&self) -> World {
        let (mut model, mut state) = (Model::default(), State::default());
        model.forces.gravities.push(DVec3::new(0.0, 0.0, -GRAVITY));
        let floor = Placed::half_space(DVec3::ZERO, DVec3::Z, Motion::Fixed);
        model.bodies.push(floor.body);
        state.bodies.push(BodyState::at(floor.center));
        for (k, place) in self.places().iter().enumerate() {
            let wobble =
                DVec3::new((k * 7 % 11) as f64, (k * 5 % 13) as f64, (k * 3 % 17) as f64) / 17.0 - 0.4;
            let placed = Placed::cuboid(place.center + 0.05 * wobble, DVec3::splat(0.5), 1.0, Motion::Free)
                .expect("a box with sides is a polyhedron");
            let orientation = Orientation::Quaternion(exponential(0.1 * wobble));
            model.bodies.push(placed.body);
            state.bodies.push(BodyState { orientation, ..BodyState::at(placed.center) });
        }
        let (friction, tolerance) = (self.friction, self.tolerance);
        let contact =
            ContactSettings { friction, tolerance, ..ContactSettings::new(Response::VelocityProjection) };
        let settings = SpatialSettings {
            dt: 0.01,
            integrator: Integrator::SymplecticEuler,
            orientation: OrientationKind::Quaternion,
            contact: Some(contact),
        };
        World::new(model, state, settings).expect("the pile is sound")
    }
}
