//! The files of the page, from inside the program.

use crate::{State, door, socket};
use axum::Router;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;
use std::io::Read;
use std::sync::Arc;

/// What `cargo xtask web` made: in the package, or put there before this program was built
/// (`build.rs`).
///
/// What packs well is inside only packed, and only once (`web/build.mjs` writes the packed files
/// beside the plain ones): it makes the program smaller. On the loopback address `.br` would win
/// nothing over `.gz`.
#[derive(RustEmbed)]
#[folder = "page"]
#[allow_missing = true]
#[include = "*.gz"]
#[include = "*.gif"]
#[include = "*.webp"]
#[include = "*.png"]
struct Page;

/// Shown in the page's place.
const NO_PAGE: &str = include_str!("no_page.html");

/// The page runs its own scripts and its own WebAssembly, and talks to its own server: nothing
/// else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer. The two `cross-origin` ones keep other pages from embedding and from
/// reading this one.
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
    Page::get("index.html.gz").is_some()
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
    match packed(path, request.headers()) {
        Some((found, encoding)) => {
            let tag = tag(&found.metadata.sha256_hash());
            if is_known(request.headers(), &tag) {
                return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
            }
            let kind = kind_of(path);
            let head = [(header::CONTENT_TYPE, kind.to_owned()), (header::ETAG, tag)];
            let vary = [(header::VARY, "accept-encoding")];
            match encoding {
                Encoding::Named(name) => {
                    (head, vary, [(header::CONTENT_ENCODING, name)], found.data.into_owned()).into_response()
                }
                Encoding::None => (head, vary, found.data.into_owned()).into_response(),
                Encoding::Unpack => match unpacked(&found.data) {
                    Some(bytes) => (head, vary, bytes).into_response(),
                    None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                },
            }
        }
        None if path == "index.html" => {
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NO_PAGE).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

/// How the bytes of a file are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// As they are.
    None,
    /// Packed, in a way that the browser takes.
    Named(&'static str),
    /// They are packed, and whoever asks does not take that.
    Unpack,
}

/// The smallest form of a file that the browser takes.
fn packed(path: &str, headers: &HeaderMap) -> Option<(rust_embed::EmbeddedFile, Encoding)> {
    if path.ends_with(".br") || path.ends_with(".gz") {
        return None;
    }
    if accepts(headers, "gzip")
        && let Some(found) = Page::get(&format!("{path}.gz"))
    {
        return Some((found, Encoding::Named("gzip")));
    }
    let unpack = |found| (found, Encoding::Unpack);
    Page::get(path)
        .map(|found| (found, Encoding::None))
        .or_else(|| Page::get(&format!("{path}.gz")).map(unpack))
}

/// Whether a browser takes a way of packing: it names it, and not with a weight of zero (RFC 9110,
/// section 12.5.3).
fn accepts(headers: &HeaderMap, name: &str) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|item| {
        let mut words = item.split(';').map(str::trim);
        let named = words.next().is_some_and(|word| word.eq_ignore_ascii_case(name));
        let refused = words.any(|word| {
            word.strip_prefix("q=")
                .is_some_and(|weight| weight.parse().is_ok_and(|weight: f64| weight <= 0.0))
        });
        named && !refused
    })
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// What a file is, by its ending.
fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "xml" => "application/xml; charset=utf-8",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "png" => "image/png",
        _ => "application/octet-stream",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_of_packing_is_taken_when_it_is_named_and_not_refused() {
        let with = |list: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(list).unwrap());
            headers
        };
        assert!(accepts(&with("gzip, deflate, br, zstd"), "br"));
        assert!(accepts(&with("GZIP;q=0.5"), "gzip"));
        assert!(!accepts(&with("gzip;q=0, br;q=0.0"), "gzip"));
        assert!(!accepts(&with("gzip;q=0, br;q=0.0"), "br"));
        assert!(!accepts(&with("brotli"), "br"));
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
