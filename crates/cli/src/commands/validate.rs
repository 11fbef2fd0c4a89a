//! `carom validate`: cases with closed forms, and whether we meet them.

mod page;
mod peers;

use crate::arguments::Validate;
use crate::{interrupt, output, progress, table};
use anyhow::{Result, ensure};
use carom_validation::{Case, Finding, Sheet};
use peers::Column;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// A case and what it found.
pub(crate) struct Done {
    case: Case,
    sheet: Sheet,
}

pub(crate) fn run(options: &Validate) -> Result<ExitCode> {
    if let Some(target) = &options.output {
        output::check_target(target, &[])?;
        carom_trajectory::atomic::check_writable(target)?;
    }
    let wanted = |case: &Case| {
        options.cases.is_empty() || options.cases.iter().any(|name| case.name.contains(name.as_str()))
    };
    let cases: Vec<Case> = carom_validation::cases().into_iter().filter(wanted).collect();
    ensure!(!cases.is_empty(), "there is no such case; `carom validate --list` names them all");
    let mut out = crate::terminal::stdout();
    if options.list {
        for case in cases {
            writeln!(out, "{:18} {}", case.name, case.about)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let interrupted = interrupt::flag();
    let bar = progress::files(cases.len() as u64, options.json);
    let mut done = Vec::new();
    for case in cases {
        if interrupted.is_set() {
            bar.finish_and_clear();
            return Ok(ExitCode::from(130));
        }
        done.push(Done { sheet: case.run(), case });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (peers, missing) = if options.peers {
        let cases: Vec<Case> = done.iter().map(|done| done.case).collect();
        peers::ask(&cases)
    } else {
        Default::default()
    };
    if let Some(target) = &options.output {
        let text = page::page(&done, &peers)?;
        carom_trajectory::atomic::write_whole(target, |file| file.write_all(text.as_bytes()))?;
    }
    if options.json {
        let mut all: Vec<_> = done.iter().flat_map(|done| rows_json(done.case, &done.sheet)).collect();
        for peer in &peers {
            let cases = done.iter().map(|done| done.case);
            all.extend(cases.zip(&peer.sheets).flat_map(|(case, sheet)| rows_json(case, sheet)));
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    } else {
        print(&done, options.all, &mut out)?;
        print_peers(&done, &peers, &mut out)?;
        missing.iter().try_for_each(|words| writeln!(out, "not asked: {words}"))?;
    }
    let holds = done.iter().all(|done| done.sheet.findings.iter().all(Finding::holds));
    Ok(ExitCode::from(u8::from(!holds)))
}

fn rows_json(case: Case, sheet: &Sheet) -> Vec<serde_json::Value> {
    let row = |finding: &Finding| {
        json!({
            "case": case.name, "method": finding.method, "quantity": finding.quantity,
            "right": finding.right, "ours": finding.ours, "error": finding.error(),
            "tolerance": finding.tolerance, "holds": finding.holds(), "failure": finding.failure,
        })
    };
    sheet.findings.iter().map(row).collect()
}

/// How many numbers of a sheet hold, of how many; nothing where there are none.
fn held(sheet: &Sheet) -> String {
    match sheet.findings.len() {
        0 => "–".to_owned(),
        count => format!("{} of {count}", sheet.findings.iter().filter(|finding| finding.holds()).count()),
    }
}

/// One row a case: how many of its numbers each engine meets, with the tolerances that we ask of
/// ourselves.
fn print_peers(done: &[Done], peers: &[Column], out: &mut impl Write) -> Result<()> {
    if peers.is_empty() {
        return Ok(());
    }
    let width = peers.iter().map(|peer| peer.name.chars().count()).max().unwrap_or(0).max(12);
    let titles: String = peers.iter().map(|peer| format!(" {:>width$}", peer.name)).collect();
    writeln!(out, "\n{:18} {:>12}{titles}", "numbers that hold", "Carom")?;
    for (k, Done { case, sheet }) in done.iter().enumerate() {
        let theirs: String = peers.iter().map(|peer| format!(" {:>width$}", held(&peer.sheets[k]))).collect();
        writeln!(out, "{:18} {:>12}{theirs}", case.name, held(sheet))?;
    }
    writeln!(out)?;
    peers.iter().try_for_each(|peer| writeln!(out, "{}: {}", peer.name, peer.defaults))?;
    Ok(())
}

/// How far a number is off, in tolerances. Where none is allowed, any difference is infinitely far.
fn badness(finding: &Finding) -> f64 {
    match (finding.error(), finding.tolerance) {
        (0.0, _) => 0.0,
        (error, _) if error.is_nan() => f64::INFINITY,
        (error, tolerance) => error / tolerance,
    }
}

/// The number of a case that is worst, measured in its tolerance.
fn worst(sheet: &Sheet) -> Option<&Finding> {
    sheet.findings.iter().max_by(|a, b| badness(a).total_cmp(&badness(b)))
}

fn print(done: &[Done], all: bool, out: &mut impl Write) -> Result<()> {
    writeln!(
        out,
        "{:18} {:34} {:>13} {:>13} {:>9} {:>9}  verdict",
        "case", "quantity (worst of all methods)", "right", "ours", "error", "allowed"
    )?;
    for Done { case, sheet } in done {
        let broken: Vec<&Finding> = sheet.findings.iter().filter(|finding| !finding.holds()).collect();
        let verdict = match broken.len() {
            0 => format!("holds ({})", sheet.findings.len()),
            count => format!("FAILS ({count} of {})", sheet.findings.len()),
        };
        let Some(worst) = worst(sheet) else { continue };
        let shown: Vec<&Finding> = if all { sheet.findings.iter().collect() } else { vec![worst] };
        for (k, finding) in shown.into_iter().enumerate() {
            line(out, if k == 0 { case.name } else { "" }, finding, if k == 0 { &verdict } else { "" })?;
        }
        if !all {
            for finding in broken {
                let reason = finding.failure.as_deref().unwrap_or(&finding.quantity);
                writeln!(out, "{:18}   {}: {reason}", "", finding.method)?;
            }
        }
    }
    let (cases, count) = (done.len(), done.iter().map(|done| done.sheet.findings.len()).sum::<usize>());
    let held: usize = done.iter().map(|d| d.sheet.findings.iter().filter(|f| f.holds()).count()).sum();
    writeln!(out, "\n{held} of {count} numbers hold, in {cases} cases")?;
    Ok(())
}

fn line(out: &mut impl Write, name: &str, finding: &Finding, verdict: &str) -> Result<()> {
    writeln!(
        out,
        "{name:18} {:34} {:>13} {:>13} {:>9.1e} {:>9.1e}  {verdict}",
        shortened(&format!("{}, {}", finding.quantity, finding.method)),
        table::number(finding.right),
        table::number(finding.ours),
        finding.error(),
        finding.tolerance,
    )?;
    Ok(())
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        text.to_owned()
    } else {
        text.chars().take(MOST - 1).chain(['…']).collect()
    }
}
