//! Tests of the typing pass.
