//! Tidiness as a test: the map is true, files are small, nothing stray is left.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Longest source file, in lines.
const LINE_LIMIT: usize = 400;
/// Names of drawers where things without a home collect.
const BANNED_NAMES: &[&str] = &["utils.rs", "util.rs", "common.rs", "helpers.rs", "misc.rs"];

/// Words of our own that the field has others for (docs/glossary.md), with those.
const PRIVATE_WORDS: &[(&str, &str)] = &[
    ("bodies in space", "spatial bodies"),
    ("scene in space", "3D scene"),
    ("scenes in space", "3D scenes"),
    ("in the plane and in space", "in 2D and in 3D"),
    ("left the finite numbers", "became non-finite"),
    ("as exactly as can be", "to solver precision"),
    ("out of all proportion", "disproportionate"),
    ("nothing to mend", "no problems found"),
    ("mended", "corrected, normalized"),
    ("told", "reported, sets the status; distinguished"),
    ("says so", "reports it, sets the status"),
    ("say so", "report it, set the status"),
    ("looked at", "checked, shown"),
    ("asked again", "checked again, solved again"),
    ("no kind of picture", "unknown picture format"),
    ("seldom", "rarely"),
    ("last resort", "fallback"),
    ("softened", "regularized"),
    ("scripted", "kinematic"),
    ("prescribed_speed", "kinematic_speed"),
    ("gramrows", "SparseJacobian"),
    ("surprise", "re-detection, speculative margin"),
];

/// Crates that may see everything, and so are not in the figure.
const OUTSIDE_THE_LAYERS: &[&str] = &["carom-bench", "carom-testkit", "carom-fuzz", "xtask"];

/// Checks everything and reports all findings at once.
pub(crate) fn run() -> Result<()> {
    println!("\n== tidy");
    let mut findings = Vec::new();
    dependencies(&mut findings)?;
    external_crates(&mut findings)?;
    crate::lock::check(&mut findings)?;
    crate::links::check(&mut findings)?;
    crate::map::check(&mut findings)?;
    for file in tracked_files()? {
        source_file(&file, &mut findings)?;
    }
    if findings.is_empty() {
        println!("tidy: no problems found");
        return Ok(());
    }
    for finding in &findings {
        println!("tidy: {finding}");
    }
    bail!("tidy found {} problems", findings.len());
}

/// Compares the figure in ARCHITECTURE.md with what Cargo says.
fn dependencies(findings: &mut Vec<String>) -> Result<()> {
    let text =
        fs::read_to_string(crate::root().join("ARCHITECTURE.md")).context("cannot read ARCHITECTURE.md")?;
    let figure = read_figure(&text);
    let actual = cargo_graph()?;
    for (name, wanted) in &actual {
        match figure.get(name) {
            None => findings
                .push(format!("ARCHITECTURE.md: crate `{name}` is missing from the dependency figure")),
            Some(drawn) if drawn != wanted => findings.push(format!(
                "ARCHITECTURE.md: the figure draws `{name} ──▶ {}`, Cargo says `{}`",
                drawn.join(" "),
                wanted.join(" ")
            )),
            Some(_) => {}
        }
    }
    for name in figure.keys().filter(|n| !actual.contains_key(*n)) {
        findings.push(format!("ARCHITECTURE.md: the figure draws `{name}`, which is no crate"));
    }
    Ok(())
}

/// Lines of the form `layer  crate ──▶ dep dep` in the first block fenced as `text dependencies`.
fn read_figure(text: &str) -> BTreeMap<String, Vec<String>> {
    let block = text.split("```text dependencies\n").nth(1).and_then(|t| t.split("```").next()).unwrap_or("");
    let mut figure = BTreeMap::new();
    for line in block.lines() {
        let Some((left, right)) = line.split_once("──▶") else { continue };
        let Some(name) = left.split_whitespace().last() else { continue };
        let mut deps: Vec<String> = right.split_whitespace().map(str::to_owned).collect();
        deps.sort();
        figure.insert(name.to_owned(), deps);
    }
    figure
}

/// Most crates of others that the façade brings along, with its default features.
const MOST_EXTERNAL: usize = 20;

/// A library with few dependencies stays one.
fn external_crates(findings: &mut Vec<String>) -> Result<()> {
    let arguments =
        ["tree", "--package", "carom", "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let output = Command::new("cargo").args(arguments).current_dir(crate::root()).output();
    let output = output.context("cannot run cargo tree")?;
    let text = String::from_utf8_lossy(&output.stdout);
    // Our own crates have their folder behind them.
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)").trim_end_matches(" (proc-macro)"));
    let crates: BTreeSet<&str> = lines.filter(|line| !line.is_empty() && !line.ends_with(')')).collect();
    if crates.len() > MOST_EXTERNAL || crates.is_empty() {
        findings
            .push(format!("`carom` needs {} external crates, the limit is {MOST_EXTERNAL}", crates.len()));
    }
    Ok(())
}

fn cargo_metadata() -> Result<Value> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(crate::root())
        .output()
        .context("cannot run cargo metadata")?;
    serde_json::from_slice(&output.stdout).context("cargo metadata gave no JSON")
}

fn cargo_graph() -> Result<BTreeMap<String, Vec<String>>> {
    let metadata = cargo_metadata()?;
    let short = |name: &str| name.strip_prefix("carom-").unwrap_or(name).to_owned();
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let names: Vec<&str> = packages.iter().filter_map(|p| p["name"].as_str()).collect();
    let mut graph = BTreeMap::new();
    for package in packages {
        let Some(name) = package["name"].as_str() else { continue };
        if OUTSIDE_THE_LAYERS.contains(&name) {
            continue;
        }
        let mut deps: Vec<String> = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|d| d["kind"].is_null())
            .filter_map(|d| d["name"].as_str())
            .filter(|d| names.contains(d))
            .map(short)
            .collect();
        deps.sort();
        graph.insert(short(name), deps);
    }
    Ok(graph)
}

fn tracked_files() -> Result<Vec<String>> {
    let output = Command::new("git").args(["ls-files"]).current_dir(crate::root()).output();
    let output = output.context("cannot run git ls-files")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn source_file(file: &str, findings: &mut Vec<String>) -> Result<()> {
    let path = crate::root().join(file);
    let name = Path::new(file).file_name().and_then(|n| n.to_str()).unwrap_or("");
    let is_text = [".rs", ".md", ".toml", ".xml", ".py", ".ts", ".js", ".mjs", ".css", ".html", "run"]
        .iter()
        .any(|e| name.ends_with(e));
    if !is_text || !path.exists() || file.starts_with("fuzz/corpus/") {
        return Ok(());
    }
    let Ok(text) = fs::read_to_string(&path) else {
        findings.push(format!("{file}: is not UTF-8 text"));
        return Ok(());
    };
    if BANNED_NAMES.contains(&name) {
        findings.push(format!("{file}: a drawer without a subject; name the file after what it does"));
    }
    let lines = text.lines().count();
    let is_code = [".rs", ".ts", ".js", ".mjs", ".css", ".py"].iter().any(|e| name.ends_with(e));
    if is_code && lines > LINE_LIMIT {
        findings.push(format!("{file}: {lines} lines, the limit is {LINE_LIMIT}; find the seam"));
    }
    crate::comments::check(file, &text, findings);
    if file == "xtask/src/tidy.rs" {
        return Ok(());
    }
    for (number, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", number + 1);
        if line.ends_with([' ', '\t']) && !name.ends_with(".md") {
            findings.push(format!("{place}: white space at the end of the line"));
        }
        for mark in ["TODO", "FIXME", "todo!(", "unimplemented!(", "#[ignore"] {
            if line.contains(mark) {
                findings.push(format!("{place}: `{mark}` left in the tree"));
            }
        }
        // History keeps the words of its day; the glossary names those of the course.
        if !matches!(file, "CHANGELOG.md" | "docs/glossary.md") {
            let words = line.to_lowercase();
            for (private, common) in PRIVATE_WORDS.iter().filter(|(private, _)| has(&words, private)) {
                findings.push(format!("{place}: `{private}`; the field says {common}"));
            }
        }
        for machine in ["root", "home", "work"].map(|folder| format!("/{folder}/")) {
            if line.contains(&machine) {
                findings.push(format!("{place}: `{machine}` is a path of one machine"));
            }
        }
    }
    Ok(())
}

/// Whether a line has these words, not as a part of longer ones.
fn has(line: &str, words: &str) -> bool {
    line.match_indices(words).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + words.len()..].chars().next());
        ![before, after].into_iter().flatten().any(char::is_alphabetic)
    })
}
