//! Named arrays of numpy: `.npz` files, read with bounds and written whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::atomic;
use crate::error::TrajectoryError;
use crate::export::npy;
use crate::export::once::FailsOnce;

/// All arrays of a file together may take no more than this when unpacked, bytes: a small file can
/// claim any size.
const LARGEST_CONTENTS: u64 = 1 << 30;
/// A file may have no more arrays than this.
const MOST_ARRAYS: usize = 1024;
/// The longest text of a header that is read, bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// The numbers of an array, as they are stored or widened.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Floating-point numbers.
    Float(Vec<f64>),
    /// Whole numbers and truth values.
    Whole(Vec<i64>),
}

/// An array in C order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Lengths; none for a single number.
    pub shape: Vec<u64>,
    /// The numbers.
    pub numbers: Numbers,
}

impl Array {
    /// A vector of floating-point numbers.
    pub fn vector(numbers: Vec<f64>) -> Self {
        Self { shape: vec![numbers.len() as u64], numbers: Numbers::Float(numbers) }
    }

    /// A vector of whole numbers.
    pub fn whole_vector(numbers: Vec<i64>) -> Self {
        Self { shape: vec![numbers.len() as u64], numbers: Numbers::Whole(numbers) }
    }

    /// A single whole number.
    pub fn whole(number: i64) -> Self {
        Self { shape: Vec::new(), numbers: Numbers::Whole(vec![number]) }
    }
}

/// Arrays by name.
pub type Arrays = BTreeMap<String, Array>;

/// Reads all arrays of an `.npz` file.
pub fn read_arrays(path: &Path) -> Result<Arrays, TrajectoryError> {
    let file = File::open(path).map_err(TrajectoryError::io("read", path))?;
    unpack(BufReader::new(file)).map_err(TrajectoryError::io("read", path))
}

/// Reads all arrays of an `.npz` file in memory.
pub fn read_arrays_bytes(bytes: &[u8]) -> io::Result<Arrays> {
    unpack(io::Cursor::new(bytes))
}

/// Writes arrays as an `.npz` file that appears whole or not at all.
pub fn write_arrays(path: &Path, arrays: &Arrays) -> Result<(), TrajectoryError> {
    atomic::write_whole(path, |out| {
        let mut archive = ZipWriter::new(FailsOnce::new(out));
        for (name, array) in arrays {
            archive
                .start_file(format!("{name}.npy"), SimpleFileOptions::default())
                .map_err(io::Error::other)?;
            let descr = match array.numbers {
                Numbers::Float(_) => "<f8",
                Numbers::Whole(_) => "<i8",
            };
            archive.write_all(&npy::header(descr, &array.shape))?;
            let mut bytes = Vec::new();
            match &array.numbers {
                Numbers::Float(numbers) => bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes())),
                Numbers::Whole(numbers) => bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes())),
            }
            archive.write_all(&bytes)?;
        }
        archive.finish().map_err(io::Error::other)?;
        Ok::<(), io::Error>(())
    })
}

fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

fn unpack(file: impl Read + Seek) -> io::Result<Arrays> {
    let mut archive = ZipArchive::new(file)
        .map_err(|error| damaged(format!("not an .npz file of numpy (a zip archive of arrays): {error}")))?;
    if archive.len() > MOST_ARRAYS {
        return Err(damaged(format!("{} arrays, more than {MOST_ARRAYS}", archive.len())));
    }
    let mut arrays = Arrays::new();
    let mut room = LARGEST_CONTENTS;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| damaged(error.to_string()))?;
        let name = entry.name().map_err(|error| damaged(error.to_string()))?;
        let Some(name) = name.strip_suffix(".npy").map(str::to_owned) else { continue };
        let mut bytes = Vec::new();
        entry.take(room + 1).read_to_end(&mut bytes).map_err(|error| damaged(format!("{name}: {error}")))?;
        if bytes.len() as u64 > room {
            return Err(damaged(format!("more than {LARGEST_CONTENTS} bytes of arrays")));
        }
        room -= bytes.len() as u64;
        let array = parse(&bytes).map_err(|words| damaged(format!("array {name}: {words}")))?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}

/// Reads one `.npy` array.
fn parse(bytes: &[u8]) -> Result<Array, String> {
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or("no numpy array")?;
    let (&[major, _minor], rest) = rest.split_first_chunk::<2>().ok_or("ends in its header")?;
    let (length, rest) = if major == 1 {
        let (length, rest) = rest.split_first_chunk::<2>().ok_or("ends in its header")?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>().ok_or("ends in its header")?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    if length > LONGEST_HEADER || length > rest.len() {
        return Err("ends in its header".into());
    }
    let (header, data) = rest.split_at(length);
    let header = std::str::from_utf8(header).map_err(|_| "its header is no text")?;
    let descr = quoted(field(header, "descr")?).ok_or("its type is not a simple one")?;
    let fortran = field(header, "fortran_order")?.starts_with("True");
    let shape = lengths(field(header, "shape")?).ok_or("its shape cannot be read")?;
    if fortran && shape.iter().filter(|&&n| n != 1).count() > 1 {
        return Err("is in Fortran order".into());
    }
    let count = shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n)).ok_or("is too large")?;
    let numbers = match descr {
        "<f8" => Numbers::Float(convert(data, count, f64::from_le_bytes)?),
        "<f4" => Numbers::Float(convert(data, count, |b| f64::from(f32::from_le_bytes(b)))?),
        "<i8" => Numbers::Whole(convert(data, count, i64::from_le_bytes)?),
        "<u8" => {
            let numbers = convert(data, count, u64::from_le_bytes)?;
            let small: Result<Vec<i64>, _> = numbers.into_iter().map(i64::try_from).collect();
            Numbers::Whole(small.map_err(|_| "has a number beyond 63 bits")?)
        }
        "<i4" => Numbers::Whole(convert(data, count, |b| i64::from(i32::from_le_bytes(b)))?),
        "<u4" => Numbers::Whole(convert(data, count, |b| i64::from(u32::from_le_bytes(b)))?),
        "<i2" => Numbers::Whole(convert(data, count, |b| i64::from(i16::from_le_bytes(b)))?),
        "<u2" => Numbers::Whole(convert(data, count, |b| i64::from(u16::from_le_bytes(b)))?),
        "|i1" => Numbers::Whole(convert(data, count, |b| i64::from(i8::from_le_bytes(b)))?),
        "|u1" | "|b1" => Numbers::Whole(convert(data, count, |b: [u8; 1]| i64::from(b[0]))?),
        other => return Err(format!("has type {other}, which is not read (little-endian numbers are)")),
    };
    Ok(Array { shape, numbers })
}

fn convert<const BYTES: usize, T>(
    data: &[u8],
    count: u64,
    number: impl Fn([u8; BYTES]) -> T,
) -> Result<Vec<T>, String> {
    let expected = count.checked_mul(BYTES as u64);
    if expected != Some(data.len() as u64) {
        return Err(format!("has {} bytes of numbers, but its shape says {count} numbers", data.len()));
    }
    let (chunks, _) = data.as_chunks::<BYTES>();
    Ok(chunks.iter().map(|chunk| number(*chunk)).collect())
}

/// What follows a key of the header.
fn field<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let quoted = [format!("'{key}'"), format!("\"{key}\"")];
    let found = quoted.iter().find_map(|name| header.find(name).map(|at| &header[at + name.len()..]));
    let value = found.and_then(|rest| rest.trim_start().strip_prefix(':'));
    value.map(str::trim_start).ok_or_else(|| format!("its header has no {key}"))
}

fn quoted(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(mark).map(|(inside, _)| inside)
}

fn lengths(text: &str) -> Option<Vec<u64>> {
    let inside = text.strip_prefix('(')?.split_once(')')?.0;
    let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.trim_end_matches('L').parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Arrays {
        let mut arrays = Arrays::new();
        arrays.insert("dim".into(), Array::whole(3));
        arrays.insert("mu".into(), Array::vector(vec![0.5, f64::MIN_POSITIVE, -0.0]));
        arrays.insert("row".into(), Array::whole_vector(vec![0, -1, i64::MAX]));
        arrays.insert("none".into(), Array::vector(Vec::new()));
        arrays
    }

    fn sample_bytes() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        write_arrays(&path, &sample()).unwrap();
        assert_eq!(read_arrays(&path).unwrap(), sample());
        std::fs::read(path).unwrap()
    }

    #[test]
    fn arrays_read_back() {
        assert_eq!(read_arrays_bytes(&sample_bytes()).unwrap(), sample());
    }

    #[test]
    fn damaged_files_give_an_error_or_arrays_but_no_panic() {
        let bytes = sample_bytes();
        for end in 0..bytes.len() {
            assert!(read_arrays_bytes(&bytes[..end]).is_err());
        }
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                let _either = read_arrays_bytes(&changed);
            }
        }
    }

    #[test]
    fn a_shape_larger_than_the_data_is_refused_without_room_for_it() {
        let mut array = npy::header("<f8", &[u64::MAX, 2]);
        assert!(parse(&array).is_err());
        array = npy::header("<f8", &[1 << 40]);
        assert!(parse(&array).unwrap_err().contains("shape"));
        assert!(parse(&npy::header("<c16", &[])).unwrap_err().contains("<c16"));
        assert!(parse(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").is_err());
    }
}
