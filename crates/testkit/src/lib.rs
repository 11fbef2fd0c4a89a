//! Development only: what several test suites need, and no program.

pub mod corpus;
