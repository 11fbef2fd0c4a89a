//! Variations of inputs: small damage, copied pieces, swapped words and numbers at their limits.

/// Makes new inputs from old ones, the same ones for the same seed.
pub(crate) struct Mutator {
    state: u64,
    words: &'static [&'static str],
}

/// Numbers where readers stumble.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "-1e308",
    "1e400",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "0.5s",
    "0,5",
    "+1",
    ".5",
    "5.",
    "1e",
    "",
    "2147483647",
    "-2147483648",
    "4294967296",
    "1000000000",
    "9223372036854775807",
    "18446744073709551616",
];

impl Mutator {
    pub(crate) fn new(seed: u64, words: &'static [&'static str]) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, words }
    }

    /// A variation of one member of the population, with one to eight changes.
    pub(crate) fn vary(&mut self, population: &[Vec<u8>]) -> Vec<u8> {
        let mut input = population[self.below(population.len())].clone();
        for _ in 0..=self.below(8) {
            self.change(&mut input, population);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, population: &[Vec<u8>]) {
        let at = self.below(input.len() + 1);
        match self.below(10) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.below(256) as u8,
            2 => input.truncate(at),
            3 => self.remove_piece(input, at),
            4 => self.repeat_piece(input, at),
            5 => {
                let other = &population[self.below(population.len())];
                let from = self.below(other.len() + 1);
                let to = (from + self.below(64)).min(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
            6 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                input.splice(at..at, word.bytes());
            }
            7 => self.replace_number(input, at),
            8 if input.len() >= 8 => {
                let at = self.below(input.len() - 7);
                let value = [0, u64::MAX, 1 << 31, 1 << 32, 1 << 62, 255, 65_536][self.below(7)];
                input[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            _ => {
                let count = self.below(16);
                let bytes: Vec<u8> = (0..count).map(|_| self.below(256) as u8).collect();
                input.splice(at..at, bytes);
            }
        }
    }

    fn remove_piece(&mut self, input: &mut Vec<u8>, at: usize) {
        let to = (at + self.below(32)).min(input.len());
        input.drain(at..to);
    }

    fn repeat_piece(&mut self, input: &mut Vec<u8>, at: usize) {
        let to = (at + self.below(128)).min(input.len());
        let piece = input[at..to].to_vec();
        for _ in 0..=self.below(8) {
            input.splice(at..at, piece.iter().copied());
        }
    }

    /// Replaces the number after `at` by one from the list.
    fn replace_number(&mut self, input: &mut Vec<u8>, at: usize) {
        let is_digit = |b: &u8| b.is_ascii_digit() || *b == b'.' || *b == b'-';
        let Some(from) = input[at..].iter().position(is_digit).map(|p| at + p) else { return };
        let to = input[from..].iter().position(|b| !is_digit(b)).map_or(input.len(), |p| from + p);
        let number = NUMBERS[self.below(NUMBERS.len())];
        input.splice(from..to, number.bytes());
    }

    /// A number below `limit`, 0 when there is none. Marsaglia's xorshift (2003).
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        if limit == 0 { 0 } else { (self.state % limit as u64) as usize }
    }
}
