//! A zip archive in memory whose entries are stored as they are: PKWARE, "APPNOTE.TXT", sections
//! 4.3.7, 4.3.12 and 4.3.16.
//!
//! The archive of files is made by a crate; this one is for browsers, where every kilobyte of code
//! is sent.

use crate::error::TrajectoryError;
use std::path::Path;

/// 1 January 1980, the first day that a zip can name: archives of the same contents are the same
/// bytes.
const DATE: u16 = 0x21;

/// Files in one archive.
pub fn zip_bytes(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, TrajectoryError> {
    let too_large = || {
        let reason = "the archive would be larger than 4 GiB".to_owned();
        TrajectoryError::WrongFrame { path: Path::new("(bytes in memory)").to_path_buf(), reason }
    };
    let (mut bytes, mut index) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let offset = u32::try_from(bytes.len()).map_err(|_| too_large())?;
        let size = u32::try_from(data.len()).map_err(|_| too_large())?;
        // Version 2.0, no flags, stored, time, date, checksum, size twice, length of the name,
        // nothing extra.
        let mut entry = Vec::new();
        for short in [20, 0, 0, 0, DATE] {
            entry.extend(u16::to_le_bytes(short));
        }
        for long in [crc32fast::hash(data), size, size] {
            entry.extend(u32::to_le_bytes(long));
        }
        for short in [name.len() as u16, 0] {
            entry.extend(u16::to_le_bytes(short));
        }
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&entry);
        bytes.extend(name.as_bytes());
        bytes.extend(data);
        index.extend(b"PK\x01\x02");
        index.extend(u16::to_le_bytes(20));
        index.extend(&entry);
        // No comment, first disk, no attributes.
        index.extend([0; 10]);
        index.extend(u32::to_le_bytes(offset));
        index.extend(name.as_bytes());
    }
    let start = u32::try_from(bytes.len()).map_err(|_| too_large())?;
    let length = u32::try_from(index.len()).map_err(|_| too_large())?;
    bytes.extend(index);
    bytes.extend(b"PK\x05\x06");
    for short in [0, 0, files.len() as u16, files.len() as u16] {
        bytes.extend(u16::to_le_bytes(short));
    }
    for long in [length, start] {
        bytes.extend(u32::to_le_bytes(long));
    }
    bytes.extend(u16::to_le_bytes(0));
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    #[test]
    fn another_program_reads_the_archive() {
        let files = [("a.csv".to_owned(), b"1,2\n".to_vec()), ("empty".to_owned(), Vec::new())];
        let bytes = zip_bytes(&files).unwrap();
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(archive.len(), 2);
        for (name, data) in &files {
            let mut found = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut found).unwrap();
            assert_eq!(&found, data);
        }
    }
}
