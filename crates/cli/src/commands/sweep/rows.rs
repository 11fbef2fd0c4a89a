//! Rows of a sweep: a line of JSON each while it goes on, a table in the end.

use super::parquet;
use anyhow::{Context, Result, bail, ensure};
use carom_trajectory::atomic;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// One run as a row: columns in their order.
pub(super) type Row = Map<String, Value>;

/// Rows as they come, in a file that a kill cannot damage by more than its last line.
pub(super) struct Rows {
    file: File,
    /// Rows that are there already, by the number of their run.
    pub(super) done: BTreeMap<u64, Row>,
}

/// The file of rows of a table, or of one part of it.
pub(super) fn path_of(table: &Path, part: Option<(u64, u64)>) -> PathBuf {
    let mut name = OsString::from(table);
    name.push(part.map_or(".part.jsonl".to_owned(), |(index, of)| format!(".{index}-of-{of}.jsonl")));
    PathBuf::from(name)
}

impl Rows {
    /// Opens the rows of a sweep, or begins them. `sweep` tells one sweep from another.
    pub(super) fn open(path: &Path, sweep: &str, anew: bool) -> Result<Rows> {
        let cannot = || format!("cannot write {}", path.display());
        let mut open = OpenOptions::new();
        let mut file =
            open.create(true).truncate(false).write(true).read(true).open(path).with_context(cannot)?;
        if file.try_lock().is_err() {
            bail!("{} is being written by another sweep", path.display());
        }
        // Read when nobody else can write it any more.
        let done = if anew { BTreeMap::new() } else { read(path, sweep)? };
        if done.is_empty() {
            file.set_len(0).with_context(cannot)?;
            writeln!(file, "{}", serde_json::json!({ "sweep": sweep })).with_context(cannot)?;
        } else {
            cut_torn_lines(&mut file).with_context(cannot)?;
        }
        file.seek(SeekFrom::End(0)).with_context(cannot)?;
        Ok(Rows { file, done })
    }

    /// Adds a row; it is in the hands of the system when this returns.
    pub(super) fn add(&mut self, number: u64, row: Row) -> Result<()> {
        let mut line = Value::Object(row.clone()).to_string();
        line.push('\n');
        self.file.write_all(line.as_bytes()).context("cannot write a row")?;
        self.done.insert(number, row);
        Ok(())
    }
}

/// A kill may leave half a line, and a loss of power lines of nothing: what follows the last whole
/// row goes, and is run again.
fn cut_torn_lines(file: &mut File) -> std::io::Result<()> {
    let mut reader = BufReader::new(&*file);
    reader.seek(SeekFrom::Start(0))?;
    let (mut whole, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if read == 0 || whole_line(&line).is_none() {
            break;
        }
        whole += read as u64;
    }
    file.set_len(whole)
}

fn whole_line(line: &[u8]) -> Option<Row> {
    line.ends_with(b"\n").then(|| serde_json::from_slice(line).ok()).flatten()
}

/// The rows in a file, up to a torn line.
pub(super) fn read(path: &Path, sweep: &str) -> Result<BTreeMap<u64, Row>> {
    let cannot = || format!("cannot read {}", path.display());
    let mut rows = BTreeMap::new();
    let mut first = true;
    let mut reader = BufReader::new(File::open(path).with_context(cannot)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).with_context(cannot)?;
        let Some(row) = whole_line(&line) else {
            let foreign = first && line.ends_with(b"\n");
            ensure!(!foreign, "{} is no file of rows; --anew begins again", path.display());
            return Ok(rows);
        };
        if first {
            first = false;
            ensure!(
                row.get("sweep").and_then(Value::as_str) == Some(sweep),
                "{} is of another grid or scene; --anew begins again",
                path.display()
            );
            continue;
        }
        let number = row.get("run").and_then(Value::as_u64).context("a row without its run")?;
        rows.insert(number, row);
    }
}

/// Whether a table of this name can be written.
pub(super) fn check_ending(path: &Path) -> Result<()> {
    let known = path.extension().is_some_and(|ending| ending == "csv" || ending == "parquet");
    ensure!(known, "the table is a .csv or a .parquet file, not {}", path.display());
    Ok(())
}

/// Writes the table as its name says, whole or not at all.
pub(super) fn write_table(path: &Path, columns: &[String], rows: &BTreeMap<u64, Row>) -> Result<()> {
    if path.extension().is_some_and(|ending| ending == "parquet") {
        let rows: Vec<&Row> = rows.values().collect();
        let cell = |row: usize, name: &str| rows[row].get(name).unwrap_or(&Value::Null);
        let bytes = parquet::bytes(columns, rows.len(), &cell);
        atomic::write_whole(path, |out| out.write_all(&bytes))?;
        return Ok(());
    }
    let mut text = String::new();
    let mut line = |cells: Vec<String>| {
        text.push_str(&cells.join(","));
        text.push('\n');
    };
    line(columns.iter().map(|name| cell(&Value::String(name.clone()))).collect());
    for row in rows.values() {
        line(columns.iter().map(|name| row.get(name).map_or(String::new(), cell)).collect());
    }
    atomic::write_whole(path, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}

/// RFC 4180: quoted where it must be. What is not known is empty.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
