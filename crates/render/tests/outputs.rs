//! What is written reads back: sizes, counts, times, colours.

use crate::support;

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use carom_render::movie::{Job, Numbered, RecordError, Recorded, Target, record};
use carom_render::{Extent, Options, Painter, Timing, View, svg};
use carom_scene::Scene;
use carom_trajectory::Frame;
use support::{first_frame, rigid_scene, small_scene};

/// One second of a particle that moves to the right, 100 frames a second.
pub(crate) fn run(scene: &Scene) -> Vec<Frame> {
    (0..=100u32)
        .map(|step| {
            let mut frame = first_frame(scene);
            frame.step = u64::from(step);
            frame.time = 0.01 * f64::from(step);
            frame.positions[0] += 0.4 * frame.time;
            frame
        })
        .collect()
}

pub(crate) fn record_to(
    target: Target,
    size: [u32; 2],
    timing: Timing,
    threads: usize,
) -> Result<Recorded, RecordError> {
    let scene = small_scene();
    let painter =
        Painter::new(&scene, View::new(&scene, &Extent::default(), size[0], size[1]), Options::default());
    let cancel = AtomicBool::new(false);
    let job = Job { painter: &painter, timing, target, threads, cancel: &cancel };
    record(&job, run(&scene).into_iter().map(Ok::<Frame, Infallible>), |_| {})
}

pub(crate) fn decode_png(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    (info.width, info.height, pixels)
}

#[test]
fn a_folder_of_pngs_has_every_picture() {
    let folder = tempfile::tempdir().unwrap();
    let names = Numbered::course_png(folder.path().join("pngs"));
    let timing = Timing { fps: 10.0, ..Timing::default() };
    let recorded = record_to(Target::Pngs(names.clone()), [80, 60], timing, 2).unwrap();
    assert_eq!(recorded, Recorded { pictures: 11, frames: 101, incomplete: 0 });
    assert_eq!(names.file(7, "png").file_name().unwrap(), "frame00007.png");
    for index in 0..11 {
        let (width, height, pixels) = decode_png(&fs::read(names.file(index, "png")).unwrap());
        assert_eq!((width, height), (80, 60));
        // The red particle moves 12 pixels in all: 30 pixels a unit.
        let x = 40 + (1.2 * index as f64).round() as usize;
        assert_eq!(&pixels[3 * (80 * 30 + x)..][..3], [255, 0, 0], "picture {index}");
    }
    assert_eq!(fs::read_dir(&names.folder).unwrap().count(), 11, "nothing else is left in the folder");
}

#[test]
fn a_gif_has_every_picture_and_lasts_as_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("movie.gif");
    let timing = Timing { fps: 30.0, ..Timing::default() };
    let recorded = record_to(Target::Gif(path.clone()), [64, 64], timing, 2).unwrap();
    assert_eq!(recorded.pictures, 31);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (64, 64));
    let palette = decoder.global_palette().unwrap().to_vec();
    let (mut count, mut hundredths, mut center) = (0, 0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        count += 1;
        hundredths += u32::from(frame.delay);
        // A pixel that the particle covers all the time.
        let (x, y) = (38 - i32::from(frame.left), 32 - i32::from(frame.top));
        let inside = x >= 0 && y >= 0 && x < i32::from(frame.width) && y < i32::from(frame.height);
        if inside {
            let index = frame.buffer[y as usize * usize::from(frame.width) + x as usize];
            if Some(index) != frame.transparent {
                center = usize::from(index);
            }
        }
    }
    assert_eq!(count, 31);
    assert_eq!(hundredths, 103, "31 pictures at 30 a second");
    assert_eq!(&palette[3 * center..3 * center + 3], [255, 0, 0], "the scene's own colour is kept");
}

#[test]
fn svgs_are_well_formed_and_named() {
    for scene in [small_scene(), rigid_scene()] {
        let frame = first_frame(&scene);
        let view = View::new(&scene, &Extent::default(), 200, 100);
        let options =
            Options { velocities: true, contacts: true, energy: true, time: true, ..Options::default() };
        let painter = Painter::new(&scene, view, options);
        let list = painter.paint(&frame, &carom_render::Trails::new(&scene)).unwrap();
        let text = svg::document(&list);
        let names = element_names(&text);
        assert_eq!(names[0], "svg");
        assert_eq!(names[1], "title");
        assert_eq!(names[2], "desc");
        assert!(names.iter().any(|name| name == "circle" || name == "line"));
        assert!(text.contains("A &lt;test&gt; &amp; nothing else"), "text is escaped");
        assert!(text.contains("viewBox=\"0 0 200 100\""));
    }
}

/// Names of all elements; panics when the text is not well-formed.
fn element_names(text: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                for attribute in tag.attributes().with_checks(true) {
                    attribute.unwrap();
                }
                names.push(tag.name().as_ref().to_owned());
            }
            quick_xml::events::Event::Eof => return names,
            _ => {}
        }
    }
}

#[test]
fn one_svg_a_step_as_the_course_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let names = Numbered::course_svg(folder.path());
    let recorded = record_to(Target::Svgs(names.clone()), [50, 50], Timing::every_frame(24.0), 1).unwrap();
    assert_eq!(recorded.pictures, 101);
    let last = folder.path().join("frame00000000000000000100.svg");
    assert_eq!(last, names.file(100, "svg"));
    element_names(&fs::read_to_string(last).unwrap());
}

#[test]
fn threads_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, threads: usize| {
        let path = folder.path().join(name);
        record_to(Target::Gif(path.clone()), [48, 48], Timing::default(), threads).unwrap();
        fs::read(path).unwrap()
    };
    assert_eq!(write("one.gif", 1), write("three.gif", 3));
}

/// A long movie holds no more frames and pictures at a time than a short one.
#[test]
fn what_is_held_does_not_grow_with_the_length() {
    use std::cell::Cell;
    let scene = small_scene();
    let painter = Painter::new(&scene, View::new(&scene, &Extent::default(), 8, 8), Options::default());
    let folder = tempfile::tempdir().unwrap();
    let most_held = |frames: u64| {
        let (read, written, most) = (Cell::new(0_u64), Cell::new(0_u64), Cell::new(0_u64));
        let source = (0..frames).map(|step| {
            read.set(step + 1);
            most.set(most.get().max(read.get() - written.get()));
            Ok::<Frame, Infallible>(Frame { step, time: 0.01 * step as f64, ..first_frame(&scene) })
        });
        let cancel = AtomicBool::new(false);
        let timing = Timing::every_frame(50.0);
        let target = Target::Gif(folder.path().join("movie.gif"));
        let job = Job { painter: &painter, timing, target, threads: 2, cancel: &cancel };
        assert_eq!(record(&job, source, |done| written.set(done)).unwrap().pictures, frames);
        most.get()
    };
    let (short, long) = (most_held(60), most_held(6_000));
    // Two batches of four for each of the two threads, and the frame that is drawn.
    assert!(short >= 16, "the test counts what it should: {short}");
    assert_eq!(long, short, "frames and pictures held by a long and by a short movie");
}

#[test]
fn a_stopped_movie_leaves_nothing_and_keeps_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("movie.gif");
    fs::write(&path, "older").unwrap();
    let scene = small_scene();
    let painter = Painter::new(&scene, View::new(&scene, &Extent::default(), 40, 40), Options::default());
    let cancel = AtomicBool::new(false);
    let job = Job {
        painter: &painter,
        timing: Timing::every_frame(50.0),
        target: Target::Gif(path.clone()),
        threads: 1,
        cancel: &cancel,
    };
    let frames = run(&scene).into_iter().map(Ok::<Frame, Infallible>);
    let stopped = record(&job, frames, |_| cancel.store(true, std::sync::atomic::Ordering::Relaxed));
    assert!(matches!(stopped, Err(RecordError::Cancelled)), "{stopped:?}");
    assert_only(folder.path(), "older");
    let broken = [Ok(run(&scene).remove(0)), Err("the disk is gone")];
    cancel.store(false, std::sync::atomic::Ordering::Relaxed);
    let error = record(&job, broken, |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "cannot read the next frame: the disk is gone");
    assert_only(folder.path(), "older");
}

fn assert_only(folder: &Path, text: &str) {
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), text);
}

#[test]
fn what_cannot_be_written_is_said_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let below = Target::Gif(file.join("movie.gif"));
    let error = record_to(below, [40, 40], Timing::default(), 1).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
    let error =
        record_to(Target::Pngs(Numbered::course_png(&file)), [40, 40], Timing::default(), 1).unwrap_err();
    assert!(matches!(error, RecordError::Write { .. }), "{error}");
    let nowhere = Target::Gif(folder.path().join("movie.gif"));
    let late = Timing { from: 7.0, ..Timing::default() };
    assert!(matches!(record_to(nowhere.clone(), [40, 40], late, 1), Err(RecordError::Nothing { .. })));
    assert!(matches!(record_to(nowhere, [0, 40], Timing::default(), 1), Err(RecordError::Size(_))));
}

#[test]
fn a_missing_ffmpeg_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::Ffmpeg { program: "no-such-ffmpeg".into(), path: folder.path().join("m.mp4") };
    let error = record_to(target, [40, 40], Timing::default(), 1).unwrap_err();
    assert!(error.to_string().contains("cannot start no-such-ffmpeg"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
#[allow(clippy::print_stderr, reason = "the test prints what it left out")]
fn an_installed_ffmpeg_makes_a_movie_of_every_picture() {
    use std::process::Command;
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        eprintln!("skipped: no ffmpeg is installed, so nothing was made with it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("movie.mp4");
    let target = Target::Ffmpeg { program: "ffmpeg".into(), path: path.clone() };
    let timing = Timing { fps: 20.0, ..Timing::default() };
    // An odd size: the movie has the next even one.
    assert_eq!(record_to(target, [161, 119], timing, 2).unwrap().pictures, 21);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing but the movie is left");
    let decoded = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&path)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .unwrap();
    assert!(decoded.status.success(), "{}", String::from_utf8_lossy(&decoded.stderr));
    let picture = 162 * 120 * 3;
    assert_eq!(decoded.stdout.len(), 21 * picture, "21 pictures of 162 by 120");
    for (index, pixels) in decoded.stdout.chunks_exact(picture).enumerate() {
        let at = |x: usize, y: usize| &pixels[3 * (162 * y + x)..][..3];
        // As in the movie by our own encoder: to the right by 0.4 units of 59.5 pixels in a second.
        let [red, green, blue] = at(80 + (23.8 * index as f64 / 20.0) as usize, 59) else { unreachable!() };
        assert!(*red > 220 && *green < 60 && *blue < 60, "picture {index}: {red} {green} {blue}");
        assert!(at(161, 0).iter().all(|byte| *byte > 245), "the last column is repeated: {:?}", at(161, 0));
    }
}

#[cfg(unix)]
#[test]
fn a_program_that_stops_taking_pictures_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = Target::Ffmpeg { program: "false".into(), path: folder.path().join("m.mp4") };
    let error = record_to(target, [400, 400], Timing::default(), 1).unwrap_err();
    assert!(error.to_string().contains("ffmpeg failed"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A disk with little room.
struct SmallDisk {
    left: usize,
}

impl std::io::Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if bytes.len() > self.left {
            return Err(std::io::Error::from(std::io::ErrorKind::StorageFull));
        }
        self.left -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl std::io::Seek for SmallDisk {
    fn seek(&mut self, _: std::io::SeekFrom) -> std::io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_full_disk_is_an_error_and_never_a_panic() {
    use carom_render::output::{gif::GifWriter, gif::Palette, png};
    let scene = small_scene();
    let view = View::new(&scene, &Extent::default(), 64, 64);
    let painter = Painter::new(&scene, view, Options::default());
    let list = painter.paint(&first_frame(&scene), &carom_render::Trails::new(&scene)).unwrap();
    let canvas = carom_render::Canvas::of(&list).unwrap();
    for left in [0, 10, 500, 900] {
        assert!(png::write(&canvas, png::Effort::Fast, SmallDisk { left }).is_err(), "png with {left} bytes");
        let gif = GifWriter::new(SmallDisk { left }, 64, 64, 20.0, Palette::of_scene(&scene));
        let done = gif.and_then(|mut gif| gif.write(&canvas).and_then(|()| gif.finish().map(|_| ())));
        assert!(done.is_err(), "gif with {left} bytes");
        #[cfg(feature = "mp4")]
        {
            let mp4 = carom_render::output::mp4::Mp4Writer::new(SmallDisk { left }, 64, 64, 20.0);
            let done = mp4.and_then(|mut mp4| mp4.write(&canvas).and_then(|()| mp4.finish().map(|_| ())));
            assert!(done.is_err(), "mp4 with {left} bytes");
        }
    }
}
