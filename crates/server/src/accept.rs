//! Connections: so many at a time, none that is silent for long.

use crate::heads::Greeting;
use crate::{State, page};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, Sleep, sleep};

/// Room for the head of a request; longer ones are refused.
const HEAD_BYTES: usize = 16 << 10;
/// When the system has no more sockets to give, wait for some to close.
const BREATH: Duration = Duration::from_millis(50);

/// Takes connections for as long as the runtime lives.
pub(crate) async fn accept(listener: TcpListener, state: Arc<State>) {
    let router = page::router(Arc::clone(&state));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(state.limits.head).max_buf_size(HEAD_BYTES);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(BREATH).await;
            continue;
        };
        let Ok(permit) = Arc::clone(&state.connections).try_acquire_owned() else {
            state.refused.fetch_add(1, Ordering::Relaxed);
            continue; // dropped, and so closed
        };
        let _small_answers_go_at_once = stream.set_nodelay(true);
        let guarded = Guarded::new(stream, state.limits.silence, permit);
        state.heads.wait_for(|number| {
            let inner = TowerToHyperService::new(router.clone());
            let service = Greeting { inner, heads: Arc::clone(&state.heads), number };
            let connection = http.serve_connection(TokioIo::new(guarded), service).with_upgrades();
            async move {
                let _a_broken_connection_is_the_visitors_own_affair = connection.await;
            }
        });
    }
}

/// A stream that fails once nothing has come in for too long, and that counts as a connection while
/// it lives.
struct Guarded {
    stream: TcpStream,
    silence: Duration,
    alarm: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Guarded {
    fn new(stream: TcpStream, silence: Duration, permit: OwnedSemaphorePermit) -> Self {
        Self { stream, silence, alarm: Box::pin(sleep(silence)), _permit: permit }
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if result.is_ready() {
            let alarm = Instant::now() + self.silence;
            self.alarm.as_mut().reset(alarm);
            return result;
        }
        self.alarm.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
