//! The game as JavaScript sees it: numbers out, key masks in. The rules are in `carom-game`.
#![allow(
    unsafe_code,
    reason = "wasm-bindgen writes the glue to JavaScript, and glue calls foreign functions"
)]

use carom_game::{Event, Flight, Game, Keys, LEVELS, Recording, rules};
use carom_scene::description::Wrap;
use serde_json::json;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// A flight in a page.
#[wasm_bindgen(js_name = Game)]
pub struct WebGame {
    game: Game,
}

#[wasm_bindgen(js_class = Game)]
impl WebGame {
    /// A flight at its start.
    #[wasm_bindgen(constructor)]
    pub fn new(level: u32, seed: u64) -> Result<WebGame, JsError> {
        Ok(WebGame { game: Game::new(Flight { level, seed })? })
    }

    /// Levels and rules as JSON: what a page must know to draw the screen and to explain the game.
    pub fn rules() -> String {
        let levels = LEVELS.map(|level| {
            json!({ "name": level.name, "asteroids": level.discs + level.shards, "tank": level.tank, "par": level.par })
        });
        json!({
            "levels": levels,
            "ticksASecond": rules::TICKS_A_SECOND,
            "halfWidth": rules::HALF_WIDTH,
            "halfHeight": rules::HALF_HEIGHT,
            "dockDistance": rules::DOCK_DISTANCE,
            "dockSpeed": rules::DOCK_SPEED,
            "dockSpin": rules::DOCK_SPIN,
            "hullLimit": rules::HULL_LIMIT,
            "landingLimit": rules::LANDING_LIMIT,
        })
        .to_string()
    }

    /// One tick under a mask of keys.
    pub fn tick(&mut self, keys: u8) {
        self.game.tick(Keys::from_bits(keys));
    }

    /// x, y and angle of every body: the ship, Earth, the asteroids.
    pub fn positions(&self) -> Vec<f64> {
        self.game.positions().to_vec()
    }

    /// Of every body: radius, number of corners, and x and y of each.
    pub fn looks(&self) -> Vec<f64> {
        let one = |look: &carom_game::Look| {
            let corners = look.outline.iter().flatten().copied();
            [look.radius, look.outline.len() as f64].into_iter().chain(corners).collect::<Vec<f64>>()
        };
        self.game.looks().iter().flat_map(one).collect()
    }

    /// What a panel shows: ticks, fuel, speed, spin, phase, restarts, score, engines that burn, vx,
    /// vy.
    pub fn gauges(&self) -> Vec<f64> {
        let ship = self.game.ship();
        let [vx, vy] = ship.velocity;
        vec![
            f64::from(self.game.ticks()),
            f64::from(self.game.fuel()),
            (vx * vx + vy * vy).sqrt(),
            ship.spin,
            f64::from(self.game.phase().code()),
            f64::from(self.game.restarts()),
            f64::from(self.game.score()),
            f64::from(self.game.burning().bits()),
            vx,
            vy,
        ]
    }

    /// What happened in the last tick, six numbers each: kind (0 bounce, 1 restart, 2 no fuel, 3
    /// won, 4 crashed), first, second, strength, x, y. A restart's `first` is 1 when it was asked
    /// for.
    pub fn events(&self) -> Vec<f64> {
        let one = |event: &Event| match *event {
            Event::Bounce { first, second, impulse, point } => {
                [0.0, first as f64, second as f64, impulse, point[0], point[1]]
            }
            Event::Restarted(why) => {
                [1.0, f64::from(u8::from(why == carom_game::Restart::Asked)), 0.0, 0.0, 0.0, 0.0]
            }
            Event::OutOfFuel => [2.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Event::Won { score } => [3.0, f64::from(score), 0.0, 0.0, 0.0, 0.0],
            Event::Crashed(_) => [4.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        };
        self.game.events().iter().flat_map(one).collect()
    }

    /// Mass of the ship: a bounce changes its speed by the strength over this.
    #[wasm_bindgen(js_name = shipMass)]
    pub fn ship_mass(&self) -> f64 {
        self.game.ship_mass()
    }

    /// The hash of the present state.
    pub fn hash(&self) -> String {
        self.game.hash()
    }

    /// What was flown so far, as text.
    pub fn recording(&self) -> String {
        self.game.recording().to_text()
    }

    /// The field as a scene file: what the player of scenes needs to show it as the game does is
    /// added.
    pub fn scene(&self) -> String {
        let mut scene = self.game.field().scene.clone();
        let looks = self.game.looks().iter();
        let room = looks.map(|look| look.extent).fold(0.0, f64::max);
        let (x, y) = (rules::HALF_WIDTH + room, rules::HALF_HEIGHT + room);
        scene.general.tag = Some("asteroids".to_owned());
        scene.general.wrap = Some(Wrap { low: [-x, -y], high: [x, y] });
        carom_scene::write(&scene)
    }
}

/// A recorded flight.
#[wasm_bindgen(js_name = Recording)]
pub struct WebRecording {
    recording: Recording,
}

#[wasm_bindgen(js_class = Recording)]
impl WebRecording {
    /// Reads a recording, or says why it is none.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<WebRecording, JsError> {
        Ok(WebRecording { recording: text.parse()? })
    }

    /// Which level was flown.
    pub fn level(&self) -> u32 {
        self.recording.flight.level
    }

    /// Which field was flown.
    pub fn seed(&self) -> u64 {
        self.recording.flight.seed
    }

    /// The mask of keys of every tick.
    pub fn keys(&self) -> Vec<u8> {
        self.recording.keys.iter().map(|keys| keys.bits()).collect()
    }

    /// The hash that it must lead to.
    pub fn hash(&self) -> String {
        self.recording.hash.clone()
    }
}
