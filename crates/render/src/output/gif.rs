//! Animated GIFs with one fixed palette: the colours of the scene and their mixtures with the
//! background.

use std::io::{self, Write};

use carom_scene::{Scene, System};

use crate::color::Rgba;
use crate::picture;
use crate::raster::Canvas;
use crate::spatial;

/// Players show faster GIFs slower: a picture lasts at least two hundredths of a second.
pub const MOST_FPS: f64 = 50.0;
/// The last entry of the palette stands for "as before".
const UNCHANGED: u8 = 255;
/// Slots of the table that remembers which entry a colour has.
const REMEMBERED: usize = 1 << 14;
/// Colours that are not in the palette are distinguished by this many leading bits of each channel.
const COARSE_BITS: u32 = 5;
/// Entries before the 52 of the cube.
const WITHOUT_CUBE: usize = 203;
/// Surfaces that have shades of their own, and steps of each from full light to the background.
const MOST_SHADED: usize = 24;
const FADES: usize = 4;
/// No entry found yet: the palette ends before it.
const UNKNOWN: u8 = UNCHANGED;

/// Which 255 colours a GIF may have.
///
/// Colours of the scene come out exactly (up to 120 of them); rims, tints and what else there is go
/// to the nearest entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    colors: Vec<Rgba>,
    /// The same colours as numbers with their places, sorted: those are met exactly.
    exact: Vec<(u32, u8)>,
}

impl Palette {
    /// For a scene: its colours, each with steps towards the background for smooth rims, and a
    /// coarse cube for the rest.
    pub fn of_scene(scene: &Scene) -> Palette {
        let background = picture::background(scene);
        let mut given: Vec<Rgba> = vec![background.ink()];
        match &scene.system {
            System::Particles(scene) => {
                let look = &scene.appearance;
                let lists = [&look.particle_colors, &look.edge_colors, &look.half_plane_colors];
                given.extend(lists.into_iter().flatten().map(|c| Rgba::from(c.color)));
                given.extend(look.paths.iter().map(|p| Rgba::from(p.color)));
            }
            System::RigidBodies(scene) => {
                let lists = [&scene.body_colors, &scene.spring_colors];
                given.extend(lists.into_iter().flatten().map(|c| Rgba::from(c.color)));
            }
            System::SpatialBodies(_) => {
                return Palette::of_shades(background, picture::default_colors(scene));
            }
        }
        given.extend(picture::default_colors(scene));
        let rims: Vec<Rgba> = given.iter().map(|color| color.mixed_with(Rgba::BLACK, 0.4)).collect();
        given.extend(rims);
        // Large tinted areas come out in their own colour too.
        given.extend(picture::tints(scene));
        Palette::new(background, &given)
    }

    /// For solids: each colour in every light, and the way of the ground to the background.
    fn of_shades(background: Rgba, mut surfaces: Vec<Rgba>) -> Palette {
        surfaces.sort_unstable();
        surfaces.dedup();
        // Scenes of very many colours share shades.
        surfaces = surfaces.iter().step_by(surfaces.len().div_ceil(MOST_SHADED).max(1)).copied().collect();
        let mut colors = vec![background, background.ink()];
        let each = (WITHOUT_CUBE - colors.len()) / surfaces.len().max(1);
        for surface in surfaces {
            let lit = each.saturating_sub(FADES).max(2);
            colors.extend((1..=lit).map(|k| spatial::shade(surface, k as f64 / lit as f64)));
            let brightest = spatial::shade(surface, 1.0);
            let fades = each.saturating_sub(lit);
            colors
                .extend((1..=fades).map(|k| brightest.mixed_with(background, k as f64 / (fades + 1) as f64)));
        }
        Palette::finished(colors)
    }

    /// From a background and the colours that are drawn on it; repeated ones count once.
    pub fn new(background: Rgba, drawn: &[Rgba]) -> Palette {
        let mut colors = vec![Rgba { alpha: 255, ..background }];
        let mut distinct: Vec<Rgba> = Vec::new();
        for color in drawn.iter().map(|c| Rgba { alpha: 255, ..*c }) {
            if !distinct.contains(&color) && !colors.contains(&color) {
                distinct.push(color);
            }
        }
        distinct.truncate(120);
        colors.extend(&distinct);
        // What the cube leaves is shared by the rims.
        let steps = (WITHOUT_CUBE / distinct.len().max(1)).clamp(2, 17).saturating_sub(1);
        for k in 1..=steps {
            let share = k as f64 / (steps + 1) as f64;
            colors.extend(distinct.iter().map(|color| background.mixed_with(*color, share)));
        }
        Palette::finished(colors)
    }

    /// Adds the coarse cube.
    fn finished(mut colors: Vec<Rgba>) -> Palette {
        colors.truncate(WITHOUT_CUBE);
        for (red, green, blue) in cube() {
            colors.push(Rgba::opaque(red, green, blue));
        }
        colors.truncate(usize::from(UNCHANGED));
        let mut exact: Vec<(u32, u8)> =
            colors.iter().enumerate().map(|(k, c)| (key(c.red, c.green, c.blue), k as u8)).collect();
        exact.sort_unstable();
        exact.dedup_by_key(|(key, _)| *key);
        Palette { colors, exact }
    }

    /// The place of a colour that is in the palette.
    fn exact(&self, key: u32) -> Option<u8> {
        self.exact.binary_search_by_key(&key, |(known, _)| *known).ok().map(|at| self.exact[at].1)
    }

    fn nearest(&self, red: u8, green: u8, blue: u8) -> u8 {
        let off = |a: u8, b: u8| i32::from(a) - i32::from(b);
        // Green weighs most and blue least, as in luminance.
        let distance = |c: &Rgba| {
            let (r, g, b) = (off(c.red, red), off(c.green, green), off(c.blue, blue));
            3 * r * r + 6 * g * g + 2 * b * b
        };
        let best = self.colors.iter().enumerate().min_by_key(|(_, color)| distance(color));
        best.map_or(0, |(index, _)| index as u8)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colors.iter().flat_map(|c| [c.red, c.green, c.blue]).collect();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

fn key(red: u8, green: u8, blue: u8) -> u32 {
    u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)
}

/// 4 · 4 · 3 evenly spread colours and a few greys.
fn cube() -> impl Iterator<Item = (u8, u8, u8)> {
    let level = |k: u8, of: u8| (u16::from(k) * 255 / u16::from(of)) as u8;
    let colors = (0..48u8).map(move |k| (level(k / 12, 3), level(k / 3 % 4, 3), level(k % 3, 2)));
    colors.chain([40, 100, 150, 200].map(|grey| (grey, grey, grey)))
}

/// Writes pictures one by one; only what changed since the last one is stored.
pub struct GifWriter<W: Write> {
    encoder: gif::Encoder<W>,
    palette: Palette,
    remembered: Vec<(u32, u8)>,
    coarse: Vec<u8>,
    fps: f64,
    written: u64,
    size: [u16; 2],
    last: Vec<u8>,
}

impl<W: Write> std::fmt::Debug for GifWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifWriter")
            .field("size", &self.size)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

impl<W: Write> GifWriter<W> {
    /// Starts a movie that repeats for ever. `fps` beyond [`MOST_FPS`] is cut to it.
    pub fn new(out: W, width: u32, height: u32, fps: f64, palette: Palette) -> io::Result<GifWriter<W>> {
        let side = |pixels: u32| u16::try_from(pixels).map_err(io::Error::other);
        let size = [side(width)?, side(height)?];
        let mut encoder =
            gif::Encoder::new(out, size[0], size[1], &palette.bytes()).map_err(io::Error::other)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
        Ok(GifWriter {
            encoder,
            palette,
            remembered: vec![(u32::MAX, 0); REMEMBERED],
            coarse: vec![UNKNOWN; 1 << (3 * COARSE_BITS)],
            fps: fps.min(MOST_FPS),
            written: 0,
            size,
            last: Vec::new(),
        })
    }

    /// Adds a picture.
    pub fn write(&mut self, canvas: &Canvas) -> io::Result<()> {
        let indices = self.indices(canvas);
        let [width, height] = self.size.map(usize::from);
        let first = self.last.len() != indices.len();
        let [left, top, right, bottom] =
            if first { [0, 0, width, height] } else { changed(&self.last, &indices, width) };
        let mut buffer = Vec::with_capacity((right - left) * (bottom - top));
        for y in top..bottom {
            let row = y * width + left..y * width + right;
            if first {
                buffer.extend_from_slice(&indices[row]);
            } else {
                let pairs = indices[row.clone()].iter().zip(&self.last[row]);
                buffer.extend(pairs.map(|(new, old)| if new == old { UNCHANGED } else { *new }));
            }
        }
        let frame = gif::Frame {
            delay: self.delay(),
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            buffer: buffer.into(),
            ..gif::Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(into_io)?;
        self.last = indices;
        self.written += 1;
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(io::Error::other)
    }

    /// Hundredths of a second; rounded so that the sum stays right.
    fn delay(&self) -> u16 {
        let at = |k: u64| (k as f64 * 100.0 / self.fps).round();
        (at(self.written + 1) - at(self.written)).clamp(2.0, 65_535.0) as u16
    }

    /// The entry of a colour: its own, or the nearest to the middle of its cell.
    fn entry(&mut self, key: u32) -> u8 {
        if let Some(entry) = self.palette.exact(key) {
            return entry;
        }
        let lost = 8 - COARSE_BITS;
        let level = |shift: u32| (key >> shift & 255) >> lost;
        let cell = (level(16) << (2 * COARSE_BITS) | level(8) << COARSE_BITS | level(0)) as usize;
        if self.coarse[cell] == UNKNOWN {
            let middle = |shift: u32| (level(shift) << lost | 1 << (lost - 1)) as u8;
            self.coarse[cell] = self.palette.nearest(middle(16), middle(8), middle(0));
        }
        self.coarse[cell]
    }

    fn indices(&mut self, canvas: &Canvas) -> Vec<u8> {
        let mut out = Vec::with_capacity(canvas.rgba().len() / 4);
        let mut last = (u32::MAX, 0u8);
        for pixel in canvas.rgba().chunks_exact(4) {
            let key = key(pixel[0], pixel[1], pixel[2]);
            if key != last.0 {
                let slot = (key.wrapping_mul(0x9e37_79b1) >> 18) as usize;
                if self.remembered[slot].0 != key {
                    self.remembered[slot] = (key, self.entry(key));
                }
                last = self.remembered[slot];
            }
            out.push(last.1);
        }
        out
    }
}

/// The smallest box with every difference; one pixel when nothing differs.
fn changed(old: &[u8], new: &[u8], width: usize) -> [usize; 4] {
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for (y, (a, b)) in old.chunks_exact(width).zip(new.chunks_exact(width)).enumerate() {
        if a == b {
            continue;
        }
        let differs = |(p, q): (&u8, &u8)| p != q;
        let from = a.iter().zip(b).position(differs).unwrap_or(0);
        let to = width - a.iter().rev().zip(b.iter().rev()).position(differs).unwrap_or(0);
        (left, right) = (left.min(from), right.max(to));
        (top, bottom) = (top.min(y), y + 1);
    }
    if bottom == 0 { [0, 0, 1, 1] } else { [left, top, right, bottom] }
}

fn into_io(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
