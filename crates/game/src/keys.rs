//! The keys that are down in a tick.

use std::ops::BitOr;

/// The keys that are down in a tick, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Keys(u8);

impl Keys {
    /// No key.
    pub const NONE: Keys = Keys(0);
    /// `w`: the main engine.
    pub const FORWARD: Keys = Keys(1);
    /// `a`: turns left.
    pub const LEFT: Keys = Keys(2);
    /// `s`: the braking engine.
    pub const BACKWARD: Keys = Keys(4);
    /// `d`: turns right.
    pub const RIGHT: Keys = Keys(8);
    /// Starts again.
    pub const RESTART: Keys = Keys(16);
    /// How many different masks there are.
    pub const COUNT: u8 = 32;

    /// The keys of a mask; bits that are no key are dropped.
    pub fn from_bits(bits: u8) -> Keys {
        Keys(bits % Self::COUNT)
    }

    /// The mask: below [`Keys::COUNT`].
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of these keys are down.
    pub fn contains(self, keys: Keys) -> bool {
        self.0 & keys.0 == keys.0
    }
}

impl BitOr for Keys {
    type Output = Keys;

    fn bitor(self, other: Keys) -> Keys {
        Keys(self.0 | other.0)
    }
}
