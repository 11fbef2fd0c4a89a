//! Display lists to pixels, anti-aliased, on the processor, with the same bytes on every machine.
//!
//! Discs and capsules are most of a picture and have a rasterizer of their own; everything else is
//! drawn by tiny-skia.

mod paths;
mod round;

use crate::color::Rgba;
use crate::display_list::{DisplayList, Item, Point, Text};
use crate::spatial::{self, Stage};
use crate::text;

/// Pixels of a drawn picture: rows from the top, four bytes each, opaque.
#[derive(Debug, Clone)]
pub struct Canvas {
    pixels: tiny_skia::Pixmap,
}

/// A picture without pixels, or with more than can be addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a picture of {width} by {height} pixels cannot be drawn: each side needs 1 to {LARGEST_SIDE}")]
pub struct SizeError {
    width: u32,
    height: u32,
}

/// Text beyond this distance in pixels, or of a larger size, is not drawn: none of it could be
/// read.
const FARTHEST_TEXT: f64 = 1.0e5;
const LARGEST_TEXT: f64 = 2000.0;
/// Longest side of a picture in pixels.
pub const LARGEST_SIDE: u32 = 16_384;

impl Canvas {
    /// An empty picture.
    pub fn new(width: u32, height: u32) -> Result<Canvas, SizeError> {
        let error = SizeError { width, height };
        if width > LARGEST_SIDE || height > LARGEST_SIDE {
            return Err(error);
        }
        tiny_skia::Pixmap::new(width, height).map(|pixels| Canvas { pixels }).ok_or(error)
    }

    /// A drawn picture.
    pub fn of(list: &DisplayList) -> Result<Canvas, SizeError> {
        let mut canvas = Canvas::new(list.width, list.height)?;
        canvas.draw(list);
        Ok(canvas)
    }

    /// Draws a picture over whatever is there. A list of another size is drawn at its own scale and
    /// cut.
    pub fn draw(&mut self, list: &DisplayList) {
        let background = Rgba { alpha: 255, ..list.background };
        self.pixels.fill(tiny_skia::Color::from_rgba8(
            background.red,
            background.green,
            background.blue,
            255,
        ));
        for (_, item) in list.in_order() {
            self.draw_item(item);
        }
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Red, green, blue and 255 of every pixel, row by row from the top.
    pub fn rgba(&self) -> &[u8] {
        self.pixels.data()
    }

    /// Colour of a pixel; absent outside of the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<Rgba> {
        let pixel = self.pixels.pixel(x, y)?;
        Some(Rgba::opaque(pixel.red(), pixel.green(), pixel.blue()))
    }

    fn draw_item(&mut self, item: &Item) {
        match item {
            Item::Disc { center, radius, color } => round::capsule(self, *center, *center, *radius, *color),
            Item::Capsule { start, end, radius, color } => {
                round::capsule(self, *start, *end, *radius, *color)
            }
            Item::Polygon { points, color } => paths::fill(&mut self.pixels, points, *color),
            Item::Polyline { points, stroke } => paths::stroke(&mut self.pixels, points, stroke),
            Item::Arrow { start, end, width, color } => self.draw_arrow(*start, *end, *width, *color),
            Item::Text(text) => self.draw_text(text),
            Item::Stage(stage) => self.draw_stage(stage),
            Item::Inset { corner, list } => self.draw_inset(*corner, list),
        }
    }

    fn draw_arrow(&mut self, start: Point, end: Point, width: f64, color: Rgba) {
        let (neck, head) = arrow_head(start, end, width);
        round::capsule(self, start, neck, 0.5 * width, color);
        paths::fill(&mut self.pixels, &head, color);
    }

    /// A stage of another size than the picture is not drawn: its camera belongs to another
    /// picture.
    fn draw_stage(&mut self, stage: &Stage) {
        let size = [self.width(), self.height()];
        if stage.camera.size() == size {
            spatial::draw(stage, self.pixels.data_mut(), size);
        }
    }

    /// A picture inside of this one, cut where this one ends; one that cannot be drawn is left out.
    fn draw_inset(&mut self, [left, top]: [u32; 2], list: &DisplayList) {
        let Ok(inset) = Canvas::of(list) else { return };
        let (width, height) = (self.width(), self.height());
        let shown = inset.width().min(width.saturating_sub(left)) as usize;
        let rows = inset.height().min(height.saturating_sub(top));
        for row in 0..rows {
            let from = 4 * row as usize * inset.width() as usize;
            let to = 4 * ((top + row) as usize * width as usize + left as usize);
            let pixels = &inset.rgba()[from..from + 4 * shown];
            self.pixels.data_mut()[to..to + 4 * shown].copy_from_slice(pixels);
        }
    }

    fn draw_text(&mut self, label: &Text) {
        let near = label.position.iter().all(|c| c.abs() <= FARTHEST_TEXT);
        if !near || label.size <= 0.0 || label.size > LARGEST_TEXT {
            return;
        }
        if let Some(halo) = label.halo {
            let reach = (0.09 * label.size).clamp(1.0, 2.0);
            for [dx, dy] in [
                [-1.0, 0.0],
                [1.0, 0.0],
                [0.0, -1.0],
                [0.0, 1.0],
                [-0.7, -0.7],
                [0.7, 0.7],
                [-0.7, 0.7],
                [0.7, -0.7],
            ] {
                let position = [label.position[0] + reach * dx, label.position[1] + reach * dy];
                let behind = Text { position, ..label.clone() };
                text::cover(&behind, |x, y, share| self.blend(x, y, halo, f64::from(share)));
            }
        }
        text::cover(label, |x, y, share| self.blend(x, y, label.color, f64::from(share)));
    }

    /// Lays `color` over a pixel with a coverage from 0 to 1; outside of the picture nothing
    /// happens.
    fn blend(&mut self, x: i32, y: i32, color: Rgba, coverage: f64) {
        let (width, height) = (self.width() as i32, self.height() as i32);
        if x < 0 || y < 0 || x >= width || y >= height {
            return;
        }
        let share = (coverage.clamp(0.0, 1.0) * f64::from(color.alpha)).round() as u32;
        let at = 4 * (y as usize * width as usize + x as usize);
        if let Some(pixel) = self.pixels.data_mut().get_mut(at..at + 4) {
            blend_pixel(pixel, color, share);
        }
    }
}

/// Lays `share` of 255 of a colour over an opaque pixel.
#[inline]
fn blend_pixel(pixel: &mut [u8], color: Rgba, share: u32) {
    let mix = |below: u8, above: u8| {
        let sum = u32::from(below) * (255 - share) + u32::from(above) * share + 127;
        ((sum + (sum >> 8) + 1) >> 8).min(255) as u8
    };
    pixel[0] = mix(pixel[0], color.red);
    pixel[1] = mix(pixel[1], color.green);
    pixel[2] = mix(pixel[2], color.blue);
}

/// Where the shaft of an arrow ends, and the corners of its head.
pub(crate) fn arrow_head(start: Point, end: Point, width: f64) -> (Point, [Point; 3]) {
    let along = [end[0] - start[0], end[1] - start[1]];
    let length = libm::hypot(along[0], along[1]);
    if length <= 0.0 {
        return (end, [end; 3]);
    }
    let unit = [along[0] / length, along[1] / length];
    let head = (4.5 * width).min(0.8 * length);
    let half = 0.42 * head;
    let base = [end[0] - head * unit[0], end[1] - head * unit[1]];
    let left = [base[0] - half * unit[1], base[1] + half * unit[0]];
    let right = [base[0] + half * unit[1], base[1] - half * unit[0]];
    (base, [end, left, right])
}
