//! A progress bar on standard error, silent where nobody watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over steps; hidden when asked to, and by itself when standard error is no terminal.
pub(crate) fn steps(total: u64, hidden: bool) -> ProgressBar {
    bar(
        Some(total),
        hidden,
        "  {bar:32} {percent:>3} %  step {human_pos} of {human_len}  {per_sec}  {eta} left",
    )
}

/// A bar over pictures; without their number, only a count.
pub(crate) fn pictures(total: Option<u64>, hidden: bool) -> ProgressBar {
    let template = match total {
        Some(_) => "  {bar:32} {percent:>3} %  picture {human_pos} of {human_len}  {per_sec}  {eta} left",
        None => "  picture {human_pos}  {per_sec}",
    };
    bar(total, hidden, template)
}

/// A bar over files.
pub(crate) fn files(total: u64, hidden: bool) -> ProgressBar {
    bar(Some(total), hidden, "  {bar:32} {percent:>3} %  file {human_pos} of {human_len}  {eta} left")
}

fn bar(total: Option<u64>, hidden: bool, template: &str) -> ProgressBar {
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if hidden {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
