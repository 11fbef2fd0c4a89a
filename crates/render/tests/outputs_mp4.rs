//! Movies by the codec that is compiled with the build.
#![cfg(feature = "mp4")]

use crate::outputs::record_to;
use carom_render::Timing;
use carom_render::movie::Target;
use openh264::decoder::Decoder;
use openh264::formats::YUVSource;
use std::fs;

/// The body of the first box of a kind, looked for inside of `path`.
fn find<'a>(mut bytes: &'a [u8], path: &[&[u8; 4]]) -> &'a [u8] {
    let (kind, rest) = path.split_first().expect("a path has a name");
    loop {
        let size = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
        let (header, size) = if size == 1 {
            (16, u64::from_be_bytes(bytes[8..16].try_into().unwrap()) as usize)
        } else {
            (8, size)
        };
        if &bytes[4..8] == *kind {
            let body = &bytes[header..size];
            return if rest.is_empty() { body } else { find(body, rest) };
        }
        bytes = &bytes[size..];
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn a_movie_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("movie.mp4");
    let timing = Timing { fps: 50.0, ..Timing::default() };
    // An odd size: the movie has the next even one.
    let recorded = record_to(Target::Mp4(path.clone()), [161, 120], timing, 2).unwrap();
    assert_eq!(recorded.pictures, 51);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[4..8], b"ftyp");
    let header = find(&bytes, &[b"moov", b"mvhd"]);
    let seconds = f64::from(number(header, 16)) / f64::from(number(header, 12));
    assert!((seconds - 51.0 / 50.0).abs() < 1e-9, "{seconds}");
    let track = find(&bytes, &[b"moov", b"trak", b"tkhd"]);
    assert_eq!((number(track, 76) >> 16, number(track, 80) >> 16), (162, 120));
    decode_all(&bytes, 51);
}

/// Plays the movie as a player does: by the tables of the index.
fn decode_all(bytes: &[u8], expected: u32) {
    let table: &[&[u8; 4]] = &[b"moov", b"trak", b"mdia", b"minf", b"stbl"];
    let part = |name: &'static [u8; 4]| find(bytes, &[table, &[name]].concat());
    let sizes = part(b"stsz");
    assert_eq!(number(sizes, 8), expected);
    let entry = &part(b"stsd")[8..];
    assert_eq!(&entry[4..8], b"avc1");
    let configuration = find(&entry[86..], &[b"avcC"]);
    let length = usize::from(u16::from_be_bytes([configuration[6], configuration[7]]));
    let sequence = &configuration[8..8 + length];
    let rest = &configuration[8 + length..];
    let picture = &rest[3..3 + usize::from(u16::from_be_bytes([rest[1], rest[2]]))];
    let mut decoder = Decoder::new().unwrap();
    let start = [0u8, 0, 0, 1];
    let parameters = [&start, sequence, &start, picture].concat();
    assert!(decoder.decode(&parameters).unwrap().is_none());
    let (offsets, chunks) = (part(b"co64"), part(b"stsc"));
    let keys = part(b"stss");
    assert_eq!(number(keys, 8), 1, "the first picture is a key picture");
    let per_chunk = number(chunks, 12);
    let (mut shown, mut position) = (0, 0);
    for index in 0..expected {
        if index % per_chunk == 0 {
            let at = 8 + 8 * (index / per_chunk) as usize;
            position = u64::from_be_bytes(offsets[at..at + 8].try_into().unwrap()) as usize;
        }
        let size = number(sizes, 12 + 4 * index as usize) as usize;
        let sample = &bytes[position..position + size];
        position += size;
        if let Some(image) = decoder.decode(&to_stream(sample)).unwrap() {
            assert_eq!(image.dimensions(), (162, 120));
            let mut pixels = vec![0; 162 * 120 * 3];
            image.write_rgb8(&mut pixels);
            // The particle starts in the middle and moves right by 60 · 0.4 pixels in a second.
            let x = 80 + (24.0 * f64::from(index) / 50.0) as usize;
            let at = 3 * (162 * 60 + x);
            let [red, green, blue] = [pixels[at], pixels[at + 1], pixels[at + 2]];
            assert!(red > 220 && green < 60 && blue < 60, "picture {index}: {red} {green} {blue}");
            assert!(
                pixels[..3].iter().all(|byte| *byte > 245),
                "the background is white: {:?}",
                &pixels[..3]
            );
            shown += 1;
        }
    }
    assert_eq!(shown, expected);
}

fn to_stream(mut sample: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    while !sample.is_empty() {
        let length = number(sample, 0) as usize;
        stream.extend([0, 0, 0, 1]);
        stream.extend(&sample[4..4 + length]);
        sample = &sample[4 + length..];
    }
    stream
}
