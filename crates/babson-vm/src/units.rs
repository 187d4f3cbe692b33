//! Numbers of bytes in messages.

/// A number of bytes in the largest unit that divides it.
///
/// ```
/// assert_eq!(babson_vm::in_units(64 << 20), "64 MiB");
/// assert_eq!(babson_vm::in_units(1025), "1025 bytes");
/// ```
pub fn in_units(bytes: usize) -> String {
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}
