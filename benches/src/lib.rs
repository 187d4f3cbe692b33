//! Benchmarks of Babson over its public crates; the recipes are in README.md.
