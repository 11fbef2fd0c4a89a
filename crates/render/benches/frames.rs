//! Drawing and encoding apart: 512×512 frames of 1,000 particles; and drawing of 200 solids in
//! space.

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

/// A hundred boxes and a hundred balls on the ground, with shadows.
#[divan::bench]
fn draw_solids(bencher: Bencher) {
    use carom_render::Rgba;
    use carom_render::display_list::{Item, Layer};
    use carom_render::spatial::{Camera, Form, Light, Mesh, Solid, Stage};
    use glam::{DQuat, DVec3};
    let mesh = std::sync::Arc::new(Mesh::cuboid(DVec3::splat(0.4)));
    let solid = |form: Form, position: DVec3| Solid {
        form,
        position,
        orientation: DQuat::IDENTITY,
        color: Rgba::opaque(66, 128, 196),
    };
    let mut solids = vec![solid(Form::HalfSpace { normal: DVec3::Z }, DVec3::ZERO)];
    for k in 0..100 {
        let (x, y) = (f64::from(k % 10) - 4.5, f64::from(k / 10) - 4.5);
        solids.push(solid(Form::Mesh(mesh.clone()), DVec3::new(x, y, 0.4)));
        solids.push(solid(Form::Sphere { radius: 0.4 }, DVec3::new(x, y, 1.3)));
    }
    let points: Vec<(DVec3, f64)> = solids[1..].iter().map(|s| (s.position, s.reach())).collect();
    let camera = Camera::fitted(&points, DVec3::Z, 512, 512);
    let light = Light::for_view(DVec3::Z, camera.forward());
    let (background, center) = (Rgba::WHITE, DVec3::ZERO);
    let stage = Stage { camera, light, background, solids, size: 8.0, center, edges: true };
    let mut list = DisplayList::new(512, 512, background, "solids");
    list.push(Layer::Bodies, Item::Stage(Box::new(stage)));
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
