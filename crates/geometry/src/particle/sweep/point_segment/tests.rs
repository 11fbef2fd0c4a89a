use super::*;
use proptest::prelude::*;

fn path(start: [f64; 2], end: [f64; 2]) -> Path {
    Path::between(start.into(), end.into())
}

fn still(x: [f64; 2]) -> Path {
    path(x, x)
}

fn sweep_strategy() -> impl Strategy<Value = Sweep> {
    prop::array::uniform12(-2.0_f64..2.0).prop_map(|c| Sweep {
        point: path([c[0], c[1]], [c[2], c[3]]),
        start: path([c[4], c[5]], [c[6], c[7]]),
        end: path([c[8], c[9]], [c[10], c[11]]),
    })
}

#[test]
fn a_point_falls_on_a_segment_at_rest() {
    let sweep =
        Sweep { point: path([1.0, 3.0], [1.0, -1.0]), start: still([0.0, 0.0]), end: still([4.0, 0.0]) };
    let hit = first_contact(&sweep, 1.0).unwrap();
    assert!((hit.time - 0.5).abs() < 1e-15);
    assert_eq!((hit.alpha, hit.unit), (0.25, -DVec2::Y));
    assert!((hit.vector - DVec2::new(0.0, -1.0)).length() < 1e-15);
}

#[test]
fn the_round_end_is_hit_beside_the_segment() {
    let sweep =
        Sweep { point: path([-0.5, 3.0], [-0.5, -3.0]), start: still([0.0, 0.0]), end: still([4.0, 0.0]) };
    let polynomials = conditions(&sweep, 1.0, Quintic::Correct);
    assert_eq!(
        first_time_all_positive(&polynomials, Rule::Exact),
        None,
        "the hand-out's conditions have no ends"
    );
    let hit = first_contact(&sweep, 1.0).unwrap();
    assert_eq!(hit.alpha, 0.0);
    assert!((hit.vector.length() - 1.0).abs() < 1e-12);
}

#[test]
fn a_thin_segment_is_crossed_at_any_speed() {
    for (thickness, speed) in [(0.0, 1.0), (1e-12, 1e6), (1e-300, 1e9), (1e-3, 1e12)] {
        let sweep = Sweep {
            point: path([0.3, speed], [0.3, -0.7 * speed]),
            start: path([-1.0, 0.2], [-1.0, -0.1]),
            end: path([1.0, -0.1], [1.0, 0.3]),
        };
        let hit = first_contact(&sweep, thickness).expect("it crosses");
        assert!(hit.unit.y < 0.0, "it came from above: {hit:?}");
    }
}

#[test]
fn a_segment_without_length_is_a_disc() {
    let sweep =
        Sweep { point: path([3.0, 0.0], [0.0, 0.0]), start: still([0.0, 0.0]), end: still([0.0, 0.0]) };
    assert!((first_contact(&sweep, 1.5).unwrap().time - 0.5).abs() < 1e-15);
}

#[test]
fn nothing_moves_nothing_touches() {
    let sweep = Sweep { point: still([0.5, 0.1]), start: still([0.0, 0.0]), end: still([1.0, 0.0]) };
    assert_eq!(first_contact(&sweep, 1.0), None);
    let bad = Sweep { point: path([0.5, 0.1], [f64::NAN, 0.0]), ..sweep };
    assert_eq!(first_contact(&bad, 1.0), None);
}

#[test]
fn the_course_differs_in_the_cubic_coefficient_alone() {
    let sweep = Sweep {
        point: path([0.5, 1.0], [0.7, -1.0]),
        start: path([0.0, 0.1], [0.1, 0.4]),
        end: path([1.0, 0.2], [1.3, -0.2]),
    };
    let right = conditions(&sweep, 0.1, Quintic::Correct);
    let course = conditions(&sweep, 0.1, Quintic::Course);
    assert_eq!(right[..3], course[..3]);
    for (k, (a, b)) in right[3].coefficients().iter().zip(course[3].coefficients()).enumerate() {
        assert_eq!(a == b, k != 2, "coefficient {k}");
    }
}

proptest! {
    /// Each polynomial against its meaning, evaluated from positions.
    #[test]
    fn polynomials_mean_what_they_say(sweep in sweep_strategy(), r in 0.01_f64..0.5, t in 0.0_f64..1.0) {
        let [near, after, before, approach] = conditions(&sweep, r, Quintic::Correct);
        let (w, e) = (sweep.point.at(t) - sweep.start.at(t), sweep.end.at(t) - sweep.start.at(t));
        let dw = sweep.point.displacement - sweep.start.displacement;
        let de = sweep.end.displacement - sweep.start.displacement;
        let (ee, alpha) = (e.length_squared(), w.dot(e) / e.length_squared());
        prop_assume!(ee > 1e-3);
        let n = alpha * e - w;
        let close = |p: &Polynomial, value: f64| (p.value(t) - value).abs() < 1e-11 * (1.0 + p.magnitude(t));
        prop_assert!(close(&near, ee * (r * r - n.length_squared())));
        prop_assert!(close(&after, ee * alpha));
        prop_assert!(close(&before, ee * (1.0 - alpha)));
        prop_assert!(close(&approach, ee * ee * (dw - alpha * de).dot(n)));
    }

    /// The approach is minus half the slope of the squared distance, by finite differences.
    #[test]
    fn approach_is_the_slope_of_the_distance(sweep in sweep_strategy(), t in 0.01_f64..0.99) {
        let [_, _, _, approach] = conditions(&sweep, 0.1, Quintic::Correct);
        let squared = |t: f64| line_contact(&sweep, t).1.length_squared();
        let edge = (sweep.end.at(t) - sweep.start.at(t)).length_squared();
        prop_assume!(edge > 0.05);
        let step = 1e-5;
        let slope = (squared(t + step) - squared(t - step)) / (2.0 * step);
        let scaled = -0.5 * slope * edge * edge;
        prop_assert!((approach.value(t) - scaled).abs() < 1e-4 * (1.0 + approach.magnitude(t)), "{} against {}", approach.value(t), scaled);
    }

    /// Against a dense sample: contact no later than the first sample that is near and coming
    /// nearer.
    #[test]
    fn first_contact_is_not_later_than_a_sampled_one(sweep in sweep_strategy(), r in 0.01_f64..0.5) {
        let steps = 3000;
        let distance = |t: f64| sweep.nearest(t).1.length();
        let time = |k: i32| f64::from(k) / f64::from(steps);
        let sampled = (0..steps).find(|k| distance(time(*k)) < r - 1e-9 && distance(time(k + 1)) < distance(time(*k)) - 1e-12);
        if let Some(k) = sampled {
            let hit = first_contact(&sweep, r);
            prop_assert!(hit.is_some(), "missed the one at {}", time(k));
            prop_assert!(hit.unwrap().time <= time(k + 1));
        }
        if let Some(hit) = first_contact(&sweep, r) {
            prop_assert!(distance(hit.time) <= r + 1e-6, "{:?} at distance {}", hit, distance(hit.time));
            prop_assert!((hit.unit.length() - 1.0).abs() < 1e-12);
        }
    }
}

/// Used to be missed: a second change of sides just beyond the end of the way hid the one before
/// it.
#[test]
fn a_crossing_is_seen_although_the_point_would_come_back_after_the_end() {
    let sweep = Sweep {
        point: path([-0.6626351528388134, 0.6369324162750298], [0.16102500851559176, -0.34563432096504165]),
        start: path([0.269570397645052, -0.8772942211007337], [0.4845352233771131, -0.8268792354540286]),
        end: path([-0.14432094567387502, 0.13542856185316468], [-0.1749382614182621, 0.13542856185316468]),
    };
    let hit = first_contact(&sweep, 0.0).expect("the point changes sides at t = 0.908");
    assert!((0.9..0.92).contains(&hit.time), "{hit:?}");
}
