//! qemu as the runner of tests.
//!
//! Tests start programs of their own platform, so the kernel must know what runs these. Debian's
//! `qemu-user-binfmt` registers qemu for the whole machine. Otherwise each binary of tests runs in
//! a namespace of users that registers it; nothing else on the machine changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tools::find_program;

/// The beginning of a program for 64-bit ARM, and the bits of it that count: ELF, 64 bits, little
/// endian, a program or a shared object, the number of the processor.
const MAGIC: &str = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00";
const MASK: &str =
    r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff";

/// Whether programs of the platform run on this machine as its own do.
fn is_known(program: &str) -> bool {
    Path::new("/proc/sys/fs/binfmt_misc").join(program).exists()
}

/// The words before a program of the platform.
fn words(script: &Path) -> Vec<String> {
    let words = ["unshare", "--user", "--map-root-user", "--mount", "sh"];
    words.into_iter().map(str::to_owned).chain([script.display().to_string()]).collect()
}

fn script(folder: &Path) -> PathBuf {
    folder.join("qemu.sh")
}

/// What runs programs of the platform: a command, which takes the program and its arguments.
///
/// # Errors
/// The script cannot be written.
pub(super) fn runner(folder: &Path, program: &str) -> io::Result<Vec<String>> {
    if is_known(program) {
        return Ok(Vec::new());
    }
    let path = find_program(&[program]).unwrap_or_else(|| program.into());
    let text = format!(
        "mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc || exit\n\
         printf '%s' ':{program}:M::{MAGIC}:{MASK}:{}:F' > /proc/sys/fs/binfmt_misc/register || exit\n\
         exec \"$@\"\n",
        path.display()
    );
    let script = script(folder);
    fs::write(&script, text).map_err(|error| crate::about(&script, &error))?;
    Ok(words(&script))
}

/// Why the kernel cannot be told of qemu, if so.
pub(super) fn missing(folder: &Path, program: &str) -> io::Result<Option<String>> {
    let runner = runner(folder, program)?;
    let Some((first, rest)) = runner.split_first() else { return Ok(None) };
    let mut trial = Command::new(first);
    trial.args(rest).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
    let works = trial.status().is_ok_and(|status| status.success());
    Ok((!works).then(|| {
        "the kernel does not run programs of ARM, and has no binfmt_misc for namespaces (Linux \
         6.7): apt-get install qemu-user-binfmt"
            .to_owned()
    }))
}
