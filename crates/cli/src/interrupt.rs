//! Ctrl-C and SIGTERM as a flag: work stops at the next good moment. Where none comes soon, what
//! was done is kept and the program ends all the same; a second Ctrl-C ends it at once.

use carom::watch::Watch;
use carom_trajectory::atomic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::time::Duration;

static INSTALL: Once = Once::new();
static PRESSED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether somebody has seen that Ctrl-C was pressed, and ends in good order.
static SEEN: AtomicBool = AtomicBool::new(false);
/// Whether a library watches the flag.
static WATCHED: AtomicBool = AtomicBool::new(false);
static LAST_WORDS: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// How long work that is interrupted may go on: solvers look for the flag, but not everything does.
const GRACE: Duration = Duration::from_millis(700);
/// What a shell says of a program that Ctrl-C ended.
const ENDED: i32 = 130;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Copy)]
pub(crate) struct Interrupt(&'static AtomicBool);

impl Interrupt {
    pub(crate) fn is_set(self) -> bool {
        let pressed = self.0.load(Ordering::Relaxed);
        if pressed {
            SEEN.store(true, Ordering::Relaxed);
        }
        pressed
    }

    /// As [`Self::is_set`], by one of several threads: that one of them ends is no promise of the
    /// others.
    pub(crate) fn is_set_for_all(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For libraries that watch a flag and end in good order by themselves.
    pub(crate) fn watched_by<T>(self, library: impl FnOnce(&'static AtomicBool) -> T) -> T {
        WATCHED.store(true, Ordering::Relaxed);
        let value = library(self.0);
        WATCHED.store(false, Ordering::Relaxed);
        value
    }
}

/// A flag that Ctrl-C sets. Where no handler can be installed, Ctrl-C ends the program as usual;
/// the journal is safe either way.
pub(crate) fn flag() -> Interrupt {
    INSTALL.call_once(|| {
        let _ends_as_usual = ctrlc::set_handler(|| {
            if PRESSED.swap(true, Ordering::Relaxed) {
                std::process::exit(ENDED);
            }
            std::thread::spawn(end_after_grace);
        });
    });
    Interrupt(&PRESSED)
}

/// Takes steps that the same flag ends from within.
pub(crate) fn during<T>(steps: impl FnOnce() -> T) -> T {
    carom::watch::during(Some(Watch { stop: Arc::clone(&PRESSED), most_pairs: None }), steps)
}

/// What is still to be done if the program has to end inside a step. The words before are
/// forgotten.
pub(crate) fn last_words(words: Option<Box<dyn FnOnce() + Send>>) {
    if let Ok(mut last) = LAST_WORDS.lock() {
        *last = words;
    }
}

fn end_after_grace() {
    std::thread::sleep(GRACE);
    if SEEN.load(Ordering::Relaxed) || WATCHED.load(Ordering::Relaxed) {
        return;
    }
    let Ok(mut words) = LAST_WORDS.lock() else { return };
    match words.take() {
        Some(words) => words(),
        None => anstream::eprintln!("stopped; nothing was written"),
    }
    atomic::remove_temporary_folders();
    std::process::exit(ENDED);
}
