//! What queries reach outside of the games, on this system.

mod files;

use std::fs::OpenOptions;
use std::io::Write as _;

use babson_vm::{Host, HostError};

use files::check_regular;
pub use files::{read_regular_file, read_up_to};

/// The host that opens files of this system.
#[derive(Clone, Debug, Default)]
pub struct SystemHost;

impl Host for SystemHost {
    fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
        Ok(read_regular_file(name.as_ref(), limit)?)
    }

    fn write_file(&self, name: &str, text: &[u8], append: bool) -> Result<(), HostError> {
        check_regular(name.as_ref())?;
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(append).truncate(!append);
        Ok(options.open(name)?.write_all(text)?)
    }
}
