//! Who may come in.
//!
//! Any page that a browser shows can send requests to a server on the same machine. Two names tell
//! them apart, and a browser lets no page forge them: `Host`, what the page believes it talks to,
//! and `Origin`, where the page came from. A name that somebody points at 127.0.0.1 (DNS rebinding)
//! shows in `Host`: so only addresses and `localhost` are taken, which nobody can point elsewhere.

use axum::http::{HeaderMap, header};
use std::net::{IpAddr, SocketAddr};

/// Why somebody is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TurnedAway {
    /// No host, more than one, or another one.
    #[error("this server answers only to its own address")]
    Host,
    /// The request comes from another page.
    #[error("this server answers only to its own page")]
    Origin,
}

/// Lets requests in that name our address as their host and, if they say where they come from, come
/// from there.
pub fn check(headers: &HeaderMap, ours: SocketAddr) -> Result<(), TurnedAway> {
    let host = only(headers, header::HOST).filter(|host| is_ours(host, ours)).ok_or(TurnedAway::Host)?;
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(_) => check_origin(headers, host),
    }
}

/// The same for sockets, which must say where they come from: browsers open them across origins
/// without asking.
pub fn check_socket(headers: &HeaderMap, ours: SocketAddr) -> Result<(), TurnedAway> {
    let host = only(headers, header::HOST).filter(|host| is_ours(host, ours)).ok_or(TurnedAway::Host)?;
    check_origin(headers, host)
}

fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), TurnedAway> {
    let origin = only(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    if origin == Some(host) { Ok(()) } else { Err(TurnedAway::Origin) }
}

/// The value of a header that is there once, in plain characters.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether `host` is an address, or `localhost`, with our port. A server on the loopback address
/// answers to loopback addresses only.
fn is_ours(host: &str, ours: SocketAddr) -> bool {
    // Port 80 is left out of `Host` by browsers.
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    if port != Some(ours.port()) {
        return false;
    }
    let name = name.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(name);
    match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || !ours.ip().is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        headers
    }

    #[test]
    fn hosts() {
        let ours: SocketAddr = "127.0.0.1:4000".parse().unwrap();
        for good in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000", "127.0.0.2:4000"] {
            assert_eq!(check(&headers(good, None), ours), Ok(()), "{good}");
        }
        for bad in [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "127.0.0.1:4000.evil.example",
            "localhost.evil.example:4000",
            "10.0.0.1:4000",
            "[::1]",
            "",
            ":",
            ":4000",
            "user@127.0.0.1:4000",
        ] {
            assert_eq!(check(&headers(bad, None), ours), Err(TurnedAway::Host), "{bad}");
        }
        assert_eq!(check(&HeaderMap::new(), ours), Err(TurnedAway::Host));
        let mut twice = headers("127.0.0.1:4000", None);
        twice.append(header::HOST, HeaderValue::from_static("127.0.0.1:4000"));
        assert_eq!(check(&twice, ours), Err(TurnedAway::Host));
    }

    #[test]
    fn a_server_for_the_network_answers_to_addresses_but_to_no_name() {
        let ours: SocketAddr = "0.0.0.0:4000".parse().unwrap();
        assert_eq!(check(&headers("192.168.1.7:4000", None), ours), Ok(()));
        assert_eq!(check(&headers("evil.example:4000", None), ours), Err(TurnedAway::Host));
    }

    #[test]
    fn port_eighty_goes_without_saying() {
        let ours: SocketAddr = "127.0.0.1:80".parse().unwrap();
        assert_eq!(check_socket(&headers("127.0.0.1", Some("http://127.0.0.1")), ours), Ok(()));
        assert_eq!(check_socket(&headers("[::1]", Some("http://[::1]")), ours), Ok(()));
    }

    #[test]
    fn origins() {
        let ours: SocketAddr = "127.0.0.1:4000".parse().unwrap();
        let host = "localhost:4000";
        assert_eq!(check_socket(&headers(host, Some("http://localhost:4000")), ours), Ok(()));
        assert_eq!(check_socket(&headers(host, None), ours), Err(TurnedAway::Origin));
        for bad in [
            "http://evil.example",
            "http://localhost",
            "https://localhost:4000",
            "http://127.0.0.1:4000",
            "null",
            "",
        ] {
            let headers = headers(host, Some(bad));
            assert_eq!(check_socket(&headers, ours), Err(TurnedAway::Origin), "{bad}");
            assert_eq!(check(&headers, ours), Err(TurnedAway::Origin), "{bad}");
        }
    }
}
