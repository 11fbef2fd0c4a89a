//! A game under way: a field, a tick at a time.

use crate::event::{Crash, Event, Phase, Restart};
use crate::field::{EARTH, Field, Look, SHIP};
use crate::keys::Keys;
use crate::level::{LEVELS, Level};
use crate::recording::Recording;
use crate::rules::{self, Situation};
use carom::{Frame, Options, Simulation};
use carom_numerics::elementary;
use carom_trajectory::RunHash;

/// Which field is flown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    /// Number of the level, from 1.
    pub level: u32,
    /// Friends with the same seed fly the same field.
    pub seed: u64,
}

/// A game under way. Equal flights under equal keys are equal, to the bit.
#[derive(Debug, Clone)]
pub struct Game {
    flight: Flight,
    level: &'static Level,
    field: Field,
    simulation: Simulation,
    start: Frame,
    now: Frame,
    ship_mass: f64,
    ship_inertia: f64,
    ticks: u32,
    fuel: u32,
    restarts: u32,
    phase: Phase,
    burning: Keys,
    events: Vec<Event>,
    keys: Vec<Keys>,
}

/// How a body moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moving {
    /// Centre of mass.
    pub position: [f64; 2],
    /// Radians, counter-clockwise.
    pub angle: f64,
    /// Velocity of the centre of mass.
    pub velocity: [f64; 2],
    /// Radians a second, counter-clockwise.
    pub spin: f64,
}

/// Why there is no such game.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GameError {
    /// No level has this number.
    #[error("there is no level {0}; levels go from 1 to {last}", last = LEVELS.len())]
    NoSuchLevel(u32),
    /// The field is no scene that can be run: a mistake in this crate.
    #[error("the field cannot be built: {0}")]
    Field(String),
}

impl Game {
    /// A flight at its start.
    pub fn new(flight: Flight) -> Result<Game, GameError> {
        let level = Level::of(flight.level).ok_or(GameError::NoSuchLevel(flight.level))?;
        let field = Field::new(level, flight.seed);
        let simulation = Simulation::new(&field.scene, Options::default());
        let simulation = simulation.map_err(|error| GameError::Field(error.to_string()))?;
        let (masses, inertias) = simulation.mass_properties();
        let start = simulation.frame();
        Ok(Game {
            flight,
            level,
            field,
            simulation,
            now: start.clone(),
            start,
            ship_mass: masses[SHIP],
            ship_inertia: inertias[SHIP],
            ticks: 0,
            fuel: level.tank,
            restarts: 0,
            phase: Phase::Flying,
            burning: Keys::NONE,
            events: Vec::new(),
            keys: Vec::new(),
        })
    }

    /// One tick under these keys. Once a flight is over nothing moves any more. What happened is in
    /// [`Game::events`].
    pub fn tick(&mut self, keys: Keys) {
        self.events.clear();
        self.burning = Keys::NONE;
        if self.phase != Phase::Flying {
            return;
        }
        self.keys.push(keys);
        self.ticks += 1;
        if keys.contains(Keys::RESTART) {
            self.restart(Restart::Asked);
        } else {
            self.burn(keys);
            self.step();
        }
        self.conclude();
    }

    /// Fires the engines that the keys ask for and the tank still feeds.
    fn burn(&mut self, keys: Keys) {
        let had_fuel = self.fuel > 0;
        let (sin, cos) = elementary::sin_cos(self.ship().angle);
        let ahead = |acceleration: f64| {
            let force = self.ship_mass * acceleration;
            ([force * cos, force * sin, 0.0], [0.0; 3])
        };
        let turn = |acceleration: f64| ([0.0; 3], [0.0, 0.0, self.ship_inertia * acceleration]);
        let engines = [
            (Keys::FORWARD, rules::FORWARD_COST, ahead(rules::FORWARD_ACCELERATION)),
            (Keys::BACKWARD, rules::BACKWARD_COST, ahead(-rules::BACKWARD_ACCELERATION)),
            (Keys::LEFT, rules::TURN_COST, turn(rules::TURN_ACCELERATION)),
            (Keys::RIGHT, rules::TURN_COST, turn(-rules::TURN_ACCELERATION)),
        ];
        for (key, cost, (force, torque)) in engines {
            if keys.contains(key) && self.fuel >= cost {
                self.fuel -= cost;
                self.burning = self.burning | key;
                self.simulation.push(SHIP, force, torque);
            }
        }
        if had_fuel && self.fuel == 0 {
            self.events.push(Event::OutOfFuel);
        }
    }

    /// Steps the scene, wraps asteroids, and reports bounces.
    fn step(&mut self) {
        if self.simulation.step().is_err() {
            self.phase = Phase::Crashed(Crash::Simulation);
            return;
        }
        self.simulation.write_frame(&mut self.now);
        let mut any_wrapped = false;
        for (place, look) in self.now.positions.chunks_exact_mut(3).zip(&self.field.looks).skip(EARTH + 1) {
            if let Some([x, y]) = rules::wrapped([place[0], place[1]], look.extent) {
                (place[0], place[1]) = (x, y);
                any_wrapped = true;
            }
        }
        if any_wrapped && self.simulation.restore(&self.now).is_err() {
            self.phase = Phase::Crashed(Crash::Simulation);
        }
        for contact in self.now.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            self.events.push(Event::Bounce {
                first: contact.first as usize,
                second: contact.second as usize,
                impulse: contact.impulse,
                point: [contact.point[0], contact.point[1]],
            });
        }
    }

    /// Judges the ship where it is now.
    fn conclude(&mut self) {
        if self.phase == Phase::Flying {
            self.phase = rules::judge(&self.situation());
        }
        match self.phase {
            Phase::Flying if rules::left_screen(self.ship().position) => self.restart(Restart::LeftScreen),
            Phase::Flying => {}
            Phase::Won => self.events.push(Event::Won { score: self.score() }),
            Phase::Crashed(crash) => self.events.push(Event::Crashed(crash)),
        }
    }

    /// What the rules look at.
    fn situation(&self) -> Situation {
        let (ship, earth) = (self.ship(), self.body(EARTH));
        let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
        let hits = |with: &dyn Fn(usize) -> bool| {
            let hit = |event: &Event| match *event {
                Event::Bounce { first: SHIP, second, impulse, .. } if with(second) => {
                    impulse / self.ship_mass
                }
                _ => 0.0,
            };
            self.events.iter().map(hit).fold(0.0, f64::max)
        };
        Situation {
            earth_distance: length([
                ship.position[0] - earth.position[0],
                ship.position[1] - earth.position[1],
            ]),
            speed: length(ship.velocity),
            spin: ship.spin,
            earth_hit: hits(&|body| body == EARTH),
            asteroid_hit: hits(&|body| body != EARTH),
            ticks: self.ticks,
        }
    }

    /// Puts everything back to the start of the field with a full tank; time goes on.
    fn restart(&mut self, why: Restart) {
        if self.simulation.restore(&self.start).is_err() {
            self.phase = Phase::Crashed(Crash::Simulation);
        }
        self.now.clone_from(&self.start);
        self.fuel = self.level.tank;
        self.restarts += 1;
        self.events.push(Event::Restarted(why));
    }

    /// Mass of the ship: a bounce changes its speed by the impulse over this.
    pub fn ship_mass(&self) -> f64 {
        self.ship_mass
    }

    /// The ship.
    pub fn ship(&self) -> Moving {
        self.body(SHIP)
    }

    /// A body of the field; all zeros for one that is not there.
    pub fn body(&self, body: usize) -> Moving {
        let of = |numbers: &[f64], k: usize| numbers.get(3 * body + k).copied().unwrap_or(0.0);
        let (x, v) = (&self.now.positions, &self.now.velocities);
        Moving {
            position: [of(x, 0), of(x, 1)],
            angle: of(x, 2),
            velocity: [of(v, 0), of(v, 1)],
            spin: of(v, 2),
        }
    }

    /// x, y and angle of every body: the ship, Earth, the asteroids.
    pub fn positions(&self) -> &[f64] {
        &self.now.positions
    }

    /// Velocity and spin of every body, in the order of [`Game::positions`].
    pub fn velocities(&self) -> &[f64] {
        &self.now.velocities
    }

    /// What bodies look like, in the order of [`Game::positions`].
    pub fn looks(&self) -> &[Look] {
        &self.field.looks
    }

    /// The scene that is flown, at its start.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Which field is flown.
    pub fn flight(&self) -> Flight {
        self.flight
    }

    /// Its level.
    pub fn level(&self) -> &'static Level {
        self.level
    }

    /// What happened in the last tick.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Where the flight stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Ticks flown, over all starts.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Fuel left.
    pub fn fuel(&self) -> u32 {
        self.fuel
    }

    /// Starts beyond the first.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Engines that fired in the last tick.
    pub fn burning(&self) -> Keys {
        self.burning
    }

    /// Points for an arrival at this moment.
    pub fn score(&self) -> u32 {
        rules::score(self.flight.level, self.level, self.ticks, self.fuel, self.restarts)
    }

    /// The hash of the present state: sixteen hexadecimal digits of the run hash over positions,
    /// velocities and what the rules keep.
    pub fn hash(&self) -> String {
        let mut state = Frame {
            step: u64::from(self.ticks),
            positions: self.now.positions.clone(),
            velocities: self.now.velocities.clone(),
            ..Frame::default()
        };
        let kept = [self.fuel, self.restarts, u32::from(self.phase.code())];
        state.velocities.extend(kept.map(f64::from));
        RunHash::default().with_frame(&state).to_string()[..16].to_owned()
    }

    /// What was flown so far.
    pub fn recording(&self) -> Recording {
        Recording { flight: self.flight, keys: self.keys.clone(), hash: self.hash() }
    }
}
