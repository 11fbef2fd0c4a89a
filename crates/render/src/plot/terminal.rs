//! Charts as text: two by four dots a sign, in Braille.

use super::Chart;
use super::ticks::Scale;

/// Colours of curves in a terminal (ANSI), in their order.
const COLORS: [u8; 6] = [34, 33, 32, 35, 36, 31];
/// What names a curve in the legend when colours are off.
const NAMES: [char; 6] = ['a', 'b', 'c', 'd', 'e', 'f'];

/// A chart in `columns` by `rows` signs, with title, scales and legend. `color` writes ANSI
/// colours.
///
/// Where curves share a sign, the later one gives it its colour.
pub fn chart(chart: &Chart, columns: usize, rows: usize, color: bool) -> String {
    let values = |axis: usize| chart.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[axis]));
    let rows = rows.clamp(6, 200);
    let y = Scale::new(values(1), 4, chart.y.logarithmic, false);
    let gutter = y.marks().iter().map(|(_, words)| words.chars().count()).max().unwrap_or(0);
    let width = columns.clamp(20, 1000).saturating_sub(gutter + 2).max(8);
    let height = rows.saturating_sub(4).max(3);
    let x = Scale::new(values(0), (width / 12).clamp(2, 10), chart.x.logarithmic, true);
    let mut dots = Dots::new(width, height);
    for (index, series) in chart.series.iter().enumerate() {
        dots.curve(series.points.iter().map(|p| [x.share(p[0]), y.share(p[1])]), index);
    }
    let mut out = format!("{} over {}\n", chart.y.words(), chart.x.words());
    for row in 0..height {
        let label = y.marks().iter().find(|(value, _)| row_of(y.share(*value), height) == row);
        let words = label.map_or("", |(_, words)| words.as_str());
        let edge = if label.is_some() { '┤' } else { '│' };
        out.push_str(&format!("{words:>gutter$} {edge}"));
        dots.row(row, color, &mut out);
        out.push('\n');
    }
    out.push_str(&format!("{:>gutter$} └{}\n", "", "─".repeat(width)));
    out.push_str(&format!("{:>gutter$}  {}\n", "", below(&x, width)));
    out.push_str(&legend(chart, color));
    out
}

fn row_of(share: f64, height: usize) -> usize {
    ((1.0 - share) * (height - 1) as f64).round().clamp(0.0, (height - 1) as f64) as usize
}

fn below(x: &Scale, width: usize) -> String {
    let mut line: Vec<char> = vec![' '; width];
    let mut free_from = 0;
    for (value, words) in x.marks() {
        let length = words.chars().count();
        let middle = (x.share(*value) * (width - 1) as f64).round() as usize;
        let start = middle.saturating_sub(length / 2).min(width.saturating_sub(length));
        if start >= free_from && start + length <= width {
            for (k, letter) in words.chars().enumerate() {
                line[start + k] = letter;
            }
            free_from = start + length + 1;
        }
    }
    line.into_iter().collect::<String>().trim_end().to_owned()
}

fn legend(chart: &Chart, color: bool) -> String {
    let words = chart.series.iter().enumerate().map(|(index, series)| {
        if color {
            format!("\u{1b}[{}m━━\u{1b}[0m {}", COLORS[index % COLORS.len()], series.label)
        } else {
            format!("{}: {}", NAMES[index % NAMES.len()], series.label)
        }
    });
    words.collect::<Vec<_>>().join("   ")
}

/// A field of dots, and which curve drew last in each sign.
struct Dots {
    width: usize,
    height: usize,
    bits: Vec<u8>,
    owner: Vec<usize>,
}

impl Dots {
    fn new(width: usize, height: usize) -> Dots {
        Dots { width, height, bits: vec![0; width * height], owner: vec![0; width * height] }
    }

    /// Draws a curve given by shares of both axes; what is not finite breaks it.
    fn curve(&mut self, points: impl Iterator<Item = [f64; 2]>, owner: usize) {
        let across = (2 * self.width - 1) as f64;
        let up = (4 * self.height - 1) as f64;
        let mut last: Option<[f64; 2]> = None;
        for [x, y] in points {
            if !(x.is_finite() && y.is_finite()) {
                last = None;
                continue;
            }
            let at = [x.clamp(0.0, 1.0) * across, (1.0 - y.clamp(0.0, 1.0)) * up];
            let from = last.unwrap_or(at);
            let steps = (at[0] - from[0]).abs().max((at[1] - from[1]).abs()).ceil().max(1.0) as u32;
            for k in 0..=steps {
                let t = f64::from(k) / f64::from(steps);
                self.dot(from[0] + t * (at[0] - from[0]), from[1] + t * (at[1] - from[1]), owner);
            }
            last = Some(at);
        }
    }

    fn dot(&mut self, x: f64, y: f64, owner: usize) {
        // Dots of Braille signs: Unicode, block 2800, bits by column and row.
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let (x, y) = (x.round() as usize, y.round() as usize);
        let (column, row) = ((x / 2).min(self.width - 1), (y / 4).min(self.height - 1));
        self.bits[row * self.width + column] |= BITS[x % 2][y % 4];
        self.owner[row * self.width + column] = owner;
    }

    fn row(&self, row: usize, color: bool, out: &mut String) {
        let mut current = None;
        for column in 0..self.width {
            let at = row * self.width + column;
            if self.bits[at] == 0 {
                out.push(' ');
                continue;
            }
            if color && current != Some(self.owner[at]) {
                current = Some(self.owner[at]);
                out.push_str(&format!("\u{1b}[{}m", COLORS[self.owner[at] % COLORS.len()]));
            }
            out.push(char::from_u32(0x2800 + u32::from(self.bits[at])).unwrap_or(' '));
        }
        if current.is_some() {
            out.push_str("\u{1b}[0m");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Axis;

    fn straight() -> Chart {
        let mut chart = Chart::new("t", Axis::new("time", "s"), Axis::new("energy", "J"));
        chart.add("up", (0..50).map(|k| [f64::from(k), f64::from(k)]).collect());
        chart
    }

    #[test]
    fn a_rising_line_rises() {
        let text = chart(&straight(), 60, 14, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "energy [J] over time [s]");
        assert_eq!(lines.len(), 14);
        let ink = |line: &str| line.chars().position(|c| ('\u{2801}'..='\u{28ff}').contains(&c)).unwrap();
        assert!(ink(lines[4]) > ink(lines[10]), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 60), "{text}");
        assert!(text.ends_with("a: up"));
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn colours_are_closed_again() {
        let text = chart(&straight(), 40, 10, true);
        for line in text.lines().filter(|line| line.contains("\u{1b}[34m")) {
            assert!(line.contains("\u{1b}[0m"));
        }
    }

    #[test]
    fn nothing_and_nonsense_are_drawn_too() {
        let mut chart = straight();
        chart.series[0].points = vec![[f64::NAN, 1.0], [0.0, f64::INFINITY]];
        assert!(!super::chart(&chart, 0, 0, false).is_empty());
        chart.series.clear();
        assert!(!super::chart(&chart, 10, 2, true).is_empty());
    }
}
