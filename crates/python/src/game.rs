//! The asteroid game for learning programs: many games at once, numbers in and out.

use crate::errors;
use carom_game::{Flight, Game, Keys, Phase, rules};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Mutex, PoisonError};

/// Numbers of the ship and of Earth in an observation: place, direction, velocity and spin of the
/// ship, what is in the tank, and where Earth is from there.
const OWN: usize = 10;
/// Numbers of each asteroid: where it is from the ship, its velocity against the ship, its size.
const EACH: usize = 5;
/// Asteroids in an observation: the nearest ones, zeros where there are fewer.
const NEAREST: usize = 8;

/// Reward of an arrival and of a crash; in between, how much nearer Earth is.
const ARRIVAL: f64 = 10.0;
const CRASH: f64 = -10.0;
const RESTART: f64 = -5.0;

/// Games side by side.
#[pyclass(frozen, module = "carom._carom")]
pub(crate) struct GamesCore {
    level: u32,
    games: Mutex<Vec<Game>>,
}

/// Observations, rewards, whether each is won or lost, whether its time is over.
type Stepped<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

#[pymethods]
impl GamesCore {
    #[classattr]
    const OBSERVATION: usize = OWN + NEAREST * EACH;

    #[new]
    fn new(py: Python<'_>, level: u32, seeds: Vec<u64>) -> PyResult<GamesCore> {
        let games = seeds.into_iter().map(|seed| Game::new(Flight { level, seed }));
        let games = games.collect::<Result<_, _>>().map_err(|error| errors::argument(py, error))?;
        Ok(GamesCore { level, games: Mutex::new(games) })
    }

    /// Starts some games anew, each with its seed.
    fn reset(&self, py: Python<'_>, which: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        let mut games = self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        for (place, seed) in which.into_iter().zip(seeds) {
            let game = games.get_mut(place).ok_or_else(|| errors::argument(py, "no such game"))?;
            let flight = Flight { level: self.level, seed };
            *game = Game::new(flight).map_err(|error| errors::argument(py, error))?;
        }
        Ok(())
    }

    /// What is seen now.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let games = self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let numbers: Vec<f64> = games.iter().flat_map(observation).collect();
        PyArray1::from_vec(py, numbers).reshape([games.len(), Self::OBSERVATION])
    }

    /// One action for each game, for so many ticks. An action is a mask: 1 forward, 2 left, 4 back,
    /// 8 right.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, u8>,
        ticks: u32,
        limit: u32,
    ) -> PyResult<Stepped<'py>> {
        let mut games = self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let actions: Vec<u8> = actions.as_array().iter().copied().collect();
        if actions.len() != games.len() {
            let words = format!("{} actions for {} games", actions.len(), games.len());
            return Err(errors::argument(py, words));
        }
        if let Some(wrong) = actions.iter().find(|action| **action > 15) {
            return Err(errors::argument(py, format!("an action is from 0 to 15, not {wrong}")));
        }
        let (mut seen, mut rewards) = (Vec::new(), Vec::new());
        let (mut over, mut late) = (Vec::new(), Vec::new());
        let games = &mut *games;
        py.detach(|| {
            for (game, action) in games.iter_mut().zip(actions) {
                rewards.push(play(game, Keys::from_bits(action), ticks));
                over.push(game.phase() != Phase::Flying);
                late.push(game.phase() == Phase::Flying && game.ticks() >= limit);
                seen.extend(observation(game));
            }
        });
        let seen = PyArray1::from_vec(py, seen).reshape([games.len(), Self::OBSERVATION])?;
        let rewards = PyArray1::from_vec(py, rewards);
        Ok((seen, rewards, PyArray1::from_vec(py, over), PyArray1::from_vec(py, late)))
    }

    /// Hash, ticks, fuel, starts beyond the first, and score of every game.
    fn state(&self, py: Python<'_>) -> Vec<(String, u32, u32, u32, u32)> {
        let games = self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        games.iter().map(|g| (g.hash(), g.ticks(), g.fuel(), g.restarts(), g.score())).collect()
    }
}

/// Plays some ticks under the same keys; gives the reward.
fn play(game: &mut Game, keys: Keys, ticks: u32) -> f64 {
    let before = distance(game);
    let restarts = game.restarts();
    for _ in 0..ticks {
        game.tick(keys);
    }
    let started_anew = f64::from(game.restarts() - restarts);
    let nearer = if started_anew > 0.0 { 0.0 } else { before - distance(game) };
    let end = match game.phase() {
        Phase::Flying => 0.0,
        Phase::Won => ARRIVAL,
        Phase::Crashed(_) => CRASH,
    };
    nearer + RESTART * started_anew + end
}

fn distance(game: &Game) -> f64 {
    let (ship, earth) = (game.ship().position, game.body(1).position);
    ((ship[0] - earth[0]).powi(2) + (ship[1] - earth[1]).powi(2)).sqrt()
}

/// What a player sees of a game, in numbers of about 1.
fn observation(game: &Game) -> Vec<f64> {
    let (ship, earth) = (game.ship(), game.body(1));
    let screen = rules::HALF_WIDTH;
    let from_ship = |place: [f64; 2]| [0, 1].map(|k| (place[k] - ship.position[k]) / screen);
    // the scene's own sine, so that an observation has the same bits everywhere
    let (sin, cos) = carom_numerics::elementary::sin_cos(ship.angle);
    let [ex, ey] = from_ship(earth.position);
    let mut numbers = Vec::with_capacity(GamesCore::OBSERVATION);
    numbers.extend([ship.position[0] / screen, ship.position[1] / screen, cos, sin]);
    numbers.extend([ship.velocity[0], ship.velocity[1], ship.spin]);
    numbers.extend([f64::from(game.fuel()) / f64::from(game.level().tank.max(1)), ex, ey]);
    let mut asteroids: Vec<[f64; EACH]> = (2..game.looks().len())
        .map(|body| {
            let moving = game.body(body);
            let [x, y] = from_ship(moving.position);
            let velocity = [0, 1].map(|k| moving.velocity[k] - ship.velocity[k]);
            [x, y, velocity[0], velocity[1], game.looks()[body].extent / screen]
        })
        .collect();
    let square = |a: &[f64; EACH]| a[0] * a[0] + a[1] * a[1];
    asteroids.sort_by(|a, b| square(a).total_cmp(&square(b)));
    asteroids.resize(NEAREST, [0.0; EACH]);
    numbers.extend(asteroids.into_iter().flatten());
    numbers
}
