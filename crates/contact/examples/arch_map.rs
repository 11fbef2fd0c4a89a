//! Draws where a semicircular arch stands, over friction and thickness:
//! `docs/pictures/arch-map.svg`.
//!
//! `cargo run --release -p carom-contact --example arch_map > docs/pictures/arch-map.svg`. Every
//! cell is one contact problem, solved to its certificate; the lines are the closed forms of
//! Cocchetti and Rizzi (2020).
#![allow(clippy::print_stdout, reason = "the picture goes to standard output")]

#[path = "../tests/arch/mod.rs"]
mod arch;

use arch::{Arch, Motion};
use carom_contact::coulomb::SolverStatus;
use std::fmt::Write;

const STONES: usize = 27;
/// Friction and thickness over radius, from and to.
const MU: [f64; 2] = [0.2, 0.7];
const THICKNESS: [f64; 2] = [0.04, 0.3];
const CELLS: [usize; 2] = [100, 78];
/// Pixels of a cell, and of the margins left and above.
const CELL: f64 = 6.0;
const MARGIN: [f64; 2] = [76.0, 20.0];

/// Least thickness of arches that cannot slide, least friction for that, and least friction of any.
const LEAST_THICKNESS: f64 = 0.107_426;
const NO_SLIDING: f64 = 0.395_832;
const LEAST_FRICTION: f64 = 0.309_215;

fn main() {
    let mut svg = String::new();
    let size = [MARGIN[0] + CELL * CELLS[0] as f64 + 20.0, MARGIN[1] + CELL * CELLS[1] as f64 + 92.0];
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"15\">\n<title>Where a semicircular arch of {STONES} stones stands</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        size[0], size[1]
    );
    for row in 0..CELLS[1] {
        let thickness = at(THICKNESS, CELLS[1], row);
        let kinds: Vec<&str> = (0..CELLS[0])
            .map(|column| {
                let mu = at(MU, CELLS[0], column);
                colour(&Arch { stones: STONES, thickness, mu }.motion())
            })
            .collect();
        runs(&mut svg, row, &kinds);
    }
    lines(&mut svg);
    axes(&mut svg);
    println!("{svg}</svg>");
}

/// The middle of a cell.
fn at(range: [f64; 2], cells: usize, place: usize) -> f64 {
    range[0] + (range[1] - range[0]) * (place as f64 + 0.5) / cells as f64
}

const STANDS: &str = "#dfeadf";
const HINGES: &str = "#4477aa";
const BOTH: &str = "#aa7799";
const SLIDES: &str = "#ee8866";
const UNSOLVED: &str = "#000000";

fn colour(motion: &Motion) -> &'static str {
    match motion {
        Motion { status, .. } if *status != SolverStatus::Solved => UNSOLVED,
        Motion { speed, .. } if *speed < 1e-8 => STANDS,
        Motion { slides: true, hinges: true, .. } => BOTH,
        Motion { slides: true, .. } => SLIDES,
        _ => HINGES,
    }
}

/// Neighbours of one colour are one rectangle.
fn runs(svg: &mut String, row: usize, kinds: &[&str]) {
    let y = MARGIN[1] + CELL * (CELLS[1] - 1 - row) as f64;
    let mut first = 0;
    for end in 1..=kinds.len() {
        if end == kinds.len() || kinds[end] != kinds[first] {
            let (x, width) = (MARGIN[0] + CELL * first as f64, CELL * (end - first) as f64);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{}\"/>",
                CELL + 0.2,
                kinds[first]
            );
            first = end;
        }
    }
}

fn x(mu: f64) -> f64 {
    MARGIN[0] + CELL * CELLS[0] as f64 * (mu - MU[0]) / (MU[1] - MU[0])
}

fn y(thickness: f64) -> f64 {
    MARGIN[1] + CELL * CELLS[1] as f64 * (THICKNESS[1] - thickness) / (THICKNESS[1] - THICKNESS[0])
}

/// The closed forms.
fn lines(svg: &mut String) {
    let style = "stroke=\"#000000\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"";
    let (top, right) = (y(THICKNESS[1]), x(MU[1]));
    let _ = writeln!(
        svg,
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{right}\" y2=\"{1}\" {style}/>\n\
         <line x1=\"{2}\" y1=\"{top}\" x2=\"{2}\" y2=\"{3}\" {style}/>\n\
         <text x=\"{4}\" y=\"{5}\" text-anchor=\"end\">thickness 0.1074</text>\n\
         <text x=\"{6}\" y=\"{7}\">μ = 0.3092</text>",
        x(NO_SLIDING),
        y(LEAST_THICKNESS),
        x(LEAST_FRICTION),
        y(THICKNESS[0]),
        right - 8.0,
        y(LEAST_THICKNESS) - 8.0,
        x(LEAST_FRICTION) + 8.0,
        top + 22.0
    );
}

fn axes(svg: &mut String) {
    let (left, bottom) = (MARGIN[0], y(THICKNESS[0]));
    for mark in 2..=7 {
        let mu = 0.1 * f64::from(mark);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{mu:.1}</text>",
            x(mu),
            bottom + 20.0
        );
    }
    for mark in 1..=6 {
        let thickness = 0.05 * f64::from(mark);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{thickness:.2}</text>",
            left - 8.0,
            y(thickness) + 5.0
        );
    }
    let middle = y(0.5 * (THICKNESS[0] + THICKNESS[1]));
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">friction μ</text>\n\
         <text transform=\"translate(20 {middle}) rotate(-90)\" text-anchor=\"middle\">thickness over radius</text>",
        x(0.5 * (MU[0] + MU[1])),
        bottom + 42.0
    );
    let mut place = left;
    for (colour, name, width) in [
        (STANDS, "stands", 120.0),
        (HINGES, "falls by hinges", 180.0),
        (BOTH, "hinges and slides", 190.0),
        (SLIDES, "slides", 100.0),
    ] {
        let _ = writeln!(
            svg,
            "<rect x=\"{place}\" y=\"{}\" width=\"16\" height=\"16\" fill=\"{colour}\" stroke=\"#888888\"/>\n\
             <text x=\"{}\" y=\"{}\">{name}</text>",
            bottom + 58.0,
            place + 22.0,
            bottom + 71.0
        );
        place += width;
    }
}
