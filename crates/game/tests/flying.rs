//! The game in play: engines, bounces, wrapping, restarts, wins and crashes, all on the real
//! engine.

use carom_game::rules::{
    BACKWARD_ACCELERATION, FORWARD_ACCELERATION, HALF_HEIGHT, HALF_WIDTH, RESTITUTION, TICKS_A_SECOND,
    TURN_ACCELERATION, TURN_COST,
};
use carom_game::{Crash, Event, Flight, Game, Keys, Phase, Restart};

const DT: f64 = 1.0 / TICKS_A_SECOND as f64;

fn game(level: u32, seed: u64) -> Game {
    Game::new(Flight { level, seed }).unwrap()
}

fn hold(game: &mut Game, keys: Keys, ticks: usize) {
    (0..ticks).for_each(|_| game.tick(keys));
}

/// Symplectic Euler by hand: v₁ = a dt, x₁ = x₀ + v₁ dt, in linear and in angular motion.
#[test]
fn one_tick_of_each_engine() {
    for (keys, acceleration, turn) in [
        (Keys::FORWARD, FORWARD_ACCELERATION, 0.0),
        (Keys::BACKWARD, -BACKWARD_ACCELERATION, 0.0),
        (Keys::LEFT, 0.0, TURN_ACCELERATION),
        (Keys::RIGHT, 0.0, -TURN_ACCELERATION),
        (Keys::FORWARD | Keys::LEFT | Keys::RIGHT, FORWARD_ACCELERATION, 0.0),
    ] {
        let mut game = game(1, 1);
        let before = game.ship();
        game.tick(keys);
        let after = game.ship();
        assert!((after.velocity[0] - acceleration * DT).abs() < 1e-15, "{keys:?}");
        assert_eq!(after.velocity[1], 0.0);
        assert!((after.position[0] - (before.position[0] + acceleration * DT * DT)).abs() < 1e-14);
        assert!((after.spin - turn * DT).abs() < 1e-15);
        assert!((after.angle - turn * DT * DT).abs() < 1e-15);
        assert_eq!(game.burning(), keys);
    }
}

#[test]
fn thrust_goes_where_the_nose_points() {
    let mut game = game(1, 1);
    hold(&mut game, Keys::LEFT, 30);
    hold(&mut game, Keys::RIGHT, 30);
    let angle = game.ship().angle;
    assert!(game.ship().spin.abs() < 1e-12 && angle > 0.5);
    game.tick(Keys::FORWARD);
    let [x, y] = game.ship().velocity;
    assert!((y / x - carom_numerics::elementary::tan(angle)).abs() < 1e-12);
}

#[test]
fn an_empty_tank_fires_nothing() {
    let mut game = game(1, 3);
    let mut reported = Vec::new();
    // Both turning engines at once turn nothing: the ship waits where it is.
    while game.phase() == Phase::Flying && game.ticks() < 4000 {
        game.tick(Keys::LEFT | Keys::RIGHT);
        reported
            .extend(game.events().iter().filter(|event| **event == Event::OutOfFuel).map(|_| game.ticks()));
    }
    assert_eq!(reported, [game.level().tank / 2]);
    assert_eq!((game.phase(), game.restarts(), game.fuel()), (Phase::Flying, 0, 0));
    let ship = game.ship();
    game.tick(Keys::FORWARD | Keys::LEFT);
    assert_eq!(
        (game.burning(), game.ship().velocity, game.ship().spin),
        (Keys::NONE, ship.velocity, ship.spin)
    );
}

/// The last drops feed the engines that still can be fed.
#[test]
fn a_nearly_empty_tank_turns_but_does_not_thrust() {
    let mut game = game(1, 3);
    let turns = game.fuel() / TURN_COST - 1;
    for tick in 0..turns {
        game.tick(if tick % 2 == 0 { Keys::LEFT } else { Keys::RIGHT });
    }
    assert_eq!((game.fuel(), game.restarts(), game.phase()), (1, 0, Phase::Flying));
    game.tick(Keys::FORWARD | Keys::RIGHT);
    assert_eq!((game.fuel(), game.burning()), (0, Keys::RIGHT));
}

#[test]
fn leaving_the_screen_starts_again_with_a_full_tank_and_less_to_win() {
    let mut game = game(1, 5);
    let (start, full) = (game.positions().to_vec(), game.fuel());
    let mut last = game.ship();
    while game.restarts() == 0 {
        last = game.ship();
        game.tick(Keys::BACKWARD);
    }
    assert_eq!(game.events().last(), Some(&Event::Restarted(Restart::LeftScreen)));
    let step = last.velocity[0] * DT;
    assert!(last.position[0] >= -HALF_WIDTH && last.position[0] + 1.5 * step < -HALF_WIDTH);
    assert_eq!((game.positions(), game.fuel()), (start.as_slice(), full));
    assert!(game.ticks() > 100, "time goes on");
    let asked_at = game.ticks();
    hold(&mut game, Keys::FORWARD, 9);
    game.tick(Keys::RESTART);
    assert_eq!(game.events(), [Event::Restarted(Restart::Asked)]);
    assert_eq!((game.positions(), game.restarts(), game.ticks()), (start.as_slice(), 2, asked_at + 10));
}

/// Straight on, coast, brake: the way to win level 1.
fn fly_to_earth(seed: u64) -> Game {
    let mut game = game(1, seed);
    hold(&mut game, Keys::FORWARD, 60);
    while game.phase() == Phase::Flying && game.restarts() == 0 && game.ticks() < 2000 {
        let ship = game.ship();
        let must_brake = ship.position[0] > 7.2 && ship.velocity[0] > 0.4;
        game.tick(if must_brake { Keys::BACKWARD } else { Keys::NONE });
    }
    game
}

#[test]
fn a_slow_straight_flight_wins() {
    let game = fly_to_earth(7);
    assert_eq!(game.phase(), Phase::Won);
    assert_eq!(game.events().last(), Some(&Event::Won { score: game.score() }));
    assert!(game.score() > 1000);
    let mut after = game.clone();
    after.tick(Keys::FORWARD);
    assert_eq!((after.hash(), after.ticks()), (game.hash(), game.ticks()), "what is over stays as it is");
    assert!(after.events().is_empty());
}

#[test]
fn full_speed_at_earth_crashes() {
    let mut game = game(1, 7);
    while game.phase() == Phase::Flying && game.restarts() == 0 {
        game.tick(Keys::FORWARD);
    }
    assert_eq!(game.phase(), Phase::Crashed(Crash::Earth));
    assert_eq!(game.events().last(), Some(&Event::Crashed(Crash::Earth)));
}

/// A spinning ship at Earth is no arrival, however slow it is.
#[test]
fn a_spinning_ship_does_not_dock() {
    let mut game = game(1, 7);
    hold(&mut game, Keys::FORWARD, 60);
    while game.ship().position[0] < 6.5 && game.ticks() < 900 {
        game.tick(Keys::NONE);
    }
    while game.ship().velocity[0] > 0.3 && game.ticks() < 1200 {
        game.tick(Keys::BACKWARD);
    }
    hold(&mut game, Keys::LEFT, 20);
    let earth = game.body(1).position[0];
    let mut inside = 0;
    while game.phase() == Phase::Flying && inside < 200 {
        game.tick(Keys::NONE);
        inside += usize::from(earth - game.ship().position[0] < 3.0);
    }
    assert_eq!((game.phase(), inside), (Phase::Flying, 200));
}

#[test]
fn somebody_hits_an_asteroid_too_hard() {
    let crash = (0..40).map(|seed| {
        let mut game = game(8, seed);
        while game.phase() == Phase::Flying && game.restarts() == 0 {
            game.tick(Keys::FORWARD);
        }
        game.phase()
    });
    assert!(crash.into_iter().any(|phase| phase == Phase::Crashed(Crash::Asteroid)));
}

/// The exercise's law over many bounces of two discs that touch nothing else: momentum is kept, the
/// normal speed is reversed and multiplied by 0.9, spins are kept, and they never overlap.
#[test]
fn discs_bounce_as_the_exercise_says() {
    let mut seen = 0;
    for seed in 0..6 {
        let mut game = game(5, seed);
        let masses: Vec<f64> = game.looks().iter().map(|look| look.radius * look.radius).collect();
        for _ in 0..3000 {
            let before: Vec<_> = (0..masses.len()).map(|body| game.body(body)).collect();
            game.tick(Keys::NONE);
            let [Event::Bounce { first, second, impulse, .. }] = *game.events() else { continue };
            if first < 2 {
                continue;
            }
            let (a, b) = (game.body(first), game.body(second));
            let apart = [b.position[0] - a.position[0], b.position[1] - a.position[1]];
            let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
            if distance > 3.0 {
                continue; // one of them has wrapped in this very tick
            }
            // They touch at an instant within the tick: the push is along the line of their centres
            // there.
            let kick = [0, 1].map(|k| {
                (b.velocity[k] - before[second].velocity[k]) - (a.velocity[k] - before[first].velocity[k])
            });
            let kicked = (kick[0] * kick[0] + kick[1] * kick[1]).sqrt();
            let n = kick.map(|x| x / kicked);
            let closing = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * n[0] + (b[1] - a[1]) * n[1];
            let was = closing(before[first].velocity, before[second].velocity);
            let is = closing(a.velocity, b.velocity);
            assert!(was < 0.0 && impulse > 0.0);
            assert!((is + RESTITUTION * was).abs() < 1e-12, "{was} became {is}");
            let radii = game.looks()[first].radius + game.looks()[second].radius;
            let at = |time: f64| {
                [0, 1].map(|k| {
                    let to = before[second].position[k] + time * before[second].velocity[k];
                    to - before[first].position[k] - time * before[first].velocity[k]
                })
            };
            let touches = |time: f64| {
                let apart = at(time);
                (apart[0] - radii * n[0]).abs() < 1e-6 && (apart[1] - radii * n[1]).abs() < 1e-6
            };
            let from = at(0.0);
            if from[0] * from[0] + from[1] * from[1] < radii * radii {
                continue; // one of them has wrapped into the other before this tick
            }
            // Along n the centres come from further apart than the radii to exactly them.
            let along = from[0] * n[0] + from[1] * n[1];
            let instant = (along - radii) / -was;
            assert!((-1e-9..DT + 1e-9).contains(&instant) && touches(instant), "touch at {instant}");
            for k in 0..2 {
                let sum = |a: [f64; 2], b: [f64; 2]| masses[first] * a[k] + masses[second] * b[k];
                let change =
                    sum(a.velocity, b.velocity) - sum(before[first].velocity, before[second].velocity);
                assert!(change.abs() < 1e-12, "momentum changed by {change}");
            }
            // A disc's contact pushes through its centre, up to rounding.
            assert!(
                (a.spin - before[first].spin).abs() < 1e-14 && (b.spin - before[second].spin).abs() < 1e-14
            );
            let gap = distance - radii;
            assert!(gap > -1e-8, "overlap {gap} was left");
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} bounces");
}

/// Without engines no bounce adds energy, nothing leaves the torus, and overlap never lasts: discs
/// and shards, minutes on end.
#[test]
fn fields_stay_sound() {
    let mut crossings = 0;
    for (level, seed) in [(3, 1), (4, 2), (6, 3), (7, 4), (8, 5)] {
        let mut game = game(level, seed);
        let discs = game.looks().iter().enumerate().skip(2).filter(|(_, look)| look.outline.is_empty());
        let discs: Vec<usize> = discs.map(|(body, _)| body).collect();
        let energy = |game: &Game| {
            let one = |body: usize| {
                let [x, y] = game.body(body).velocity;
                game.looks()[body].radius.powi(2) * (x * x + y * y)
            };
            discs.iter().map(|&body| one(body)).sum::<f64>()
        };
        let mut overlapping = 0;
        let only_discs = game.level().shards == 0;
        let mut last = energy(&game);
        for _ in 0..6000 {
            let before = game.positions().to_vec();
            game.tick(Keys::NONE);
            for (body, look) in game.looks().iter().enumerate().skip(2) {
                let [x, y] = game.body(body).position;
                assert!(x.abs() <= HALF_WIDTH + look.extent && y.abs() <= HALF_HEIGHT + look.extent);
                crossings += usize::from((x - before[3 * body]).abs() > HALF_WIDTH);
            }
            if game.phase() != Phase::Flying || game.restarts() > 0 {
                break; // somebody pushed the ship off the screen, or broke it
            }
            let ship_was_hit = game.events().iter().any(|e| matches!(e, Event::Bounce { first: 0, .. }));
            let now = energy(&game);
            assert!(!only_discs || ship_was_hit || now <= last * (1.0 + 1e-12), "{last} became {now}");
            last = now;
            overlapping = if deepest(&game, &discs) > 1e-3 { overlapping + 1 } else { 0 };
            assert!(overlapping < 20, "level {level}: discs overlap for {overlapping} ticks");
        }
    }
    assert!(crossings > 20, "{crossings} crossings");
}

/// Deepest overlap of two discs.
fn deepest(game: &Game, discs: &[usize]) -> f64 {
    let mut depth: f64 = 0.0;
    for (k, &first) in discs.iter().enumerate() {
        for &second in &discs[k + 1..] {
            let ([ax, ay], [bx, by]) = (game.body(first).position, game.body(second).position);
            let distance = ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt();
            depth = depth.max(game.looks()[first].radius + game.looks()[second].radius - distance);
        }
    }
    depth
}
