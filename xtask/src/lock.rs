//! No two major versions of a crate without a reason: `Cargo.lock` against the `skip` list of
//! `deny.toml`. What `cargo deny check bans` says as well; this needs no tool.

use crate::root;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(findings: &mut Vec<String>) -> Result<()> {
    let read = |name: &str| {
        std::fs::read_to_string(root().join(name)).with_context(|| format!("{name} cannot be read"))
    };
    compare(&read("Cargo.lock")?, &read("deny.toml")?, findings);
    Ok(())
}

fn compare(lock: &str, deny: &str, findings: &mut Vec<String>) {
    let versions = versions(lock);
    let mut skipped = BTreeSet::new();
    for line in deny.lines().map(str::trim).filter(|line| line.starts_with("{ crate = ")) {
        let Some((name, version)) = line.split('"').nth(1).and_then(|words| words.split_once('@')) else {
            continue;
        };
        if line.split("reason = \"").nth(1).is_none_or(|reason| reason.starts_with('"')) {
            findings.push(format!("deny.toml: {name}@{version} has no reason"));
        }
        let older = versions.get(name).is_some_and(|all| {
            all.contains(&major(version)) && all.iter().next_back() != Some(&major(version))
        });
        if !older {
            findings.push(format!("deny.toml: {name}@{version} is not in Cargo.lock beside a newer one"));
        }
        skipped.insert((name.to_owned(), major(version)));
    }
    for (name, all) in versions {
        // The newest needs no reason.
        for version in all.iter().rev().skip(1) {
            if !skipped.contains(&(name.clone(), *version)) {
                let (big, small) = version;
                findings.push(format!(
                    "Cargo.lock: {name} {big}.{small} beside a newer one; say why in deny.toml"
                ));
            }
        }
    }
}

/// Major versions of every crate.
fn versions(lock: &str) -> BTreeMap<String, BTreeSet<(u64, u64)>> {
    let mut all: BTreeMap<String, BTreeSet<(u64, u64)>> = BTreeMap::new();
    let mut name = "";
    for line in lock.lines() {
        let quoted = || line.split('"').nth(1).unwrap_or_default();
        if line.starts_with("name = ") {
            name = quoted();
        } else if line.starts_with("version = ") && !name.is_empty() {
            all.entry(name.to_owned()).or_default().insert(major(quoted()));
        }
    }
    all
}

/// What Cargo holds to be compatible: the first number that is not 0.
fn major(version: &str) -> (u64, u64) {
    let mut numbers = version.split('.').map(|part| part.parse::<u64>().unwrap_or(0));
    match (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) {
        (0, minor) => (0, minor),
        (first, _) => (first, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::compare;

    const LOCK: &str = "name = \"a\"\nversion = \"1.2.3\"\nname = \"a\"\nversion = \"0.4.0\"\nname = \"b\"\nversion = \"2.0.0\"\n";

    fn findings(deny: &str) -> Vec<String> {
        let mut findings = Vec::new();
        compare(LOCK, deny, &mut findings);
        findings
    }

    #[test]
    fn two_versions_need_a_reason() {
        assert_eq!(findings("").len(), 1);
        assert!(findings("{ crate = \"a@0.4\", reason = \"old\" },").is_empty());
        assert_eq!(findings("{ crate = \"a@0.4\", reason = \"\" },").len(), 1);
    }

    #[test]
    fn a_reason_for_nothing_is_reported() {
        assert_eq!(
            findings("{ crate = \"a@0.4\", reason = \"x\" },\n{ crate = \"b@2\", reason = \"x\" },").len(),
            1
        );
    }
}
