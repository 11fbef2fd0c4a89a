//! Drawing and encoding apart: 512×512 frames of 1,000 particles.

#[path = "../tests/support/mod.rs"]
mod support;

use carom_render::output::png;
use carom_render::{Canvas, DisplayList, Extent, Options, Painter, Trails, View};
use divan::Bencher;

fn main() {
    divan::main();
}

fn list(phase: f64) -> DisplayList {
    let (scene, frame) = support::thousand(phase);
    let view = View::new(&scene, &Extent::default(), 512, 512);
    Painter::new(&scene, view, Options::default()).paint(&frame, &Trails::new(&scene)).unwrap()
}

#[divan::bench]
fn paint(bencher: Bencher) {
    let (scene, frame) = support::thousand(0.0);
    let view = View::new(&scene, &Extent::default(), 512, 512);
    let painter = Painter::new(&scene, view, Options::default());
    let trails = Trails::new(&scene);
    bencher.bench_local(|| painter.paint(&frame, &trails).unwrap());
}

#[divan::bench]
fn draw(bencher: Bencher) {
    let list = list(0.0);
    let mut canvas = Canvas::new(512, 512).unwrap();
    bencher.bench_local(|| canvas.draw(&list));
}

#[divan::bench]
fn encode_png(bencher: Bencher) {
    let canvas = Canvas::of(&list(0.0)).unwrap();
    bencher.bench_local(|| {
        let mut bytes = Vec::new();
        png::write(&canvas, png::Effort::Fast, &mut bytes).unwrap();
        bytes.len()
    });
}
