//! What tells the settings of two matches apart.

use serde_json::Value;

use crate::matches::record::Header;

/// The first setting that differs, with both of its values.
pub(super) fn first_difference(found: &Header, expected: &Header) -> Option<String> {
    let value = |header| serde_json::to_value(header).unwrap_or_default();
    difference("", &value(found), &value(expected))
}

fn difference(name: &str, found: &Value, expected: &Value) -> Option<String> {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (found, expected) {
        _ if found == expected => None,
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().find_map(|(key, value)| {
                difference(&below(key), found.get(key).unwrap_or(&Value::Null), value)
            })
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            let pairs = found.iter().zip(expected).enumerate();
            pairs.into_iter().find_map(|(at, (found, expected))| {
                difference(&below(&(at + 1).to_string()), found, expected)
            })
        }
        _ => Some(format!("expected {name} to be {expected}, found {found}")),
    }
}
