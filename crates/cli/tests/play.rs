//! `carom play`: prints where it is, serves, and stops on request.
#![cfg(all(feature = "play", unix))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Playing {
    child: Child,
    address: String,
    fragment: String,
    rest: BufReader<std::process::ChildStdout>,
}

fn play(arguments: &[&str]) -> Playing {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["play", "--no-open"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut rest = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    rest.read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Carom is at http://").expect(&line);
    let (address, fragment) = url.split_once('/').unwrap();
    Playing { child, address: address.to_owned(), fragment: fragment.to_owned(), rest }
}

impl Playing {
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Presses Ctrl-C; what it said after its address, and whether it ended well.
    fn interrupt(mut self) -> (String, bool) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let mut said = String::new();
        self.rest.read_to_string(&mut said).unwrap();
        (said, self.child.wait().unwrap().success())
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
    }
}

#[test]
fn a_scene_is_served_until_ctrl_c() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/carom.xml");
    let playing = play(&[scene]);
    assert!(playing.address.starts_with("127.0.0.1:"));
    assert_eq!(playing.fragment, "#given");
    assert!(playing.get("/").starts_with("HTTP/1.1 200"));
    let text = std::fs::read_to_string(scene).unwrap();
    assert!(playing.get("/given/scene.xml").ends_with(&text));
    assert!(playing.get("/engine").starts_with("HTTP/1.1 404"));
    let address = playing.address.clone();
    let (said, well) = playing.interrupt();
    assert!(well && said.contains("Ctrl-C stops.") && said.ends_with("stopped\n"), "{said}");
    assert!(TcpStream::connect(address).is_err(), "the port is free again");
}

#[test]
fn the_remote_engine_is_announced_to_the_page() {
    let playing = play(&["--remote-engine"]);
    assert_eq!(playing.fragment, "#remote");
    assert!(!playing.get("/engine").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_port_that_is_taken_is_said() {
    let playing = play(&[]);
    let port = playing.address.rsplit(':').next().unwrap().to_owned();
    let second = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["play", "--no-open", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("cannot listen on 127.0.0.1:"), "{said}");
}

#[test]
fn a_scene_that_is_not_there_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(["play", "nowhere.xml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read nowhere.xml"));
}
