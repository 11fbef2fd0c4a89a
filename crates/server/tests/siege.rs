//! Garbage, floods, half-open sockets and a thousand connects: the server stays, and serves the
//! next visitor.

use crate::visitor;

use carom_server::{Limits, Server};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use visitor::{connect, exchange, get, server, socket, status, until};

fn assert_serves(server: &Server) {
    until("the next visitor is served", || status(&get(server, "/", "")) == 200);
}

/// Bytes from a counter, well mixed (SplitMix64): the same garbage every time.
fn garbage(seed: u64, length: usize) -> Vec<u8> {
    let word = |k: u64| {
        let z = (seed << 32 | k).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    };
    (0..length.div_ceil(8) as u64).flat_map(|k| word(k).to_le_bytes()).take(length).collect()
}

#[test]
fn garbage_is_answered_with_nothing_good() {
    let limits =
        Limits { head: Duration::from_millis(200), silence: Duration::from_millis(300), ..Limits::default() };
    let server = server(limits);
    for seed in 0..40 {
        let answer = exchange(&server, &garbage(seed, 1 + 97 * seed as usize));
        assert!(matches!(status(&answer), 0 | 400), "{answer}");
    }
    for bytes in [
        &b"GET / HTTP/9.9\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"\r\n\r\n\r\n\r\n",
    ] {
        let answer = exchange(&server, bytes);
        assert!(matches!(status(&answer), 0 | 400 | 403 | 505), "{answer}");
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(1 << 20), server.address());
    assert!(matches!(status(&exchange(&server, long.as_bytes())), 0 | 414 | 431));
    let many: String = (0..2000).map(|k| format!("X-{k}: y\r\n")).collect();
    assert!(matches!(status(&get(&server, "/", &many)), 0 | 431));
    assert_serves(&server);
}

/// Frames that no client sends: unmasked, reserved bits, endless lengths, plain noise.
#[test]
fn garbage_after_the_handshake_ends_that_socket_only() {
    let server = server(Limits::default());
    let endless = [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4];
    let frames: [&[u8]; 4] =
        [&[0x81, 0x02, b'h', b'i'], &[0xf1, 0x80, 0, 0, 0, 0], &endless, &garbage(7, 4096)];
    for frame in frames {
        let mut tab = socket(&server).unwrap();
        tab.get_mut().write_all(frame).unwrap();
        assert!(visitor::answer(&mut tab).is_none());
    }
    until("nothing is held", || server.simulations() == 0);
    assert_serves(&server);
}

/// Two hundred heads that come byte by byte locked the next visitor out until their time ran out.
#[test]
fn slow_heads_keep_nobody_out() {
    let server = server(Limits { head: Duration::from_secs(3600), ..Limits::default() });
    let mut slow: Vec<TcpStream> = (0..200).map(|_| connect(&server)).collect();
    for stream in &mut slow {
        let _may_be_closed_already = stream.write_all(b"GET / HTT");
    }
    until("all but the last few are closed", || server.refused() >= 200 - Limits::default().heads);
    assert_eq!(status(&get(&server, "/", "")), 200);
    until("the closed ones are gone", || server.connections() <= Limits::default().heads + 1);
    drop(slow);
}

#[test]
fn a_thousand_connects_leave_room_for_the_next() {
    let limits = Limits { connections: 64, head: Duration::from_millis(500), ..Limits::default() };
    let server = server(limits);
    let visitors: Vec<TcpStream> = (0..1000).map(|_| connect(&server)).collect();
    until("some were turned away", || server.refused() > 0);
    assert!(server.connections() <= 64);
    // They say nothing: their time runs out, and there is room again although all of them are still
    // there.
    until("the silent ones are gone", || server.connections() == 0);
    assert_serves(&server);
    drop(visitors);
}

/// A thousand visitors, one after the other, each with a proper request.
#[test]
fn a_thousand_requests_are_answered() {
    let server = server(Limits::default());
    let good = (0..1000).filter(|_| status(&get(&server, "/", "")) == 200).count();
    assert_eq!(good, 1000);
}

/// A head that comes byte by byte must be there in time, however busy it looks.
#[test]
fn a_dripping_head_is_cut_off() {
    let server = server(Limits { head: Duration::from_millis(300), ..Limits::default() });
    let mut stream = connect(&server);
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    until("it is cut off", || {
        let written = stream.write_all(b"X: y\r\n");
        std::thread::sleep(Duration::from_millis(20));
        written.is_err() || server.connections() == 0
    });
    assert_serves(&server);
}

/// Half-open: the visitor closes its side at once, or sends half a request and waits.
#[test]
fn half_open_connections_are_closed() {
    let limits =
        Limits { head: Duration::from_millis(300), silence: Duration::from_millis(500), ..Limits::default() };
    let server = server(limits);
    let closed: Vec<TcpStream> = (0..20)
        .map(|_| {
            let stream = connect(&server);
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            stream
        })
        .collect();
    let mut halves: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = connect(&server);
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
            stream
        })
        .collect();
    // Answered, and then silent: kept for a next request, but not for ever.
    let mut kept = connect(&server);
    let address = server.address();
    kept.write_all(format!("GET /nothing HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    let mut start = [0; 12];
    kept.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 404");
    until("all are closed", || server.connections() == 0);
    let mut rest = Vec::new();
    assert!(halves.iter_mut().all(|half| half.read_to_end(&mut rest).is_ok() || rest.is_empty()));
    assert_serves(&server);
    drop((closed, kept));
}

/// A connection that is dropped while its answer is on the way is nobody's trouble.
#[test]
fn visitors_that_leave_early() {
    let server = server(Limits::default());
    for _ in 0..200 {
        let mut stream = connect(&server);
        let address = server.address();
        stream.write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    }
    until("all are gone", || server.connections() == 0);
    assert_serves(&server);
}
