//! Movies through an ffmpeg that is installed: asked for, never needed.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::png::rgb;
use crate::raster::Canvas;

/// Pictures go down a pipe as they come.
#[derive(Debug)]
pub struct FfmpegWriter {
    child: Child,
}

impl FfmpegWriter {
    /// Starts `program` (usually `ffmpeg`) writing an H.264 movie to `path`, replacing what is
    /// there.
    pub fn start(program: &Path, path: &Path, width: u32, height: u32, fps: f64) -> io::Result<FfmpegWriter> {
        let [width, height] = [width, height].map(|side| side.next_multiple_of(2));
        let child = Command::new(program)
            .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"])
            // Colours as players take them, and said so in the file.
            .args(["-vf", "scale=out_color_matrix=bt709:out_range=tv"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"])
            .args(["-movflags", "+faststart", "-f", "mp4", "-y"])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                io::Error::new(error.kind(), format!("cannot start {}: {error}", program.display()))
            })?;
        Ok(FfmpegWriter { child })
    }

    /// Adds a picture.
    pub fn write(&mut self, canvas: &Canvas) -> io::Result<()> {
        let sent = match self.child.stdin.as_mut() {
            Some(pipe) => pipe.write_all(&even(canvas)),
            None => Err(io::Error::new(io::ErrorKind::BrokenPipe, "ffmpeg takes no more pictures")),
        };
        // When it ended early it has said why.
        sent.map_err(|error| match self.wait() {
            Err(reason) => reason,
            Ok(()) => io::Error::other(format!("ffmpeg takes no more pictures: {error}")),
        })
    }

    /// Waits until the movie is written.
    pub fn finish(mut self) -> io::Result<()> {
        self.wait()
    }

    fn wait(&mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        let mut words = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            io::Read::read_to_string(&mut errors, &mut words)?;
        }
        let status = self.child.wait()?;
        // On a full disk some versions complain, leave a broken movie behind and end as if all were
        // well.
        if status.success() && words.trim().is_empty() {
            Ok(())
        } else {
            Err(io::Error::other(format!("ffmpeg failed: {}", words.trim())))
        }
    }
}

/// Three bytes a pixel, both sides even as the format needs: the last column and row are repeated.
fn even(canvas: &Canvas) -> Vec<u8> {
    let (width, mut bytes) = (3 * canvas.width() as usize, rgb(canvas));
    if !canvas.width().is_multiple_of(2) {
        let wider = |row: &[u8]| [row, &row[width - 3..]].concat();
        bytes = bytes.chunks_exact(width).flat_map(wider).collect();
    }
    if !canvas.height().is_multiple_of(2) {
        let row = 3 * canvas.width().next_multiple_of(2) as usize;
        bytes.extend_from_within(bytes.len() - row..);
    }
    bytes
}

impl Drop for FfmpegWriter {
    /// A movie that is given up leaves no process behind.
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // Nothing can be done when the process is already gone.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
