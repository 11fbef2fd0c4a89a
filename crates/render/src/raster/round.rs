//! Discs and capsules: the coverage of a pixel is read off its distance from the rim.
//!
//! A pixel whose centre lies a signed distance s inside the rim is covered by s + 1/2, cut to 0 to
//! 1: exact for a straight rim along an axis, within a few hundredths otherwise. What is thinner
//! than a pixel is drawn a pixel wide and paler instead.

use super::{Canvas, blend_pixel};
use crate::color::Rgba;
use crate::display_list::Point;

/// Draws all points within `radius` of a segment; a disc when both ends are one point.
pub(super) fn capsule(canvas: &mut Canvas, start: Point, end: Point, radius: f64, color: Rgba) {
    let thin = radius < 0.5;
    // A thin line loses one dimension of its area, a small disc both.
    let share_left = (2.0 * radius).clamp(0.0, 1.0);
    let fade = match (thin, start == end) {
        (false, _) => 1.0,
        (true, false) => share_left,
        (true, true) => share_left * share_left,
    };
    let shape = Shape::new(start, end, radius.max(0.5));
    let share = f64::from(color.alpha) * fade;
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    let reach = shape.radius + 0.5;
    let rows = span(start[1].min(end[1]) - reach, start[1].max(end[1]) + reach, height);
    let stride = 4 * canvas.width() as usize;
    let data = canvas.pixels.data_mut();
    for y in rows {
        let middle = y as f64 + 0.5;
        let Some((left, right)) = shape.row(middle, reach) else { continue };
        let columns = span(left, right, width);
        let row = &mut data[stride * y..stride * (y + 1)];
        // What lies deep enough inside is covered whole, without a square root.
        let solid = shape.row(middle, shape.radius - 0.5).map_or(0..0, |(a, b)| inner(a, b, &columns));
        let solid_share = share.round() as u32;
        for x in columns.start..solid.start.min(columns.end).max(columns.start) {
            rim(row, x, middle, &shape, share, color);
        }
        for pixel in row[4 * solid.start..4 * solid.end].chunks_exact_mut(4) {
            if solid_share == 255 {
                pixel.copy_from_slice(&[color.red, color.green, color.blue, 255]);
            } else {
                blend_pixel(pixel, color, solid_share);
            }
        }
        for x in solid.end.max(columns.start)..columns.end {
            rim(row, x, middle, &shape, share, color);
        }
    }
}

#[inline]
fn rim(row: &mut [u8], x: usize, middle: f64, shape: &Shape, share: f64, color: Rgba) {
    let inside = shape.radius - shape.distance([x as f64 + 0.5, middle]);
    let covered = (inside + 0.5).clamp(0.0, 1.0);
    let share = (covered * share + 0.5) as u32;
    if share > 0 {
        blend_pixel(&mut row[4 * x..4 * x + 4], color, share);
    }
}

/// Whole pixels that an interval touches, cut to the picture.
fn span(low: f64, high: f64, size: f64) -> std::ops::Range<usize> {
    let start = low.floor().clamp(0.0, size) as usize;
    let end = high.ceil().clamp(0.0, size) as usize;
    start..end.max(start)
}

/// Pixels whose centres lie in an interval, cut to `within`; empty at the start of `within` when
/// there are none.
fn inner(low: f64, high: f64, within: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let limit = |value: f64| value.clamp(within.start as f64, within.end as f64) as usize;
    let start = limit((low - 0.5).ceil());
    let end = limit((high - 0.5).floor() + 1.0);
    if start < end { start..end } else { within.start..within.start }
}

struct Shape {
    start: Point,
    end: Point,
    along: Point,
    length_squared: f64,
    radius: f64,
}

impl Shape {
    fn new(start: Point, end: Point, radius: f64) -> Shape {
        let along = [end[0] - start[0], end[1] - start[1]];
        Shape { start, end, along, length_squared: along[0] * along[0] + along[1] * along[1], radius }
    }

    fn distance(&self, p: Point) -> f64 {
        let from = [p[0] - self.start[0], p[1] - self.start[1]];
        let t = if self.length_squared > 0.0 {
            ((from[0] * self.along[0] + from[1] * self.along[1]) / self.length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let off = [from[0] - t * self.along[0], from[1] - t * self.along[1]];
        (off[0] * off[0] + off[1] * off[1]).sqrt()
    }

    /// Where the row at height `y` crosses the points within `reach` of the segment: they are
    /// convex, so it is one interval.
    fn row(&self, y: f64, reach: f64) -> Option<(f64, f64)> {
        if self.length_squared == 0.0 {
            let half_squared = reach * reach - (y - self.start[1]) * (y - self.start[1]);
            return (reach > 0.0 && half_squared >= 0.0).then(|| {
                let half = half_squared.sqrt();
                (self.start[0] - half, self.start[0] + half)
            });
        }
        let mut found: Option<(f64, f64)> = None;
        let mut add = |low: f64, high: f64| {
            found = Some(found.map_or((low, high), |(a, b): (f64, f64)| (a.min(low), b.max(high))));
        };
        for end in [self.start, self.end] {
            let half_squared = reach * reach - (y - end[1]) * (y - end[1]);
            if reach > 0.0 && half_squared >= 0.0 {
                let half = half_squared.sqrt();
                add(end[0] - half, end[0] + half);
            }
        }
        // The two straight sides lie `reach` to the left and right of the segment.
        let length = self.length_squared.sqrt();
        if reach > 0.0 && length > 0.0 && self.along[1] != 0.0 {
            let offset = [-self.along[1] * reach / length, self.along[0] * reach / length];
            for sign in [-1.0, 1.0] {
                let t = (y - self.start[1] - sign * offset[1]) / self.along[1];
                if (0.0..=1.0).contains(&t) {
                    let x = self.start[0] + sign * offset[0] + t * self.along[0];
                    add(x, x);
                }
            }
        } else if reach > 0.0 && length > 0.0 && (y - self.start[1]).abs() <= reach {
            add(self.start[0].min(self.end[0]), self.start[0].max(self.end[0]));
        }
        found
    }
}
