//! A progress bar on standard error, silent where nobody watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over steps; hidden when asked to, and by itself when standard error is no terminal.
pub(crate) fn steps(total: u64, hidden: bool) -> ProgressBar {
    let bar = ProgressBar::new(total);
    if hidden {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(
        "  {bar:32} {percent:>3} %  step {human_pos} of {human_len}  {per_sec}  {eta} left",
    );
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}
