//! Serves Carom's page to a browser on the same machine, and on request lends it the native engine.
//!
//! The page is inside the program (`cargo xtask web` makes it; a program built without it reports
//! that in the page's place). Nothing else on the disk is served. With
//! [`ServerSettings::remote_engine`] the page may open a WebSocket at `/engine`: each text message
//! is a request to a [`carom_web::Session`] of its own, each answer one binary message, in order.
//!
//! ```no_run
//! let server = carom_server::Server::start(carom_server::ServerSettings::default())?;
//! println!("http://{}", server.address());
//! # Ok::<(), carom_server::ServeError>(())
//! ```
//!
//! What keeps it safe: it listens on the loopback address by default; a request must
//! name that address as its host, and come from the page itself ([`door`]); connections,
//! simulations, message sizes and rates are bounded ([`Limits`]), and so are the time and the
//! contacts of a step; a browser that vanishes frees its simulation at once, inside a step too.
//! This crate does no physics and prints nothing.

mod accept;
pub mod door;
mod heads;
mod limits;
mod page;
mod socket;

pub use limits::Limits;

use heads::Heads;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// What is served, and to whom.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSettings {
    /// Where to listen: the loopback address by default.
    pub address: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// A scene for the page, as text: it is served at `/given/scene.xml`.
    pub given: Option<String>,
    /// Whether the page may use the engine of this program.
    pub remote_engine: bool,
    /// What is bounded, and how tightly.
    pub limits: Limits,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            given: None,
            remote_engine: false,
            limits: Limits::default(),
        }
    }
}

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address or the port cannot be had.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// What was asked for.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// No threads to serve with.
    #[error("cannot start the server: {0}")]
    Threads(io::Error),
}

/// A server under way. It serves until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    state: Arc<State>,
    runtime: Option<Runtime>,
}

/// What every connection needs to know.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) address: SocketAddr,
    pub(crate) given: Option<String>,
    pub(crate) remote_engine: bool,
    pub(crate) limits: Limits,
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) heads: Arc<Heads>,
    pub(crate) simulations: Arc<Semaphore>,
    pub(crate) refused: AtomicUsize,
}

impl Server {
    /// Listens and serves, on threads of its own.
    pub fn start(settings: ServerSettings) -> Result<Server, ServeError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("carom-server")
            .enable_all()
            .build()
            .map_err(ServeError::Threads)?;
        let asked = SocketAddr::new(settings.address, settings.port);
        let listener = runtime
            .block_on(TcpListener::bind(asked))
            .map_err(|cause| ServeError::Listen { address: asked, cause })?;
        let address = listener.local_addr().map_err(|cause| ServeError::Listen { address: asked, cause })?;
        let limits = settings.limits;
        let state = Arc::new(State {
            address,
            given: settings.given,
            remote_engine: settings.remote_engine,
            limits,
            connections: Arc::new(Semaphore::new(limits.connections)),
            heads: Arc::new(Heads::new(limits.heads)),
            simulations: Arc::new(Semaphore::new(limits.simulations)),
            refused: AtomicUsize::new(0),
        });
        runtime.spawn(accept::accept(listener, Arc::clone(&state)));
        Ok(Server { address, state, runtime: Some(runtime) })
    }

    /// Where it listens, with the port that it was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Open connections.
    pub fn connections(&self) -> usize {
        self.state.limits.connections - self.state.connections.available_permits()
    }

    /// Simulations that hold memory.
    pub fn simulations(&self) -> usize {
        self.state.limits.simulations - self.state.simulations.available_permits()
    }

    /// Connections that were turned away because too many were open, or too many had said nothing
    /// yet.
    pub fn refused(&self) -> usize {
        self.state.refused.load(Ordering::Relaxed) + self.state.heads.closed()
    }

    /// Whether the page is inside this program; without it, visitors see how to make it.
    pub fn has_page() -> bool {
        page::is_built()
    }
}

impl Drop for Server {
    /// Closes every connection; a step under way ends by itself, and nobody waits for it.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
