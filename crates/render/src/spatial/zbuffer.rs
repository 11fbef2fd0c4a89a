//! The z-buffer: what is nearest at each sample, band by band, and the colours of pixels from it.

use std::ops::Range;

use super::light::Linear;
use super::prepared::{Prepared, Primitive};
use super::shade::Shader;

/// Samples along each side of a pixel.
const SIDE: usize = 3;
const SAMPLES: usize = SIDE * SIDE;
/// Rows of pixels in a band: its samples stay in the processor's cache, whatever the size of the
/// picture.
const BAND: usize = 24;
/// No primitive.
const NOTHING: u32 = u32::MAX;

/// The samples of a band of rows.
struct Band {
    inverse: Vec<f32>,
    nearest: Vec<u32>,
    /// Samples in a row.
    width: usize,
    /// Rows of samples from the top of the picture.
    rows: Range<usize>,
}

pub(super) fn draw(prepared: &Prepared, shader: &Shader<'_>, pixels: &mut [u8], [width, height]: [usize; 2]) {
    let samples = width * SIDE * BAND * SIDE;
    let mut band = Band {
        inverse: vec![0.0; samples],
        nearest: vec![NOTHING; samples],
        width: width * SIDE,
        rows: 0..0,
    };
    let extents: Vec<[f64; 2]> = prepared.primitives.iter().map(Primitive::rows).collect();
    for top in (0..height).step_by(BAND) {
        let bottom = (top + BAND).min(height);
        band.rows = top * SIDE..bottom * SIDE;
        band.inverse.fill(0.0);
        band.nearest.fill(NOTHING);
        for (index, primitive) in prepared.primitives.iter().enumerate() {
            let [low, high] = extents[index];
            if high >= top as f64 && low <= bottom as f64 {
                band.add(primitive, index as u32, shader);
            }
        }
        for y in top..bottom {
            resolve(&band, prepared, shader, y, &mut pixels[4 * width * y..4 * width * (y + 1)]);
        }
    }
}

impl Band {
    fn add(&mut self, primitive: &Primitive, index: u32, shader: &Shader<'_>) {
        match primitive {
            Primitive::Face(face) => {
                let points: Vec<[f64; 2]> = face.points.iter().map(|p| p.map(|c| c * SIDE as f64)).collect();
                let (rows, width) = (self.rows.clone(), self.width);
                super::face::scan(&points, rows, width, |y, columns| {
                    self.add_row(y, columns, face.inverse, index);
                });
            }
            Primitive::Plane(plane) => {
                for y in self.rows.clone() {
                    self.add_row(y, 0..self.width, plane.inverse, index);
                }
            }
            Primitive::Ball(ball) => {
                let [left, top, right, bottom] = ball.frame.map(|c| c * SIDE as f64);
                let cut = |value: f64, range: &Range<usize>| {
                    value.clamp(range.start as f64, range.end as f64) as usize
                };
                let columns = 0..self.width;
                let columns = cut(left.floor(), &columns)..cut(right.ceil(), &columns);
                for y in cut(top.floor(), &self.rows)..cut(bottom.ceil(), &self.rows) {
                    let start = (y - self.rows.start) * self.width;
                    for x in columns.clone() {
                        if let Some(depth) = ball.depth(shader.ray(sample(x, y))) {
                            self.keep(start + x, 1.0 / depth, index);
                        }
                    }
                }
            }
        }
    }

    /// A stretch of a plane: its inverse depth is linear along the row.
    fn add_row(&mut self, y: usize, columns: Range<usize>, [a, b, c]: [f64; 3], index: u32) {
        let start = (y - self.rows.start) * self.width;
        let at = sample(0, y);
        let (first, step) = (a * at[0] + b * at[1] + c, a / SIDE as f64);
        for x in columns {
            self.keep(start + x, first + step * x as f64, index);
        }
    }

    #[inline]
    fn keep(&mut self, at: usize, inverse: f64, index: u32) {
        let inverse = inverse as f32;
        if inverse > self.inverse[at] {
            self.inverse[at] = inverse;
            self.nearest[at] = index;
        }
    }
}

/// Where a sample lies in the picture.
#[inline]
fn sample(x: usize, y: usize) -> [f64; 2] {
    [(x as f64 + 0.5) / SIDE as f64, (y as f64 + 0.5) / SIDE as f64]
}

/// One row of pixels: each primitive in a pixel is shaded once, in the middle of its samples, and
/// weighs as many as it has.
fn resolve(band: &Band, prepared: &Prepared, shader: &Shader<'_>, y: usize, row: &mut [u8]) {
    let top = (y * SIDE - band.rows.start) * band.width;
    for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
        let mut ids = [NOTHING; SAMPLES];
        for (k, id) in ids.iter_mut().enumerate() {
            *id = band.nearest[top + (k / SIDE) * band.width + x * SIDE + k % SIDE];
        }
        if ids.iter().all(|id| *id == ids[0]) {
            if let Some(primitive) = prepared.primitives.get(ids[0] as usize) {
                let color = shader.color(primitive, [x as f64 + 0.5, y as f64 + 0.5]);
                pixel[..3].copy_from_slice(&color.bytes());
            }
            continue;
        }
        let mut sum = Linear(glam::DVec3::ZERO);
        for k in 0..SAMPLES {
            if ids[..k].contains(&ids[k]) {
                continue;
            }
            let same = (k..SAMPLES).filter(|j| ids[*j] == ids[k]);
            let (mut middle, mut count) = ([0.0; 2], 0.0);
            for j in same {
                let at = sample(x * SIDE + j % SIDE, y * SIDE + j / SIDE);
                middle = [middle[0] + at[0], middle[1] + at[1]];
                count += 1.0;
            }
            let color = match prepared.primitives.get(ids[k] as usize) {
                Some(primitive) => shader.color(primitive, middle.map(|c| c / count)),
                None => Linear::of_bytes([pixel[0], pixel[1], pixel[2]]),
            };
            sum.0 += color.0.min(glam::DVec3::ONE) * (count / SAMPLES as f64);
        }
        pixel[..3].copy_from_slice(&sum.bytes());
    }
}
