//! MP4 movies: H.264 by OpenH264 in a file that browsers and players read. Pictures go out as they
//! come; only their sizes are kept.

mod boxes;
mod planes;

use std::io::{self, Seek, SeekFrom, Write};

use openh264::OpenH264API;
use openh264::encoder::{
    Complexity, Encoder, EncoderConfig, FrameRate, IntraFramePeriod, RateControlMode, UsageType, VuiConfig,
};

use crate::raster::Canvas;
use boxes::{Movie, SAMPLES_PER_CHUNK};
use planes::Planes;

/// A player can jump to a picture in every this many.
const KEY_PICTURES: u32 = 120;

/// Writes pictures one by one.
pub struct Mp4Writer<W: Write + Seek> {
    out: W,
    encoder: Encoder,
    planes: Planes,
    movie: Movie,
    /// Where the length of the pictures will be written, and where the file is now.
    length_at: u64,
    position: u64,
}

impl<W: Write + Seek> std::fmt::Debug for Mp4Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mp4Writer").field("movie", &self.movie).finish_non_exhaustive()
    }
}

impl<W: Write + Seek> Mp4Writer<W> {
    /// Starts a movie. Odd sizes are made even by repeating the last column or row, as the format
    /// needs.
    pub fn new(mut out: W, width: u32, height: u32, fps: f64) -> io::Result<Mp4Writer<W>> {
        let planes = Planes::new(width as usize, height as usize);
        let config = EncoderConfig::new()
            .usage_type(UsageType::CameraVideoRealTime)
            // Constant quality: the encoder's own quantizer of 26, at which flat colours and rims
            // are clean.
            .rate_control_mode(RateControlMode::Off)
            .max_frame_rate(FrameRate::from_hz(fps as f32))
            .complexity(Complexity::Low)
            .adaptive_quantization(false)
            .background_detection(false)
            .scene_change_detect(false)
            .skip_frames(false)
            .num_threads(1)
            .intra_frame_period(IntraFramePeriod::from_num_frames(KEY_PICTURES))
            .vui(VuiConfig::bt709());
        let encoder =
            Encoder::with_api_config(OpenH264API::from_source(), config).map_err(io::Error::other)?;
        let (even_width, even_height) = planes.size();
        let movie = Movie::new(even_width as u32, even_height as u32, fps);
        let start = boxes::file_type();
        out.write_all(&start)?;
        out.write_all(&boxes::open_data())?;
        let length_at = start.len() as u64 + 8;
        Ok(Mp4Writer { out, encoder, planes, movie, length_at, position: length_at + 8 })
    }

    /// Adds a picture.
    pub fn write(&mut self, canvas: &Canvas) -> io::Result<()> {
        self.planes.fill(canvas);
        let encoded = self.encoder.encode(&self.planes).map_err(io::Error::other)?;
        let mut sample = Vec::new();
        let mut key = false;
        for layer in (0..encoded.num_layers()).filter_map(|k| encoded.layer(k)) {
            for unit in (0..layer.nal_count()).filter_map(|k| layer.nal_unit(k)) {
                let unit = without_start_code(unit);
                // Types of units: ITU-T H.264, table 7-1.
                match unit.first().map(|byte| byte & 31) {
                    Some(7) => self.movie.sequence_parameters = unit.to_vec(),
                    Some(8) => self.movie.picture_parameters = unit.to_vec(),
                    Some(kind) => {
                        key |= kind == 5;
                        sample.extend((unit.len() as u32).to_be_bytes());
                        sample.extend_from_slice(unit);
                    }
                    None => {}
                }
            }
        }
        if sample.is_empty() {
            return Err(io::Error::other("the encoder left a picture out"));
        }
        if self.movie.samples().is_multiple_of(SAMPLES_PER_CHUNK) {
            self.movie.chunk_offsets.push(self.position);
        }
        self.movie.add_sample(sample.len() as u32, key);
        self.position += sample.len() as u64;
        self.out.write_all(&sample)
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<W> {
        if self.movie.samples() == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a movie without pictures"));
        }
        self.out.write_all(&self.movie.index())?;
        self.out.seek(SeekFrom::Start(self.length_at))?;
        // The box counts its own header of 16 bytes.
        let length = self.position - (self.length_at - 8);
        self.out.write_all(&length.to_be_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn without_start_code(unit: &[u8]) -> &[u8] {
    unit.strip_prefix(&[0, 0, 0, 1]).or_else(|| unit.strip_prefix(&[0, 0, 1])).unwrap_or(unit)
}
