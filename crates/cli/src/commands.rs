//! One file a command.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod info;
pub(crate) mod oracle;
pub(crate) mod run;
pub(crate) mod shell;
