//! A visitor at the server's door: plain bytes and WebSockets, over real sockets on the loopback
//! address.
#![allow(dead_code, reason = "every test file is a program of its own and needs a part of this")]

use carom_server::{Limits, Server, ServerSettings};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

/// Longest wait for something that must happen. It decides no test that passes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn server(limits: Limits) -> Server {
    let settings = ServerSettings { remote_engine: true, limits, ..ServerSettings::default() };
    Server::start(settings).unwrap()
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends bytes and reads what comes back until the server closes. Errors are an end as well.
pub(crate) fn exchange(server: &Server, bytes: &[u8]) -> String {
    let mut stream = connect(server);
    let _may_be_cut_off = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut chunk) {
        answer.extend(&chunk[..length]);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// A request with our own host and these further lines.
pub(crate) fn get(server: &Server, path: &str, lines: &str) -> String {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{lines}\r\n", server.address());
    exchange(server, request.as_bytes())
}

pub(crate) fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

pub(crate) type Socket = WebSocket<TcpStream>;

/// A socket as the page opens it, or the status with which it is refused.
pub(crate) fn socket(server: &Server) -> Result<Socket, u16> {
    let address = server.address();
    socket_from(server, &format!("http://{address}"), &address.to_string())
}

pub(crate) fn socket_from(server: &Server, origin: &str, host: &str) -> Result<Socket, u16> {
    let mut request = format!("ws://{}/engine", server.address()).into_client_request().unwrap();
    request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
    request.headers_mut().insert("host", HeaderValue::from_str(host).unwrap());
    match tungstenite::client(request, connect(server)) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(_) => Err(0),
    }
}

/// The next answer; none when the server has closed.
pub(crate) fn answer(socket: &mut Socket) -> Option<Vec<u8>> {
    loop {
        match socket.read() {
            Ok(Message::Binary(bytes)) => return Some(bytes.to_vec()),
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            _ => return None,
        }
    }
}

/// The code with which the server says farewell; 0 when it leaves without a word.
pub(crate) fn farewell(socket: &mut Socket) -> u16 {
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.map_or(0, |frame| frame.code.into()),
            Ok(_) => {}
            Err(_) => return 0,
        }
    }
}

pub(crate) fn ask(socket: &mut Socket, request: &Value) -> Option<Vec<u8>> {
    socket.send(Message::text(request.to_string())).ok()?;
    answer(socket)
}

pub(crate) fn head(answer: &[u8]) -> Value {
    let length = u32::from_le_bytes(answer[..4].try_into().unwrap()) as usize;
    serde_json::from_slice(&answer[4..4 + length]).unwrap()
}

pub(crate) const SCENE: &str = include_str!("../../../../scenes/break.xml");

pub(crate) fn opening() -> Value {
    json!({ "id": 1, "do": "open", "text": SCENE })
}
