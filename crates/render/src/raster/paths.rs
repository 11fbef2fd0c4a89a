//! Polygons and lines, by tiny-skia.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform};

use crate::color::Rgba;
use crate::display_list::{Point, Stroke};

/// Coordinates are cut to this: beyond it `f32` has no pixels left.
const FARTHEST: f64 = 1.0e5;

/// Strokes are no wider than this: wider ones cover every picture, and tiny-skia loses count of its
/// edges.
const WIDEST: f64 = 1.0e4;

pub(super) fn fill(pixels: &mut Pixmap, points: &[Point], color: Rgba) {
    if let Some(path) = path(points, true) {
        pixels.fill_path(&path, &paint(color), FillRule::EvenOdd, Transform::identity(), None);
    }
}

pub(super) fn stroke(pixels: &mut Pixmap, points: &[Point], stroke: &Stroke) {
    let Some(path) = path(points, false) else { return };
    let round = stroke.dash.is_none();
    let style = tiny_skia::Stroke {
        width: stroke.width.min(WIDEST) as f32,
        line_cap: if round { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Round,
        dash: stroke.dash.and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0)),
        ..tiny_skia::Stroke::default()
    };
    pixels.stroke_path(&path, &paint(stroke.color), &style, Transform::identity(), None);
}

fn path(points: &[Point], closed: bool) -> Option<Path> {
    let cut = |p: &Point| [p[0].clamp(-FARTHEST, FARTHEST) as f32, p[1].clamp(-FARTHEST, FARTHEST) as f32];
    let (first, rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    let [x, y] = cut(first);
    builder.move_to(x, y);
    for [x, y] in rest.iter().map(cut) {
        builder.line_to(x, y);
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint(color: Rgba) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color.red, color.green, color.blue, color.alpha);
    paint
}
