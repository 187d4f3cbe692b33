//! The `babson` command.

fn main() {}
