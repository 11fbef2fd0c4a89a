//! What the server gives to a browser, and to whom it gives nothing.

use crate::visitor;

use carom_server::{Limits, ServeError, Server, ServerSettings};
use visitor::{exchange, get, server, status};

#[test]
fn it_listens_on_this_machine_only_and_on_a_free_port() {
    let (first, second) = (server(Limits::default()), server(Limits::default()));
    assert!(first.address().ip().is_loopback() && second.address().ip().is_loopback());
    assert_ne!(first.address().port(), second.address().port());
    let taken = ServerSettings { port: first.address().port(), ..ServerSettings::default() };
    assert!(matches!(Server::start(taken), Err(ServeError::Listen { .. })));
}

#[test]
fn the_front_page_is_the_page_or_says_how_to_make_it() {
    let server = server(Limits::default());
    let answer = get(&server, "/", "");
    assert_eq!(status(&answer), 200);
    assert!(answer.contains("content-type: text/html"));
    if Server::has_page() {
        assert!(answer.contains("<main id=\"view\""), "{answer}");
        assert!(get(&server, "/engine.wasm", "").contains("content-type: application/wasm"));
    } else {
        assert!(answer.contains("cargo xtask web"), "{answer}");
    }
}

#[test]
fn every_answer_carries_the_headers() {
    let server = server(Limits::default());
    for path in ["/", "/nothing", "/given/scene.xml", "/engine"] {
        let answer = get(&server, path, "");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
            "x-content-type-options: nosniff",
            "x-frame-options: DENY",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
}

#[test]
fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = server(Limits::default());
    let answer = get(&server, "/index.html", "");
    let Some(tag) = answer.lines().find_map(|line| line.strip_prefix("etag: ")) else {
        assert!(!Server::has_page(), "{answer}");
        return;
    };
    assert_eq!(status(&get(&server, "/index.html", &format!("If-None-Match: {tag}\r\n"))), 304);
    assert_eq!(status(&get(&server, "/index.html", "If-None-Match: \"0000000000000000\"\r\n")), 200);
}

#[test]
fn nothing_else_on_the_disk_is_served() {
    let server = server(Limits::default());
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/../../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/scenes/../../../Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/\\..\\..\\Cargo.toml",
        "/.",
        "/..",
        "/index.html/",
        "/index.html%00",
    ] {
        let answer = get(&server, path, "");
        assert!(matches!(status(&answer), 400 | 404), "{path}: {answer}");
        assert!(!answer.contains("[workspace") && !answer.contains("root:"), "{path}");
    }
}

#[test]
fn the_given_scene_and_no_other() {
    let text = "<scene><!-- given --></scene>";
    let given =
        Server::start(ServerSettings { given: Some(text.to_owned()), ..ServerSettings::default() }).unwrap();
    let answer = get(&given, "/given/scene.xml", "");
    assert!(answer.contains("application/xml") && answer.ends_with(text), "{answer}");
    assert_eq!(status(&get(&server(Limits::default()), "/given/scene.xml", "")), 404);
}

#[test]
fn the_engine_is_lent_only_on_request() {
    let shut = Server::start(ServerSettings::default()).unwrap();
    let answer = get(&shut, "/engine", "");
    assert!(status(&answer) == 404 && answer.contains("--remote-engine"), "{answer}");
    // Allowed, but this is no socket.
    assert!(matches!(status(&get(&server(Limits::default()), "/engine", "")), 400 | 403 | 426));
}

#[test]
fn other_hosts_other_pages_and_other_methods_are_turned_away() {
    let server = server(Limits::default());
    let address = server.address();
    let port = address.port();
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", "127.0.0.1"] {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(status(&exchange(&server, request.as_bytes())), 403, "{host}");
    }
    assert!(matches!(status(&exchange(&server, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")), 400 | 403));
    for origin in ["http://evil.example", "null", "https://127.0.0.1", &format!("http://localhost:{port}")] {
        assert_eq!(status(&get(&server, "/", &format!("Origin: {origin}\r\n"))), 403, "{origin}");
    }
    assert_eq!(status(&get(&server, "/", &format!("Origin: http://{address}\r\n"))), 200);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"] {
        let request = format!("{method} / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        assert_eq!(status(&exchange(&server, request.as_bytes())), 405, "{method}");
    }
    let request = format!("HEAD / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let answer = exchange(&server, request.as_bytes());
    assert!(status(&answer) == 200 && answer.ends_with("\r\n\r\n"));
}
