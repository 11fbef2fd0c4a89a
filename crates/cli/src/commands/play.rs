//! `carom play`: the page on this machine, until Ctrl-C.

use crate::arguments::{Play, Reading};
use crate::interrupt;
use crate::scene_file::{self, Warnings};
use anyhow::Result;
use carom_server::{Server, ServerSettings};
use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// How often Ctrl-C is looked for.
const GLANCE: Duration = Duration::from_millis(50);

pub(crate) fn run(options: &Play) -> Result<ExitCode> {
    let interrupt = interrupt::flag();
    let given = match &options.scene {
        None => None,
        Some(path) => {
            let reading = Reading { course: false, strict: false };
            // A scene with errors is opened as well: the page underlines them, and they can be
            // corrected there.
            let text = match scene_file::load(path, reading, Warnings::Show)? {
                Some(file) => file.text,
                None if path.as_os_str() == "-" => return Ok(ExitCode::FAILURE),
                None => scene_file::read_text(path, reading)?,
            };
            Some(text)
        }
    };
    let page = fragment(given.is_some(), options.remote_engine);
    let server = Server::start(ServerSettings {
        address: options.address,
        port: options.port,
        given,
        remote_engine: options.remote_engine,
        ..ServerSettings::default()
    })?;
    let address = format!("http://{}/{page}", reachable(server.address()));
    let mut out = anstream::stdout();
    writeln!(out, "Carom is at {address}")?;
    if !server.address().ip().is_loopback() {
        anstream::eprintln!("note: other machines can open this page");
    }
    if !Server::has_page() {
        anstream::eprintln!("note: the page is not built into this program; `cargo xtask web` makes it");
    }
    if !options.no_open && !open_browser(&address) {
        writeln!(out, "No browser could be opened; open the address yourself.")?;
    }
    writeln!(out, "Ctrl-C stops.")?;
    out.flush()?;
    while !interrupt.is_set() {
        std::thread::sleep(GLANCE);
    }
    drop(server);
    writeln!(out, "stopped")?;
    Ok(ExitCode::SUCCESS)
}

/// What the page is to show.
fn fragment(given: bool, remote: bool) -> &'static str {
    match (given, remote) {
        (false, false) => "",
        (true, false) => "#given",
        (false, true) => "#remote",
        (true, true) => "#given&remote",
    }
}

/// An address that a browser here can open: "everywhere" is no place to go to.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => SocketAddr::from(([127, 0, 0, 1], v4.port())),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => {
            SocketAddr::new(std::net::Ipv6Addr::LOCALHOST.into(), v6.port())
        }
        other => other,
    }
}

/// Asks the system for its browser; says whether it has one.
fn open_browser(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Err(_) => false,
        Ok(mut child) => {
            // It ends in its own time; somebody has to take note, or it stays in the table of
            // processes.
            std::thread::spawn(move || child.wait());
            true
        }
    }
}
