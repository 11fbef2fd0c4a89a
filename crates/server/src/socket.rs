//! The remote engine: a socket, a session, a thread.
//!
//! Text messages are requests, binary messages are answers, in order. At most [`MOST_WAITING`]
//! requests wait; while they do nothing more is read, so a page that asks faster than the engine
//! answers is slowed down by its own socket.

use crate::State;
use crate::door;
use crate::limits::{Bucket, Limits};
use axum::body::Bytes;
use axum::extract::State as Shared;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use carom_web::{Session, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{MissedTickBehavior, interval, sleep_until, timeout};

/// Requests that wait for the engine.
const MOST_WAITING: usize = 4;
/// Of the silence that is allowed, pings come this many times as often.
const PINGS: u32 = 3;

/// Opens a socket for the page, if the server lends its engine, the page is ours, and there is room
/// for a simulation.
pub(crate) async fn open(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    if !state.remote_engine {
        return (StatusCode::NOT_FOUND, "start with --remote-engine to use the engine of the program")
            .into_response();
    }
    if let Err(reason) = door::check_socket(&headers, state.address) {
        return (StatusCode::FORBIDDEN, reason.to_string()).into_response();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(permit) = Arc::clone(&state.simulations).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many simulations are open").into_response();
    };
    let limits = state.limits;
    upgrade
        .max_message_size(limits.message_bytes)
        .max_frame_size(limits.message_bytes)
        .on_upgrade(move |socket| converse(socket, limits, permit))
}

/// Passes requests to the engine and answers back until either side has had enough.
async fn converse(mut socket: WebSocket, limits: Limits, permit: OwnedSemaphorePermit) {
    let gone = Gone::default();
    let (requests, mut answers) = engine(limits, permit, &gone);
    let mut bucket = Bucket::new(&limits, Instant::now());
    let mut ping = interval(limits.silence / PINGS);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut waiting = 0;
    let mut asked = Instant::now();
    let end = loop {
        let outgoing = tokio::select! {
            answer = answers.recv() => match answer {
                Some(answer) => {
                    waiting -= 1;
                    asked = Instant::now();
                    Message::Binary(answer)
                }
                None => break Some((close_code::ERROR, "the engine has stopped")),
            },
            _ = ping.tick() => Message::Ping(Bytes::new()),
            () = sleep_until((asked + limits.answer).into()), if waiting > 0 => {
                break Some((close_code::POLICY, "a step took too long for the remote engine; carom run has no such limit"));
            }
            message = socket.recv(), if waiting < MOST_WAITING => match message {
                _ if !bucket.take(Instant::now()) => break Some((close_code::POLICY, "too many messages")),
                Some(Ok(Message::Text(text))) => {
                    if waiting == 0 {
                        asked = Instant::now();
                    }
                    waiting += 1;
                    if requests.send(text).await.is_err() {
                        break Some((close_code::ERROR, "the engine has stopped"));
                    }
                    continue;
                }
                Some(Ok(Message::Binary(_))) => break Some((close_code::UNSUPPORTED, "requests are text")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break None,
            },
        };
        // A visitor that does not read what it asked for is as good as gone.
        if !matches!(timeout(limits.silence, socket.send(outgoing)).await, Ok(Ok(()))) {
            break None;
        }
    };
    drop(gone);
    if let Some((code, reason)) = end {
        let farewell = Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }));
        let _the_other_side_may_be_gone = timeout(limits.silence, socket.send(farewell)).await;
    }
}

/// A thread with a session. It ends, and frees the simulation, once its requests have no sender;
/// the step under way is its last.
fn engine(
    limits: Limits,
    permit: OwnedSemaphorePermit,
    gone: &Gone,
) -> (mpsc::Sender<Utf8Bytes>, mpsc::Receiver<Bytes>) {
    let (requests, mut inbox) = mpsc::channel::<Utf8Bytes>(MOST_WAITING);
    let (outbox, answers) = mpsc::channel(MOST_WAITING);
    let gone = Arc::clone(&gone.0);
    tokio::task::spawn_blocking(move || {
        // Steps look at the same flag from within.
        let mut session = Session::watched(Watch { stop: Arc::clone(&gone), most_pairs: Some(limits.pairs) });
        while let Some(request) = inbox.blocking_recv() {
            let start = Instant::now();
            let mut out_of_time = || gone.load(Ordering::Relaxed) || start.elapsed() >= limits.turn;
            let answer = session.handle(&request, &mut out_of_time);
            if gone.load(Ordering::Relaxed) || outbox.blocking_send(Bytes::from(answer)).is_err() {
                break;
            }
        }
        drop(session);
        drop(permit);
    });
    (requests, answers)
}

/// Set once the visitor is gone, however the conversation ends.
#[derive(Debug, Default)]
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
