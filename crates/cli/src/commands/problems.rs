//! Contact problems of a run: files for researchers, matrices for students.

use crate::arguments::Run;
use anyhow::{Context, Result};
use carom::Simulation;
use std::io::Write as _;
use std::path::Path;

/// Which contact problems of a run are shown, and how.
pub(super) struct Problems<'a> {
    folder: Option<&'a Path>,
    prints: bool,
    steps: &'a [u64],
}

impl<'a> Problems<'a> {
    /// As the options say; makes the folder.
    pub(super) fn new(options: &'a Run) -> Result<Self> {
        if let Some(folder) = &options.dump_problems {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let folder = options.dump_problems.as_deref();
        Ok(Self { folder, prints: options.print_matrices, steps: &options.problem_steps })
    }

    /// Shows the problem of the step that was just taken, if it is wanted and has contacts.
    pub(super) fn show(&self, simulation: &Simulation) -> Result<()> {
        let step = simulation.step_count();
        let wanted = self.steps.is_empty() || self.steps.contains(&step);
        if !wanted || self.folder.is_none() && !self.prints || simulation.contact_count() == 0 {
            return Ok(());
        }
        let Some(problem) = simulation.contact_problem() else { return Ok(()) };
        if let Some(folder) = self.folder {
            let path = folder.join(format!("step-{step}.npz"));
            carom::write_step(&path, problem)?;
        }
        if self.prints {
            writeln!(crate::terminal::stdout(), "step {step}\n{}", carom::matrices_of_step(problem))?;
        }
        Ok(())
    }
}
