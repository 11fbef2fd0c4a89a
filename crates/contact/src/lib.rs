//! The contact problem as data, and the responses that solve it.
//!
//! A producer (particles, planar bodies, spatial bodies) writes whatever touches as a
//! [`ContactProblem`]: a velocity, a mass matrix and an ordered list of contacts, each a
//! [`JacobianRow`] in the space of all velocities. A [`Response`] turns the problem into a
//! [`Resolution`]: impulses and the velocity after.
//!
//! ```
//! use carom_contact::{resolve, ContactRow, ContactProblem, JacobianRow, Response, Workspace};
//!
//! // Two unit masses on a line run into each other: the gap opens with v1 - v0.
//! let mut problem = ContactProblem::new();
//! let left = problem.push_dof(1.0, 1.0);
//! let right = problem.push_dof(-1.0, 1.0);
//! let normal = JacobianRow::new(&[(left, -1.0, -1.0), (right, 1.0, 1.0)]).unwrap();
//! problem.push_contact(ContactRow { restitution: 1.0, ..ContactRow::new(normal) }, &[]);
//!
//! let mut workspace = Workspace::new();
//! let resolution = resolve(&problem, &Response::GENERALIZED_REFLECTION, &mut workspace);
//! assert_eq!(resolution.velocity, [-1.0, 1.0]);
//! ```
//!
//! What this crate does not do: it knows no shape, no dimension, no kind of body and no time step.
//! It changes velocities only; overlaps are the producer's business (see
//! [`ContactRow::speculative_bias`]).

pub mod coulomb;
pub mod islands;
pub mod jacobian_row;
mod kept;
mod memory;
pub mod problem;
pub mod resolution;
pub mod response;
mod workspace;

pub use carom_numerics::watch;
pub use jacobian_row::{JacobianRow, RowView};
pub use problem::{ContactKey, ContactProblem, ContactRow, Dof};
pub use resolution::{Residual, Resolution, Status};
pub use response::{Reflection, Response, Simultaneous, ToTolerance, resolve, resolve_again};
pub use workspace::Workspace;
