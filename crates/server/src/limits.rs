//! What is bounded, and how tightly.

use std::time::{Duration, Instant};

/// What is bounded. A page needs six connections and one simulation; four views side by side need
/// four.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Connections at a time; more are turned away at once.
    pub connections: usize,
    /// Simulations of the remote engine at a time.
    pub simulations: usize,
    /// Bytes of a message to the remote engine.
    pub message_bytes: usize,
    /// Messages a second of one socket, on average.
    pub messages_a_second: f64,
    /// Messages of one socket at once.
    pub burst: f64,
    /// Connections that have not sent their first request; beyond these the oldest is closed.
    pub heads: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long a connection may be silent. Sockets are pinged three times as often, and a browser
    /// answers.
    pub silence: Duration,
    /// How long one request keeps the remote engine from the next.
    pub turn: Duration,
    /// How long the remote engine may take to answer; a step that takes longer ends its session.
    pub answer: Duration,
    /// Pairs of bodies that a step of the remote engine looks at. About a kilobyte each: what
    /// bounds its memory.
    pub pairs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 128,
            simulations: 8,
            message_bytes: carom_web::MOST_TEXT_BYTES + (1 << 20),
            messages_a_second: 240.0,
            burst: 480.0,
            heads: 32,
            head: Duration::from_secs(5),
            silence: Duration::from_secs(30),
            turn: Duration::from_millis(100),
            answer: Duration::from_secs(20),
            pairs: 200_000,
        }
    }
}

/// A bucket of tokens: fills at a rate, holds so many, and every message takes one.
#[derive(Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    most: f64,
    a_second: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new(limits: &Limits, now: Instant) -> Self {
        Self { tokens: limits.burst, most: limits.burst, a_second: limits.messages_a_second, filled: now }
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * self.a_second).min(self.most);
        self.filled = now;
        let there = self.tokens >= 1.0;
        if there {
            self.tokens -= 1.0;
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three at once, then one for each half of a second, whatever the hurry.
    #[test]
    fn a_bucket_lets_bursts_through_and_keeps_the_rate() {
        let start = Instant::now();
        let limits = Limits { burst: 3.0, messages_a_second: 2.0, ..Limits::default() };
        let mut bucket = Bucket::new(&limits, start);
        let mut passed = Vec::new();
        for eighth in 0..80_u32 {
            if bucket.take(start + eighth * Duration::from_millis(125)) {
                passed.push(eighth);
            }
        }
        assert_eq!(passed[..5], [0, 1, 2, 4, 8]);
        assert_eq!(passed.len(), 3 + 19 + usize::from(passed.len() > 22));
        let late = start + Duration::from_secs(1000);
        let at_once = (0..10).filter(|_| bucket.take(late)).count();
        assert_eq!(at_once, 3);
    }
}
