//! Numbers in text: whole, as we want them, or by their longest beginning, as the course's program
//! takes them.

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberError {
    /// Nothing there.
    Empty,
    /// It does not begin like a number.
    NotANumber,
    /// A number, then something else: this many bytes of the trimmed text are the number.
    LeftOver(usize),
    /// Too large for its type.
    TooLarge,
}

/// A number, and whether anything but blanks was left over behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prefix<T> {
    /// The number.
    pub value: T,
    /// Whether something was ignored.
    pub left_over: bool,
}

/// A real number that fills the text but for blanks around it.
pub(crate) fn whole_real(text: &str) -> Result<f64, NumberError> {
    if let Some(value) = short_decimal(text) {
        return Ok(value);
    }
    let text = trim(text);
    let length = real_length(text);
    check_length(text, length)?;
    finite(text)
}

/// A whole number that fills the text but for blanks around it.
pub(crate) fn whole_integer(text: &str) -> Result<i64, NumberError> {
    let text = trim(text);
    let length = integer_length(text);
    check_length(text, length)?;
    text.parse().map_err(|_| NumberError::TooLarge)
}

/// What C++ `stream >> double` takes: it first collects everything that may belong to a number,
/// then wants all of it to be one. So `0.5s` is 0.5, but `1e` is no number.
pub(crate) fn leading_real(text: &str) -> Result<Prefix<f64>, NumberError> {
    // what consists of nothing but a number is one in either reading
    if let Some(value) = short_decimal(text) {
        return Ok(Prefix { value, left_over: false });
    }
    let text = trim(text);
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let collected = collected_length(text);
    if collected == 0 || real_length(&text[..collected]) != collected {
        return Err(NumberError::NotANumber);
    }
    Ok(Prefix { value: finite(&text[..collected])?, left_over: collected < text.len() })
}

/// What C++ `stream >> int` takes: a sign and digits, 32 bits.
pub(crate) fn leading_integer(text: &str) -> Result<Prefix<i64>, NumberError> {
    let text = trim(text);
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let length = integer_length(text);
    if length == 0 {
        return Err(NumberError::NotANumber);
    }
    let value: i32 = text[..length].parse().map_err(|_| NumberError::TooLarge)?;
    Ok(Prefix { value: i64::from(value), left_over: length < text.len() })
}

/// A sign, digits and perhaps a point among them, up to fifteen digits and nothing else: most
/// numbers of most scenes. Digits and the power of ten are then exact, so that one division rounds
/// as it must (Clinger, How to read floating point numbers accurately, 1990).
fn short_decimal(text: &str) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, bytes) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        bytes => (false, bytes),
    };
    if bytes.len() > POWERS.len() {
        return None;
    }
    let (mut digits, mut count, mut point) = (0_u64, 0, None);
    for &byte in bytes {
        match byte {
            b'0'..=b'9' => {
                digits = 10 * digits + u64::from(byte - b'0');
                count += 1;
            }
            b'.' if point.is_none() => point = Some(count),
            _ => return None,
        }
    }
    let after = count - point.unwrap_or(count);
    if !(1..POWERS.len()).contains(&count) {
        return None;
    }
    let size = digits as f64 / POWERS[after];
    Some(if negative { -size } else { size })
}

/// Blanks in the sense of C: space, tab, line feed, carriage return, vertical tab, form feed.
pub(crate) fn trim(text: &str) -> &str {
    let solid = |byte: Option<&u8>| byte.is_some_and(|byte| *byte > b' ');
    if solid(text.as_bytes().first()) && solid(text.as_bytes().last()) {
        return text;
    }
    text.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}'])
}

fn check_length(text: &str, length: usize) -> Result<(), NumberError> {
    if text.is_empty() {
        Err(NumberError::Empty)
    } else if length == 0 {
        Err(NumberError::NotANumber)
    } else if length < text.len() {
        Err(NumberError::LeftOver(length))
    } else {
        Ok(())
    }
}

fn finite(text: &str) -> Result<f64, NumberError> {
    let value: f64 = text.parse().map_err(|_| NumberError::NotANumber)?;
    if value.is_finite() { Ok(value) } else { Err(NumberError::TooLarge) }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn sign(bytes: &[u8]) -> usize {
    usize::from(matches!(bytes.first(), Some(b'+' | b'-')))
}

/// Length of the longest beginning that is a real number: sign, digits with at most one point,
/// exponent.
fn real_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = sign(bytes);
    let before = digits(&bytes[at..]);
    at += before;
    let mut after = 0;
    if bytes.get(at) == Some(&b'.') {
        after = digits(&bytes[at + 1..]);
        if before + after > 0 {
            at += 1 + after;
        }
    }
    if before + after == 0 {
        return 0;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let exponent = at + 1 + sign(&bytes[at + 1..]);
        let count = digits(&bytes[exponent..]);
        if count > 0 {
            at = exponent + count;
        }
    }
    at
}

fn integer_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let start = sign(bytes);
    match digits(&bytes[start..]) {
        0 => 0,
        count => start + count,
    }
}

/// Length of what libstdc++ collects before it converts.
fn collected_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = sign(bytes);
    let (mut mantissa, mut point, mut exponent) = (false, false, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => mantissa = true,
            b'.' if !point && !exponent => point = true,
            b'e' | b'E' if mantissa && !exponent => {
                exponent = true;
                at += sign(&bytes[at + 1..]);
            }
            _ => break,
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_must_be_whole() {
        for (text, value) in
            [("1", 1.0), (" +0.5 ", 0.5), (".5", 0.5), ("5.", 5.0), ("-1.5e-3", -1.5e-3), ("1e-400", 0.0)]
        {
            assert_eq!(whole_real(text), Ok(value), "{text}");
        }
        assert_eq!(whole_real("-0.0").map(f64::to_bits), Ok((-0.0f64).to_bits()));
        for (text, error) in [
            ("", NumberError::Empty),
            ("  ", NumberError::Empty),
            ("abc", NumberError::NotANumber),
            (".", NumberError::NotANumber),
            ("-", NumberError::NotANumber),
            ("nan", NumberError::NotANumber),
            ("inf", NumberError::NotANumber),
            ("0.5s", NumberError::LeftOver(3)),
            ("0,5", NumberError::LeftOver(1)),
            ("0x10", NumberError::LeftOver(1)),
            ("1e", NumberError::LeftOver(1)),
            ("1e400", NumberError::TooLarge),
        ] {
            assert_eq!(whole_real(text), Err(error), "{text}");
        }
        assert_eq!(whole_integer(" -7 "), Ok(-7));
        assert_eq!(whole_integer("1.0"), Err(NumberError::LeftOver(1)));
        assert_eq!(whole_integer("99999999999999999999"), Err(NumberError::TooLarge));
    }

    #[test]
    fn short_decimals_are_rounded_like_all_others() {
        let mut state = 1_u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut taken = 0;
        for _ in 0..100_000 {
            let length = random(18);
            let text: String = (0..length)
                .map(|_| char::from(b"0123456789.-"[random(if length > 4 { 11 } else { 12 }) as usize]))
                .collect();
            if let Some(value) = short_decimal(&text) {
                taken += 1;
                assert_eq!(Ok(value.to_bits()), text.parse::<f64>().map(f64::to_bits), "{text}");
            }
        }
        assert!(taken > 30_000, "{taken}");
        for text in ["", "-", ".", "-.", "1.2.3", "--1", "1-", "+1", "1e3", "1234567890123456", " 1"] {
            assert_eq!(short_decimal(text), None, "{text}");
        }
        for text in ["123456789012345", "0.12345678901234", "-0", "5.", ".5", "0.00000000000001"] {
            assert_eq!(
                short_decimal(text).map(f64::to_bits),
                text.parse::<f64>().ok().map(f64::to_bits),
                "{text}"
            );
        }
    }

    #[test]
    fn leading_numbers_are_those_of_a_cpp_stream() {
        for (text, value, left_over) in [
            ("0.5s", 0.5, true),
            ("0,5", 0.0, true),
            ("0x10", 0.0, true),
            ("-0x1", -0.0, true),
            ("-1abc", -1.0, true),
            ("  -1 ", -1.0, false),
            ("1.2.3", 1.2, true),
            ("1e5e", 1e5, true),
            ("1e5.3", 1e5, true),
            ("5.", 5.0, false),
            ("1e-400", 0.0, false),
        ] {
            assert_eq!(leading_real(text), Ok(Prefix { value, left_over }), "{text}");
        }
        for text in ["", "abc", "inf", "nan", "1e", "-1e", "1e+", "1e400", "e5", ".", "1ex"] {
            assert!(leading_real(text).is_err(), "{text}");
        }
        assert_eq!(leading_integer("1.7"), Ok(Prefix { value: 1, left_over: true }));
        assert_eq!(leading_integer("-1"), Ok(Prefix { value: -1, left_over: false }));
        assert_eq!(leading_integer("4294967296"), Err(NumberError::TooLarge));
        assert_eq!(leading_integer("x"), Err(NumberError::NotANumber));
    }
}
