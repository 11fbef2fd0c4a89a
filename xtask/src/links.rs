//! Links of the pages: every relative one leads to a file, and the index names every page.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Adds a finding for each link that leads nowhere and each page that the index leaves out.
pub(crate) fn check(findings: &mut Vec<String>) -> Result<()> {
    let root = crate::root();
    let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md"), root.join("CONTRIBUTING.md")];
    let of_docs = markdown(&root.join("docs"))?;
    for folder in ["docs/figures", "docs/gallery"] {
        pages.extend(markdown(&root.join(folder))?);
    }
    let index = fs::read_to_string(root.join("docs/README.md")).context("cannot read docs/README.md")?;
    for page in &of_docs {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name != "README.md" && !index.contains(&format!("({name})")) {
            findings.push(format!("docs/README.md: {name} is missing"));
        }
    }
    pages.extend(of_docs);
    for page in pages {
        let text = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
        for link in links(&text).filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap_or_default();
            let folder = page.parent().unwrap_or(&root);
            if !file.is_empty() && !folder.join(file).exists() {
                findings.push(format!("{}: the link to {link} leads nowhere", page.display()));
            }
        }
    }
    Ok(())
}

/// Pages in a folder, sorted.
fn markdown(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// Targets of links and pictures, outside of fenced code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("\n```").step_by(2);
    prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
}
