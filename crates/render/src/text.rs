//! The embedded font: widths of text, and its letters as coverage of pixels.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, Glyph, ScaleFont, point};

use crate::display_list::{Align, Baseline, Text, Weight};

/// Height of a capital letter of Noto Sans as a share of the font size.
const CAPITAL_HEIGHT: f64 = 0.714;

static REGULAR: &[u8] = include_bytes!("../assets/NotoSans-Regular-subset.ttf");
static BOLD: &[u8] = include_bytes!("../assets/NotoSans-Bold-subset.ttf");

/// The embedded font. It is part of the program, so that no machine lacks it.
fn font(weight: Weight) -> &'static FontRef<'static> {
    static FONTS: OnceLock<[FontRef<'static>; 2]> = OnceLock::new();
    let load = |bytes| FontRef::try_from_slice(bytes).expect("the embedded font is whole: tests read it");
    let [regular, bold] = FONTS.get_or_init(|| [load(REGULAR), load(BOLD)]);
    match weight {
        Weight::Regular => regular,
        Weight::Bold => bold,
    }
}

/// Width of a line of text in pixels.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let font = font(weight).as_scaled(scale(size, weight));
    text.chars().map(|letter| f64::from(font.h_advance(font.scaled_glyph(letter).id))).sum()
}

/// How far below its anchor the baseline of a text is.
pub(crate) fn drop(baseline: Baseline, size: f64) -> f64 {
    match baseline {
        Baseline::Alphabetic => 0.0,
        Baseline::Middle => 0.5 * CAPITAL_HEIGHT * size,
        Baseline::Top => CAPITAL_HEIGHT * size,
    }
}

/// Calls `cover(x, y, coverage)` for every pixel that a letter of the text covers, in the picture.
pub(crate) fn cover(text: &Text, mut cover: impl FnMut(i32, i32, f32)) {
    let font = font(text.weight);
    let scaled = font.as_scaled(scale(text.size, text.weight));
    let length = width(&text.text, text.size, text.weight);
    let back = match text.align {
        Align::Start => 0.0,
        Align::Middle => 0.5 * length,
        Align::End => length,
    };
    // Along the line and across it (downwards); the picture is turned afterwards for text that
    // reads upwards.
    let [x, y] = if text.upwards { [-text.position[1], text.position[0]] } else { text.position };
    let mut pen = (x - back) as f32;
    let line = (y + drop(text.baseline, text.size)) as f32;
    for letter in text.text.chars() {
        let glyph: Glyph = Glyph { position: point(pen, line), ..scaled.scaled_glyph(letter) };
        pen += scaled.h_advance(glyph.id);
        let Some(outlined) = font.outline_glyph(glyph) else { continue };
        let corner = outlined.px_bounds().min;
        let (left, top) = (corner.x as i32, corner.y as i32);
        outlined.draw(|dx, dy, share| {
            let (along, across) = (left.saturating_add(dx as i32), top.saturating_add(dy as i32));
            if text.upwards {
                cover(across, along.saturating_neg().saturating_sub(1), share);
            } else {
                cover(along, across, share);
            }
        });
    }
}

/// The scale of ab_glyph counts from ascent to descent; ours is the em, as in CSS and SVG.
fn scale(size: f64, weight: Weight) -> f32 {
    let font = font(weight);
    let em = font.units_per_em().unwrap_or(1000.0);
    (size as f32) * font.height_unscaled() / em
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Rgba;

    #[test]
    fn both_weights_have_every_letter_that_we_write() {
        for weight in [Weight::Regular, Weight::Bold] {
            for letter in
                "abcxyzABCXYZ0123456789 .,:;+-\u{2212}=()[]/\u{b7}\u{b2}\u{2026}\u{2013}\u{3c9}\u{394}"
                    .chars()
            {
                assert_ne!(font(weight).glyph_id(letter).0, 0, "{letter:?} is missing");
            }
        }
    }

    #[test]
    fn width_grows_with_text_and_size() {
        let one = width("momentum", 10.0, Weight::Regular);
        assert!(one > 40.0 && one < 70.0, "{one}");
        assert!((width("momentum", 20.0, Weight::Regular) - 2.0 * one).abs() < 1e-3);
        assert!(width("momentum", 10.0, Weight::Bold) > one);
    }

    #[test]
    fn a_capital_covers_the_box_that_its_anchor_says() {
        let text = Text::new("H", [50.0, 20.0], 20.0, Rgba::BLACK).aligned(Align::Middle, Baseline::Top);
        let (mut low, mut high) = ([i32::MAX; 2], [i32::MIN; 2]);
        cover(&text, |x, y, share| {
            if share > 0.5 {
                low = [low[0].min(x), low[1].min(y)];
                high = [high[0].max(x), high[1].max(y)];
            }
        });
        assert!((low[1] - 20).abs() <= 1 && (high[1] - 34).abs() <= 1, "{low:?} {high:?}");
        assert!(((low[0] + high[0]) / 2 - 50).abs() <= 1, "{low:?} {high:?}");
    }
}
