//! Games in forms that are not read: databases of other programs, and archives and compressed files
//! of kinds that are not read.

use std::ffi::OsStr;

use babson_pgn::FileSignature;
use babson_vm::InputReason;

use super::extension::has_extension;

/// A form of games that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ForeignForm {
    extensions: &'static [&'static str],
    /// What a file of this form is, after `it is`.
    pub(super) name: &'static str,
    /// How its games become PGN.
    pub(super) help: &'static str,
}

/// All forms.
const FORMS: [ForeignForm; 9] = [
    ForeignForm {
        extensions: &[
            ".tar", ".tar.bz2", ".tar.gz", ".tar.lz4", ".tar.xz", ".tar.zst", ".tbz", ".tbz2",
            ".tgz", ".txz", ".tzst",
        ],
        name: "a tar archive",
        help: "unpack it with tar: tar -xf FILE",
    },
    ForeignForm {
        extensions: &[".2cbh", ".cbf", ".cbh", ".cbv"],
        name: "a ChessBase database",
        help: "open it in ChessBase and export its games as PGN",
    },
    ForeignForm {
        extensions: &[".scid", ".si3", ".si4", ".si5"],
        name: "a Scid database",
        help: "open it in Scid and export its games as PGN",
    },
    ForeignForm {
        extensions: &[".7z"],
        name: "a 7-Zip archive",
        help: "unpack it with 7-Zip: 7z x FILE",
    },
    ForeignForm {
        extensions: &[".rar"],
        name: "a RAR archive",
        help: "unpack it with unrar: unrar x FILE",
    },
    ForeignForm {
        extensions: &[".br"],
        name: "compressed with Brotli",
        help: "unpack it with brotli: brotli -d FILE",
    },
    // After the archives that are compressed with it.
    ForeignForm {
        extensions: &[".lz4"],
        name: "compressed with LZ4",
        help: "unpack it with lz4: lz4 -d FILE",
    },
    ForeignForm {
        extensions: &[".lzma"],
        name: "compressed with LZMA",
        help: "unpack it with xz: xz -d FILE",
    },
    ForeignForm {
        extensions: &[".z"],
        name: "compressed with compress",
        help: "unpack it with gzip: gzip -d FILE",
    },
];

impl ForeignForm {
    /// The form that an extension names.
    pub(super) fn of_name(name: &OsStr) -> Option<&'static ForeignForm> {
        FORMS.iter().find(|form| has_extension(name, form.extensions))
    }

    /// Why a file of this form is not read, and what helps.
    pub(super) fn refusal(&self) -> InputReason {
        InputReason::Foreign { form: self.name, help: self.help }
    }

    /// The form that the first bytes of a file tell.
    pub(super) fn of_signature(format: FileSignature) -> Option<&'static ForeignForm> {
        ForeignForm::of_name(OsStr::new(format.spec().extension))
    }
}

/// Whether a name belongs to games in a form that is not read: a database of another program, or
/// an archive that is not a zip archive.
///
/// ```
/// use babson_input::is_foreign_name;
///
/// assert!(is_foreign_name("games.cbh") && is_foreign_name("games.tar.gz"));
/// assert!(!is_foreign_name("games.pgn.gz") && !is_foreign_name("games.csv"));
/// ```
pub fn is_foreign_name(name: impl AsRef<OsStr>) -> bool {
    ForeignForm::of_name(name.as_ref()).is_some()
}

/// How the games of a file with such a name become PGN: with which program.
///
/// ```
/// use babson_input::foreign_help;
///
/// assert_eq!(foreign_help("games.tgz"), Some("unpack it with tar: tar -xf FILE"));
/// assert_eq!(foreign_help("games.pgn"), None);
/// ```
pub fn foreign_help(name: impl AsRef<OsStr>) -> Option<&'static str> {
    ForeignForm::of_name(name.as_ref()).map(|form| form.help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_extension_has_one_form() {
        let all: Vec<&str> = FORMS.iter().flat_map(|form| form.extensions).copied().collect();
        for form in &FORMS {
            for extension in form.extensions {
                let name = format!("games{}", extension.to_uppercase());
                assert_eq!(ForeignForm::of_name(OsStr::new(&name)), Some(form));
                assert_eq!(all.iter().filter(|other| *other == extension).count(), 1);
            }
        }
        // What the extension and what the first bytes tell is the same.
        for format in
            [FileSignature::SevenZip, FileSignature::Rar, FileSignature::Lz4, FileSignature::Tar]
        {
            assert_eq!(ForeignForm::of_signature(format).unwrap().name, format.to_string());
        }
    }
}
