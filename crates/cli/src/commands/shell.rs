//! `carom completions` and `carom man`.

use crate::arguments::{Arguments, Completions};
use anyhow::Result;
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

pub(crate) fn completions(options: &Completions) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "carom", &mut text);
    crate::terminal::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// One page with every command on it.
pub(crate) fn manual() -> Result<ExitCode> {
    let mut text = Vec::new();
    let command = Arguments::command();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for part in command.get_subcommands() {
        let man = clap_mangen::Man::new(part.clone());
        writeln!(text, ".SH COMMAND {}", part.get_name().to_uppercase())?;
        man.render_description_section(&mut text)?;
        man.render_synopsis_section(&mut text)?;
        man.render_options_section(&mut text)?;
        man.render_extra_section(&mut text)?;
    }
    // what stands after the options are examples
    let text = String::from_utf8(text)?.replace(".SH EXTRA", ".SH EXAMPLES");
    crate::terminal::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
