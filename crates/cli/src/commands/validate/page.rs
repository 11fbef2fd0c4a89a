//! The page of `carom validate`: every number, and a picture of each case. One file, no script,
//! nothing fetched.

use super::peers::Column;
use super::{Done, held, worst};
use crate::table;
use anyhow::Result;
use carom_render::svg::{document, escaped};
use carom_render::{Extent, Options, Painter, Trails, View};
use carom_validation::{Finding, Picture};
use std::fmt::Write;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{padding:.15rem .7rem;text-align:right;font-variant-numeric:tabular-nums}\
td:first-child,td:nth-child(2),th:first-child,th:nth-child(2){text-align:left}tr:nth-child(even){background:#f4f4f4}\
.bad{color:#b00;font-weight:bold}figure{margin:0}figure svg{max-width:100%;height:auto;border:1px solid #ddd}\
summary{cursor:pointer}@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}tr:nth-child(even){background:#222}}";

/// The whole page.
pub(super) fn page(done: &[Done], peers: &[Column]) -> Result<String> {
    let mut text = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    write!(text, "<title>Carom: validation</title><style>{STYLE}</style></head><body>")?;
    let count: usize = done.iter().map(|done| done.sheet.findings.len()).sum();
    let all_held: usize = done.iter().map(|d| d.sheet.findings.iter().filter(|f| f.holds()).count()).sum();
    write!(
        text,
        "<h1>Validation of Carom {}</h1><p>{} cases with closed forms, each under every response that should meet it: \
         <strong>{all_held} of {count} numbers hold</strong>. Made by <code>carom validate -o validation.html</code>; \
         the same bits on every machine.</p>",
        env!("CARGO_PKG_VERSION"),
        done.len()
    )?;
    text += "<table><tr><th>case</th><th>what is asked</th><th>numbers</th><th>hold</th></tr>";
    for Done { case, sheet } in done {
        let held = sheet.findings.iter().filter(|finding| finding.holds()).count();
        let class = if held == sheet.findings.len() { "" } else { " class=\"bad\"" };
        let (name, about) = (case.name, escaped(case.about));
        write!(
            text,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{about}</td><td>{}</td><td{class}>{held}</td></tr>",
            sheet.findings.len()
        )?;
    }
    text += "</table>";
    beside(&mut text, done, peers)?;
    for (k, Done { case, sheet }) in done.iter().enumerate() {
        write!(text, "<h2 id=\"{0}\">{0}</h2><p>{1}</p>", case.name, escaped(case.about))?;
        if let Some(svg) = sheet.picture.as_ref().and_then(drawn) {
            write!(text, "<figure>{svg}</figure>")?;
        }
        text += "<details><summary>All numbers</summary><table><tr><th>method</th><th>quantity</th><th>right</th>\
                 <th>ours</th><th>error</th><th>allowed</th></tr>";
        for finding in &sheet.findings {
            row(&mut text, finding)?;
        }
        for finding in peers.iter().flat_map(|peer| &peer.sheets[k].findings) {
            row(&mut text, finding)?;
        }
        text += "</table></details>";
    }
    text += "</body></html>\n";
    Ok(text)
}

/// Other engines under the same cases: how many numbers hold, and the worst of them.
fn beside(text: &mut String, done: &[Done], peers: &[Column]) -> Result<()> {
    if peers.is_empty() {
        return Ok(());
    }
    *text += "<h2 id=\"peers\">Other engines</h2><p>The same scenes with the same time steps, judged by the tolerances \
              that Carom asks of itself. These engines are made for speed and promise none of this.</p><ul>";
    for peer in peers {
        write!(text, "<li>{}: {}</li>", escaped(&peer.name), escaped(&peer.defaults))?;
    }
    *text += "</ul><table><tr><th>case</th><th>Carom</th>";
    for peer in peers {
        write!(text, "<th>{}</th>", escaped(&peer.name))?;
    }
    *text += "</tr>";
    for (k, Done { case, sheet }) in done.iter().enumerate() {
        if peers.iter().all(|peer| peer.sheets[k].findings.is_empty()) {
            continue;
        }
        write!(text, "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td>", case.name, held(sheet))?;
        for peer in peers {
            let sheet = &peer.sheets[k];
            let words = worst(sheet).filter(|finding| !finding.holds()).map_or_else(String::new, |finding| {
                let (quantity, ours) = (&finding.quantity, table::number(finding.ours));
                match &finding.failure {
                    Some(failure) => format!("<br><small>{}</small>", escaped(failure)),
                    None => format!(
                        "<br><small>{}: {ours} for {}, off by {:.0e}</small>",
                        escaped(quantity),
                        table::number(finding.right),
                        finding.error()
                    ),
                }
            });
            write!(text, "<td>{}{words}</td>", held(sheet))?;
        }
        *text += "</tr>";
    }
    *text += "</table>";
    Ok(())
}

fn row(text: &mut String, finding: &Finding) -> Result<()> {
    let class = if finding.holds() { "" } else { " class=\"bad\"" };
    let quantity = finding.failure.as_deref().unwrap_or(&finding.quantity);
    write!(
        text,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td{class}>{:.1e}</td><td>{:.1e}</td></tr>",
        escaped(&finding.method),
        escaped(quantity),
        table::number(finding.right),
        table::number(finding.ours),
        finding.error(),
        finding.tolerance
    )?;
    Ok(())
}

/// The last moment with the ways that led there; nothing where the scene cannot be drawn.
fn drawn(picture: &Picture) -> Option<String> {
    let scene = carom::read_scene(&picture.scene).ok()?;
    let extent = Extent::of_frames(&scene, &picture.frames);
    let view = View::new(&scene, &extent, 480, 270);
    let mut trails = Trails::new(&scene);
    picture.frames.iter().for_each(|frame| trails.push(&scene, frame));
    let list = Painter::new(&scene, view, Options::default()).paint(picture.frames.last()?, &trails).ok()?;
    Some(document(&list))
}
