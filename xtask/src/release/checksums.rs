//! The checksums of the files of a release, as `sha256sum --check` reads them.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{Outcome, Release, files, name_of};

/// The file with the checksums.
const NAME: &str = "SHA256SUMS";

/// Writes the checksums of all other files.
pub(super) fn write(release: &Release) -> io::Result<Outcome> {
    let list = list(&release.out)?;
    fs::write(release.out.join(NAME), &list)?;
    Ok(Outcome::Done(format!("{NAME} of {} files", list.lines().count())))
}

/// A line for each file of a folder.
fn list(folder: &Path) -> io::Result<String> {
    let mut list = String::new();
    for path in files(folder)? {
        let name = name_of(&path);
        if name != NAME {
            let _ = writeln!(list, "{}  {name}", of(&fs::read(&path)?));
        }
    }
    Ok(list)
}

/// The checksum in hexadecimal digits.
pub(super) fn of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_its_line() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("b.txt", "abc"), ("a.txt", ""), (NAME, "old")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        fs::create_dir(folder.path().join("folder")).unwrap();
        // The digests of the empty text and of "abc" in FIPS 180-2.
        let expected = "\
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt
";
        assert_eq!(list(folder.path()).unwrap(), expected);
    }
}
