//! Jacobi's elliptic functions by arithmetic-geometric means, and the free top that they describe.

use carom_numerics::elementary::{asin, cos, sin};
use std::f64::consts::FRAC_PI_2;

/// sn, cn and dn of u for the parameter m = k², 0 ≤ m < 1 (Abramowitz and Stegun 16.4).
pub(crate) fn jacobi(u: f64, m: f64) -> (f64, f64, f64) {
    let (mut a, mut b, mut c) = (1.0, (1.0 - m).sqrt(), m.sqrt());
    let (mut ratios, mut power) = (Vec::new(), 1.0);
    while c.abs() > 1e-16 {
        (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
        ratios.push(c / a);
        power *= 2.0;
    }
    let mut phi = power * a * u;
    for ratio in ratios.into_iter().rev() {
        phi = 0.5 * (phi + asin(ratio * sin(phi)));
    }
    let sn = sin(phi);
    (sn, cos(phi), (1.0 - m * sn * sn).sqrt())
}

/// K, a quarter of the period of sn.
pub(crate) fn quarter_period(m: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - m).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// A free asymmetric body, I1 < I2 < I3, that starts with ω = (ω1, 0, ω3) and |L|² > 2 E I2.
pub(crate) struct FreeTop {
    pub(crate) moments: [f64; 3],
    pub(crate) omega1: f64,
    pub(crate) omega3: f64,
}

impl FreeTop {
    /// ω in body axes at a time (Landau and Lifshitz, Mechanics, section 37).
    pub(crate) fn at(&self, time: f64) -> [f64; 3] {
        let [i1, i2, i3] = self.moments;
        let twice_energy = i1 * self.omega1 * self.omega1 + i3 * self.omega3 * self.omega3;
        let square = (i1 * self.omega1).powi(2) + (i3 * self.omega3).powi(2);
        assert!(square > twice_energy * i2, "the other case has other formulas");
        let low = twice_energy * i3 - square;
        let high = square - twice_energy * i1;
        let rate = ((i3 - i2) * high / (i1 * i2 * i3)).sqrt();
        let (sn, cn, dn) = jacobi(rate * time, (i2 - i1) * low / ((i3 - i2) * high));
        [self.omega1 * cn, (low / (i2 * (i3 - i2))).sqrt() * sn, self.omega3 * dn]
    }
}
