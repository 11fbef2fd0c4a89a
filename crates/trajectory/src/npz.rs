//! Frames from numpy's archives: those that [`crate::export::write_npz`] makes, and any other with
//! `positions` and `velocities`.
//!
//! Entries must be stored as they are, as `numpy.savez` does. Any bytes give frames or an error.

use crate::error::TrajectoryError;
use crate::frame::{Contact, ContactKind, Family, Frame};
use std::path::Path;

/// The frames of an archive, and whether it reports contacts.
pub fn npz_frames(bytes: &[u8], family: Family, dt: f64) -> Result<(Vec<Frame>, bool), TrajectoryError> {
    read(bytes, family, dt).map_err(|reason| TrajectoryError::WrongFrame {
        path: Path::new("(bytes in memory)").to_path_buf(),
        reason,
    })
}

fn read(bytes: &[u8], family: Family, dt: f64) -> Result<(Vec<Frame>, bool), String> {
    let entries = entries(bytes)?;
    let find = |name: &str| entries.iter().find(|(known, _)| known == &format!("{name}.npy"));
    let array = |name: &str| find(name).map(|(_, data)| Array::read(name, data)).transpose();
    let wanted = |name: &str| array(name)?.ok_or_else(|| format!("the archive has no array `{name}`"));
    let (positions, velocities) = (wanted("positions")?, wanted("velocities")?);
    let (steps, times) = (array("step")?, array("time")?);
    let count = positions.shape.first().copied().unwrap_or(0);
    let rows = |name: &str, array: &Array, width: usize| match array.shape[..] {
        [frames, bodies, numbers] if frames == count && numbers == width => {
            Ok(bodies.saturating_mul(numbers))
        }
        _ => Err(format!("`{name}` has the shape {:?}, not frames × bodies × {width}", array.shape)),
    };
    let x = rows("positions", &positions, family.coordinates())?;
    let v = rows("velocities", &velocities, family.degrees_of_freedom())?;
    let mut frames = Vec::new();
    for index in 0..count {
        let step =
            steps.as_ref().and_then(|steps| steps.numbers.get(index)).map_or(index as u64, |s| *s as u64);
        let time = times.as_ref().and_then(|times| times.numbers.get(index)).copied();
        let part = |array: &Array, width: usize| {
            array
                .numbers
                .get(index.saturating_mul(width)..(index + 1).saturating_mul(width))
                .map(<[f64]>::to_vec)
        };
        let cut_off = || "an array is shorter than its shape".to_owned();
        frames.push(Frame {
            step,
            time: time.unwrap_or(step as f64 * dt),
            positions: part(&positions, x).ok_or_else(cut_off)?,
            velocities: part(&velocities, v).ok_or_else(cut_off)?,
            ..Frame::default()
        });
    }
    let has_contacts = find("contact_frame").is_some();
    if has_contacts {
        add_contacts(&mut frames, &array)?;
    }
    Ok((frames, has_contacts))
}

fn add_contacts(
    frames: &mut [Frame],
    array: &dyn Fn(&str) -> Result<Option<Array>, String>,
) -> Result<(), String> {
    let wanted = |name: &str| array(name)?.ok_or_else(|| format!("the archive has no array `{name}`"));
    let later = |name: &str| Ok::<_, String>(array(name)?.map_or_else(Vec::new, |array| array.numbers));
    let (gaps, frictions) = (later("contact_gap")?, later("contact_friction")?);
    let columns = ["frame", "kind", "first", "second", "point", "normal", "time", "impulse"];
    let columns: Vec<Array> =
        columns.iter().map(|name| wanted(&format!("contact_{name}"))).collect::<Result<_, _>>()?;
    let number = |column: usize, at: usize| columns[column].numbers.get(at).copied().unwrap_or(f64::NAN);
    let triple = |column: usize, at: usize| [0, 1, 2].map(|k| number(column, 3 * at + k));
    for at in 0..columns[0].numbers.len() {
        let kind = ContactKind::from_code(number(1, at) as u64).ok_or("a contact of an unknown kind")?;
        let frame = frames.get_mut(number(0, at) as usize).ok_or("a contact of a frame that is not there")?;
        frame.contacts.push(Contact {
            kind,
            first: number(2, at) as u32,
            second: number(3, at) as u32,
            point: triple(4, at),
            normal: triple(5, at),
            time: number(6, at),
            impulse: number(7, at),
            // Archives of earlier versions and of others have neither.
            gap: gaps.get(at).copied().unwrap_or(f64::NAN),
            friction: [0, 1, 2].map(|k| frictions.get(3 * at + k).copied().unwrap_or(f64::NAN)),
        });
    }
    Ok(())
}

/// Bytes of the end of a zip, without its comment.
const END_BYTES: usize = 22;

/// Names and contents of the entries of a zip, by its index: APPNOTE.TXT, sections 4.3.7, 4.3.12
/// and 4.3.16.
fn entries(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, String> {
    let broken = || "the archive is damaged or cut off".to_owned();
    let word = |at: usize, size: usize| -> Option<usize> {
        let part = bytes.get(at..at.checked_add(size)?)?;
        Some(part.iter().rev().fold(0, |word, byte| word << 8 | usize::from(*byte)))
    };
    let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06").ok_or_else(broken)?;
    if bytes.len() < end + END_BYTES {
        return Err(broken());
    }
    let (count, mut at) = (word(end + 10, 2).ok_or_else(broken)?, word(end + 16, 4).ok_or_else(broken)?);
    let mut found = Vec::new();
    for _ in 0..count {
        let field = |offset: usize, size: usize| word(at.saturating_add(offset), size).ok_or_else(broken);
        if bytes.get(at..at.saturating_add(4)) != Some(b"PK\x01\x02") {
            return Err(broken());
        }
        let (method, size, name) = (field(10, 2)?, field(20, 4)?, field(28, 2)?);
        let (extra, comment, local) = (field(30, 2)?, field(32, 2)?, field(42, 4)?);
        if method != 0 {
            return Err(
                "the archive is compressed; write it with numpy.savez, not savez_compressed".to_owned()
            );
        }
        let label = bytes.get(at.saturating_add(46)..at.saturating_add(46 + name)).ok_or_else(broken)?;
        let head =
            word(local.saturating_add(26), 2).zip(word(local.saturating_add(28), 2)).ok_or_else(broken)?;
        let start = local.saturating_add(30 + head.0 + head.1);
        let data = bytes.get(start..start.checked_add(size).ok_or_else(broken)?).ok_or_else(broken)?;
        found.push((String::from_utf8_lossy(label).into_owned(), data));
        at = at.saturating_add(46 + name + extra + comment);
    }
    Ok(found)
}

/// An array of numbers, whatever their type in the file.
struct Array {
    shape: Vec<usize>,
    numbers: Vec<f64>,
}

impl Array {
    /// NEP 1: a magic word, a version, the length of the header, a header in Python's notation, and
    /// the numbers.
    fn read(name: &str, bytes: &[u8]) -> Result<Array, String> {
        let wrong = |what: &str| format!("`{name}` {what}");
        if bytes.get(..6) != Some(b"\x93NUMPY") {
            return Err(wrong("is no numpy array"));
        }
        let long = bytes.get(6).is_some_and(|version| *version >= 2);
        let digits = bytes.get(8..if long { 12 } else { 10 }).ok_or_else(|| wrong("is cut off"))?;
        let length = digits.iter().rev().fold(0, |word, byte| word << 8 | usize::from(*byte));
        let start = 8 + digits.len();
        let header = bytes.get(start..start.saturating_add(length)).ok_or_else(|| wrong("is cut off"))?;
        let header = String::from_utf8_lossy(header).into_owned();
        let after =
            |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ', '\'']));
        let kind = after("'descr'").and_then(|rest| rest.split('\'').next()).unwrap_or("");
        if after("'fortran_order'").is_some_and(|rest| rest.starts_with("True")) {
            return Err(wrong("is stored column by column; store it row by row"));
        }
        let shape = after("'shape'").and_then(|rest| rest.split_once('(')?.1.split_once(')'));
        let (inside, _) = shape.ok_or_else(|| wrong("has no shape"))?;
        let sizes = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape: Vec<usize> = sizes
            .map(|size| size.parse().map_err(|_| wrong("has a shape that is no shape")))
            .collect::<Result<_, _>>()?;
        let data = &bytes[start + length..];
        let eight = |chunk: &[u8]| chunk.try_into().unwrap_or([0; 8]);
        let four = |chunk: &[u8]| chunk.try_into().unwrap_or([0; 4]);
        let numbers: Vec<f64> = match kind {
            "<f8" => data.chunks_exact(8).map(|c| f64::from_le_bytes(eight(c))).collect(),
            "<f4" => data.chunks_exact(4).map(|c| f64::from(f32::from_le_bytes(four(c)))).collect(),
            "<u8" => data.chunks_exact(8).map(|c| u64::from_le_bytes(eight(c)) as f64).collect(),
            "<i8" => data.chunks_exact(8).map(|c| i64::from_le_bytes(eight(c)) as f64).collect(),
            "<u4" => data.chunks_exact(4).map(|c| f64::from(u32::from_le_bytes(four(c)))).collect(),
            "<i4" => data.chunks_exact(4).map(|c| f64::from(i32::from_le_bytes(four(c)))).collect(),
            _ => return Err(wrong(&format!("has the type {kind}, which is not read"))),
        };
        Ok(Array { shape, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::npz_bytes;
    use crate::{Header, JournalBytes, open_bytes};

    #[test]
    fn what_is_written_is_read_and_cut_off_bytes_are_an_error() {
        let header = Header::new(Family::RigidBodies, 2, 0.1, "two.xml", "<scene/>");
        let mut journal = JournalBytes::new(&header).unwrap();
        let frames: Vec<Frame> = (0..4)
            .map(|step| Frame {
                step,
                time: 0.1 * step as f64,
                positions: (0..6).map(|k| k as f64 + step as f64).collect(),
                velocities: vec![0.5; 6],
                contacts: vec![Contact {
                    kind: ContactKind::BodyBody,
                    first: 0,
                    second: 1,
                    point: [1.0, 2.0, 0.0],
                    normal: [0.0, 1.0, 0.0],
                    time: 0.25,
                    impulse: 3.0,
                    gap: -0.25,
                    friction: [0.5, 0.0, 0.0],
                }],
                ..Frame::default()
            })
            .collect();
        frames.iter().for_each(|frame| journal.append(frame).unwrap());
        let bytes = journal.finish();
        let archive = npz_bytes(&mut open_bytes(&bytes, None).unwrap()).unwrap();
        let (again, has_contacts) = npz_frames(&archive, Family::RigidBodies, 0.1).unwrap();
        assert!(has_contacts);
        for (frame, again) in frames.iter().zip(&again) {
            assert_eq!(
                (frame.step, frame.time, &frame.positions, &frame.velocities, &frame.contacts),
                (again.step, again.time, &again.positions, &again.velocities, &again.contacts)
            );
        }
        for length in 0..archive.len() {
            assert!(npz_frames(&archive[..length], Family::RigidBodies, 0.1).is_err());
        }
        assert!(npz_frames(&archive, Family::SpatialBodies, 0.1).is_err(), "other numbers a body");
    }
}
