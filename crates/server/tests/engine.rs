//! The remote engine: the answers of the engine itself, for its own page, one simulation a socket,
//! freed when the page is gone.

use crate::visitor;

use carom_server::Limits;
use carom_web::Session;
use serde_json::json;
use std::time::Duration;
use tungstenite::Message;
use visitor::{PATIENCE, ask, farewell, head, opening, server, socket, socket_from, until};

#[test]
fn answers_are_those_of_a_session_in_the_page() {
    let server = server(Limits { turn: PATIENCE, ..Limits::default() });
    let mut remote = socket(&server).unwrap();
    let mut local = Session::new();
    for request in [
        opening(),
        json!({ "id": 2, "do": "advance", "to": 25, "layers": { "velocities": true, "contacts": true } }),
        json!({ "id": 3, "do": "seek", "step": 7 }),
        json!({ "id": 4, "do": "inspect", "body": 3 }),
        json!({ "id": 5, "do": "nonsense" }),
        json!({ "id": 6, "do": "look" }),
    ] {
        let wanted = local.handle(&request.to_string(), &mut || false);
        assert_eq!(ask(&mut remote, &request), Some(wanted), "{}", request["do"]);
    }
}

#[test]
fn each_socket_has_a_world_of_its_own() {
    let server = server(Limits { turn: PATIENCE, ..Limits::default() });
    let mut sockets = [socket(&server).unwrap(), socket(&server).unwrap()];
    for (k, socket) in sockets.iter_mut().enumerate() {
        ask(socket, &opening()).unwrap();
        ask(socket, &json!({ "do": "advance", "to": 3 * k + 1 })).unwrap();
    }
    let steps =
        sockets.map(|mut socket| head(&ask(&mut socket, &json!({ "do": "look" })).unwrap())["step"].clone());
    assert_eq!(steps, [json!(1), json!(4)]);
}

#[test]
fn sockets_of_other_pages_are_refused() {
    let server = server(Limits::default());
    let (own, port) = (server.address().to_string(), server.address().port());
    for (origin, host) in [
        ("http://evil.example".to_owned(), own.clone()),
        (format!("https://{own}"), own.clone()),
        ("null".to_owned(), own.clone()),
        (format!("http://evil.example:{port}"), format!("evil.example:{port}")),
    ] {
        assert_eq!(socket_from(&server, &origin, &host).err(), Some(403), "{origin} {host}");
    }
    let local = format!("localhost:{port}");
    assert!(socket_from(&server, &format!("http://{local}"), &local).is_ok());
    let without_origin = format!(
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nHost: {own}\r\n"
    );
    let request = format!("GET /engine HTTP/1.1\r\nConnection: Upgrade\r\n{without_origin}\r\n");
    assert_eq!(visitor::status(&visitor::exchange(&server, request.as_bytes())), 403);
}

#[test]
fn so_many_simulations_and_no_more() {
    let server = server(Limits { simulations: 2, ..Limits::default() });
    let first = socket(&server).unwrap();
    let second = socket(&server).unwrap();
    assert_eq!(socket(&server).err(), Some(503));
    drop(first);
    until("a place is free again", || server.simulations() == 1);
    assert!(socket(&server).is_ok());
    drop(second);
}

#[test]
fn a_vanished_tab_frees_its_simulation() {
    let server = server(Limits::default());
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &opening()).unwrap();
    assert_eq!((server.simulations(), server.connections()), (1, 1));
    // The process is killed: the socket closes without a word, in the middle of work.
    tab.send(Message::text(json!({ "do": "advance", "to": 1_000_000_000_u64 }).to_string())).unwrap();
    drop(tab);
    until("nothing is held", || server.simulations() == 0 && server.connections() == 0);
}

/// The machine at the other end is gone without closing anything: it neither reads nor answers
/// pings.
#[test]
fn a_silent_tab_is_given_up() {
    let server = server(Limits { silence: Duration::from_millis(2000), ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &opening()).unwrap();
    until("nothing is held", || server.simulations() == 0 && server.connections() == 0);
}

/// A tab that only answers pings is there, for as long as it likes.
#[test]
fn a_quiet_tab_that_answers_pings_is_kept() {
    let server = server(Limits { silence: Duration::from_secs(4), ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &opening()).unwrap();
    let mut pings = 0;
    while pings < 5 {
        match tab.read() {
            Ok(Message::Ping(_)) => pings += 1,
            other => panic!("{other:?} after {pings} pings"),
        }
    }
    assert!(ask(&mut tab, &json!({ "do": "look" })).is_some());
}

/// It asks and asks and never reads: its answers fill the pipe, and it is given up.
#[test]
fn a_tab_that_does_not_read_is_given_up() {
    let server = server(Limits { silence: Duration::from_millis(2000), ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    tab.get_ref().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    tab.send(Message::text(opening().to_string())).unwrap();
    let look = json!({ "do": "look", "layers": { "velocities": true } }).to_string();
    for _ in 0..100_000 {
        if tab.send(Message::text(look.clone())).is_err() {
            break;
        }
    }
    until("nothing is held", || server.simulations() == 0 && server.connections() == 0);
}

#[test]
fn messages_that_are_too_long_or_no_text_end_the_conversation() {
    let server = server(Limits { message_bytes: 1 << 16, ..Limits::default() });
    let mut long = socket(&server).unwrap();
    let _cut_off_on_the_way = long.send(Message::text("x".repeat(1 << 20)));
    assert!(visitor::answer(&mut long).is_none());
    let mut binary = socket(&server).unwrap();
    binary.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(farewell(&mut binary), 1003);
    until("nothing is held", || server.simulations() == 0);
}

#[test]
fn a_flood_of_messages_ends_the_conversation() {
    let server = server(Limits { burst: 20.0, messages_a_second: 1.0, ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    for _ in 0..200 {
        if tab.send(Message::text("{}")).is_err() {
            break;
        }
    }
    let mut answers = 0;
    while visitor::answer(&mut tab).is_some() {
        answers += 1;
    }
    // A socket that is closed with messages unread is reset, and answers on their way may be lost.
    assert!(answers <= 21, "{answers} answers");
    until("nothing is held", || server.simulations() == 0);
    assert!(socket(&server).is_ok(), "others are served on");
}

#[test]
fn texts_that_are_no_requests_are_answered() {
    let server = server(Limits::default());
    let mut tab = socket(&server).unwrap();
    for garbage in
        ["", "{", "null", "[]", "{\"do\":\"open\"}", "{\"do\":\"advance\",\"to\":-1}", "\u{0}\u{ffff}"]
    {
        tab.send(Message::text(garbage)).unwrap();
        let reply = head(&visitor::answer(&mut tab).unwrap());
        assert_eq!(reply["ok"], json!(false), "{garbage}");
    }
    let broken = json!({ "do": "open", "text": "<scene" });
    assert_eq!(head(&ask(&mut tab, &broken).unwrap())["ok"], json!(false));
    assert_eq!(head(&ask(&mut tab, &opening()).unwrap())["ok"], json!(true));
}

/// One request may not keep the engine: it answers with what it has when its turn is over.
#[test]
fn long_work_is_done_in_turns() {
    let server = server(Limits { turn: Duration::from_millis(5), ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &opening()).unwrap();
    let reply = head(&ask(&mut tab, &json!({ "do": "advance", "to": 1_000_000_000_u64 })).unwrap());
    let step = reply["step"].as_u64().unwrap();
    assert!((1..1_000_000_000).contains(&step), "{step}");
}

/// Discs on one spot: every one overlaps every other.
fn crowd(count: usize) -> serde_json::Value {
    let discs: String = (0..count)
        .map(|k| {
            let x = 1e-3 * k as f64;
            format!("<rigidbodydisc x=\"{x}\" y=\"0\" radius=\"50\" m=\"1\" vx=\"{}\" vy=\"0\"/>", -x)
        })
        .collect();
    let text = format!(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"10\"/>\
         <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <rigidbodycollisionhandling detection=\"all-pairs\" response=\"gr-lcp\" mu=\"0.3\"/>{discs}</scene>"
    );
    json!({ "id": 1, "do": "open", "text": text })
}

/// A session was bounded in bodies, not in contacts: two thousand overlapping discs took a
/// gigabyte.
#[test]
fn contacts_are_bounded() {
    let server = server(Limits { pairs: 10_000, turn: PATIENCE, ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &crowd(2000)).unwrap();
    let reply = head(&ask(&mut tab, &json!({ "do": "advance", "to": 1 })).unwrap());
    let failure = reply["failure"].as_str().unwrap_or_default();
    assert!(failure.contains("more than 10000 pairs of bodies overlap"), "{reply}");
}

/// A visitor who left inside a step held a core until the step was over.
#[test]
fn a_tab_that_vanishes_inside_a_step_frees_its_simulation() {
    let server = server(Limits::default());
    let mut tab = socket(&server).unwrap();
    ask(&mut tab, &crowd(300)).unwrap();
    tab.send(Message::text(json!({ "do": "advance", "to": 1000 }).to_string())).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    drop(tab);
    until("nothing is held", || server.simulations() == 0 && server.connections() == 0);
}

/// A step may not take for ever: the session ends, and says why.
#[test]
fn a_step_that_takes_too_long_ends_the_session() {
    let server = server(Limits { answer: Duration::from_millis(20), ..Limits::default() });
    let mut tab = socket(&server).unwrap();
    tab.send(Message::text(crowd(300).to_string())).unwrap();
    tab.send(Message::text(json!({ "do": "advance", "to": 1000 }).to_string())).unwrap();
    while visitor::answer(&mut tab).is_some() {}
    until("nothing is held", || server.simulations() == 0);
}
