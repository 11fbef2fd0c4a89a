//! Every level can be won: a pilot that sees only its own ship and Earth wins some field of each.

use carom_game::rules::{DOCK_DISTANCE, RESTART_POINTS};
use carom_game::{Flight, Game, Keys, LEVELS, Phase};
use carom_numerics::elementary::atan2;
use std::f64::consts::{PI, TAU};

/// Fields that the pilot tries.
const FIELDS: u64 = 40;
/// Ticks after which it gives up.
const PATIENCE: u32 = 3600;

/// Wants a velocity towards Earth that falls with the distance, turns to where the change of
/// velocity points, and fires ahead.
fn pilot(game: &Game) -> Keys {
    let (ship, earth) = (game.ship(), game.body(1));
    let way = [earth.position[0] - ship.position[0], earth.position[1] - ship.position[1]];
    let distance = (way[0] * way[0] + way[1] * way[1]).sqrt();
    let speed = (0.5 * (distance - DOCK_DISTANCE) + 0.3).clamp(0.4, 1.6);
    let change = [0, 1].map(|k| way[k] / distance * speed - ship.velocity[k]);
    let size = (change[0] * change[0] + change[1] * change[1]).sqrt();
    let aim = if size > 0.15 { atan2(change[1], change[0]) } else { atan2(way[1], way[0]) };
    let off = (aim - ship.angle + PI).rem_euclid(TAU) - PI;
    let mut keys = Keys::NONE;
    if size > 0.15 && off.abs() < 0.2 {
        keys = keys | Keys::FORWARD;
    }
    // Spin wanted for the angle that is left; within 0.05 of it, no engine turns.
    let spin = (1.5 * off).clamp(-1.0, 1.0) - ship.spin;
    if spin > 0.05 {
        keys = keys | Keys::LEFT;
    } else if spin < -0.05 {
        keys = keys | Keys::RIGHT;
    }
    keys
}

fn fly(flight: Flight) -> Game {
    let mut game = Game::new(flight).unwrap();
    while game.phase() == Phase::Flying && game.ticks() < PATIENCE {
        let keys = pilot(&game);
        game.tick(keys);
    }
    game
}

#[test]
fn every_level_can_be_won() {
    for level in 1..=LEVELS.len() as u32 {
        let flights: Vec<Game> = (0..FIELDS).map(|seed| fly(Flight { level, seed })).collect();
        let won = flights.iter().filter(|game| game.phase() == Phase::Won);
        let best = won.clone().max_by_key(|game| game.score());
        let best = best.unwrap_or_else(|| panic!("level {level} was never won"));
        let used = best.level().tank - best.fuel();
        assert!(used > 0 && best.fuel() > 0, "level {level}: {used} of {} used", best.level().tank);
        assert!(best.score() + best.restarts() * RESTART_POINTS > 1000 * level);
    }
}
