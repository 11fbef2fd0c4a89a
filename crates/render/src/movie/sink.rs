//! The far end of a recording: one encoder, or files in a folder.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use carom_trajectory::{TrajectoryError, atomic};

use super::{Numbered, RecordError, Recorded, Target};
use crate::display_list::DisplayList;
use crate::output::ffmpeg::FfmpegWriter;
use crate::output::gif::{GifWriter, Palette};
#[cfg(feature = "mp4")]
use crate::output::mp4::Mp4Writer;
use crate::output::png;
use crate::picture::Painter;
use crate::raster::Canvas;
use crate::svg;

/// How pictures are drawn for a sink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Pixels,
    Png,
    Svg,
}

/// A picture, drawn.
pub(super) enum Drawn {
    Pixels(Canvas),
    File(Vec<u8>),
}

impl Drawn {
    /// Everything that can be done without knowing the other pictures.
    pub(super) fn new(list: &DisplayList, kind: Kind) -> Result<Drawn, RecordError> {
        match kind {
            Kind::Pixels => Ok(Drawn::Pixels(Canvas::of(list)?)),
            Kind::Svg => Ok(Drawn::File(svg::document(list).into_bytes())),
            Kind::Png => {
                let mut bytes = Vec::new();
                let canvas = Canvas::of(list)?;
                png::write(&canvas, png::Effort::Fast, &mut bytes)
                    .map_err(|source| RecordError::Write { path: PathBuf::from("a picture"), source })?;
                Ok(Drawn::File(bytes))
            }
        }
    }
}

/// An open target.
pub(super) struct Sink<'a> {
    path: &'a Path,
    writer: Writer<'a>,
    written: u64,
}

enum Writer<'a> {
    #[cfg(feature = "mp4")]
    Mp4(Box<Mp4Writer<&'a mut BufWriter<File>>>),
    Gif(Box<GifWriter<&'a mut BufWriter<File>>>),
    Ffmpeg(FfmpegWriter),
    Files {
        names: &'a Numbered,
        ending: &'static str,
    },
}

/// Opens a target, fills it by `fill`, and closes it. A movie takes its name only when all went
/// well.
pub(super) fn open(
    target: &Target,
    painter: &Painter<'_>,
    fps: f64,
    fill: impl FnOnce(&mut Sink<'_>) -> Result<Recorded, RecordError>,
) -> Result<Recorded, RecordError> {
    let [width, height] = painter.view().size();
    Canvas::new(width, height)?;
    match target {
        #[cfg(feature = "mp4")]
        Target::Mp4(path) => whole(path, |out| {
            let writer = Mp4Writer::new(out, width, height, fps).map_err(write_error(path))?;
            let mut sink = Sink { path, writer: Writer::Mp4(Box::new(writer)), written: 0 };
            let recorded = fill(&mut sink)?;
            sink.finish()?;
            Ok(recorded)
        }),
        Target::Gif(path) => whole(path, |out| {
            let palette = Palette::of_scene(painter.scene());
            let writer = GifWriter::new(out, width, height, fps, palette).map_err(write_error(path))?;
            let mut sink = Sink { path, writer: Writer::Gif(Box::new(writer)), written: 0 };
            let recorded = fill(&mut sink)?;
            sink.finish()?;
            Ok(recorded)
        }),
        Target::Ffmpeg { program, path } => {
            // Open, and so locked, as long as the other program writes to it: nobody takes it for
            // one that was left behind.
            let (open, temporary) = atomic::temporary_beside(path)?.into_parts();
            let writer =
                FfmpegWriter::start(program, &temporary, width, height, fps).map_err(write_error(path))?;
            let mut sink = Sink { path, writer: Writer::Ffmpeg(writer), written: 0 };
            let recorded = fill(&mut sink)?;
            sink.finish()?;
            atomic::publish(&temporary, path)?;
            // It has its final name now: nothing is left to remove.
            temporary.keep().ok();
            drop(open);
            Ok(recorded)
        }
        Target::Pngs(names) => files(names, "png", fill),
        Target::Svgs(names) => files(names, "svg", fill),
    }
}

fn files(
    names: &Numbered,
    ending: &'static str,
    fill: impl FnOnce(&mut Sink<'_>) -> Result<Recorded, RecordError>,
) -> Result<Recorded, RecordError> {
    let path = names.folder.as_path();
    fs::create_dir_all(path).map_err(write_error(path))?;
    fill(&mut Sink { path, writer: Writer::Files { names, ending }, written: 0 })
}

/// Lets a file appear whole or not at all.
fn whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<Recorded, RecordError>,
) -> Result<Recorded, RecordError> {
    let mut failed = None;
    let outcome = atomic::write_whole(path, |out| {
        write(out).map_err(|error| {
            failed = Some(error);
            // Only says that the file is not to appear; the reason is handed on below.
            TrajectoryError::io("write", path)(io::Error::other("stopped"))
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(outcome?),
    }
}

fn write_error(path: &Path) -> impl FnOnce(io::Error) -> RecordError {
    move |source| RecordError::Write { path: path.to_path_buf(), source }
}

impl Sink<'_> {
    /// How pictures must be drawn.
    pub(super) fn kind(&self) -> Kind {
        match &self.writer {
            Writer::Files { ending: "svg", .. } => Kind::Svg,
            Writer::Files { .. } => Kind::Png,
            _ => Kind::Pixels,
        }
    }

    /// Pictures so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Adds a picture, several times where it is held.
    pub(super) fn write(&mut self, picture: &Drawn, times: u64) -> Result<(), RecordError> {
        for _ in 0..times {
            let done = match (&mut self.writer, picture) {
                #[cfg(feature = "mp4")]
                (Writer::Mp4(writer), Drawn::Pixels(canvas)) => writer.write(canvas),
                (Writer::Gif(writer), Drawn::Pixels(canvas)) => writer.write(canvas),
                (Writer::Ffmpeg(writer), Drawn::Pixels(canvas)) => writer.write(canvas),
                (Writer::Files { names, ending }, Drawn::File(bytes)) => {
                    place(&names.file(self.written, ending), bytes)
                }
                _ => Err(io::Error::other("pictures are drawn for their sink")),
            };
            done.map_err(write_error(self.path))?;
            self.written += 1;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), RecordError> {
        let done = match self.writer {
            #[cfg(feature = "mp4")]
            Writer::Mp4(writer) => writer.finish().map(|_| ()),
            Writer::Gif(writer) => writer.finish().map(|_| ()),
            Writer::Ffmpeg(writer) => writer.finish(),
            Writer::Files { .. } => Ok(()),
        };
        done.map_err(write_error(self.path))
    }
}

/// One small file of many: whole or not at all, but not forced to the disk one by one.
fn place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = atomic::temporary_beside(path).map_err(io::Error::other)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
