//! The grid of a sweep: a TOML file to a list of settings.

use anyhow::{Context, Result, bail, ensure};
use carom_scene::Change;
use serde::Deserialize;
use std::path::Path;
use toml::{Table, Value};

/// More runs than this are a mistake.
const MOST_RUNS: u64 = 100_000_000;
/// And more values of one axis.
const MOST_VALUES: i64 = 1_000_000;
/// The axis that disturbs velocities instead of changing an attribute.
const SEED: &str = "seed";

/// What a grid file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    /// File of the scene, from the folder of the grid.
    pub(super) scene: String,
    pub(super) until: Option<f64>,
    #[serde(default)]
    pub(super) jitter: f64,
    #[serde(default = "rest_speed")]
    pub(super) rest_speed: f64,
    pub(super) measure: Option<Vec<Measure>>,
    #[serde(default)]
    grid: Table,
    #[serde(default)]
    list: Vec<Table>,
}

/// What a table tells of each run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Measure {
    Energy,
    Momentum,
    Penetration,
    Contacts,
    Rest,
    Solver,
    FinalState,
}

fn rest_speed() -> f64 {
    1e-3
}

/// The settings of one run, in the order of the axes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Case {
    pub(super) settings: Vec<(String, Value)>,
}

impl Case {
    /// Attributes to change.
    pub(super) fn changes(&self) -> Vec<Change> {
        let attributes = self.settings.iter().filter(|(path, _)| path != SEED);
        attributes.map(|(path, value)| Change { path: path.clone(), value: written(value) }).collect()
    }

    pub(super) fn seed(&self) -> Option<u64> {
        let seed = self.settings.iter().find(|(path, _)| path == SEED)?;
        seed.1.as_integer().map(i64::cast_unsigned)
    }
}

/// A value as scene files have it.
pub(super) fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(flag) => u8::from(*flag).to_string(),
        Value::Integer(number) => number.to_string(),
        // nothing else passes `checked`
        _ => String::new(),
    }
}

/// Reads a grid and checks what can be checked without its scene.
pub(super) fn read(path: &Path) -> Result<(Grid, Cases, String)> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let grid: Grid = toml::from_str(&text).with_context(|| format!("{} is no grid", path.display()))?;
    ensure!(
        grid.until.is_none_or(|until| until >= 0.0 && until.is_finite()),
        "`until` must be a time of at least 0 seconds"
    );
    ensure!(grid.jitter >= 0.0 && grid.jitter.is_finite(), "`jitter` must be a number of at least 0");
    ensure!(grid.rest_speed >= 0.0, "`rest_speed` must be a number of at least 0");
    let cases = Cases::of(&grid)?;
    let has_seeds = cases.axes.iter().any(|(path, _)| path == SEED);
    ensure!(
        !has_seeds || grid.jitter > 0.0,
        "the axis `seed` needs `jitter`: by how much velocities change at random"
    );
    Ok((grid, cases, text))
}

/// The runs of a sweep, made one by one.
#[derive(Debug)]
pub(super) struct Cases {
    /// Paths with their values; of a list, all paths that it names and no values.
    axes: Vec<(String, Vec<Value>)>,
    list: Vec<Case>,
    count: u64,
}

impl Cases {
    fn of(grid: &Grid) -> Result<Cases> {
        if !grid.list.is_empty() {
            ensure!(grid.grid.is_empty(), "give a [grid] or a [[list]], not both");
            let list: Vec<Case> = grid
                .list
                .iter()
                .map(|table| {
                    let scalar = |(path, value): (&String, &Value)| Ok((path.clone(), checked(path, value)?));
                    Ok(Case { settings: table.iter().map(scalar).collect::<Result<_>>()? })
                })
                .collect::<Result<_>>()?;
            let mut axes: Vec<(String, Vec<Value>)> = Vec::new();
            for (path, _) in list.iter().flat_map(|case| &case.settings) {
                if !axes.iter().any(|(known, _)| known == path) {
                    axes.push((path.clone(), Vec::new()));
                }
            }
            let count = list.len() as u64;
            return Ok(Cases { axes, list, count });
        }
        let axes: Vec<(String, Vec<Value>)> = grid
            .grid
            .iter()
            .map(|(path, given)| Ok((path.clone(), axis(path, given)?)))
            .collect::<Result<_>>()?;
        let product = axes.iter().try_fold(1u64, |n, (_, values)| n.checked_mul(values.len() as u64));
        let count = product.filter(|count| *count <= MOST_RUNS);
        let count = count.with_context(|| format!("a sweep has at most {MOST_RUNS} runs"))?;
        Ok(Cases { axes, list: Vec::new(), count })
    }

    /// Number of runs.
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// Names of the axes, in the order of the file.
    pub(super) fn paths(&self) -> Vec<&str> {
        self.axes.iter().map(|(path, _)| path.as_str()).collect()
    }

    /// The run of a number; the last axis changes fastest.
    pub(super) fn get(&self, number: u64) -> Case {
        if let Some(case) = self.list.get(number as usize) {
            return case.clone();
        }
        let mut rest = number;
        let mut settings: Vec<(String, Value)> = Vec::with_capacity(self.axes.len());
        for (path, values) in self.axes.iter().rev() {
            let count = values.len() as u64;
            settings.push((path.clone(), values[(rest % count) as usize].clone()));
            rest /= count;
        }
        settings.reverse();
        Case { settings }
    }
}

/// The values of an axis: a list, one value, or so many from one to another.
fn axis(path: &str, given: &Value) -> Result<Vec<Value>> {
    let values = match given {
        Value::Array(values) => values.iter().map(|v| checked(path, v)).collect::<Result<Vec<_>>>()?,
        Value::Table(range) => spread(path, range)?,
        one => vec![checked(path, one)?],
    };
    ensure!(!values.is_empty(), "the axis `{path}` has no values");
    Ok(values)
}

fn spread(path: &str, range: &Table) -> Result<Vec<Value>> {
    let wrong = || format!("the axis `{path}` is a list, or {{ from = .., to = .., count = .. }}");
    let number = |name: &str| match range.get(name) {
        Some(Value::Float(number)) => Ok(*number),
        Some(Value::Integer(number)) => Ok(*number as f64),
        _ => bail!(wrong()),
    };
    let (from, to) = (number("from")?, number("to")?);
    let count = range.get("count").and_then(Value::as_integer).with_context(wrong)?;
    ensure!((1..=MOST_VALUES).contains(&count) && range.len() == 3, wrong());
    let whole = [range.get("from"), range.get("to")].iter().all(|v| v.is_some_and(Value::is_integer));
    let at = |k: i64| if count == 1 { from } else { from + (to - from) * (k as f64 / (count - 1) as f64) };
    Ok((0..count)
        .map(at)
        .map(|x| if whole && x == x.trunc() { Value::Integer(x as i64) } else { Value::Float(x) })
        .collect())
}

fn checked(path: &str, value: &Value) -> Result<Value> {
    match value {
        Value::String(_) | Value::Boolean(_) | Value::Float(_) => {}
        Value::Integer(number) if path != SEED || *number >= 0 => {}
        _ => bail!("`{path}` cannot be a {}", value.type_str()),
    }
    ensure!(path != SEED || value.is_integer(), "`seed` is a whole number, not a {}", value.type_str());
    Ok(value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Result<Cases> {
        Cases::of(&toml::from_str(text)?)
    }

    #[test]
    fn every_combination_comes_once_and_the_last_axis_fastest() {
        let cases = grid("scene='a'\n[grid]\nmu=[0.1,0.2]\ndt={from=1,to=3,count=3}").unwrap();
        assert_eq!((cases.len(), cases.paths()), (6, vec!["mu", "dt"]));
        let all: Vec<String> = (0..6)
            .map(|k| cases.get(k).changes().iter().map(|c| c.value.clone()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(all, ["0.1 1", "0.1 2", "0.1 3", "0.2 1", "0.2 2", "0.2 3"]);
    }

    #[test]
    fn a_list_is_run_as_it_stands() {
        let cases = grid("scene='a'\n[[list]]\nmu=0.1\n[[list]]\nCOR=1.0\nseed=3").unwrap();
        assert_eq!(cases.paths(), ["mu", "COR", "seed"]);
        assert_eq!((cases.get(0).seed(), cases.get(1).seed()), (None, Some(3)));
        assert_eq!(cases.get(1).changes()[0].value, "1.0");
    }

    #[test]
    fn wrong_grids_are_refused() {
        for text in [
            "[grid]\nmu=[1]",
            "scene='a'\nscenes='b'",
            "scene='a'\n[grid]\nmu=[]",
            "scene='a'\n[grid]\nmu={from=1}",
            "scene='a'\n[grid]\nmu={from=1,to=2,count=0}",
            "scene='a'\n[grid]\nmu={from=1,to=2,count=99999999999}",
            "scene='a'\n[grid]\nmu=[[1]]",
            "scene='a'\n[grid]\nseed=[-1]",
            "scene='a'\n[grid]\nseed=[0.5]",
            "scene='a'\n[grid]\nmu=[1]\n[[list]]\nmu=2",
            "scene='a'\n[grid]\na={from=1,to=2,count=99999}\nb={from=1,to=2,count=99999}",
        ] {
            assert!(grid(text).is_err(), "{text}");
        }
    }
}
