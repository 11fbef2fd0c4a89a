//! The grid of a sweep: a TOML file to a list of settings.

use anyhow::{Context, Result, bail, ensure};
use carom_scene::Change;
use carom_scene::description::Knob;
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

/// What a table reports of each run.
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
    pub(super) settings: Vec<(Axis, Value)>,
}

/// What an axis changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    /// As the grid calls it: a path, or the label of a knob. The name of its column.
    pub(super) name: String,
    /// The attribute.
    path: String,
}

impl Case {
    /// Attributes to change.
    pub(super) fn changes(&self) -> Vec<Change> {
        let attributes = self.settings.iter().filter(|(axis, _)| axis.path != SEED);
        attributes.map(|(axis, value)| Change { path: axis.path.clone(), value: written(value) }).collect()
    }

    pub(super) fn seed(&self) -> Option<u64> {
        let seed = self.settings.iter().find(|(axis, _)| axis.path == SEED)?;
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
pub(super) fn read(path: &Path) -> Result<(Grid, String)> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let grid: Grid = toml::from_str(&text).with_context(|| format!("{} is no grid", path.display()))?;
    ensure!(
        grid.until.is_none_or(|until| until >= 0.0 && until.is_finite()),
        "`until` must be a time of at least 0 seconds"
    );
    ensure!(grid.jitter >= 0.0 && grid.jitter.is_finite(), "`jitter` must be a number of at least 0");
    ensure!(grid.rest_speed >= 0.0, "`rest_speed` must be a number of at least 0");
    let has_seed = grid.list.iter().chain([&grid.grid]).flat_map(Table::keys).any(|name| name == SEED);
    ensure!(
        grid.jitter > 0.0 || !has_seed,
        "the axis `seed` needs `jitter`: by how much velocities change at random"
    );
    Ok((grid, text))
}

/// The runs of a sweep, made one by one.
#[derive(Debug)]
pub(super) struct Cases {
    /// Axes with their values; of a list, all that it names and no values.
    axes: Vec<(Axis, Vec<Value>)>,
    list: Vec<Case>,
    count: u64,
}

impl Cases {
    /// All runs of a grid over a scene with these knobs.
    pub(super) fn of(grid: &Grid, knobs: &[Knob]) -> Result<Cases> {
        let named = |name: &String| {
            let target = knobs.iter().find(|knob| knob.label == *name).map(|knob| knob.target.to_string());
            Axis { name: name.clone(), path: target.unwrap_or_else(|| name.clone()) }
        };
        if !grid.list.is_empty() {
            ensure!(grid.grid.is_empty(), "give a [grid] or a [[list]], not both");
            let scalar = |(name, value): (&String, &Value)| Ok((named(name), checked(name, value)?));
            let case =
                |table: &Table| Ok(Case { settings: table.iter().map(scalar).collect::<Result<_>>()? });
            let list: Vec<Case> = grid.list.iter().map(case).collect::<Result<_>>()?;
            let mut axes: Vec<(Axis, Vec<Value>)> = Vec::new();
            for (axis, _) in list.iter().flat_map(|case| &case.settings) {
                if !axes.iter().any(|(known, _)| known == axis) {
                    axes.push((axis.clone(), Vec::new()));
                }
            }
            let count = list.len() as u64;
            return Ok(Cases { axes, list, count });
        }
        let values = |(name, given): (&String, &Value)| {
            let knob = knobs.iter().find(|knob| knob.label == *name);
            Ok((named(name), axis(name, given, knob)?))
        };
        let axes: Vec<(Axis, Vec<Value>)> = grid.grid.iter().map(values).collect::<Result<_>>()?;
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
    pub(super) fn names(&self) -> Vec<&str> {
        self.axes.iter().map(|(axis, _)| axis.name.as_str()).collect()
    }

    /// The run of a number; the last axis changes fastest.
    pub(super) fn get(&self, number: u64) -> Case {
        if let Some(case) = self.list.get(number as usize) {
            return case.clone();
        }
        let mut rest = number;
        let mut settings: Vec<(Axis, Value)> = Vec::with_capacity(self.axes.len());
        for (axis, values) in self.axes.iter().rev() {
            let count = values.len() as u64;
            settings.push((axis.clone(), values[(rest % count) as usize].clone()));
            rest /= count;
        }
        settings.reverse();
        Case { settings }
    }
}

/// The values of an axis: a list, one value, or so many from one to another. A knob has a range of
/// its own: `{ count = n }` takes so many values of it, `{}` those that are its `step` apart.
fn axis(path: &str, given: &Value, knob: Option<&Knob>) -> Result<Vec<Value>> {
    let values = match (given, knob) {
        (Value::Table(range), Some(knob)) if !range.contains_key("from") => of_knob(knob, range)?,
        _ => plain_axis(path, given)?,
    };
    ensure!(!values.is_empty(), "the axis `{path}` has no values");
    Ok(values)
}

fn of_knob(knob: &Knob, range: &Table) -> Result<Vec<Value>> {
    let Knob { label, min, max, step, .. } = knob;
    let wrong = || format!("the knob `{label}` is a list, {{ count = .. }}, or {{}} where it has a step");
    ensure!(range.keys().all(|name| name == "count"), wrong());
    let by_step = || step.map(|step| ((max - min) / step + 1e-9).floor() as i64 + 1);
    let count = match range.get("count") {
        Some(count) => count.as_integer(),
        None => by_step(),
    };
    let count = count.filter(|count| (1..=MOST_VALUES).contains(count)).with_context(wrong)?;
    let apart = match step {
        Some(step) if range.is_empty() => *step,
        _ => (max - min) / (count - 1).max(1) as f64,
    };
    Ok((0..count).map(|k| Value::Float(min + apart * k as f64)).collect())
}

fn plain_axis(path: &str, given: &Value) -> Result<Vec<Value>> {
    let values = match given {
        Value::Array(values) => values.iter().map(|v| checked(path, v)).collect::<Result<Vec<_>>>()?,
        Value::Table(range) => spread(path, range)?,
        one => vec![checked(path, one)?],
    };
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
    use carom_scene::description::KnobTarget;

    fn grid(text: &str) -> Result<Cases> {
        Cases::of(&toml::from_str(text)?, &[])
    }

    #[test]
    fn a_knob_is_an_axis_by_its_label_with_its_own_range() {
        let knob = Knob {
            label: "Bounce".to_owned(),
            target: KnobTarget::parse("collision.COR").unwrap(),
            min: 0.0,
            max: 1.0,
            step: Some(0.25),
        };
        let cases = |text: &str| Cases::of(&toml::from_str(text).unwrap(), std::slice::from_ref(&knob));
        let values = |text: &str| -> Vec<String> {
            let cases = cases(text).unwrap();
            assert_eq!(cases.names(), ["Bounce"]);
            let change = |k| cases.get(k).changes().remove(0);
            (0..cases.len()).map(change).map(|c| format!("{}={}", c.path, c.value)).collect()
        };
        let steps = ["0.0", "0.25", "0.5", "0.75", "1.0"].map(|value| format!("collision.COR={value}"));
        assert_eq!(values("scene='a'\n[grid]\nBounce={}"), steps);
        let three = ["collision.COR=0.0", "collision.COR=0.5", "collision.COR=1.0"];
        assert_eq!(values("scene='a'\n[grid]\nBounce={count=3}"), three);
        assert_eq!(values("scene='a'\n[grid]\nBounce=[0.2]"), ["collision.COR=0.2"]);
        assert_eq!(values("scene='a'\n[[list]]\nBounce=0.3"), ["collision.COR=0.3"]);
        assert!(cases("scene='a'\n[grid]\nBounce={count=0}").is_err());
        assert!(cases("scene='a'\n[grid]\nBounce={counts=2}").is_err());
    }

    #[test]
    fn every_combination_comes_once_and_the_last_axis_fastest() {
        let cases = grid("scene='a'\n[grid]\nmu=[0.1,0.2]\ndt={from=1,to=3,count=3}").unwrap();
        assert_eq!((cases.len(), cases.names()), (6, vec!["mu", "dt"]));
        let all: Vec<String> = (0..6)
            .map(|k| cases.get(k).changes().iter().map(|c| c.value.clone()).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(all, ["0.1 1", "0.1 2", "0.1 3", "0.2 1", "0.2 2", "0.2 3"]);
    }

    #[test]
    fn a_list_is_run_as_it_stands() {
        let cases = grid("scene='a'\n[[list]]\nmu=0.1\n[[list]]\nCOR=1.0\nseed=3").unwrap();
        assert_eq!(cases.names(), ["mu", "COR", "seed"]);
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
