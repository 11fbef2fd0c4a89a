//! Which file is of which student and scene.
//!
//! A file belongs to the scene whose path, without ending, its own path ends with:
//! `alice/t2m1/test02.bin` and `alice_test02.bin` are of `t2m1/test02.xml` and `test02.xml`. What
//! comes before is the student. Where there is one scene, every file is of it.

use crate::trajectory_file::{self, Kind};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// A file of a student, or its absence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Submission {
    pub(super) student: String,
    pub(super) scene_name: String,
    /// Empty where no scene fits the file's name.
    pub(super) scene: PathBuf,
    /// Nothing where a student has handed in other scenes, but not this one.
    pub(super) file: Option<PathBuf>,
}

/// A scene or a submitted file: where it is, and its name in its folder without ending, parts by
/// `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    path: PathBuf,
    name: String,
}

/// Deepest folder that is looked into.
const DEEPEST: usize = 16;

/// All submissions, by student and scene, with those that are missing.
pub(super) fn submissions(paths: &[PathBuf]) -> Result<Vec<Submission>> {
    let (scenes, files) = sorted_out(paths)?;
    ensure!(!scenes.is_empty(), "no scene was found: give a folder, a pattern or files of scenes first");
    ensure!(!files.is_empty(), "no submission was found: give a folder, a pattern or files after the scenes");
    let find = |file: &Found| belonging(&scenes, file).or_else(|| stray(file));
    let mut all: Vec<Submission> = files.iter().filter_map(find).collect();
    add_missing(&scenes, &mut all);
    all.sort_by(|a, b| (&a.student, &a.scene_name, &a.file).cmp(&(&b.student, &b.scene_name, &b.file)));
    Ok(all)
}

/// The first path names scenes, the last submissions; what is between, or comes from a pattern of
/// the shell, is sorted by its content.
fn sorted_out(paths: &[PathBuf]) -> Result<(Vec<Found>, Vec<Found>)> {
    let (mut scenes, mut files) = (Vec::new(), Vec::new());
    let last = paths.len().saturating_sub(1);
    for (place, path) in paths.iter().enumerate() {
        for found in expand(path)? {
            // what cannot be read is a submission: it gets a row with that reason
            let is_scene = matches!(trajectory_file::kind_of(&found.path), Ok(Kind::Scene));
            let from_folder = path.is_dir();
            match (is_scene, from_folder) {
                (true, true) if place == last && place > 0 => {} // scenes among submissions
                (true, _) => scenes.push(found),
                (false, true) if place < last => {} // other files among scenes
                (false, _) => files.push(found),
            }
        }
    }
    scenes.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((scenes, files))
}

/// The files of a folder, of a pattern, or the file itself.
fn expand(path: &Path) -> Result<Vec<Found>> {
    if path.is_dir() {
        let mut found = Vec::new();
        walk(path, path, 0, &mut found)?;
        return Ok(found);
    }
    let text = path.to_string_lossy();
    if !path.exists() && text.contains(['*', '?']) {
        let parts: Vec<String> =
            path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
        let fixed = parts.iter().take_while(|part| !part.contains(['*', '?'])).count();
        let root: PathBuf = parts[..fixed].iter().collect();
        let root = if fixed == 0 { PathBuf::from(".") } else { root };
        let mut found = Vec::new();
        if root.is_dir() {
            walk(&root, &root, 0, &mut found)?;
        }
        let pattern = parts[fixed..].join("/");
        found.retain(|f| {
            let relative = f.path.strip_prefix(&root).unwrap_or(&f.path).to_string_lossy().replace('\\', "/");
            matches(&pattern, &relative)
        });
        return Ok(found);
    }
    ensure!(path.exists(), "{} is not there", path.display());
    Ok(vec![Found { path: path.to_owned(), name: stem(path) }])
}

fn walk(root: &Path, folder: &Path, depth: usize, found: &mut Vec<Found>) -> Result<()> {
    let cannot_read = || format!("cannot read the folder {}", folder.display());
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(cannot_read)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .with_context(cannot_read)?;
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        // a folder of one student that cannot be read gets a row, and does not hide the others
        let is_folder = path.is_dir();
        let is_read = is_folder && depth < DEEPEST && walk(root, &path, depth + 1, found).is_ok();
        if !is_read && (!is_folder || depth < DEEPEST) {
            let name = stem(path.strip_prefix(root).unwrap_or(&path));
            found.push(Found { path, name });
        }
    }
    Ok(())
}

/// A path without its ending, parts by `/`.
fn stem(path: &Path) -> String {
    path.with_extension("").to_string_lossy().replace('\\', "/")
}

/// Whether a name fits a pattern: `*` and `?` stand for anything but `/`, `**` for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // fits[j]: the pattern so far fits the first j letters
    let mut fits = vec![false; n.len() + 1];
    fits[0] = true;
    let mut k = 0;
    while k < p.len() {
        let any = p[k] == '*' && p.get(k + 1) == Some(&'*');
        let mut next = vec![false; n.len() + 1];
        match p[k] {
            '*' => {
                let mut open = false;
                for j in 0..=n.len() {
                    open |= fits[j];
                    next[j] = open;
                    open &= j < n.len() && (any || n[j] != '/');
                }
            }
            letter => {
                for j in 1..=n.len() {
                    next[j] = fits[j - 1] && (n[j - 1] == letter || letter == '?' && n[j - 1] != '/');
                }
            }
        }
        fits = next;
        k += if any { 2 } else { 1 };
    }
    fits[n.len()]
}

/// The scene of a file, the one with the longest name where several fit.
fn belonging(scenes: &[Found], file: &Found) -> Option<Submission> {
    let fit = |scene: &Found| -> Option<(usize, String)> {
        let rest = file.name.strip_suffix(scene.name.as_str())?;
        let ends_a_part = rest.is_empty() || rest.ends_with(['/', '_', '-', '.', ' ']);
        ends_a_part.then(|| (scene.name.len(), rest.trim_end_matches(['/', '_', '-', '.', ' ']).to_owned()))
    };
    let short = |scene: &Found| Found {
        path: scene.path.clone(),
        name: scene.name.rsplit('/').next().unwrap_or(&scene.name).to_owned(),
    };
    let exact = scenes.iter().filter_map(|scene| Some((fit(scene)?, scene))).max_by_key(|((len, _), _)| *len);
    // students rarely keep the folders of scenes; a name that only one scene has is enough
    let by_name = || {
        let mut fits = scenes.iter().filter_map(|scene| Some((fit(&short(scene))?, scene)));
        let first = fits.next()?;
        let longest = fits.fold((first, true), |(best, alone), other| match other.0.0.cmp(&best.0.0) {
            std::cmp::Ordering::Greater => (other, true),
            std::cmp::Ordering::Equal => (best, false),
            std::cmp::Ordering::Less => (best, alone),
        });
        longest.1.then_some(longest.0)
    };
    let only = || match scenes {
        [scene] => Some(((0, file.name.clone()), scene)),
        _ => None,
    };
    let ((_, student), scene) = exact.or_else(by_name).or_else(only)?;
    let student = if student.is_empty() { "–".to_owned() } else { student };
    let scene_name = scene.name.clone();
    Some(Submission { student, scene_name, scene: scene.path.clone(), file: Some(file.path.clone()) })
}

/// A trajectory that belongs to no scene is not passed over in silence: its name may be misspelt.
/// Other files are no submissions.
fn stray(file: &Found) -> Option<Submission> {
    let is_trajectory =
        file.path.extension().is_some_and(|e| ["bin", "carom", "npz"].iter().any(|x| e == *x));
    let is_folder = file.path.is_dir();
    (is_trajectory || is_folder).then(|| {
        let student = file.name.split('/').next().unwrap_or(&file.name).to_owned();
        let (scene_name, scene) = ("?".to_owned(), PathBuf::new());
        Submission { student, scene_name, scene, file: Some(file.path.clone()) }
    })
}

/// Scenes that a student did not hand in.
fn add_missing(scenes: &[Found], all: &mut Vec<Submission>) {
    let mut students: Vec<String> = all.iter().map(|submission| submission.student.clone()).collect();
    students.sort();
    students.dedup();
    let mut missing = Vec::new();
    for student in students {
        for scene in scenes {
            let has = |s: &Submission| s.student == student && s.scene == scene.path;
            if !all.iter().any(has) {
                let (scene_name, scene) = (scene.name.clone(), scene.path.clone());
                missing.push(Submission { student: student.clone(), scene_name, scene, file: None });
            }
        }
    }
    all.extend(missing);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Found {
        Found { path: PathBuf::from(format!("{name}.x")), name: name.to_owned() }
    }

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("*.xml", "a.xml", true),
            ("*.xml", "b/a.xml", false),
            ("**/*.xml", "b/c/a.xml", true),
            ("t?m1/*", "t2m1/test.xml", true),
            ("a*b*c", "aXXbYYc", true),
            ("a*b*c", "aXXbYY", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn files_find_their_scenes() {
        let scenes = [found("t2m1/test01"), found("t2m1/test02"), found("t2m2/test02"), found("last")];
        let of = |name: &str| belonging(&scenes, &found(name)).map(|s| (s.student, s.scene_name));
        let some = |student: &str, scene: &str| Some((student.to_owned(), scene.to_owned()));
        assert_eq!(of("alice/t2m1/test02"), some("alice", "t2m1/test02"));
        assert_eq!(of("bob_test01"), some("bob", "t2m1/test01"));
        assert_eq!(of("alice/last"), some("alice", "last"));
        assert_eq!(of("alice/test02"), None, "two scenes are called so");
        assert_eq!(of("blast"), None, "the name only ends so");
        let named = |path: &str| stray(&Found { path: path.into(), name: stem(Path::new(path)) });
        let stray_of = named("alice/test2.bin").map(|s| (s.student, s.scene_name));
        assert_eq!(stray_of, some("alice", "?"), "a misspelt name is reported");
        assert_eq!(named("alice/notes.txt"), None);
        let one = [found("t2m1/test01")];
        let only = belonging(&one, &found("alice")).unwrap();
        assert_eq!((only.student.as_str(), only.scene_name.as_str()), ("alice", "t2m1/test01"));
    }
}
