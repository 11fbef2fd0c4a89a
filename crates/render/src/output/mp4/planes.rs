//! Pixels to the three planes of a movie: brightness of every pixel, two colour differences of
//! every four (BT.709, limited range).

use openh264::formats::YUVSource;

use crate::raster::Canvas;

/// The planes of one picture, used again for the next.
#[derive(Debug)]
pub(super) struct Planes {
    width: usize,
    height: usize,
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

impl Planes {
    /// Sides are made even.
    pub(super) fn new(width: usize, height: usize) -> Planes {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let quarter = width / 2 * (height / 2);
        Planes {
            width,
            height,
            luma: vec![0; width * height],
            blue: vec![128; quarter],
            red: vec![128; quarter],
        }
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Reads a picture; beyond its last column and row these are repeated.
    pub(super) fn fill(&mut self, canvas: &Canvas) {
        let (columns, rows) = (canvas.width() as usize, canvas.height() as usize);
        let data = canvas.rgba();
        let row_of = |y: usize| {
            let y = y.min(rows - 1);
            &data[4 * columns * y..4 * columns * (y + 1)]
        };
        let half = self.width / 2;
        for pair in 0..self.height / 2 {
            let (upper, lower) = (row_of(2 * pair), row_of(2 * pair + 1));
            let (top, bottom) =
                self.luma[2 * pair * self.width..2 * (pair + 1) * self.width].split_at_mut(self.width);
            let chroma = pair * half..(pair + 1) * half;
            let (blue, red) = (&mut self.blue[chroma.clone()], &mut self.red[chroma]);
            let both = upper.chunks(8).zip(lower.chunks(8));
            let brightness = top.chunks_exact_mut(2).zip(bottom.chunks_exact_mut(2));
            for (((above, below), (top, bottom)), (blue, red)) in
                both.zip(brightness).zip(blue.iter_mut().zip(red))
            {
                let four = [first(above), last(above), first(below), last(below)];
                (top[0], top[1]) = (luma(four[0]), luma(four[1]));
                (bottom[0], bottom[1]) = (luma(four[2]), luma(four[3]));
                let sum = |channel: usize| {
                    four[0][channel] + four[1][channel] + four[2][channel] + four[3][channel]
                };
                let (r, g, b) = (sum(0), sum(1), sum(2));
                // Sums of four pixels, so the weights are shared out by 2¹⁸ instead of 2¹⁶.
                *blue = cut(128 + ((-6596 * r - 22_189 * g + 28_784 * b + (1 << 17)) >> 18));
                *red = cut(128 + ((28_784 * r - 26_145 * g - 2639 * b + (1 << 17)) >> 18));
            }
        }
    }
}

fn first(pixels: &[u8]) -> [i32; 3] {
    [i32::from(pixels[0]), i32::from(pixels[1]), i32::from(pixels[2])]
}

/// The second of two pixels, or the only one at the end of an odd row.
fn last(pixels: &[u8]) -> [i32; 3] {
    if pixels.len() == 8 { first(&pixels[4..]) } else { first(pixels) }
}

/// 16 + 219 (0.2126 r + 0.7152 g + 0.0722 b) in 16 bits of fraction.
fn luma([r, g, b]: [i32; 3]) -> u8 {
    cut(16 + ((11_966 * r + 40_254 * g + 4064 * b + (1 << 15)) >> 16))
}

fn cut(value: i32) -> u8 {
    value.clamp(0, 255) as u8
}

impl YUVSource for Planes {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }

    fn y(&self) -> &[u8] {
        &self.luma
    }

    fn u(&self) -> &[u8] {
        &self.blue
    }

    fn v(&self) -> &[u8] {
        &self.red
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Rgba;
    use crate::display_list::DisplayList;

    #[test]
    fn known_colours_have_the_values_of_the_standard() {
        // ITU-R BT.709-6, table 4: 75 % bars are not used; these are the full primaries in eight
        // bits.
        let cases = [
            (Rgba::WHITE, [235, 128, 128]),
            (Rgba::BLACK, [16, 128, 128]),
            (Rgba::opaque(255, 0, 0), [63, 102, 240]),
            (Rgba::opaque(0, 255, 0), [173, 42, 26]),
            (Rgba::opaque(0, 0, 255), [32, 240, 118]),
        ];
        for (color, expected) in cases {
            let canvas = Canvas::of(&DisplayList::new(3, 5, color, "one colour")).unwrap();
            let mut planes = Planes::new(3, 5);
            planes.fill(&canvas);
            assert_eq!(planes.size(), (4, 6));
            for (plane, value) in [&planes.luma, &planes.blue, &planes.red].into_iter().zip(expected) {
                assert!(
                    plane.iter().all(|byte| byte.abs_diff(value) <= 1),
                    "{color:?}: {plane:?} for {value}"
                );
            }
        }
    }
}
