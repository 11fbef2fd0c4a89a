//! The rules at their limits: what wins, what crashes, what wraps, what it is worth.

use carom_game::rules::{
    DOCK_DISTANCE, DOCK_SPEED, DOCK_SPIN, HALF_HEIGHT, HALF_WIDTH, HULL_LIMIT, LANDING_LIMIT, MOST_TICKS,
    Situation, judge, left_screen, score, wrapped,
};
use carom_game::{Crash, LEVELS, Phase};
use proptest::prelude::*;

/// As far, as fast and as spinning as an arrival may be, after as hard a touch as the ship
/// survives, with one tick of air left.
const AT_THE_LIMIT: Situation = Situation {
    earth_distance: DOCK_DISTANCE,
    speed: DOCK_SPEED,
    spin: DOCK_SPIN,
    earth_hit: LANDING_LIMIT,
    asteroid_hit: HULL_LIMIT,
    ticks: MOST_TICKS - 1,
};

#[test]
fn limits_belong_to_the_good_side() {
    assert_eq!(judge(&AT_THE_LIMIT), Phase::Won);
    assert_eq!(judge(&Situation { spin: -DOCK_SPIN, ..AT_THE_LIMIT }), Phase::Won);
}

#[test]
fn the_least_bit_beyond_a_limit_is_no_arrival() {
    for beyond in [
        Situation { earth_distance: DOCK_DISTANCE.next_up(), ..AT_THE_LIMIT },
        Situation { speed: DOCK_SPEED.next_up(), ..AT_THE_LIMIT },
        Situation { spin: DOCK_SPIN.next_up(), ..AT_THE_LIMIT },
        Situation { spin: (-DOCK_SPIN).next_down(), ..AT_THE_LIMIT },
    ] {
        assert_eq!(judge(&beyond), Phase::Flying, "{beyond:?}");
        let without_air = Situation { ticks: MOST_TICKS, ..beyond };
        assert_eq!(judge(&without_air), Phase::Crashed(Crash::OutOfTime));
    }
}

#[test]
fn the_least_bit_too_hard_breaks_the_ship() {
    let earth = Situation { earth_hit: LANDING_LIMIT.next_up(), ..AT_THE_LIMIT };
    assert_eq!(judge(&earth), Phase::Crashed(Crash::Earth));
    let asteroid = Situation { asteroid_hit: HULL_LIMIT.next_up(), ..AT_THE_LIMIT };
    assert_eq!(judge(&asteroid), Phase::Crashed(Crash::Asteroid));
}

#[test]
fn the_last_breath_still_wins() {
    assert_eq!(judge(&Situation { ticks: MOST_TICKS, ..AT_THE_LIMIT }), Phase::Won);
}

#[test]
fn the_border_belongs_to_the_screen() {
    for sign in [-1.0, 1.0] {
        assert!(!left_screen([sign * HALF_WIDTH, sign * HALF_HEIGHT]));
        assert!(left_screen([sign * HALF_WIDTH.next_up(), 0.0]));
        assert!(left_screen([0.0, sign * HALF_HEIGHT.next_up()]));
    }
}

#[test]
fn asteroids_wrap_once_all_of_them_is_out_of_sight() {
    let edge = HALF_WIDTH + 1.0;
    assert_eq!(wrapped([edge, 3.0], 1.0), None);
    let [x, y] = wrapped([edge + 0.25, 3.0], 1.0).unwrap();
    assert_eq!([x, y], [-edge + 0.25, 3.0]);
    let edge = HALF_HEIGHT + 1.0;
    let [x, y] = wrapped([-3.0, -edge - 0.25], 1.0).unwrap();
    assert_eq!([x, y], [-3.0, edge - 0.25]);
}

proptest! {
    /// Whatever leaves by less than a screen comes back to a place where it stays, out of sight but
    /// for what has come in.
    #[test]
    fn what_wraps_stays(x in -40.0..40.0, y in -25.0..25.0, extent in 0.1..2.0) {
        match wrapped([x, y], extent) {
            None => prop_assert!(f64::abs(x) <= HALF_WIDTH + extent && f64::abs(y) <= HALF_HEIGHT + extent),
            Some(place) => {
                prop_assert_eq!(wrapped(place, extent), None);
                prop_assert!((place[0] - x).abs() < 1e-12 || ((place[0] - x).abs() - 2.0 * (HALF_WIDTH + extent)).abs() < 1e-12);
                prop_assert!((place[1] - y).abs() < 1e-12 || ((place[1] - y).abs() - 2.0 * (HALF_HEIGHT + extent)).abs() < 1e-12);
            }
        }
    }

    /// Never more for more time, less fuel or more starts; never less for a higher level; never out
    /// of range.
    #[test]
    fn scores_are_fair(
        number in 1..=8_u32,
        ticks in 0..2 * MOST_TICKS,
        fuel in 0..20_000_u32,
        restarts in 0..50_u32,
        more in 1..1000_u32,
    ) {
        let level = &LEVELS[number as usize - 1];
        let points = score(number, level, ticks, fuel, restarts);
        prop_assert!(score(number, level, ticks + more, fuel, restarts) <= points);
        prop_assert!(score(number, level, ticks, fuel + more, restarts) >= points);
        prop_assert!(score(number, level, ticks, fuel, restarts + more) <= points);
        prop_assert!(score(number + 1, level, ticks, fuel, restarts) >= points);
        prop_assert!(points <= 1000 * number + level.par / 6 + 500);
    }
}

/// By hand: level 2, par 25 s = 1500 ticks. 900 ticks are 600 below, 100 points; half of the tank
/// is 250; two more starts cost 400.
#[test]
fn a_score_by_hand() {
    let level = &LEVELS[1];
    assert_eq!(level.par, 1500);
    assert_eq!(score(2, level, 900, level.tank / 2, 2), 2000 + 100 + 250 - 400);
    assert_eq!(score(2, level, 1501, 0, 0), 2000);
    assert_eq!(score(2, level, 1501, 0, 11), 0);
    assert_eq!(score(u32::MAX, level, 0, u32::MAX, 0), u32::MAX);
}
