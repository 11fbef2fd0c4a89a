//! Puts the commit into `carom --version`, where there is one.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=../../.git/HEAD");
    println!("cargo:rerun-if-changed=../../.git/refs/heads");
    let commit = Command::new("git")
        .args(["rev-parse", "--short=10", "HEAD"])
        .output()
        .ok()
        .filter(|o| o.status.success())
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .map_or_else(|| "no commit".to_owned(), |c| c.trim().to_owned());
    println!("cargo:rustc-env=CAROM_COMMIT={commit}");
}
