//! One file a command.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod grade;
pub(crate) mod info;
pub(crate) mod methods;
pub(crate) mod oracle;
#[cfg(feature = "play")]
pub(crate) mod play;
pub(crate) mod plot;
mod problems;
pub(crate) mod render;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod validate;
