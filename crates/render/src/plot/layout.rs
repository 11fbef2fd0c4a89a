//! A chart as a display list.

use super::ticks::Scale;
use super::{Chart, Series, Theme};
use crate::color::Rgba;
use crate::display_list::{Align, Baseline, DisplayList, Item, Layer, Point, Stroke, Text, Weight};
use crate::text;

/// Sizes of text and gaps in pixels.
const TITLE: f64 = 16.0;
const LABEL: f64 = 12.5;
const TICK: f64 = 11.5;
const GAP: f64 = 12.0;
/// Length of the piece of a curve in the legend.
const SAMPLE: f64 = 22.0;
/// Thickness of curves.
const CURVE: f64 = 1.8;
/// Pixels of the axis for each mark, at least.
const MARK_ROOM: [f64; 2] = [56.0, 34.0];
/// Heights that differ by less, in pixels, look the same.
const FLAT: f64 = 0.1;
/// Of curves from the ninth on, and of those that lie on another.
const DASH: [f64; 2] = [7.0, 4.0];

pub(super) fn picture(chart: &Chart, width: u32, height: u32, theme: &Theme) -> DisplayList {
    let mut list = DisplayList::new(width, height, theme.paper, chart.title.clone());
    list.description = describe(chart);
    let size = [f64::from(width), f64::from(height)];
    let strokes = strokes(chart, size, theme);
    let top = title_and_legend(&mut list, chart, theme, &strokes);
    let frame = Frame::new(chart, size, top);
    axes(&mut list, chart, &frame, theme);
    for (series, &stroke) in chart.series.iter().zip(&strokes) {
        for points in pieces(&series.points, &frame) {
            let item = match points.as_slice() {
                [center] => Item::Disc { center: *center, radius: CURVE, color: stroke.color },
                _ => Item::Polyline { points, stroke },
            };
            list.push(Layer::Bodies, item);
        }
    }
    list
}

/// How each curve is drawn: dashed when its colour returns, or when it would hide an earlier curve.
fn strokes(chart: &Chart, size: Point, theme: &Theme) -> Vec<Stroke> {
    let frame = Frame::new(chart, size, GAP);
    let stroke = |(index, series): (usize, &Series)| {
        let color = theme.series[index % theme.series.len()];
        let returns = index / theme.series.len() % 2 == 1;
        let dashed = returns || chart.series[..index].iter().any(|earlier| hides(series, earlier, &frame));
        Stroke { width: CURVE, color, dash: dashed.then_some(DASH) }
    };
    chart.series.iter().enumerate().map(stroke).collect()
}

/// Whether a curve would lie on an earlier one for most of its length: dashes let both be seen.
fn hides(curve: &Series, earlier: &Series, frame: &Frame) -> bool {
    let pairs = curve.points.iter().zip(&earlier.points);
    let close = pairs.filter(|(a, b)| {
        let ([ax, ay], [bx, by]) = (frame.place(**a), frame.place(**b));
        (ax - bx).abs() < CURVE && (ay - by).abs() < CURVE
    });
    2 * close.count() > curve.points.len()
}

fn describe(chart: &Chart) -> String {
    let labels: Vec<&str> = chart.series.iter().map(|series| series.label.as_str()).collect();
    format!("{} over {}: {}.", chart.y.words(), chart.x.words(), labels.join(", "))
}

/// The box of the data and its scales.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn new(chart: &Chart, [width, height]: Point, top: f64) -> Frame {
        let bottom = height - (2.6 * LABEL + TICK + 6.0);
        let values =
            |axis: usize| chart.series.iter().flat_map(move |s| s.points.iter().map(move |p| p[axis]));
        let marks = |pixels: f64, axis: usize| (pixels / MARK_ROOM[axis]).clamp(2.0, 12.0) as usize;
        let y = Scale::new(values(1), marks(bottom - top, 1), chart.y.logarithmic, false);
        let widest =
            y.marks().iter().map(|(_, words)| text::width(words, TICK, Weight::Regular)).fold(0.0, f64::max);
        let left = (GAP + 1.6 * LABEL + widest + 8.0).min(0.5 * width);
        let right = (width - 2.0 * GAP).max(left + 1.0);
        let x = Scale::new(values(0), marks(right - left, 0), chart.x.logarithmic, true);
        Frame { left, right, top, bottom: bottom.max(top + 1.0), x, y }
    }

    fn place(&self, [x, y]: Point) -> Point {
        [
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        ]
    }
}

/// Draws the title and, for more than one curve, the legend; returns where the data may begin.
fn title_and_legend(list: &mut DisplayList, chart: &Chart, theme: &Theme, strokes: &[Stroke]) -> f64 {
    let end = f64::from(list.width) - GAP;
    let mut y = GAP;
    if !chart.title.is_empty() {
        let title =
            Text::new(shortened(&chart.title, TITLE, Weight::Bold, end - GAP), [GAP, y], TITLE, theme.ink);
        list.push(Layer::Labels, Item::Text(title.aligned(Align::Start, Baseline::Top).bold()));
        y += 1.55 * TITLE;
    }
    if chart.series.len() > 1 {
        let mut x = GAP;
        y += 0.5 * LABEL;
        for (series, stroke) in chart.series.iter().zip(strokes) {
            let words = shortened(&series.label, LABEL, Weight::Regular, end - GAP - SAMPLE - 6.0);
            let width = SAMPLE + 6.0 + text::width(&words, LABEL, Weight::Regular);
            if x > GAP && x + width > end {
                x = GAP;
                y += 1.5 * LABEL;
            }
            let stroke = Stroke { width: 2.6, ..*stroke };
            list.push(Layer::Labels, Item::Polyline { points: vec![[x, y], [x + SAMPLE, y]], stroke });
            let label = Text::new(words, [x + SAMPLE + 6.0, y], LABEL, theme.ink);
            list.push(Layer::Labels, Item::Text(label.aligned(Align::Start, Baseline::Middle)));
            x += width + 18.0;
        }
        y += 0.5 * LABEL;
    }
    y + GAP
}

/// The text, cut with dots where it is wider than there is room.
fn shortened(words: &str, size: f64, weight: Weight, room: f64) -> String {
    if text::width(words, size, weight) <= room {
        return words.to_owned();
    }
    let mut kept = words.to_owned();
    while kept.pop().is_some() {
        let cut = format!("{}\u{2026}", kept.trim_end());
        if text::width(&cut, size, weight) <= room {
            return cut;
        }
    }
    String::new()
}

fn axes(list: &mut DisplayList, chart: &Chart, frame: &Frame, theme: &Theme) {
    let line = |from: Point, to: Point, color: Rgba| Item::Polyline {
        points: vec![snapped(from), snapped(to)],
        stroke: Stroke::solid(1.0, color),
    };
    for (value, words) in frame.y.marks() {
        let y = frame.bottom - frame.y.share(*value) * (frame.bottom - frame.top);
        list.push(Layer::Ground, line([frame.left, y], [frame.right, y], theme.grid));
        let label = Text::new(words.clone(), [frame.left - 8.0, y], TICK, theme.faint);
        list.push(Layer::Labels, Item::Text(label.aligned(Align::End, Baseline::Middle)));
    }
    let mut free_from = f64::NEG_INFINITY;
    for (value, words) in frame.x.marks() {
        let x = frame.left + frame.x.share(*value) * (frame.right - frame.left);
        list.push(Layer::Ground, line([x, frame.bottom], [x, frame.bottom + 4.0], theme.faint));
        let half = 0.5 * text::width(words, TICK, Weight::Regular);
        if x - half > free_from {
            let label = Text::new(words.clone(), [x, frame.bottom + 9.0], TICK, theme.faint);
            list.push(Layer::Labels, Item::Text(label.aligned(Align::Middle, Baseline::Top)));
            free_from = x + half + 6.0;
        }
    }
    list.push(Layer::Ground, line([frame.left, frame.bottom], [frame.right, frame.bottom], theme.faint));
    let middle = 0.5 * (frame.left + frame.right);
    let below = Text::new(chart.x.words(), [middle, frame.bottom + 9.0 + 1.9 * TICK], LABEL, theme.ink);
    list.push(Layer::Labels, Item::Text(below.aligned(Align::Middle, Baseline::Top)));
    // In a low chart the title says what the axis shows; the unit is what is left to say.
    let room = frame.bottom - frame.top + 2.0 * LABEL;
    let full = chart.y.words();
    let fits = chart.y.unit.is_empty() || text::width(&full, LABEL, Weight::Regular) <= room;
    let words = if fits { full } else { format!("[{}]", chart.y.unit) };
    let words = shortened(&words, LABEL, Weight::Regular, room);
    let beside = Text::new(words, [GAP, 0.5 * (frame.top + frame.bottom)], LABEL, theme.ink);
    let beside = Text { upwards: true, ..beside.aligned(Align::Middle, Baseline::Top) };
    list.push(Layer::Labels, Item::Text(beside));
}

/// The middle of the pixel, so that thin lines are sharp.
fn snapped([x, y]: Point) -> Point {
    [x.floor() + 0.5, y.floor() + 0.5]
}

/// The pieces of a curve between values that are not finite. Where many points share a column of
/// pixels, the first, lowest, highest and last of them stand for all: the picture is the same.
fn pieces(points: &[Point], frame: &Frame) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Point> = Vec::new();
    let mut column: Vec<Point> = Vec::new();
    for point in points {
        let at = frame.place(*point);
        if !at[0].is_finite() || !at[1].is_finite() {
            flush(&mut piece, &mut column);
            if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
            continue;
        }
        if column.first().is_some_and(|first| first[0].floor() != at[0].floor()) {
            flush(&mut piece, &mut column);
        }
        // A column is kept at four points at most.
        column.push(at);
        if column.len() > 64 {
            thin(&mut column);
        }
    }
    flush(&mut piece, &mut column);
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

fn flush(piece: &mut Vec<Point>, column: &mut Vec<Point>) {
    thin(column);
    piece.append(column);
}

fn thin(column: &mut Vec<Point>) {
    if column.len() <= 2 {
        return;
    }
    let by_height = |a: &usize, b: &usize| column[*a][1].total_cmp(&column[*b][1]);
    let lowest = (0..column.len()).min_by(by_height).unwrap_or(0);
    let highest = (0..column.len()).max_by(by_height).unwrap_or(0);
    let mut keep = vec![0, column.len() - 1];
    if column[highest][1] - column[lowest][1] > FLAT {
        keep.extend([lowest, highest]);
    }
    keep.sort_unstable();
    keep.dedup();
    *column = keep.iter().map(|k| column[*k]).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Axis;

    #[test]
    fn a_curve_that_lies_on_another_is_dashed_and_others_are_not() {
        let mut chart = Chart::new("t", Axis::new("x", ""), Axis::new("y", ""));
        let line = |slope: f64| (0..100).map(f64::from).map(|x| [x, slope * x]).collect::<Vec<_>>();
        for slope in [1.0, 0.0, 1.0 + 1e-6] {
            chart.add("curve", line(slope));
        }
        let dashed: Vec<bool> =
            strokes(&chart, [400.0, 200.0], &Theme::LIGHT).iter().map(|s| s.dash.is_some()).collect();
        assert_eq!(dashed, [false, false, true]);
    }
}
