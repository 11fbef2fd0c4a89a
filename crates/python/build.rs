//! What linking an extension module takes on systems that want no symbol undefined (macOS); nothing
//! elsewhere.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
