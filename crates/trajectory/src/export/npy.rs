//! The header of numpy's array files (`.npy`, version 1.0; numpy.lib.format).

/// Header of an array in C order: `descr` is numpy's name of the type, such as `<f8`.
pub(crate) fn header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let mut sizes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    if shape.len() > 1 {
        sizes.truncate(sizes.len() - 2);
    }
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}", sizes.trim_end());
    // Ten bytes before the text; text, spaces and a line end fill up to a multiple of 64.
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let short = u16::try_from(length).expect("the text has a name, three words and at most three numbers");
    bytes.extend_from_slice(&short.to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(10 + length - 1, b' ');
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn headers_are_as_numpy_writes_them() {
        let text =
            |shape: &[u64]| String::from_utf8_lossy(&header("<f8", shape)[10..]).trim_end().to_string();
        assert_eq!(text(&[]), "{'descr': '<f8', 'fortran_order': False, 'shape': (), }");
        assert_eq!(text(&[5]), "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }");
        assert_eq!(text(&[5, 2, 3]), "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 2, 3), }");
        for shape in [&[][..], &[1], &[u64::MAX, u64::MAX, u64::MAX]] {
            let bytes = header("<f8", shape);
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), bytes.len() - 10);
            assert_eq!(bytes.last(), Some(&b'\n'));
        }
    }
}
