//! The names of files on servers and in object stores.

use std::path::Path;

/// The schemes of the URLs that are read.
const SCHEMES: [&str; 8] = ["s3", "s3a", "gs", "az", "abfs", "abfss", "http", "https"];

/// Whether a name is a URL of a file that is read over the network, such as
/// `https://host/games.pgn.zst` or `s3://bucket/games.arrow`.
///
/// ```
/// use babson_input::is_remote_name;
///
/// assert!(is_remote_name("s3://bucket/games.arrow") && is_remote_name("HTTPS://host/a.pgn"));
/// assert!(!is_remote_name("games/https.pgn") && !is_remote_name("ftp://host/a.pgn"));
/// ```
pub fn is_remote_name(name: impl AsRef<Path>) -> bool {
    let name = name.as_ref().as_os_str().as_encoded_bytes();
    SCHEMES.iter().any(|scheme| {
        name.split_at_checked(scheme.len()).is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(scheme.as_bytes()) && rest.starts_with(b"://")
        })
    })
}
