//! Numbers as people read them in pictures.

/// Four significant digits, with a power of ten only for the very large and the very small; a true
/// minus sign.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "not a number".to_owned() } else { "infinite".to_owned() };
    }
    let size = value.abs();
    let text = if size == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        let digits = (3 - libm::floor(libm::log10(size)) as i32).clamp(0, 6) as usize;
        trimmed(format!("{value:.digits$}"))
    } else {
        scientific(value, 3)
    };
    text.replace('-', "\u{2212}")
}

/// A multiple of `step`, with as many decimals as the step needs; powers of ten beyond what is easy
/// to read.
pub fn tick(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step.abs() { 0.0 } else { value };
    let text = if value != 0.0 && !(1e-4..1e6).contains(&value.abs()) {
        let digits = libm::floor(libm::log10(value.abs())) - libm::floor(libm::log10(step.abs()) + 1e-9);
        scientific(value, digits.clamp(0.0, 6.0) as usize)
    } else {
        let decimals = (-libm::floor(libm::log10(step.abs()) + 1e-9)).clamp(0.0, 9.0) as usize;
        format!("{value:.decimals$}")
    };
    text.replace('-', "\u{2212}")
}

fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa.to_owned())),
        None => text,
    }
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(12.3456), "12.35");
        assert_eq!(short(-0.5), "\u{2212}0.5");
        assert_eq!(short(1234567.0), "1.235e6");
        assert_eq!(short(1.0e-9), "1e\u{2212}9");
        assert_eq!(short(f64::NAN), "not a number");
    }

    #[test]
    fn ticks_have_the_decimals_of_their_step() {
        assert_eq!(tick(0.30000000000000004, 0.1), "0.3");
        assert_eq!(tick(1.5, 0.5), "1.5");
        assert_eq!(tick(-1e-17, 0.1), "0.0");
        assert_eq!(tick(2.0e7, 1.0e7), "2e7");
        assert_eq!(tick(2.5e-6, 5.0e-7), "2.5e\u{2212}6");
    }
}
