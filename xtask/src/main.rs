//! Chores of the project: `cargo xtask TASK`.

fn main() {}
