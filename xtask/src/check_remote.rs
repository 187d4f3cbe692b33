//! Searches files of an object store: the server of moto, which acts as S3, and is installed from
//! PyPI into a virtual environment of its own.

use std::io::{self, Error};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::tools;

/// What is installed from PyPI.
const PACKAGES: [&str; 2] = ["moto[server]>=5,<6", "boto3>=1.35,<2"];

/// How often we try to connect to the server when it starts, ten times a second.
const MAX_ATTEMPTS: usize = 300;

/// Makes a bucket and puts the files into it: the arguments are the URL of the store and the files.
const UPLOAD: &str = "\
import boto3, os, sys
store = boto3.client('s3', endpoint_url=sys.argv[1])
store.create_bucket(Bucket='games')
for path in sys.argv[2:]:
    store.upload_file(path, 'games', 'a folder/' + os.path.basename(path))
";

/// The server. It ends with this value.
struct Store(Child);

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Compares searches of a bucket with searches of the same files here.
///
/// # Errors
/// Something cannot be installed or started, or a search does not give the same.
pub(crate) fn run(root: &Path) -> io::Result<()> {
    let folder = root.join("target/check-remote");
    std::fs::create_dir_all(&folder)?;
    let python = install(&folder)?;
    let babson = tools::debug_binary(root, &["--features", "remote"])?;
    let pgn = folder.join("games.pgn");
    std::fs::copy(root.join("corpus/games/masters-2k.pgn"), &pgn)?;
    let table = folder.join("games.arrow");
    tools::run(Command::new(&babson).arg("pack").arg(&pgn).arg("-o").arg(&table))?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let endpoint = format!("http://127.0.0.1:{port}");
    let server = python.with_file_name("moto_server");
    let mut server = Command::new(server);
    let server = server.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
    let _store = Store(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let mut attempts = 0..MAX_ATTEMPTS;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        attempts.next().ok_or(Error::other("the server of moto does not start"))?;
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut upload = Command::new(&python);
    tools::run(with_store(upload.args(["-c", UPLOAD, &endpoint]).args([&pgn, &table]), &endpoint))?;
    for name in ["games.pgn", "games.arrow"] {
        for query in ["mate", "Qh7 check"] {
            let search = |input: &str, output: &str| {
                let mut command = Command::new(&babson);
                let command = command.current_dir(&folder).args(["--stats", "-i", input]);
                let command = command.args(["--cql", query, "-o", output]);
                let done = with_store(command, &endpoint).output()?;
                // The summary goes to standard output, since the games go to a file.
                let told = [done.stdout, done.stderr].concat();
                let told = String::from_utf8_lossy(&told).into_owned();
                match done.status.success() {
                    true => Ok((std::fs::read(folder.join(output))?, told)),
                    false => Err(Error::other(told)),
                }
            };
            let (near, _) = search(name, "near.pgn")?;
            let (far, told) = search(&format!("s3://games/a folder/{name}"), "far.pgn")?;
            let line = told.lines().find(|line| line.starts_with("read over the network"));
            println!("{name}, {query}: {}", line.unwrap_or("nothing was read"));
            if near != far || line.is_none() {
                return Err(Error::other(format!("{name}, {query}: the results differ\n{told}")));
            }
        }
    }
    let mut missing = Command::new(&babson);
    let missing = missing.args(["-i", "s3://games/none.arrow", "--cql", "mate"]);
    let told = with_store(missing, &endpoint).output()?.stderr;
    let told = String::from_utf8_lossy(&told);
    println!("{}", told.trim_end());
    match told.contains("(404)") && !told.contains("sesame") {
        true => Ok(()),
        false => Err(Error::other("the message about a missing file is wrong")),
    }
}

/// The environment of a program that uses the store.
fn with_store<'c>(command: &'c mut Command, endpoint: &str) -> &'c mut Command {
    command
        .env("AWS_ENDPOINT_URL", endpoint)
        .env("AWS_ACCESS_KEY_ID", "sesame")
        .env("AWS_SECRET_ACCESS_KEY", "open-sesame")
        .env("AWS_REGION", "us-east-1")
        .env("AWS_DEFAULT_REGION", "us-east-1")
}

/// Makes the virtual environment, unless it is there. Returns its Python.
fn install(folder: &Path) -> io::Result<PathBuf> {
    let environment = folder.join("venv");
    let python = environment.join("bin/python");
    if !environment.join("bin/moto_server").exists() {
        tools::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        let pip = ["-m", "pip", "install", "--quiet"];
        tools::run(Command::new(&python).args(pip).args(PACKAGES))?;
    }
    Ok(python)
}
