//! The platforms, and how each is checked on a Linux machine.

/// A platform that Babson should run on.
#[derive(Debug)]
pub(crate) struct Platform {
    /// The name in the table and on the command line.
    pub(crate) name: &'static str,
    /// As rustc names it. `None` is this machine.
    pub(crate) triple: Option<&'static str>,
    pub(crate) work: Work,
    /// The programs that it takes, each with the package of Debian that has it.
    pub(crate) tools: &'static [(&'static str, &'static str)],
}

/// What is done for a platform.
#[derive(Debug)]
pub(crate) enum Work {
    /// The tests are built for the platform and run.
    Tests(CrossTests),
    /// The sources are checked: the crates are compiled, but not to machine code, and not linked.
    Check,
    /// The same by the oldest Rust that the workspace allows.
    CheckWithOldestRust,
}

/// How tests are built for another platform and run here.
#[derive(Debug)]
pub(crate) struct CrossTests {
    /// What cargo links with; otherwise what rustc chooses.
    pub(crate) linker: Option<&'static str>,
    /// Arguments of the linker.
    pub(crate) link_arguments: &'static [&'static str],
    /// What runs a program of the platform; otherwise this machine does itself.
    pub(crate) runner: Option<Runner>,
    /// Which programs the tests start beside the command, as arguments of `cargo build`.
    pub(crate) programs: &'static [&'static [&'static str]],
    /// Which tests, as arguments of cargo. None are tests of documentation.
    pub(crate) selection: &'static [&'static [&'static str]],
    /// Whether the command must need no shared library.
    pub(crate) is_static: bool,
}

/// A program that runs the programs of another platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// Windows: Wine, in a folder of its own.
    Wine,
    /// Another processor: qemu, with the libraries of this folder.
    Qemu { program: &'static str, libraries: &'static str },
}

/// What users run, and its tests: not what builds, measures and explains it, nor WebAssembly.
pub(crate) const CRATES: &[&str] = &[
    "--workspace",
    "--exclude=babson-benches",
    "--exclude=babson-book",
    "--exclude=babson-wasm",
    "--exclude=xtask",
];

/// `cargo test` builds them, unless its arguments name kinds of targets, such as `--lib`.
const EXAMPLES: &[&[&str]] = &[CRATES, &["--examples"]];

const ALL: &[&[&str]] = &[CRATES, &["--lib", "--bins", "--tests"]];

/// The crates that a processor could break, and the outputs of the command. An emulated processor
/// is ten times slower, so the other tests are left out.
const CORE: &[&[&str]] = &[&[
    "--package=babson-chess",
    "--package=babson-pgn",
    "--package=babson-vm",
    "--package=babson-table",
    "--package=babson-input",
    "--package=babson-engine",
    "--package=babson-cli",
    "--lib",
    "--test=formats",
]];

/// The platforms, those that differ most from Linux on x86-64 first.
pub(crate) const PLATFORMS: &[Platform] = &[
    Platform {
        name: "windows",
        triple: Some("x86_64-pc-windows-gnu"),
        work: Work::Tests(CrossTests {
            linker: None,
            link_arguments: &[],
            runner: Some(Runner::Wine),
            programs: EXAMPLES,
            selection: ALL,
            is_static: false,
        }),
        tools: &[
            ("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"),
            ("wine", "wine"),
            ("wineserver", "wine"),
        ],
    },
    Platform {
        name: "i686",
        triple: Some("i686-unknown-linux-gnu"),
        work: Work::Tests(CrossTests {
            linker: Some("i686-linux-gnu-gcc"),
            // The shared libraries of the compiler, which come with it. A machine need not have
            // others for 32 bits.
            link_arguments: &[
                "-Wl,--dynamic-linker=/usr/i686-linux-gnu/lib/ld-linux.so.2",
                "-Wl,-rpath=/usr/i686-linux-gnu/lib",
            ],
            runner: None,
            programs: EXAMPLES,
            selection: ALL,
            is_static: false,
        }),
        tools: &[("i686-linux-gnu-gcc", "gcc-i686-linux-gnu")],
    },
    Platform {
        name: "aarch64",
        triple: Some("aarch64-unknown-linux-gnu"),
        work: Work::Tests(CrossTests {
            linker: Some("aarch64-linux-gnu-gcc"),
            link_arguments: &[],
            runner: Some(Runner::Qemu {
                program: "qemu-aarch64",
                libraries: "/usr/aarch64-linux-gnu",
            }),
            programs: &[],
            selection: CORE,
            is_static: false,
        }),
        tools: &[("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"), ("qemu-aarch64", "qemu-user")],
    },
    Platform {
        name: "musl",
        triple: Some("x86_64-unknown-linux-musl"),
        work: Work::Tests(CrossTests {
            linker: None,
            link_arguments: &[],
            runner: None,
            programs: EXAMPLES,
            selection: ALL,
            is_static: true,
        }),
        tools: &[("musl-gcc", "musl-tools"), ("readelf", "binutils")],
    },
    Platform { name: "macos", triple: Some("aarch64-apple-darwin"), work: Work::Check, tools: &[] },
    Platform { name: "oldest-rust", triple: None, work: Work::CheckWithOldestRust, tools: &[] },
];
