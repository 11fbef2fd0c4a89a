//! The files of the page, from inside the program.

use crate::{State, door, socket};
use axum::Router;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;
use std::sync::Arc;

/// What `cargo xtask web` made, if it was run before this program was built.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// Shown in the page's place.
const NO_PAGE: &str = include_str!("no_page.html");

/// The page runs its own scripts and its own WebAssembly, and talks to its own server: nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer. The two `cross-origin` ones keep other pages from embedding and from reading this one.
const HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
];

/// Every way into the server, behind the door.
pub(crate) fn router(state: Arc<State>) -> Router {
    Router::new()
        .route("/given/scene.xml", get(given))
        .route("/engine", get(socket::open))
        .fallback(file)
        .layer(middleware::from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}

pub(crate) fn is_built() -> bool {
    Page::get("index.html").is_some()
}

/// Turns away who may not come in, and puts the headers on every answer.
async fn guard(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let mut response = match door::check(request.headers(), state.address) {
        Err(reason) => (StatusCode::FORBIDDEN, reason.to_string()).into_response(),
        Ok(()) if !matches!(*request.method(), Method::GET | Method::HEAD) => {
            StatusCode::METHOD_NOT_ALLOWED.into_response()
        }
        Ok(()) => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn given(Shared(state): Shared<Arc<State>>) -> Response {
    match &state.given {
        Some(text) => {
            ([(header::CONTENT_TYPE, "application/xml; charset=utf-8")], text.clone()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "no scene was given").into_response(),
    }
}

async fn file(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match Page::get(path) {
        Some(found) => {
            let tag = tag(&found.metadata.sha256_hash());
            if is_known(request.headers(), &tag) {
                return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
            }
            let kind = found.metadata.mimetype().to_owned();
            ([(header::CONTENT_TYPE, kind), (header::ETAG, tag)], found.data.into_owned()).into_response()
        }
        None if path == "index.html" => {
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NO_PAGE).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

/// A name for the content of a file: eight bytes of its hash.
fn tag(hash: &[u8; 32]) -> String {
    let digits: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

/// Whether the browser has this very file already.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes())
}
