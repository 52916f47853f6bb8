//! JSON lines that end with a checksum, so that damage is detected.
//!
//! `{"game":0,"white":0}` becomes `{"game":0,"white":0,"checksum":"a5e07b10"}`: the CRC-32 of the line
//! without this last field, in hexadecimal. To a JSON parser it is one more field.

use serde::Serialize;

/// The text around the digits.
const BEFORE: &str = ",\"checksum\":\"";
const AFTER: &str = "\"}";

/// A value as a line with its checksum.
///
/// # Errors
///
/// When the value cannot be written as JSON.
pub fn write(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    let digits = digits(&text);
    let open = text.strip_suffix('}').unwrap_or(&text);
    Ok(format!("{open}{BEFORE}{digits}{AFTER}\n"))
}

/// The state of a line's checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checksum {
    /// The line has none, like those of older versions.
    Missing,
    /// It matches.
    Matches,
    /// It does not match: the line is damaged.
    Differs,
}

/// Checks a line, with or without its line end.
pub fn check(line: &str) -> Checksum {
    let parts = line.trim_end().strip_suffix(AFTER).and_then(|line| line.rsplit_once(BEFORE));
    match parts {
        None => Checksum::Missing,
        Some((open, found)) if digits(&format!("{open}}}")) == found => Checksum::Matches,
        Some(_) => Checksum::Differs,
    }
}

fn digits(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn no_line_with_a_changed_bit_fits() {
        let value = BTreeMap::from([("moves", "d6 f4,\"checksum\":\"0\"}"), ("result", "1-0")]);
        let line = write(&value).unwrap();
        assert_eq!(check(&line), Checksum::Matches);
        let read: BTreeMap<&str, String> = serde_json::from_str(&line).unwrap();
        assert_eq!(read["moves"], value["moves"]);
        for bit in 0..(line.len() - 1) * 8 {
            let mut bytes = line.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let fits = str::from_utf8(&bytes).is_ok_and(|line| check(line) == Checksum::Matches);
            assert!(!fits, "bit {bit}");
        }
    }

    #[test]
    fn a_line_without_a_checksum_has_none() {
        assert_eq!(check("{\"game\":0}\n"), Checksum::Missing);
        assert_eq!(check(""), Checksum::Missing);
    }
}
