//! One contact problem with true friction cones, one certificate, four methods.
//!
//! A [`Problem`] is data: the Delassus matrix W, a right-hand side q, and for each contact a
//! [`Cone`]. A [`Solver`] finds impulses; [`Problem::certify`] judges them and knows nothing of how
//! they were found. The decision tree is in `docs/contact.md`.
//!
//! ```
//! use carom_contact::coulomb::{Cone, Problem, Settings, Solver, SolverStatus};
//!
//! // A unit mass falls on the ground with velocity −1 and slides with velocity 3, μ = 0.5.
//! let w = [(0, 0, 1.0), (1, 1, 1.0)];
//! let problem =
//!     Problem::from_delassus(vec![Cone::SecondOrder { dim: 2, mu: 0.5 }], &w, vec![-1.0, 3.0]).unwrap();
//! let mut impulses = vec![0.0; 2];
//! let answer = Solver::new(Settings::default()).solve(&problem, &mut impulses);
//! assert_eq!(answer.status, SolverStatus::Solved);
//! assert_eq!(impulses, [1.0, -0.5]);
//! ```

mod assembly;
mod body_space;
mod certificate;
mod cone;
mod error;
mod infeasible;
mod interior_point;
mod lorentz;
mod mass;
mod newton;
mod one_contact;
mod passes;
mod path;
mod pieces;
mod plane;
mod problem;
mod rows;
mod scaling;
mod settings;
mod solver;
mod sweeps;

pub(crate) use assembly::Assembly;
pub use certificate::Certificate;
pub use error::ProblemError;
pub use infeasible::Proof;
pub use problem::{Cone, Problem, Triplet};
pub(crate) use rows::{ConeRows, Measure};
pub use settings::Settings;
pub use solver::{Answer, Effort, Solver, SolverStatus};
