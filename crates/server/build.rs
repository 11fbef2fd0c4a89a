//! The page is part of the program. A package has it in the folder `page`; in a checkout
//! `cargo xtask web` puts it there. `cargo install --path crates/cli` from a checkout without it
//! makes it here, as pip does, where node and a compiler for WebAssembly are. `CAROM_PAGE=no`
//! leaves it out, `CAROM_PAGE=yes` makes it in any release build.

mod shipping;

use std::path::Path;
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";

fn main() {
    for what in ["build.rs", "page"] {
        println!("cargo:rerun-if-changed={what}");
    }
    println!("cargo:rerun-if-env-changed=CAROM_PAGE");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let here = variable("CARGO_MANIFEST_DIR");
    let root = Path::new(&here).join("../..");
    let wanted = variable("PROFILE") == "release" && variable("CAROM_PAGE") != "no";
    let in_checkout = root.join("web/build.mjs").exists() && root.join("xtask").exists();
    if Path::new(&here).join("page/index.html.gz").exists() || !wanted || !in_checkout {
        return;
    }
    let built = root.join("web/dist");
    if built.join(shipping::STAMP).exists() {
        if shipping::ship(&built, &Path::new(&here).join("page")).is_err() {
            println!("cargo:warning=the page in web/dist could not be copied to crates/server/page");
        }
        return;
    }
    if variable("CAROM_PAGE") != "yes" && !is_installation() {
        return;
    }
    if !(runs("node") && runs("npm") && compiles_for_the_web(&variable("RUSTC"))) {
        println!(
            "cargo:warning=carom play will have no page: `cargo xtask web` makes it and says what it misses"
        );
        return;
    }
    // A folder of its own: the outer cargo holds the lock of the usual one.
    let folder = Path::new(&variable("OUT_DIR")).join("page-target");
    let mut cargo = Command::new(variable("CARGO"));
    cargo.args(["run", "--quiet", "--package", "xtask", "--bin", "xtask", "--", "web"]);
    cargo.current_dir(&root).env("CARGO_TARGET_DIR", &folder).env("CAROM_PAGE", "no");
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTC").stdin(Stdio::null());
    // What it prints is not for the outer cargo.
    cargo.stdout(Stdio::null());
    if !cargo.status().is_ok_and(|status| status.success()) {
        println!("cargo:warning=the page could not be built; `cargo xtask web` says why");
    }
    let _a_large_folder_that_is_not_needed_again = std::fs::remove_dir_all(&folder);
}

/// Whether this is `cargo install`: other builds need no page, and it takes minutes.
#[cfg(unix)]
fn is_installation() -> bool {
    let parent = std::os::unix::process::parent_id().to_string();
    let output = Command::new("ps").args(["-o", "args=", "-p", &parent]).output();
    output
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).split(' ').any(|word| word == "install"))
}

#[cfg(not(unix))]
fn is_installation() -> bool {
    false
}

fn runs(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether the compiler has the standard library of the target.
fn compiles_for_the_web(rustc: &str) -> bool {
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    output.is_ok_and(|output| {
        let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success() && Path::new(&folder).is_dir()
    })
}
