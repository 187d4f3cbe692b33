//! Archives whose bytes depend only on their members: no owner, no clock, no order of a folder.

use std::io::{self, Cursor, Write};

use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The path below the folder of the archive, with `/` between its parts.
    pub(crate) path: String,
    /// Whether it is a program.
    pub(crate) is_program: bool,
    pub(crate) bytes: Vec<u8>,
}

impl Member {
    /// A file that is not a program.
    pub(crate) fn file(path: &str, bytes: impl Into<Vec<u8>>) -> Member {
        Member { path: path.to_owned(), is_program: false, bytes: bytes.into() }
    }

    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// The members in the order of their paths, with the folder before each.
fn sorted<'m>(folder: &str, members: &'m [Member]) -> Vec<(String, &'m Member)> {
    let mut sorted: Vec<_> =
        members.iter().map(|member| (format!("{folder}/{}", member.path), member)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted
}

/// Returns the members below a folder as `.tar.gz`. `seconds` is the time of all members, in
/// seconds since 1970.
///
/// # Errors
/// A path does not fit into the format.
pub(crate) fn tar_gz(folder: &str, members: &[Member], seconds: u64) -> io::Result<Vec<u8>> {
    // The header of gzip has the time 0 and no system, so that it is the same everywhere.
    let gzip = GzBuilder::new().operating_system(255).write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for (path, member) in sorted(folder, members) {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(member.mode());
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(seconds);
        header.set_size(member.bytes.len() as u64);
        tar.append_data(&mut header, path, member.bytes.as_slice())?;
    }
    tar.into_inner()?.finish()
}

/// Returns the members below a folder as `.zip`.
///
/// The format has no time before 1980 and no time zone, so all members have the first time that it
/// can have.
///
/// # Errors
/// A path does not fit into the format.
pub(crate) fn zip(folder: &str, members: &[Member]) -> io::Result<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, member) in sorted(folder, members) {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(member.mode());
        zip.start_file(path, options)?;
        zip.write_all(&member.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn members() -> Vec<Member> {
        let program =
            Member { path: "babson".to_owned(), is_program: true, bytes: vec![0x7f; 70_000] };
        vec![program, Member::file("LICENSE", "free"), Member::file("man/babson.1", ".TH")]
    }

    #[test]
    fn the_bytes_depend_only_on_the_members() {
        let members = members();
        let mut turned = members.clone();
        turned.reverse();
        let tar = tar_gz("babson-1", &members, 1_700_000_000).unwrap();
        assert_eq!(tar, tar_gz("babson-1", &turned, 1_700_000_000).unwrap());
        assert_ne!(tar, tar_gz("babson-1", &members, 1_700_000_001).unwrap());
        let packed = zip("babson-1", &members).unwrap();
        assert_eq!(packed, zip("babson-1", &turned).unwrap());
        // No clock is read: a second later the bytes are the same.
        std::thread::sleep(std::time::Duration::from_millis(2100));
        assert_eq!(tar, tar_gz("babson-1", &members, 1_700_000_000).unwrap());
        assert_eq!(packed, zip("babson-1", &members).unwrap());
    }

    #[test]
    fn a_tar_has_its_members() {
        let bytes = tar_gz("babson-1", &members(), 1_700_000_000).unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in tar.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 1_700_000_000);
            let mode = header.mode().unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            found.push((path, mode, bytes.len()));
        }
        let expected = [
            ("babson-1/LICENSE", 0o644, 4),
            ("babson-1/babson", 0o755, 70_000),
            ("babson-1/man/babson.1", 0o644, 3),
        ];
        let expected = expected.map(|(path, mode, length)| (path.to_owned(), mode, length));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_zip_has_its_members() {
        let bytes = zip("babson-1", &members()).unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!(zip.len(), 3);
        let program = zip.by_name("babson-1/babson").unwrap();
        assert_eq!(
            (program.size(), program.unix_mode().map(|mode| mode & 0o777)),
            (70_000, Some(0o755))
        );
    }
}
