//! One block of bytes for each answer: the length of the head, the head as JSON, and numbers that a
//! page reads without copying.

use serde_json::{Map, Value};

/// An answer in the making.
///
/// The bytes are: a little-endian `u32`, the length of the head; the head; zeros up to a multiple
/// of eight; little-endian `f64` numbers. The head's `arrays` names where each array begins among
/// the numbers and how long it is. A file comes after the numbers; the head's `file` is its length.
#[derive(Debug, Default)]
pub struct Reply {
    head: Map<String, Value>,
    arrays: Map<String, Value>,
    numbers: Vec<f64>,
    file: Vec<u8>,
}

impl Reply {
    /// Puts a value into the head.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.head.insert(name.to_owned(), value.into());
    }

    /// Appends an array of numbers.
    pub fn array(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        let start = self.numbers.len();
        self.numbers.extend(numbers);
        self.arrays.insert(name.to_owned(), Value::from(vec![start, self.numbers.len() - start]));
    }

    /// Appends a file.
    pub fn file(&mut self, bytes: Vec<u8>) {
        self.set("file", bytes.len());
        self.file = bytes;
    }

    /// The bytes.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.head.insert("arrays".to_owned(), Value::Object(self.arrays));
        let head = Value::Object(self.head).to_string();
        let mut bytes = Vec::with_capacity(16 + head.len() + 8 * self.numbers.len());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        for number in &self.numbers {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.file);
        bytes
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Reads an answer as the page does.
    pub(crate) fn read(bytes: &[u8]) -> (Value, impl Fn(&str) -> Vec<f64>) {
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let head: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        let numbers: Vec<f64> = bytes[(4 + length).next_multiple_of(8)..]
            .chunks_exact(8)
            .map(|eight| f64::from_le_bytes(eight.try_into().unwrap()))
            .collect();
        let arrays = head["arrays"].clone();
        let array = move |name: &str| {
            let place = |k: usize| arrays[name][k].as_u64().unwrap() as usize;
            numbers[place(0)..place(0) + place(1)].to_vec()
        };
        (head, array)
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let mut reply = Reply::default();
        reply.set("word", "ç");
        reply.array("a", [1.0, f64::NEG_INFINITY]);
        reply.array("nothing", []);
        reply.array("b", [0.1]);
        let bytes = reply.into_bytes();
        assert_eq!(bytes.len() % 8, 0);
        let (head, array) = read(&bytes);
        assert_eq!(head["word"], "ç");
        assert_eq!(
            (array("a"), array("nothing"), array("b")),
            (vec![1.0, f64::NEG_INFINITY], vec![], vec![0.1])
        );
    }
}
