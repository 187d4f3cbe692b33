//! Tests of modules through the whole front end.

mod foreign;
mod parameters;
mod san;
mod symbols;
mod synonyms;
mod uncalled;
