//! The rules, as constants and as functions of plain numbers: what wins, what crashes, what it is
//! worth.

use crate::event::{Crash, Phase};
use crate::level::Level;

/// Ticks of a second of play; a tick is one step of the scene.
pub const TICKS_A_SECOND: u32 = 60;
/// Half of the width of the screen.
pub const HALF_WIDTH: f64 = 16.0;
/// Half of the height of the screen.
pub const HALF_HEIGHT: f64 = 10.0;
/// How far from the middle, to either side, ship and Earth are at the start.
pub const START_X: f64 = 11.5;

/// Restitution of every bounce: that of the exercise.
pub const RESTITUTION: f64 = 0.9;

/// Radius of Earth.
pub const EARTH_RADIUS: f64 = 1.5;
/// The ship has arrived when its centre is at most this far from Earth's, and slow, and does not
/// spin.
pub const DOCK_DISTANCE: f64 = 3.0;
/// Fastest arrival, units a second.
pub const DOCK_SPEED: f64 = 0.8;
/// Greatest spin of an arrival, radians a second.
pub const DOCK_SPIN: f64 = 0.3;

/// Greatest change of the ship's speed that its hull survives at an asteroid.
pub const HULL_LIMIT: f64 = 3.5;
/// Greatest change of the ship's speed that it survives at Earth: a touch at one unit a second,
/// with the bounce.
pub const LANDING_LIMIT: f64 = 1.0 + RESTITUTION;

/// Outline of the ship about its centre of mass, nose first, pointing right.
pub const SHIP_OUTLINE: [[f64; 2]; 3] = [[0.8, 0.0], [-0.4, 0.45], [-0.4, -0.45]];
/// Half of the thickness of the ship's outline.
pub const SHIP_RIM: f64 = 0.05;
/// Mass of the ship for each unit of area; asteroids have 1.
pub const SHIP_DENSITY: f64 = 3.0;
/// Acceleration of the main engine.
pub const FORWARD_ACCELERATION: f64 = 2.4;
/// Acceleration of the braking engine.
pub const BACKWARD_ACCELERATION: f64 = 1.8;
/// Angular acceleration of the turning engines.
pub const TURN_ACCELERATION: f64 = 2.4;
/// Fuel of a tick of the main engine.
pub const FORWARD_COST: u32 = 3;
/// Fuel of a tick of the braking engine.
pub const BACKWARD_COST: u32 = 2;
/// Fuel of a tick of a turning engine.
pub const TURN_COST: u32 = 1;

/// Air lasts for ten minutes: no flight, and so no recording, is longer.
pub const MOST_TICKS: u32 = 600 * TICKS_A_SECOND;

/// Points for reaching Earth, times the number of the level.
pub const ARRIVAL_POINTS: u32 = 1000;
/// Ticks below the good time for one point.
pub const TICKS_A_POINT: u32 = 6;
/// Points for a full tank at the end; a part of the tank gives its part, rounded down.
pub const TANK_POINTS: u32 = 500;
/// Points that every start beyond the first costs.
pub const RESTART_POINTS: u32 = 200;

/// What the end of a tick looks like, as far as the rules care.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Situation {
    /// From Earth's centre to the ship's.
    pub earth_distance: f64,
    /// Speed of the ship.
    pub speed: f64,
    /// Angular velocity of the ship, either sign.
    pub spin: f64,
    /// Change of the ship's speed by Earth in this tick.
    pub earth_hit: f64,
    /// Greatest change of the ship's speed by one asteroid in this tick.
    pub asteroid_hit: f64,
    /// Ticks flown, this one included.
    pub ticks: u32,
}

/// Where a flight stands after a tick. Limits belong to the good side: at the limit a ship docks,
/// and survives. A ship that breaks does not dock; a ship that docks with its last air has won.
pub fn judge(at: &Situation) -> Phase {
    if at.earth_hit > LANDING_LIMIT {
        Phase::Crashed(Crash::Earth)
    } else if at.asteroid_hit > HULL_LIMIT {
        Phase::Crashed(Crash::Asteroid)
    } else if at.earth_distance <= DOCK_DISTANCE && at.speed <= DOCK_SPEED && at.spin.abs() <= DOCK_SPIN {
        Phase::Won
    } else if at.ticks >= MOST_TICKS {
        Phase::Crashed(Crash::OutOfTime)
    } else {
        Phase::Flying
    }
}

/// Whether a ship's centre is off the screen; the border belongs to the screen.
pub fn left_screen([x, y]: [f64; 2]) -> bool {
    x.abs() > HALF_WIDTH || y.abs() > HALF_HEIGHT
}

/// Where an asteroid goes on: once all of it is off one side of the screen, it enters from the
/// other. `None` while it stays.
pub fn wrapped([x, y]: [f64; 2], extent: f64) -> Option<[f64; 2]> {
    let (beyond_x, beyond_y) = (HALF_WIDTH + extent, HALF_HEIGHT + extent);
    let over = |value: f64, beyond: f64| {
        if value > beyond {
            value - 2.0 * beyond
        } else if value < -beyond {
            value + 2.0 * beyond
        } else {
            value
        }
    };
    let place = [over(x, beyond_x), over(y, beyond_y)];
    (place != [x, y]).then_some(place)
}

/// Points of an arrival: for the level, for time below par, for fuel left, less for every start
/// beyond the first. Whole numbers throughout; never below 0.
pub fn score(number: u32, level: &Level, ticks: u32, fuel: u32, restarts: u32) -> u32 {
    let time = level.par.saturating_sub(ticks) / TICKS_A_POINT;
    let tank = u64::from(TANK_POINTS) * u64::from(fuel.min(level.tank)) / u64::from(level.tank.max(1));
    let tank = u32::try_from(tank).unwrap_or(TANK_POINTS);
    let gained = number.saturating_mul(ARRIVAL_POINTS).saturating_add(time).saturating_add(tank);
    gained.saturating_sub(restarts.saturating_mul(RESTART_POINTS))
}
