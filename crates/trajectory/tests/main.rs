//! Tests of trajectory files and comparison: one program, so that it is linked once. A new file is
//! a line here.

mod compare;
mod corpus;
mod course;
mod export;
mod journal;
mod journal_versions;
mod spatial;
mod support;
