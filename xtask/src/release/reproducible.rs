//! Two builds of a commit are equal byte for byte.

use std::fs;
use std::io::{self, Error};

use super::{Outcome, Release, build, checksums, command};
use crate::source::{self, Checkout};

/// Builds the command of the commit again, in another folder and from a fresh copy, and compares
/// the two programs.
pub(super) fn check(release: &Release) -> io::Result<Outcome> {
    if source::has_changes(&release.root)? {
        return Ok(Outcome::Skipped("the working tree has changes without a commit".to_owned()));
    }
    let first = fs::read(command::program(release)?)?;
    let copy = Checkout::of(&release.root)?;
    let again = build::command(&copy.root(), &copy.beside("out"), &release.target, release.time)?;
    let again = fs::read(again)?;
    match first_difference(&first, &again) {
        None => Ok(Outcome::Done(format!("twice {}", checksums::of(&first)))),
        Some(offset) => {
            // What may be looked at with diffoscope.
            release.write("babson.second-build", &again)?;
            Err(Error::other(format!(
                "two builds differ from byte {offset} on; lengths {} and {}",
                first.len(),
                again.len()
            )))
        }
    }
}

/// Where two texts begin to differ.
fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    match a.iter().zip(b).position(|(a, b)| a != b) {
        None if a.len() == b.len() => None,
        None => Some(a.len().min(b.len())),
        place => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(first_difference(b"abc", b"abc"), None);
        assert_eq!(first_difference(b"abc", b"abd"), Some(2));
        assert_eq!(first_difference(b"ab", b"abc"), Some(2));
        assert_eq!(first_difference(b"", b"a"), Some(0));
    }
}
