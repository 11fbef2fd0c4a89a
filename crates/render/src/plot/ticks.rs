//! Where an axis has its marks.

use crate::number;

/// A range of values and its marks.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
    marks: Vec<(f64, String)>,
}

/// Steps between marks are these times a power of ten (Heckbert 1990, "Nice numbers for graph
/// labels", Graphics Gems I).
const NICE: [f64; 4] = [1.0, 2.0, 5.0, 10.0];

/// Room beyond the values, as a share of half of their range.
const ROOM: f64 = 0.1;

impl Scale {
    /// A scale that holds all values, with about `marks` marks. `tight` ends at the values;
    /// otherwise there is a little room beyond them, but none below zero for values that are never
    /// below it.
    ///
    /// No values, or one value again and again, get room around them.
    pub fn new(values: impl Iterator<Item = f64>, marks: usize, logarithmic: bool, tight: bool) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0)) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = if logarithmic { (0.1, 10.0) } else { (0.0, 1.0) };
        }
        if logarithmic {
            Scale::of_powers(low, high, marks)
        } else {
            Scale::of_steps(low, high, marks, tight)
        }
    }

    fn of_steps(mut low: f64, mut high: f64, marks: usize, tight: bool) -> Scale {
        // Differences within rounding are no differences: a conserved energy is a flat line, not
        // noise blown up.
        let size = low.abs().max(high.abs());
        if high - low <= 1e-13 * size || high - low < f64::MIN_POSITIVE * 1e6 {
            let room = if size > 0.0 { 0.1 * size } else { 1.0 };
            (low, high) = (low - room, high + room);
        }
        let step = nice_step(high / 2.0 - low / 2.0, marks as f64 / 2.0);
        if !tight {
            let room = ROOM * (high / 2.0 - low / 2.0);
            low = if low >= 0.0 { (low - room).max(0.0) } else { (low - room).max(f64::MIN) };
            high = if high <= 0.0 { (high + room).min(0.0) } else { (high + room).min(f64::MAX) };
        }
        let first = (low / step - 1e-9).ceil();
        let count = ((high / step + 1e-9).floor() - first).clamp(0.0, 100.0) as u32;
        let texts = (0..=count).map(|k| (first + f64::from(k)) * step);
        let marks = texts.map(|value| (value, number::tick(value, step))).collect();
        Scale { low, high, logarithmic: false, marks }
    }

    fn of_powers(low: f64, high: f64, marks: usize) -> Scale {
        let (first, last) = (libm::floor(libm::log10(low) + 1e-9), libm::ceil(libm::log10(high) - 1e-9));
        let last = last.max(first + 1.0);
        let every = ((last - first) / marks.max(1) as f64).ceil().max(1.0);
        let count = ((last - first) / every).floor() as u32;
        let powers = (0..=count).map(|k| first + every * f64::from(k));
        let marks = powers.map(|p| (libm::pow(10.0, p), power_text(p))).collect();
        Scale { low: libm::pow(10.0, first), high: libm::pow(10.0, last), logarithmic: true, marks }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end; not a number for what the scale
    /// cannot hold.
    pub fn share(&self, value: f64) -> f64 {
        if self.logarithmic {
            if value <= 0.0 {
                return f64::NAN;
            }
            let low = libm::log10(self.low);
            (libm::log10(value) - low) / (libm::log10(self.high) - low)
        } else {
            // Halves, so that even the largest numbers have a difference.
            (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
        }
    }

    /// Marks: values and what is written beside them.
    pub fn marks(&self) -> &[(f64, String)] {
        &self.marks
    }

    /// Both ends.
    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }
}

fn nice_step(range: f64, marks: f64) -> f64 {
    let rough = range / marks.max(1.0);
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let factor = NICE.into_iter().find(|nice| nice * power >= rough * (1.0 - 1e-9)).unwrap_or(10.0);
    factor * power
}

/// Ten to a power, with a raised exponent.
fn power_text(power: f64) -> String {
    format!("1e{power:.0}").replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(scale: &Scale) -> Vec<&str> {
        scale.marks().iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn marks_are_round_numbers() {
        let scale = Scale::new([0.0, 9.7].into_iter(), 5, false, false);
        assert_eq!(texts(&scale), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(scale.ends()[0], 0.0);
        assert!((scale.ends()[1] - 10.185).abs() < 1e-9);
        let scale = Scale::new([-0.13, 0.21].into_iter(), 5, false, true);
        assert_eq!(texts(&scale), ["\u{2212}0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(scale.ends(), [-0.13, 0.21]);
    }

    #[test]
    fn rounding_is_not_blown_up() {
        let scale = Scale::new([3.0, 3.0 + 4e-16].into_iter(), 5, false, false);
        assert!(scale.ends()[1] - scale.ends()[0] > 0.1);
        assert!((scale.share(3.0) - 0.5).abs() < 0.2);
    }

    #[test]
    fn powers_of_ten() {
        let scale = Scale::new([3e-9, 0.5, 0.0, -1.0].into_iter(), 5, true, false);
        assert_eq!(scale.ends()[1], 1.0);
        assert!(scale.share(0.0).is_nan());
        assert!(scale.marks().len() <= 6);
        assert_eq!(scale.marks()[0].1, "1e\u{2212}9");
    }

    #[test]
    fn nothing_and_nonsense_have_a_scale_too() {
        for values in [vec![], vec![f64::NAN], vec![0.0], vec![f64::INFINITY, 2.0], vec![-1e308, 1e308]] {
            for logarithmic in [false, true] {
                let scale = Scale::new(values.iter().copied(), 5, logarithmic, false);
                assert!(scale.ends()[1] > scale.ends()[0], "{values:?} {scale:?}");
                assert!(scale.marks().len() >= 2, "{values:?} {scale:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_scale_holds_its_values_and_few_marks(a in -1e6f64..1e6, b in -1e6f64..1e6, tight: bool) {
            let scale = Scale::new([a, b].into_iter(), 6, false, tight);
            for value in [a, b] {
                prop_assert!((-1e-6..=1.0 + 1e-6).contains(&scale.share(value)));
            }
            prop_assert!(scale.marks().len() <= 10);
            for (value, _) in scale.marks() {
                prop_assert!((-1e-6..=1.0 + 1e-6).contains(&scale.share(*value)));
            }
        }
    }
}
