//! PNG files.

use std::io::{self, Write};

use crate::raster::Canvas;

/// How hard to compress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// Ten times faster, three times larger: for folders of frames.
    #[default]
    Fast,
    /// For single pictures that are kept.
    Small,
}

/// Writes a picture as a PNG of eight bits a channel without opacity.
pub fn write(canvas: &Canvas, effort: Effort, out: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(match effort {
        Effort::Fast => png::Compression::Fast,
        Effort::Small => png::Compression::High,
    });
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb(canvas))?;
    Ok(writer.finish()?)
}

/// Three bytes a pixel.
pub(crate) fn rgb(canvas: &Canvas) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(canvas.rgba().len() / 4 * 3);
    for pixel in canvas.rgba().chunks_exact(4) {
        bytes.extend_from_slice(&pixel[..3]);
    }
    bytes
}
