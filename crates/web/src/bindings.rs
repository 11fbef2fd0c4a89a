//! The session as JavaScript sees it.
#![allow(
    unsafe_code,
    reason = "wasm-bindgen writes the glue to JavaScript, and glue calls foreign functions"
)]

use crate::session::Session;
use wasm_bindgen::prelude::wasm_bindgen;

/// A session in a browser's worker.
#[wasm_bindgen(js_name = Session)]
#[derive(Default)]
pub struct WebSession {
    session: Session,
}

#[wasm_bindgen(js_class = Session)]
impl WebSession {
    /// A session without a scene.
    #[wasm_bindgen(constructor)]
    pub fn new() -> WebSession {
        std::panic::set_hook(Box::new(|panic| report_panic(&panic.to_string())));
        WebSession::default()
    }

    /// Answers one request within so many milliseconds, as far as steps can be counted.
    pub fn handle(&mut self, request: &str, budget: f64) -> Vec<u8> {
        let end = now() + budget;
        self.session.handle(request, &mut || now() >= end)
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
    /// What a panic says, for the worker to hand on; without it JavaScript only sees "unreachable".
    #[wasm_bindgen(js_name = caromPanicked, js_namespace = globalThis)]
    fn report_panic(message: &str);
}
