//! `carom plot`: quantities of one or more runs over time.

use crate::arguments::{Plot, Topics};
use crate::footage::{self, Footage};
use crate::scene_file::{self, Warnings};
use crate::{interrupt, picture_file};
use anyhow::{Context, Result, bail, ensure};
use carom::RunEnd;
use carom_render::plot::history::{self, History, Topic};
use carom_render::plot::{self, Chart, Theme, terminal};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Signs across and down for one plot in the terminal.
const TERMINAL: [usize; 2] = [100, 18];

pub(crate) fn run(options: &Plot) -> Result<ExitCode> {
    let inputs = labelled(&options.inputs);
    if let Some(output) = &options.output {
        let ending = output.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        ensure!(
            matches!(ending.as_deref(), Some("svg" | "png")),
            "unknown picture format of {}: use .svg or .png",
            output.display()
        );
    }
    let mut histories = Vec::new();
    let mut whole = true;
    for (label, path) in &inputs {
        let Some(footage) = Footage::open(path, options.scene.as_deref(), options.reading, Warnings::Hide)?
        else {
            return Ok(ExitCode::from(1));
        };
        let (history, end) =
            gather(footage, options.skip_nan).with_context(|| format!("cannot plot {}", path.display()))?;
        match end {
            RunEnd::Stopped => return Ok(super::render::stopped()),
            RunEnd::Failed(failure) => {
                anstream::eprintln!("\u{1b}[1;33mwarning\u{1b}[0m: {label}: {failure}");
                whole = false;
            }
            RunEnd::Finished => {}
        }
        histories.push((label.as_str(), history));
    }
    let runs: Vec<(&str, &History)> = histories.iter().map(|(label, history)| (*label, history)).collect();
    if options.terminal || options.output.is_none() {
        show(&charts(options, &runs, &[Topic::Energy])?)?;
    }
    if let Some(output) = &options.output {
        let charts = charts(options, &runs, &Topic::ALL)?;
        let theme = if options.dark { Theme::DARK } else { Theme::LIGHT };
        let names: Vec<&str> = runs.iter().map(|(label, _)| *label).collect();
        let [width, height] = options.size;
        picture_file::write(output, &plot::stacked(&names.join(", "), &charts, width, height, &theme))?;
        writeln!(crate::terminal::stdout(), "  → {}", output.display())?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The quantities of a run, in bounded memory.
fn gather(mut footage: Footage, skip_nan: bool) -> Result<(History, RunEnd)> {
    let scene = footage.file.scene.clone();
    let interrupt = interrupt::flag();
    let mut history = History::default();
    let mut frames = 0_u64;
    let end = footage.watch(
        &mut |frame| {
            if !skip_nan {
                footage::check_numbers(&scene, frame)?;
            }
            history.push(frame);
            frames += 1;
            Ok(())
        },
        &|| interrupt.is_set(),
    )?;
    ensure!(frames > 0 || end == RunEnd::Stopped, "it has no frames");
    Ok((history, end))
}

/// `LABEL=FILE`, or a file that is named by itself; runs of the same name are labelled with their
/// folders.
fn labelled(inputs: &[String]) -> Vec<(String, PathBuf)> {
    let plain: Vec<&str> = inputs.iter().map(String::as_str).filter(|i| split_label(i).is_none()).collect();
    let name = |path: &str| scene_file::display_name(Path::new(path));
    let is_unique = |path: &str| plain.iter().filter(|other| name(other) == name(path)).count() < 2;
    inputs
        .iter()
        .map(|input| match split_label(input) {
            Some((label, file)) => (label.to_owned(), PathBuf::from(file)),
            None if is_unique(input) => (name(input), PathBuf::from(input)),
            None => (input.clone(), PathBuf::from(input)),
        })
        .collect()
}

/// A file whose name has an equals sign in it is still a file.
fn split_label(input: &str) -> Option<(&str, &str)> {
    input.split_once('=').filter(|(label, _)| !label.is_empty() && !Path::new(input).exists())
}

/// The topics that were asked for; otherwise those of `usual` that are not zero throughout.
fn charts(options: &Plot, runs: &[(&str, &History)], usual: &[Topic]) -> Result<Vec<Chart>> {
    let asked = !options.topic.is_empty();
    let topics: Vec<Topic> = if options.topic.contains(&Topics::All) {
        Topic::ALL.to_vec()
    } else if asked {
        let one = |topic: &Topics| match topic {
            Topics::One(topic) => Some(*topic),
            Topics::All => None,
        };
        options.topic.iter().filter_map(one).collect()
    } else {
        usual.to_vec()
    };
    let charts: Vec<Chart> = topics
        .into_iter()
        .map(|topic| history::chart(topic, runs))
        .filter(|c| asked || says_something(c))
        .collect();
    if charts.is_empty() {
        bail!(
            "there is nothing to plot: everything is zero or unknown; name topics with --topic to see them anyway"
        );
    }
    Ok(charts)
}

/// Whether any curve leaves zero.
pub(crate) fn says_something(chart: &Chart) -> bool {
    chart.series.iter().flat_map(|series| &series.points).any(|point| point[1].is_finite() && point[1] != 0.0)
}

fn show(charts: &[Chart]) -> Result<()> {
    let mut out = crate::terminal::stdout();
    let color = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(TERMINAL[0]);
    for chart in charts {
        writeln!(out, "{}\n", terminal::chart(chart, columns, TERMINAL[1], color))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(inputs: &[&str]) -> Vec<(String, PathBuf)> {
        labelled(&inputs.iter().map(|i| (*i).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn labels_come_from_the_command_line_or_the_file() {
        let found = labels(&["euler=runs/a.carom", "runs/b.carom"]);
        assert_eq!(found[0], ("euler".to_owned(), PathBuf::from("runs/a.carom")));
        assert_eq!(found[1], ("b.carom".to_owned(), PathBuf::from("runs/b.carom")));
    }

    #[test]
    fn equal_names_are_labelled_with_their_folders() {
        let found = labels(&["one/run.carom", "two/run.carom"]);
        assert_eq!(found[0].0, "one/run.carom");
        assert_eq!(found[1].0, "two/run.carom");
    }
}
