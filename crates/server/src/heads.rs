//! Connections whose first request has not come yet. They are bounded apart from live ones: where
//! there are too many, the oldest goes, so that slow ones keep nobody out. A visitor's own request
//! takes milliseconds.

use hyper::service::Service;
use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::AbortHandle;

/// The connections that are waited for, the oldest first.
#[derive(Debug)]
pub(crate) struct Heads {
    most: usize,
    waiting: Mutex<(u64, VecDeque<(u64, AbortHandle)>)>,
    closed: AtomicUsize,
}

impl Heads {
    pub(crate) fn new(most: usize) -> Self {
        Self { most: most.max(1), waiting: Mutex::default(), closed: AtomicUsize::new(0) }
    }

    /// Serves a connection, and waits for its first request. `serve` is given the connection's
    /// number.
    pub(crate) fn wait_for<F>(self: &Arc<Self>, serve: impl FnOnce(u64) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, queue) = &mut *waiting;
        let number = *next;
        *next += 1;
        let (connection, heads) = (serve(number), Arc::clone(self));
        let task = tokio::spawn(async move {
            connection.await;
            heads.came(number);
        });
        queue.push_back((number, task.abort_handle()));
        if queue.len() > self.most
            && let Some((_, oldest)) = queue.pop_front()
        {
            oldest.abort();
            self.closed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Connections that were closed because too many were waited for.
    pub(crate) fn closed(&self) -> usize {
        self.closed.load(Ordering::Relaxed)
    }

    /// The first request of a connection is there, or the connection is over.
    fn came(&self, number: u64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(at) = waiting.1.binary_search_by_key(&number, |entry| entry.0) {
            waiting.1.remove(at);
        }
    }
}

/// A service that tells when its first request has come.
#[derive(Debug)]
pub(crate) struct Greeting<S> {
    pub(crate) inner: S,
    pub(crate) heads: Arc<Heads>,
    pub(crate) number: u64,
}

impl<R, S: Service<R>> Service<R> for Greeting<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: R) -> S::Future {
        self.heads.came(self.number);
        self.inner.call(request)
    }
}
