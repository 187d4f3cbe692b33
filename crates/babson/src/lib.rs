//! Babson for embedders: compile a CQL query and run it on games.
