//! What happens in a game, for sounds, words and cards.

/// Something that happened in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// Two bodies bounced.
    Bounce {
        /// The body of lower index; 0 is the ship, 1 is Earth.
        first: usize,
        /// The body of higher index.
        second: usize,
        /// Impulse along the normal: how loud it is.
        impulse: f64,
        /// Where they touched.
        point: [f64; 2],
    },
    /// The ship is back at the start of the field.
    Restarted(Restart),
    /// The tank is empty; reported once a tank.
    OutOfFuel,
    /// The ship has reached Earth, slowly and without spin.
    Won {
        /// Points for it.
        score: u32,
    },
    /// The flight is over.
    Crashed(Crash),
}

/// Why the ship starts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// It left the screen.
    LeftScreen,
    /// The player asked for it.
    Asked,
}

/// How a flight ends badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crash {
    /// Too hard a landing on Earth.
    Earth,
    /// Too hard a bounce off an asteroid.
    Asteroid,
    /// The air has run out.
    OutOfTime,
    /// A step became non-finite. No field is known in which this happens.
    Simulation,
}

/// Where a flight stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Under way.
    Flying,
    /// At Earth.
    Won,
    /// Over.
    Crashed(Crash),
}

impl Phase {
    /// A number for it: 0 under way, 1 won, 2 and above crashed.
    pub fn code(self) -> u8 {
        match self {
            Phase::Flying => 0,
            Phase::Won => 1,
            Phase::Crashed(Crash::Earth) => 2,
            Phase::Crashed(Crash::Asteroid) => 3,
            Phase::Crashed(Crash::OutOfTime) => 4,
            Phase::Crashed(Crash::Simulation) => 5,
        }
    }
}
