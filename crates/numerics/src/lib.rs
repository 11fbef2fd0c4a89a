//! Mathematics with no physics: factorizations, complementarity problems, polynomial roots.

pub mod dense;
pub mod dormand_prince;
pub mod elementary;
pub mod sparse;
pub mod watch;

pub mod lcp;
pub mod polynomial;
pub mod qp;
