//! Mathematics with no physics: factorizations, complementarity problems, polynomial roots.

pub mod elementary;

pub mod lcp;
pub mod polynomial;
pub mod qp;
