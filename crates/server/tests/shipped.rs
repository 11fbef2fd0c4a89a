//! The page that the package ships is the one that the sources make.

#[path = "../sources.rs"]
mod sources;

use std::path::Path;

#[test]
fn the_page_is_made_of_these_sources() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..");
    let page = here.join("page");
    // A checkout where no page was built yet; `cargo xtask test` builds one first.
    if !page.join("index.html.gz").exists() {
        return;
    }
    let made_of = std::fs::read_to_string(page.join("sources.fnv")).unwrap();
    let there = sources::hash_of_sources(&root).unwrap();
    assert_eq!(made_of, there, "the page is old: `cargo xtask web` makes it anew");
    // What is shipped is what was built, file by file.
    let built = root.join("web/dist");
    for entry in std::fs::read_dir(&page).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_owned();
        if path.is_file() && name != "sources.fnv" && built.is_dir() {
            assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(built.join(&name)).unwrap(), "{name:?}");
        }
    }
}

#[test]
fn any_change_of_a_source_is_seen() {
    let folder = std::env::temp_dir().join(format!("carom-sources-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    for name in
        ["Cargo.lock", "web/package-lock.json", "web/build.mjs", "web/notebook.mjs", "web/tsconfig.json"]
    {
        write(name, "x");
    }
    write("crates/contact/src/lib.rs", "one\n");
    write("crates/cli/src/main.rs", "one\n");
    let first = sources::hash_of_sources(&folder).unwrap();
    write("crates/cli/src/main.rs", "two\n");
    write("crates/contact/src/lib.rs", "one\r\n");
    assert_eq!(sources::hash_of_sources(&folder).unwrap(), first, "neither the program nor line ends count");
    write("crates/contact/src/lib.rs", "two\n");
    assert_ne!(sources::hash_of_sources(&folder).unwrap(), first);
    std::fs::remove_dir_all(folder).unwrap();
}
