//! What strace wrote, as calls on files.

use std::collections::BTreeMap;

/// What is recorded. Memory maps of files are not written to, and no descriptor is duplicated
/// before it is written to.
pub(crate) const CALLS: &str =
    "trace=openat,write,lseek,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat";

/// A call on the files of one folder. Files are named by a number, because their names change.
#[derive(Debug)]
pub(crate) enum Call {
    Create(usize, String),
    Write { file: usize, at: u64, bytes: Vec<u8> },
    Truncate(usize, u64),
    Sync(usize),
    SyncFolder,
    Rename(String, String),
    Remove(String),
}

/// Reads the log. Names are those within the folder: everything happens in one.
pub(crate) fn read(log: &str) -> Vec<Call> {
    let (mut calls, mut files) = (Vec::new(), 0);
    // Descriptors of files that were made, with their positions; and those of the folder.
    let mut open: BTreeMap<u64, Option<(usize, u64)>> = BTreeMap::new();
    for line in log.lines() {
        let line = line.split_once(' ').map_or(line, |(_, rest)| rest.trim_start());
        let Some((name, rest)) = line.split_once('(') else { continue };
        let Some((arguments, result)) = rest.rsplit_once(" = ") else { continue };
        let Ok(result) = result.split_whitespace().next().unwrap_or("").parse::<u64>() else { continue };
        assert!(!line.contains("<unfinished"), "calls of threads are mixed: {line:.80}");
        let first =
            arguments.split([',', ')']).next().unwrap_or("").trim().parse::<u64>().unwrap_or(u64::MAX);
        match name {
            "openat" if arguments.contains("O_CREAT") => {
                open.insert(result, Some((files, 0)));
                calls.push(Call::Create(files, last_part(&strings(arguments)[0])));
                files += 1;
            }
            "openat" => {
                open.insert(result, None);
            }
            "write" => {
                if let Some(Some((file, at))) = open.get_mut(&first) {
                    let bytes = unescaped(arguments);
                    assert_eq!(bytes.len() as u64, result, "a write that was cut in the log");
                    calls.push(Call::Write { file: *file, at: *at, bytes });
                    *at += result;
                }
            }
            "lseek" => {
                if let Some(Some((_, at))) = open.get_mut(&first) {
                    *at = result;
                }
            }
            "ftruncate" => {
                let length = arguments.split([',', ')']).nth(1).and_then(|word| word.trim().parse().ok());
                if let Some(Some((file, _))) = open.get(&first) {
                    calls.push(Call::Truncate(*file, length.expect("a length")));
                }
            }
            "fsync" | "fdatasync" => match open.get(&first) {
                Some(Some((file, _))) => calls.push(Call::Sync(*file)),
                _ => calls.push(Call::SyncFolder),
            },
            _ if name.starts_with("rename") => {
                let names = strings(arguments);
                calls.push(Call::Rename(last_part(&names[0]), last_part(&names[1])));
            }
            _ => calls.push(Call::Remove(last_part(&strings(arguments)[0]))),
        }
    }
    calls
}

fn last_part(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// The strings among arguments.
fn strings(arguments: &str) -> Vec<String> {
    let quoted = arguments.split('"').skip(1).step_by(2);
    quoted.map(|hex| String::from_utf8_lossy(&unescaped(&format!("\"{hex}\""))).into_owned()).collect()
}

/// The bytes of the first string, which is written as `\x41\x42`.
fn unescaped(arguments: &str) -> Vec<u8> {
    let hex = arguments.split('"').nth(1).unwrap_or("");
    hex.split("\\x").skip(1).map(|byte| u8::from_str_radix(byte, 16).expect("two digits")).collect()
}
