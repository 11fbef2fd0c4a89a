//! Tests of the program, from outside: one program, so that it is linked once. A new file is a line
//! here.

mod answers;
mod class;
mod commands;
mod convert;
mod endings;
mod faults;
mod grading;
mod hardship;
mod impacts;
mod kill_and_resume;
mod kills;
mod pictures;
mod pictures_refused;
mod play;
mod power_loss;
mod reliability;
mod solve;
mod spatial;
mod sweep;
mod tutorial;
mod validate;
