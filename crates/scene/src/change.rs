//! Changes attributes in the text of a scene: one template, many runs.

use crate::reader::{ReadOptions, read};
use crate::schema::{self, Occurs, SystemKind, Tag};
use crate::source::SourceMap;
use crate::suggestion;
use crate::writer::escaped;
use crate::{Reading, System};
use std::ops::Range;

/// One attribute and its new value, as it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// `mu`, `integrator.dt`, `particle[2].m`, or `particle[*].radius` for all of them.
    pub path: String,
    /// The value, without quotes.
    pub value: String,
}

/// Why an attribute cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeError {
    /// The path as it was given.
    pub path: String,
    /// What is wrong with it.
    pub reason: String,
}

impl std::fmt::Display for ChangeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot set `{}`: {}", self.path, self.reason)
    }
}

impl std::error::Error for ChangeError {}

/// The text with attributes changed, all else as it was. Values are not checked: read the result.
///
/// A path is `tag.attribute`, `tag[n].attribute` or `tag[*].attribute`; the tag may leave out the
/// `rigidbody` or `rigidbody3d` that the names of its system begin with. An attribute alone means
/// the one tag of the scene that has it and stands once: `mu`, `COR`, `dt`. A tag with one
/// attribute needs no more than its name: `duration`. The text must be a scene without errors.
///
/// ```
/// use carom_scene::{Change, ReadOptions, change};
///
/// let text = r#"<scene><duration time="1"/><integrator type="rk4" dt="0.1"/>
///   <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0"/></scene>"#;
/// let changes = [("dt", "0.01"), ("particle[0].radius", "0.5")]
///     .map(|(path, value)| Change { path: path.to_owned(), value: value.to_owned() });
/// let text = change(text, &changes, &ReadOptions::default())?;
/// assert!(text.contains(r#"dt="0.01""#) && text.contains(r#"radius="0.5""#));
/// # Ok::<(), carom_scene::ChangeError>(())
/// ```
pub fn change(text: &str, changes: &[Change], options: &ReadOptions) -> Result<String, ChangeError> {
    change_in(text, &read(text, options), changes)
}

/// As [`change`], for a text that was read already.
pub fn change_in(text: &str, reading: &Reading, changes: &[Change]) -> Result<String, ChangeError> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for change in changes {
        let wrong = |reason: String| ChangeError { path: change.path.clone(), reason };
        let Some(scene) = &reading.scene else {
            return Err(wrong(format!("the scene has {}", reading.problems.summary())));
        };
        let system = match scene.system {
            System::Particles(_) => SystemKind::Particles,
            System::RigidBodies(_) => SystemKind::RigidBodies,
            System::SpatialBodies(_) => SystemKind::SpatialBodies,
        };
        let map = &reading.source_map;
        let (tag, ordinals, attribute) = Target { system, map }.find(&change.path).map_err(wrong)?;
        for ordinal in ordinals {
            let value = escaped(&change.value);
            let edit = match map.values(tag, ordinal, attribute).next() {
                Some(span) => (span, value),
                None => {
                    let end = map.span(tag, ordinal, None).map_or(0, |span| span.end);
                    (end..end, format!(" {attribute}=\"{value}\""))
                }
            };
            // a later change of the same attribute wins
            edits.retain(|(span, text)| {
                *span != edit.0 || span.is_empty() && !text.starts_with(&format!(" {attribute}="))
            });
            edits.push(edit);
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    let mut changed = String::with_capacity(text.len() + 16 * edits.len());
    let mut reached = 0;
    for (span, value) in edits {
        changed.push_str(text.get(reached..span.start).unwrap_or(""));
        changed.push_str(&value);
        reached = span.end;
    }
    changed.push_str(&text[reached..]);
    Ok(changed)
}

/// What a path may name.
struct Target<'a> {
    system: SystemKind,
    map: &'a SourceMap,
}

type Found = (&'static str, Vec<usize>, &'static str);

impl Target<'_> {
    fn find(&self, path: &str) -> Result<Found, String> {
        let Some((element, attribute)) = path.split_once('.') else { return self.bare(path) };
        let (name, which) = match element.strip_suffix(']').and_then(|inner| inner.split_once('[')) {
            Some((name, which)) => (name, Some(which)),
            None => (element, None),
        };
        let tag = self.tag(name)?;
        let known = tag.attribute(attribute).map(|(_, attribute)| attribute.name);
        let attribute = known.ok_or_else(|| {
            let names = tag.attributes.iter().map(|attribute| attribute.name);
            format!("`{}` has no attribute `{attribute}`{}", tag.name, perhaps(attribute, names))
        })?;
        let count = self.map.count(tag.name);
        let ordinals = match which {
            Some("*") if count > 0 => (0..count).collect(),
            None if count > 1 => {
                return Err(format!(
                    "there are {count} `{0}`; name one, `{0}[0]`, or all, `{0}[*]`",
                    tag.name
                ));
            }
            None | Some("*") => vec![0],
            Some(digits) => vec![digits.parse().map_err(|_| format!("`{digits}` is no number of a tag"))?],
        };
        match ordinals.iter().find(|ordinal| **ordinal >= count) {
            Some(_) if count == 0 => Err(format!("the scene has no `{}`", tag.name)),
            Some(beyond) => Err(format!("there are {count} `{}`, from 0; no {beyond}", tag.name)),
            None => Ok((tag.name, ordinals, attribute)),
        }
    }

    /// Tags of the scene's system and of every scene.
    fn tags(&self) -> impl Iterator<Item = &'static Tag> {
        let system = self.system;
        schema::tags().filter(move |tag| tag.system == SystemKind::Any || tag.system == system)
    }

    fn tag(&self, name: &str) -> Result<&'static Tag, String> {
        let prefix = match self.system {
            SystemKind::RigidBodies => "rigidbody",
            SystemKind::SpatialBodies => "rigidbody3d",
            SystemKind::Any | SystemKind::Particles => "",
        };
        let short = |tag: &&Tag| tag.name.strip_prefix(prefix) == Some(name);
        let found = self.tags().find(|tag| tag.name == name).or_else(|| self.tags().find(short));
        let names = self.tags().map(|tag| tag.name);
        found.ok_or_else(|| format!("no tag `{name}` in a scene of this kind{}", perhaps(name, names)))
    }

    /// An attribute alone, or a tag with one attribute.
    fn bare(&self, name: &str) -> Result<Found, String> {
        let with = |tag: &&'static Tag| tag.attribute(name).is_some() && self.map.count(tag.name) > 0;
        let tags: Vec<&Tag> = self.tags().filter(with).collect();
        let once: Vec<&Tag> = tags.iter().filter(|tag| tag.occurs != Occurs::Many).copied().collect();
        let tag = match (once.as_slice(), tags.as_slice()) {
            ([tag], _) | ([], [tag]) => *tag,
            ([], []) => {
                if let Ok(tag) = self.tag(name)
                    && let [attribute] = tag.attributes
                {
                    return self.find(&format!("{}.{}", tag.name, attribute.name));
                }
                if let Some(tag) = self.tags().find(|tag| tag.attribute(name).is_some()) {
                    return Err(format!("it belongs to `{}`, which the scene does not have", tag.name));
                }
                let names = self.tags().filter(|tag| self.map.count(tag.name) > 0);
                let names = names.flat_map(|tag| tag.attributes.iter().map(|attribute| attribute.name));
                return Err(format!("no attribute of the scene has this name{}", perhaps(name, names)));
            }
            (several @ [_, _, ..], _) | (_, several) => {
                let paths: Vec<String> = several.iter().map(|tag| format!("`{}.{name}`", tag.name)).collect();
                return Err(format!("it may be {}", paths.join(", ")));
            }
        };
        self.find(&format!("{}.{name}", tag.name))
    }
}

fn perhaps<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match suggestion::nearest(name, known.iter().copied()) {
        Some(close) => format!("; perhaps `{close}`?"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODIES: &str = r#"<scene><simtype type="rigid-body"/><duration time='1'/>
      <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
      <rigidbodydisc x="0" y="0" radius="1" density="1"/><rigidbodydisc x="3" y="0" radius="1" density="1"/>
      <rigidbodycollisionhandling detection="all-pairs" response="lcp"/></scene>"#;

    fn set(text: &str, changes: &[(&str, &str)]) -> Result<String, String> {
        let change_of =
            |(path, value): &(&str, &str)| Change { path: (*path).into(), value: (*value).into() };
        let changes: Vec<Change> = changes.iter().map(change_of).collect();
        change(text, &changes, &ReadOptions::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_replaced_or_added_and_nothing_else_moves() {
        assert_eq!(read(BODIES, &ReadOptions::default()).problems.summary(), "no problems");
        let changed = set(BODIES, &[("mu", "0.3"), ("integrator.dt", "1e-3"), ("duration", "2")]).unwrap();
        let back = changed.replace(" mu=\"0.3\"", "").replace("1e-3", "0.01").replace("'2'", "'1'");
        assert_eq!(back, BODIES);
        let reading = read(&changed, &ReadOptions::default());
        assert_eq!(reading.scene.unwrap().general.duration, 2.0);
    }

    #[test]
    fn all_of_a_tag_and_one_of_a_tag() {
        let changed = set(BODIES, &[("disc[*].radius", "2"), ("disc[1].radius", "5")]).unwrap();
        assert!(
            changed.contains(r#"x="0" y="0" radius="2""#) && changed.contains(r#"x="3" y="0" radius="5""#)
        );
        let twice = set(BODIES, &[("mu", "0.1"), ("COR", "0"), ("mu", "0.2")]).unwrap();
        assert!(twice.contains("COR=\"0\" mu=\"0.2\"") && !twice.contains("0.1\""), "{twice}");
    }

    #[test]
    fn wrong_paths_are_reported_with_what_was_meant() {
        let wrong = |path: &str| set(BODIES, &[(path, "1")]).unwrap_err();
        assert!(wrong("nu").contains("perhaps `mu`"), "{}", wrong("nu"));
        assert!(wrong("disc.radius").contains("disc[*]"), "{}", wrong("disc.radius"));
        assert!(wrong("radius").contains("disc[0]"), "{}", wrong("radius"));
        assert!(wrong("disc[7].radius").contains("no 7"));
        assert!(wrong("disc[-1].radius").contains("no number"));
        assert!(wrong("type").contains("rigidbodyintegrator.type"), "{}", wrong("type"));
        assert!(wrong("springforce.k").contains("has no `rigidbodyspringforce`"));
        assert!(wrong("particle[0].m").contains("no tag"));
        assert!(set("<scene/>", &[("mu", "1")]).unwrap_err().contains("error"));
    }

    #[test]
    fn a_value_cannot_break_out_of_its_quotes() {
        let text = BODIES.replace("<duration", "<description text='a'/><duration");
        let changed = set(&text, &[("description", "it's \"<b>\" & so")]).unwrap();
        let scene = read(&changed, &ReadOptions::default()).scene.unwrap();
        assert_eq!(scene.general.description.as_deref(), Some("it's \"<b>\" & so"));
    }
}
