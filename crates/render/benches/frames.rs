//! Drawing and encoding apart: 512×512 frames of 1,000 particles.

#[path = "../tests/support/mod.rs"]
mod support;

use carom_render::output::{gif, png};
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

/// Drawn pictures that move a little from one to the next.
fn moving() -> Vec<Canvas> {
    (0..60).map(|k| Canvas::of(&list(0.05 * f64::from(k))).unwrap()).collect()
}

#[divan::bench(sample_count = 3)]
fn encode_gif_60(bencher: Bencher) {
    let (pictures, (scene, _)) = (moving(), support::thousand(0.0));
    bencher.bench_local(|| {
        let palette = gif::Palette::of_scene(&scene);
        let mut writer = gif::GifWriter::new(Vec::new(), 512, 512, 30.0, palette).unwrap();
        pictures.iter().for_each(|picture| writer.write(picture).unwrap());
        writer.finish().unwrap().len()
    });
}

#[cfg(feature = "mp4")]
#[divan::bench(sample_count = 3)]
fn encode_mp4_60(bencher: Bencher) {
    use carom_render::output::mp4::Mp4Writer;
    let pictures = moving();
    bencher.bench_local(|| {
        let mut writer = Mp4Writer::new(std::io::Cursor::new(Vec::new()), 512, 512, 30.0).unwrap();
        pictures.iter().for_each(|picture| writer.write(picture).unwrap());
        writer.finish().unwrap().into_inner().len()
    });
}
