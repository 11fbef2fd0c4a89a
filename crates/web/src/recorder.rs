//! A run as a file, made a little at a time so that the page stays alive.

use crate::engine::Engine;
use crate::request::Format;
use carom_trajectory::{Header, JournalBytes, export, open_bytes};

/// Most bytes of frames that a page keeps for a file.
const MOST_BYTES: usize = 256 << 20;
/// Frames a second of a glTF animation, as `carom run` has it.
const GLB_RATE: f64 = 24.0;

/// Frames so far.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// Format, last step, and every how many steps.
    pub(crate) wish: (Format, u64, u64),
    journal: JournalBytes,
    next: u64,
    text: String,
}

impl Recorder {
    /// Goes back to the first step that is known.
    pub(crate) fn start(engine: &mut Engine, wish: (Format, u64, u64), name: &str) -> Result<Self, String> {
        let text = carom_scene::write(engine.scene());
        let simulation = engine.simulation();
        let count = simulation.body_count() as u64;
        let mut header = Header::new(simulation.family(), count, simulation.dt(), name, &text);
        header.integrator = engine.scene().integrator_name().to_owned();
        header.options.every = wish.2;
        header.course_records = carom::grading::course_records(engine.scene());
        (header.masses, header.inertias) = simulation.mass_properties();
        let journal = JournalBytes::new(&header).map_err(|error| error.to_string())?;
        let next = engine.since();
        Ok(Recorder { wish, journal, next, text })
    }

    /// Adds frames until time is out: the file when it is whole, else itself.
    pub(crate) fn go_on(
        mut self,
        engine: &mut Engine,
        out_of_time: &mut dyn FnMut() -> bool,
    ) -> Result<Result<Vec<u8>, Self>, String> {
        let (_, to, every) = self.wish;
        loop {
            // A single seek may take several steps; it goes to the end, and time is asked for
            // between frames.
            engine.seek(self.next, &mut || false);
            if let Some(failure) = engine.failure() {
                return Err(format!("the run ends before the file does: {failure}"));
            }
            self.journal.append(engine.frame()).map_err(|error| error.to_string())?;
            if self.journal.size() > MOST_BYTES {
                let limit = MOST_BYTES >> 20;
                return Err(format!(
                    "the file would have more than {limit} MiB; the program has no such limit: carom run"
                ));
            }
            if self.next >= to {
                return self.finish().map(Ok);
            }
            self.next = (self.next + every).min(to);
            if out_of_time() {
                return Ok(Err(self));
            }
        }
    }

    fn finish(self) -> Result<Vec<u8>, String> {
        let bytes = self.journal.finish();
        if self.wish.0 == Format::Carom {
            return Ok(bytes);
        }
        let mut run = open_bytes(&bytes, None).map_err(|error| error.to_string())?;
        let made = match self.wish.0 {
            Format::Npz => export::npz_bytes(&mut run),
            Format::Glb => {
                let scene = carom::read_scene(&self.text).map_err(|error| error.to_string())?;
                let solids = carom::solids(&scene).map_err(|error| error.to_string())?;
                export::glb_bytes(&mut run, &solids, GLB_RATE)
            }
            Format::Csv | Format::Carom => {
                export::csv_bytes(&mut run).and_then(|[frames, states, contacts]| {
                    let tables = [("frames", frames), ("states", states), ("contacts", contacts)];
                    export::zip_bytes(&tables.map(|(name, table)| (format!("{name}.csv"), table)))
                })
            }
        };
        made.map_err(|error| error.to_string())
    }
}
