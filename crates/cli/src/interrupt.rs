//! Ctrl-C as a flag: work stops at the next good moment, a second one ends the program at once.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INSTALL: Once = Once::new();
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed.
#[derive(Clone, Copy)]
pub(crate) struct Interrupt(&'static AtomicBool);

impl Interrupt {
    pub(crate) fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For libraries that watch a flag.
    pub(crate) fn as_flag(self) -> &'static AtomicBool {
        self.0
    }
}

/// A flag that Ctrl-C sets. Where no handler can be installed, Ctrl-C ends the program as usual; the journal is safe either way.
pub(crate) fn flag() -> Interrupt {
    INSTALL.call_once(|| {
        let _ends_as_usual = ctrlc::set_handler(|| {
            if PRESSED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    Interrupt(&PRESSED)
}
