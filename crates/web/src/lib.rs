//! The engine behind a page.
//!
//! A [`Session`] takes requests as JSON text and answers each with one block of bytes: a JSON head
//! and the numbers of a frame. A worker in a browser holds one (through the bindings), and a server
//! can hold one for every socket: the page cannot tell them apart. A session holds an [`Engine`]: a
//! simulation with a past that can be gone back to, and with bodies that can be pushed.
//!
//! What it does not do: draw, read clocks, open files or sockets.

#[cfg(target_arch = "wasm32")]
mod bindings;
mod drawing;
mod engine;
#[cfg(target_arch = "wasm32")]
mod game;
mod grip;
mod history;
mod inspection;
mod islands;
mod motion;
mod recorder;
mod reply;
mod report;
mod request;
mod session;
mod validation;
mod verdict;

pub use carom::watch::Watch;
pub use engine::{Engine, OpenError};
pub use grip::{Grip, Place, Push, Touch, Touched};
pub use reply::Reply;
pub use report::SceneReport;
pub use request::{Action, Format, Layers, Request};
pub use session::{MOST_BODIES, MOST_TEXT_BYTES, Session};
