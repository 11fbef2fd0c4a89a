//! Runs to movies and folders of pictures: streamed, drawn in parallel, encoded in order, in
//! bounded memory.
//!
//! Frames are read one by one. Display lists are made in order (trails need that), a few at a time;
//! one such batch is drawn by all threads while the batch before it is encoded. Nothing else is
//! kept, however long the run is, and the bytes that come out do not depend on the number of
//! threads.

mod sink;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_trajectory::{Frame, TrajectoryError};
use rayon::prelude::*;

use crate::display_list::DisplayList;
use crate::picture::{Painter, PictureError, Trails};
use crate::raster::SizeError;
use crate::timing::{Selection, Step, Timing, TimingError};
use sink::{Drawn, Sink};

/// Pictures in a batch for each thread: enough to keep all busy, little enough to hold.
const BATCH_PER_THREAD: usize = 4;

/// Where pictures go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An MP4 movie by the encoder of the build.
    #[cfg(feature = "mp4")]
    Mp4(PathBuf),
    /// An animated GIF.
    Gif(PathBuf),
    /// An MP4 movie by an ffmpeg that is installed.
    Ffmpeg {
        /// The program, usually `ffmpeg`.
        program: PathBuf,
        /// The movie.
        path: PathBuf,
    },
    /// One PNG for each picture.
    Pngs(Numbered),
    /// One SVG for each picture.
    Svgs(Numbered),
}

/// Names of files in a folder: `prefix`, a number of at least `digits` digits from 0, and the
/// ending of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// The folder; made if it is not there.
    pub folder: PathBuf,
    /// What names begin with.
    pub prefix: String,
    /// Digits at least.
    pub digits: usize,
}

impl Numbered {
    /// `frame00000` and so on, as the course's programs name their PNGs.
    pub fn course_png(folder: impl Into<PathBuf>) -> Numbered {
        Numbered { folder: folder.into(), prefix: "frame".to_owned(), digits: 5 }
    }

    /// `frame` and twenty digits, as the course's programs name their SVGs.
    pub fn course_svg(folder: impl Into<PathBuf>) -> Numbered {
        Numbered { folder: folder.into(), prefix: "frame".to_owned(), digits: 20 }
    }

    /// The file of picture `index`.
    pub fn file(&self, index: u64, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{index:0digits$}.{ending}", self.prefix, digits = self.digits))
    }
}

/// What to record, and how.
#[derive(Debug)]
pub struct Job<'a> {
    /// Paints the frames.
    pub painter: &'a Painter<'a>,
    /// Which frames are shown.
    pub timing: Timing,
    /// Where pictures go.
    pub target: Target,
    /// Threads that draw; 0 for as many as the machine has.
    pub threads: usize,
    /// Set to true from anywhere to stop: the movie is then dropped, pictures in a folder stay.
    pub cancel: &'a AtomicBool,
}

/// Why there is no movie.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Someone asked to stop.
    #[error("stopped before the end; no movie was written")]
    Cancelled,
    /// No stored frame is in the stretch that was asked for.
    #[error("nothing to show: the run has no frame between {from} s and {to} s")]
    Nothing {
        /// Start of the stretch.
        from: f64,
        /// End of the stretch.
        to: f64,
    },
    /// A timing that shows nothing.
    #[error(transparent)]
    Timing(#[from] TimingError),
    /// A frame of another scene.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A picture without pixels, or with too many.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The run could not be read on.
    #[error("cannot read the next frame: {0}")]
    Source(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Something could not be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not take the place of the one before it.
    #[error(transparent)]
    File(#[from] TrajectoryError),
    /// No threads to draw with.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

/// What was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// Pictures in the movie or folder.
    pub pictures: u64,
    /// Frames of the run that were read.
    pub frames: u64,
    /// Pictures in which something is left out, because its place is not a number.
    pub incomplete: u64,
}

/// Records a run. `progress` is called now and then with the number of pictures written so far;
/// [`Timing::pictures`] has the number to come.
pub fn record<E>(
    job: &Job<'_>,
    frames: impl IntoIterator<Item = Result<Frame, E>>,
    mut progress: impl FnMut(u64),
) -> Result<Recorded, RecordError>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut timing = job.timing;
    if matches!(job.target, Target::Gif(_)) {
        timing.fps = timing.fps.min(crate::output::gif::MOST_FPS);
    }
    timing.check()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.threads)
        .build()
        .map_err(|error| RecordError::Threads(error.to_string()))?;
    sink::open(&job.target, job.painter, timing.fps, |sink| {
        let source = frames.into_iter().map(|frame| frame.map_err(|error| RecordError::Source(error.into())));
        let mut pictures = Pictures::new(job.painter, timing, source);
        let recorded = run(job, &mut pictures, &pool, sink, &mut progress)?;
        if recorded.pictures == 0 {
            return Err(RecordError::Nothing { from: timing.from, to: timing.to });
        }
        Ok(recorded)
    })
}

fn run<S: Iterator<Item = Result<Frame, RecordError>>>(
    job: &Job<'_>,
    pictures: &mut Pictures<'_, S>,
    pool: &rayon::ThreadPool,
    sink: &mut Sink<'_>,
    progress: &mut impl FnMut(u64),
) -> Result<Recorded, RecordError> {
    let batch = BATCH_PER_THREAD * pool.current_num_threads();
    let kind = sink.kind();
    let mut ready: Vec<(Drawn, u64)> = Vec::new();
    loop {
        let lists = pictures.take(batch)?;
        if job.cancel.load(Ordering::Relaxed) {
            return Err(RecordError::Cancelled);
        }
        if lists.is_empty() && ready.is_empty() {
            let Pictures { read, incomplete, .. } = *pictures;
            return Ok(Recorded { pictures: sink.written(), frames: read, incomplete });
        }
        let (written, drawn) = pool.join(
            || ready.iter().try_for_each(|(picture, times)| sink.write(picture, *times)),
            || {
                lists.par_iter().map(|(list, times)| Ok((Drawn::new(list, kind)?, *times))).collect::<Result<
                    Vec<(Drawn, u64)>,
                    RecordError,
                >>(
                )
            },
        );
        written?;
        ready = drawn?;
        progress(sink.written());
    }
}

/// The display lists of the pictures to show, each with how many times.
struct Pictures<'a, S> {
    painter: &'a Painter<'a>,
    source: S,
    selection: Option<Selection>,
    trails: Trails,
    steps: VecDeque<Step>,
    seen: Option<Box<Frame>>,
    read: u64,
    incomplete: u64,
    end: f64,
}

impl<'a, S: Iterator<Item = Result<Frame, RecordError>>> Pictures<'a, S> {
    fn new(painter: &'a Painter<'a>, timing: Timing, source: S) -> Pictures<'a, S> {
        Pictures {
            painter,
            source,
            selection: Some(Selection::new(timing)),
            trails: Trails::new(painter.scene()),
            steps: VecDeque::new(),
            seen: None,
            read: 0,
            incomplete: 0,
            end: timing.to,
        }
    }

    fn take(&mut self, count: usize) -> Result<Vec<(DisplayList, u64)>, RecordError> {
        let mut lists = Vec::with_capacity(count);
        while lists.len() < count {
            match self.steps.pop_front() {
                Some(Step::Seen(frame)) => {
                    if !self.trails.is_empty() {
                        self.trails.push(self.painter.scene(), &frame);
                    }
                    self.seen = Some(frame);
                }
                Some(Step::Show(times)) => {
                    if let Some(frame) = &self.seen {
                        let list = self.painter.paint(frame, &self.trails)?;
                        self.incomplete += if list.left_out > 0 { times } else { 0 };
                        lists.push((list, times));
                    }
                }
                None if self.advance()? => {}
                None => break,
            }
        }
        Ok(lists)
    }

    /// Reads on; false when the run is over.
    fn advance(&mut self) -> Result<bool, RecordError> {
        let Some(selection) = &mut self.selection else { return Ok(false) };
        match self.source.next() {
            Some(frame) => {
                let frame = frame?;
                self.read += 1;
                let over = frame.time > self.end;
                self.steps = selection.push(frame);
                if over {
                    // The picture at the very end may be nearest to the frame after it.
                    self.finish();
                }
                Ok(true)
            }
            None => {
                self.finish();
                Ok(true)
            }
        }
    }

    fn finish(&mut self) {
        if let Some(selection) = self.selection.take() {
            self.steps.extend(selection.finish());
        }
    }
}
