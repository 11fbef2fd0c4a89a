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
    /// Starts `program` (usually `ffmpeg`) writing an H.264 movie to `path`, replacing what is there.
    pub fn start(program: &Path, path: &Path, width: u32, height: u32, fps: f64) -> io::Result<FfmpegWriter> {
        let child = Command::new(program)
            .args(["-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{width}x{height}"), "-r", &fps.to_string(), "-i", "-"])
            // Both sides even, as the format needs; the last column and row are repeated.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
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
        match self.child.stdin.as_mut() {
            Some(pipe) => pipe.write_all(&rgb(canvas)),
            None => Err(io::Error::new(io::ErrorKind::BrokenPipe, "ffmpeg takes no more pictures")),
        }
    }

    /// Waits until the movie is written.
    pub fn finish(mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        let mut words = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            io::Read::read_to_string(&mut errors, &mut words)?;
        }
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("ffmpeg failed: {}", words.trim())))
        }
    }
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
