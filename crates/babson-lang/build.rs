//! Generates the parsers from their grammars.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "cargo tells a build script the output folder, and reads what it prints"
)]

fn main() {
    for grammar in ["src/grammar.lalrpop", "src/cql3/grammar.lalrpop"] {
        println!("cargo:rerun-if-changed={grammar}");
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo names the output folder");
    lalrpop::Configuration::new()
        .set_in_dir("src")
        .set_out_dir(out)
        .process()
        .unwrap_or_else(|error| panic!("the grammar does not compile: {error}"));
}
