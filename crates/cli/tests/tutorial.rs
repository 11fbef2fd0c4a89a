//! The tutorial as a newcomer does it: its files are written, its commands are run, in their order.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tutorial.md");

/// Fenced blocks of a page: the words after the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let (mut blocks, mut open) = (Vec::new(), None::<(String, String)>);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(words)) => open = Some((words.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

fn run(folder: &Path, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[0], "carom", "the tutorial needs nothing but the program: {line}");
    Command::cargo_bin("carom").unwrap().args(&words[1..]).current_dir(folder).assert().success();
}

#[test]
fn every_command_of_the_tutorial_works() {
    let folder = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(PAGE).unwrap();
    let mut commands = 0;
    for (words, text) in blocks(&page) {
        if let Some((_, name)) = words.split_once("file=") {
            fs::write(folder.path().join(name), text).unwrap();
        } else if words == "sh" {
            text.lines().for_each(|line| run(folder.path(), line));
            commands += text.lines().count();
        }
    }
    assert!(commands >= 8, "the page lost its commands");
    for name in ["tower.carom", "tower.gif", "hit.png", "energy.svg", "slow.carom"] {
        assert!(fs::metadata(folder.path().join(name)).unwrap().len() > 1000, "{name}");
    }
    says_what_the_table_has(&fs::read_to_string(folder.path().join("table.csv")).unwrap());
}

/// "The tower stands up to 3 m/s and falls from 5 m/s on."
fn says_what_the_table_has(table: &str) {
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 25);
    let column = |name| rows[0].iter().position(|&head| head == name).unwrap();
    let (speed, energy) = (column("sphere.vx"), column("energy_end"));
    for row in &rows[1..] {
        let (speed, energy): (f64, f64) = (row[speed].parse().unwrap(), row[energy].parse().unwrap());
        let stands = (energy - 104.0).abs() < 1.0;
        assert!(if speed <= 3.0 { stands } else { speed < 5.0 || !stands }, "{row:?}");
    }
}
