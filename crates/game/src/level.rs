//! The levels.

use crate::rules::TICKS_A_SECOND;

/// What makes a field harder than another. Lengths in units of the field, which is 32 wide and 20
/// high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// A name for people.
    pub name: &'static str,
    /// Round asteroids.
    pub discs: u32,
    /// Asteroids with corners: their spin changes when they bounce.
    pub shards: u32,
    /// Smallest and largest radius.
    pub radius: [f64; 2],
    /// Slowest and fastest drift.
    pub speed: [f64; 2],
    /// Fastest spin, either way, in radians a second.
    pub spin: f64,
    /// How far up or down from the middle ship and Earth may be.
    pub offset: f64,
    /// Half of the height of a lane along the middle that holds no asteroid at the start.
    pub lane: f64,
    /// Fuel of a full tank.
    pub tank: u32,
    /// A good time in ticks: faster flights score for every tick.
    pub par: u32,
}

/// All levels; the first has number 1.
pub const LEVELS: [Level; 8] = [
    Level { discs: 4, lane: 4.0, radius: [0.5, 1.1], ..level("First light", 10, 25) },
    Level { discs: 8, offset: 2.0, lane: 1.5, ..level("Drift", 10, 25) },
    Level { discs: 18, radius: [0.25, 0.5], offset: 3.0, speed: [0.3, 1.2], ..level("Pebbles", 9, 25) },
    Level { discs: 3, shards: 8, offset: 4.0, ..level("Shards", 10, 28) },
    Level { discs: 14, offset: 4.0, speed: [0.8, 1.8], ..level("Traffic", 9, 28) },
    Level { discs: 5, shards: 3, radius: [1.2, 2.0], offset: 5.0, ..level("Boulders", 10, 30) },
    Level { discs: 14, shards: 6, offset: 5.0, speed: [1.0, 2.4], spin: 3.0, ..level("Storm", 9, 30) },
    Level {
        discs: 18,
        shards: 10,
        radius: [0.4, 1.2],
        offset: 6.0,
        speed: [1.0, 2.6],
        spin: 4.0,
        ..level("Needle's eye", 9, 35)
    },
];

impl Level {
    /// The level of a number, from 1.
    pub fn of(number: u32) -> Option<&'static Level> {
        LEVELS.get(number.checked_sub(1)? as usize)
    }
}

/// A calm field: full thrust for so many seconds, a good time of so many.
const fn level(name: &'static str, thrust_seconds: u32, par_seconds: u32) -> Level {
    Level {
        name,
        discs: 0,
        shards: 0,
        radius: [0.5, 1.2],
        speed: [0.2, 0.8],
        spin: 1.5,
        offset: 0.0,
        lane: 0.0,
        tank: thrust_seconds * TICKS_A_SECOND * crate::rules::FORWARD_COST,
        par: par_seconds * TICKS_A_SECOND,
    }
}
