//! Tables as Parquet: one page a column and row group, plain and not packed.
//!
//! The format is that of apache/parquet-format: `parquet.thrift` for the structures, in Thrift's
//! compact protocol. Any reader of Parquet takes it; a writer crate would bring forty others.

use serde_json::Value;

/// Rows of a group: sizes of pages are 32-bit numbers.
const GROUP: usize = 100_000;
const MAGIC: &[u8; 4] = b"PAR1";

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean = 0,
    Whole = 2,
    Real = 5,
    Text = 6,
}

impl Kind {
    /// The narrowest kind that holds all of these; nothing is known of what is null.
    fn of<'a>(values: impl Iterator<Item = &'a Value>) -> Kind {
        let mut found: Option<Kind> = None;
        for value in values {
            let kind = match value {
                Value::Null => continue,
                Value::Bool(_) => Kind::Boolean,
                Value::Number(number) if number.as_i64().is_some() => Kind::Whole,
                Value::Number(_) => Kind::Real,
                _ => return Kind::Text,
            };
            found = match (found, kind) {
                (None, kind) => Some(kind),
                (Some(before), kind) if before == kind => Some(kind),
                (Some(Kind::Whole | Kind::Real), Kind::Whole | Kind::Real) => Some(Kind::Real),
                _ => return Kind::Text,
            };
        }
        found.unwrap_or(Kind::Text)
    }
}

/// A whole file. `cell` gives the value of a row in a column; null where it has none.
pub(super) fn bytes<'a>(
    columns: &'a [String],
    rows: usize,
    cell: &dyn Fn(usize, &'a str) -> &'a Value,
) -> Vec<u8> {
    let kinds: Vec<Kind> = columns.iter().map(|name| Kind::of((0..rows).map(|k| cell(k, name)))).collect();
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    for start in (0..rows).step_by(GROUP) {
        let range = start..rows.min(start + GROUP);
        let mut chunks = Vec::new();
        for (name, kind) in columns.iter().zip(&kinds) {
            let values: Vec<&Value> = range.clone().map(|k| cell(k, name)).collect();
            let offset = file.len();
            file.extend(page(&values, *kind));
            chunks.push((name.as_str(), *kind, offset, file.len() - offset, values.len()));
        }
        groups.push((range.len(), chunks));
    }
    let mut footer = Thrift::default();
    footer.int(1, 1);
    footer.list(2, STRUCT, columns.len() + 1);
    footer.open();
    footer.text(4, "table");
    footer.int(5, columns.len() as i64);
    footer.close();
    for (name, kind) in columns.iter().zip(&kinds) {
        footer.open();
        footer.int(1, *kind as i64);
        footer.int(3, 1); // optional
        footer.text(4, name);
        if *kind == Kind::Text {
            footer.int(6, 0); // UTF-8
        }
        footer.close();
    }
    footer.long(3, rows as i64);
    footer.list(4, STRUCT, groups.len());
    for (count, chunks) in &groups {
        footer.open();
        footer.list(1, STRUCT, chunks.len());
        for (name, kind, offset, size, values) in chunks {
            footer.open();
            footer.long(2, *offset as i64);
            footer.inner(3);
            footer.int(1, *kind as i64);
            footer.list(2, INT, 2);
            footer.numbers(&[0, 3]); // plain, and run lengths of what is there
            footer.list(3, BINARY, 1);
            footer.word(name);
            footer.int(4, 0); // not packed
            footer.long(5, *values as i64);
            footer.long(6, *size as i64);
            footer.long(7, *size as i64);
            footer.long(9, *offset as i64);
            footer.close();
            footer.close();
        }
        footer.long(2, chunks.iter().map(|chunk| chunk.3 as i64).sum());
        footer.long(3, *count as i64);
        footer.close();
    }
    footer.text(6, concat!("carom ", env!("CARGO_PKG_VERSION")));
    let footer = footer.end();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

/// One page: its header, which values are there, and those that are.
fn page(values: &[&Value], kind: Kind) -> Vec<u8> {
    let mut levels = Vec::new();
    let mut rest = values;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|value| value.is_null() == first.is_null()).count();
        varint(&mut levels, (run as u64) << 1);
        levels.push(u8::from(!first.is_null()));
        rest = &rest[run..];
    }
    let mut data = (levels.len() as u32).to_le_bytes().to_vec();
    data.extend(levels);
    plain(&mut data, values, kind);
    let mut header = Thrift::default();
    header.int(1, 0);
    header.int(2, data.len() as i64);
    header.int(3, data.len() as i64);
    header.inner(5);
    header.int(1, values.len() as i64);
    header.int(2, 0);
    header.int(3, 3);
    header.int(4, 3);
    header.close();
    let mut page = header.end();
    page.extend(data);
    page
}

/// Encoding PLAIN.
fn plain(data: &mut Vec<u8>, values: &[&Value], kind: Kind) {
    let there = values.iter().filter(|value| !value.is_null());
    match kind {
        Kind::Whole => there.for_each(|v| data.extend(v.as_i64().unwrap_or_default().to_le_bytes())),
        Kind::Real => there.for_each(|v| data.extend(v.as_f64().unwrap_or(f64::NAN).to_le_bytes())),
        Kind::Text => there.for_each(|value| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            data.extend((text.len() as u32).to_le_bytes());
            data.extend(text.as_bytes());
        }),
        Kind::Boolean => {
            let bits: Vec<bool> = there.map(|value| value.as_bool().unwrap_or_default()).collect();
            let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
            data.extend(bits.chunks(8).map(byte));
        }
    }
}

const INT: u8 = 5;
const LONG: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Thrift's compact protocol, as far as Parquet needs it.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    /// Number of the last field, of this structure and of those around it.
    last: Vec<i16>,
    field: i16,
}

impl Thrift {
    fn field(&mut self, number: i16, kind: u8) {
        // all structures of Parquet have fields that are near each other
        self.bytes.push(((number - self.field) as u8) << 4 | kind);
        self.field = number;
    }

    fn int(&mut self, number: i16, value: i64) {
        self.field(number, INT);
        varint(&mut self.bytes, zigzag(value));
    }

    fn long(&mut self, number: i16, value: i64) {
        self.field(number, LONG);
        varint(&mut self.bytes, zigzag(value));
    }

    fn text(&mut self, number: i16, text: &str) {
        self.field(number, BINARY);
        self.word(text);
    }

    /// A text in a list.
    fn word(&mut self, text: &str) {
        varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    /// Numbers in a list.
    fn numbers(&mut self, values: &[i64]) {
        values.iter().for_each(|value| varint(&mut self.bytes, zigzag(*value)));
    }

    fn list(&mut self, number: i16, kind: u8, count: usize) {
        self.field(number, LIST);
        if count < 15 {
            self.bytes.push((count as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            varint(&mut self.bytes, count as u64);
        }
    }

    /// A structure in a list.
    fn open(&mut self) {
        self.last.push(self.field);
        self.field = 0;
    }

    /// A structure as a field.
    fn inner(&mut self, number: i16) {
        self.field(number, STRUCT);
        self.open();
    }

    fn close(&mut self) {
        self.bytes.push(0);
        self.field = self.last.pop().unwrap_or(0);
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_is_what_the_specification_says() {
        let (one, none, two) = (json!(1.5), Value::Null, json!(-2.0));
        let page = page(&[&one, &none, &two], Kind::Real);
        let header = [0x15, 0, 0x15, 52, 0x15, 52, 0x2c, 0x15, 6, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];
        assert_eq!(page[..header.len()], header);
        // four bytes of length, then runs: one there, one not, one there
        assert_eq!(page[header.len()..][..10], [6, 0, 0, 0, 2, 1, 2, 0, 2, 1]);
        assert_eq!(page[header.len() + 10..], [1.5_f64.to_le_bytes(), (-2.0_f64).to_le_bytes()].concat());
    }

    #[test]
    fn kinds_are_the_narrowest_that_hold_a_column() {
        let kind = |values: &[Value]| Kind::of(values.iter());
        assert_eq!(kind(&[json!(1), Value::Null, json!(2)]), Kind::Whole);
        assert_eq!(kind(&[json!(1), json!(2.5)]), Kind::Real);
        assert_eq!(kind(&[json!(1), json!("a")]), Kind::Text);
        assert_eq!(kind(&[Value::Null]), Kind::Text);
        assert_eq!(kind(&[json!(true)]), Kind::Boolean);
    }
}
