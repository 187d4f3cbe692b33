//! Wine as the runner of tests.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::run;

/// Wine 8 lacks `bcryptprimitives.dll`, from which the standard library of Rust takes its random
/// numbers. This has the one function. It lies in the folder of Wine, so it cannot be published.
const SHIM: &str = r#"
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    while (length > 0) {
        ULONG part = length > 0x10000000 ? 0x10000000 : (ULONG)length;
        if (!SystemFunction036(data, part)) return FALSE;
        data += part;
        length -= part;
    }
    return TRUE;
}
"#;

/// The folder of Wine that tests run in, with its drive C.
pub(super) fn prefix(folder: &Path) -> PathBuf {
    folder.join("wine")
}

/// Sets the variables that a command of Wine needs.
pub(super) fn set_variables(command: &mut Command, folder: &Path) {
    command.env("WINEPREFIX", prefix(folder));
    // Wine prints what it lacks on standard error, which tests compare.
    command.env("WINEDEBUG", "-all");
    // Without these it asks whether to install Mono and Gecko.
    command.env("WINEDLLOVERRIDES", "mscoree,mshtml=");
}

/// Makes the folder of Wine, unless there is one, and builds the missing library into it.
///
/// # Errors
/// Wine does not start, or the compiler fails.
pub(super) fn prepare(folder: &Path) -> io::Result<()> {
    let system = prefix(folder).join("drive_c/windows/system32");
    let library = system.join("bcryptprimitives.dll");
    if library.is_file() {
        return Ok(());
    }
    let mut boot = Command::new("wine");
    set_variables(&mut boot, folder);
    run(boot.args(["wineboot", "--init"]))?;
    let source = folder.join("process_prng.c");
    fs::write(&source, SHIM).map_err(|error| crate::about(&source, &error))?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.args(["-shared", "-o"]).arg(&library).arg(&source).arg("-ladvapi32");
    run(&mut compiler)?;
    println!("Wine lacks bcryptprimitives.dll: it gets a stand-in at {}", library.display());
    Ok(())
}

/// Ends what still runs in the folder.
pub(super) fn end(folder: &Path) -> io::Result<()> {
    let mut server = Command::new("wineserver");
    set_variables(&mut server, folder);
    // It fails if nothing runs.
    server.arg("--kill").status().map(|_| ())
}
