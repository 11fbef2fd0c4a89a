//! `carom-bindgen IN.wasm OUT_FOLDER`: from the compiled engine to an ES module and the code that
//! it loads.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        eprintln!("usage: carom-bindgen IN.wasm OUT_FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen
        .input_path(input)
        .web(true)
        .map(|bindgen| {
            bindgen.typescript(true).omit_default_module_path(false).out_name("carom_web");
            bindgen.remove_name_section(true).remove_producers_section(true)
        })
        .and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carom-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
