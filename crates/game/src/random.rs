//! Numbers from a seed, the same on every machine.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014,
/// figure 17): a counter, well mixed.
#[derive(Debug, Clone)]
pub struct Random {
    counter: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.counter ^ (self.counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of the unit interval, 1 excluded: 53 bits, so that every value is exact.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 1234567, as the authors' Java program and the Rosetta Code task
    /// give them.
    #[test]
    fn known_numbers() {
        let mut random = Random::new(1_234_567);
        let found = [random.bits(), random.bits(), random.bits()];
        assert_eq!(found, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn units_fill_the_interval() {
        let mut random = Random::new(3);
        let numbers: Vec<f64> = (0..4000).map(|_| random.unit()).collect();
        assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
        let mean = numbers.iter().sum::<f64>() / 4000.0;
        // Four standard deviations of the mean of uniform numbers: 4 / √(12 · 4000).
        assert!((mean - 0.5).abs() < 0.0183, "{mean}");
    }
}
