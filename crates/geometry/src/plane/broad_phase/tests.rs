use super::*;
use glam::DVec2;
use proptest::prelude::*;

type Pairs = Vec<(u32, u32)>;

fn candidates(method: BroadPhaseMethod, discs: &[Aabb], segments: &[Aabb]) -> (Pairs, Pairs) {
    let mut found = Candidates::default();
    BroadPhase::new(method).find(discs, segments, &mut found);
    (found.discs.iter().collect(), found.segments.iter().collect())
}

/// Boxes of widely different sizes, many on a lattice so that they touch exactly, some far away,
/// some not finite.
fn boxes(count: usize) -> impl Strategy<Value = Vec<Aabb>> {
    let lattice = (-20_i32..20, -20_i32..20, 0_i32..3)
        .prop_map(|(x, y, r)| Aabb::around(DVec2::new(x.into(), y.into()), f64::from(r) / 2.0));
    let sized = (-20.0_f64..20.0, -20.0_f64..20.0, -9_i32..5, 1.0_f64..2.0, 0.1_f64..1.0).prop_map(
        |(x, y, e, r, flat)| {
            let half = DVec2::new(r * 2.0_f64.powi(e), flat * r * 2.0_f64.powi(e));
            Aabb { min: DVec2::new(x, y) - half, max: DVec2::new(x, y) + half }
        },
    );
    let far = (-3_i32..3, -3_i32..3, 1_i32..301).prop_map(|(x, y, e)| {
        let scale = 10.0_f64.powi(e);
        Aabb::around(DVec2::new(f64::from(x) * scale, f64::from(y) * scale), 0.3 * scale)
    });
    let bad = prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY)]
        .prop_map(|x| Aabb::around(DVec2::new(x, 0.0), 1.0));
    prop::collection::vec(prop_oneof![20 => lattice, 20 => sized, 2 => far, 1 => bad], 0..count)
}

proptest! {
    #[test]
    fn every_method_agrees_with_all_pairs(discs in boxes(60), segments in boxes(30)) {
        let expected = candidates(BroadPhaseMethod::AllPairs, &discs, &segments);
        prop_assert_eq!(&candidates(BroadPhaseMethod::Grid, &discs, &segments), &expected);
        prop_assert_eq!(&candidates(BroadPhaseMethod::SweepAndPrune, &discs, &segments), &expected);
    }

    /// Kept candidates hold everything that overlaps, in order, however boxes move between calls.
    #[test]
    fn kept_candidates_miss_nothing(discs in boxes(40), segments in boxes(12), moves in prop::collection::vec((0_usize..52, -0.2_f64..0.2, prop_oneof![9 => Just(1.0), 1 => Just(50.0)]), 0..40)) {
        let (mut discs, mut segments) = (discs, segments);
        let mut kept = KeptCandidates::new(BroadPhaseMethod::Grid);
        for (k, way, scale) in moves {
            let (expected_discs, expected_segments) = candidates(BroadPhaseMethod::AllPairs, &discs, &segments);
            let found = kept.find(&discs, &segments);
            let pairs: [(Pairs, Pairs); 2] = [(found.discs.iter().collect(), expected_discs), (found.segments.iter().collect(), expected_segments)];
            for (given, expected) in pairs {
                prop_assert!(given.is_sorted(), "out of order");
                prop_assert!(expected.iter().all(|pair| given.binary_search(pair).is_ok()), "{:?} lacks one of {:?}", given, expected);
            }
            let count = discs.len();
            if let Some(b) = if k < count { discs.get_mut(k) } else { segments.get_mut(k - count) } {
                let step = DVec2::new(way * scale, -0.5 * way * scale);
                *b = Aabb { min: b.min + step, max: b.max + step };
            }
        }
    }

    /// A sweep over live candidates while boxes jump visits every pair that overlaps at its turn,
    /// in order.
    #[test]
    fn live_candidates_miss_nothing(discs in boxes(40), segments in boxes(12), jumps in prop::collection::vec((0_usize..40, 0_usize..40, -20.0_f64..20.0, -20.0_f64..20.0), 0..40)) {
        let (mut discs, mut segments) = (discs, segments);
        let mut live = LiveCandidates::default();
        live.start(&discs, &segments);
        for i in 0..discs.len() as u32 {
            let mut given = Vec::new();
            let mut expected = Vec::new();
            // the pairs of a disc, jumping after each that is given
            let mut last = None;
            while let Some(partner) = live.next_of(i) {
                let rank = match partner { Partner::Disc(j) => j as usize, Partner::Segment(e) => discs.len() + e as usize };
                prop_assert!(last.is_none_or(|l| rank > l), "out of order");
                // whatever was passed over must not overlap now
                let start = last.map_or(i as usize + 1, |l| l + 1);
                for skipped in start..rank {
                    let other = discs.get(skipped).unwrap_or_else(|| &segments[skipped - discs.len()]);
                    if discs[i as usize].may_touch(other) { expected.push(skipped); }
                }
                last = Some(rank);
                given.push(rank);
                if let Some((when, which, x, y)) = jumps.get((i as usize + given.len()) % jumps.len().max(1)) && given.len() % 3 == when % 3 {
                    let jumped = Aabb::around(DVec2::new(*x, *y), 0.7);
                    if which % 4 == 0 && !segments.is_empty() {
                        let e = which % segments.len();
                        segments[e] = jumped;
                        live.move_segment(e as u32, &jumped, &jumped.grown(0.1));
                    } else {
                        let k = which % discs.len();
                        discs[k] = jumped;
                        live.move_disc(k as u32, &jumped, &jumped.grown(0.1));
                    }
                }
            }
            let start = last.map_or(i as usize + 1, |l| l + 1);
            for skipped in start..discs.len() + segments.len() {
                let other = discs.get(skipped).unwrap_or_else(|| &segments[skipped - discs.len()]);
                if discs[i as usize].may_touch(other) { expected.push(skipped); }
            }
            prop_assert_eq!(expected, Vec::<usize>::new(), "passed over at the turn of {}", i);
        }
    }
}

#[test]
fn nothing_at_all() {
    for method in [BroadPhaseMethod::AllPairs, BroadPhaseMethod::Grid, BroadPhaseMethod::SweepAndPrune] {
        assert_eq!(candidates(method, &[], &[]), (vec![], vec![]));
        assert_eq!(candidates(method, &[Aabb::around(DVec2::ZERO, 1.0)], &[]), (vec![], vec![]));
    }
}

#[test]
fn boxes_that_touch_at_a_corner_overlap() {
    let discs = [
        Aabb::around(DVec2::ZERO, 0.5),
        Aabb::around(DVec2::ONE, 0.5),
        Aabb::around(DVec2::new(1.0 + 1e-9, -1.0), 0.5),
    ];
    for method in [BroadPhaseMethod::AllPairs, BroadPhaseMethod::Grid, BroadPhaseMethod::SweepAndPrune] {
        assert_eq!(candidates(method, &discs, &[]).0, [(0, 1)]);
    }
}

#[test]
fn points_without_size_and_a_long_chain() {
    let points: Vec<Aabb> = (0..3000).map(|k| Aabb::around(DVec2::new(f64::from(k / 2), 0.0), 0.0)).collect();
    let expected: Vec<(u32, u32)> = (0..1500).map(|k| (2 * k, 2 * k + 1)).collect();
    assert_eq!(candidates(BroadPhaseMethod::Grid, &points, &[]).0, expected);
    let chain: Vec<Aabb> = (0..3000).map(|k| Aabb::around(DVec2::new(0.0, f64::from(k)), 0.6)).collect();
    assert_eq!(candidates(BroadPhaseMethod::Grid, &chain, &[]).0.len(), 2999);
}

#[test]
fn one_giant_among_many() {
    let mut discs: Vec<Aabb> =
        (0..500).map(|k| Aabb::around(DVec2::new(f64::from(k % 25), f64::from(k / 25)), 0.1)).collect();
    discs.push(Aabb::around(DVec2::new(12.0, 10.0), 6.0));
    assert_eq!(
        candidates(BroadPhaseMethod::Grid, &discs, &[]),
        candidates(BroadPhaseMethod::AllPairs, &discs, &[])
    );
}

/// A crowd on one spot has five billion pairs: looking for more than are wanted would take minutes.
#[test]
fn a_crowd_is_given_up_soon() {
    let crowd: Vec<Aabb> =
        (0..100_000).map(|k| Aabb::around([1e-7 * f64::from(k), 0.0].into(), 1.0)).collect();
    for method in [BroadPhaseMethod::AllPairs, BroadPhaseMethod::SweepAndPrune, BroadPhaseMethod::Grid] {
        let mut candidates = Candidates::default();
        assert!(!BroadPhase::new(method).find_at_most(&crowd, &crowd, 1000, &mut candidates));
        assert!(candidates.discs.is_empty() && candidates.segments.is_empty());
        // The same object serves the next, smaller question.
        let mut broad_phase = BroadPhase::new(method);
        assert!(broad_phase.find_at_most(&crowd[..10], &[], 1000, &mut candidates));
        assert_eq!(candidates.discs.len(), 45);
    }
}
